#include "gssl/transductive/properly_weighted.hpp"

#include <cmath>

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

}  // namespace

void ProperlyWeightedOptions::validate() const {
  const auto check = [](bool good, const char* name, double value, const char* rule) {
    detail::check_option(good, "properly-weighted", name, value, rule);
  };
  check(alpha > 0.0 && std::isfinite(alpha), "alpha", alpha, "a number > 0");
  check(radius > 0.0 && std::isfinite(radius), "radius", radius, "a number > 0");
  check(ceiling > 1.0 && std::isfinite(ceiling), "ceiling", ceiling, "a number > 1");
  detail::check_priors("properly-weighted", mass, priors);
  detail::solver_options(*this).validate();
}

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
  entry.options
      .real("alpha", 2.0, {.low = 0.0, .low_open = true, .high_open = true},
            "growth of the weights towards a label")
      .real("radius", 0.25, {.low = 0.0, .low_open = true, .high_open = true},
            "reach of a label, as a share of the largest distance to one")
      .real("ceiling", 1e7, {.low = 1.0, .low_open = true, .high_open = true},
            "largest factor of a weight")
      .choice("length", "unit", {"unit", "inverse"},
              "length of an edge of weight w, for the distance to a label: 1 or 1/w");
  detail::add_rescaling_and_solver_options(entry.options);
  entry.traits.regression = true;
  entry.make_transductive = [](const OptionValues& values) {
    ProperlyWeightedOptions options;
    options.alpha = values.real("alpha");
    options.radius = values.real("radius");
    options.ceiling = values.real("ceiling");
    if (values.text("length") == "inverse") options.length = EdgeLength::inverse;
    detail::read_mass_options("properly-weighted", values, options);
    detail::read_solver_options(values, options);
    return std::make_unique<ProperlyWeightedLearner>(options);
  };
  return entry;
}

}  // namespace gssl
