#pragma once
// What a criterion of active.hpp is worth: accuracy against the number of questions, beside random
// questions from the same starting labels, with the truth as the person who answers.
//
//   gssl::CurveComparison found =
//       gssl::compare_with_random(graph, start, truth, learner, {.budget = 40, .repeats = 20},
//       run);
//   for (const gssl::CurvePoint& p : found.chosen.points) p.asked, p.mean, p.sd;
//
// A round fits the learner to the labels so far, measures it, asks `batch` vertices, and adds their
// true classes; fewer where the criterion asks fewer, and random is then asked as many. Accuracy is
// the share right of the vertices with a truth that are not given at that time; an unreached one is
// wrong. Repeat 0 starts from `start`; each later one from as many labels of each class as `start`
// has, drawn without replacement from the truth.
//
// Cost: 2·repeats·(budget/batch + 1) fits, and what the criterion costs once for each repeat.

#include <vector>

#include "gssl/evaluate/active.hpp"
#include "gssl/learn/learner.hpp"

namespace gssl {

struct CurveOptions {
  AskOptions ask = {};
  int budget = 20;  // questions in all; ≥ 1
  int batch = 1;    // questions between two fits; ≥ 1
  int repeats = 1;  // ≥ 1

  void validate() const;  // throws ErrorCode::usage: option, value, rule
};

struct CurvePoint {
  int asked = 0;      // questions so far
  double mean = 0.0;  // of the accuracy over the repeats
  double sd = 0.0;    // its standard deviation (n − 1); 0 for one repeat
  int repeats = 0;    // runs with a round that ended here
};

struct LearningCurve {
  // Ascending by asked: 0, batch, 2·batch, …, budget, where no round asks less than a batch.
  std::vector<CurvePoint> points;

  // Mean accuracy over the points: the area under the curve. 0 without points.
  double area() const;
};

struct CurveComparison {
  LearningCurve chosen;
  LearningCurve random;  // without points if the criterion is random itself
  // Of the fits and the criterion. A stopped run holds the repeats that were whole.
  Report report;
};

// `truth` are classes of vertices that may be asked; `start` may be empty. Throws
// ErrorCode::bad_data if truth is empty, names a vertex the graph does not have, or only vertices
// that are given in `start`,
// ErrorCode::usage if either holds real targets, and what the learner throws.
CurveComparison compare_with_random(const Graph& graph, const LabeledSet& start,
                                    const LabeledSet& truth, const TransductiveLearner& learner,
                                    const CurveOptions& options, const RunContext& run = {});

}  // namespace gssl
