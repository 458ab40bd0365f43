#include "gssl/network/walks.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>
#include <utility>

#include "gssl/core/error.hpp"
#include "gssl/core/index.hpp"
#include "gssl/core/number_text.hpp"
#include "gssl/core/parallel.hpp"
#include "gssl/graph/components.hpp"
#include "gssl/linalg/grounded_laplacian.hpp"
#include "gssl/linalg/laplacian.hpp"
#include "network/check_vertex.hpp"
#include "support/reported_solve.hpp"

namespace gssl {
namespace {

constexpr std::int64_t walk_block = 64;

// Index of each target, −1 elsewhere.
std::vector<std::int64_t> target_index(const Graph& graph, const std::vector<VertexId>& targets) {
  if (targets.empty()) throw Error(ErrorCode::usage, "targets: must be at least one vertex");
  std::vector<std::int64_t> index(gssl::index(graph.vertex_count()), -1);
  for (std::size_t k = 0; k < targets.size(); ++k) {
    detail::check_vertex(graph, targets[k]);
    if (std::exchange(index[gssl::index(targets[k])], static_cast<std::int64_t>(k)) >= 0)
      throw Error(ErrorCode::bad_data,
                  "target " + std::to_string(targets[k]) + ": is given more than once");
  }
  return index;
}

void check_rows(const Graph& graph, const Block& x) {
  if (x.rows() != graph.vertex_count())
    throw Error(ErrorCode::usage, std::to_string(x.rows()) + " rows for " +
                                      std::to_string(graph.vertex_count()) +
                                      " vertices: must be one for each");
}

}  // namespace

Block walk_step(const Graph& graph, const Block& x, int threads) {
  check_rows(graph, x);
  Block y(x.rows(), x.columns());
  parallel_blocks(x.rows(), threads, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t v = begin; v < end; ++v) {
      const std::span<double> own = y.row(v);
      double degree = 0.0;
      graph.visit_row(static_cast<VertexId>(v), [&](VertexId u, double w) {
        const std::span<const double> other = x.row(u);
        for (std::size_t j = 0; j < own.size(); ++j) own[j] += w * other[j];
        degree += w;
      });
      if (degree > 0.0)
        for (double& value : own) value /= degree;
    }
  });
  return y;
}

Block walk_distribution(const Graph& graph, const Block& x, int threads) {
  check_rows(graph, x);
  const std::vector<double> degree = weighted_degrees(graph, threads);
  Block y(x.rows(), x.columns());
  parallel_blocks(x.rows(), threads, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t v = begin; v < end; ++v) {
      const std::span<double> own = y.row(v);
      if (graph.degree(static_cast<VertexId>(v)) == 0) std::ranges::copy(x.row(v), own.begin());
      graph.visit_row(static_cast<VertexId>(v), [&](VertexId u, double w) {
        const std::span<const double> other = x.row(u);
        for (std::size_t j = 0; j < own.size(); ++j)
          own[j] += w / degree[gssl::index(u)] * other[j];
      });
    }
  });
  return y;
}

Absorption absorption_probabilities(const Graph& graph, const std::vector<VertexId>& targets,
                                    const SolverOptions& options, const RunContext& run) {
  options.validate();
  target_index(graph, targets);
  const auto count = static_cast<std::int64_t>(targets.size());
  Absorption result{Block(graph.vertex_count(), count), {}};
  DirichletProblem problem = make_dirichlet_problem(graph, targets);
  // A column of its own for each: as what the others leave of 1, small chances would have no
  // digits.
  Block values(count, count);
  for (std::int64_t k = 0; k < count; ++k)
    result.probability(targets[gssl::index(k)], k) = values(k, k) = 1.0;
  const Block b = problem.right_hand_side(values);
  const Block x = detail::solve(std::move(problem.system), b, options, run, result.report);
  for (std::int64_t r = 0; r < static_cast<std::int64_t>(problem.free_vertices.size()); ++r) {
    const std::span<double> row = result.probability.row(problem.free_vertices[gssl::index(r)]);
    double sum = 0.0;
    for (std::int64_t k = 0; k < count; ++k) sum += row[gssl::index(k)] = std::max(x(r, k), 0.0);
    if (sum > 0.0)
      for (double& chance : row) chance /= sum;
  }
  return result;
}

HittingTimes hitting_times(const Graph& graph, const std::vector<VertexId>& targets,
                           const SolverOptions& options, const RunContext& run) {
  options.validate();
  target_index(graph, targets);
  HittingTimes result;
  DirichletProblem problem = make_dirichlet_problem(graph, targets);
  const auto free_count = static_cast<std::int64_t>(problem.free_vertices.size());
  Block b(free_count, 1);
  for (std::int64_t r = 0; r < free_count; ++r)
    b(r, 0) = graph.weighted_degree(problem.free_vertices[gssl::index(r)]);
  const Block x = detail::solve(std::move(problem.system), b, options, run, result.report);
  result.steps.assign(gssl::index(graph.vertex_count()), 0.0);
  for (std::int64_t r = 0; r < free_count; ++r)
    result.steps[gssl::index(problem.free_vertices[gssl::index(r)])] = x(r, 0);
  for (const VertexId v : problem.unreached)
    result.steps[gssl::index(v)] = std::numeric_limits<double>::infinity();
  return result;
}

