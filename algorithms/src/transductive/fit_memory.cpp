#include "gssl/transductive/fit_memory.hpp"

#include "transductive/support/column_plan.hpp"

namespace gssl {

FitMemory fit_memory(const NetworkSize& graph, int classes, const FitKeeps& keeps,
                     const RunContext& run) {
  const detail::ColumnProblem problem{.learner = "label",
                                      .graph = graph,
                                      .classes = classes,
                                      .keep_scores = keeps.scores,
                                      .top = keeps.top,
                                      .rescaled = true};
  const detail::ColumnPlan plan = detail::plan_columns(problem, {}, run);
  return {detail::planned_memory(problem, plan), plan.together ? classes : plan.width,
          plan.is_short};
}

}  // namespace gssl
