#pragma once
// What the results of an evaluation say together: means over the trials of a group, and whether the
// best of the learners differs from each of the others by more than chance.
//
//   for (const gssl::Comparison& c : gssl::compare(results, trials, methods, gssl::Protocol::folds, false))
//     c.group, c.method, c.value.mean, c.verdict;
//
// The measure compared is accuracy, and a row without an answer is wrong; or for a regression the
// root mean squared error, which has no value for such a row: two learners are compared on the rows
// that both answer, the best is who beats most of the others so (of equals who answers more rows, then
// who has the smaller error on its own), and the value of each alone is of the rows that it answers.
//
// Which test: over independent label sets the paired t and Wilcoxon's; over folds and shares the
// corrected resampled t, and over splits whose training parts share more than a tenth of their rows;
// on a single split McNemar's over its rows. p-values are raised by Holm's rule over the learners
// compared with the best. Where test parts are disjoint, the best and the second, too, have a
// binomial test: of the rows that one of the two alone has right, is it half that the best has?
//
// Where each of several trials measures one row alone, as in leave-one-out, the rows of all of them
// are measured together: metrics are then of that one set of rows. The corrected resampled t is then
// over what each row adds to the measure: 0 or 1, or its squared error. Neither these metrics nor
// those of one trial alone have a deviation; the interval of an accuracy is then the exact one.

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gssl/core/named.hpp"
#include "gssl/evaluate/evaluation.hpp"
#include "gssl/evaluate/hypothesis_tests.hpp"

namespace gssl {

enum class Verdict {
  best,
  same,     // not distinguishable from the best
  worse,    // p < 0.05
  unknown,  // too few trials to tell: fewer than 5, and no rows to compare
  failed    // no trial has a result
};
template <>
inline constexpr auto names_of<Verdict> = enum_names<Verdict>("verdict", {"best", "same", "worse",
                                                                          "unknown", "failed"});
std::string_view to_string(Verdict verdict);  // "best", "same", "worse", "unknown", "failed"

// The measure of a learner and of the best on the rows that both answer: mean over the trials that
// have such rows.
struct CommonRows {
  std::int64_t rows = 0;  // over all trials
  double value = 0.0;     // accuracy, or root mean squared error; NaN for no rows
  double best = 0.0;
};

// One learner in one group of trials.
struct Comparison {
  std::string group;
  int method = 0;
  int trials = 0;          // with a result
  int failed = 0;          // with an error
  std::string error = {};  // of the first of them
  bool pooled = false;     // trials of one row each, measured together
  // `sd` of this and of what follows is NaN where rows are pooled, and of one trial alone.
  MeanAndDeviation value;  // accuracy, or root mean squared error
  // Of its mean, 95 %, trials taken as independent; without a deviation `interval`, or NaN.
  Interval mean_interval;
  MeanAndDeviation balanced_accuracy, f1_macro, matthews, log_loss, brier, auc, ece;
  MeanAndDeviation mae, r2, seconds;
  std::optional<double> nmi, ari;         // of a clusterer: means over the trials
  std::int64_t memory = -1;               // bytes, the most of any trial; −1: not measured
  std::optional<double> cut, modularity;  // likewise
  std::int64_t unreached = 0, tied = 0;   // over all trials
  std::int64_t unanswered = 0;            // these and what is unfinished
  Confusion counts;                       // likewise
  std::vector<ReliabilityBin> reliability;
  std::string chosen;  // the SPEC used most often
  // All that were used, and in how many trials, most often first.
  std::vector<std::pair<std::string, int>> choices;
  // Against the best of the group; all of it empty for the best.
  std::optional<CommonRows> common;
  std::optional<PairedTest> test;
  std::optional<double> wilcoxon_p;
  std::optional<double> mcnemar_p;
  double p_adjusted = 1.0;
  Verdict verdict = Verdict::best;
  // Of the accuracy over all rows, where test parts are disjoint: exact.
  std::optional<Interval> interval;
  // Of the best alone, against the second: binomial, of the rows that one of them alone has right.
  std::optional<ShareTest> against_second;
};

// In order of group, as trials come, then of method. A method without a result in a group is absent
// unless it failed there.
std::vector<Comparison> compare(const std::vector<TrialResult>& results,
                                const std::vector<Trial>& trials, int methods, Protocol protocol,
                                bool regression);

}  // namespace gssl
