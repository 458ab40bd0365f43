#include "gssl/graph/epsilon_graph.hpp"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <numeric>
#include <string>

#include "gssl/core/error.hpp"
#include "gssl/core/number_text.hpp"
#include "gssl/core/parallel.hpp"
#include "knn/exact_search.hpp"
#include "knn/leaf_pairs.hpp"
#include "knn/sparse_rows.hpp"

namespace gssl {

namespace {

constexpr std::int64_t bytes_per_edge = 48;  // 2 entries of 4 + 8 bytes, twice while they are moved
constexpr std::int64_t rows_per_part = 1024;

std::int64_t edges_that_fit() {
  const std::int64_t memory =
      static_cast<std::int64_t>(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGESIZE);
  return std::max<std::int64_t>(memory, 0) / 4 * 3 / bytes_per_edge;
}

// Finished rows of some points, one after the other.
struct Part {
  std::vector<VertexId> neighbors;
  std::vector<double> distances;
};

// How many edges may be kept, and how many there are.
class Room {
 public:
  explicit Room(std::int64_t edges) : allowed_(edges) {}
  // Past what is allowed edges are only counted.
  bool left() const { return entries_ / 2 <= allowed_; }
  void take(EdgeIndex entries) { entries_ += entries; }

 private:
  std::int64_t allowed_;
  std::atomic<std::int64_t> entries_ = 0;
};

// The rows of one leaf while they grow.
class LeafRows {
 public:
  explicit LeafRows(const std::vector<VertexId>& order) : order_(order) {}

  void add(int p, std::int64_t q, double distance) {
    const VertexId id = order_[static_cast<std::size_t>(q)];
    Row& row = rows_[p];
    // Sorted later by the neighbor, which is above; the place of its distance is below.
    row.keys.push_back((static_cast<std::uint64_t>(id) << 32) | row.distances.size());
    row.distances.push_back(distance);
  }

  // Moves row p to the end of the part, ascending. Returns its length.
  EdgeIndex finish(int p, bool keep, Part& part) {
    Row& row = rows_[p];
    const auto length = static_cast<EdgeIndex>(row.keys.size());
    if (keep) {
      std::sort(row.keys.begin(), row.keys.end());
      for (const std::uint64_t key : row.keys) {
        part.neighbors.push_back(static_cast<VertexId>(key >> 32));
        part.distances.push_back(row.distances[static_cast<std::size_t>(key & 0xffffffffU)]);
      }
    }
    row.keys.clear();
    row.distances.clear();
    return length;
  }

 private:
  struct Row {
    std::vector<std::uint64_t> keys;
    std::vector<double> distances;
  };
  const std::vector<VertexId>& order_;
  Row rows_[knn::lanes];
};

// A search has units of some rows each, leaves or rows: units() and order(), so that unit u holds
// order()[u · unit_rows] and on; count(u), the entries of unit u; and fill(first unit, end, room,
// part, offsets), which appends the rows of the units and writes the length of row v to
// offsets[v + 1].
class TreeBalls {
 public:
  static constexpr std::int64_t unit_rows = knn::lanes;

  TreeBalls(const knn::RowSpace& rows, double epsilon, int threads)
      : leaves_(rows, threads), epsilon_(epsilon) {}

  std::int64_t units() const { return leaves_.tree().leaf_count(); }
  const std::vector<VertexId>& order() const { return leaves_.tree().order(); }

  EdgeIndex count(std::int64_t leaf) const {
    EdgeIndex found = 0;
    knn::BallSearch(leaves_, epsilon_).run(leaf, [&](int, std::int64_t, double) { ++found; });
    return found;
  }

  void fill(std::int64_t begin, std::int64_t end, Room& room, Part& part,
            std::vector<EdgeIndex>& offsets) const {
    knn::BallSearch search(leaves_, epsilon_);
    LeafRows rows(order());
    for (std::int64_t leaf = begin; leaf < end; ++leaf) {
      search.run(leaf, [&](int p, std::int64_t q, double distance) { rows.add(p, q, distance); });
      const bool keep = room.left();
      if (!keep) part = {};
      EdgeIndex found = 0;
      for (int p = 0; p < leaves_.tree().leaf_size(leaf); ++p) {
        const EdgeIndex length = rows.finish(p, keep, part);
        offsets[static_cast<std::size_t>(order()[static_cast<std::size_t>(leaf * unit_rows + p)]) +
                1] = length;
        found += length;
      }
      room.take(found);
      if (leaf == begin && keep) {
        // The other leaves will have about as many.
        const std::size_t expected =
            part.neighbors.size() * static_cast<std::size_t>(end - begin) * 5 / 4;
        part.neighbors.reserve(expected);
        part.distances.reserve(expected);
      }
    }
  }

