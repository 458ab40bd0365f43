#pragma once
// A linear threshold, or a linear function, as the model that online learners of rows leave.
// Internal: not installed.

#include <memory>
#include <string>
#include <vector>

#include "gssl/learn/inductive.hpp"

namespace gssl::detail {

struct LinearFunction {
  std::string learner;  // begins messages
  std::vector<double> weights;
  double offset = 0.0;      // of the score w·x + offset
  bool regression = false;  // one column of values; else margins (−m, m)
};

std::unique_ptr<Model> make_linear_model(LinearFunction function);
// Throws ErrorCode::bad_data where the record holds none.
std::unique_ptr<Model> load_linear_model(const Record& record);

}  // namespace gssl::detail
