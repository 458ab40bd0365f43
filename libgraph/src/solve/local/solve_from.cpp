#include "gssl/solve/solve_from.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "gssl/core/error.hpp"
#include "gssl/core/index.hpp"
#include "gssl/core/number_text.hpp"
#include "gssl/core/parallel.hpp"
#include "gssl/linalg/residual.hpp"
#include "region.hpp"

namespace gssl {
namespace {

using namespace solve;

// Of the square of what is allowed, what all rows that are left alone may hold together; and where
// that leaves more than so many rows, since the old answer was no nearer than it had to be.
constexpr double left_alone = 0.5;
constexpr double few_rows = 0.02;
constexpr double most_left_alone = 0.95;
// A region is solved this much nearer than is asked of the whole.
constexpr double nearer = 0.1;
// Rounds that are worth less than this factor will not end soon.
constexpr double least_gain_of_round = 0.5;
// Growth at first, and from one round to the next at most.
constexpr std::int64_t first_hops = 4;
constexpr std::int64_t most_hops = 4;
// The rows of a region, forecast as of a disk, may be that many times what is allowed.
constexpr double most_promised = 3.0;
constexpr int most_global_rounds = 4;
// An answer of a larger residual, relative to b, is worth less than none: its digits cancel.
constexpr double most_wrong = 1e8;

Block without_column(const Block& x, std::int64_t out) {
  Block rest(x.rows(), x.columns() - 1);
  for (std::int64_t v = 0; v < x.rows(); ++v)
    for (std::int64_t k = 0, to = 0; k < x.columns(); ++k)
      if (k != out) rest(v, to++) = x(v, k);
  return rest;
}

// The correction of one answer, from its residual to its end.
class Correction {
 public:
  Correction(std::shared_ptr<const GroundedLaplacian> system, const SolveFromOptions& options,
             const Block& b, Block& x, const RunContext& run)
      : system_(std::move(system)), options_(options), b_(b), x_(x), run_(run) {
    targets_ = column_norms(b, threads());
    norms_of_b_ = targets_;
    for (std::size_t j = 0; j < targets_.size(); ++j)
      if (targets_[j] == 0.0)
        for (std::int64_t v = 0; v < x.rows(); ++v) x.row(v)[j] = 0.0;
    for (double& target : targets_) target *= options.solver.tolerance;
    norms_ = residual(*system_, b_, x_, r_, threads());
    const auto finite = [](double norm) { return std::isfinite(norm); };
    if (std::ranges::all_of(norms_, finite) && relative() <= most_wrong) return;
    x_ = Block(x.rows(), x.columns());
    norms_ = residual(*system_, b_, x_, r_, threads());
  }

  SolveFromReport run() {
    report_.solve.requested = to_string(options_.solver.kind);
    report_.solve.used = "local";
    report_.first_residual = relative();
    if (!solve_in_regions()) {
      report_.global = true;
      solve_globally();
    }
    conclude();
    return std::move(report_);
  }

 private:
  int threads() const { return run_.thread_count(); }
  double worst() const { return worst_ratio(norms_, targets_); }
  double relative() const {
    double largest = 0.0;
    for (std::size_t j = 0; j < norms_.size(); ++j)
      if (norms_[j] > 0.0)
        largest = std::max(largest, norms_of_b_[j] > 0.0 ? norms_[j] / norms_of_b_[j] : HUGE_VAL);
    return largest;
  }
  double weight_of(VertexId v) const;
  void weigh_all();
  std::vector<VertexId> large_rows(double share) const;
  void solve_region(Region& region);
  bool solve_in_regions();
  void solve_globally();
  // Rows of components without ground stay zero.
  bool is_held(VertexId v) const {
    return system_->singular_count() == 0 ||
           !system_->singular()[index(system_->components().of[index(v)])];
  }
  std::int64_t column_left() const;
  double global_tolerance(std::int64_t left) const;
  void apply(const Block& change, std::int64_t left, const SolveReport& one);
  void conclude();

