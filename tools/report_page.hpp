#pragma once
// One self-contained HTML page for a person to look at, from results as JSON (docs/report.md): no
// script, nothing loaded from elsewhere, light and dark, from 390 pixels wide, readable without
// color vision.
//
//   report_out->write(report_page(json));
//
// Parts without data are left out. The same results give the same bytes.

#include <string>

#include "evaluation_results.hpp"

namespace gssl::tool {

// Throws ErrorCode::bad_data where the results are not of schema gssl-results/1.
std::string report_page(const Json& results);

}  // namespace gssl::tool
