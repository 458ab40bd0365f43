#include "learner_catalog.hpp"

#include <nlohmann/json.hpp>

#include "learner_page.hpp"

namespace gssl::tool {
namespace {

using Json = nlohmann::ordered_json;

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
          {"usage", spec_usage(learner)},
          {"classification", learner.learns() && learner.traits.classification},
          {"regression", learner.learns() && learner.traits.regression},
          {"deterministic", learner.traits.deterministic},
          {"options", std::move(options)}};
}

}  // namespace

Json learner_catalog(const LearnerRegistry& registry) {
  Json learners = Json::array();
  for (const auto& entry : registry.entries()) learners.push_back(to_json(*entry));
  return learners;
}

}  // namespace gssl::tool
