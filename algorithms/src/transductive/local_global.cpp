#include "gssl/transductive/local_global.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <utility>

#include "gssl/core/number_text.hpp"
#include "gssl/core/stopwatch.hpp"
#include "support/check_problem.hpp"
#include "support/finish_fit.hpp"
#include "support/reported_solve.hpp"
#include "support/unfinished.hpp"
#include "support/vertex_status.hpp"
#include "transductive/support/harmonic_columns.hpp"
#include "transductive/support/learner_options.hpp"
#include "transductive/support/rescale_mass.hpp"
#include "transductive/support/shared_fits.hpp"
#include "transductive/support/uneven_labels.hpp"

namespace gssl {

namespace {

const OptionBinding<LocalGlobalOptions>& local_global_binding() {
  static const auto options = OptionBinding<LocalGlobalOptions>("local-global")
                                  .real(&LocalGlobalOptions::alpha, "alpha", detail::open_unit,
                                        "share of a score that comes from the neighbors")
                                  .with(detail::rescaling_group)
                                  .with(detail::solver_group);
  return options;
}

}  // namespace

void LocalGlobalOptions::validate() const { local_global_binding().validate(*this); }

LocalGlobalLearner::LocalGlobalLearner(LocalGlobalOptions options) : options_(std::move(options)) {
  options_.validate();
}

namespace {

std::vector<double> root_degrees(const Graph& graph) {
  std::vector<double> root(static_cast<std::size_t>(graph.vertex_count()));
  for (VertexId v = 0; v < graph.vertex_count(); ++v)
    root[static_cast<std::size_t>(v)] = std::sqrt(graph.weighted_degree(v));
  return root;
}

// (L + β D) X = β √D Y, whose answer times √D is the score; β = (1 − α)/α.
detail::HarmonicColumns spread_columns(const Graph& graph, const LabeledSet& labeled,
                                       double alpha) {
  const Stopwatch setup;
  const double beta = (1.0 - alpha) / alpha;
  const auto n = static_cast<std::size_t>(graph.vertex_count());
  std::vector<double> root_degree = root_degrees(graph), ground(n);
  for (std::size_t v = 0; v < n; ++v)
    ground[v] = beta * graph.weighted_degree(static_cast<VertexId>(v));
  detail::HarmonicColumns columns{
      .system = GroundedLaplacian(std::make_shared<const Graph>(graph), std::move(ground)),
      .vertex_of = std::vector<VertexId>(n),
      .given = detail::GivenLabels::soft,
      .score_weight = std::move(root_degree),
      .shares = false};
  columns.unreached = detail::unreached_vertices(columns.system.components(), labeled);
  std::iota(columns.vertex_of.begin(), columns.vertex_of.end(), VertexId{0});
  columns.setup_seconds = setup.seconds();
  return columns;
}

// Calls body(vertex, column) for the labels of the classes first, first + 1, … of a block.
template <class Body>
void for_labels(const LabeledSet& labeled, int first, const Block& block, Body&& body) {
  for (std::size_t i = 0; i < labeled.size(); ++i) {
    const int k = labeled.class_of()[i] - first;
    if (k >= 0 && k < block.columns()) body(labeled.vertices()[i], k);
  }
}

void add_labels(const LabeledSet& labeled, const std::vector<double>& root_degree, double alpha,
                int first, Block& b) {
  const double beta = (1.0 - alpha) / alpha;
  for_labels(labeled, first, b,
             [&](VertexId v, int k) { b(v, k) = beta * root_degree[static_cast<std::size_t>(v)]; });
}

// F ≥ 0; an early stop may undershoot. A vertex without an edge has its label alone.
void make_scores(const Graph& graph, const LabeledSet& labeled,
                 const std::vector<double>& root_degree, double alpha, int first, Block& x) {
  for (VertexId v = 0; v < graph.vertex_count(); ++v)
    for (double& score : x.row(v))
      score = std::max(0.0, score * root_degree[static_cast<std::size_t>(v)]);
  for_labels(labeled, first, x, [&](VertexId v, int k) {
    if (graph.degree(v) == 0) x(v, k) = 1.0 - alpha;
  });
}

Fit fit_blocks(const Graph& graph, const LabeledSet& labeled, const LocalGlobalOptions& options,
               const detail::KeptScores& keep, const detail::ColumnPlan& plan) {
  detail::HarmonicColumns columns = spread_columns(graph, labeled, options.alpha);
  const auto root_degree = std::make_shared<const std::vector<double>>(columns.score_weight);
  const double alpha = options.alpha;
  columns.add_right_hand_side = [&labeled, root_degree, alpha](int first, Block& b) {
    add_labels(labeled, *root_degree, alpha, first, b);
  };
  columns.to_scores = [&graph, &labeled, root_degree, alpha](int first, Block& x) {
    make_scores(graph, labeled, *root_degree, alpha, first, x);
  };
  Fit fit = detail::fit_harmonic_columns(
      std::move(columns), graph.vertex_count(), labeled,
      detail::mass_target(detail::mass_proportions(labeled, options.mass, options.priors)), keep,
      plan);
  detail::warn_of_uneven_labels(labeled, options.mass, fit.report);
  return fit;
}

}  // namespace

Fit LocalGlobalLearner::fit(const Graph& graph, const LabeledSet& labeled,
                            const RunContext& run) const {
  return fit_keeping(graph, labeled, run, true, 0, nullptr);
}

Fit LocalGlobalLearner::fit_without_scores(const Graph& graph, const LabeledSet& labeled,
                                           const RunContext& run) const {
  return fit_keeping(graph, labeled, run, false, 0, nullptr);
}

Fit LocalGlobalLearner::fit_top(const Graph& graph, const LabeledSet& labeled, int count,
                                TopClasses& best, const RunContext& run) const {
  Fit fit = fit_keeping(graph, labeled, run, false, count, &best);
  keep_top(fit, count, best);
  return fit;
}

Fit LocalGlobalLearner::fit_keeping(const Graph& graph, const LabeledSet& labeled,
                                    const RunContext& run, bool keep_scores, int top,
                                    TopClasses* best) const {
  detail::check_problem("local-global", graph, labeled, detail::Regression::unsupported);
  detail::check_mass("local-global", options_.mass, options_.priors, labeled);
  const detail::ColumnPlan plan =
      detail::plan_columns({.learner = "local-global",
                            .graph = graph,
                            .classes = detail::column_count(labeled),
                            .keep_scores = keep_scores,
                            .top = top,
                            .rescaled = options_.mass != MassRule::none,
                            .blocks = options_.mass != MassRule::shares},
                           detail::solver_options(options_), run);
  if (!plan.together)
    return fit_blocks(graph, labeled, options_, {.scores = keep_scores, .best = best, .top = top},
                      plan);
  Report report;
  detail::HarmonicColumns columns = spread_columns(graph, labeled, options_.alpha);
  Block b(graph.vertex_count(), labeled.class_count());
  add_labels(labeled, columns.score_weight, options_.alpha, 0, b);
  report.setup_seconds = columns.setup_seconds;
  Block scores = detail::solve(std::move(columns.system), b, plan.options, plan.run, report);
  return fit_of_answers(std::move(scores), columns.score_weight, columns.unreached, graph, labeled,
                        std::move(report), run);
}

Fit LocalGlobalLearner::fit_of_answers(Block x, const std::vector<double>& root_degree,
                                       const std::vector<VertexId>& unreached, const Graph& graph,
                                       const LabeledSet& labeled, Report report,
                                       const RunContext& run) const {
  make_scores(graph, labeled, root_degree, options_.alpha, 0, x);
  Fit fit = detail::finish_fit(
      std::move(x), detail::vertex_status(graph.vertex_count(), labeled, unreached), labeled,
      detail::GivenLabels::soft, std::move(report), run.thread_count());
  detail::rescale_mass(fit, labeled, options_.mass, options_.priors, run);
  return fit;
}

// The system does not depend on the labels, and neither does what a solver prepares.
std::optional<Fit> LocalGlobalLearner::fit_on(const SharedGraph& shared, const LabeledSet& labeled,
                                              const RunContext& run) const {
  const Graph& graph = shared.graph();
  detail::check_problem("local-global", graph, labeled, detail::Regression::unsupported);
  detail::check_mass("local-global", options_.mass, options_.priors, labeled);
  if (!detail::goes_together(graph, labeled, run)) return std::nullopt;
  const SolverOptions options = detail::solver_options(options_);
  const std::vector<double> weight = root_degrees(graph);
  const double beta = (1.0 - options_.alpha) / options_.alpha;
  Block current(std::ssize(labeled.vertices()), labeled.class_count());
  for (std::size_t i = 0; i < labeled.size(); ++i)
    current(static_cast<std::int64_t>(i), labeled.class_of()[i]) =
        beta * weight[static_cast<std::size_t>(labeled.vertices()[i])];
  Report report;
  const Stopwatch watch;
  Block x = shared.solve(
      "local-global " + to_text(options_.alpha),
      [&] { return spread_columns(graph, labeled, options_.alpha).system; }, labeled, current,
      options, run, report);
  report.score_error = detail::estimated_score_error(report);
  report.solve_seconds = watch.seconds();
  return fit_of_answers(std::move(x), weight,
                        detail::unreached_vertices(shared.components(), labeled), graph, labeled,
                        std::move(report), run);
}

LearnerEntry local_global_entry() {
  LearnerEntry entry;
  entry.name = "local-global";
  entry.summary =
      "labels spread by the normalized adjacency and are pulled back to the given ones, which may "
      "yet lose";
  entry.reference =
      "D. Zhou, O. Bousquet, T. N. Lal, J. Weston, B. Schoelkopf. Learning with local and global "
      "consistency. NIPS 16, 2003, 321-328";
  entry.options = local_global_binding().table();
  entry.traits.keeps_given = false;
  entry.make_transductive = [](const OptionValues& values) {
    return std::make_unique<LocalGlobalLearner>(local_global_binding().from(values));
  };
  return entry;
}

}  // namespace gssl
