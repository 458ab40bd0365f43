#pragma once
// Labels of today's graph from yesterday's scores: a few edges, labels or vertices have changed, and
// most scores with them by nothing.
//
//   const PreviousScores before{.scores = fit.scores.values, .class_names = fit.class_names};
//   WarmFit warm = fit_from(HarmonicOptions{}, changed_graph, changed_labels, before, run);
//   warm.fit;                    // as a fit from nothing, to the same tolerance
//   warm.error_bound;            // no score is further from the exact one
//   ScoreChanges changes = compare_scores(before, warm.fit);   // who changed, and by how much
//
// The correction is solved on regions around what changed, or on all where these are too large
// (solve_from.hpp), and stops at the same residual as a fit from nothing. Scores must be those of
// the same learner, as it solved them: not rescaled by class masses. Wrong ones cost time and
// nothing else. They are changed to the answer in the memory that they come in, and rows without a
// correction are not written to: scores in a mapped file are copied where they change. Cost:
// O(K(n + m)) and the regions.

#include <string>
#include <vector>

#include "gssl/learn/learner.hpp"
#include "gssl/solve/solve_from.hpp"
#include "gssl/transductive/harmonic.hpp"
#include "gssl/transductive/local_global.hpp"

namespace gssl {

// Row v is of vertex v of today's graph; vertices that are new, or had no label in their component,
// have a row of zeros. Columns are classes, by name, or the one of a regression (no names).
struct PreviousScores {
  Block scores;
  std::vector<std::string> class_names;
};

struct WarmFit {
  Fit fit;
  // Of any score from the exact one, up to rounding; not where the run was stopped.
  std::optional<double> error_bound;
  SolveFromReport solve;
};

// Throw as the fit() of these learners does; ErrorCode::usage if mass is not none, and
// ErrorCode::bad_data if there is not one row for each vertex and one column for each class name
// (for a regression: one column), or a score is not finite.
WarmFit fit_from(const HarmonicOptions& options, const Graph& graph, const LabeledSet& labeled,
                 PreviousScores before, const RunContext& run = {});
WarmFit fit_from(const LocalGlobalOptions& options, const Graph& graph, const LabeledSet& labeled,
                 PreviousScores before, const RunContext& run = {});

// A vertex that had an answer and has another one, or one that had none, or has none any more.
struct Flip {
  VertexId vertex;
  std::string before, now;  // classes; "?": none
  double confidence_before, confidence_now;
};

struct ScoreChanges {
  std::vector<Flip> flips;  // by vertex
  double sum = 0.0;         // Σ |difference| over all scores
  double largest = 0.0;
};

// A regression has no flips. A class that is on one side only has scores of zero on the other. What
// a vertex was before is its largest score and that score's share; a row of zeros had no answer.
// Vertices behind the last row of before had no answer, either. O(nK), shared by `threads`; the same
// for any number.
ScoreChanges compare_scores(const PreviousScores& before, const Fit& now, int threads = 1);

}  // namespace gssl