 private:
  knn::LeafPairs leaves_;
  double epsilon_;
};

class SparseBalls {
 public:
  static constexpr std::int64_t unit_rows = 1;

  SparseBalls(const Points& points, Metric metric, double epsilon)
      : rows_(points, points.columns(), metric),
        inverted_(rows_),
        order_(static_cast<std::size_t>(points.rows())),
        epsilon_(epsilon),
        // Room for the rounding of either.
        limit_(knn::key_bound(metric, epsilon) * (1.0 + 1e-12) + 0x1p-1040) {
    std::iota(order_.begin(), order_.end(), 0);
  }

  std::int64_t units() const { return rows_.rows(); }
  const std::vector<VertexId>& order() const { return order_; }

  EdgeIndex count(std::int64_t i) const {
    EdgeIndex found = 0;
    std::vector<double> low;
    run(static_cast<VertexId>(i), low, [&](VertexId, double) { ++found; });
    return found;
  }

  void fill(std::int64_t begin, std::int64_t end, Room& room, Part& part,
            std::vector<EdgeIndex>& offsets) const {
    std::vector<double> low;
    for (auto i = static_cast<VertexId>(begin); i < end; ++i) {
      const bool keep = room.left();
      if (!keep) part = {};
      EdgeIndex found = 0;
      run(i, low, [&](VertexId j, double distance) {
        ++found;
        if (!keep) return;
        part.neighbors.push_back(j);
        part.distances.push_back(distance);
      });
      offsets[static_cast<std::size_t>(i) + 1] = found;
      room.take(found);
    }
  }

 private:
  template <class Body>
  void run(VertexId i, std::vector<double>& low, const Body& body) const {
    inverted_.bound(rows_, i, low);
    for (VertexId j = 0; j < rows_.rows(); ++j) {
      if (low[static_cast<std::size_t>(j)] > limit_ || j == i) continue;
      const double distance = knn::distance_of(rows_.metric, rows_.key(i, rows_, j));
      if (distance <= epsilon_) body(j, distance);
    }
  }

