#include "float_factor.hpp"

#include <algorithm>
#include <new>
#include <string>
#include <utility>

#include "eliminate.hpp"
#include "gssl/core/error.hpp"
#include "gssl/core/index.hpp"
#include "solve_columns.hpp"

namespace gssl::solve {
FloatFactor::FloatFactor(const Graph& graph, NetworkStructure structure)
    : s_(std::move(structure)),
      exponent_(weight_exponent(graph)),
      panels_(s_),
      resistance_(s_.order.size()),
      share_(s_.order.size()) {}

bool FloatFactor::compute(const Graph& graph, const RunContext& run) {
  const bool done = factor_network(graph, s_, run,
                                   [&](VertexId k, const double* panel, const double* resistance) {
                                     panels_.store(k, panel);
                                     weigh(k, resistance);
                                   });
  // Of use to the elimination only; an empty list assigned would leave them their memory.
  s_.position = std::vector<VertexId>();
  s_.supernode_of = std::vector<VertexId>();
  if (std::ranges::is_sorted(s_.order)) s_.order = std::vector<VertexId>();
  return done;
}

void FloatFactor::solve(Block& x, const RunContext& run) const {
  solve_network({.structure = s_,
                 .floats = &panels_,
                 .resistance = resistance_,
                 .share = share_.data(),
                 .exponent = exponent_},
                x, x, run.thread_count());
}

// Forward substitution divides what a vertex hands on by the sum of its shares, for good.
void FloatFactor::weigh(VertexId k, const double* resistance) {
  const float* p = panels_.of(k);
  for (std::int64_t c = 0; c < s_.columns(k); ++c) {
    double sum = 0.0;
    for (std::int64_t i = c + 1; i < s_.side(k); ++i) sum += static_cast<double>(*p++);
    const std::size_t position = index(s_.first[index(k)] + c);
    share_[position] = sum > 0.0 ? 1.0 / sum : 1.0;
    resistance_[position] = resistance[c] / share_[position];
  }
}

std::unique_ptr<FloatFactor> make_float_factor(const Graph& graph, NetworkStructure structure,
                                               const RunContext& run) try {
  auto factor = std::make_unique<FloatFactor>(graph, std::move(structure));
  if (!factor->compute(graph, run)) return nullptr;
  return factor;
} catch (const std::bad_alloc&) {
  throw Error(ErrorCode::out_of_memory, "the factor of " + std::to_string(graph.vertex_count()) +
                                            " vertices does not fit the memory");
}

}  // namespace gssl::solve