  std::shared_ptr<const GroundedLaplacian> system_;
  const SolveFromOptions& options_;
  const Block& b_;
  Block& x_;
  const RunContext& run_;
  Block r_;
  std::vector<double> norms_, targets_, norms_of_b_;
  std::vector<double> weight_;  // of each row, while there are regions
  SolveFromReport report_;
};

// The share that row v has in the square of what is allowed, in its worst column.
double Correction::weight_of(VertexId v) const {
  double largest = 0.0;
  const std::span<const double> row = r_.row(v);
  for (std::size_t j = 0; j < row.size(); ++j) {
    if (row[j] == 0.0) continue;
    const double ratio = row[j] / targets_[j];
    largest = std::max(largest, ratio * ratio);
  }
  return std::min(largest, 1e300);
}

void Correction::weigh_all() {
  weight_.resize(index(system_->size()));
  parallel_blocks(system_->size(), threads(), [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t v = begin; v < end; ++v)
      weight_[index(v)] = weight_of(static_cast<VertexId>(v));
  });
}

// The rows of largest weight, so that the others together weigh at most `share`, ascending.
std::vector<VertexId> Correction::large_rows(double share) const {
  // Sums by the power of two of the weight; what is below the first power never matters.
  constexpr int first = -120, count = 400;
  const auto bin = [](double w) { return std::clamp(std::ilogb(w) - first, 0, count - 1); };
  std::array<double, count> sums{};
  for (const double w : weight_)
    if (w > 0.0) sums[index(bin(w))] += w;
  int cut = 0;
  for (double sum = 0.0; cut < count && sum + sums[index(cut)] <= share; ++cut)
    sum += sums[index(cut)];
  std::vector<VertexId> rows;
  for (VertexId v = 0; v < system_->size(); ++v)
    if (weight_[index(v)] > 0.0 && bin(weight_[index(v)]) >= cut) rows.push_back(v);
  return rows;
}

// x += δ with A δ = r on the region and δ = 0 outside; the residual changes there and on the rim.
void Correction::solve_region(Region& region) {
  const auto local = std::make_shared<const GroundedLaplacian>(region.local_system());
  const std::vector<VertexId>& rows = region.rows();
  Block b(local->size(), b_.columns()), change;
  for (std::size_t i = 0; i < rows.size(); ++i)
    std::ranges::copy(r_.row(rows[i]), b.row(static_cast<std::int64_t>(i)).begin());
  SolverOptions options = options_.solver;
  options.tolerance = 0.5;
  const std::vector<double> norms = column_norms(b, threads());
  for (std::size_t j = 0; j < norms.size(); ++j)
    if (norms[j] > 0.0)
      options.tolerance = std::min(options.tolerance, nearer * targets_[j] / norms[j]);
  options.tolerance = std::max(options.tolerance, options_.solver.tolerance);
  options.columns = b.columns();
  options.estimates_error = false;
  SolveReport one = make_solver_and_solve(local, options, b, change, run_).report;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::span<double> row = x_.row(rows[i]);
    const std::span<const double> by = change.row(static_cast<std::int64_t>(i));
    for (std::size_t j = 0; j < row.size(); ++j) row[j] += by[j];
  }
  report_.solve.iterations += one.iterations;
  if (ended_by_run(one.outcome)) report_.solve.outcome = one.outcome;
  ++report_.rounds;
  report_.largest_region = std::max(report_.largest_region, local->size());

  std::vector<VertexId> touched = region.rim();
  touched.insert(touched.end(), rows.begin(), rows.end());
  parallel_blocks(std::ssize(touched), threads(), [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      const VertexId v = touched[index(i)];
      const std::span<double> row = r_.row(v);
      system_->apply_rows(x_.data(), r_.data(), x_.columns(), v, v + 1);
      for (std::size_t j = 0; j < row.size(); ++j) row[j] = b_.row(v)[j] - row[j];
      weight_[index(v)] = weight_of(v);
    }
  });
  norms_ = column_norms(r_, threads());
}

// False where the whole system is to be solved.
bool Correction::solve_in_regions() {
  if (worst() <= 1.0) return true;
  const auto most = static_cast<std::int64_t>(options_.most_rows * system_->size());
  if (options_.most_rows == 0.0) return false;
  weigh_all();
  Region region(*system_);
  const double promised = most_promised * static_cast<double>(most);
  std::int64_t hops = first_hops, reach = 0;
  while (worst() > 1.0) {
    if (run_.should_stop()) return true;
    std::vector<VertexId> large = large_rows(left_alone);
    if (static_cast<double>(large.size()) > few_rows * system_->size())
      large = large_rows(most_left_alone);
    if (report_.rounds == 0) report_.changed_rows = static_cast<VertexId>(large.size());
    if (!region.grow(large, hops, most)) return false;
    const double before = worst();
    const auto rows = static_cast<double>(region.rows().size());
    solve_region(region);
    run_.report_progress("local solve, residual " + to_brief_text(relative()));
    if (report_.solve.outcome != Outcome::converged) return true;
    const double gain = worst() / before;
    if (worst() <= 1.0) break;
    if (gain > least_gain_of_round && report_.rounds > 1) return false;
    // A region that reaches as far again gains as many digits again.
    const auto reached = static_cast<double>(reach += hops);
    const double more = static_cast<double>(hops) * std::log(1.0 / worst()) / std::log(gain);
    if (!(more >= 0.0) || rows * std::pow((reached + more) / reached, 2.0) > promised) return false;
    hops = std::clamp(static_cast<std::int64_t>(std::ceil(more)), hops, most_hops * hops);
  }
  return true;
}

// The column that is left out where the whole is solved, of the largest right-hand side, or −1.
std::int64_t Correction::column_left() const {
  if (!options_.sums_to_one || x_.columns() < 2) return -1;
  return std::ranges::max_element(norms_of_b_) - norms_of_b_.begin();
}

