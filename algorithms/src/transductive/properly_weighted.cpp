#include "gssl/transductive/properly_weighted.hpp"

#include <cmath>

#include "support/largest.hpp"
#include "transductive/support/learner_options.hpp"
#include "transductive/support/reweighted.hpp"

namespace gssl {

namespace {

// γ_v for vertices at distance `rho` from the nearest label.
std::vector<double> growth(const detail::LabelGroups& groups, const std::vector<double>& rho,
                           const ProperlyWeightedOptions& options, int threads) {
  std::vector<double> gamma(rho.size(), 1.0);
  std::vector<double> radius;
  radius.reserve(static_cast<std::size_t>(groups.count()));
  for (int g = 0; g < groups.count(); ++g)
    radius.push_back(
        options.radius *
        groups
            .sum_over(g, threads,
                      [&](VertexId v) { return detail::Largest{rho[static_cast<std::size_t>(v)]}; })
            .value);
  groups.for_members(threads, [&](VertexId v) {
    const double r = radius[static_cast<std::size_t>(groups.of(v))];
    const double distance = rho[static_cast<std::size_t>(v)];
    // r is 0 where every vertex is given, and then no weight matters.
    const double grown = distance > 0.0 ? 1.0 + std::pow(r / distance, options.alpha)
                         : r > 0.0      ? options.ceiling
                                        : 1.0;
    gamma[static_cast<std::size_t>(v)] = std::min(grown, options.ceiling);
  });
  return gamma;
}

const OptionBinding<ProperlyWeightedOptions>& properly_weighted_binding() {
  static const auto options =
      OptionBinding<ProperlyWeightedOptions>("properly-weighted")
          .real(&ProperlyWeightedOptions::alpha, "alpha", detail::positive,
                "growth of the weights towards a label")
          .real(&ProperlyWeightedOptions::radius, "radius", detail::positive,
                "reach of a label, as a share of the largest distance to one")
          .real(&ProperlyWeightedOptions::ceiling, "ceiling",
                {.low = 1.0, .low_open = true, .high_open = true}, "largest factor of a weight")
          .choice(&ProperlyWeightedOptions::length, "length",
                  {{EdgeLength::unit, "unit"}, {EdgeLength::inverse, "inverse"}},
                  "length of an edge of weight w, for the distance to a label: 1 or 1/w")
          .with(detail::rescaling_group)
          .with(detail::solver_group);
  return options;
}

}  // namespace

void ProperlyWeightedOptions::validate() const { properly_weighted_binding().validate(*this); }

ProperlyWeightedLearner::ProperlyWeightedLearner(ProperlyWeightedOptions options)
    : options_(std::move(options)) {
  options_.validate();
}

Fit ProperlyWeightedLearner::fit(const Graph& graph, const LabeledSet& labeled,
                                 const RunContext& run) const {
  return fit_keeping(graph, labeled, run, true);
}

Fit ProperlyWeightedLearner::fit_without_scores(const Graph& graph, const LabeledSet& labeled,
                                                const RunContext& run) const {
  return fit_keeping(graph, labeled, run, false);
}

Fit ProperlyWeightedLearner::fit_keeping(const Graph& graph, const LabeledSet& labeled,
                                         const RunContext& run, bool keep_scores) const {
  const auto grow = [&](const detail::LabelGroups& groups) {
    const ShortestPaths paths = shortest_paths(graph, labeled.vertices(), options_.length, run);
    return growth(groups, paths.distance, options_, run.thread_count());
  };
  return detail::fit_reweighted("properly-weighted", options_, graph, labeled, run, keep_scores,
                                grow);
}

LearnerEntry properly_weighted_entry() {
  LearnerEntry entry;
  entry.name = "properly-weighted";
  entry.summary = "harmonic labels with weights that grow towards the given labels";
  entry.reference =
      "J. Calder, D. Slepcev. Properly-weighted graph Laplacian for semi-supervised learning. "
      "Appl. Math. Optim. 82, 2020, 1111-1159, doi:10.1007/s00245-019-09637-3";
  entry.options = properly_weighted_binding().table();
  entry.traits.regression = true;
  entry.make_transductive = [](const OptionValues& values) {
    return std::make_unique<ProperlyWeightedLearner>(properly_weighted_binding().from(values));
  };
  return entry;
}

}  // namespace gssl
