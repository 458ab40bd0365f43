#include "gssl/transductive/p_laplacian.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "gssl/core/error.hpp"
#include "gssl/core/number_text.hpp"
#include "gssl/core/progress.hpp"
#include "gssl/core/stopwatch.hpp"
#include "network/p_laplacian/energy_sum.hpp"
#include "network/p_laplacian/local_means.hpp"
#include "network/p_laplacian/p_energy.hpp"
#include "network/p_laplacian/tug_of_war.hpp"
#include "support/check_problem.hpp"
#include "support/finish_fit.hpp"
#include "support/given_rows.hpp"
#include "support/vertex_status.hpp"
#include "transductive/support/column_plan.hpp"
#include "transductive/support/learner_options.hpp"

namespace gssl {

namespace {

using Index = std::size_t;
using detail::NetworkPiece;

// What is found piece by piece, and for each column of the targets.
struct Findings {
  Block solved;  // one row for each free vertex
  std::vector<detail::EnergySum> energy;
  std::vector<double> error_bound;
  std::vector<double> p_mean_error = {};  // empty: p is not that large
  Outcome outcome = Outcome::converged;
  std::int64_t iterations = 0;
  SolveReport linear = {};
};

// Of many classes what was not finished decides nothing, and takes long to put together.
void end_if_stopped(Index classes, const RunContext& run) {
  if (classes > static_cast<Index>(detail::most_together))
    run.throw_if_stopped("p-laplacian", "before every class had its potentials");
}

// The columns to solve at a piece, and what the others follow from.
struct PieceColumns {
  std::vector<int> solve;
  int mirror = -1;  // the column that is 1 − the one solved; −1: none
};

// One against the rest; where two classes meet, each is the rest of the other.
PieceColumns columns_of(const NetworkPiece& piece, const LabeledSet& labeled) {
  if (labeled.is_regression()) return {{0}, -1};
  std::set<int> present;
  for (Index e = 0; e < piece.to.size(); ++e)
    if (!piece.inside(e)) present.insert(labeled.class_of()[piece.terminal(e)]);
  PieceColumns columns{{present.begin(), present.end()}, -1};
  if (present.size() == 2) {
    columns.mirror = columns.solve[1];
    columns.solve.pop_back();
  }
  return columns;
}

std::vector<double> column(const Block& block, int c) {
  std::vector<double> values(static_cast<Index>(block.rows()));
  for (std::int64_t r = 0; r < block.rows(); ++r) values[static_cast<Index>(r)] = block(r, c);
  return values;
}

// Solves the columns of pieces, one way or the other.
class PieceSolver {
 public:
  PieceSolver(const PLaplacianOptions& options, const NetworkPiece& piece, double largest_weight,
              int columns, const RunContext& run)
      : piece_(piece), run_(run), p_(options.p), tolerance_(options.tolerance) {
    if (options.form == PLaplacianForm::variational && std::isfinite(options.p)) {
      minimizer_ = std::make_unique<detail::PowerMinimizer>(
          piece,
          detail::PEnergyOptions{.p = options.p,
                                 .tolerance = options.tolerance,
                                 .max_iterations = options.max_iterations,
                                 .solver = options.solver},
          columns, run);
      return;
    }
    const bool endless = std::isinf(options.p);
    const bool weighted = options.form == PLaplacianForm::game;
    game_ = detail::TugOfWar{.alpha = endless ? 0.0 : 1.0 / options.p,
                             .beta = endless ? 1.0 : 1.0 - 2.0 / options.p,
                             .pull_scale = weighted ? 1.0 / largest_weight : 0.0,
                             .tolerance = options.tolerance,
                             .max_rounds = options.max_iterations};
  }

  void solve(const PieceColumns& columns, const Block& targets, Findings& findings) {
    if (minimizer_) return minimize(columns, targets, findings);
    std::vector<std::vector<double>> values;
    for (const int c : columns.solve) values.push_back(column(targets, c));
    for (Index i = 0; i < values.size(); ++i) {
      const int c = columns.solve[i];
      const auto range = detail::terminal_range(piece_, values[i]);
      end_if_stopped(values.size(), run_);
      const auto why = run_.stop();
      if (range && why) {
        leave(c, columns.mirror, *range, *why, findings);
      } else if (range) {
        play(c, columns.mirror, values[i], findings);
      } else {
        for (const VertexId r : piece_.row_of)
          findings.solved(r, c) = detail::any_terminal(piece_, values[i]);
      }
    }
  }

