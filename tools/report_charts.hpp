#pragma once
// The charts of a report: learning curves, differences, confusion matrix, reliability.
//
// Each takes results as JSON and returns a <figure>, or "" where there is nothing to draw.

#include <string>

#include "evaluation_results.hpp"

namespace gssl::tool {

// Accuracy against labels a class, a line for each of up to eight methods, with 95 % intervals.
std::string curves_chart(const Json& results);
// How far each method of `group` is behind the best, with 95 % intervals.
std::string differences_chart(const Json& results, const std::string& group);
// Rows are the truth, columns the answer, the last for no answer.
std::string confusion_chart(const Json& counts, const Json& classes, const std::string& of);
// Share right against confidence; `bins` are [confidence, accuracy, count].
std::string reliability_chart(const Json& bins, double ece, const std::string& of);

}  // namespace gssl::tool
