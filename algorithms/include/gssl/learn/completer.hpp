#pragma once
// The contract of a completer: some cells of a matrix in, a value for every cell out.
//
//   value(r, c) = mean + row_bias_r + column_bias_c + U_r · V_c
//
//   auto made = gssl::builtin_learners().make("als:rank=5");
//   gssl::Completion fit = made.completer().complete(cells, run);
//   fit.value(r, c);
//
// Completers are in the registry of all learners (gssl/learn/registry.hpp);
// tests/algorithms/test_completer_contract.cpp holds every one to this. Cells that are checked come
// from make_cells() (gssl/complete/cells.hpp).

#include <cstdint>
#include <limits>
#include <vector>

#include "gssl/core/block.hpp"
#include "gssl/core/report.hpp"
#include "gssl/core/run_context.hpp"

namespace gssl {

// Some cells of a matrix, each a finite number: ratings of items by users, measurements of samples.
struct Cells {
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  // Of each cell.
  std::vector<std::int32_t> row;
  std::vector<std::int32_t> column;
  std::vector<double> value;

  std::int64_t count() const { return static_cast<std::int64_t>(value.size()); }
  double mean() const;  // 0 without cells
};

// What was found at one lambda of a path.
struct PathPoint {
  double lambda = 0.0;
  std::int64_t rank = 0;
  double objective = 0.0;
  double duality_gap = 0.0;                                          // relative to the objective
  double held_out_error = std::numeric_limits<double>::quiet_NaN();  // RMSE; NaN: none held out
  double seconds = 0.0;                                              // of this lambda alone
};

struct Completion {
  double mean = 0.0;
  std::vector<double> row_bias;     // one for each row
  std::vector<double> column_bias;  // one for each column
  Block u;                          // a row for each row
  Block v;                          // a row for each column, as wide as u
  std::vector<PathPoint> path;      // lambdas falling; empty where there is no path
  Report report;                    // certificates: those of the method

  double value(std::int64_t row, std::int64_t column) const;
};

class Completer {
 public:
  virtual ~Completer() = default;

  // Throws ErrorCode::bad_data without cells. A run that is stopped gives what it has, and
  // report.outcome says so. `held_out`, cells of the same matrix that were not learned
  // from, is measured at each point of a path by a method that has one. Same bytes at any number
  // of threads.
  virtual Completion complete(const Cells& cells, const RunContext& run = {},
                              const Cells* held_out = nullptr) const = 0;
};

}  // namespace gssl
