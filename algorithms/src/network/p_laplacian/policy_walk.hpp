#pragma once
// The linear equation of a policy of tug-of-war (tug_equation.hpp), factored.
//
//   PolicyWalk walk(equation, run);
//   if (walk.factor(policy, run)) walk.solve(b, x);   // −G'(u) x = b
//
// With noise the walk has the pattern of the network, ordered once. Without, a row has two entries:
// rows that nobody is pulled to are read off the others, and only what is left is factored, a
// pattern of its own for each policy. Internal: not installed.

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "gssl/core/run_context.hpp"
#include "gssl/factor/chain_factor.hpp"
#include "tug_equation.hpp"

namespace gssl::detail {

class PolicyWalk {
 public:
  // `equation` must outlive it. Factors that take more than `most_flops` are too large.
  PolicyWalk(const TugEquation& equation, double most_flops, const RunContext& run);

  // False if the run was stopped, the factor is too large, or the players pull in a circle for
  // ever. O(flops).
  bool factor(const Policy& policy, const RunContext& run);
  bool too_large() const { return !factor_; }
  // b and x have a value for each row; they may be the same.
  void solve(std::span<const double> b, std::span<double> x) const;

 private:
  bool factor_pattern(const Policy& policy, const RunContext& run);
  bool factor_pulls(const Policy& policy, const RunContext& run);

  struct Pull {
    VertexId to;
    double rate;
  };
  struct PullRows {
    std::vector<EdgeIndex> start;
    std::vector<Pull> pulls;
  };
  template <class Body>
  void each_pull(std::size_t r, Body&& body) const;
  void read_off_rows();
  PullRows pulls_of_kept();
  Graph graph_of(PullRows rows);

  std::size_t row_of(std::size_t r) const {
    return static_cast<std::size_t>(equation_.row_of()[r]);
  }
  std::unique_ptr<ChainFactor> make_factor(const Graph& pattern, const RunContext& run) const;

  const TugEquation& equation_;
  double most_flops_;
  // Without noise: rows in an order in which each is pulled to those before it or to `kept_` alone.
  std::vector<VertexId> read_off_;
  std::vector<VertexId> kept_;    // row of the factor → row
  std::vector<VertexId> number_;  // row → row of the factor, or no_vertex
  Policy policy_;
  Graph core_;
  std::unique_ptr<ChainFactor> factor_;
  std::vector<double> rates_, ends_;
};

}  // namespace gssl::detail
