#pragma once
// k-means: centers that minimize the inertia Σ ‖x_i − center of i‖², by Lloyd's rounds from
// k-means++ starts, the best of several. The inertia never rises from one round to the next.
//
//   gssl::KMeans found = gssl::k_means(rows, {.clusters = 10}, run);
//   found.cluster_of[i];   found.inertia;
//
// A cluster that loses all its rows takes the row farthest from its own center. Time O(n·k·d) for
// each round, parallel over rows; the same bytes at any thread count. With fewer distinct rows than
// clusters some clusters stay empty.
//
// Source: D. Arthur and S. Vassilvitskii 2007, k-means++ (the greedy form: of several candidates
// for each center, the one that lowers the inertia most).

#include <cstdint>
#include <vector>

#include "gssl/core/block.hpp"
#include "gssl/core/report.hpp"
#include "gssl/core/run_context.hpp"

namespace gssl {

struct KMeansOptions {
  int clusters = 2;      // ≥ 1, at most the rows
  int restarts = 10;     // starts; the best counts; ≥ 1
  int max_rounds = 300;  // of Lloyd for each start; ≥ 1

  void validate() const;  // throws ErrorCode::usage: option, value, rule
};

struct KMeans {
  std::vector<int> cluster_of;  // of each row
  Block centers;                // clusters × columns
  double inertia = 0.0;
  std::vector<double> inertia_by_round;  // of the best start, before each round and after the last
  // iteration_limit: the best start was still moving; time_limit, cancelled: it was stopped
  Outcome outcome = Outcome::converged;
};

// Throws ErrorCode::usage by validate() or with more clusters than rows, ErrorCode::bad_data on a
// value that is not finite. Generator streams used: one for each start.
KMeans k_means(const Block& rows, const KMeansOptions& options, const RunContext& run = {});

}  // namespace gssl
