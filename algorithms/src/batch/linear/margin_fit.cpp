#include "batch/linear/margin_fit.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "batch/linear/design.hpp"
#include "gssl/core/error.hpp"
#include "gssl/core/number_text.hpp"
#include "gssl/core/parallel.hpp"
#include "gssl/core/stopwatch.hpp"

namespace gssl::detail {

namespace {

// Coordinate descent wants rows in random order, Newton's method in any.
std::vector<std::int32_t> row_order(VertexId rows, bool random, Rng rng) {
  std::vector<std::int32_t> order(static_cast<std::size_t>(rows));
  std::iota(order.begin(), order.end(), 0);
  if (random) shuffle(order, rng);
  return order;
}

// What walks over finite numbers alone: squares and costs must be so.
void check_sizes(const MarginFit& fit, const Dataset& data) {
  double square = 0.0;
  for (const float x : data.points.floats()) square += double{x} * x;
  for (const double x : data.points.doubles()) square += x * x;
  double weight = 0.0;
  for (VertexId r = 0; r < data.points.rows(); ++r) weight += data.weight(r);
  if (!std::isfinite(square * std::max(1.0, fit.c * weight)))
    throw Error(ErrorCode::bad_data,
                fit.learner +
                    ": values whose squares overflow: divide the columns by their "
                    "largest values");
}

class ClassProblems {
 public:
  ClassProblems(const MarginFit& fit, const Dataset& data, const RunContext& run)
      : fit_(fit),
        data_(data),
        order_(row_order(data.points.rows(), fit.dual, run.rng())),
        rows_(data.points, order_) {
    rows_.keep_columns();
  }

  // Class `k` from all others.
  MarginSolution solve(int k, const RunContext& run) const {
    MarginProblem problem;
    problem.rows = &rows_;
    problem.loss = fit_.loss;
    problem.bias = fit_.bias;
    for (const std::int32_t r : order_) {
      problem.sign.push_back(data_.targets.class_of()[static_cast<std::size_t>(r)] == k ? 1.0
                                                                                        : -1.0);
      problem.cost.push_back(fit_.c * data_.weight(r));
    }
    if (!fit_.dual) return newton(problem, fit_.options, run);
    const Rng rng = run.rng(std::uint64_t(k) + 1);
    return interior_suits() ? descend_or_walk_inside(problem, rng, run)
                            : descend_dual(problem, fit_.options, rng, run);
  }

 private:
  // Columns of different sizes, and a large C, take coordinate descent thousands of passes.
  static constexpr std::int64_t few_passes = 200;

  // Whether its steps cost no more than all passes that are allowed.
  bool interior_suits() const {
    constexpr double most_columns = 2000.0, steps = 25.0, wait_for_a_value = 3.0;
    if (!fit_.interior || fit_.options.passes <= few_passes) return false;
    double values = 0.0;
    for (std::int64_t i = 0; i < rows_.rows(); ++i)
      values += static_cast<double>(rows_.row(i).size);
    const auto columns = static_cast<double>(rows_.columns());
    return columns <= most_columns &&
           0.5 * steps * columns * columns * static_cast<double>(rows_.rows()) <=
               wait_for_a_value * static_cast<double>(fit_.options.passes) * values;
  }

  MarginSolution descend_or_walk_inside(const MarginProblem& problem, const Rng& rng,
                                        const RunContext& run) const {
    MarginOptions few = fit_.options;
    few.passes = few_passes;
    MarginSolution found = descend_dual(problem, few, rng, run);
    if (found.outcome != Outcome::iteration_limit) return found;
    MarginSolution inside = interior_point(problem, fit_.options, run);
    inside.interior = true;
    inside.passes += found.passes;
    if (inside.outcome == Outcome::converged) return inside;
    if (inside.outcome == Outcome::iteration_limit)
      found = descend_dual(problem, fit_.options, rng, run);
    else
      found.outcome = inside.outcome;
    return inside.gap < found.gap ? inside : found;
  }