 private:
  // Many columns in groups.
  void minimize(const PieceColumns& columns, const Block& targets, Findings& findings) {
    const std::span<const int> all = columns.solve;
    constexpr auto width = static_cast<Index>(detail::most_together);
    for (Index first = 0; first < all.size(); first += width) {
      const std::span<const int> group = all.subspan(first, std::min(width, all.size() - first));
      std::vector<std::vector<double>> values;
      for (const int c : group) values.push_back(column(targets, c));
      const RunContext part =
          part_of(run_, "p-laplacian", static_cast<double>(first), static_cast<double>(all.size()),
                  static_cast<double>(group.size()));
      std::vector<detail::PEnergySolution> found =
          minimizer_->minimize(values, all.size() > width ? part : run_);
      end_if_stopped(all.size(), run_);
      for (Index i = 0; i < group.size(); ++i) {
        settle(group[i], columns.mirror, values[i], found[i], findings);
        take(group[i], columns.mirror, found[i], findings);
      }
    }
  }
  // A mirrored column has the same certificate.
  static std::vector<int> sharing(int c, int mirror) {
    return mirror < 0 ? std::vector<int>{c} : std::vector<int>{c, mirror};
  }
  // Where the energy says little of single potentials, by what it asks for at each.
  void settle(int c, int mirror, const std::vector<double>& values, detail::PEnergySolution& energy,
              Findings& findings) const {
    if (findings.p_mean_error.empty() || energy.solves == 0) return;
    const double off =
        detail::settle_at_local_means(piece_, values, p_, tolerance_, energy.potential, run_);
    for (const int k : sharing(c, mirror)) {
      double& most = findings.p_mean_error[static_cast<Index>(k)];
      most = std::max(most, off);
    }
  }
  void take(int c, int mirror, const detail::PEnergySolution& energy, Findings& findings) const {
    put(c, energy.potential, findings);
    if (energy.solves == 0) return;  // constant
    findings.linear = energy.linear;
    for (const int k : sharing(c, mirror))
      findings.energy[static_cast<Index>(k)].add(energy.log_energy, energy.gap);
    note(energy.outcome, energy.solves, findings);
  }
  void play(int c, int mirror, const std::vector<double>& values, Findings& findings) const {
    const detail::TugOfWarSolution game = detail::solve_tug_of_war(piece_, game_, values, run_);
    findings.linear.used = game.swept ? "sweeps" : "walk-elimination";
    for (const int k : sharing(c, mirror)) {
      double& bound = findings.error_bound[static_cast<Index>(k)];
      bound = std::max(bound, game.error_bound);
    }
    note(game.outcome, game.rounds, findings);
    put(c, game.potential, findings);
  }
  // A game whose turn has not come: nothing is further off than half of its range.
  void leave(int c, int mirror, const detail::TerminalRange& range, Outcome why,
             Findings& findings) const {
    for (const int k : sharing(c, mirror)) {
      double& bound = findings.error_bound[static_cast<Index>(k)];
      bound = std::max(bound, 0.5 * (range.high - range.low));
    }
    note(why, 0, findings);
    put(c, std::vector<double>(piece_.row_of.size(), 0.5 * (range.low + range.high)), findings);
  }
  static void note(Outcome outcome, std::int64_t iterations, Findings& findings) {
    findings.outcome = worse(findings.outcome, outcome);
    findings.iterations = std::max(findings.iterations, iterations);
  }
  void put(int c, const std::vector<double>& values, Findings& findings) const {
    for (Index r = 0; r < values.size(); ++r) findings.solved(piece_.row_of[r], c) = values[r];
  }

