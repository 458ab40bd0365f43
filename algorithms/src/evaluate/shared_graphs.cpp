#include "evaluate/shared_graphs.hpp"

namespace gssl::detail {

SharedGraphs::SharedGraphs(const EvaluationProblem& problem,
                           const std::map<const Graph*, int>& fits_of,
                           const std::vector<Trial>& trials, const RunContext& run) {
  SharedGraphOptions options;
  for (const Trial& trial : trials)
    for (const auto* part : {&trial.split.training, &trial.validation})
      for (const std::int32_t row : *part)
        options.labeled.push_back(problem.vertices[static_cast<std::size_t>(row)]);
  const double columns =
      problem.truth.is_regression() ? 1.0 : std::max(1, problem.truth.class_count() - 1);
  for (const auto& [graph, fits] : fits_of) {
    if (fits == 0 || run.should_stop()) continue;
    options.columns = columns * fits * static_cast<double>(trials.size());
    of_graph_[graph] = std::make_unique<const SharedGraph>(*graph, options, run);
  }
}

Fit SharedGraphs::fit(const MadeLearner& learner, const Graph& graph, const LabeledSet& labeled,
                      const RunContext& run) const {
  const auto found = of_graph_.find(&graph);
  const auto* sharing = learner.as<SharingLearner>();
  if (found != of_graph_.end() && sharing != nullptr)
    if (std::optional<Fit> fit = sharing->fit_on(*found->second, labeled, run))
      return *std::move(fit);
  return learner.transductive().fit(graph, labeled, run);
}

}  // namespace gssl::detail
