#include "gssl/transductive/consensus.hpp"

#include "support/check_problem.hpp"
#include "transductive/support/class_solves.hpp"
#include "transductive/support/harmonic_columns.hpp"
#include "transductive/support/learner_options.hpp"

namespace gssl {

namespace {

SolverOptions solver_options(const ConsensusOptions& options) {
  const bool sequential = options.mode == ConsensusMode::sequential;
  return {.kind = sequential ? SolverKind::consensus : SolverKind::asynchronous_consensus,
          .tolerance = options.tolerance,
          .max_iterations = options.max_iterations,
          .eliminate = false};
}

const OptionBinding<ConsensusOptions>& consensus_binding() {
  static const auto options =
      OptionBinding<ConsensusOptions>("consensus")
          .choice(
              &ConsensusOptions::mode, "mode",
              {{ConsensusMode::sequential, "sequential"},
               {ConsensusMode::asynchronous, "asynchronous"}},
              "order of the steps; asynchronous uses all threads and may differ from run to run")
          .real(&ConsensusOptions::tolerance, "tolerance", detail::open_unit,
                "relative residual to reach")
          .integer(&ConsensusOptions::max_iterations, "max_iterations", {.low = 1}, "sweep limit");
  return options;
}

}  // namespace

void ConsensusOptions::validate() const { consensus_binding().validate(*this); }

ConsensusLearner::ConsensusLearner(ConsensusOptions options) : options_(options) {
  options_.validate();
}

Fit ConsensusLearner::fit(const Graph& graph, const LabeledSet& labeled,
                          const RunContext& run) const {
  return fit_keeping(graph, labeled, run, true);
}

Fit ConsensusLearner::fit_without_scores(const Graph& graph, const LabeledSet& labeled,
                                         const RunContext& run) const {
  return fit_keeping(graph, labeled, run, false);
}

Fit ConsensusLearner::fit_keeping(const Graph& graph, const LabeledSet& labeled,
                                  const RunContext& run, bool keep_scores) const {
  detail::check_problem("consensus", graph, labeled, detail::Regression::supported);
  const detail::ColumnPlan plan = detail::plan_columns({.learner = "consensus",
                                                        .graph = graph,
                                                        .classes = detail::column_count(labeled),
                                                        .keep_scores = keep_scores,
                                                        .blocks = !labeled.is_regression()},
                                                       solver_options(options_), run);
  if (plan.together) return detail::fit_dirichlet(graph, labeled, plan.options, plan.run);
  return detail::fit_harmonic_columns(detail::hard_columns(graph, labeled), graph.vertex_count(),
                                      labeled, {}, {.scores = keep_scores}, plan);
}

LearnerEntry consensus_entry() {
  LearnerEntry entry;
  entry.name = "consensus";
  entry.summary = "neighbors average until they agree: the harmonic labels by local steps alone";
  entry.reference =
      "D. P. Bertsekas, J. N. Tsitsiklis. Parallel and Distributed Computation, 1989; "
      "R. Olfati-Saber, J. A. Fax, R. M. Murray. Proc. IEEE 95(1), 2007, "
      "doi:10.1109/JPROC.2006.887293";
  entry.options = consensus_binding().table();
  entry.traits.regression = true;
  entry.make_transductive = [](const OptionValues& values) {
    return std::make_unique<ConsensusLearner>(consensus_binding().from(values));
  };
  return entry;
}

}  // namespace gssl
