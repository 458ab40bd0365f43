#pragma once
// Another cost model for as long as this lives.
//
//   const CostsInUse costs({.dense_rows = 0.0});

#include "gssl/solve/cost_model.hpp"

namespace gssl::test {

class CostsInUse {
 public:
  explicit CostsInUse(const CostModel& model) { set_cost_model(model); }
  ~CostsInUse() { set_cost_model({}); }
  CostsInUse(const CostsInUse&) = delete;
  CostsInUse& operator=(const CostsInUse&) = delete;
};

}  // namespace gssl::test
