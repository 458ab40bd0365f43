#pragma once
// `gssl help --format json`: the command line, the learners and the topics as data, for programs
// that make something of them (the Python module, the site).
//
//   {"version": …, "verbs": [{"name", "group", "summary", "usage", "options", "examples"}],
//    "learners": [{"name", "kinds", "summary", "reference", "options", …}], "topics": […]}

#include <CLI/App.hpp>
#include <string>

#include "gssl/learn/registry.hpp"

namespace gssl::tool {

std::string help_json(const CLI::App& app, const LearnerRegistry& learners);

}  // namespace gssl::tool
