#include "gssl/solve/solve_from.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <span>
#include <string>
#include <utility>

#include "gssl/core/error.hpp"
#include "gssl/core/index.hpp"
#include "gssl/core/number_text.hpp"
#include "gssl/core/parallel.hpp"
#include "gssl/linalg/residual.hpp"
#include "network_residual.hpp"
#include "region.hpp"
#include "solve/method/reduced_solver.hpp"

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
// A region of more than few_rows that would grow too large within half the hops that are forecast is
// not begun.
constexpr double least_of_hops = 0.5;
// Of the pages of the answer, how many are copied one by one as they change.
constexpr double few_pages = 0.125;
constexpr int most_global_rounds = 4;
// An answer of a larger residual, relative to b, is worth less than none: its digits cancel.
constexpr double most_wrong = 1e8;

// The correction of one answer, from its residual to its end.
class Correction {
 public:
  Correction(const NetworkProblem& problem, const SolveFromOptions& options, Block& x,
             const RunContext& run)
      : options_(options),
        x_(x),
        run_(run),
        left_(options.sums_to_one && x.columns() > 1 ? x.columns() - 1 : -1),
        network_(problem, x, options.solver.tolerance, run) {
    if (left_ >= 0) network_.ignore(left_);
    for (const VertexId v : network_.unreached()) clear_row(v);
    clear_columns_without_b();
    network_.measure(x_);
    const double left = relative();
    if (std::isfinite(left) && left <= most_wrong) return;
    for (VertexId v = 0; v < network_.size(); ++v) {
      if (!network_.is_free(v)) continue;
      clear_row(v);
      if (left_ >= 0) x_(v, left_) = 1.0;
    }
    network_.measure(x_);
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
  double worst() const { return network_.worst(); }
  double relative() const { return options_.solver.tolerance * worst(); }
  void clear_row(VertexId v);
  void clear_columns_without_b();
  std::vector<VertexId> large_rows(double share) const;
  Block residual_on(const std::vector<VertexId>& rows) const;
  void add(const Block& change, const std::vector<VertexId>& rows);
  void own_where_many(const std::vector<VertexId>& rows);
  bool would_be_too_large(const Region& region, double seeds, std::int64_t hops, double most) const;
  void solve_region(Region& region);
  bool solve_in_regions();
  void solve_globally();
  double global_tolerance() const;
  void conclude();

  const SolveFromOptions& options_;
  Block& x_;
  const RunContext& run_;
  const std::int64_t left_;  // the column that is what the others leave, or −1
  NetworkResidual network_;
  SolveFromReport report_;
};

// Rows that are zero already are not written to.
void Correction::clear_row(VertexId v) {
  const std::span<double> row = x_.row(v);
  if (std::ranges::any_of(row, [](double value) { return value != 0.0; }))
    std::ranges::fill(row, 0.0);
}

void Correction::clear_columns_without_b() {
  const std::vector<double>& norms = network_.norms_of_b();
  for (std::size_t j = 0; j < norms.size(); ++j) {
    if (norms[j] > 0.0) continue;
    for (VertexId v = 0; v < network_.size(); ++v)
      if (double& value = x_.row(v)[j]; network_.is_free(v) && value != 0.0) value = 0.0;
  }
}

// e of 2ᵉ ≤ w < 2ᵉ⁺¹, for w > 0 that is not subnormal; less than −1000 for one that is.
int exponent_of(double w) {
  constexpr int mantissa_bits = 52, bias = 1023;
  return static_cast<int>(std::bit_cast<std::uint64_t>(w) >> mantissa_bits) - bias;
}

// The rows of largest weight, so that the others together weigh at most `share`, ascending.
std::vector<VertexId> Correction::large_rows(double share) const {
  // Sums by the power of two of the weight; all rows below the first power weigh nothing together.
  constexpr int first = -60, count = 340;
  const double least = std::ldexp(1.0, first);
  const auto bin = [](double w) { return std::clamp(exponent_of(w) - first, 0, count - 1); };
  struct Sums {
    std::array<double, count> of_bin{};
    void operator+=(const Sums& next) {
      for (std::size_t b = 0; b < count; ++b) of_bin[b] += next.of_bin[b];
    }
  };
  const Sums sums = network_.sum_weights<Sums>(least, [&](Sums& some, VertexId, double w) {
    if (w >= least) some.of_bin[index(bin(w))] += w;
  });
  int cut = 0;
  for (double sum = 0.0; cut < count && sum + sums.of_bin[index(cut)] <= share; ++cut)
    sum += sums.of_bin[index(cut)];
  struct Rows {
    std::vector<VertexId> all;
    void operator+=(const Rows& next) { all.insert(all.end(), next.all.begin(), next.all.end()); }
  };
  return network_
      .sum_weights<Rows>(std::ldexp(1.0, first + cut),
                         [&](Rows& some, VertexId v, double w) {
                           if (w >= least && bin(w) >= cut) some.all.push_back(v);
                         })
      .all;
}

// b − A x on some rows, of the columns that are solved for.
Block Correction::residual_on(const std::vector<VertexId>& rows) const {
  Block r(std::ssize(rows), x_.columns() - (left_ >= 0 ? 1 : 0));
  parallel_blocks(r.rows(), threads(), [&](std::int64_t begin, std::int64_t end) {
    std::vector<double> all(index(x_.columns()));
    for (std::int64_t i = begin; i < end; ++i) {
      network_.row(x_, rows[index(i)], all);
      std::copy_n(all.begin(), r.columns(), r.row(i).begin());
    }
  });
  return r;
}

void Correction::add(const Block& change, const std::vector<VertexId>& rows) {
  parallel_blocks(change.rows(), threads(), [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      const std::span<double> row = x_.row(rows[index(i)]);
      double sum = 0.0;
      for (std::int64_t j = 0; j < change.columns(); ++j) sum += row[index(j)] += change(i, j);
      if (left_ >= 0) row[index(left_)] = 1.0 - sum;
    }
  });
}

