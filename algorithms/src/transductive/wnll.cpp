#include "gssl/transductive/wnll.hpp"

#include "transductive/support/learner_options.hpp"
#include "transductive/support/reweighted.hpp"

namespace gssl {

namespace {

const OptionBinding<WnllOptions>& wnll_binding() {
  static const auto options =
      OptionBinding<WnllOptions>("wnll")
          .real(&WnllOptions::weight, "weight", detail::not_negative,
                "mu: edges at given vertices are (1 + mu)/2 times as heavy; 0: vertices per label")
          .with(detail::rescaling_group)
          .with(detail::solver_group);
  return options;
}

}  // namespace

void WnllOptions::validate() const { wnll_binding().validate(*this); }

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
  entry.options = wnll_binding().table();
  entry.traits.regression = true;
  entry.make_transductive = [](const OptionValues& values) {
    return std::make_unique<WnllLearner>(wnll_binding().from(values));
  };
  return entry;
}

}  // namespace gssl
