#include "gssl/graph/epsilon_graph.hpp"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cmath>

#include "gssl/core/error.hpp"
#include "gssl/core/number_text.hpp"
#include "gssl/core/parallel.hpp"
#include "knn/exact_search.hpp"
#include "knn/leaf_pairs.hpp"

namespace gssl {

namespace {

constexpr std::int64_t bytes_per_edge = 48;  // 2 entries of 4 + 8 bytes, twice while they are moved
constexpr std::int64_t leaves_per_part = 32;

std::int64_t edges_that_fit() {
  const std::int64_t memory =
      static_cast<std::int64_t>(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGESIZE);
  return std::max<std::int64_t>(memory, 0) / 4 * 3 / bytes_per_edge;
}

// Finished rows of the points of some leaves, one after the other.
struct Part {
  std::vector<VertexId> neighbors;
  std::vector<double> distances;
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
  if (points.is_sparse())
    throw Error(ErrorCode::usage, "epsilon graph: sparse rows are not supported; make them dense");
  const knn::RowSpace rows(points, options.metric);
  const VertexId n = points.rows();
  DistanceGraph graph;
  graph.offsets.assign(static_cast<std::size_t>(n) + 1, 0);
  if (n == 0) return graph;
  const knn::LeafPairs leaves(rows, run.thread_count());
  const std::vector<VertexId>& order = leaves.tree().order();

  const std::int64_t allowed = options.max_edges > 0 ? options.max_edges : edges_that_fit();
  std::vector<Part> parts(
      static_cast<std::size_t>((leaves.tree().leaf_count() - 1) / leaves_per_part + 1));
  std::atomic<std::int64_t> entries = 0;
  parallel_blocks(
      leaves.tree().leaf_count(), run.thread_count(),
      [&](std::int64_t begin, std::int64_t end) {
        knn::stop_if_asked(run);
        Part& part = parts[static_cast<std::size_t>(begin / leaves_per_part)];
        knn::BallSearch search(leaves, epsilon);
        LeafRows rows_of_leaf(order);
        for (std::int64_t leaf = begin; leaf < end; ++leaf) {
          search.run(leaf, [&](int p, std::int64_t q, double distance) {
            rows_of_leaf.add(p, q, distance);
          });
          // Past what is allowed they are only counted.
          const bool keep = entries / 2 <= allowed;
          if (!keep) part = {};
          EdgeIndex found = 0;
          for (int p = 0; p < leaves.tree().leaf_size(leaf); ++p) {
            const EdgeIndex length = rows_of_leaf.finish(p, keep, part);
            graph.offsets[static_cast<std::size_t>(
                              order[static_cast<std::size_t>(leaf * knn::lanes + p)]) +
                          1] = length;
            found += length;
          }
          entries += found;
          if (leaf == begin && keep) {
            // The other leaves will have about as many.
            const std::size_t expected =
                part.neighbors.size() * static_cast<std::size_t>(end - begin) * 5 / 4;
            part.neighbors.reserve(expected);
            part.distances.reserve(expected);
          }
        }
      },
      leaves_per_part);
  EpsilonReport found;
  for (std::size_t v = 1; v < graph.offsets.size(); ++v) {
    found.isolated += graph.offsets[v] == 0;
    graph.offsets[v] += graph.offsets[v - 1];
  }
  found.edges = graph.offsets.back() / 2;
  found.memory_bytes = found.edges * bytes_per_edge;
  if (found.edges > allowed)
    throw Error(ErrorCode::out_of_memory, "epsilon graph: epsilon " + to_text(epsilon) + " gives " +
                                              std::to_string(found.edges) + " edges, which need " +
                                              std::to_string(found.memory_bytes) +
                                              " bytes; at most " + std::to_string(allowed) +
                                              " are allowed: make epsilon smaller or use k-nn");
  found.sentence = "epsilon-ball of " + to_text(epsilon) + ", " +
                   std::string(to_string(options.metric)) + ": " + std::to_string(found.edges) +
                   " edges, " + std::to_string(found.isolated) + " of " + std::to_string(n) +
                   " points without one";
  if (report != nullptr) *report = found;

  graph.neighbors.resize(static_cast<std::size_t>(graph.offsets.back()));
  graph.distances.resize(graph.neighbors.size());
  parallel_blocks(
      static_cast<std::int64_t>(parts.size()), run.thread_count(),
      [&](std::int64_t begin, std::int64_t) {
        const Part part = std::move(parts[static_cast<std::size_t>(begin)]);
        const std::int64_t first = begin * leaves_per_part * knn::lanes;
        const std::int64_t last = std::min<std::int64_t>(n, first + leaves_per_part * knn::lanes);
        std::int64_t at = 0;
        for (std::int64_t p = first; p < last; ++p) {
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
