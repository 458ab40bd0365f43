#pragma once
// The N best classes of each vertex, in place of the scores of all K: 12·N bytes a vertex where the
// scores take 8·K.
//
//   gssl::TopClasses best;
//   gssl::Fit fit = gssl::fit_with_top(learner, graph, labeled, 5, best, run);
//   best.classes(v);   // {3, 17, −1, −1, −1}: two classes have a score above 0
//   best.scores(v);    // {0.8, 0.2, 0, 0, 0}

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "gssl/learn/learner.hpp"

namespace gssl {

// Of each row, classes by falling score, the lower class first on a tie; −1 and 0 where fewer have
// a score above 0.
class TopClasses {
 public:
  TopClasses() = default;
  // No class anywhere. count ≥ 0.
  TopClasses(std::int64_t rows, int count);

  int count() const { return count_; }
  VertexId rows() const { return count_ == 0 ? 0 : static_cast<VertexId>(score_.size() / size()); }
  std::span<int> classes(std::int64_t row) { return {class_of_.data() + place(row), size()}; }
  std::span<const int> classes(std::int64_t row) const {
    return {class_of_.data() + place(row), size()};
  }
  std::span<double> scores(std::int64_t row) { return {score_.data() + place(row), size()}; }
  std::span<const double> scores(std::int64_t row) const {
    return {score_.data() + place(row), size()};
  }

  friend bool operator==(const TopClasses&, const TopClasses&) = default;

 private:
  std::size_t size() const { return static_cast<std::size_t>(count_); }
  std::size_t place(std::int64_t row) const { return static_cast<std::size_t>(row) * size(); }

  int count_ = 0;
  std::vector<int> class_of_;
  std::vector<double> score_;
};

// The best of each row of n×K scores. O(nK).
TopClasses top_classes(const Scores& scores, int count);

// Takes them from the scores of the fit, where it has any, and drops these.
void keep_top(Fit& fit, int count, TopClasses& best);

// A learner that finds them while it looks at a few classes at a time.
class TopClassLearner {
 public:
  virtual ~TopClassLearner() = default;
  // As TransductiveLearner::fit_without_scores(), and `best` as top_classes() of the scores of
  // fit(), which need not be kept. count ≥ 1.
  virtual Fit fit_top(const Graph& graph, const LabeledSet& labeled, int count, TopClasses& best,
                      const RunContext& run) const = 0;
};

// By the learner's own way if it has one; else the scores are kept until the best are taken, and
// memory is O(nK). Throws ErrorCode::usage unless count ≥ 1 and the labels are classes, and as
// TransductiveLearner::fit().
Fit fit_with_top(const TransductiveLearner& learner, const Graph& graph, const LabeledSet& labeled,
                 int count, TopClasses& best, const RunContext& run = {});

}  // namespace gssl
