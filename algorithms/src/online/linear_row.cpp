#include "online/linear_row.hpp"

#include <cmath>
#include <string>

#include "gssl/core/error.hpp"
#include "online/counted_session.hpp"

namespace gssl::detail {

void LinearRow::refuse(const char* learner, const Instance& instance) const {
  check_width(learner, instance, width_);
  for (const double x : instance.values)
    if (!std::isfinite(x))
      throw Error(ErrorCode::bad_data, std::string(learner) + ": a feature is not finite");
  if (!instance.columns.empty() && instance.columns.size() != instance.values.size())
    throw Error(ErrorCode::bad_data, std::string(learner) + ": " +
                                         std::to_string(instance.values.size()) + " values in " +
                                         std::to_string(instance.columns.size()) + " columns");
  throw Error(ErrorCode::bad_data, std::string(learner) + ": columns must ascend from 0");
}

}  // namespace gssl::detail
