#include "gssl/transductive/min_cut.hpp"

#include <algorithm>
#include <limits>

#include "gssl/core/index.hpp"
#include "gssl/core/number_text.hpp"
#include "gssl/core/stopwatch.hpp"
#include "gssl/graph/induced_subgraph.hpp"
#include "gssl/learn/top_classes.hpp"
#include "support/check_problem.hpp"
#include "support/finish_fit.hpp"
#include "support/vertex_status.hpp"
#include "transductive/partition/multiway_cut.hpp"
#include "transductive/support/learner_options.hpp"

namespace gssl {

namespace {

HarmonicOptions harmonic_options(const MinCutOptions& options) {
  return {.mass = options.mass, .priors = options.priors};
}

// For each vertex the class that the rescaled harmonic scores prefer, and by how much: the margin
// over the second class, as a share of the mean margin, at most 1. With few labels all margins are
// small; what they say about each other is what counts.
struct Preference {
  int decision = -1;
  double share = 0.0;
};

std::vector<Preference> preferences(const Fit& prior, const TopClasses& best) {
  std::vector<Preference> found(prior.decision.size());
  double sum = 0.0;
  std::int64_t reached = 0;
  for (std::size_t v = 0; v < found.size(); ++v) {
    if (prior.decision[v] < 0) continue;
    const auto scores = best.scores(static_cast<std::int64_t>(v));
    found[v] = {prior.decision[v], scores.size() < 2 ? 1.0 : scores[0] - scores[1]};
    sum += found[v].share;
    ++reached;
  }
  const double mean = sum / static_cast<double>(std::max<std::int64_t>(reached, 1));
  for (Preference& one : found) one.share = mean > 0.0 ? std::min(1.0, one.share / mean) : 0.0;
  return found;
}

// How strongly each vertex is tied to each class. `outcome`: of the solve for it, if there is one.
Block class_ties(const Graph& graph, const LabeledSet& labeled, const MinCutOptions& options,
                 const RunContext& run, Outcome& outcome) {
  std::vector<Preference> preferred;
  if (options.mass != MassRule::none) {
    TopClasses best;
    const Fit prior =
        fit_with_top(HarmonicLearner(harmonic_options(options)), graph, labeled, 2, best, run);
    run.throw_if_stopped("min-cut", "before the class ties were solved for");
    outcome = prior.report.outcome;
    preferred = preferences(prior, best);
  }
  Block ties(graph.vertex_count(), labeled.class_count());
  if (!preferred.empty()) {
    for (VertexId v = 0; v < graph.vertex_count(); ++v) {
      const Preference& one = preferred[index(v)];
      if (one.decision >= 0)
        ties(v, one.decision) = options.strength * graph.weighted_degree(v) * one.share;
    }
  }
  for (std::size_t i = 0; i < labeled.size(); ++i) {
    const auto row = ties.row(labeled.vertices()[i]);
    std::ranges::fill(row, 0.0);
    row[static_cast<std::size_t>(labeled.class_of()[i])] =
        options.soft > 0.0 ? options.soft : std::numeric_limits<double>::infinity();
  }
  return ties;
}

// Vertices of each component, ascending, components in order.
std::vector<std::vector<VertexId>> component_members(const Components& components) {
  std::vector<std::vector<VertexId>> members(index(components.count));
  for (VertexId c = 0; c < components.count; ++c)
    members[index(c)].reserve(index(components.sizes[index(c)]));
  for (std::size_t v = 0; v < components.of.size(); ++v)
    members[index(components.of[v])].push_back(static_cast<VertexId>(v));
  return members;
}

// Classes that some vertex is tied to.
std::vector<int> present_classes(const Block& ties, const std::vector<VertexId>& vertices) {
  std::vector<int> present;
  std::vector<char> tied(static_cast<std::size_t>(ties.columns()), 0);
  for (const VertexId v : vertices) {
    const auto row = ties.row(v);
    for (std::size_t k = 0; k < row.size(); ++k) tied[k] |= static_cast<char>(row[k] > 0.0);
  }
  for (int k = 0; k < ties.columns(); ++k)
    if (tied[static_cast<std::size_t>(k)] != 0) present.push_back(k);
  return present;
}

Block ties_of(const Block& ties, const std::vector<VertexId>& vertices,
              const std::vector<int>& classes) {
  Block some(static_cast<std::int64_t>(vertices.size()), static_cast<std::int64_t>(classes.size()));
  for (std::size_t i = 0; i < vertices.size(); ++i)
    for (std::size_t k = 0; k < classes.size(); ++k)
      some(static_cast<std::int64_t>(i), static_cast<std::int64_t>(k)) =
          ties(vertices[i], classes[k]);
  return some;
}

// Sums over the components.
struct Totals {
  double cut = 0.0;
  double lower_bound = 0.0;
  double isolating_cut = 0.0;
  std::int64_t undecided = 0;
  std::int64_t flows = 0;
  std::size_t most_classes = 0;
  FlowMethod used = FlowMethod::automatic;
  VertexId largest = 0;  // component that `used` is from
  Outcome outcome = Outcome::converged;
};

// Cuts one component and writes its rows of `scores`.
void cut_component(const Graph& graph, const std::vector<VertexId>& vertices, const Block& ties,
                   const detail::MultiwayOptions& options, const RunContext& run,
                   InducedSubgraphs& parts, Block& scores, Totals& totals) {
  const std::vector<int> present = present_classes(ties, vertices);
  if (present.size() < 2) {
    for (const VertexId v : vertices)
      for (const int k : present) scores(v, k) = 1.0;
    return;
  }
  run.throw_if_stopped("min-cut", "before any cut was found");
  const bool whole = index(graph.vertex_count()) == vertices.size();
  const Graph part = whole ? Graph() : parts(vertices);
  const bool all = whole && index(ties.columns()) == present.size();
  const Block some = all ? Block() : ties_of(ties, vertices, present);
  run.throw_if_stopped("min-cut", "before any cut was found");
  const detail::MultiwayCut found =
      detail::multiway_cut(whole ? graph : part, all ? ties : some, options, run);
  for (std::size_t i = 0; i < vertices.size(); ++i)
    for (std::size_t k = 0; k < present.size(); ++k)
      scores(vertices[i], present[k]) =
          found.shares(static_cast<std::int64_t>(i), static_cast<std::int64_t>(k));
  totals.cut += found.cut;
  totals.lower_bound += found.lower_bound;
  totals.isolating_cut += present.size() > 2 ? found.isolating_cut : found.cut;
  totals.undecided += found.undecided;
  totals.flows += found.flows;
  totals.most_classes = std::max(totals.most_classes, present.size());
  totals.outcome = worse(totals.outcome, found.outcome);
  if (part.vertex_count() >= totals.largest) {
    totals.largest = part.vertex_count();
    totals.used = found.used;
  }
}

void certify(const Totals& totals, const MinCutOptions& options, Report& report) {
  report.requested = to_string(options.method);
  report.used = totals.flows > 0 ? to_string(totals.used) : "none";
  report.iterations = totals.flows;
  report.outcome = totals.outcome;
  if (totals.most_classes < 2) {
    report.sentence = "nothing to cut: no component has labels of two classes";
    return;
  }
  report.certificates.push_back({"cut", {totals.cut}});
  if (totals.most_classes == 2) {
    report.certificates.push_back({"flow", {totals.lower_bound}});
    report.sentence = "cut " + to_text(totals.cut) + " = flow " + to_text(totals.lower_bound) +
                      ": exact (" + report.used + ")";
    return;
  }
  const double bound = 2.0 - 2.0 / static_cast<double>(totals.most_classes);
  report.certificates.push_back({"lower_bound", {totals.lower_bound}});
  report.certificates.push_back({"isolating_cut", {totals.isolating_cut}});
  report.certificates.push_back({"bound", {bound}});
  report.certificates.push_back({"undecided", {static_cast<double>(totals.undecided)}});
  report.sentence = "cut " + to_text(totals.cut) + ", at least " + to_text(totals.lower_bound) +
                    " is needed (" + std::to_string(totals.flows) + " maximum flows)";
}

// A class that holds nothing but what was given to it, or not even that.
void warn_of_degenerate_classes(const Fit& fit, const LabeledSet& labeled, MassRule mass,
                                Report& report) {
  const auto classes = static_cast<std::size_t>(labeled.class_count());
  std::vector<std::int64_t> given(classes, 0), held(classes, 0), gained(classes, 0);
  bool anything_to_gain = false;
  for (const int k : labeled.class_of()) ++given[static_cast<std::size_t>(k)];
  for (std::size_t v = 0; v < fit.decision.size(); ++v) {
    const VertexStatus status = fit.scores.status[v];
    if (status == VertexStatus::unreached) continue;
    const bool is_given = status == VertexStatus::given;
    anything_to_gain = anything_to_gain || !is_given;
    for (std::size_t k = 0; k < classes; ++k) {
      if (!(fit.scores.values(static_cast<std::int64_t>(v), static_cast<std::int64_t>(k)) > 0.0))
        continue;
      ++held[k];
      if (!is_given) ++gained[k];
    }
  }
  if (!anything_to_gain) return;
  std::string bare, lost;
  for (std::size_t k = 0; k < classes; ++k) {
    if (given[k] == 0 || gained[k] > 0) continue;
    std::string& names = held[k] == 0 ? lost : bare;
    names += (names.empty() ? "'" : ", '") + labeled.class_names()[k] + "'";
  }
  const std::string cure =
      mass == MassRule::none
          ? ". Tie the other vertices to the classes with mass=cmn, or mass=priors"
          : ". Tie the other vertices closer to the classes with a larger strength";
  if (!bare.empty())
    report.warnings.push_back("nothing but given vertices in class " + bare +
                              ": it is cheapest to cut them off" + cure);
  if (!lost.empty())
    report.warnings.push_back("nothing left in class " + lost +
                              ": it is cheapest to outvote its labels" + cure);
}

const OptionBinding<MinCutOptions>& min_cut_binding() {
  static const auto options =
      OptionBinding<MinCutOptions>("min-cut")
          .real(&MinCutOptions::soft, "soft", detail::not_negative,
                "price of giving a given vertex another class; 0: never")
          .with(detail::mass_group(
              "tie every vertex to the classes by harmonic scores in the proportions "
              "of the labels (cmn) or given ones"))
          .real(&MinCutOptions::strength, "strength", detail::positive,
                "of those ties, relative to the edges of a vertex")
          .choice(
              &MinCutOptions::classes, "classes",
              {{MulticlassCut::expansion, "expansion"}, {MulticlassCut::isolating, "isolating"}},
              "for more than two classes: improve the isolating cuts by expansion, or not")
          .choice(&MinCutOptions::method, "method", "maximum flow method");
  return options;
}

}  // namespace

void MinCutOptions::validate() const { min_cut_binding().validate(*this); }

MinCutLearner::MinCutLearner(MinCutOptions options) : options_(std::move(options)) {
  options_.validate();
}

Fit MinCutLearner::fit(const Graph& graph, const LabeledSet& labeled, const RunContext& run) const {
  detail::check_problem("min-cut", graph, labeled, detail::Regression::unsupported);
  detail::check_mass("min-cut", options_.mass, options_.priors, labeled);
  Report report;
  const Stopwatch setup;
  const VertexId n = graph.vertex_count();
  const Components components = connected_components(graph);
  const auto unreached = detail::unreached_vertices(components, labeled);
  Totals totals;
  const Block ties = class_ties(graph, labeled, options_, run, totals.outcome);
  run.throw_if_stopped("min-cut", "before any cut was found");
  const auto members = component_members(components);
  report.setup_seconds = setup.seconds();

  const Stopwatch solving;
  run.report_progress("minimum cut");
  std::vector<VertexStatus> status = detail::vertex_status(n, labeled, unreached);
  run.throw_if_stopped("min-cut", "before any cut was found");
  Block scores(n, labeled.class_count());
  InducedSubgraphs parts(graph);
  const detail::MultiwayOptions multiway{options_.classes == MulticlassCut::expansion,
                                         {options_.method}};
  for (const std::vector<VertexId>& vertices : members)
    if (status[index(vertices.front())] != VertexStatus::unreached)
      cut_component(graph, vertices, ties, multiway, run, parts, scores, totals);
  for (VertexId v = 0; v < n; ++v) {
    const auto row = scores.row(v);
    if (status[index(v)] == VertexStatus::inferred && std::ranges::max(row) < 1.0)
      status[index(v)] = VertexStatus::tied;
  }
  certify(totals, options_, report);
  report.solve_seconds = solving.seconds();
  Fit fit = detail::finish_fit(
      std::move(scores), std::move(status), labeled,
      options_.soft > 0.0 ? detail::GivenLabels::soft : detail::GivenLabels::hard,
      std::move(report));
  warn_of_degenerate_classes(fit, labeled, options_.mass, fit.report);
  return fit;
}

LearnerEntry min_cut_entry() {
  LearnerEntry entry;
  entry.name = "min-cut";
  entry.summary = "the labeling that cuts the least weight; exact for two classes, ties told";
  entry.reference =
      "A. Blum, S. Chawla. Learning from labeled and unlabeled data using graph mincuts. ICML "
      "2001; more classes: E. Dahlhaus et al. SIAM J. Comput. 23, 1994, "
      "doi:10.1137/S0097539292225297, and Y. Boykov, O. Veksler, R. Zabih. IEEE PAMI 23, 2001, "
      "doi:10.1109/34.969114";
  entry.options = min_cut_binding().table();
  entry.make_transductive = [](const OptionValues& values) {
    return std::make_unique<MinCutLearner>(min_cut_binding().from(values));
  };
  return entry;
}

}  // namespace gssl
