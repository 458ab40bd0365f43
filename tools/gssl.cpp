// The gssl command: reads the command line, runs one verb, turns what happens into messages, a
// summary and an exit status.

#include <fmt/format.h>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <map>
#include <memory>
#include <new>
#include <sstream>
#include <string_view>
#include <utility>

#include "command_line.hpp"
#include "gssl/core/error.hpp"
#include "gssl/core/suggestion.hpp"
#include "help_text.hpp"
#include "remedy_words.hpp"
#include "session.hpp"
#include "signals.hpp"
#include "standard_streams.hpp"
#include "thread_limit.hpp"
#include "topic.hpp"
#include "verb_embed.hpp"

namespace gssl::tool {
namespace {

using Arguments = std::vector<std::string>;

// Help and version go to standard output; a reader that went away is not an error worth a message.
int print(const std::string& text) {
  const bool written =
      std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
  if (written) return 0;
  if (pipe_signal() != 0) die_by_signal(SIGPIPE);
  std::fputs("gssl: standard output: write failed\n", stderr);
  return exit_status(ErrorCode::io_failure);
}

// The verb that was typed, or "" when it was none.
std::string verb_of(const CLI::App& app, const Arguments& arguments) {
  for (const std::string& argument : arguments) {
    for (const CLI::App* verb : app.get_subcommands({})) {
      if (verb->get_name() == argument) return argument;
    }
  }
  return {};
}

// A command line that could not be understood still gets its summary, unless that file is anything
// else the line names.
int fail_usage(const std::string& verb, const Arguments& arguments, const std::string& message) {
  CommonOptions common;
  Arguments others;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i] == "--summary" && i + 1 < arguments.size()) {
      common.summary = arguments[++i];
    } else if (arguments[i].starts_with("--summary=")) {
      common.summary = arguments[i].substr(arguments[i].find('=') + 1);
    } else if (arguments[i] != "-") {
      others.push_back(arguments[i]);
    }
  }
  Session session(verb, arguments, common);
  try {
    session.prepare(others, {});
  } catch (const Error&) {
    // The usage message below matters more than where the summary could not go.
  }
  const std::string see = "see gssl" + (verb.empty() ? "" : " " + verb) + " --help";
  session.error(message + (message.ends_with('?') ? " (" + see + ")" : "; " + see));
  return session.finish(exit_status(ErrorCode::usage), "failed");
}

int fail(Session& session, ErrorCode code, const std::string& message) {
  session.error(message);
  return session.finish(exit_status(code), "failed");
}

// Ends the way the signal would have ended us, after the summary is written.
[[noreturn]] void end_by_signal(Session& session, int signal, const char* outcome) {
  session.finish(128 + signal, outcome);
  die_by_signal(signal);
}

int run_verb(Session& session, const Verb& verb) {
  try {
    session.start_threads();
    const int status = verb(session);
    return session.finish(status, status == 0 ? "complete" : "incomplete");
  } catch (const MemoryError& error) {
    return fail(session, error.code(), session.refusal(error));
  } catch (const Error& error) {
    if (stop_signal() != 0) end_by_signal(session, stop_signal(), "cancelled");
    if (pipe_signal() != 0 && error.code() == ErrorCode::io_failure) {
      end_by_signal(session, SIGPIPE, "failed");
    }
    return fail(session, error.code(), with_flags(error));
  } catch (const std::bad_alloc&) {
    return fail(
        session, ErrorCode::out_of_memory,
        fmt::format("out of memory: the input and the work on it need more than {} allows",
                    session.memory().set_by.empty() ? "the system" : session.memory().set_by));
  } catch (const std::exception& error) {
    return fail(session, ErrorCode::internal, std::string("internal error: ") + error.what());
  }
}

// The first argument that looks like an option and is none; "" if all are known.
std::string unknown_option(const CLI::App& verb) {
  for (const std::string& argument : verb.remaining()) {
    if (argument.starts_with('-') && argument != "-" && argument != "--")
      return argument.substr(0, argument.find('='));
  }
  return {};
}

