#pragma once
// A page of help that belongs to no verb: a title and blocks of text, printed to a terminal, as a
// man page or as JSON.
//
//   const Topic* topic = find_topic(topics(), "formats");
//   std::string page = topic_page(*topic);
//
// Topics are written as text of four kinds of lines: "# heading", "  command or file as it stands",
// "term :: what it means", and paragraphs between blank lines.

#include <string>
#include <string_view>
#include <vector>

#include "command_table.hpp"
#include "gssl/learn/registry.hpp"

namespace gssl::tool {

struct TextBlock {
  enum class Kind { heading, paragraph, definition, verbatim };
  Kind kind = Kind::paragraph;
  std::string term;  // of a definition
  std::string text;  // verbatim: lines
};

struct Topic {
  std::string name;   // "formats"
  std::string title;  // one line without a full stop
  int section = 7;    // of the manual
  std::string text;
};

std::vector<TextBlock> blocks_of(std::string_view text);

// In the order in which they are listed.
const std::vector<Topic>& topics();
const Topic* find_topic(std::string_view name);  // nullptr if there is none
std::string topic_names();                       // "tour, formats, …, examples"

std::string topic_page(const Topic& topic);  // 80 columns

// All examples of the verbs, as a topic.
Topic examples_topic(const std::vector<CommandVerb>& verbs);

// All learners by kind, a line each, as a topic.
Topic learners_topic(const LearnerRegistry& learners);

// What `gssl learners NAME` says, as blocks.
std::vector<TextBlock> learner_blocks(const LearnerEntry& learner);

}  // namespace gssl::tool
