#include "left_out_labels.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include "gssl/core/index.hpp"

namespace gssl::detail {

namespace {

constexpr auto fewest = static_cast<std::size_t>(fewest_left_out);

// Column c: potentials of the free vertices when label chosen[c] is 1 and the others are 0.
std::optional<Block> potentials(const LeftOutProblem& problem, std::span<const std::size_t> chosen,
                                const DirichletProblem& dirichlet, const LinearSolver& solver,
                                const RunContext& run, Report& report) {
  Block one_hot(static_cast<std::int64_t>(problem.labeled.size()),
                static_cast<std::int64_t>(chosen.size()));
  for (std::size_t c = 0; c < chosen.size(); ++c)
    one_hot(static_cast<std::int64_t>(chosen[c]), static_cast<std::int64_t>(c)) = 1.0;
  Block x;
  const SolveReport solve = solver.solve(dirichlet.right_hand_side(one_hot), x, run);
  if (solve.outcome == Outcome::converged) return x;
  report.outcome = solve.outcome;
  return std::nullopt;
}

// What the others say of one label: scores, and the masses of the classes without it.
struct LeftOutPrediction {
  std::vector<double> score;
  std::vector<double> mass;
};

LeftOutPrediction predict(const LeftOutProblem& problem, const TriedLabels& tried, std::size_t c) {
  const std::size_t label = tried.label[c];
  const int own = problem.labeled.class_of()[label];
  const auto mass = problem.mass.row(problem.groups.of(problem.labeled.vertices()[label]));
  const auto flow = tried.flow.row(static_cast<std::int64_t>(c));
  LeftOutPrediction found;
  for (std::size_t k = 0; k < flow.size(); ++k) {
    const double before = static_cast<int>(k) == own ? 1.0 : 0.0;
    const double score = std::clamp(before - flow[k] / tried.schur[c], 0.0, 1.0);
    found.score.push_back(score);
    found.mass.push_back(mass[k] - tried.total[c] * (before - score) + score);
  }
  return found;
}

// Where only its own potential holds a label, no other is tied to it.
bool is_tied(const LeftOutProblem& problem, const TriedLabels& tried, std::size_t c) {
  const VertexId v = problem.labeled.vertices()[tried.label[c]];
  return tried.schur[c] > 1e-12 * problem.groups.degrees()[static_cast<std::size_t>(v)];
}

int largest(const std::vector<double>& values) {
  return static_cast<int>(std::ranges::max_element(values) - values.begin());
}

}  // namespace

std::vector<std::size_t> labels_to_try(const LeftOutProblem& problem, std::int64_t most) {
  const LabeledSet& labeled = problem.labeled;
  std::vector<std::vector<std::size_t>> of_class(static_cast<std::size_t>(labeled.class_count()));
  for (std::size_t i = 0; i < labeled.size(); ++i) {
    const int g = problem.groups.of(labeled.vertices()[i]);
    const int k = labeled.class_of()[i];
    if (problem.groups.label_count(g, k) >= 2.0) of_class[static_cast<std::size_t>(k)].push_back(i);
  }
  std::vector<std::size_t> chosen;
  for (std::size_t round = 0; round < labeled.size(); ++round)
    for (const auto& list : of_class)
      if (round < list.size() && static_cast<std::int64_t>(chosen.size()) < most)
        chosen.push_back(list[round]);
  if (chosen.size() < fewest) chosen.clear();
  return chosen;
}

std::optional<TriedLabels> try_labels(const LeftOutProblem& problem,
                                      std::vector<std::size_t> labels, const Graph& graph,
                                      const DirichletProblem& dirichlet, const LinearSolver& solver,
                                      const Block& scores, std::int64_t at_once,
                                      const RunContext& run, Report& report) {
  std::vector<VertexId> row_of(static_cast<std::size_t>(graph.vertex_count()), no_vertex);
  for (std::size_t r = 0; r < dirichlet.free_vertices.size(); ++r)
    row_of[static_cast<std::size_t>(dirichlet.free_vertices[r])] = static_cast<VertexId>(r);
  const std::size_t count = labels.size();
  TriedLabels tried{.label = std::move(labels),
                    .flow = Block(static_cast<std::int64_t>(count), scores.columns()),
                    .schur = std::vector<double>(count),
                    .total = std::vector<double>(count)};
  for (std::size_t first = 0; first < count; first += index(at_once)) {
    const std::size_t some = std::min(index(at_once), count - first);
    const std::optional<Block> potential = potentials(
        problem, std::span(tried.label).subspan(first, some), dirichlet, solver, run, report);
    if (!potential) return std::nullopt;
    for (std::int64_t r = 0; r < potential->rows(); ++r)
      for (std::size_t c = 0; c < some; ++c) tried.total[first + c] += potential->row(r)[c];
    for (std::size_t c = 0; c < some; ++c) {
      const VertexId v = problem.labeled.vertices()[tried.label[first + c]];
      const std::span<const double> own = scores.row(v);
      const std::span<double> flow = tried.flow.row(static_cast<std::int64_t>(first + c));
      graph.visit_row(v, [&](VertexId u, double w) {
        const VertexId row = row_of[static_cast<std::size_t>(u)];
        tried.schur[first + c] += w * (1.0 - (row == no_vertex ? 0.0 : potential->row(row)[c]));
        const std::span<const double> other = scores.row(u);
        for (std::size_t k = 0; k < flow.size(); ++k) flow[k] += w * (own[k] - other[k]);
      });
    }
  }
  return tried;
}

TriedLabels try_labels(const LeftOutProblem& problem, std::vector<std::size_t> labels,
                       const LabelNetwork& network) {
  const Block current = network.currents(problem.labeled.target_block());
  const std::vector<double> conductance = network.conductances(), total = network.totals();
  TriedLabels tried{.label = std::move(labels), .flow = {}, .schur = {}, .total = {}};
  tried.flow = Block(std::ssize(tried.label), current.columns());
  for (std::size_t c = 0; c < tried.label.size(); ++c) {
    const std::size_t i = tried.label[c];
    std::ranges::copy(current.row(static_cast<std::int64_t>(i)),
                      tried.flow.row(static_cast<std::int64_t>(c)).begin());
    tried.schur.push_back(conductance[i]);
    tried.total.push_back(total[i] - 1.0);
  }
  return tried;
}

std::optional<LeftOut> leave_labels_out(const LeftOutProblem& problem, const TriedLabels& tried) {
  struct Count {
    double tried = 0.0, plain = 0.0, massed = 0.0, differ = 0.0;
  };
  std::vector<Count> counts(static_cast<std::size_t>(problem.labeled.class_count()));
  LeftOut found;
  for (std::size_t c = 0; c < tried.label.size(); ++c) {
    if (!is_tied(problem, tried, c)) continue;
    const LeftOutPrediction says = predict(problem, tried, c);
    const int own = problem.labeled.class_of()[tried.label[c]];
    const int g = problem.groups.of(problem.labeled.vertices()[tried.label[c]]);
    const std::span<const double> shares = problem.shares.row(g);
    std::vector<double> massed = says.score;
    if (*std::ranges::max_element(shares) > 0.0)
      for (std::size_t k = 0; k < massed.size(); ++k)
        massed[k] = says.mass[k] > 0.0 ? massed[k] * shares[k] / says.mass[k] : 0.0;
    const bool plain_right = largest(says.score) == own, massed_right = largest(massed) == own;
    Count& count = counts[static_cast<std::size_t>(own)];
    count.tried += 1.0;
    count.plain += plain_right;
    count.massed += massed_right;
    count.differ += plain_right != massed_right;
    ++found.tried;
  }
  double classes = 0.0, variance = 0.0;
  for (const Count& count : counts) {
    if (count.tried == 0.0) continue;
    classes += 1.0;
    found.plain += count.plain / count.tried;
    found.massed += count.massed / count.tried;
    variance += count.differ / (count.tried * count.tried);
  }
  if (found.tried < fewest) return std::nullopt;
  found.plain /= classes;
  found.massed /= classes;
  found.error = std::sqrt(variance) / classes;
  return found;
}

}  // namespace gssl::detail
