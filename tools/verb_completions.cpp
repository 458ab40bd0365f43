// gssl completions: a completion script for a shell, generated from the command line itself.

#include <fmt/format.h>

#include <map>
#include <memory>

#include "command_table.hpp"
#include "graph_output.hpp"
#include "gssl/evaluate/active.hpp"
#include "gssl/flow/max_flow.hpp"
#include "gssl/graph/edge_weights.hpp"
#include "gssl/linalg/spectrum.hpp"
#include "gssl/network/effective_resistance.hpp"
#include "gssl/network/graph_kernel.hpp"
#include "session.hpp"
#include "topic.hpp"

namespace gssl::tool {
namespace {

using Words = std::vector<std::string>;

std::string join(const Words& words) { return fmt::format("{}", fmt::join(words, " ")); }

// The learners that a verb takes.
Words learners_of(const std::string& verb, const LearnerRegistry& registry) {
  using enum LearnerKind;
  const auto taken =
      verb == "fit"        ? registry.of_kinds({inductive})
      : verb == "online"   ? registry.of_kinds({online})
      : verb == "cluster"  ? registry.of_kinds({clusterer})
      : verb == "complete" ? registry.of_kinds({completer})
      : verb == "learners"
          ? registry.of_kinds({transductive, points, inductive, online, clusterer, completer})
          : registry.labelers();
  Words names;
  for (const LearnerEntry* entry : taken) names.push_back(entry->name);
  return names;
}

// The values of the options that take one of a few words.
Words values_of(const std::string& verb, const std::string& option,
                const LearnerRegistry& learners) {
  static const std::map<std::string, Words> known = {
      {"--missing", {"default", "none"}},
      {"--class-weight", {"balanced"}},
      {"--show", {"coefficients", "rules", "importances", "support-vectors", "means"}},
      {"--criterion", criterion_names()},
      {"--weights-grid", names_of<WeightKind>.all()},
      {"--ablate", {"columns"}}};
  if (verb == "cut" && option == "--method") return names_of<FlowMethod>.all();
  if (verb == "resistance" && option == "--method") {
    return names_of<ResistanceMethod>.all();
  }
  if (verb == "spectrum" && option == "--method") return spectrum_method_names();
  if (verb == "kernel" && option == "--method") return kernel_names();
  if (verb == "embed" && option == "--kernel") return kernel_names();
  if (option == "--method") return learners_of(verb, learners);
  const auto found = known.find(option);
  return found == known.end() ? Words{} : found->second;
}

Words names_of_help(Words names, const LearnerRegistry& learners) {
  for (const Topic& topic : topics()) names.push_back(topic.name);
  names.emplace_back("examples");
  for (const auto& learner : learners.entries()) names.push_back(learner->name);
  return names;
}

// What a verb takes besides options; nothing: files.
Words arguments_of(const std::string& verb, const Words& verbs, const LearnerRegistry& learners) {
  if (verb == "learners") return learners_of(verb, learners);
  if (verb == "completions") return {"bash", "zsh", "fish"};
  if (verb == "help") return names_of_help(verbs, learners);
  return {};
}

struct OptionWords {
  Words names;  // "-o", "--output"
  std::string help;
  bool takes_value = false;
  Words values;
};

std::vector<OptionWords> options_of(const CLI::App& app, const CLI::App& verb,
                                    const LearnerRegistry& learners) {
  std::vector<OptionWords> found;
  for (const CommandOption& option : command_verb(app, verb).options) {
    if (option.positional) continue;
    Words values = option.choices;
    if (values.empty()) values = values_of(verb.get_name(), option.names.back(), learners);
    found.push_back({option.names, option.help, !option.value.empty(), std::move(values)});
  }
  return found;
}

// bash; zsh runs the same function through its bashcompinit.
std::string bash_script(const CLI::App& app, const LearnerRegistry& learners) {
  Words verbs;
  std::string cases;
  for (const CLI::App* verb : app.get_subcommands({})) {
    verbs.push_back(verb->get_name());
    Words names;
    std::string values;
    for (const OptionWords& option : options_of(app, *verb, learners)) {
      names.insert(names.end(), option.names.begin(), option.names.end());
      if (!option.takes_value) continue;
      const std::string reply =
          option.values.empty()
              ? "compgen -f -- \"$current\""
              : fmt::format("compgen -W '{}' -- \"$current\"", join(option.values));
      values += fmt::format("        {}) mapfile -t COMPREPLY < <({}); return ;;\n",
                            fmt::join(option.names, "|"), reply);
    }
    const Words arguments = arguments_of(verb->get_name(), verb_names(app), learners);
    cases += fmt::format(
        "    {})\n"
        "      case \"$previous\" in\n{}"
        "      esac\n"
        "      options='{}'\n"
        "      arguments='{}'\n"
        "      ;;\n",
        verb->get_name(), values, join(names), join(arguments));
  }
  return fmt::format(
      "# bash completion of gssl; source it, or put it in bash-completion's completions folder.\n"
      "_gssl() {{\n"
      "  local current=\"${{COMP_WORDS[COMP_CWORD]}}\" previous=\"${{COMP_WORDS[COMP_CWORD-1]}}\"\n"
      "  local options='' arguments=''\n"
      "  COMPREPLY=()\n"
      "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
      "    mapfile -t COMPREPLY < <(compgen -W '{} --help --version' -- \"$current\")\n"
      "    return\n"
      "  fi\n"
      "  case \"${{COMP_WORDS[1]}}\" in\n{}"
      "  esac\n"
      "  if [[ $current == -* ]]; then\n"
      "    mapfile -t COMPREPLY < <(compgen -W \"$options\" -- \"$current\")\n"
      "  elif [ -n \"$arguments\" ]; then\n"
      "    mapfile -t COMPREPLY < <(compgen -W \"$arguments\" -- \"$current\")\n"
      "  else\n"
      "    mapfile -t COMPREPLY < <(compgen -f -- \"$current\")\n"
      "  fi\n"
      "}}\n"
      "complete -o filenames -F _gssl gssl\n",
      join(verbs), cases);
}

// Text for the inside of single quotes in zsh and fish; zsh also wants brackets and colons escaped.
std::string quoted(const std::string& text, std::string_view escaped) {
  std::string result;
  for (const char c : text) {
    if (c == '\'') {
      result += "’";
      continue;
    }
    if (escaped.find(c) != std::string_view::npos) result += '\\';
    result += c;
  }
  return result;
}

std::string zsh_script(const CLI::App& app, const LearnerRegistry& learners) {
  std::string verbs;
  std::string cases;
  for (const CLI::App* verb : app.get_subcommands({})) {
    verbs += fmt::format("      '{}:{}'\n", verb->get_name(), quoted(verb->get_description(), ":"));
    cases += fmt::format("    {})\n      _arguments", verb->get_name());
    for (const OptionWords& option : options_of(app, *verb, learners)) {
      for (const std::string& name : option.names) {
        cases += fmt::format(" \\\n        '{}[{}]", name, quoted(option.help, "[]:"));
        if (option.takes_value) {
          cases += option.values.empty() ? ":file:_files"
                                         : fmt::format(":value:({})", join(option.values));
        }
        cases += '\'';
      }
    }
    const Words arguments = arguments_of(verb->get_name(), verb_names(app), learners);
    cases += arguments.empty() ? " \\\n        '*:file:_files' ;;\n"
                               : fmt::format(" \\\n        '1:name:({})' ;;\n", join(arguments));
  }
  return fmt::format(
      "#compdef gssl\n"
      "# zsh completion of gssl; save as _gssl in a folder of $fpath.\n"
      "_gssl() {{\n"
      "  if (( CURRENT == 2 )); then\n"
      "    local -a verbs=(\n{}"
      "    )\n"
      "    _describe 'verb' verbs\n"
      "    return\n"
      "  fi\n"
      "  local verb=$words[2]\n"
      "  shift words\n"
      "  (( CURRENT-- ))\n"
      "  case $verb in\n{}"
      "  esac\n"
      "}}\n"
      "compdef _gssl gssl\n",
      verbs, cases);
}

std::string fish_script(const CLI::App& app, const LearnerRegistry& learners) {
  std::string script =
      "# fish completion of gssl; save as gssl.fish in ~/.config/fish/completions.\n"
      "complete -c gssl -n __fish_use_subcommand -l help -d 'print help'\n"
      "complete -c gssl -n __fish_use_subcommand -l version -d 'print the version'\n";
  for (const CLI::App* verb : app.get_subcommands({})) {
    script += fmt::format("complete -c gssl -n __fish_use_subcommand -f -a {} -d '{}'\n",
                          verb->get_name(), quoted(verb->get_description(), "\\"));
    const std::string condition =
        fmt::format("complete -c gssl -n '__fish_seen_subcommand_from {}'", verb->get_name());
    for (const OptionWords& option : options_of(app, *verb, learners)) {
      script += condition;
      for (const std::string& name : option.names) {
        script += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
      }
      if (option.takes_value) {
        script += option.values.empty() ? " -r" : fmt::format(" -x -a '{}'", join(option.values));
      }
      script += fmt::format(" -d '{}'\n", quoted(option.help, "\\"));
    }
    const Words arguments = arguments_of(verb->get_name(), verb_names(app), learners);
    if (!arguments.empty()) script += fmt::format("{} -f -a '{}'\n", condition, join(arguments));
  }
  return script;
}

}  // namespace

Verb add_completions(CLI::App& app, CommonOptions& common) {
  CLI::App& verb = add_verb(app, "completions", "A completion script for bash, zsh or fish.",
                            {"gssl completions bash -o gssl.bash", "gssl completions fish"});
  const auto shell = std::make_shared<std::string>();
  verb.add_option("SHELL", *shell, "bash, zsh or fish")
      ->required()
      ->check(one_of({"bash", "zsh", "fish"}))
      ->type_name("NAME");
  verb.add_option("-o,--output", common.output, "write to FILE ('-': standard output)")
      ->type_name("FILE")
      ->capture_default_str()
      ->group("Output");
  add_run_options(verb, common);
  return [shell, &app](Session& session) {
    session.prepare({}, {session.options().output});
    const LearnerRegistry& learners = session.registry;
    OutputFile out(session.options().output);
    out.write(*shell == "bash"  ? bash_script(app, learners)
              : *shell == "zsh" ? zsh_script(app, learners)
                                : fish_script(app, learners));
    out.commit();
    return 0;
  };
}

}  // namespace gssl::tool
