#include "gssl/graph/epsilon_graph.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <string>
#include <utility>

#include "core/memory/large_array.hpp"
#include "graph/knn/exact_search.hpp"
#include "graph/knn/rows/sparse_rows.hpp"
#include "graph/knn/search/ball_search.hpp"
#include "graph/support/distance_edges.hpp"
#include "graph/support/row_sort.hpp"
#include "gssl/core/error.hpp"
#include "gssl/core/machine.hpp"
#include "gssl/core/number_text.hpp"
#include "gssl/core/parallel.hpp"

namespace gssl {

namespace {

// 2 entries of 4 + 8 bytes, and as much again at worst until they have their places.
constexpr std::int64_t bytes_per_edge = 48;
constexpr std::int64_t rows_per_part = 1024;

std::int64_t edges_that_fit(const RunContext& run) {
  std::size_t bytes = physical_memory() / 4 * 3;
  if (run.memory_limit > 0) bytes = std::min(bytes, run.memory_limit);
  return static_cast<std::int64_t>(bytes) / bytes_per_edge;
}

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

// A search has units() of `unit_rows` rows each, leaves or rows: count(u), the entries of unit u;
// find(first unit, end, room, part, offsets), which notes what it found of the units in a Part and
// writes the length of row v to offsets[v + 1]; and place(first unit, end, part, graph), which
// writes the rows, ascending, to their places in the graph.
class TreeBalls {
 public:
  static constexpr std::int64_t unit_rows = knn::lanes;
  // Leaf by leaf the number of leaves with neighbors, and of each its number, which points have
  // neighbors there, and for each of these which.
  using Part = std::vector<std::uint32_t>;

  TreeBalls(const knn::RowSpace& rows, double epsilon, int threads)
      : leaves_(rows, threads),
        rows_(rows.reordered(leaves_.tree().order(), threads)),
        epsilon_(epsilon) {}

  std::int64_t units() const { return leaves_.tree().leaf_count(); }
  const std::vector<VertexId>& order() const { return leaves_.tree().order(); }

  EdgeIndex count(std::int64_t leaf) const {
    EdgeIndex found = 0;
    knn::BallSearch(leaves_, rows_, epsilon_)
        .run(leaf, [&](std::int64_t, std::uint32_t queries, const std::uint32_t* hits) {
          visit_bits(queries, [&](int q) { found += std::popcount(hits[q]); });
        });
    return found;
  }

  void find(std::int64_t begin, std::int64_t end, Room& room, Part& part,
            std::vector<EdgeIndex>& offsets) const {
    knn::BallSearch search(leaves_, rows_, epsilon_);
    for (std::int64_t leaf = begin; leaf < end; ++leaf) {
      const bool keep = room.left();
      if (!keep) part = {};
      const std::size_t head = part.size();
      if (keep) part.push_back(0);
      EdgeIndex length[unit_rows] = {};
      search.run(leaf, [&](std::int64_t other, std::uint32_t queries, const std::uint32_t* hits) {
        if (keep) {
          ++part[head];
          part.push_back(static_cast<std::uint32_t>(other));
          part.push_back(queries);
        }
        visit_bits(queries, [&](int q) {
          length[q] += std::popcount(hits[q]);
          if (keep) part.push_back(hits[q]);
        });
      });
      EdgeIndex found = 0;
      for (int q = 0; q < leaves_.tree().leaf_size(leaf); ++q) {
        offsets[static_cast<std::size_t>(row_at(leaf, q)) + 1] = length[q];
        found += length[q];
      }
      room.take(found);
    }
  }

  void place(std::int64_t begin, std::int64_t end, const Part& part, DistanceGraph& graph) const {
    detail::RowSorter sorter;
    // The rows of a leaf, one after the other; in the graph they lie far apart.
    std::vector<VertexId> neighbors;
    std::vector<double> distances;
    auto at = part.begin();
    for (std::int64_t leaf = begin; leaf < end; ++leaf) {
      const int size = leaves_.tree().leaf_size(leaf);
      std::size_t home[unit_rows], next[unit_rows], length[unit_rows], all = 0;
      for (int q = 0; q < size; ++q) {
        const auto row = static_cast<std::size_t>(row_at(leaf, q));
        home[q] = static_cast<std::size_t>(graph.offsets[row]);
        length[q] = static_cast<std::size_t>(graph.offsets[row + 1]) - home[q];
        next[q] = all;
        all += length[q];
        for (std::size_t i = 0; i < length[q]; i += 8) {
          __builtin_prefetch(graph.distances.data() + home[q] + i, 1);
          if (i % 16 == 0) __builtin_prefetch(graph.neighbors.data() + home[q] + i, 1);
        }
      }
      neighbors.resize(all);
      distances.resize(all);
      for (std::uint32_t left = *at++; left > 0; --left) {
        const std::int64_t other = *at++;
        visit_bits(*at++, [&](int q) {
          const std::uint32_t hits = *at++;
          double* to = distances.data() + next[q];
          rows_.keys(static_cast<VertexId>(leaf * unit_rows + q),
                     static_cast<VertexId>(other * unit_rows), hits, to);
          visit_bits(hits, [&](int p) { neighbors[next[q]++] = row_at(other, p); });
        });
      }
      for (double& key : distances) key = rows_.distance(key);
      for (int q = 0; q < size; ++q) {
        const std::size_t from = next[q] - length[q];
        sort_row(neighbors.data() + from, distances.data() + from, length[q], sorter);
        std::copy_n(neighbors.data() + from, length[q], graph.neighbors.data() + home[q]);
        std::copy_n(distances.data() + from, length[q], graph.distances.data() + home[q]);
      }
    }
  }

