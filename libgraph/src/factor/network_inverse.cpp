#include "network_inverse.hpp"

#include <algorithm>
#include <cmath>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "eliminate.hpp"
#include "gssl/core/error.hpp"
#include "panels.hpp"
#include "solve_columns.hpp"

namespace gssl::solve {
namespace {

std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

class FloatInverse final : public NetworkInverse {
 public:
  FloatInverse(const Graph& graph, NetworkStructure structure)
      : s_(std::move(structure)),
        exponent_(weight_exponent(graph)),
        panels_(s_),
        resistance_(s_.order.size()),
        share_(s_.order.size()) {}

  bool compute(const Graph& graph, const RunContext& run) {
    const bool done = factor_network(
        graph, s_, run, [&](VertexId k, const double* panel, const double* resistance) {
          panels_.store(k, panel);
          weigh(k, resistance);
        });
    // Of use to the elimination only; an empty list assigned would leave them their memory.
    s_.position = std::vector<VertexId>();
    s_.supernode_of = std::vector<VertexId>();
    if (std::ranges::is_sorted(s_.order)) s_.order = std::vector<VertexId>();
    return done;
  }

  void solve(Block& x, const RunContext& run) const override {
    solve_network({.structure = s_,
                   .floats = &panels_,
                   .resistance = resistance_,
                   .share = share_.data(),
                   .exponent = exponent_},
                  x, x, run.thread_count());
  }

 private:
  // Forward substitution divides what a vertex hands on by the sum of its shares, for good.
  void weigh(VertexId k, const double* resistance) {
    const float* p = panels_.of(k);
    for (std::int64_t c = 0; c < s_.columns(k); ++c) {
      double sum = 0.0;
      for (std::int64_t i = c + 1; i < s_.side(k); ++i) sum += static_cast<double>(*p++);
      const std::size_t position = at(s_.first[at(k)] + c);
      share_[position] = sum > 0.0 ? 1.0 / sum : 1.0;
      resistance_[position] = resistance[c] / share_[position];
    }
  }

  NetworkStructure s_;
  int exponent_;
  PackedPanels<float> panels_;
  std::vector<double> resistance_;  // sum of the shares over d
  std::vector<double> share_;       // 1 over that sum
};

class DoubleInverse final : public NetworkInverse {
 public:
  explicit DoubleInverse(std::unique_ptr<NetworkFactor> factor) : factor_(std::move(factor)) {}

  void solve(Block& x, const RunContext& run) const override {
    const Block b = x;
    factor_->solve(b, x, run);
  }

 private:
  std::unique_ptr<NetworkFactor> factor_;
};

Error does_not_fit(const Graph& graph) {
  return {ErrorCode::out_of_memory, "the factor of " + std::to_string(graph.vertex_count()) +
                                        " vertices does not fit the memory"};
}

}  // namespace

std::unique_ptr<NetworkInverse> make_network_inverse(const Graph& graph, NetworkStructure structure,
                                                     const RunContext& run) try {
  auto inverse = std::make_unique<FloatInverse>(graph, std::move(structure));
  if (!inverse->compute(graph, run)) return nullptr;
  return inverse;
} catch (const std::bad_alloc&) {
  throw does_not_fit(graph);
}

std::unique_ptr<NetworkInverse> make_network_inverse(
    const Graph& graph, FactorDigits digits, const RunContext& run,
    const std::function<bool(const FactorSize&)>& accept, VertexId last) try {
  if (digits == FactorDigits::doubles) {
    auto factor = make_network_factor(graph, run, accept, last);
    if (factor == nullptr) return nullptr;
    return std::make_unique<DoubleInverse>(std::move(factor));
  }
  NetworkStructure structure = analyze_network(graph, last);
  if ((accept && !accept(structure.size)) || run.should_stop()) return nullptr;
  return make_network_inverse(graph, std::move(structure), run);
} catch (const std::bad_alloc&) {
  throw does_not_fit(graph);
}

}  // namespace gssl::solve
