#include "gssl/transductive/automatic.hpp"

#include <algorithm>
#include <cstdio>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "gssl/core/number_text.hpp"
#include "gssl/core/stopwatch.hpp"
#include "gssl/transductive/harmonic.hpp"
#include "support/check_problem.hpp"
#include "support/finish_fit.hpp"
#include "support/given_rows.hpp"
#include "support/vertex_status.hpp"
#include "transductive/support/class_columns.hpp"
#include "transductive/support/class_shares.hpp"
#include "transductive/support/class_solves.hpp"
#include "transductive/support/harmonic_columns.hpp"
#include "transductive/support/implied_class.hpp"
#include "transductive/support/learner_options.hpp"
#include "transductive/support/left_out_labels.hpp"
#include "transductive/support/shared_fits.hpp"

namespace gssl {

namespace {

constexpr double enough_labels = 10.0;            // in the median class, to leave labels out
constexpr std::int64_t most_left_out = 100;       // columns of the system
constexpr std::int64_t most_numbers = 1'000'000;  // in these columns together
constexpr double many_labels = 0.05;              // of the vertices
constexpr double fewest_vertices = 5.0;           // without a label, for each class of a component

// The lower median of the counts of the classes that have labels.
double median_count(std::vector<double> counts) {
  std::erase(counts, 0.0);
  const auto middle = counts.begin() + (static_cast<std::ptrdiff_t>(counts.size()) - 1) / 2;
  std::ranges::nth_element(counts, middle);
  return *middle;
}

// Shares by the labels of each component, where no class counts for more than the median one; all 0
// in a component of one class, or too small for its masses to say anything.
Block shares_of_labels(const detail::LabelGroups& groups, int classes) {
  Block shares(groups.count(), classes);
  for (int g = 0; g < groups.count(); ++g) {
    std::vector<double> counts;
    double present = 0.0;
    for (int k = 0; k < classes; ++k) {
      counts.push_back(groups.label_count(g, k));
      present += groups.has_class(g, k);
    }
    const double free = static_cast<double>(groups.members(g).size()) - groups.label_count(g);
    if (present < 2.0 || free < fewest_vertices * present) continue;
    const double most = median_count(counts);
    double sum = 0.0;
    for (double& count : counts) sum += count = std::min(count, most);
    for (int k = 0; k < classes; ++k) shares(g, k) = counts[static_cast<std::size_t>(k)] / sum;
  }
  return shares;
}

struct LabelCounts {
  double median = 0.0;
  double largest = 0.0;
  int classes = 0;  // with labels
};

LabelCounts count_labels(const LabeledSet& labeled) {
  std::vector<double> counts(static_cast<std::size_t>(labeled.class_count()), 0.0);
  for (const int k : labeled.class_of()) counts[static_cast<std::size_t>(k)] += 1.0;
  return {median_count(counts), std::ranges::max(counts),
          static_cast<int>(counts.size()) - static_cast<int>(std::ranges::count(counts, 0.0))};
}

struct MassChoice {
  bool masses = true;
  std::string why;
  std::optional<detail::LeftOut> left_out;
};

std::string percent(double share) {
  char text[32];
  std::snprintf(text, sizeof text, "%.0f %%", 100.0 * share);
  return text;
}

// How many labels may be left out.
std::int64_t most_tried(const detail::LabelGroups& groups, const LabeledSet& labeled) {
  std::int64_t free = -std::ssize(labeled.vertices());
  for (int g = 0; g < groups.count(); ++g) free += std::ssize(groups.members(g));
  return std::min(most_left_out, most_numbers / std::max<std::int64_t>(1, free));
}

// What labels that are left out say, at most so many of them.
using LeaveOut = std::function<std::optional<detail::LeftOut>(std::int64_t most)>;

MassChoice choose(const detail::LeftOutProblem& problem, const LabelCounts& counts,
                  VertexId vertex_count, const LeaveOut& leave_out) {
  const double* shares = problem.shares.data();
  const std::int64_t numbers = problem.shares.rows() * problem.shares.columns();
  if (std::all_of(shares, shares + numbers, [](double share) { return share == 0.0; }))
    return {.masses = false, .why = "components too small for class masses", .left_out = {}};
  const std::string median = to_brief_text(counts.median);
  if (counts.median < enough_labels) {
    return {.masses = true,
            .why = median + (counts.median == 1.0 ? " label" : " labels") +
                   " in the median class: too few for plain scores",
            .left_out = {}};
  }
  MassChoice choice;
  choice.left_out = leave_out(most_tried(problem.groups, problem.labeled));
  if (!choice.left_out) {
    const double share =
        static_cast<double>(problem.labeled.size()) / static_cast<double>(vertex_count);
    choice.masses = share < many_labels;
    choice.why = percent(share) + " of the vertices are labeled";
    return choice;
  }
  const detail::LeftOut& found = *choice.left_out;
  const bool uneven = counts.largest > 2.0 * counts.median;
  choice.masses = found.massed - found.plain > (uneven ? -found.error : found.error);
  choice.why = "of " + std::to_string(found.tried) + " labels left out, plain scores predict " +
               percent(found.plain) + " and masses " + percent(found.massed) +
               (uneven ? ", classes labeled unevenly" : "");
  return choice;
}

// With more than 40 classes, or where memory is short: a few columns at a time, and no label left
// out.
Fit fit_in_blocks(const Graph& graph, const LabeledSet& labeled,
                  std::unique_ptr<const detail::LabelGroups> groups, const Block& shares,
                  const LabelCounts& counts, const detail::KeptScores& keep,
                  const detail::ColumnPlan& plan) {
  const double share =
      static_cast<double>(labeled.size()) / static_cast<double>(graph.vertex_count());
  const bool large = std::ranges::any_of(shares.values(), [](double one) { return one > 0.0; });
  const bool masses = large && (counts.median < enough_labels || share < many_labels);
  detail::MassTarget target;
  if (groups->count() <= 1) groups.reset();  // one row of shares is that of all
  if (masses) target = {shares, groups.get()};
  Fit fit = detail::fit_harmonic_columns(detail::shares_graph(graph, labeled)
                                             ? detail::shared_columns(graph, labeled)
                                             : detail::hard_columns(graph, labeled),
                                         graph.vertex_count(), labeled, target, keep, plan);
  fit.report.sentence =
      (masses ? "harmonic scores by class masses (" : "harmonic scores as they are (") +
      to_brief_text(counts.median) + (counts.median == 1.0 ? " label" : " labels") +
      " in the median class, " + percent(share) + " of the vertices are labeled); " +
      fit.report.sentence;
  return fit;
}

Fit fit_harmonic(const Graph& graph, const LabeledSet& labeled, const AutomaticOptions& options,
                 const RunContext& run, const std::string& why) {
  HarmonicOptions harmonic{.solver = options.solver,
                           .tolerance = options.tolerance,
                           .max_iterations = options.max_iterations};
  if (!options.priors.empty()) {
    harmonic.mass = MassRule::shares;
    harmonic.priors = options.priors;
  }
  Fit fit = HarmonicLearner(harmonic).fit(graph, labeled, run);
  fit.report.sentence = why + "; " + fit.report.sentence;
  return fit;
}

// By class masses or as they are, as was chosen.
void finish(Fit& fit, const MassChoice& choice, const detail::LeftOutProblem& problem,
            int threads) {
  if (choice.left_out)
    fit.report.certificates.push_back(
        {"left_out", {choice.left_out->plain, choice.left_out->massed}});
  if (choice.masses)
    detail::rescale_in_groups(fit, problem.labeled, problem.groups, problem.mass, problem.shares,
                              threads);
  fit.report.sentence =
      (choice.masses ? "harmonic scores by class masses (" : "harmonic scores as they are (") +
      choice.why + "); " + fit.report.sentence;
}

const OptionBinding<AutomaticOptions>& automatic_binding() {
  static const auto options =
      OptionBinding<AutomaticOptions>("auto")
          .with(detail::priors_group("shares to meet, separated by ';' in class order"))
          .with(detail::solver_group)
          .rule([](const AutomaticOptions& given) {
            detail::check_priors("auto", given.priors.empty() ? MassRule::none : MassRule::shares,
                                 given.priors, true);
          });
  return options;
}

// Columns for labels left out that fit beside a solver which is prepared, at least one: in the
// memory that the plan has for its own columns.
std::int64_t columns_beside(const Graph& graph, const detail::ColumnPlan& plan) {
  if (plan.run.memory_limit == 0) return most_left_out;
  constexpr double own = 32.0;  // bytes a vertex: right-hand sides and potentials
  const NetworkSize size(graph);
  const SolverMemory solver = solver_memory(size, plan.options.kind, plan.options.eliminate);
  const double room = static_cast<double>(plan.run.memory_limit) - solver.prepared.high;
  const double columns = room / (solver.column.high + own * size.rows);
  return static_cast<std::int64_t>(std::clamp(columns, 1.0, static_cast<double>(most_left_out)));
}

// Plain scores or those by masses, whichever is right about more of the labels that are left out,
// so many at once.
void decide(Fit& fit, const detail::LeftOutProblem& problem, const LabelCounts& counts,
            const Graph& graph, const DirichletProblem* dirichlet, const LinearSolver* solver,
            std::int64_t at_once, const RunContext& run) {
  const Stopwatch choosing;
  const MassChoice choice = choose(
      problem, counts, graph.vertex_count(),
      [&](std::int64_t most) -> std::optional<detail::LeftOut> {
        std::vector<std::size_t> labels = detail::labels_to_try(problem, most);
        if (labels.empty() || dirichlet == nullptr) return std::nullopt;
        const auto tried = detail::try_labels(problem, std::move(labels), graph, *dirichlet,
                                              *solver, fit.scores.values, at_once, run, fit.report);
        return tried ? detail::leave_labels_out(problem, *tried) : std::nullopt;
      });
  finish(fit, choice, problem, run.thread_count());
  fit.report.solve_seconds += choosing.seconds();
}

// All scores at once, of up to 40 classes.
Fit fit_together(const Graph& graph, const LabeledSet& labeled, const detail::LabelGroups& groups,
                 const Block& shares, const LabelCounts& counts, bool on_graph,
                 const detail::ColumnPlan& plan, const RunContext& run, const Stopwatch& setup) {
  Report report;
  const int threads = run.thread_count();
  detail::ClassSystem problem = detail::class_system(graph, labeled, on_graph);
  const std::vector<VertexId> vertex_of = std::move(problem.vertex_of);
  const std::vector<VertexId> unreached = std::move(problem.unreached);
  const std::shared_ptr<const DirichletProblem> dirichlet = problem.dirichlet;
  report.setup_seconds = setup.seconds();
  std::unique_ptr<LinearSolver> solver;
  std::vector<Block> x =
      detail::solve_classes(std::move(problem), plan.options, plan.run, report, &solver);
  const bool is_solved = solver != nullptr;
  if (dirichlet == nullptr) solver.reset();  // no label is left out
  Block scores =
      detail::scores_from_columns(std::move(x), vertex_of, detail::reduced_targets(labeled),
                                  labeled, graph.vertex_count(), threads);
  detail::set_given_rows(scores, labeled, run.thread_count());
  Fit fit = detail::finish_fit(std::move(scores),
                               detail::vertex_status(graph.vertex_count(), labeled, unreached),
                               labeled, detail::GivenLabels::hard, std::move(report), threads);
  if (!is_solved) {  // every vertex is given, or its component has labels of one class alone
    fit.report.sentence = "harmonic: " + fit.report.sentence;
    return fit;
  }
  const Block mass = detail::class_masses(fit, groups, threads);
  const detail::LeftOutProblem left_out{
      .labeled = labeled, .groups = groups, .mass = mass, .shares = shares};
  decide(fit, left_out, counts, graph, dirichlet.get(), solver.get(), columns_beside(graph, plan),
         run);
  return fit;
}

}  // namespace

void AutomaticOptions::validate() const { automatic_binding().validate(*this); }

AutomaticLearner::AutomaticLearner(AutomaticOptions options) : options_(std::move(options)) {
  options_.validate();
}

Fit AutomaticLearner::fit(const Graph& graph, const LabeledSet& labeled,
                          const RunContext& run) const {
  return fit_keeping(graph, labeled, run, true, 0, nullptr);
}

Fit AutomaticLearner::fit_without_scores(const Graph& graph, const LabeledSet& labeled,
                                         const RunContext& run) const {
  return fit_keeping(graph, labeled, run, false, 0, nullptr);
}

Fit AutomaticLearner::fit_top(const Graph& graph, const LabeledSet& labeled, int count,
                              TopClasses& best, const RunContext& run) const {
  Fit fit = fit_keeping(graph, labeled, run, false, count, &best);
  keep_top(fit, count, best);
  return fit;
}

Fit AutomaticLearner::fit_keeping(const Graph& graph, const LabeledSet& labeled,
                                  const RunContext& run, bool keep_scores, int top,
                                  TopClasses* best) const {
  detail::check_problem("auto", graph, labeled, detail::Regression::supported);
  detail::check_mass("auto", options_.priors.empty() ? MassRule::none : MassRule::shares,
                     options_.priors, labeled);
  if (labeled.is_regression())
    return fit_harmonic(graph, labeled, options_, run, "harmonic, for real targets");
  const LabelCounts counts = count_labels(labeled);
  if (counts.classes == 1)
    return fit_harmonic(graph, labeled, options_, run, "harmonic, for labels of one class");
  if (!options_.priors.empty())
    return fit_harmonic(graph, labeled, options_, run, "harmonic, decisions meet the given shares");

  const Stopwatch setup;
  auto own_groups = std::make_unique<const detail::LabelGroups>(graph, labeled, run.thread_count());
  const detail::LabelGroups& groups = *own_groups;
  const Block shares = shares_of_labels(groups, labeled.class_count());
  const SolverOptions options = detail::solver_options(options_);
  const bool on_graph = most_tried(groups, labeled) < detail::fewest_left_out &&
                        detail::goes_on_graph(graph, labeled, options);
  const detail::ColumnPlan plan =
      detail::plan_columns({.learner = "auto",
                            .graph = graph,
                            .classes = labeled.class_count(),
                            .keep_scores = keep_scores,
                            .top = top,
                            .rescaled = true,
                            .shares_graph = detail::shares_graph(graph, labeled),
                            .on_graph = on_graph},
                           options, run);
  if (!plan.together)
    return fit_in_blocks(graph, labeled, std::move(own_groups), shares, counts,
                         {.scores = keep_scores, .best = best, .top = top}, plan);
  return fit_together(graph, labeled, groups, shares, counts, on_graph, plan, run, setup);
}

std::optional<Fit> AutomaticLearner::fit_on(const SharedGraph& shared, const LabeledSet& labeled,
                                            const RunContext& run) const {
  detail::check_problem("auto", shared.graph(), labeled, detail::Regression::supported);
  const SolverOptions options = detail::solver_options(options_);
  if (labeled.is_regression() || !options_.priors.empty() ||
      !detail::goes_together(shared.graph(), labeled, run) || shared.potentials() == nullptr ||
      !detail::may_share(*shared.potentials(), labeled, options))
    return std::nullopt;
  const LabelCounts counts = count_labels(labeled);
  if (counts.classes == 1) return std::nullopt;
  const int threads = run.thread_count();
  const detail::LabelGroups groups(shared.graph(), labeled, threads);
  const detail::LabelNetwork network(*shared.potentials(), groups, labeled);
  std::optional<Fit> fit =
      detail::dirichlet_on(shared, groups, network, labeled, options.tolerance, run);
  if (!fit || groups.count() == 0) return fit;
  const Block shares = shares_of_labels(groups, labeled.class_count());
  const Block mass = detail::class_masses(*fit, groups, threads);
  const detail::LeftOutProblem problem{
      .labeled = labeled, .groups = groups, .mass = mass, .shares = shares};
  const MassChoice choice =
      choose(problem, counts, shared.graph().vertex_count(),
             [&](std::int64_t most) -> std::optional<detail::LeftOut> {
               std::vector<std::size_t> labels = detail::labels_to_try(problem, most);
               if (labels.empty()) return std::nullopt;
               return detail::leave_labels_out(
                   problem, detail::try_labels(problem, std::move(labels), network));
             });
  finish(*fit, choice, problem, threads);
  return fit;
}

LearnerEntry automatic_entry() {
  LearnerEntry entry;
  entry.name = "auto";
  entry.summary = "harmonic scores, plain or by class masses, as the labels suggest";
  entry.reference =
      "X. Zhu, Z. Ghahramani, J. Lafferty. Semi-supervised learning using Gaussian fields and "
      "harmonic functions. ICML 2003, 912-919 (scores and class masses)";
  entry.options = automatic_binding().table();
  entry.traits.regression = true;
  entry.make_transductive = [](const OptionValues& values) {
    return std::make_unique<AutomaticLearner>(automatic_binding().from(values));
  };
  return entry;
}

}  // namespace gssl