// Values that lie in a file are copied at once where `rows` touch many of its pages.
void Correction::own_where_many(const std::vector<VertexId>& rows) {
  constexpr std::int64_t numbers_of_page = 4096 / sizeof(double);
  std::int64_t pages = 0, last = -1;
  for (const VertexId v : rows) {
    const std::int64_t first = v * x_.columns() / numbers_of_page;
    const std::int64_t end = ((v + 1) * x_.columns() - 1) / numbers_of_page;
    pages += end - std::max(first, last + 1) + 1;
    last = end;
  }
  const auto all = static_cast<double>(x_.values().size()) / numbers_of_page;
  if (static_cast<double>(pages) > few_pages * all) x_.own_values();
}

// Whether a region that grew from `seeds` rows within `hops` will be too large before it reaches far
// enough: a current that loses the leak with each edge, and may turn back, falls by
// e^−acosh(1/(1 − leak)) a hop, and the region grows on as disks do. Small regions cost little and are
// tried; one without a rim is whole.
bool Correction::would_be_too_large(const Region& region, double seeds, std::int64_t hops,
                                    double most) const {
  const auto rows = static_cast<double>(region.rows().size());
  if (rows <= few_rows * network_.free_count()) return false;
  const double a_hop = std::acosh(1.0 / std::max(1.0 - network_.leak(), 1e-300));
  const double needed = least_of_hops * std::log(worst()) / a_hop;
  const double wider = (std::sqrt(rows / seeds) - 1.0) / static_cast<double>(hops);
  return wider > 0.0 && seeds * std::pow(1.0 + wider * needed, 2.0) > most && !region.rim().empty();
}

// x += δ with A δ = r on the region and δ = 0 outside; the residual changes there and on the rim.
void Correction::solve_region(Region& region) {
  const auto local = std::make_shared<const GroundedLaplacian>(region.system());
  const std::vector<VertexId>& rows = region.rows();
  const Block b = residual_on(rows);
  SolverOptions options = options_.solver;
  options.tolerance = 0.5;
  const std::vector<double> norms = column_norms(b, threads());
  const std::vector<double>& norms_of_b = network_.norms_of_b();
  for (std::size_t j = 0; j < norms.size(); ++j)
    if (norms[j] > 0.0)
      options.tolerance = std::min(options.tolerance,
                                   nearer * options_.solver.tolerance * norms_of_b[j] / norms[j]);
  options.tolerance = std::max(options.tolerance, options_.solver.tolerance);
  options.columns = b.columns();
  options.estimates_error = false;
  Block change;
  const SolveReport one = make_solver_and_solve(local, options, b, change, run_).report;
  own_where_many(rows);
  add(change, rows);
  report_.solve.iterations += one.iterations;
  if (ended_by_run(one.outcome)) report_.solve.outcome = one.outcome;
  ++report_.rounds;
  report_.largest_region = std::max(report_.largest_region, local->size());
  std::vector<VertexId> touched = region.rim();
  touched.insert(touched.end(), rows.begin(), rows.end());
  network_.measure(x_, touched);
}

