#pragma once
// What proves the answers of support vector machines, gathered over their parts. Internal: not
// installed.

#include <cstdint>
#include <string>

#include "gssl/core/report.hpp"
#include "kernel/dual_solver.hpp"

namespace gssl::detail {

class DualReport {
 public:
  // `report` may hold the certificates of other parts; theirs go on.
  explicit DualReport(Report& report);

  // `rows` of the part; a leave-one-out bound only where it is > 0.
  void add(const DualSolution& dual, double primal, std::int64_t support_vectors,
           std::int64_t bound_vectors, double rows);
  void finish();

 private:
  void push(const char* name, double value);

  Report& report_;
  std::int64_t steps_ = 0;
  std::int64_t rows_computed_ = 0;
  double violation_ = 0.0;
  bool single_precision_ = false;
  bool polished_ = false;
};

}  // namespace gssl::detail
