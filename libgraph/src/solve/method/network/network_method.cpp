#include "network_method.hpp"

#include <algorithm>
#include <utility>

#include "gssl/core/error.hpp"
#include "gssl/factor/network_factor.hpp"
#include "gssl/graph/ground_vertex.hpp"
#include "gssl/solve/solver_memory.hpp"

namespace gssl::solve {
namespace {

// About five seconds on one core, and 16 bytes for each entry stored.
constexpr double most_flops = 2e10;
constexpr double most_nonzeros = 1.2e8;
constexpr double bytes_of_entry = 16.0;

class NetworkMethod final : public ReducedSolver {
 public:
  explicit NetworkMethod(const GroundedLaplacian& system)
      : graph_(with_ground_vertex(system.graph(), system.ground())) {}

  bool factor(const RunContext& run) {
    factor_ = make_network_factor(
        graph_, run,
        [&run](const FactorSize& size) {
          return size.flops <= most_flops && size.nonzeros <= most_nonzeros &&
                 fits(run, bytes_of_entry * size.nonzeros);
        },
        graph_.vertex_count() - 1);
    return factor_ != nullptr;
  }

  InnerResult solve(const Block& b, Block& x, const std::vector<double>&,
                    const RunContext& run) const override {
    const std::int64_t entries = b.rows() * b.columns();
    Block grounded(b.rows() + 1, b.columns()), all;
    std::copy_n(b.data(), entries, grounded.data());
    factor_->solve(grounded, all, run);
    x = Block(b.rows(), b.columns());
    std::copy_n(all.data(), entries, x.data());
    return {};
  }

  std::unique_ptr<ReducedSolver> updated(SharedSystem, const RunContext&) const override {
    return nullptr;
  }

 private:
  Graph graph_;  // the ground is its last vertex
  std::unique_ptr<NetworkFactor> factor_;
};

}  // namespace

std::unique_ptr<ReducedSolver> make_network_method(const SharedSystem& system,
                                                   const RunContext& run) try {
  const double ordering = proving_bytes({static_cast<double>(system->size()),
                                         static_cast<double>(system->graph().edge_count()), false});
  if (ordering == 0.0 || !fits(run, ordering)) return nullptr;
  auto method = std::make_unique<NetworkMethod>(*system);
  if (!method->factor(run)) return nullptr;
  return method;
} catch (const Error& error) {
  if (error.code() != ErrorCode::out_of_memory) throw;
  return nullptr;
}

}  // namespace gssl::solve
