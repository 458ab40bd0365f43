#include "gssl/kernel/path_tree.hpp"

#include <bit>
#include <cmath>
#include <string>

#include "gssl/core/error.hpp"

namespace gssl {
namespace {

// L⁺_vv = R(v)/N − R_tot/N² of a leaf v of the complete tree of that depth, where resistances are
// numbers of edges: R(v) their sum from v, R_tot that over all pairs.
double leaf_diagonal(int depth) {
  const double vertices = std::ldexp(1.0, depth + 1) - 1.0;
  double from_leaf = 0.0, total = 0.0;
  for (int a = 1; a <= depth; ++a) {
    from_leaf += a;  // the ancestor a edges up, and what hangs below its other child
    for (int j = 0; j < a; ++j) from_leaf += std::ldexp(a + 1 + j, j);
    // An edge lies between the vertices of the subtree below it and all others.
    const double below = std::ldexp(1.0, a) - 1.0;
    total += std::ldexp(1.0, depth - a + 1) * below * (vertices - below);
  }
  return from_leaf / vertices - total / (vertices * vertices);
}

}  // namespace

PathTreeKernel::PathTreeKernel(std::int64_t horizon) : horizon_(horizon), largest_(1.0) {
  if (horizon < 1 || horizon > (std::int64_t{1} << 40))
    throw Error(ErrorCode::usage,
                "path-tree kernel: horizon " + std::to_string(horizon) + ": must be in [1, 2^40]");
  const auto depth = std::bit_width(static_cast<std::uint64_t>(horizon - 1));
  if (depth > 0) largest_ = 2.0 * leaf_diagonal(static_cast<int>(depth));
}

double PathTreeKernel::operator()(std::int64_t s, std::int64_t t) const {
  for (const std::int64_t time : {s, t})
    if (time < 0 || time >= horizon_)
      throw Error(ErrorCode::bad_data, "path-tree kernel: time " + std::to_string(time) +
                                           ": must be below the horizon " +
                                           std::to_string(horizon_));
  const auto apart = static_cast<std::uint64_t>(s) ^ static_cast<std::uint64_t>(t);
  return largest_ - static_cast<double>(std::bit_width(apart));
}

}  // namespace gssl
