#include "manual.hpp"

#include <fmt/format.h>

#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <algorithm>
#include <filesystem>

#include "command_table.hpp"
#include "gssl/core/error.hpp"
#include "gssl/io/output_file.hpp"
#include "roff.hpp"
#include "topic.hpp"

namespace gssl::tool {
namespace {

std::string without_full_stop(std::string text) {
  if (text.ends_with('.')) text.pop_back();
  return text;
}

std::string file_of(const Topic& topic) {
  return fmt::format("gssl-{}.{}", topic.name, topic.section);
}

void add_exit_status(RoffPage& page) {
  page.heading("EXIT STATUS");
  page.blocks(blocks_of(find_topic("exit-status")->text));
}

void add_see_also(RoffPage& page, const std::string& own_name) {
  page.heading("SEE ALSO");
  std::string text = own_name == "gssl" ? "gssl-learners(7)" : "gssl(1), gssl-learners(7)";
  for (const Topic& topic : topics())
    text += fmt::format(", gssl-{}({})", topic.name, topic.section);
  page.paragraph(text);
}

void add_arguments(RoffPage& page, const CommandVerb& verb) {
  for (const CommandOption& option : verb.options)
    if (option.positional) page.definition(option.left_side(), option.help + option.remarks());
}

void add_options(RoffPage& page, const CommandVerb& verb) {
  for (const std::string& group : option_groups(verb)) {
    if (group != "Options") page.subheading(group);
    for (const CommandOption& option : verb.options)
      if (!option.positional && option.group == group)
        page.definition(option.left_side(), option.help + option.remarks());
  }
}

ManualPage verb_page(const CommandVerb& verb) {
  const std::string name = "gssl-" + verb.name;
  RoffPage page(name, 1, without_full_stop(verb.summary));
  page.heading("SYNOPSIS");
  page.command(verb.usage);
  page.heading("DESCRIPTION");
  page.paragraph(verb.summary);
  add_arguments(page, verb);
  page.heading("OPTIONS");
  add_options(page, verb);
  page.heading("EXAMPLES");
  for (const std::string& example : verb.examples) page.verbatim(example);
  add_exit_status(page);
  add_see_also(page, name);
  return {name + ".1", page.text()};
}

ManualPage command_page(const CLI::App& app, const std::vector<CommandVerb>& verbs) {
  RoffPage page("gssl", 1, without_full_stop(app.get_description()));
  page.heading("SYNOPSIS");
  page.command("gssl VERB [OPTIONS] FILES");
  page.command("gssl help [VERB|LEARNER|TOPIC]");
  page.heading("DESCRIPTION");
  page.blocks(blocks_of(find_topic("tour")->text));
  page.heading("VERBS");
  std::string group;
  for (const CommandVerb& verb : verbs) {
    if (verb.group != group) page.subheading(verb.group);
    group = verb.group;
    page.definition(verb.name, fmt::format("{} See gssl-{}(1).", verb.summary, verb.name));
  }
  page.heading("OPTIONS");
  for (const CLI::Option* option : app.get_options()) {
    const CommandOption described = command_option(*option);
    page.definition(described.left_side(), described.help);
  }
  page.heading("TOPICS");
  for (const Topic& topic : topics())
    page.definition(fmt::format("gssl-{}({})", topic.name, topic.section), topic.title);
  add_exit_status(page);
  page.heading("ENVIRONMENT");
  page.blocks(blocks_of(find_topic("environment")->text));
  add_see_also(page, "gssl");
  return {"gssl.1", page.text()};
}

ManualPage learners_page(const LearnerRegistry& learners) {
  RoffPage page("gssl-learners", 7, "what --method takes: the learners and their options");
  page.heading("DESCRIPTION");
  page.blocks(blocks_of(find_topic("methods")->text));
  page.heading("LEARNERS");
  for (const auto& learner : learners.entries()) {
    page.subheading(learner->name);
    page.blocks(learner_blocks(*learner));
  }
  add_see_also(page, "gssl-learners");
  return {"gssl-learners.7", page.text()};
}

ManualPage topic_manual_page(const Topic& topic) {
  RoffPage page("gssl-" + topic.name, topic.section, topic.title);
  page.heading("DESCRIPTION");
  page.blocks(blocks_of(topic.text));
  add_see_also(page, "gssl-" + topic.name);
  return {file_of(topic), page.text()};
}

}  // namespace

std::vector<ManualPage> manual(const CLI::App& app, const LearnerRegistry& learners) {
  const std::vector<CommandVerb> verbs = command_table(app);
  std::vector<ManualPage> pages = {command_page(app, verbs)};
  for (const CommandVerb& verb : verbs) pages.push_back(verb_page(verb));
  pages.push_back(learners_page(learners));
  for (const Topic& topic : topics()) pages.push_back(topic_manual_page(topic));
  return pages;
}

ManualPage one_page(const CLI::App& app) {
  const std::string& name = app.get_name();
  RoffPage page(name, 1, without_full_stop(app.get_description()));
  const std::vector<CommandVerb> verbs = command_table(app);
  page.heading("SYNOPSIS");
  for (const CommandVerb& verb : verbs) page.command(verb.usage);
  page.heading("DESCRIPTION");
  page.paragraph(app.get_description());
  for (const CommandVerb& verb : verbs) {
    std::string heading = name + " " + verb.name;
    std::ranges::transform(heading, heading.begin(), [](char c) {
      return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    });
    page.heading(heading);
    page.paragraph(verb.summary);
    add_arguments(page, verb);
    add_options(page, verb);
  }
  page.heading("EXAMPLES");
  for (const CommandVerb& verb : verbs)
    for (const std::string& example : verb.examples) page.verbatim(example);
  add_exit_status(page);
  add_see_also(page, name);
  return {name + ".1", page.text()};
}

void write_manual(const std::string& folder, const CLI::App& app, const LearnerRegistry& learners) {
  write_pages(folder, manual(app, learners));
}

void write_pages(const std::string& folder, const std::vector<ManualPage>& pages) {
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  if (failed)
    throw Error(ErrorCode::cannot_create,
                folder + ": cannot make this folder: " + failed.message());
  for (const ManualPage& page : pages) {
    OutputFile out((std::filesystem::path(folder) / page.file).string());
    out.write(page.text);
    out.commit();
  }
}

}  // namespace gssl::tool
