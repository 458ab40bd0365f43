#pragma once
// How well answers agree with the truth: counts of classes, and errors of real values.
//
//   gssl::Confusion found = gssl::confusion(truth, answer, 3);   // answer −1: none was given
//   found.accuracy();               // one without an answer is wrong
//   found.accuracy_answered();      // it is left out
//   found.macro().f1;
//   gssl::ValueErrors e = gssl::value_errors(truth, values);
//   e.rmse, e.mae, e.r2;
//
// Shares of nothing are NaN (accuracy of no rows); precision, recall and F of a class are 0 where
// they are 0/0, as scikit-learn has it with zero_division=0. What has no answer lowers recall and
// accuracy, and no class gets it.

#include <cstdint>
#include <span>
#include <vector>

#include "gssl/learn/learner.hpp"

namespace gssl {

// In the place of a class: none.
inline constexpr int no_answer = -1;

// Of one class, or an average over classes.
struct ClassMeasures {
  double precision = 0.0;    // share of the answers of this class that are right
  double recall = 0.0;       // share of the rows of this class that are found
  double f1 = 0.0;           // 2·right/(rows + answers), their harmonic mean
  std::int64_t support = 0;  // rows of this class
};

// How often a row of one class was answered with another. Classes are 0 … K−1.
class Confusion {
 public:
  // Of no classes.
  Confusion() = default;
  // Throws ErrorCode::usage if classes < 0.
  explicit Confusion(int classes);

  // Throws ErrorCode::bad_data unless 0 ≤ truth < K and −1 ≤ answer < K.
  void add(int truth, int answer, std::int64_t times = 1);
  // Adds the counts of another with as many classes; ErrorCode::usage otherwise.
  Confusion& operator+=(const Confusion& other);

  int classes() const { return classes_; }
  std::int64_t count(int truth, int answer) const;  // answer may be no_answer
  std::int64_t total() const { return total_; }
  std::int64_t right() const;
  std::int64_t answered() const;
  std::int64_t rows_of(int truth) const;
  std::int64_t answers_of(int answer) const;

  double accuracy() const;           // right/total
  double accuracy_answered() const;  // right/answered
  double balanced_accuracy() const;  // mean recall of the classes that have a row
  // Matthews' correlation of truth and answer, −1 to 1, "no answer" taken as a class of its own; 0
  // where all truths or all answers are one class (J. Gorodkin 2004,
  // doi:10.1016/j.compbiolchem.2004.09.006).
  double matthews() const;
  ClassMeasures of_class(int k) const;
  // Mean over the classes that have a row or an answer; support is the total.
  ClassMeasures macro() const;
  // The same, each class counting as often as it has rows.
  ClassMeasures weighted() const;
  // All classes together: precision is right/answered, recall right/total.
  ClassMeasures micro() const;

 private:
  std::size_t index(int truth, int answer) const;

  int classes_ = 0;
  std::int64_t total_ = 0;
  std::vector<std::int64_t> counts_;  // K rows of K + 1, the last column for no answer
};

// Throws ErrorCode::bad_data if the lengths differ, and as Confusion::add. O(n + K²).
Confusion confusion(std::span<const int> truth, std::span<const int> answer, int classes);

// What a fit answers for a vertex: its class, or no_answer where it is unreached, unfinished or
// tied, which are no class.
int answer_of(const Fit& fit, VertexId v);

struct ValueErrors {
  double rmse = 0.0;  // root of the mean squared error
  double mae = 0.0;   // mean absolute error
  // 1 − squared errors/squared deviations from the mean. Of a constant truth 1 if every value is
  // right, else 0; NaN for fewer than two rows.
  double r2 = 0.0;
};

// All NaN for no rows. Throws ErrorCode::bad_data if the lengths differ.
ValueErrors value_errors(std::span<const double> truth, std::span<const double> value);

// Mean and standard deviation (n − 1; 0 for one value) of measurements. NaN for none.
struct MeanAndDeviation {
  double mean = 0.0;
  double sd = 0.0;
};
MeanAndDeviation mean_and_deviation(std::span<const double> values);

}  // namespace gssl