 private:
  template <class Body>
  static void visit_bits(std::uint32_t bits, const Body& body) {
    for (; bits != 0; bits &= bits - 1) body(__builtin_ctz(bits));
  }
  VertexId row_at(std::int64_t leaf, int p) const {
    return order()[static_cast<std::size_t>(leaf * unit_rows + p)];
  }

  knn::LeafPairs leaves_;
  knn::RowSpace rows_;  // in the order of the leaves
  double epsilon_;
};

class SparseBalls {
 public:
  static constexpr std::int64_t unit_rows = 1;
  // Rows, one after the other.
  struct Part {
    std::vector<VertexId> neighbors;
    std::vector<double> distances;
  };

  SparseBalls(const Points& points, Metric metric, double epsilon)
      : rows_(points, points.columns(), metric, knn::unit_of(points, metric)),
        inverted_(rows_),
        epsilon_(epsilon),
        // Room for the rounding of either.
        limit_(knn::key_bound(metric, epsilon / rows_.unit) * (1.0 + 1e-12) + 0x1p-1040) {}

  std::int64_t units() const { return rows_.rows(); }

  EdgeIndex count(std::int64_t i) const {
    EdgeIndex found = 0;
    std::vector<double> low;
    run(static_cast<VertexId>(i), low, [&](VertexId, double) { ++found; });
    return found;
  }

  void find(std::int64_t begin, std::int64_t end, Room& room, Part& part,
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

  static void place(std::int64_t begin, std::int64_t, const Part& part, DistanceGraph& graph) {
    const EdgeIndex first = graph.offsets[static_cast<std::size_t>(begin)];
    std::copy(part.neighbors.begin(), part.neighbors.end(), graph.neighbors.begin() + first);
    std::copy(part.distances.begin(), part.distances.end(), graph.distances.begin() + first);
  }

 private:
  template <class Body>
  void run(VertexId i, std::vector<double>& low, const Body& body) const {
    inverted_.bound(rows_, i, low);
    for (VertexId j = 0; j < rows_.rows(); ++j) {
      if (low[static_cast<std::size_t>(j)] > limit_ || j == i) continue;
      const double distance = rows_.distance(rows_.key(i, rows_, j));
      if (distance <= epsilon_) body(j, distance);
    }
  }

  knn::SparseRowSpace rows_;
  knn::InvertedRows inverted_;
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
  const std::int64_t allowed = options.max_edges > 0 ? options.max_edges : edges_that_fit(run);
  refuse_early(balls, n, epsilon, allowed, run);
  constexpr std::int64_t units_per_part = rows_per_part / Balls::unit_rows;
  DistanceGraph graph;
  graph.offsets.assign(static_cast<std::size_t>(n) + 1, 0);
  std::vector<typename Balls::Part> parts(
      static_cast<std::size_t>((balls.units() - 1) / units_per_part + 1));
  Room room(allowed);
  // Calls call(first unit, end, its part) for all parts.
  const auto each_part = [&](const auto& call) {
    parallel_blocks(
        balls.units(), run.thread_count(),
        [&](std::int64_t begin, std::int64_t end) {
          knn::stop_if_asked(run);
          call(begin, end, parts[static_cast<std::size_t>(begin / units_per_part)]);
        },
        units_per_part);
  };
  each_part([&](std::int64_t begin, std::int64_t end, auto& part) {
    balls.find(begin, end, room, part, graph.offsets);
  });
  for (std::size_t v = 1; v < graph.offsets.size(); ++v) {
    report.isolated += graph.offsets[v] == 0;
    graph.offsets[v] += graph.offsets[v - 1];
  }
  report.edges = graph.offsets.back() / 2;
  report.memory_bytes = report.edges * bytes_per_edge;
  if (report.edges > allowed)
    refuse_edges(epsilon, std::to_string(report.edges), report.edges, allowed);

  const auto entries = static_cast<std::size_t>(graph.offsets.back());
  detail::resize_large(graph.neighbors, entries, run.thread_count());
  detail::resize_large(graph.distances, entries, run.thread_count());
  each_part([&](std::int64_t begin, std::int64_t end, auto& part) {
    balls.place(begin, end, std::exchange(part, {}), graph);
  });
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