  const NetworkPiece& piece_;
  const RunContext& run_;
  double p_;
  double tolerance_;
  std::unique_ptr<detail::PowerMinimizer> minimizer_;  // or else the game
  detail::TugOfWar game_;
};

// Edges between labeled vertices hold energy that nothing can change.
void add_given_energy(const Graph& graph, const LabeledSet& labeled, const Block& targets, double p,
                      std::vector<detail::EnergySum>& energy) {
  std::vector<std::int64_t> row(static_cast<Index>(graph.vertex_count()), -1);
  for (Index i = 0; i < labeled.size(); ++i)
    row[static_cast<Index>(labeled.vertices()[i])] = static_cast<std::int64_t>(i);
  for (Index i = 0; i < labeled.size(); ++i) {
    graph.visit_row(labeled.vertices()[i], [&](VertexId v, double w) {
      const std::int64_t j = row[static_cast<Index>(v)];
      if (j <= static_cast<std::int64_t>(i)) return;
      for (std::int64_t c = 0; c < targets.columns(); ++c) {
        const double step = std::abs(targets(static_cast<std::int64_t>(i), c) - targets(j, c));
        if (step > 0.0) energy[static_cast<Index>(c)].add(std::log(w) + p * std::log(step), 0.0);
      }
    });
  }
}

std::string sentence(const PLaplacianOptions& options, const Findings& findings, double worst) {
  const bool game = options.form == PLaplacianForm::game;
  const bool bound = game || std::isinf(options.p);
  std::string text =
      std::string(game ? "game p-Laplacian" : "p-Laplacian") + " with p = " + to_text(options.p);
  if (findings.iterations > 0)
    text +=
        ", " + std::to_string(findings.iterations) + " linear solves by " + findings.linear.used;
  text += std::string(": ") + (bound ? "error bound " : "duality gap ") + to_brief_text(worst) +
          (worst <= options.tolerance ? "" : ", asked for " + to_brief_text(options.tolerance));
  if (!findings.p_mean_error.empty())
    text += ", no score further than " +
            to_brief_text(*std::ranges::max_element(findings.p_mean_error)) +
            " of the range from the p-mean of its neighbors";
  return text;
}

std::vector<double> largest_weights(const Graph& graph, const Components& components) {
  std::vector<double> largest(static_cast<Index>(components.count), 0.0);
  for (VertexId v = 0; v < graph.vertex_count(); ++v) {
    double& most = largest[static_cast<Index>(components.of[static_cast<Index>(v)])];
    graph.visit_row(v, [&](VertexId, double w) { most = std::max(most, w); });
  }
  return largest;
}

// Certificates, outcome and scores of what was found.
Fit conclude(const PLaplacianOptions& options, const LabeledSet& labeled, Block scores,
             std::vector<VertexStatus> status, const Findings& findings, Report report) {
  const bool energy = options.form == PLaplacianForm::variational && std::isfinite(options.p);
  std::vector<double> gap, value;
  for (const detail::EnergySum& sum : findings.energy) {
    gap.push_back(sum.gap());
    value.push_back(std::exp(sum.log_value()));
  }
  double worst = 0.0;
  for (const double one : energy ? gap : findings.error_bound) worst = std::max(worst, one);
  if (energy) {
    report.certificates = {{"duality_gap", std::move(gap)}, {"energy", std::move(value)}};
    if (!findings.p_mean_error.empty())
      report.certificates.push_back({"p_mean_error", findings.p_mean_error});
  } else {
    report.certificates = {{"error_bound", findings.error_bound}};
  }
  report.outcome = findings.outcome;
  report.iterations = findings.iterations;
  if (const auto residual = findings.linear.relative_residual)
    report.system_numbers().relative_residual = residual;
  report.requested = to_string(options.solver);
  report.used = findings.iterations == 0 ? "none" : findings.linear.used;
  report.sentence = sentence(options, findings, worst);
  double largest = 0.0;
  for (const double score : scores.values()) largest = std::max(largest, std::abs(score));
  // Of an energy that is off by a share, potentials are off by its root: exact for p = 2.
  if (!report.converged() && largest > 0.0)
    report.score_error = energy ? std::sqrt(std::min(worst, 1.0)) : worst / largest;
  return detail::finish_fit(std::move(scores), std::move(status), labeled,
                            detail::GivenLabels::hard, std::move(report));
}

// Of a run that was stopped before it solved anything: no bound is known.
Findings unsolved(Outcome why, std::int64_t columns) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  Findings findings{.solved = Block(0, columns),
                    .energy = std::vector<detail::EnergySum>(static_cast<Index>(columns)),
                    .error_bound = std::vector<double>(static_cast<Index>(columns), infinity),
                    .outcome = why};
  for (detail::EnergySum& sum : findings.energy) sum.add(0.0, infinity);
  return findings;
}

// p = 1 is another learner, and tug-of-war with noise needs p ≥ 2.
void check_exponent(const PLaplacianOptions& options) {
  const auto refuse = [&](const std::string& rule) {
    throw Error(ErrorCode::usage,
                "p-laplacian: option p=" + to_text(options.p) + ": must be " + rule);
  };
  if (options.p == 1.0) refuse("> 1: the minimum cut is the learner min-cut");
  if (options.form == PLaplacianForm::game && options.p < 2.0)
    refuse("a number >= 2, or inf, with form=game");
}

const OptionBinding<PLaplacianOptions>& p_laplacian_binding() {
  static const auto options =
      OptionBinding<PLaplacianOptions>("p-laplacian")
          .real(&PLaplacianOptions::p, "p", {.low = 1.0},
                "exponent > 1, or inf; 2 is harmonic, near 1 a minimum cut (min-cut is p = 1)")
          .real(&PLaplacianOptions::tolerance, "tolerance", detail::open_unit,
                "relative duality gap to reach; error bound with p=inf or form=game")
          .choice(&PLaplacianOptions::form, "form",
                  {{PLaplacianForm::variational, "variational"}, {PLaplacianForm::game, "game"}},
                  "least energy, or the value of tug-of-war with noise (p >= 2)")
          .choice(&PLaplacianOptions::solver, "solver", "linear solver of the least energy")
          .integer(&PLaplacianOptions::max_iterations, "max_iterations", {.low = 0},
                   "linear solves for each class; 0: chosen by the method")
          .rule(check_exponent);
  return options;
}

}  // namespace