std::string no_option(const CLI::App& verb, const std::string& typed) {
  std::vector<std::string> names;
  for (const CLI::Option* option : verb.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  const std::string near = typed.starts_with("--") ? did_you_mean(typed, names) : "";
  return "no option '" + typed + "'" + (near.empty() ? "" : ": " + near);
}

// A misspelt verb or option is named before what is missing for want of it.
std::string what_is_wrong(const CLI::App& app, const std::string& verb, const std::string& first,
                          const CLI::ParseError& error) {
  const Arguments verbs = verb_names(app);
  if (!first.starts_with('-') && std::ranges::find(verbs, first) == verbs.end())
    return "no verb '" + first + "': " + suggestion(first, verbs);
  const CLI::App& asked = verb.empty() ? app : *app.get_subcommand(verb);
  for (const CLI::App* app_or_verb : {&asked, &app}) {
    const std::string typed = unknown_option(*app_or_verb);
    if (!typed.empty()) return no_option(asked, typed);
  }
  return error.what();
}

// -h, not --help.
bool asks_for_short_help(const Arguments& arguments) {
  const auto help = std::ranges::find_if(
      arguments, [](const std::string& text) { return text == "-h" || text == "--help"; });
  return help != arguments.end() && *help == "-h";
}

using AddVerb = Verb (*)(CLI::App&, CommonOptions&);

struct NamedVerb {
  std::string_view name;
  AddVerb add;
};

struct VerbGroup {
  const char* title;
  std::vector<NamedVerb> verbs;
};

const std::vector<VerbGroup>& verb_groups() {
  static const std::vector<VerbGroup> groups = {
      {"Labels", {{"label", add_label}, {"explain", add_explain}, {"ask", add_ask}}},
      {"Models", {{"fit", add_fit}, {"predict", add_predict}}},
      {"Graphs", {{"build", add_build}, {"convert", add_convert}, {"info", add_info}}},
      {"Networks",
       {{"cluster", add_cluster},
        {"cut", add_cut},
        {"spectrum", add_spectrum},
        {"resistance", add_resistance},
        {"kernel", add_kernel},
        {"embed", add_embed}}},
      {"Evaluation", {{"evaluate", add_evaluate}, {"report", add_report}, {"bound", add_bound}}},
      {"Online", {{"online", add_online}}},
      {"Matrices", {{"complete", add_complete}}},
      {"This command",
       {{"learners", add_learners}, {"help", add_help}, {"completions", add_completions}}}};
  return groups;
}

bool is_verb(std::string_view name) {
  return std::ranges::any_of(verb_groups(), [&](const VerbGroup& group) {
    return std::ranges::find(group.verbs, name, &NamedVerb::name) != group.verbs.end();
  });
}

// Adds the verb of this name, or all: where there is none, and where help and completions tell of
// them. A small job would spend half of its time on options of other verbs.
std::map<std::string, Verb> add_verbs(CLI::App& app, CommonOptions& common, std::string_view name) {
  const bool all = !is_verb(name) || name == "help" || name == "completions";
  std::map<std::string, Verb> verbs;
  for (const VerbGroup& group : verb_groups()) {
    for (const NamedVerb& verb : group.verbs) {
      if (!all && verb.name != name) continue;
      Verb run = verb.add(app, common);
      CLI::App* added = app.get_subcommands({}).back();
      GSSL_ASSERT(added->get_name() == verb.name);
      added->group(group.title);
      verbs.emplace(verb.name, std::move(run));
    }
  }
  return verbs;
}

int run(const Arguments& arguments) {
  CommonOptions common;
  CLI::App app("Labels the vertices of a graph from a few given labels.", "gssl");
  add_help_flag(app);
  app.set_version_flag("--version", "gssl " GSSL_VERSION, "print the version and exit");
  app.require_subcommand(1);
  app.formatter(std::make_shared<HelpFormatter>());
  app.get_formatter()->label("SUBCOMMAND", "VERB");
  app.footer(
      "Examples:\n"
      "  gssl label datasets/digits/edges.tsv datasets/digits/labels.tsv -o digits.tsv\n"
      "  gssl help label\n"
      "Topics of gssl help: " +
      topic_names() +
      ".\n"
      "Exit status: 0 done; 1 done but not to tolerance, or incomplete under --strict; 64 usage;\n"
      "65 bad data; 66 cannot open input; 70 internal; 71 memory; 73 cannot create output; 74 "
      "I/O.");
  const std::map<std::string, Verb> verbs =
      add_verbs(app, common, arguments.empty() ? "" : arguments.front());
  if (arguments.empty()) {
    std::fputs(help_of(app).c_str(), stderr);
    return exit_status(ErrorCode::usage);
  }
  const std::string name = verb_of(app, arguments);
  try {
    // CLI11 takes the arguments last first.
    app.parse(Arguments(arguments.rbegin(), arguments.rend()));
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() != 0)
      return fail_usage(name, arguments, what_is_wrong(app, name, arguments.front(), error));
    if (asks_for_short_help(arguments))
      return print(name.empty() ? brief_help_of(app)
                                : brief_help_of(app, *app.get_subcommand(name)));
    std::ostringstream help;
    app.exit(error, help, help);
    return print(help.str());
  }
  const std::string chosen = app.get_subcommands().front()->get_name();
  Session session(chosen, arguments, common);
  return run_verb(session, verbs.at(chosen));
}

}  // namespace
}  // namespace gssl::tool

namespace {

int guarded_run(int argc, char** argv) {
  try {
    return gssl::tool::run({argv + 1, argv + argc});
  } catch (const std::bad_alloc&) {
    std::fputs("gssl: out of memory\n", stderr);
    return gssl::exit_status(gssl::ErrorCode::out_of_memory);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "gssl: internal error: %s\n", error.what());
    return gssl::exit_status(gssl::ErrorCode::internal);
  }
}

}  // namespace

int main(int argc, char** argv) {
  gssl::tool::open_missing_standard_streams();
  gssl::tool::guard_against_foreign_exit();
  gssl::tool::install_signal_handlers();
  const int status = guarded_run(argc, argv);
  gssl::tool::allow_exit();
  return status;
}
