#pragma once
// The learners with their options as JSON, from the tables that parse them: what `gssl help --format
// json` holds of them, and what the signatures of the Python package are made from.
//
//   json["learners"] = learner_catalog(registry);

#include <nlohmann/json_fwd.hpp>

#include "gssl/learn/registry.hpp"

namespace gssl::tool {

// [{name, kinds, summary, reference, classification, regression, deterministic, options}], in order
// of registration. An option has name, type (real, integer, flag, choice or text), default (as
// text), range (in words), help, and choices where its type is that.
nlohmann::ordered_json learner_catalog(const LearnerRegistry& registry);

}  // namespace gssl::tool