  knn::SparseRows rows_;
  knn::InvertedRows inverted_;
  std::vector<VertexId> order_;
  double epsilon_;
  double limit_;
};

[[noreturn]] void refuse_edges(double epsilon, const std::string& edges, std::int64_t number,
                               std::int64_t allowed) {
  throw Error(ErrorCode::out_of_memory, "epsilon graph: epsilon " + to_text(epsilon) + " gives " +
                                            edges + " edges, which need " +
                                            std::to_string(number * bytes_per_edge) +
                                            " bytes; at most " + std::to_string(allowed) +
                                            " are allowed: make epsilon smaller or use k-nn");
}

// Throws if a sample says that there are too many edges, before they are all counted.
template <class Balls>
void refuse_early(const Balls& balls, VertexId rows, double epsilon, std::int64_t allowed,
                  const RunContext& run) {
  const std::int64_t sampled = 1024 / Balls::unit_rows;
  if (balls.units() <= sampled) return;
  std::vector<double> found(static_cast<std::size_t>(sampled));
  parallel_blocks(
      sampled, run.thread_count(),
      [&](std::int64_t begin, std::int64_t end) {
        knn::stop_if_asked(run);
        for (std::int64_t s = begin; s < end; ++s)
          found[static_cast<std::size_t>(s)] =
              static_cast<double>(balls.count(s * balls.units() / sampled));
      },
      8);
  double sum = 0.0, squares = 0.0;
  for (const double f : found) sum += f, squares += f * f;
  const auto count = static_cast<double>(sampled);
  const double half_units = static_cast<double>(balls.units()) / 2.0;
  const double edges = sum / count * half_units;
  const double error =
      std::sqrt(std::max(0.0, squares / count - sum / count * (sum / count)) / (count - 1.0)) *
      half_units;
  if (edges - 3.0 * error <= static_cast<double>(allowed)) return;
  // All pairs of rows fit an integer, so this does.
  const auto number = static_cast<std::int64_t>(edges);
  refuse_edges(epsilon,
               "about " + std::to_string(number) + " (by a sample of " +
                   std::to_string(std::min<std::int64_t>(rows, sampled * Balls::unit_rows)) +
                   " points)",
               number, allowed);
}

template <class Balls>
DistanceGraph collect(const Balls& balls, VertexId n, double epsilon, const EpsilonOptions& options,
                      const RunContext& run, EpsilonReport& report) {
  const std::int64_t allowed = options.max_edges > 0 ? options.max_edges : edges_that_fit();
  refuse_early(balls, n, epsilon, allowed, run);
  constexpr std::int64_t units_per_part = rows_per_part / Balls::unit_rows;
  const std::vector<VertexId>& order = balls.order();
  DistanceGraph graph;
  graph.offsets.assign(static_cast<std::size_t>(n) + 1, 0);
  std::vector<Part> parts(static_cast<std::size_t>((balls.units() - 1) / units_per_part + 1));
  Room room(allowed);
  parallel_blocks(
      balls.units(), run.thread_count(),
      [&](std::int64_t begin, std::int64_t end) {
        knn::stop_if_asked(run);
        balls.fill(begin, end, room, parts[static_cast<std::size_t>(begin / units_per_part)],
                   graph.offsets);
      },
      units_per_part);
  for (std::size_t v = 1; v < graph.offsets.size(); ++v) {
    report.isolated += graph.offsets[v] == 0;
    graph.offsets[v] += graph.offsets[v - 1];
  }
  report.edges = graph.offsets.back() / 2;
  report.memory_bytes = report.edges * bytes_per_edge;
  if (report.edges > allowed)
    refuse_edges(epsilon, std::to_string(report.edges), report.edges, allowed);

  graph.neighbors.resize(static_cast<std::size_t>(graph.offsets.back()));
  graph.distances.resize(graph.neighbors.size());
  parallel_blocks(
      static_cast<std::int64_t>(parts.size()), run.thread_count(),
      [&](std::int64_t begin, std::int64_t) {
        const Part part = std::move(parts[static_cast<std::size_t>(begin)]);
        const std::int64_t last = std::min<std::int64_t>(n, (begin + 1) * rows_per_part);
        std::int64_t at = 0;
        for (std::int64_t p = begin * rows_per_part; p < last; ++p) {
          const auto v = static_cast<std::size_t>(order[static_cast<std::size_t>(p)]);
          const EdgeIndex length = graph.offsets[v + 1] - graph.offsets[v];
          std::copy_n(part.neighbors.begin() + at, length,
                      graph.neighbors.begin() + graph.offsets[v]);
          std::copy_n(part.distances.begin() + at, length,
                      graph.distances.begin() + graph.offsets[v]);
          at += length;
        }
      },
      1);
  return graph;
}

}  // namespace

void EpsilonOptions::validate() const {
  if (max_edges < 0)
    throw Error(ErrorCode::usage,
                "epsilon graph: max_edges " + std::to_string(max_edges) + ": must be >= 0");
  weights.validate();
}

DistanceGraph epsilon_distances(const Points& points, double epsilon, const EpsilonOptions& options,
                                const RunContext& run, EpsilonReport* report) {
  options.validate();
  if (!(epsilon >= 0.0) || !std::isfinite(epsilon))
    throw Error(ErrorCode::usage,
                "epsilon graph: epsilon " + to_text(epsilon) + ": must be finite and >= 0");
  const VertexId n = points.rows();
  EpsilonReport found;
  DistanceGraph graph;
  if (points.is_sparse() && n > 0) {
    graph = collect(SparseBalls(points, options.metric, epsilon), n, epsilon, options, run, found);
  } else {
    const knn::RowSpace rows(points, options.metric);
    if (n > 0)
      graph =
          collect(TreeBalls(rows, epsilon, run.thread_count()), n, epsilon, options, run, found);
  }
  found.sentence = "epsilon-ball of " + to_text(epsilon) + ", " +
                   std::string(to_string(options.metric)) + ": " + std::to_string(found.edges) +
                   " edges, " + std::to_string(found.isolated) + " of " + std::to_string(n) +
                   " points without one";
  if (report != nullptr) *report = found;
  return graph;
}

EpsilonGraph epsilon_graph(const Points& points, double epsilon, const EpsilonOptions& options,
                           const RunContext& run) {
  EpsilonGraph result;
  DistanceGraph distances = epsilon_distances(points, epsilon, options, run, &result.report);
  WeightedGraph weighted = weigh(std::move(distances), options.weights);
  result.graph = std::move(weighted.graph);
  result.weights = std::move(weighted.report);
  return result;
}

}  // namespace gssl
