#include "topic.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "help_text.hpp"
#include "learner_page.hpp"

namespace gssl::tool {
namespace {

void add_line(std::vector<TextBlock>& blocks, std::string_view line, bool after_blank) {
  using enum TextBlock::Kind;
  const auto goes_on = [&](TextBlock::Kind kind) {
    return !after_blank && !blocks.empty() && blocks.back().kind == kind;
  };
  const std::size_t colons = line.find(" :: ");
  if (line.starts_with("# ")) {
    blocks.push_back({heading, "", std::string(line.substr(2))});
  } else if (line.starts_with("  ") && goes_on(verbatim)) {
    blocks.back().text.append("\n").append(line.substr(2));
  } else if (line.starts_with("  ")) {
    blocks.push_back({verbatim, "", std::string(line.substr(2))});
  } else if (colons != std::string_view::npos) {
    const auto term = line.substr(0, colons), meaning = line.substr(colons + 4);
    blocks.push_back({definition, std::string(term), std::string(meaning)});
  } else if (goes_on(paragraph) || goes_on(definition)) {
    blocks.back().text.append(" ").append(line);
  } else {
    blocks.push_back({paragraph, "", std::string(line)});
  }
}

std::string printed(const TextBlock& block) {
  using enum TextBlock::Kind;
  switch (block.kind) {
    case heading: return block.text + "\n";
    case definition: return help_entry(block.term, block.text);
    case verbatim: return verbatim_lines(block.text);
    case paragraph: break;
  }
  return wrapped_paragraph(block.text) + "\n";
}

}  // namespace

std::vector<TextBlock> blocks_of(std::string_view text) {
  std::vector<TextBlock> blocks;
  bool after_blank = true;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    if (!line.empty()) add_line(blocks, line, after_blank);
    after_blank = line.empty();
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return blocks;
}

const Topic* find_topic(std::string_view name) {
  const auto found = std::ranges::find(topics(), name, &Topic::name);
  return found == topics().end() ? nullptr : &*found;
}

std::string topic_names() {
  std::string names;
  for (const Topic& topic : topics()) names += topic.name + ", ";
  return names + "learners, examples";
}

std::string topic_page(const Topic& topic) {
  using enum TextBlock::Kind;
  std::string page = topic.title + ".\n";
  TextBlock::Kind before = heading;
  bool first = true;
  for (const TextBlock& block : blocks_of(topic.text)) {
    const bool together = block.kind == before && block.kind == definition;
    if (first || (!together && before != heading)) page += "\n";
    page += printed(block);
    before = block.kind;
    first = false;
  }
  return page;
}

Topic examples_topic(const std::vector<CommandVerb>& verbs) {
  Topic topic{.name = "examples", .title = "Commands to begin with, of every verb", .text = {}};
  for (const CommandVerb& verb : verbs) {
    topic.text += fmt::format("# {}\n{}\n", verb.name, verb.summary);
    for (const std::string& example : verb.examples) topic.text += "  " + example + "\n";
    topic.text += "\n";
  }
  return topic;
}

Topic learners_topic(const LearnerRegistry& learners) {
  struct Room {
    LearnerKind kind;
    const char* heading;
  };
  constexpr Room rooms[] = {
      {LearnerKind::transductive, "On a graph: gssl label, gssl evaluate"},
      {LearnerKind::points, "On points: gssl label --points"},
      {LearnerKind::inductive, "Of tables: gssl fit, gssl evaluate --points"},
      {LearnerKind::online, "Trial by trial: gssl online"},
      {LearnerKind::clusterer, "Clusters: gssl cluster"},
      {LearnerKind::completer, "Cells of a matrix: gssl complete"},
      {LearnerKind::criterion, "What to ask next: gssl ask --criterion"},
      {LearnerKind::kernel, "Kernels of points: option kernel= of a kernel method"},
      {LearnerKind::graph_kernel, "Kernels of a graph: gssl kernel, option kernel="}};
  Topic topic{.name = "learners",
              .title = "The learners, by what they learn from",
              .text =
                  "gssl help NAME has the options of a learner, gssl learners --help those of "
                  "the list itself.\n"};
  for (const Room& room : rooms) {
    topic.text += fmt::format("\n# {}\n", room.heading);
    for (const LearnerEntry* one : learners.of_kinds({room.kind}))
      topic.text += fmt::format("{} :: {}\n", one->name, one->summary);
  }
  return topic;
}

std::vector<TextBlock> learner_blocks(const LearnerEntry& learner) {
  using enum TextBlock::Kind;
  std::vector<TextBlock> blocks = {
      {paragraph, "", fmt::format("{}. Kind: {}.", learner.summary, kinds_of(learner))},
      {paragraph, "", "Reference: " + learner.reference}};
  const OptionTable options = learner.all_options();
  for (const OptionSpec& spec : options.specs()) {
    const std::string text = fmt::format("{} ({}; default: {})", spec.help, spec.range_text(),
                                         spec.default_value.empty() ? "none" : spec.default_value);
    blocks.push_back({definition, spec.name, text});
  }
  return blocks;
}

}  // namespace gssl::tool
