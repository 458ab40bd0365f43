#include "help_json.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

#include "command_table.hpp"
#include "learner_catalog.hpp"
#include "topic.hpp"

namespace gssl::tool {
namespace {

using Json = nlohmann::ordered_json;

Json to_json(const CommandOption& option) {
  return {{"names", option.names},           {"value", option.value},
          {"positional", option.positional}, {"value_optional", option.value_optional},
          {"repeatable", option.repeatable}, {"required", option.required},
          {"group", option.group},           {"help", option.help},
          {"default", option.default_text},  {"choices", option.choices},
          {"needs", option.needs},           {"not_beside", option.not_beside}};
}

Json to_json(const CommandVerb& verb) {
  Json options = Json::array();
  for (const CommandOption& option : verb.options) options.push_back(to_json(option));
  return {{"name", verb.name},   {"group", verb.group},           {"summary", verb.summary},
          {"usage", verb.usage}, {"options", std::move(options)}, {"examples", verb.examples}};
}

Json to_json(const Topic& topic) {
  static constexpr const char* names[] = {"heading", "paragraph", "definition", "verbatim"};
  Json blocks = Json::array();
  for (const TextBlock& block : blocks_of(topic.text)) {
    Json json = {{"kind", names[static_cast<int>(block.kind)]}};
    if (!block.term.empty()) json["term"] = block.term;
    json["text"] = block.text;
    blocks.push_back(std::move(json));
  }
  return {{"name", topic.name},
          {"title", topic.title},
          {"section", topic.section},
          {"blocks", std::move(blocks)}};
}

template <class Range>
Json array_of(const Range& range) {
  Json array = Json::array();
  for (const auto& one : range) array.push_back(to_json(one));
  return array;
}

}  // namespace

std::string help_json(const CLI::App& app, const LearnerRegistry& learners) {
  const Json json = {{"version", GSSL_VERSION},
                     {"verbs", array_of(command_table(app))},
                     {"learners", learner_catalog(learners)},
                     {"topics", array_of(topics())}};
  return json.dump(1) + "\n";
}

}  // namespace gssl::tool
