#pragma once
// The answer of `gssl label`: the fit of what was read, its confidence made a probability, and
// answers that are not sure enough taken back.
//
//   LabelAnswer answer = fit_labels(session, options, problem, learner);
//   calibrate(session, options, problem, learner, answer.fit);
//   drop_uncertain(session, options, answer.fit);

#include <optional>

#include "gssl/learn/top_classes.hpp"
#include "label_points.hpp"

namespace gssl::tool {

struct LabelAnswer {
  Fit fit;
  TopClasses best;            // of --top, where not all scores are kept
  std::optional<Fit> others;  // of --extend
};

// All scores are kept where someone looks at them: many classes take much memory. What goes on from
// before finds the best classes among them.
bool wants_scores(const LabelOptions& options);

// By the graph or by points, from nothing, from scores of before or from a checkpoint.
LabelAnswer fit_labels(Session& session, const LabelOptions& options, LabelInput& problem,
                       const MadeLearner& learner);

// The same fit by this run, without its answer and without a checkpoint; for --estimate, which knows
// no scores of before.
void rehearse_fit(const Session& session, const LabelOptions& options, const LabelInput& problem,
                  const MadeLearner& learner, const RunContext& run);

// Confidence becomes a probability, by given labels that are left out; nothing without --calibrate.
void calibrate(Session& session, const LabelOptions& options, const LabelInput& problem,
               const MadeLearner& learner, Fit& fit);

// Takes back the answers that are not sure enough; nothing without --min-confidence.
void drop_uncertain(Session& session, const LabelOptions& options, Fit& fit);

}  // namespace gssl::tool
