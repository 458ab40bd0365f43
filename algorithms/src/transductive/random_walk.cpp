#include "gssl/transductive/random_walk.hpp"

#include <cmath>

#include "gssl/core/stopwatch.hpp"
#include "support/fit_support.hpp"
#include "transductive/support/column_plan.hpp"
#include "transductive/support/label_groups.hpp"
#include "transductive/support/learner_options.hpp"

namespace gssl {

namespace {

double label_weight(double degree, WalkKind walk) {
  if (walk == WalkKind::commute) return 1.0;
  return walk == WalkKind::forward ? degree : std::sqrt(degree);
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
  // Of many classes what was not finished decides nothing, and takes long to put together.
  const auto look_at_clock = [&] {
    if (labeled.class_count() > detail::most_together)
      run.throw_if_stopped("random-walk", "before every class had its scores");
  };
  look_at_clock();
  Block b(graph.vertex_count(), labeled.class_count());
  for (std::size_t i = 0; i < labeled.size(); ++i) {
    const VertexId v = labeled.vertices()[i];
    if (graph.degree(v) == 0) continue;
    // By the mean degree, so that the scale of the weights does not matter.
    b(v, labeled.class_of()[i]) = label_weight(
        groups.degrees()[static_cast<std::size_t>(v)] / groups.mean_degree(groups.of(v)),
        options_.walk);
  }
  GroundedLaplacian system(std::make_shared<const Graph>(graph), std::move(ground));
  report.setup_seconds = setup.seconds();
  look_at_clock();
  Block scores = detail::solve(std::move(system), b, detail::solver_options(options_), run, report);
  look_at_clock();
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