// How near the columns that are solved must come, relative to what they leave now.
double Correction::global_tolerance(std::int64_t left) const {
  double tolerance = 0.5, others = 0.0;
  for (std::size_t j = 0; j < norms_.size(); ++j) {
    if (std::cmp_equal(j, left)) continue;
    others += targets_[j];
    if (norms_[j] > 0.0) tolerance = std::min(tolerance, 0.9 * targets_[j] / norms_[j]);
  }
  // What they leave adds up in the one that is left out.
  if (left >= 0 && others > 0.0) tolerance *= std::min(1.0, targets_[index(left)] / others);
  return std::max(tolerance, options_.solver.tolerance);
}

// For the digits that are missing, and once more where that did not reach.
void Correction::solve_globally() {
  report_.largest_region = system_->size();
  const std::int64_t left = column_left();
  std::unique_ptr<LinearSolver> solver;
  double before = HUGE_VAL;
  for (int round = 0; round < most_global_rounds && worst() > 1.0; ++round) {
    if (run_.should_stop() || !(worst() < 0.5 * before)) break;
    before = worst();
    if (left >= 0) r_ = without_column(r_, left);
    SolverOptions options = options_.solver;
    options.tolerance = global_tolerance(left);
    options.columns = r_.columns();
    options.estimates_error = false;
    Block change;
    SolveReport one;
    if (solver == nullptr) {
      FirstSolve first = make_solver_and_solve(system_, options, r_, change, run_);
      solver = std::move(first.solver);
      one = std::move(first.report);
    } else {
      one = solver->solve(r_, change, run_);
    }
    ++report_.rounds;
    apply(change, left, one);
    if (report_.solve.outcome != Outcome::converged) break;
  }
}

void Correction::apply(const Block& change, std::int64_t left, const SolveReport& one) {
  parallel_blocks(x_.rows(), threads(), [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t v = begin; v < end; ++v) {
      double sum = 0.0;
      for (std::int64_t j = 0, from = 0; j < x_.columns(); ++j)
        if (j != left) sum += x_(v, j) += change(v, from++);
      if (left >= 0 && is_held(static_cast<VertexId>(v))) x_(v, left) = 1.0 - sum;
    }
  });
  norms_ = residual(*system_, b_, x_, r_, threads());
  report_.solve.method = one.method;
  report_.solve.used = one.used;
  report_.solve.iterations += one.iterations;
  if (ended_by_run(one.outcome) || (one.outcome == Outcome::iteration_limit && worst() > 1.0))
    report_.solve.outcome = one.outcome;
}

void Correction::conclude() {
  SolveReport& solve = report_.solve;
  // Regions changed a few rows at a time: all of it is looked at once more.
  if (!report_.global && report_.rounds > 0) norms_ = residual(*system_, b_, x_, r_, threads());
  solve.relative_residual = relative();
  if (worst() <= 1.0)
    solve.outcome = Outcome::converged;
  else if (const auto why = run_.stop())
    solve.outcome = *why;
  else if (solve.outcome == Outcome::converged)
    solve.outcome = Outcome::breakdown;
  std::string& text = solve.sentence;
  text = "from an earlier answer at relative residual " + to_brief_text(report_.first_residual);
  if (report_.rounds == 0)
    text += ", which meets the tolerance";
  else if (report_.global)
    text += ", corrected on all rows by " + solve.used;
  else
    text += ", corrected on " + std::to_string(report_.largest_region) + " of " +
            std::to_string(system_->size()) + " rows in " + std::to_string(report_.rounds) +
            (report_.rounds == 1 ? " round" : " rounds");
  text += solve.outcome == Outcome::converged ? "; " : "; stopped before the tolerance at ";
  text += "relative residual " + to_brief_text(relative());
  report_.residual = std::move(r_);
}

void check(const std::shared_ptr<const GroundedLaplacian>& system, const Block& b, const Block& x) {
  if (system == nullptr)
    throw Error(ErrorCode::usage, "solver: a null system: must be a grounded Laplacian");
  if (b.rows() != system->size() || x.rows() != b.rows() || x.columns() != b.columns())
    throw Error(ErrorCode::usage,
                "earlier answer: " + std::to_string(x.rows()) + " x " +
                    std::to_string(x.columns()) + " numbers for a right-hand side of " +
                    std::to_string(b.rows()) + " x " + std::to_string(b.columns()) + " and " +
                    std::to_string(system->size()) + " vertices: must agree");
  const auto finite = [](double value) { return std::isfinite(value); };
  if (!std::ranges::all_of(b.values(), finite) || !std::ranges::all_of(x.values(), finite))
    throw Error(ErrorCode::bad_data, "earlier answer: a number is not finite");
}

}  // namespace

void SolveFromOptions::validate() const {
  solver.validate();
  if (!(most_rows >= 0.0 && most_rows <= 1.0))
    throw Error(ErrorCode::usage,
                "solver: option most_rows=" + to_text(most_rows) + ": must be a number in [0, 1]");
}

SolveFromReport solve_from(const std::shared_ptr<const GroundedLaplacian>& system,
                           const SolveFromOptions& options, const Block& b, Block& x,
                           const RunContext& run) {
  options.validate();
  check(system, b, x);
  return Correction(system, options, b, x, run).run();
}

}  // namespace gssl
