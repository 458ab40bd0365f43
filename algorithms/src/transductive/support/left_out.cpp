#include "left_out.hpp"

#include <algorithm>
#include <cmath>

namespace gssl::detail {

namespace {

constexpr std::size_t fewest = 10;

// Labels to try, by their place in the label set.
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
  return chosen;
}

// Column c: potentials of the free vertices when label chosen[c] is 1 and the others are 0.
std::optional<Block> potentials(const LeftOutProblem& problem,
                                const std::vector<std::size_t>& chosen, const RunContext& run,
                                SolveReport& report) {
  Block one_hot(static_cast<std::int64_t>(problem.labeled.size()),
                static_cast<std::int64_t>(chosen.size()));
  for (std::size_t c = 0; c < chosen.size(); ++c)
    one_hot(static_cast<std::int64_t>(chosen[c]), static_cast<std::int64_t>(c)) = 1.0;
  Block x;
  const SolveReport solve =
      problem.solver.solve(problem.dirichlet.right_hand_side(one_hot), x, run);
  if (solve.outcome == Outcome::converged) return x;
  report.outcome = solve.outcome;
  return std::nullopt;
}

// What the others say of one label: scores, and the masses of the classes without it.
struct Prediction {
  std::vector<double> score;
  std::vector<double> mass;
};

class Predictor {
 public:
  Predictor(const LeftOutProblem& problem, const Block& potential)
      : problem_(problem),
        potential_(potential),
        row_of_(static_cast<std::size_t>(problem.graph.vertex_count()), no_vertex) {
    const std::vector<VertexId>& vertices = problem.dirichlet.free_vertices;
    for (std::size_t r = 0; r < vertices.size(); ++r)
      row_of_[static_cast<std::size_t>(vertices[r])] = static_cast<VertexId>(r);
    total_.assign(static_cast<std::size_t>(potential.columns()), 0.0);
    for (std::int64_t r = 0; r < potential.rows(); ++r)
      for (std::size_t c = 0; c < total_.size(); ++c) total_[c] += potential.row(r)[c];
  }

  // Nothing where only its own potential holds the label: no other label is tied to it.
  std::optional<Prediction> of(std::size_t label, std::size_t column) const {
    const VertexId v = problem_.labeled.vertices()[label];
    const std::span<const double> own = problem_.scores.row(v);
    std::vector<double> flow(own.size(), 0.0);  // (L F)_v
    double schur = 0.0, degree = 0.0;
    problem_.graph.visit_row(v, [&](VertexId u, double w) {
      const VertexId row = row_of_[static_cast<std::size_t>(u)];
      degree += w;
      schur += w * (1.0 - (row == no_vertex ? 0.0 : potential_.row(row)[column]));
      const std::span<const double> other = problem_.scores.row(u);
      for (std::size_t k = 0; k < flow.size(); ++k) flow[k] += w * (own[k] - other[k]);
    });
    if (!(schur > 1e-12 * degree)) return std::nullopt;
    const int g = problem_.groups.of(v);
    Prediction found;
    for (std::size_t k = 0; k < flow.size(); ++k) {
      const double score = std::clamp(own[k] - flow[k] / schur, 0.0, 1.0);
      found.score.push_back(score);
      found.mass.push_back(problem_.mass.row(g)[k] - total_[column] * (own[k] - score) + score);
    }
    return found;
  }

 private:
  const LeftOutProblem& problem_;
  const Block& potential_;
  std::vector<VertexId> row_of_;
  std::vector<double> total_;  // sum of each potential: what the label adds to the mass
};

int largest(const std::vector<double>& values) {
  return static_cast<int>(std::ranges::max_element(values) - values.begin());
}

}  // namespace

std::optional<LeftOut> leave_labels_out(const LeftOutProblem& problem, std::int64_t most,
                                        const RunContext& run, SolveReport& report) {
  const std::vector<std::size_t> chosen = labels_to_try(problem, most);
  if (chosen.size() < fewest) return std::nullopt;
  const std::optional<Block> potential = potentials(problem, chosen, run, report);
  if (!potential) return std::nullopt;
  const Predictor predictor(problem, *potential);

  struct Count {
    double tried = 0.0, plain = 0.0, massed = 0.0, differ = 0.0;
  };
  std::vector<Count> counts(static_cast<std::size_t>(problem.labeled.class_count()));
  LeftOut found;
  for (std::size_t c = 0; c < chosen.size(); ++c) {
    const std::optional<Prediction> says = predictor.of(chosen[c], c);
    if (!says) continue;
    const int own = problem.labeled.class_of()[chosen[c]];
    const int g = problem.groups.of(problem.labeled.vertices()[chosen[c]]);
    const std::span<const double> shares = problem.shares.row(g);
    std::vector<double> massed = says->score;
    if (*std::ranges::max_element(shares) > 0.0)
      for (std::size_t k = 0; k < massed.size(); ++k)
        massed[k] = says->mass[k] > 0.0 ? massed[k] * shares[k] / says->mass[k] : 0.0;
    const bool plain_right = largest(says->score) == own, massed_right = largest(massed) == own;
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