// False where the whole system is to be solved.
bool Correction::solve_in_regions() {
  if (worst() <= 1.0) return true;
  const double n = network_.free_count();
  const auto most = static_cast<std::int64_t>(options_.most_rows * n);
  if (options_.most_rows == 0.0) return false;
  Region region(network_);
  const double promised = most_promised * static_cast<double>(most);
  std::int64_t hops = first_hops, reach = 0;
  while (worst() > 1.0) {
    if (run_.should_stop()) return true;
    std::vector<VertexId> large = large_rows(left_alone);
    if (static_cast<double>(large.size()) > few_rows * n) large = large_rows(most_left_alone);
    if (report_.rounds == 0) report_.changed_rows = static_cast<VertexId>(large.size());
    if (!region.grow(large, hops, most)) return false;
    const double before = worst();
    const auto rows = static_cast<double>(region.rows().size());
    if (report_.rounds == 0 &&
        would_be_too_large(region, static_cast<double>(large.size()), hops, promised))
      return false;
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

// How near the columns that are solved must come, relative to what they leave now.
double Correction::global_tolerance() const {
  double tolerance = 0.5;
  for (const double ratio : network_.ratios())
    if (ratio > 0.0) tolerance = std::min(tolerance, 0.9 / ratio);
  return std::max(tolerance, options_.solver.tolerance);
}

// For the digits that are missing, and once more where that did not reach.
void Correction::solve_globally() {
  Region all(network_);
  all.add_all();
  const auto system = std::make_shared<const GroundedLaplacian>(all.system());
  report_.largest_region = system->size();
  std::unique_ptr<LinearSolver> solver;
  double before = HUGE_VAL;
  for (int round = 0; round < most_global_rounds && worst() > 1.0; ++round) {
    if (run_.should_stop() || !(worst() < 0.5 * before)) break;
    before = worst();
    const Block r = residual_on(all.rows());
    SolverOptions options = options_.solver;
    options.tolerance = global_tolerance();
    options.columns = r.columns();
    options.estimates_error = false;
    Block change;
    SolveReport one;
    if (solver == nullptr) {
      FirstSolve first = make_solver_and_solve(system, options, r, change, run_);
      solver = std::move(first.solver);
      one = std::move(first.report);
    } else {
      one = solver->solve(r, change, run_);
    }
    ++report_.rounds;
    own_where_many(all.rows());
    add(change, all.rows());
    network_.measure(x_);
    report_.solve.method = one.method;
    report_.solve.used = one.used;
    report_.solve.iterations += one.iterations;
    if (ended_by_run(one.outcome) || (one.outcome == Outcome::iteration_limit && worst() > 1.0))
      report_.solve.outcome = one.outcome;
    if (report_.solve.outcome != Outcome::converged) break;
  }
}

void Correction::conclude() {
  SolveReport& solve = report_.solve;
  solve.relative_residual = relative();
  solve.outcome = concluded(solve.outcome, worst() <= 1.0, run_);
  std::string& text = solve.sentence;
  text = "from an earlier answer at relative residual " + to_brief_text(report_.first_residual);
  if (report_.rounds == 0 && solve.outcome == Outcome::converged)
    text += ", which meets the tolerance";
  else if (report_.rounds == 0)
    text += ", not corrected";
  else if (report_.global)
    text += ", corrected on all rows by " + solve.used;
  else
    text += ", corrected on " + std::to_string(report_.largest_region) + " of " +
            std::to_string(network_.free_count()) + " rows in " + std::to_string(report_.rounds) +
            (report_.rounds == 1 ? " round" : " rounds");
  text += solve.outcome == Outcome::converged ? "; " : "; stopped before the tolerance at ";
  text += "relative residual " + to_brief_text(relative());
  report_.unreached = network_.unreached();
  report_.error_bounds = network_.error_bounds();
}

}  // namespace

void SolveFromOptions::validate() const {
  solver.validate();
  if (!(most_rows >= 0.0 && most_rows <= 1.0))
    throw Error(ErrorCode::usage,
                "solver: option most_rows=" + to_text(most_rows) + ": must be a number in [0, 1]");
}

SolveFromReport solve_from(const NetworkProblem& problem, const SolveFromOptions& options, Block& x,
                           const RunContext& run) {
  options.validate();
  return Correction(problem, options, x, run).run();
}

}  // namespace gssl
