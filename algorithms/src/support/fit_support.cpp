#include "fit_support.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>
#include <utility>

#include "gssl/core/error.hpp"
#include "gssl/core/index.hpp"
#include "gssl/core/number_text.hpp"
#include "gssl/core/stopwatch.hpp"
#include "gssl/linalg/residual.hpp"
#include "transductive/support/class_shares.hpp"
#include "transductive/support/uneven_labels.hpp"

namespace gssl::detail {

namespace {

// Decision and confidence from scores and status.
void judge(Fit& fit, const LabeledSet& labeled, GivenLabels given) {
  if (labeled.is_regression()) {
    fit.decision.assign(fit.scores.status.size(), -1);
    fit.confidence.assign(fit.scores.status.size(), 1.0);
    for (std::size_t v = 0; v < fit.scores.status.size(); ++v)
      if (fit.scores.status[v] == VertexStatus::unreached) fit.confidence[v] = 0.0;
    return;
  }
  fit.decision = fit.scores.decide();
  if (given == GivenLabels::hard) {
    fit.confidence = fit.scores.confidence();
    return;
  }
  // Confidence of a soft label comes from its scores, as everywhere else.
  const std::vector<VertexStatus> status = fit.scores.status;
  for (const VertexId v : labeled.vertices())
    fit.scores.status[static_cast<std::size_t>(v)] = VertexStatus::inferred;
  fit.confidence = fit.scores.confidence();
  fit.scores.status = status;
}

}  // namespace

void check_problem(std::string_view learner, const Graph& graph, const LabeledSet& labeled,
                   Regression regression) {
  labeled.check_against(graph.vertex_count());
  if (labeled.is_regression() && regression == Regression::unsupported) {
    throw Error(ErrorCode::usage,
                std::string(learner) + ": real targets: this learner needs classes; use harmonic");
  }
}

std::vector<VertexId> unreached_vertices(const Components& components, const LabeledSet& labeled) {
  std::vector<bool> has_label(static_cast<std::size_t>(components.count), false);
  for (const VertexId v : labeled.vertices())
    has_label[static_cast<std::size_t>(components.of[static_cast<std::size_t>(v)])] = true;
  std::vector<VertexId> unreached;
  for (std::size_t v = 0; v < components.of.size(); ++v)
    if (!has_label[static_cast<std::size_t>(components.of[v])])
      unreached.push_back(static_cast<VertexId>(v));
  return unreached;
}

std::vector<VertexStatus> vertex_status(VertexId vertex_count, const LabeledSet& labeled,
                                        const std::vector<VertexId>& unreached) {
  std::vector<VertexStatus> status(static_cast<std::size_t>(vertex_count), VertexStatus::inferred);
  for (const VertexId v : unreached) status[static_cast<std::size_t>(v)] = VertexStatus::unreached;
  for (const VertexId v : labeled.vertices())
    status[static_cast<std::size_t>(v)] = VertexStatus::given;
  return status;
}

Block reduced_targets(const LabeledSet& labeled) {
  Block full = labeled.target_block();
  if (labeled.is_regression()) return full;
  Block reduced(full.rows(), full.columns() - 1);
  for (std::int64_t r = 0; r < full.rows(); ++r)
    for (std::int64_t c = 0; c < reduced.columns(); ++c) reduced(r, c) = full(r, c);
  return reduced;
}

namespace {

// What the others of a row leave of 1: equal to the largest of them where only rounding could part
// the two. Each subtraction from 1 is off by half a last bit of 1 at most, and by nothing of a 0.
double implied_score(std::span<const double> others) {
  double rest = 1.0, largest = 0.0;
  int subtractions = 0;
  for (const double value : others) {
    rest -= value;
    largest = std::max(largest, value);
    if (value != 0.0) ++subtractions;
  }
  const double rounding = 0.5 * std::numeric_limits<double>::epsilon() * subtractions;
  if (subtractions > 1 && std::abs(rest - largest) <= rounding) return largest;
  return std::max(rest, 0.0);
}

}  // namespace

Block scores_from_columns(std::vector<Block> solved, const std::vector<VertexId>& row_of,
                          const Block& targets, const LabeledSet& labeled, VertexId vertex_count) {
  const std::int64_t columns = targets.columns();
  std::vector<double> low(targets.row(0).begin(), targets.row(0).end()), high = low;
  for (std::int64_t r = 1; r < targets.rows(); ++r)
    for (std::size_t c = 0; c < low.size(); ++c) {
      low[c] = std::min(low[c], targets.row(r)[c]);
      high[c] = std::max(high[c], targets.row(r)[c]);
    }
  const bool classes = !labeled.is_regression();
  Block scores(vertex_count, columns + (classes ? 1 : 0));
  const std::int64_t row_count = solved.empty() ? 0 : solved.front().rows();
  for (std::int64_t row = 0; row < row_count; ++row) {
    const std::span<double> all = scores.row(row_of.empty() ? row : row_of[index(row)]);
    std::size_t c = 0;
    for (const Block& some : solved)
      for (const double value : some.row(row)) {
        all[c] = std::clamp(value, low[c], high[c]);
        ++c;
      }
    if (classes) all[c] = implied_score(all.first(c));
  }
  return scores;
}

Block scores_from_columns(Block solved, const std::vector<VertexId>& row_of, const Block& targets,
                          const LabeledSet& labeled, VertexId vertex_count) {
  std::vector<Block> one;
  one.push_back(std::move(solved));
  return scores_from_columns(std::move(one), row_of, targets, labeled, vertex_count);
}

void set_given_rows(Block& scores, const LabeledSet& labeled) {
  const Block targets = labeled.target_block();
  for (std::size_t i = 0; i < labeled.size(); ++i)
    std::ranges::copy(targets.row(static_cast<std::int64_t>(i)),
                      scores.row(labeled.vertices()[i]).begin());
}

Block solve(GroundedLaplacian system, const Block& b, SolverOptions options, const RunContext& run,
            Report& report, std::unique_ptr<LinearSolver>* prepared) {
  if (b.rows() == 0 || b.columns() == 0) {
    report.solver.requested = to_string(options.kind);
    report.solver.used = "none";
    report.solver.sentence = "nothing to solve: the given labels decide every vertex";
    return Block(b.rows(), b.columns());
  }
  Block x;
  const Stopwatch watch;
  options.columns = b.columns();
  FirstSolve first = make_solver_and_solve(
      std::make_shared<const GroundedLaplacian>(std::move(system)), options, b, x, run);
  report.solver = std::move(first.report);
  report.score_error = estimated_score_error(report.solver);
  report.setup_seconds += first.setup_seconds;
  report.solve_seconds += watch.seconds() - first.setup_seconds;
  if (prepared != nullptr) *prepared = std::move(first.solver);
  return x;
}

void rescale_mass(Fit& fit, const LabeledSet& labeled, std::vector<double> proportion) {
  Block& scores = fit.scores.values;
  const auto inferred = [&](std::int64_t v) {
    return is_found(fit.scores.status[static_cast<std::size_t>(v)]);
  };
  std::vector<double> mass(proportion.size(), 0.0);
  bool any = false;
  for (std::int64_t v = 0; v < scores.rows(); ++v) {
    if (!inferred(v)) continue;
    any = true;
    for (std::size_t c = 0; c < mass.size(); ++c)
      mass[c] += scores(v, static_cast<std::int64_t>(c));
  }
  if (!any) return;
  for (std::size_t c = 0; c < mass.size(); ++c) {
    if (mass[c] > 0.0) {
      proportion[c] /= mass[c];
    } else if (proportion[c] > 0.0) {
      fit.report.warnings.push_back("class '" + labeled.class_names()[c] +
                                    "' has no mass to rescale: no inferred vertex leans to it");
    }
  }
  for (std::int64_t v = 0; v < scores.rows(); ++v) {
    if (!inferred(v)) continue;
    const std::span<double> row = scores.row(v);
    const double sum = std::inner_product(row.begin(), row.end(), proportion.begin(), 0.0);
    if (!(sum > 0.0)) continue;  // every class it leans to has proportion 0: left as it is
    for (std::size_t c = 0; c < row.size(); ++c) row[c] *= proportion[c] / sum;
  }
  judge_inferred(fit, labeled);
}

void warn_of_uneven_labels(const LabeledSet& labeled, MassRule mass, Report& report) {
  if (mass != MassRule::cmn) return;
  const std::string uneven = uneven_labels(labeled);
  if (uneven.empty()) return;
  report.warnings.push_back(uneven +
                            ", and mass=cmn takes that for the shares of the classes: give these "
                            "with mass=priors, or use auto");
}

void mark_ties(Scores& scores) {
  if (scores.values.columns() < 2) return;
  for (std::size_t v = 0; v < scores.status.size(); ++v) {
    if (scores.status[v] != VertexStatus::inferred) continue;
    const auto row = std::as_const(scores.values).row(static_cast<std::int64_t>(v));
    if (std::ranges::count(row, std::ranges::max(row)) > 1) scores.status[v] = VertexStatus::tied;
  }
}

void judge_inferred(Fit& fit, const LabeledSet& labeled) {
  std::ranges::replace(fit.scores.status, VertexStatus::tied, VertexStatus::inferred);
  const std::vector<double> before = std::move(fit.confidence);
  const std::vector<int> decided = std::exchange(fit.decision, fit.scores.decide());
  fit.confidence = fit.scores.confidence();
  mark_unfinished(fit, labeled, GivenLabels::hard);
  mark_ties(fit.scores);
  for (const VertexId v : labeled.vertices()) {
    fit.confidence[static_cast<std::size_t>(v)] = before[static_cast<std::size_t>(v)];
    fit.decision[static_cast<std::size_t>(v)] = decided[static_cast<std::size_t>(v)];
  }
}

std::vector<double> mass_proportions(const LabeledSet& labeled, MassRule mass,
                                     const std::vector<double>& priors) {
  if (mass == MassRule::priors) return priors;
  if (mass != MassRule::cmn) return {};
  std::vector<double> frequency(static_cast<std::size_t>(labeled.class_count()), 0.0);
  for (const int c : labeled.class_of()) frequency[static_cast<std::size_t>(c)] += 1.0;
  for (double& f : frequency) f /= static_cast<double>(labeled.size());
  return frequency;
}

void rescale_mass(Fit& fit, const LabeledSet& labeled, MassRule mass,
                  const std::vector<double>& priors, const RunContext& run) {
  if (mass == MassRule::shares) meet_shares(fit, labeled, priors, run);
  warn_of_uneven_labels(labeled, mass, fit.report);
  std::vector<double> proportion = mass_proportions(labeled, mass, priors);
  if (!proportion.empty()) rescale_mass(fit, labeled, std::move(proportion));
}

// Written with ratios to the least distance, which never overflow.
void inverse_distance_shares(std::span<double> row) {
  const double least = *std::ranges::min_element(row);
  if (least == std::numeric_limits<double>::infinity())
    return;  // unreached: finish_fit makes it zero
  double sum = 0.0;
  for (double& value : row) {
    value = value == least ? 1.0 : least / value;
    sum += value;
  }
  for (double& value : row) value /= sum;
}

Fit finish_fit(Block scores, std::vector<VertexStatus> status, const LabeledSet& labeled,
               GivenLabels given, Report report) {
  Fit fit;
  for (std::int64_t v = 0; v < scores.rows(); ++v) {
    const std::span<double> row = scores.row(v);
    if (status[static_cast<std::size_t>(v)] == VertexStatus::unreached) std::ranges::fill(row, 0.0);
    for (const double value : row) {
      if (!std::isfinite(value)) {
        throw Error(ErrorCode::bad_data, "score of vertex " + std::to_string(v) +
                                             " is not finite: edge weights span more than a double "
                                             "can hold; rescale them");
      }
    }
  }
  fit.scores.values = std::move(scores);
  fit.scores.status = std::move(status);
  fit.report = std::move(report);
  fit.class_names = labeled.class_names();
  if (!labeled.is_regression() && labeled.class_count() == 1)
    fit.report.warnings.push_back("all labels are of class '" + labeled.class_names().front() +
                                  "': every vertex they reach gets it, and a confidence of 1 tells "
                                  "nothing; give labels of another class");
  judge(fit, labeled, given);
  mark_unfinished(fit, labeled, given);
  mark_ties(fit.scores);
  return fit;
}

}  // namespace gssl::detail