void PLaplacianOptions::validate() const { p_laplacian_binding().validate(*this); }

PLaplacianLearner::PLaplacianLearner(PLaplacianOptions options) : options_(options) {
  options_.validate();
}

Fit PLaplacianLearner::fit(const Graph& graph, const LabeledSet& labeled,
                           const RunContext& run) const {
  detail::check_problem("p-laplacian", graph, labeled, detail::Regression::supported);
  Report report;
  const Stopwatch setup;
  const Block targets = labeled.target_block();
  const auto columns = static_cast<Index>(targets.columns());
  const Components components = connected_components(graph);
  const std::vector<double> largest = largest_weights(graph, components);
  DirichletProblem problem = make_dirichlet_problem(graph, labeled.vertices());
  const std::vector<VertexId> free_vertices = std::move(problem.free_vertices);
  const std::vector<VertexId> unreached = std::move(problem.unreached);
  const auto finish = [&](const Findings& findings) {
    Block scores(graph.vertex_count(), targets.columns());
    for (std::int64_t r = 0; r < findings.solved.rows(); ++r)
      std::ranges::copy(findings.solved.row(r),
                        scores.row(free_vertices[static_cast<Index>(r)]).begin());
    detail::set_given_rows(scores, labeled, run.thread_count());
    return conclude(options_, labeled, std::move(scores),
                    detail::vertex_status(graph.vertex_count(), labeled, unreached), findings,
                    std::move(report));
  };
  end_if_stopped(columns, run);
  if (const auto why = run.stop()) return finish(unsolved(*why, targets.columns()));
  const std::vector<NetworkPiece> pieces = detail::network_pieces(std::move(problem));
  end_if_stopped(columns, run);
  if (const auto why = run.stop()) return finish(unsolved(*why, targets.columns()));
  Findings findings{
      .solved = Block(static_cast<std::int64_t>(free_vertices.size()), targets.columns()),
      .energy = std::vector<detail::EnergySum>(columns),
      .error_bound = std::vector<double>(columns, 0.0)};
  if (options_.form == PLaplacianForm::variational && std::isfinite(options_.p) &&
      options_.p > detail::settled_from_p)
    findings.p_mean_error.assign(columns, 0.0);
  report.setup_seconds = setup.seconds();

  const Stopwatch solving;
  double done = 0.0;
  for (const NetworkPiece& piece : pieces) {
    const RunContext part =
        part_of(run, "p-laplacian", done, static_cast<double>(free_vertices.size()),
                static_cast<double>(piece.row_of.size()));
    const PieceColumns list = columns_of(piece, labeled);
    const VertexId somewhere = free_vertices[static_cast<Index>(piece.row_of.front())];
    PieceSolver solver(options_, piece,
                       largest[static_cast<Index>(components.of[static_cast<Index>(somewhere)])],
                       static_cast<int>(list.solve.size()), part);
    solver.solve(list, targets, findings);
    if (list.mirror >= 0)
      for (const VertexId r : piece.row_of)
        findings.solved(r, list.mirror) = 1.0 - findings.solved(r, list.solve.front());
    done += static_cast<double>(piece.row_of.size());
  }
  report.solve_seconds = solving.seconds();
  add_given_energy(graph, labeled, targets, options_.p, findings.energy);
  return finish(findings);
}

LearnerEntry p_laplacian_entry() {
  LearnerEntry entry;
  entry.name = "p-laplacian";
  entry.summary = "least sum of w|difference|^p: from the minimum cut to the smoothest extension";
  entry.reference =
      "D. Zhou, B. Schoelkopf. Regularization on discrete spaces. DAGM 2005, "
      "doi:10.1007/11550518_45; game form: J. Calder. Nonlinearity 32, 2019, "
      "doi:10.1088/1361-6544/aae949; p=inf: R. Kyng, A. Rao, S. Sachdeva, D. Spielman. COLT 2015";
  entry.options = p_laplacian_binding().table();
  entry.traits.regression = true;
  entry.make_transductive = [](const OptionValues& values) {
    return std::make_unique<PLaplacianLearner>(p_laplacian_binding().from(values));
  };
  return entry;
}

}  // namespace gssl
