#include "short_walks.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "gssl/core/index.hpp"
#include "gssl/core/parallel.hpp"
#include "gssl/linalg/laplacian.hpp"
#include "gssl/solve/cost_model.hpp"

namespace gssl::detail {
namespace {

constexpr std::int64_t pair_block = 4096;

// The row of A at one vertex: all terms but the last as a vector, the last term where it is asked.
class WalkRow {
 public:
  WalkRow(const Graph& graph, const std::vector<double>& degree, int steps)
      : graph_(graph), degree_(degree), steps_(steps), row_(degree.size()), last_(degree.size()) {}

  void start(VertexId u) {
    start_ = u;
    for (const VertexId v : reached_) row_[index(v)] = last_[index(v)] = 0.0;
    reached_.assign(1, u);
    row_[index(u)] = last_[index(u)] = 1.0 / degree_[index(u)];
    front_ = {{u, last_[index(u)]}};
    if (steps_ > 1) spread(), spread();
  }
  // A_uv.
  double value(VertexId v) const {
    if (steps_ == 1) {
      const double w = graph_.weight(start_, v);
      return row_[index(v)] + w / (degree_[index(start_)] * degree_[index(v)]);
    }
    double next = 0.0;
    graph_.visit_row(v, [&](VertexId x, double w) { next += w * last_[index(x)]; });
    return row_[index(v)] + next / degree_[index(v)];
  }

 private:
  // last_ ← M last_, added to row_.
  void spread() {
    for (const auto& [x, value] : front_) last_[index(x)] = 0.0;
    const auto before = std::move(front_);
    front_.clear();
    std::vector<VertexId> found;
    for (const auto& start : before) {
      graph_.visit_row(start.first, [&](VertexId y, double w) {
        if (last_[index(y)] == 0.0) found.push_back(y);
        last_[index(y)] += w * start.second;
      });
    }
    for (const VertexId y : found) {
      last_[index(y)] /= degree_[index(y)];
      row_[index(y)] += last_[index(y)];
      front_.push_back({y, last_[index(y)]});
    }
    reached_.insert(reached_.end(), found.begin(), found.end());
  }

  const Graph& graph_;
  const std::vector<double>& degree_;
  int steps_;
  VertexId start_ = no_vertex;
  std::vector<double> row_, last_;  // sparse: zero but at reached_
  std::vector<VertexId> reached_;
  std::vector<std::pair<VertexId, double>> front_;  // entries of last_
};

}  // namespace

int worthwhile_steps(const Graph& graph) {
  double work = 0.0;
  for (VertexId v = 0; v < graph.vertex_count(); ++v) {
    const auto degree = static_cast<double>(graph.degree(v));
    work += degree * degree;
  }
  return work <= cost_model().walked_entries * static_cast<double>(graph.edge_count()) ? 2 : 1;
}

std::vector<double> short_walk_resistance(const Graph& graph, const std::vector<VertexPair>& pairs,
                                          int steps, const RunContext& run) {
  const std::vector<double> degree = weighted_degrees(graph, run.thread_count());
  // A_vv of every end, then the pairs by their first end.
  std::vector<double> own(degree.size(), 0.0);
  std::vector<char> is_end(degree.size(), 0);
  for (const VertexPair& pair : pairs) is_end[index(pair.u)] = is_end[index(pair.v)] = 1;
  parallel_blocks(
      graph.vertex_count(), run.thread_count(),
      [&](std::int64_t begin, std::int64_t end) {
        WalkRow row(graph, degree, steps);
        for (std::int64_t v = begin; v < end && !run.should_stop(); ++v) {
          if (is_end[index(v)] == 0) continue;
          row.start(static_cast<VertexId>(v));
          own[index(v)] = row.value(static_cast<VertexId>(v));
        }
      },
      std::max(pair_block, graph.vertex_count() / std::int64_t{32}));
  std::vector<std::size_t> order(pairs.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return pairs[i].u; });
  std::vector<double> found(pairs.size());
  const auto count = static_cast<std::int64_t>(pairs.size());
  parallel_blocks(
      count, run.thread_count(),
      [&](std::int64_t begin, std::int64_t end) {
        WalkRow row(graph, degree, steps);
        VertexId started = no_vertex;
        for (std::int64_t i = begin; i < end && !run.should_stop(); ++i) {
          const auto [u, v] = pairs[order[index(i)]];
          if (std::exchange(started, u) != u) row.start(u);
          found[order[index(i)]] = own[index(u)] + own[index(v)] - 2.0 * row.value(v);
        }
      },
      std::max(pair_block, count / 32));
  return found;
}