std::vector<double> component_volumes(const Graph& graph) {
  const Components components = connected_components(graph);
  std::vector<double> volume(gssl::index(components.count), 0.0), result(components.of.size());
  for (VertexId v = 0; v < graph.vertex_count(); ++v)
    volume[gssl::index(components.of[gssl::index(v)])] += graph.weighted_degree(v);
  for (std::size_t v = 0; v < result.size(); ++v) result[v] = volume[gssl::index(components.of[v])];
  return result;
}

ResistanceAnswer commute_times(const Graph& graph, const std::vector<VertexPair>& pairs,
                               const ResistanceOptions& options, const RunContext& run) {
  ResistanceAnswer answer = pair_resistances(graph, pairs, options, run);
  const std::vector<double> volume = component_volumes(graph);
  for (std::size_t i = 0; i < answer.values.size(); ++i) {
    // The volume around an isolated vertex is 0, its distance to others infinite.
    if (std::isinf(answer.values[i])) continue;
    answer.values[i] *= volume[gssl::index(pairs[i].u)];
    if (!answer.error_bound.empty()) answer.error_bound[i] *= volume[gssl::index(pairs[i].u)];
  }
  return answer;
}

void WalkOptions::validate() const {
  if (walks < 2)
    throw Error(ErrorCode::usage, "walks " + std::to_string(walks) + ": must be at least 2");
  if (most_steps < 1)
    throw Error(ErrorCode::usage, "most_steps " + std::to_string(most_steps) + ": must be > 0");
}

namespace {

// Draws the vertex that follows v, by halving sums of weights along its row.
class NextVertex {
 public:
  explicit NextVertex(const Graph& graph) : graph_(graph), reach_(graph.neighbor_array().size()) {
    for (VertexId v = 0; v < graph.vertex_count(); ++v) {
      double sum = 0.0;
      for (EdgeIndex e = graph.row_begin(v); e < graph.row_end(v); ++e)
        reach_[gssl::index(e)] = sum += graph.weight_at(e);
    }
  }

  VertexId operator()(VertexId v, Rng& rng) const {
    const auto begin = reach_.begin() + graph_.row_begin(v),
               end = reach_.begin() + graph_.row_end(v);
    const auto found = std::upper_bound(begin, end - 1, rng.uniform() * *(end - 1));
    return graph_.neighbor_at(found - reach_.begin());
  }

 private:
  const Graph& graph_;
  std::vector<double> reach_;
};

// Of walks that took `steps` to the target `ended`; −1: to none.
WalkEstimate estimate_of(const std::vector<std::int64_t>& steps,
                         const std::vector<std::int64_t>& ended, std::size_t targets) {
  const auto walks = static_cast<double>(steps.size());
  WalkEstimate estimate;
  estimate.share.assign(targets, 0.0);
  std::int64_t finished = 0;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (ended[i] < 0) continue;
    ++finished;
    estimate.mean += static_cast<double>(steps[i]);
    estimate.share[gssl::index(ended[i])] += 1.0 / walks;
  }
  estimate.unfinished = std::ssize(steps) - finished;
  if (finished == 0) return estimate;
  estimate.mean /= static_cast<double>(finished);
  double squares = 0.0;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const double away = static_cast<double>(steps[i]) - estimate.mean;
    if (ended[i] >= 0) squares += away * away;
  }
  if (finished > 1)
    estimate.standard_error =
        std::sqrt(squares / static_cast<double>(finished) / static_cast<double>(finished - 1));
  return estimate;
}

}  // namespace

WalkEstimate simulate_hitting(const Graph& graph, VertexId start,
                              const std::vector<VertexId>& targets, const WalkOptions& options,
                              const RunContext& run) {
  options.validate();
  detail::check_vertex(graph, start);
  const std::vector<std::int64_t> index = target_index(graph, targets);
  const NextVertex next(graph);
  std::vector<std::int64_t> steps(gssl::index(options.walks), -1),
      ended(gssl::index(options.walks), -1);
  parallel_blocks(
      options.walks, run.thread_count(),
      [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t i = begin; i < end && !run.should_stop(); ++i) {
          Rng rng = run.rng(static_cast<std::uint64_t>(i));
          VertexId v = start;
          std::int64_t taken = 0;
          while (index[gssl::index(v)] < 0 && taken < options.most_steps && graph.degree(v) > 0) {
            v = next(v, rng);
            ++taken;
          }
          if (index[gssl::index(v)] < 0) continue;
          steps[gssl::index(i)] = taken;
          ended[gssl::index(i)] = index[gssl::index(v)];
        }
      },
      walk_block);

  return estimate_of(steps, ended, targets.size());
}

}  // namespace gssl
