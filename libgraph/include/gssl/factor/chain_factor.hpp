#pragma once
// A random walk that ends, taken apart state by state, exactly and without subtraction.
//
// From state v the walk goes on to a neighbor u with rate r_vu ≥ 0, which need not be r_uv, or ends
// with rate e_v ≥ 0. With x_u given everywhere else, d_v = e_v + Σ r_vu and p_u = r_vu/d_v,
// removing v adds r_wv·p_u to r_wu and r_wv·e_v/d_v to e_w for its other neighbors w: sums of
// positive numbers only, so that every entry of the factor keeps its digits (W. Grassmann, M.
// Taksar, D. Heyman, Operations Research 33, 1985, doi:10.1287/opre.33.5.1107). States are taken in
// a fill-reducing order of the symmetric pattern and in supernodes, each one dense block.
//
//   auto factor = gssl::make_chain_factor(pattern, run);
//   if (factor->compute(rates, ends, run)) factor->solve(b, x);   // d_v x_v − Σ r_vu x_u = b_v
//
// Time O(flops) for the factor, twice that of a symmetric one, and O(nonzeros) for a solve. Same
// bytes at any number of threads.

#include <functional>
#include <memory>
#include <span>

#include "gssl/core/run_context.hpp"
#include "gssl/factor/network_factor.hpp"
#include "gssl/graph/graph.hpp"

namespace gssl {

class ChainFactor {
 public:
  virtual ~ChainFactor() = default;

  virtual const FactorSize& size() const = 0;

  // One rate for each entry of the pattern's neighbor_array(), from the vertex of the row to the
  // neighbor, and one end for each vertex; finite, ≥ 0. May be called again with others. False if
  // the run was stopped or somewhere the walk never ends; solve() must not be called then.
  virtual bool compute(std::span<const double> rates, std::span<const double> ends,
                       const RunContext& run = {}) = 0;

  // b and x have a value for each vertex; they may be the same.
  virtual void solve(std::span<const double> b, std::span<double> x) const = 0;
};

// Orders and counts; `pattern` must outlive the factor, and its weights are not looked at. Null
// when `accept` refuses the size or the run was stopped. Throws ErrorCode::out_of_memory, as
// compute() does.
std::unique_ptr<ChainFactor> make_chain_factor(
    const Graph& pattern, const RunContext& run = {},
    const std::function<bool(const FactorSize&)>& accept = {});

}  // namespace gssl
