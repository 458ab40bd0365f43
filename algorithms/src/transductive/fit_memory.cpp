#include "gssl/transductive/fit_memory.hpp"

#include "transductive/support/class_solves.hpp"
#include "transductive/support/column_plan.hpp"
#include "transductive/support/harmonic_columns.hpp"

namespace gssl {

FitMemory fit_memory(const NetworkSize& graph, int classes, const FitKeeps& keeps,
                     const RunContext& run) {
  const bool shares = keeps.given > 0.0 && detail::shares_graph(graph, classes, keeps.given);
  const detail::ColumnProblem problem{
      .learner = "label",
      .graph = graph,
      .classes = classes,
      .keep_scores = keeps.scores,
      .top = keeps.top,
      .rescaled = true,
      .shares_graph = shares,
      // On so many rows auto leaves no label out, for which it would keep the system apart.
      .on_graph = shares && keeps.hard && detail::goes_on_graph(graph, classes, keeps.given)};
  const detail::ColumnPlan plan = detail::plan_columns(problem, {}, run);
  return {detail::planned_memory(problem, plan), plan.together ? classes : plan.width,
          plan.is_short};
}

}  // namespace gssl