  const MarginFit& fit_;
  const Dataset& data_;
  std::vector<std::int32_t> order_;
  TrainingRows rows_;
};

// Each class on a thread of its own; the answers do not depend on it.
std::vector<MarginSolution> solve_classes(const ClassProblems& problems,
                                          const std::vector<int>& classes, const RunContext& run) {
  std::vector<MarginSolution> solutions(classes.size());
  RunContext alone = run;
  if (classes.size() > 1) alone.threads = 1;
  alone.progress = {};
  run.report_progress("solving");
  parallel_blocks(
      static_cast<std::int64_t>(classes.size()), run.thread_count(),
      [&](std::int64_t at, std::int64_t) {
        solutions[static_cast<std::size_t>(at)] =
            problems.solve(classes[static_cast<std::size_t>(at)], alone);
      },
      1);
  return solutions;
}

void report_solutions(const std::vector<MarginSolution>& solutions, const MarginFit& fit,
                      Report& report) {
  Certificate objective{"objective", {}};
  Certificate gap{"duality_gap", {}};
  Certificate support{"support_vectors", {}};
  bool inside = false;
  for (const MarginSolution& solution : solutions) {
    objective.values.push_back(solution.objective);
    gap.values.push_back(solution.gap);
    support.values.push_back(static_cast<double>(solution.support));
    report.outcome = worse(report.outcome, solution.outcome);
    report.iterations = std::max(report.iterations, solution.passes);
    inside = inside || solution.interior;
  }
  report.certificates = {std::move(objective), std::move(gap)};
  if (fit.loss != MarginLoss::logistic) report.certificates.push_back(std::move(support));
  report.used = inside     ? "dual coordinate descent, then interior points"
                : fit.dual ? "dual coordinate descent"
                           : "Newton";
  report.sentence = report.used + ", " + std::to_string(report.iterations) +
                    (fit.dual ? " passes: " : " steps: ") + std::string(to_string(report.outcome));
  if (report.outcome == Outcome::iteration_limit)
    report.warnings.push_back(
        fit.learner + ": " + std::to_string(report.iterations) + (fit.dual ? " passes" : " steps") +
        " did not suffice, as where columns differ in size: standardize the columns" +
        (fit.dual && fit.loss == MarginLoss::hinge
             ? ", or take loss=squared-hinge, whose Newton steps do not mind"
             : ", or allow more by passes"));
}

// Where one class alone has rows: f = ±1 for every row.
Trained constant_model(const MarginFit& fit, const Dataset& data,
                       std::vector<std::int32_t> learned) {
  const std::size_t pairs = learned.size() <= 2 ? 1 : learned.size();
  LinearFit linear{Block(data.points.columns(), static_cast<std::int64_t>(pairs)),
                   std::vector<double>(pairs, -1.0)};
  for (std::size_t k = 0; k < learned.size(); ++k)
    if (learned[k] != 0 && (pairs > 1 || k + 1 == learned.size()))
      linear.bias[pairs > 1 ? k : 0] = 1.0;
  Trained trained;
  trained.report.used = "none";
  trained.report.sentence = "rows of one class only: it is decided for everywhere";
  trained.report.warnings.push_back(fit.learner +
                                    ": rows of one class only: every row will be "
                                    "called that");
  trained.model =
      std::make_unique<LinearModel>(fit.learner, fit.kind, std::move(linear), std::move(learned));
  return trained;
}

}  // namespace

Trained fit_margins(const MarginFit& fit, const Dataset& data, const RunContext& run) {
  check_targets(fit.learner, data, true, false);
  const Stopwatch watch;
  Dataset storage;
  const Dataset& kept = with_weight(data, storage);
  check_sizes(fit, kept);
  std::vector<std::int32_t> learned = learned_classes(kept.targets);
  std::vector<int> present;
  for (std::size_t k = 0; k < learned.size(); ++k)
    if (learned[k] != 0) present.push_back(static_cast<int>(k));
  if (present.size() < 2) return constant_model(fit, kept, std::move(learned));
  if (learned.size() == 2) present = {1};

  const ClassProblems problems(fit, kept, run);
  Trained trained;
  trained.report.setup_seconds = watch.seconds();
  const std::vector<MarginSolution> solutions = solve_classes(problems, present, run);
  report_solutions(solutions, fit, trained.report);
  trained.report.solve_seconds = watch.seconds() - trained.report.setup_seconds;

  const std::size_t pairs = learned.size() == 2 ? 1 : learned.size();
  LinearFit linear{Block(kept.points.columns(), static_cast<std::int64_t>(pairs)),
                   std::vector<double>(pairs, 0.0)};
  for (std::size_t at = 0; at < present.size(); ++at) {
    const std::size_t pair = pairs == 1 ? 0 : static_cast<std::size_t>(present[at]);
    linear.bias[pair] = solutions[at].b;
    for (std::size_t c = 0; c < solutions[at].w.size(); ++c)
      linear.weights(static_cast<std::int64_t>(c), static_cast<std::int64_t>(pair)) =
          solutions[at].w[c];
  }
  const LinearKind kind =
      fit.kind == LinearKind::margin && pairs > 1 ? LinearKind::each_class : fit.kind;
  trained.model =
      std::make_unique<LinearModel>(fit.learner, kind, std::move(linear), std::move(learned));
  return trained;
}

}  // namespace gssl::detail
