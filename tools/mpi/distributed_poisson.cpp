// Poisson learning on several ranks (gssl/transductive/poisson.hpp).

#include <algorithm>
#include <cmath>

#include "support/unfinished.hpp"
#include "system_problem.hpp"
#include "together.hpp"

namespace gssl::mpi {
namespace {

// The components with labels, and what poisson needs of each, the same on every rank.
class Groups {
 public:
  explicit Groups(const DistributedProblem& problem) : problem_(problem) {
    const LabeledSet& own = problem.given.own;
    const auto& root_of = problem.components.root_of;
    std::vector<std::int64_t> roots;
    for (const VertexId v : own.vertices()) roots.push_back(root_of[index(v)]);
    distinct(roots);
    roots_ = problem.ranks.gather_all(roots);
    distinct(roots_);
    group_of_.assign(problem.rows(), -1);
    for (std::size_t v = 0; v < group_of_.size(); ++v)
      if (problem.reached[v] != 0)
        group_of_[v] =
            static_cast<int>(std::ranges::lower_bound(roots_, root_of[v]) - roots_.begin());
    labels_.assign(roots_.size() * index(problem.columns), 0.0);
    for (std::size_t i = 0; i < own.size(); ++i)
      labels_[at(of(own.vertices()[i]), own.class_of()[i])] += 1.0;
    problem.ranks.sum(std::span<double>(labels_));
  }

  int count() const { return static_cast<int>(roots_.size()); }
  int of(VertexId v) const { return group_of_[index(v)]; }
  std::size_t at(int group, int column) const {
    return index(group) * index(problem_.columns) + index(column);
  }
  double labels(int group, int column) const { return labels_[at(group, column)]; }
  double labels(int group) const {
    double sum = 0.0;
    for (int k = 0; k < problem_.columns; ++k) sum += labels(group, k);
    return sum;
  }
  // The vertex of largest degree of each group, the first of them.
  std::vector<std::int64_t> hubs(const std::vector<double>& degree) const {
    std::vector<double> largest(roots_.size(), -1.0);
    for (std::size_t v = 0; v < degree.size(); ++v)
      if (group_of_[v] >= 0)
        largest[index(group_of_[v])] = std::max(largest[index(group_of_[v])], degree[v]);
    problem_.ranks.max(std::span<double>(largest));
    std::vector<std::int64_t> hub(roots_.size(), problem_.graph.vertices());
    for (std::size_t v = degree.size(); v-- > 0;)
      if (group_of_[v] >= 0 && degree[v] == largest[index(group_of_[v])])
        hub[index(group_of_[v])] = problem_.graph.begin + std::int64_t(v);
    problem_.ranks.min(std::span<std::int64_t>(hub));
    return hub;
  }

 private:
  static void distinct(std::vector<std::int64_t>& values) {
    std::ranges::sort(values);
    values.erase(std::unique(values.begin(), values.end()), values.end());
  }

  const DistributedProblem& problem_;
  std::vector<std::int64_t> roots_;  // ascending
  std::vector<int> group_of_;        // of own rows; −1 where unreached
  std::vector<double> labels_;       // groups × classes
};

// Potentials less their mean by degrees, with the last column that makes rows sum to zero.
Block centered(const DistributedProblem& problem, const Groups& groups,
               const std::vector<double>& degree, const Block& x) {
  const std::int64_t last = x.columns();
  std::vector<double> sums(index(groups.count()) * index(last + 1), 0.0);
  for (VertexId v = 0; v < problem.graph.rows(); ++v) {
    if (groups.of(v) < 0) continue;
    double* const sum = sums.data() + index(groups.of(v)) * index(last + 1);
    for (std::int64_t k = 0; k < last; ++k) sum[k] += degree[index(v)] * x(v, k);
    sum[last] += degree[index(v)];
  }
  problem.ranks.sum(std::span<double>(sums));
  Block potentials(x.rows(), last + 1);
  for (VertexId v = 0; v < problem.graph.rows(); ++v) {
    if (groups.of(v) < 0) continue;
    const double* const sum = sums.data() + index(groups.of(v)) * index(last + 1);
    double rest = 0.0;
    for (std::int64_t k = 0; k < last; ++k) {
      potentials(v, k) = sum[last] > 0.0 ? x(v, k) - sum[k] / sum[last] : 0.0;
      rest -= potentials(v, k);
    }
    potentials(v, last) = rest;
  }
  return potentials;
}

// Shares of the classes in the positive part of each row, as positive_shares() of one machine.
void take_positive_shares(const DistributedProblem& problem, const Groups& groups, Block& scores) {
  constexpr double nothing = 1e-9;
  std::vector<double> largest(index(groups.count()), 0.0);
  for (VertexId v = 0; v < problem.graph.rows(); ++v)
    if (groups.of(v) >= 0)
      for (const double value : scores.row(v))
        largest[index(groups.of(v))] = std::max(largest[index(groups.of(v))], std::abs(value));
  problem.ranks.max(std::span<double>(largest));
  for (VertexId v = 0; v < problem.graph.rows(); ++v) {
    const int g = groups.of(v);
    if (g < 0) continue;
    const std::span<double> row = scores.row(v);
    double sum = 0.0, present = 0.0;
    for (int k = 0; k < problem.columns; ++k) {
      double& score = row[index(k)];
      const bool here = groups.labels(g, k) > 0.0;
      present += here ? 1.0 : 0.0;
      score = here && score > nothing * largest[index(g)] ? score : 0.0;
      sum += score;
    }
    for (int k = 0; k < problem.columns; ++k)
      row[index(k)] =
          sum > 0.0 ? row[index(k)] / sum : (groups.labels(g, k) > 0.0 ? 1.0 / present : 0.0);
  }
}

}  // namespace

DistributedFit fit_poisson(const DistributedProblem& problem, const PoissonOptions& options) {
  const Groups groups(problem);
  std::vector<double> degree(problem.rows());
  for (VertexId v = 0; v < problem.graph.rows(); ++v)
    degree[index(v)] = problem.graph.weighted_degree(v);
  std::vector<char> is_row = problem.reached;
  for (const std::int64_t hub : groups.hubs(degree))
    if (hub >= problem.graph.begin && hub < problem.graph.begin + problem.graph.rows())
      is_row[index(hub - problem.graph.begin)] = 0;
  DistributedSystem system(problem.graph, is_row, std::vector<double>(is_row.size(), 0.0),
                           problem.ranks);
  const std::vector<VertexId>& vertices = problem.given.own.vertices();
  SolvedColumns solved = solve_columns(
      problem, system, problem.columns - 1, false, solver_options(options),
      sources(problem, system, [&](std::size_t i, int column) {
        const int g = groups.of(vertices[i]);
        return problem.target(i, column) - groups.labels(g, column) / groups.labels(g);
      }));
  Block x;
  together(problem.ranks, [&] {
    x = Block(problem.graph.rows(), problem.columns - 1);
    for (std::size_t i = 0; i < system.rows().size(); ++i)
      for (std::int64_t k = 0; k < x.columns(); ++k)
        x(system.rows()[i], k) = solved.values(std::int64_t(i), k);
  });
  Block scores = centered(problem, groups, degree, x);
  take_positive_shares(problem, groups, scores);
  return finish(problem, std::move(scores), detail::GivenLabels::soft, std::move(solved));
}

}  // namespace gssl::mpi