std::vector<double> short_walk_diagonal(const Graph& graph, const Components& components, int steps,
                                        const RunContext& run) {
  const VertexId n = graph.vertex_count();
  const std::vector<double> degree = weighted_degrees(graph, run.thread_count());
  Block term(n, 1);  // Mᵗ D⁻¹ 1
  for (VertexId v = 0; v < n; ++v)
    term(v, 0) = degree[index(v)] > 0.0 ? 1.0 / degree[index(v)] : 0.0;
  Block ones = term;  // A 1
  for (int t = 1; t < 2 * steps; ++t) {
    term = average_neighbors(graph, std::move(term), 1, run.thread_count());
    for (VertexId v = 0; v < n; ++v) ones(v, 0) += term(v, 0);
  }
  std::vector<double> total(index(components.count), 0.0);
  for (VertexId v = 0; v < n; ++v) total[index(components.of[index(v)])] += ones(v, 0);
  std::vector<double> found(index(n), 0.0);
  parallel_blocks(
      n, run.thread_count(),
      [&](std::int64_t begin, std::int64_t end) {
        WalkRow row(graph, degree, steps);
        for (std::int64_t i = begin; i < end && !run.should_stop(); ++i) {
          if (degree[index(i)] == 0.0) continue;
          const auto v = static_cast<VertexId>(i);
          const VertexId k = components.of[index(i)];
          const double size = components.sizes[index(k)];
          row.start(v);
          found[index(i)] = row.value(v) + (total[index(k)] / size - 2.0 * ones(i, 0)) / size;
        }
      },
      std::max(pair_block, n / std::int64_t{32}));
  return found;
}

std::vector<VertexId> pendant_parents(const Graph& graph) {
  const VertexId n = graph.vertex_count();
  std::vector<VertexId> parent(index(n), no_vertex), leaves;
  std::vector<EdgeIndex> left(index(n));
  for (VertexId v = 0; v < n; ++v) {
    left[index(v)] = graph.degree(v);
    if (left[index(v)] == 1) leaves.push_back(v);
  }
  while (!leaves.empty()) {
    const VertexId v = leaves.back();
    leaves.pop_back();
    if (left[index(v)] == 0) continue;  // the last of a tree
    for (const VertexId u : graph.neighbors(v)) {
      if (left[index(u)] == 0 || parent[index(u)] != no_vertex) continue;
      parent[index(v)] = u;
      if (--left[index(u)] == 1) leaves.push_back(u);
    }
    left[index(v)] = 0;
  }
  return parent;
}

Block average_neighbors(const Graph& graph, Block z, int steps, int threads) {
  Block next(z.rows(), z.columns());
  for (int step = 0; step < steps; ++step) {
    parallel_blocks(z.rows(), threads, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i) {
        const std::span<double> own = next.row(i);
        std::ranges::fill(own, 0.0);
        double degree = 0.0;
        graph.visit_row(static_cast<VertexId>(i), [&](VertexId u, double w) {
          const std::span<const double> other = std::as_const(z).row(u);
          for (std::size_t j = 0; j < own.size(); ++j) own[j] += w * other[j];
          degree += w;
        });
        if (degree > 0.0)
          for (double& value : own) value /= degree;
      }
    });
    std::swap(z, next);
  }
  return z;
}

}  // namespace gssl::detail
