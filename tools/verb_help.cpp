// gssl help: what --help prints, of the command or of one of its verbs; a learner; a topic; all of
// it as JSON or as man pages.

#include <algorithm>
#include <memory>

#include "gssl/core/error.hpp"
#include "gssl/core/suggestion.hpp"
#include "gssl/io/output_file.hpp"
#include "help_json.hpp"
#include "help_text.hpp"
#include "learner_page.hpp"
#include "manual.hpp"
#include "session.hpp"
#include "topic.hpp"

namespace gssl::tool {
namespace {

struct HelpArguments {
  std::string name;
  std::string format = "text";
  std::string manual_folder;
};

[[noreturn]] void no_such_name(const std::string& name, std::vector<std::string> known,
                               const LearnerRegistry& learners) {
  for (const Topic& topic : topics()) known.push_back(topic.name);
  known.emplace_back("examples");
  known.emplace_back("learners");
  for (const auto& learner : learners.entries()) known.push_back(learner->name);
  throw Error(ErrorCode::usage,
              "no verb, learner or topic '" + name + "': " + suggestion(name, known));
}

// A topic goes before a verb of its name, which has its own page by --help; a verb before a learner.
std::string page_of(const std::string& name, const CLI::App& app, const LearnerRegistry& learners) {
  const std::vector<std::string> verbs = verb_names(app);
  if (name.empty()) return help_of(app);
  if (name == "examples") return topic_page(examples_topic(command_table(app)));
  if (name == "learners") return topic_page(learners_topic(learners));
  if (const Topic* topic = find_topic(name)) return topic_page(*topic);
  if (std::ranges::find(verbs, name) != verbs.end()) return help_of(app, *app.get_subcommand(name));
  if (const LearnerEntry* learner = learners.find(name)) return learner_page(*learner);
  no_such_name(name, verbs, learners);
}

}  // namespace

Verb add_help(CLI::App& app, CommonOptions& common) {
  CLI::App& verb = add_verb(app, "help", "What a verb, a learner or a topic is about.",
                            {"gssl help", "gssl help label", "gssl help harmonic",
                             "gssl help formats", "gssl help --man build/man"});
  const auto arguments = std::make_shared<HelpArguments>();
  verb.add_option("NAME", arguments->name, "verb, learner or topic (default: lists the verbs)")
      ->type_name("NAME");
  verb.add_option("-o,--output", common.output, "write to FILE ('-': standard output)")
      ->type_name("FILE")
      ->capture_default_str()
      ->group("Output");
  verb.add_option("--format", arguments->format,
                  "text, or json: all verbs, options, learners and topics as data")
      ->type_name("FORMAT")
      ->check(one_of({"text", "json"}))
      ->capture_default_str()
      ->group("Output");
  verb.add_option("--man", arguments->manual_folder, "write all man pages into the folder DIR")
      ->type_name("DIR")
      ->group("Output");
  return [arguments, &app](Session& session) {
    if (!arguments->manual_folder.empty()) {
      write_manual(arguments->manual_folder, app, session.registry);
      return 0;
    }
    const std::string page = arguments->format == "json"
                                 ? help_json(app, session.registry)
                                 : page_of(arguments->name, app, session.registry);
    session.prepare({}, {session.options().output});
    OutputFile out(session.options().output);
    out.write(page);
    out.commit();
    return 0;
  };
}

}  // namespace gssl::tool
