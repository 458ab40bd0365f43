#include "gssl/transductive/wnll.hpp"

#include <cmath>

#include "transductive/support/reweighted.hpp"

namespace gssl {

void WnllOptions::validate() const {
  detail::check_option(weight >= 0.0 && std::isfinite(weight), "wnll", "weight", weight,
                       "a number ≥ 0");
  detail::check_priors("wnll", mass, priors);
  detail::solver_options(*this).validate();
}

WnllLearner::WnllLearner(WnllOptions options) : options_(std::move(options)) {
  options_.validate();
}

Fit WnllLearner::fit(const Graph& graph, const LabeledSet& labeled, const RunContext& run) const {
  return fit_keeping(graph, labeled, run, true);
}

Fit WnllLearner::fit_without_scores(const Graph& graph, const LabeledSet& labeled,
                                    const RunContext& run) const {
  return fit_keeping(graph, labeled, run, false);
}

Fit WnllLearner::fit_keeping(const Graph& graph, const LabeledSet& labeled, const RunContext& run,
                             bool keep_scores) const {
  const auto growth = [&](const detail::LabelGroups& groups) {
    std::vector<double> gamma(static_cast<std::size_t>(graph.vertex_count()), 1.0);
    for (const VertexId v : labeled.vertices()) {
      const int g = groups.of(v);
      gamma[static_cast<std::size_t>(v)] =
          options_.weight > 0.0
              ? options_.weight
              : static_cast<double>(groups.members(g).size()) / groups.label_count(g);
    }
    return gamma;
  };
  return detail::fit_reweighted("wnll", options_, graph, labeled, run, keep_scores, growth);
}

LearnerEntry wnll_entry() {
  LearnerEntry entry;
  entry.name = "wnll";
  entry.summary = "harmonic labels with the edges at given vertices made heavier";
  entry.reference =
      "Z. Shi, S. Osher, W. Zhu. Weighted nonlocal Laplacian on interpolation from sparse data. "
      "J. Sci. Comput. 73, 2017, 1164-1177, doi:10.1007/s10915-017-0421-z";
  entry.options.real("weight", 0.0, {.low = 0.0, .high_open = true},
                     "mu of the edges at given vertices; 0: vertices per label");
  detail::add_rescaling_and_solver_options(entry.options);
  entry.traits.regression = true;
  entry.make_transductive = [](const OptionValues& values) {
    WnllOptions options;
    options.weight = values.real("weight");
    detail::read_mass_options("wnll", values, options);
    detail::read_solver_options(values, options);
    return std::make_unique<WnllLearner>(options);
  };
  return entry;
}

}  // namespace gssl
