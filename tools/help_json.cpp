#include "help_json.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

#include "command_table.hpp"
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

const char* type_of(OptionSpec::Type type) {
  switch (type) {
    case OptionSpec::Type::real: return "real";
    case OptionSpec::Type::integer: return "integer";
    case OptionSpec::Type::flag: return "flag";
    case OptionSpec::Type::choice: return "choice";
    case OptionSpec::Type::text: break;
  }
  return "text";
}

Json to_json(const OptionSpec& spec) {
  Json json = {{"name", spec.name},
               {"type", type_of(spec.type)},
               {"default", spec.default_value},
               {"range", spec.range_text()},
               {"help", spec.help}};
  if (spec.type == OptionSpec::Type::choice) json["choices"] = spec.choices;
  return json;
}

Json to_json(const LearnerEntry& learner) {
  Json kinds = Json::array();
  for (const LearnerKind kind : learner.kinds()) kinds.push_back(to_string(kind));
  Json options = Json::array();
  for (const OptionSpec& spec : learner.options.specs()) options.push_back(to_json(spec));
  return {{"name", learner.name},
          {"kinds", std::move(kinds)},
          {"summary", learner.summary},
          {"reference", learner.reference},
          {"classification", learner.traits.classification},
          {"regression", learner.traits.regression},
          {"deterministic", learner.traits.deterministic},
          {"options", std::move(options)}};
}

Json to_json(const Topic& topic) {
  static constexpr const char* names[] = {"heading", "paragraph", "definition", "verbatim"};
  Json blocks = Json::array();
  for (const Block& block : blocks_of(topic.text)) {
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
  Json entries = Json::array();
  for (const auto& learner : learners.entries()) entries.push_back(to_json(*learner));
  const Json json = {{"version", GSSL_VERSION},
                     {"verbs", array_of(command_table(app))},
                     {"learners", std::move(entries)},
                     {"topics", array_of(topics())}};
  return json.dump(1) + "\n";
}

}  // namespace gssl::tool
