#pragma once
// The report of a run as the JSON that --summary has of it, for those who call the library from
// another language: solver, certificates, seconds, warnings, and outcome complete or incomplete.
//
//   std::string text = gssl::tool::report_json(fit.report);

#include <string>

#include "gssl/core/report.hpp"

namespace gssl::tool {

std::string report_json(const Report& report);

}  // namespace gssl::tool
