#include "gssl/batch/ridge.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "batch/linear/left_out_rows.hpp"
#include "batch/linear/minimum_norm.hpp"
#include "gssl/batch/basis.hpp"
#include "gssl/core/error.hpp"
#include "gssl/core/number_text.hpp"
#include "gssl/core/option_binding.hpp"
#include "gssl/core/stopwatch.hpp"

namespace gssl {

namespace {

using detail::Design;
using detail::SquareSolution;

const OptionBinding<RidgeOptions>& ridge_options() {
  static const auto options =
      OptionBinding<RidgeOptions>("ridge")
          .choice(&RidgeOptions::bias, "bias", bias_names(),
                  "a constant b: none, regularized like the weights, or free of the penalty")
          .choice(&RidgeOptions::solver, "solver",
                  {{RidgeSolver::automatic, "automatic"},
                   {RidgeSolver::primal, "primal"},
                   {RidgeSolver::dual, "dual"},
                   {RidgeSolver::iterative, "iterative"}},
                  "how the normal equations are solved; automatic: by cost")
          .real(&RidgeOptions::tolerance, "tolerance", {.low = 0.0, .high = 1.0, .low_open = true},
                "iterative solver: relative norm of the gradient to reach")
          .integer(&RidgeOptions::steps, "steps", {.low = 1}, "iterative solver: at most so many");
  return options;
}

const OptionBinding<LeastSquaresOptions>& least_squares_options() {
  static const auto options =
      OptionBinding<LeastSquaresOptions>("least-squares")
          .choice(&LeastSquaresOptions::bias, "bias", bias_names(),
                  "a constant b: none, one whose square counts in the norm, or free of it")
          .real(&LeastSquaresOptions::tolerance, "tolerance",
                {.low = 0.0, .high = 1.0, .low_open = true},
                "sparse rows of many columns: relative norm of the gradient to reach")
          .integer(&LeastSquaresOptions::steps, "steps", {.low = 1},
                   "sparse rows of many columns: at most so many");
  return options;
}

// Dense systems of more than so many unknowns are not made of sparse rows.
constexpr std::int64_t largest_sparse_gram = 4000;

// Of sparse rows: whether the copies that an orthogonal decomposition takes are small.
bool may_decompose(const Design& design) {
  if (!design.sparse()) return true;
  if (design.rows() >= design.columns()) return design.columns() <= 1000;
  return design.rows() <= 1000 && design.rows() * design.columns() <= 4'000'000;
}

RidgeSolver chosen(const Design& design, RidgeSolver asked) {
  if (asked != RidgeSolver::automatic) return asked;
  const auto cube = [](std::int64_t m) { return std::pow(static_cast<double>(m), 3.0) / 3.0; };
  const double primal = design.column_gram_cost() + cube(design.columns());
  const double dual = design.row_gram_cost() + cube(design.rows());
  const bool smaller = primal <= dual;
  const std::int64_t unknowns = smaller ? design.columns() : design.rows();
  if (design.sparse() && unknowns > largest_sparse_gram) return RidgeSolver::iterative;
  return smaller ? RidgeSolver::primal : RidgeSolver::dual;
}

SquareSolution solve(const Design& design, const RidgeOptions& options, const RunContext& run) {
  if (options.lambda > 0.0) {
    const RidgeSolver solver = chosen(design, options.solver);
    std::optional<SquareSolution> direct;
    if (solver == RidgeSolver::primal) direct = detail::solve_primal(design, options.lambda, run);
    if (solver == RidgeSolver::dual) direct = detail::solve_dual(design, options.lambda, run);
    if (direct) return *std::move(direct);
    if (solver != RidgeSolver::iterative && may_decompose(design))
      return detail::minimum_norm(design, options.lambda, run);
  } else if (may_decompose(design)) {
    return detail::minimum_norm(design, 0.0, run);
  }
  return detail::solve_iteratively(design, options.lambda, options.tolerance, options.steps, run);
}

std::string sentence(const Design& design, const SquareSolution& solution) {
  std::string text = solution.report.used + " solver, " + std::to_string(design.rows()) +
                     " rows and " + std::to_string(design.columns()) + " columns";
  if (solution.rank) text += " of rank " + std::to_string(*solution.rank);
  if (solution.report.used == "iterative")
    text += ", " + std::to_string(solution.report.iterations) +
            " steps: " + std::string(to_string(solution.report.outcome));
  return text;
}

// The λ of the path with the least leave-one-out error; the path itself is told.
double choose_on_path(const RidgePath& path, Report& report) {
  std::vector<double> grid = path.grid(), errors, freedom;
  for (const double lambda : grid) {
    errors.push_back(path.leave_one_out_mean_square(lambda));
    freedom.push_back(path.degrees_of_freedom(lambda));
  }
  const double best =
      grid[static_cast<std::size_t>(std::ranges::min_element(errors) - errors.begin())];
  report.certificates.push_back({"lambda", {best}});
  report.certificates.push_back({"path_lambda", std::move(grid)});
  report.certificates.push_back({"path_leave_one_out_mse", std::move(errors)});
  report.certificates.push_back({"path_degrees_of_freedom", std::move(freedom)});
  return best;
}

Trained fit_squares(const std::string& learner, RidgeOptions options, const Dataset& data,
                    const RunContext& run) {
  const Stopwatch watch;
  Dataset storage;
  const Dataset& kept = detail::with_weight(data, storage);
  Trained trained;
  if (options.choose_lambda) {
    options.lambda = choose_on_path(RidgePath(kept, options.bias, run), trained.report);
  }
  const Design design(kept, options.bias);
  trained.report.setup_seconds = watch.seconds();
  const SquareSolution solution = solve(design, options, run);
  Report& report = trained.report;
  take_solve(report, solution.report);
  report.requested = "automatic";
  report.sentence = (options.choose_lambda ? "lambda " + to_brief_text(options.lambda) +
                                                 " has the least leave-one-out error; "
                                           : "") +
                    sentence(design, solution);
  if (solution.rank) report.certificates.push_back({"rank", {double(*solution.rank)}});
  if (solution.leverage.size() > 0)
    detail::certify_left_out(design, kept.targets,
                             design.targets() - design.times(solution.v, run.thread_count()),
                             solution.leverage, report);
  report.solve_seconds = watch.seconds() - report.setup_seconds;
  const bool classes = !kept.targets.is_regression();
  trained.model = std::make_unique<LinearModel>(
      learner, classes ? LinearKind::each_class : LinearKind::value, design.finish(solution.v),
      classes ? detail::learned_classes(kept.targets) : std::vector<std::int32_t>{});
  return trained;
}

// A number ≥ 0, or "path".
RidgeOptions read_options(const OptionValues& values) {
  RidgeOptions options = ridge_options().from(values);
  const std::string& lambda = values.text("lambda");
  if (lambda == "path") {
    options.choose_lambda = true;
    return options;
  }
  const std::optional<double> number = parse_number<double>(lambda);
  if (!number || !std::isfinite(*number) || *number < 0.0)
    throw Error(ErrorCode::usage,
                "ridge: option lambda=" + lambda + ": must be a number ≥ 0, or path");
  options.lambda = *number;
  return options;
}

}  // namespace

void RidgeOptions::validate() const {
  if (!(lambda >= 0.0) || !std::isfinite(lambda))
    throw Error(ErrorCode::usage,
                "ridge: option lambda=" + to_text(lambda) + ": must be a number ≥ 0");
  ridge_options().validate(*this);
}

RidgeLearner::RidgeLearner(RidgeOptions options) : options_(options) { options_.validate(); }

Trained RidgeLearner::fit(const Dataset& data, const RunContext& run) const {
  return fit_squares("ridge", options_, data, run);
}

void LeastSquaresOptions::validate() const { least_squares_options().validate(*this); }

LeastSquaresLearner::LeastSquaresLearner(LeastSquaresOptions options) : options_(options) {
  options_.validate();
}

Trained LeastSquaresLearner::fit(const Dataset& data, const RunContext& run) const {
  RidgeOptions options;
  options.lambda = 0.0;
  options.bias = options_.bias;
  options.tolerance = options_.tolerance;
  options.steps = options_.steps;
  return fit_squares("least-squares", options, data, run);
}

LearnerEntry ridge_entry() {
  LearnerEntry entry;
  entry.name = "ridge";
  entry.summary = "least squares with a penalty on the weights; lambda=path chooses it";
  entry.reference =
      "A. Hoerl, R. Kennard. Ridge regression. Technometrics 12, 1970, "
      "doi:10.1080/00401706.1970.10488634";
  entry.options.text("lambda", "1",
                     "weight of the penalty λ‖w‖², a number ≥ 0; path: of a grid that with the "
                     "least leave-one-out error");
  entry.options.add(ridge_options().table());
  entry.traits.regression = true;
  entry.make_inductive = [](const OptionValues& values) {
    return std::make_unique<RidgeLearner>(read_options(values));
  };
  entry.load_model = [](const Record& record) { return LinearModel::load("ridge", record); };
  return with_basis(std::move(entry));
}

LearnerEntry least_squares_entry() {
  LearnerEntry entry;
  entry.name = "least-squares";
  entry.summary = "linear regression; of all best weights those of the least norm";
  entry.reference =
      "Å. Björck. Numerical Methods for Least Squares Problems. SIAM 1996, "
      "doi:10.1137/1.9781611971484";
  entry.options = least_squares_options().table();
  entry.traits.regression = true;
  entry.make_inductive = [](const OptionValues& values) {
    return std::make_unique<LeastSquaresLearner>(least_squares_options().from(values));
  };
  entry.load_model = [](const Record& record) {
    return LinearModel::load("least-squares", record);
  };
  return with_basis(std::move(entry));
}

}  // namespace gssl
