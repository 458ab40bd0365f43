#include "network_series.hpp"

#include <algorithm>
#include <mutex>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "factor/eliminate.hpp"
#include "factor/panels.hpp"
#include "factor/solve_columns.hpp"
#include "factor/structure.hpp"
#include "factor/substitute.hpp"
#include "gssl/core/error.hpp"
#include "gssl/graph/ground_vertex.hpp"

namespace gssl::solve {
namespace {

[[noreturn]] void throw_no_room(VertexId rows) {
  throw Error(ErrorCode::out_of_memory,
              "the factor of " + std::to_string(rows) + " vertices does not fit the memory");
}

// The numbers of a factor.
struct SeriesNumbers {
  explicit SeriesNumbers(const NetworkStructure& s) : panels(s), resistance(s.order.size(), 0.0) {}

  PackedPanels<double> panels;
  std::vector<double> resistance;  // 1/d of each position, of the scaled weights
};

// What all systems of a series share. The ground is the last vertex.
class SeriesPattern {
 public:
  SeriesPattern(NetworkStructure structure, std::span<const VertexId> grounded)
      : structure_(std::move(structure)), grounded_(grounded.begin(), grounded.end()) {}

  const NetworkStructure& structure() const { return structure_; }
  bool covers(const Graph& with_ground) const {
    return std::ranges::equal(with_ground.neighbors(with_ground.vertex_count() - 1), grounded_);
  }

  // Numbers to be written over. Those of a factor that is gone are taken again: to have memory
  // cleared takes as long as a solve.
  std::unique_ptr<SeriesNumbers> take_numbers() {
    const std::lock_guard lock(mutex_);
    if (spare_ != nullptr) return std::move(spare_);
    return std::make_unique<SeriesNumbers>(structure_);
  }
  void give_back(std::unique_ptr<SeriesNumbers> numbers) {
    const std::lock_guard lock(mutex_);
    spare_ = std::move(numbers);
  }

 private:
  NetworkStructure structure_;
  std::vector<VertexId> grounded_;  // ascending
  std::mutex mutex_;
  std::unique_ptr<SeriesNumbers> spare_;
};

class NetworkSeries final : public ReducedSolver {
 public:
  NetworkSeries(std::shared_ptr<SeriesPattern> pattern, const Graph& with_ground)
      : pattern_(std::move(pattern)),
        exponent_(weight_exponent(with_ground)),
        numbers_(pattern_->take_numbers()) {}
  ~NetworkSeries() override { pattern_->give_back(std::move(numbers_)); }
  NetworkSeries(const NetworkSeries&) = delete;
  NetworkSeries& operator=(const NetworkSeries&) = delete;

  // False if the run was stopped or a vertex lost all its conductance.
  bool compute(const Graph& with_ground, const RunContext& run) {
    const NetworkStructure& s = pattern_->structure();
    return factor_network(
        with_ground, s, run, [&](VertexId k, const double* panel, const double* resistance) {
          numbers_->panels.store(k, panel);
          std::copy_n(resistance, s.columns(k), numbers_->resistance.data() + s.first[index(k)]);
        });
  }

  // A solve reads the whole factor for each group of columns.
  InnerResult solve(const Block& b, Block& x, const std::vector<double>&,
                    const RunContext& run) const override {
    const std::int64_t rows = b.rows(), columns = b.columns();
    if (x.rows() != rows || x.columns() != columns) x = Block(rows, columns);
    for (std::int64_t first = 0; first < columns; first += wide_lanes) {
      if (run.should_stop()) return stopped(run);
      const std::int64_t width = std::min<std::int64_t>(wide_lanes, columns - first);
      Block part(rows + 1, width);
      for (std::int64_t v = 0; v < rows; ++v)
        std::copy_n(b.row(v).data() + first, width, part.row(v).data());
      solve_network({.structure = pattern_->structure(),
                     .doubles = &numbers_->panels,
                     .resistance = numbers_->resistance,
                     .exponent = exponent_},
                    part, part, run.thread_count());
      for (std::int64_t v = 0; v < rows; ++v)
        std::copy_n(part.row(v).data(), width, x.row(v).data() + first);
    }
    return {};
  }

  std::unique_ptr<ReducedSolver> updated(SharedSystem system,
                                         const RunContext& run) const override {
    const Graph graph = with_ground_vertex(system->graph(), system->ground());
    if (!pattern_->covers(graph)) return nullptr;
    return make(pattern_, graph, run);
  }
  bool updates_fully() const override { return true; }
  bool never_subtracts() const override { return true; }

  static std::unique_ptr<ReducedSolver> make(std::shared_ptr<SeriesPattern> pattern,
                                             const Graph& with_ground, const RunContext& run) try {
    auto series = std::make_unique<NetworkSeries>(std::move(pattern), with_ground);
    if (!series->compute(with_ground, run)) return nullptr;
    return series;
  } catch (const std::bad_alloc&) {
    throw_no_room(with_ground.vertex_count() - 1);
  }

 private:
  std::shared_ptr<SeriesPattern> pattern_;
  int exponent_;
  std::unique_ptr<SeriesNumbers> numbers_;
};

}  // namespace

std::unique_ptr<ReducedSolver> make_network_series(
    const SharedSystem& system, const std::function<bool(const FactorSize&)>& accept,
    const RunContext& run) try {
  const Graph graph = with_ground_vertex(system->graph(), system->ground());
  const VertexId ground = graph.vertex_count() - 1;
  std::optional<NetworkStructure> structure = analyze_network(graph, ground, run);
  if (!structure || !accept(structure->size) || run.should_stop()) return nullptr;
  auto pattern = std::make_shared<SeriesPattern>(*std::move(structure), graph.neighbors(ground));
  return NetworkSeries::make(std::move(pattern), graph, run);
} catch (const std::bad_alloc&) {
  throw_no_room(system->size());
}

}  // namespace gssl::solve
