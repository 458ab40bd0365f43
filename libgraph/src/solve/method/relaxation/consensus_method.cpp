// Consensus: every vertex moves to the value that balances its own currents, again and again. In
// vertex order this is Gauss–Seidel, which lowers the energy ½xᵀAx − bᵀx at every step; with no
// order it is chaotic relaxation (Chazan and Miranker 1969, doi:10.1016/0024-3795(69)90028-7),
// which converges for a grounded Laplacian whatever the threads do.

#include "consensus_method.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "gssl/linalg/residual.hpp"
#include "linalg/block_kernels.hpp"
#include "solve/method/kept_steps.hpp"

namespace gssl::solve {
namespace {

// Sweeps between two looks at the residual: few at first, so that an easy problem stops early.
constexpr std::int64_t first_sweeps = 4;
constexpr std::int64_t most_sweeps = 32;
constexpr VertexId rows_between_stops = 4096;

// Far from every label values halve from vertex to vertex until they are subnormal, and arithmetic
// on those is a hundred times slower; they are zero here.
double flushed(double value) {
  return std::abs(value) < std::numeric_limits<double>::min() ? 0.0 : value;
}

class Consensus final : public ReducedSolver {
 public:
  Consensus(SharedSystem system, RelaxationOrder order, std::int64_t max_sweeps)
      : system_(std::move(system)), order_(order), max_sweeps_(max_sweeps) {}

  InnerResult solve(const Block& b, Block& x, const std::vector<double>& targets,
                    const RunContext& run) const override {
    const int threads = run.thread_count();
    Block r;
    InnerResult result;
    double worst = worst_ratio(residual(*system_, b, x, r, threads), targets);
    const double first = worst;
    std::int64_t sweeps = first_sweeps;
    CheckpointStep step(run.checkpoint, "consensus",
                        run.checkpoint == nullptr ? 0 : solve_fingerprint(b, x, targets));
    if (const Record* state = step.state()) {
      x = state->block("x");
      result.iterations = state->integer("iterations");
      sweeps = state->integer("sweeps");
      worst = worst_ratio(residual(*system_, b, x, r, threads), targets);
    }
    const auto state_of = [&](const Block& at) {
      Record record;
      record.put("x", at);
      record.put("iterations", result.iterations);
      record.put("sweeps", sweeps);
      return record;
    };
    while (!(worst <= 1.0)) {
      if (const auto why = run.stop()) {
        result.outcome = *why;
        return result;
      }
      if (step.due()) step.save(state_of(x));
      if (result.iterations >= max_sweeps_) {
        result.outcome = Outcome::iteration_limit;
        return result;
      }
      sweeps = std::min(sweeps, max_sweeps_ - result.iterations);
      // A run that is stopped ends in the middle of a sweep; what is kept is from before.
      std::optional<Record> before;
      if (step.kept()) before = state_of(x);
      if (order_ == RelaxationOrder::sequential) {
        result.iterations += relax_in_order(*system_, b, x, sweeps, &run);
      } else {
        result.iterations += relax_asynchronously(*system_, b, x, sweeps, run);
      }
      if (const auto why = run.stop(); before && why) {
        step.save(std::move(*before));
        result.outcome = *why;
        return result;
      }
      sweeps = std::min(2 * sweeps, most_sweeps);
      worst = worst_ratio(residual(*system_, b, x, r, threads), targets);
      run.report_progress("solve", progress_fraction(first, worst));
    }
    return result;
  }

  std::unique_ptr<ReducedSolver> updated(SharedSystem system, const RunContext&) const override {
    return std::make_unique<Consensus>(std::move(system), order_, max_sweeps_);
  }

  bool slow() const override { return true; }

 private:
  SharedSystem system_;
  RelaxationOrder order_;
  std::int64_t max_sweeps_;
};

}  // namespace

std::int64_t relax_in_order(const GroundedLaplacian& a, const Block& b, Block& x,
                            std::int64_t sweeps, const RunContext* run) {
  const Graph& graph = a.graph();
  const std::int64_t c = x.columns();
  std::vector<double> sum(static_cast<std::size_t>(c));
  for (std::int64_t s = 0; s < sweeps; ++s) {
    if (run != nullptr && run->should_stop()) return s;
    for (VertexId v = 0; v < graph.vertex_count(); ++v) {
      // A sweep of many columns takes seconds; half of one is a step like any other.
      if (run != nullptr && v % rows_between_stops == 0 && run->should_stop()) return s;
      std::ranges::copy(b.row(v), sum.begin());
      graph.visit_row(v, [&](VertexId u, double w) {
        const double* row = x.data() + u * c;
        for (std::int64_t k = 0; k < c; ++k) sum[static_cast<std::size_t>(k)] += w * row[k];
      });
      double* own = x.data() + v * c;
      const double diagonal = a.diagonal()[static_cast<std::size_t>(v)];
      for (std::int64_t k = 0; k < c; ++k)
        own[k] = flushed(sum[static_cast<std::size_t>(k)] / diagonal);
    }
  }
  return sweeps;
}

std::int64_t relax_asynchronously(const GroundedLaplacian& a, const Block& b, Block& x,
                                  std::int64_t sweeps, const RunContext& run) {
  const Graph& graph = a.graph();
  const std::int64_t c = x.columns();
  const int threads = run.thread_count();
  const VertexId n = graph.vertex_count();
  std::vector<std::int64_t> done(static_cast<std::size_t>(threads), 0);
  // One block of rows for each thread; nobody waits for anybody.
  const std::int64_t share = std::max<std::int64_t>(1, (n + threads - 1) / threads);
  parallel_blocks(
      n, threads,
      [&](std::int64_t begin, std::int64_t end) {
        std::vector<double> sum(static_cast<std::size_t>(c));
        std::int64_t& finished = done[static_cast<std::size_t>(begin / share)];
        for (; finished < sweeps && !run.should_stop(); ++finished) {
          for (auto v = static_cast<VertexId>(begin); v < end; ++v) {
            std::ranges::copy(b.row(v), sum.begin());
            graph.visit_row(v, [&](VertexId u, double w) {
              double* row = x.data() + u * c;
              for (std::int64_t k = 0; k < c; ++k)
                sum[static_cast<std::size_t>(k)] +=
                    w * std::atomic_ref(row[k]).load(std::memory_order_relaxed);
            });
            double* own = x.data() + v * c;
            const double diagonal = a.diagonal()[static_cast<std::size_t>(v)];
            for (std::int64_t k = 0; k < c; ++k)
              std::atomic_ref(own[k]).store(flushed(sum[static_cast<std::size_t>(k)] / diagonal),
                                            std::memory_order_relaxed);
          }
        }
      },
      share);
  return *std::ranges::max_element(done);
}

std::unique_ptr<ReducedSolver> make_consensus(SharedSystem system, RelaxationOrder order,
                                              std::int64_t max_sweeps) {
  return std::make_unique<Consensus>(std::move(system), order, max_sweeps);
}

}  // namespace gssl::solve
