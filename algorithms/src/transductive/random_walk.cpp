#include "gssl/transductive/random_walk.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "gssl/core/stopwatch.hpp"
#include "support/check_problem.hpp"
#include "support/finish_fit.hpp"
#include "support/many_right_hand_sides.hpp"
#include "support/reported_solve.hpp"
#include "support/unfinished.hpp"
#include "support/vertex_status.hpp"
#include "transductive/support/column_plan.hpp"
#include "transductive/support/label_groups.hpp"
#include "transductive/support/learner_options.hpp"
#include "transductive/support/rescale_mass.hpp"

namespace gssl {

namespace {

double label_weight(double degree, WalkKind walk) {
  if (walk == WalkKind::commute) return 1.0;
  return walk == WalkKind::forward ? degree : std::sqrt(degree);
}

std::vector<std::vector<std::size_t>> labels_by_class(const LabeledSet& labeled) {
  std::vector<std::vector<std::size_t>> labels(static_cast<std::size_t>(labeled.class_count()));
  for (std::size_t i = 0; i < labeled.size(); ++i)
    labels[static_cast<std::size_t>(labeled.class_of()[i])].push_back(i);
  return labels;
}

const OptionBinding<RandomWalkOptions>& random_walk_binding() {
  static const auto options = OptionBinding<RandomWalkOptions>("random-walk")
                                  .real(&RandomWalkOptions::alpha, "alpha", detail::open_unit,
                                        "chance to go on at every step")
                                  .choice(&RandomWalkOptions::walk, "walk",
                                          {{WalkKind::symmetric, "symmetric"},
                                           {WalkKind::commute, "commute"},
                                           {WalkKind::forward, "forward"}},
                                          "a label of degree d counts as its root, 1 or d")
                                  .with(detail::rescaling_group)
                                  .with(detail::solver_group);
  return options;
}

// The scores of all classes at once; start(i) is what label i begins with.
template <class Start>
Block walk_at_once(GroundedLaplacian system, const LabeledSet& labeled, Start&& start,
                   const RandomWalkOptions& options, const RunContext& run, Report& report) {
  Block b(system.size(), labeled.class_count());
  for (std::size_t i = 0; i < labeled.size(); ++i)
    b(labeled.vertices()[i], labeled.class_of()[i]) = start(i);
  return detail::solve(std::move(system), b, detail::solver_options(options), run, report);
}

// The same, some classes after the other. What was not finished decides nothing.
template <class Start>
Block walk_in_groups(GroundedLaplacian system, const LabeledSet& labeled, Start&& start,
                     const RandomWalkOptions& options, const RunContext& run, Report& report) {
  const std::int64_t classes = labeled.class_count();
  const std::vector<std::vector<std::size_t>> labels_of = labels_by_class(labeled);
  run.throw_if_stopped("random-walk", "before it began");
  Block scores(system.size(), classes);
  detail::ManyRightHandSides solves(std::move(system), detail::solver_options(options), classes,
                                    run, report);
  solves.each(
      "random-walk", classes, run,
      [&](std::int64_t k, std::int64_t column, Block& b) {
        for (const std::size_t i : labels_of[static_cast<std::size_t>(k)])
          b(labeled.vertices()[i], column) = start(i);
      },
      [&](std::int64_t first, std::int64_t columns, const Block& x) {
        for (std::int64_t v = 0; v < x.rows(); ++v)
          std::copy_n(x.row(v).data(), columns, scores.row(v).data() + first);
      });
  run.throw_if_stopped("random-walk", "before every class had its scores");
  report.score_error = detail::estimated_score_error(report);
  return scores;
}

}  // namespace

void RandomWalkOptions::validate() const { random_walk_binding().validate(*this); }

RandomWalkLearner::RandomWalkLearner(RandomWalkOptions options) : options_(std::move(options)) {
  options_.validate();
}

Fit RandomWalkLearner::fit(const Graph& graph, const LabeledSet& labeled,
                           const RunContext& run) const {
  detail::check_problem("random-walk", graph, labeled, detail::Regression::unsupported);
  detail::check_mass("random-walk", options_.mass, options_.priors, labeled);
  Report report;
  const Stopwatch setup;
  const detail::LabelGroups groups(graph, labeled, run.thread_count());
  const double beta = (1.0 - options_.alpha) / options_.alpha;
  std::vector<double> ground = groups.degrees();
  for (double& value : ground) value *= beta;
  // By the mean degree, so that the scale of the weights does not matter.
  const auto start = [&](std::size_t i) {
    const VertexId v = labeled.vertices()[i];
    return graph.degree(v) == 0 ? 0.0
                                : label_weight(groups.degrees()[static_cast<std::size_t>(v)] /
                                                   groups.mean_degree(groups.of(v)),
                                               options_.walk);
  };
  GroundedLaplacian system(std::make_shared<const Graph>(graph), std::move(ground));
  report.setup_seconds = setup.seconds();
  Block scores = labeled.class_count() > detail::most_together
                     ? walk_in_groups(std::move(system), labeled, start, options_, run, report)
                     : walk_at_once(std::move(system), labeled, start, options_, run, report);
  const std::int64_t alike = detail::positive_shares(groups, scores, run.thread_count());
  std::int64_t lonely = 0;  // a given vertex without edges has no walk: the shares of its group do
  for (int g = 0; g < groups.count(); ++g) lonely += groups.members(g).size() == 1;
  if (alike > lonely)
    report.warnings.push_back(std::to_string(alike - lonely) +
                              " vertices are so far from every label that no score stands out: "
                              "raise alpha, or use harmonic or poisson");
  Fit fit = detail::finish_fit(
      std::move(scores), detail::vertex_status(graph.vertex_count(), labeled, groups.unreached()),
      labeled, detail::GivenLabels::soft, std::move(report));
  detail::rescale_mass(fit, labeled, options_.mass, options_.priors, run);
  return fit;
}

LearnerEntry random_walk_entry() {
  LearnerEntry entry;
  entry.name = "random-walk";
  entry.summary = "the class whose labels a lazy random walk visits most, at given vertices too";
  entry.reference =
      "D. Zhou, B. Schoelkopf. Learning from labeled and unlabeled data using random walks. DAGM "
      "2004, LNCS 3175, 237-244, doi:10.1007/978-3-540-28649-3_29";
  entry.options = random_walk_binding().table();
  entry.traits.keeps_given = false;
  entry.make_transductive = [](const OptionValues& values) {
    return std::make_unique<RandomWalkLearner>(random_walk_binding().from(values));
  };
  return entry;
}

}  // namespace gssl
