#include "gssl/transductive/harmonic.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "gssl/core/error.hpp"
#include "gssl/core/number_text.hpp"
#include "transductive/fit_support.hpp"

namespace gssl {

namespace {

// "0.2;0.8" → {0.2, 0.8}
std::vector<double> parse_priors(std::string_view text) {
  std::vector<double> priors;
  while (!text.empty()) {
    const auto end = std::min(text.find(';'), text.size());
    const auto value = parse_number<double>(text.substr(0, end));
    if (!value) {
      throw Error(ErrorCode::usage, "harmonic: option priors=" + std::string(text) +
                                        ": must be numbers separated by ';' in class order");
    }
    priors.push_back(*value);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return priors;
}

MassRule parse_mass(std::string_view name) {
  if (name == "cmn") return MassRule::cmn;
  return name == "priors" ? MassRule::priors : MassRule::none;
}

HarmonicOptions options_from(const OptionValues& values) {
  HarmonicOptions options;
  options.soft = values.real("soft");
  options.mass = parse_mass(values.text("mass"));
  options.priors = parse_priors(values.text("priors"));
  options.solver = parse_solver_kind(values.text("solver"));
  options.tolerance = values.real("tolerance");
  options.max_iterations = values.integer("max_iterations");
  return options;
}

SolverOptions solver_options(const HarmonicOptions& options) {
  return {.kind = options.solver,
          .tolerance = options.tolerance,
          .max_iterations = options.max_iterations,
          .eliminate = true};
}

// (L + c·diag(labeled)) X = c·Y. Components without a label have no ground and no right-hand side;
// the facade returns zero there.
Fit fit_soft(const Graph& graph, const LabeledSet& labeled, const HarmonicOptions& options,
             const RunContext& run) {
  Report report;
  const detail::Stopwatch setup;
  const VertexId n = graph.vertex_count();
  const Block targets = detail::reduced_targets(labeled), every = labeled.target_block();
  Block b(n, every.columns());
  std::vector<double> ground(static_cast<std::size_t>(n), 0.0);
  for (std::size_t i = 0; i < labeled.size(); ++i) {
    const VertexId v = labeled.vertices()[i];
    ground[static_cast<std::size_t>(v)] = options.soft;
    for (std::int64_t c = 0; c < every.columns(); ++c)
      b(v, c) = options.soft * every(static_cast<std::int64_t>(i), c);
  }
  GroundedLaplacian system(detail::borrow(graph), std::move(ground));
  std::vector<VertexId> unreached = detail::unreached_vertices(system.components(), labeled);
  report.setup_seconds = setup.seconds();

  const auto solve_columns = labeled.is_regression() ? detail::solve : detail::solve_classes;
  Block x = solve_columns(std::move(system), b, solver_options(options), run, report);
  std::vector<VertexId> all(static_cast<std::size_t>(n));
  std::iota(all.begin(), all.end(), VertexId{0});
  Block scores = detail::scores_from_columns(std::move(x), all, targets, labeled, n);
  return detail::finish_fit(std::move(scores), detail::vertex_status(n, labeled, unreached),
                            labeled, detail::GivenLabels::soft, std::move(report));
}

}  // namespace

void HarmonicOptions::validate() const {
  const auto refuse = [](const std::string& option, const std::string& rule) {
    throw Error(ErrorCode::usage, "harmonic: option " + option + ": must be " + rule);
  };
  if (!(soft >= 0.0) || !std::isfinite(soft)) refuse("soft=" + to_text(soft), "a number ≥ 0");
  if (mass == MassRule::priors && priors.empty())
    refuse("priors", "given with mass=priors: one proportion for each class");
  if (mass != MassRule::priors && !priors.empty()) refuse("mass", "priors when priors are given");
  double sum = 0.0;
  for (const double q : priors) {
    if (!(q >= 0.0) || !std::isfinite(q)) refuse("priors=" + to_text(q), "numbers ≥ 0");
    sum += q;
  }
  if (!priors.empty() && !(sum > 0.0)) refuse("priors=0", "not all 0");
  solver_options(*this).validate();
}

HarmonicLearner::HarmonicLearner(HarmonicOptions options) : options_(std::move(options)) {
  options_.validate();
}

Fit HarmonicLearner::fit(const Graph& graph, const LabeledSet& labeled,
                         const RunContext& run) const {
  detail::check_problem("harmonic", graph, labeled, detail::Regression::supported);
  if (labeled.is_regression() && options_.mass != MassRule::none)
    throw Error(ErrorCode::usage, "harmonic: option mass: must be none for real targets");
  if (options_.mass == MassRule::priors &&
      options_.priors.size() != static_cast<std::size_t>(labeled.class_count())) {
    throw Error(ErrorCode::usage, "harmonic: option priors has " +
                                      std::to_string(options_.priors.size()) +
                                      " numbers: must have one for each of the " +
                                      std::to_string(labeled.class_count()) + " classes");
  }
  Fit fit = options_.soft > 0.0
                ? fit_soft(graph, labeled, options_, run)
                : detail::fit_dirichlet(graph, labeled, solver_options(options_), run);
  if (options_.mass == MassRule::cmn)
    detail::rescale_mass(fit, labeled, detail::label_frequencies(labeled));
  if (options_.mass == MassRule::priors) detail::rescale_mass(fit, labeled, options_.priors);
  return fit;
}

LearnerEntry harmonic_entry() {
  LearnerEntry entry;
  entry.name = "harmonic";
  entry.summary = "every vertex is the mean of its neighbors: the smoothest fit to the labels";
  entry.reference =
      "X. Zhu, Z. Ghahramani, J. Lafferty. Semi-supervised learning using Gaussian fields and "
      "harmonic functions. ICML 2003, 912-919; soft labels: M. Belkin, I. Matveeva, P. Niyogi. "
      "COLT 2004, doi:10.1007/978-3-540-27819-1_43";
  entry.options
      .real("soft", 0.0, {.low = 0.0, .high_open = true},
            "c of the penalty c(u-y)^2 on given labels; 0 keeps them exactly")
      .choice("mass", "none", {"none", "cmn", "priors"},
              "rescale scores to class proportions: those of the labels (cmn) or given ones")
      .text("priors", "", "proportions for mass=priors, separated by ';' in class order")
      .choice("solver", "automatic", solver_kind_names(),
              "linear solver; async-consensus alone may differ from run to run")
      .real("tolerance", 1e-10, {.low = 0.0, .high = 1.0, .low_open = true, .high_open = true},
            "relative residual to reach")
      .integer("max_iterations", 0, {.low = 0}, "iteration limit; 0: chosen by the solver");
  entry.traits.regression = true;
  entry.make_transductive = [](const OptionValues& values) {
    return std::make_unique<HarmonicLearner>(options_from(values));
  };
  return entry;
}

}  // namespace gssl
