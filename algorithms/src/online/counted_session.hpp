#pragma once
// What every session counts in the same way: trials, mistakes, the cumulative loss, and whether a
// prediction is waiting for its outcome. Internal: not installed.
//
//   class MySession final : public detail::CountedSession {
//     double predict(const Instance& x) override { …; return expect(predicted); }
//     double update(const Revealed& y) override { const double p = take(); …; return count(loss); }
//   };

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "gssl/core/error.hpp"
#include "gssl/learn/online.hpp"
#include "online/compensated_sum.hpp"

namespace gssl::detail {

class CountedSession : public OnlineSession {
 public:
  // What was predicted last before it became a class: one number whose sign tells two classes, or
  // one for each class. Empty: there is none. Until the next call.
  virtual std::span<const double> values() const { return {}; }

 protected:
  // Remembers what was predicted for the trial that has begun, and returns it.
  double expect(double predicted) {
    predicted_ = predicted;
    return predicted;
  }
  // What was predicted; a second update() without a predict() throws ErrorCode::usage.
  double take() {
    if (!predicted_)
      throw Error(ErrorCode::usage,
                  "online: an outcome without a prediction: call predict() first");
    const double predicted = *predicted_;
    predicted_.reset();
    return predicted;
  }
  // Of a trial that is refused: that before it waits no longer.
  void forget() { predicted_.reset(); }
  // Of a class prediction: the loss is 1 for a mistake.
  double count_class(double predicted, double outcome) {
    const bool mistake = predicted != outcome;
    mistakes_ += mistake ? 1 : 0;
    return count(mistake ? 1.0 : 0.0);
  }
  // The same where the loss is another: only the mistake is counted.
  void note_class(double predicted, double outcome) { mistakes_ += predicted != outcome ? 1 : 0; }
  double count(double loss);

  std::int64_t trials() const { return trials_; }
  std::int64_t mistakes() const { return mistakes_; }
  double loss() const { return losses_.value(); }

  // Trials, mistakes and loss, for report().
  OnlineReport counted(const std::string& loss_name) const;
  void save_counts(Record& record) const;
  void resume_counts(const Record& record);

 private:
  std::int64_t trials_ = 0;
  std::int64_t mistakes_ = 0;
  CompensatedSum losses_;
  std::optional<double> predicted_;
};

// Throws ErrorCode::usage unless there are two class names.
void check_two_classes(const char* learner, const OnlineSetting& setting);
// Throws ErrorCode::bad_data unless `outcome` is a class number below `classes`.
int checked_class(double outcome, std::size_t classes);
// The class numbers that experts predict, into `advice`. Throws ErrorCode::bad_data unless there are
// some, as many as `experts` (0: any), each a class number below `classes`.
void check_advice(const char* learner, const Instance& instance, std::size_t experts,
                  std::size_t classes, std::vector<int>& advice);
// "classes" of a saved session; throws ErrorCode::bad_data unless it is 1 to 2^31 − 1.
std::size_t resumed_classes(const Record& record);
// Throws ErrorCode::bad_data "NAME: 3 values: there were 4 before" unless they agree; 0: any.
void check_width(const char* learner, const Instance& instance, std::int64_t width);

}  // namespace gssl::detail
