#pragma once
// The hypothesis that an online learner leaves for batch use (gssl/online/online_to_batch.hpp), kept
// as the stream runs: in time O(non-zeros) a trial for the mean, and a copy of the n weights now and
// then for the others: of T trials at most √(2T) for the survivor, since each is of a longer run than
// the one before, and ln T + 1 in the mean for the one that is drawn. Internal: not installed.
//
//   hypothesis.before_change([&] { return Function{weights, scale, bias}; });
//   hypothesis.moved(i, by);                            // weights[i] += by
//   hypothesis.end_trial(changed, {weights, scale, bias});

#include <concepts>
#include <cstdint>
#include <utility>
#include <vector>

#include "gssl/core/option_binding.hpp"
#include "gssl/core/rng.hpp"
#include "gssl/data/record.hpp"
#include "gssl/online/online_to_batch.hpp"
#include "online/linear_row.hpp"

namespace gssl::detail {

// When a hypothesis is to be put aside, and whether that one is left in the end.
class HypothesisChoice {
 public:
  HypothesisChoice(HypothesisForm form, std::uint64_t seed) : form_(form), seed_(seed) {}

  HypothesisForm form() const { return form_; }
  bool averages() const { return form_ == HypothesisForm::averaged; }
  std::int64_t trials() const { return trial_; }

  // The survivor is put aside before it changes: as often as a record of length is broken. A step
  // may leave it as it was, and then it is not copied again.
  bool takes_before_change() {
    if (form_ != HypothesisForm::survivor || run_ <= longest_) return false;
    longest_ = run_;
    return !std::exchange(held_, true);
  }
  // Each trial takes the place of the one drawn before with chance 1/t.
  bool takes_after_trial(bool changed) {
    ++trial_;
    run_ = changed ? 0 : run_ + 1;
    held_ = held_ && !changed;
    if (form_ != HypothesisForm::random) return false;
    Rng rng(seed_, static_cast<std::uint64_t>(trial_));
    return rng.uniform() * static_cast<double>(trial_) < 1.0;
  }
  // Whether the one put aside is left rather than the last.
  bool leaves_taken() const {
    if (trial_ == 0) return false;
    return form_ == HypothesisForm::random ||
           (form_ == HypothesisForm::survivor && longest_ > 0 && longest_ >= run_);
  }

  void save(Record& record) const;
  void resume(const Record& record);

 private:
  HypothesisForm form_;
  std::uint64_t seed_;
  std::int64_t trial_ = 0;
  std::int64_t run_ = 0;  // trials since the last change
  std::int64_t longest_ = 0;
  bool held_ = false;  // the present hypothesis is the one put aside
};

// Of linear functions scale·weights·x + bias; weights may become more.
class LinearHypothesis {
 public:
  struct Function {
    const std::vector<double>& weights;
    double scale = 1.0;
    double bias = 0.0;
  };

  // fresh: what a weight is before its column was seen.
  LinearHypothesis(HypothesisForm form, std::uint64_t seed, double fresh = 0.0)
      : choice_(form, seed), fresh_(fresh) {}

  bool averages() const { return choice_.averages(); }

  // `now` makes the function where it is to be copied: weights may be held in another way.
  template <class Now>
  void before_change(Now&& now) {
    if (choice_.takes_before_change()) take(now());
  }
  // Keeps Σ_s (scales before trial s)·(change of trial s), so that the mean of scale·w over T
  // trials is (Σ scales·w − that)/T. Only where averages().
  void moved(std::size_t i, double by) {
    if (i >= kept_.size()) kept_.resize(i + 1, 0.0);
    kept_[i] += scales_ * by;
  }
  void added(double step, const LinearRow& row) {
    if (averages()) row.visit([&](std::size_t i, double x) { moved(i, step * x); });
  }
  // scale·weights is about to be held as weights, with scale 1.
  void before_rescale(const std::vector<double>& weights);
  void end_trial(bool changed, const Function& now) {
    if (averages()) {
      scales_ += now.scale;
      kept_bias_ += now.bias;
    }
    end_trial(changed, [&] { return now; });
  }
  // Of weights whose mean is kept elsewhere.
  template <class Now>
  requires std::invocable<Now>
  void end_trial(bool changed, Now&& now) {
    if (choice_.takes_after_trial(changed)) take(now());
  }
  std::int64_t trials() const { return choice_.trials(); }

  // Weights and bias to leave; the weights with their scale.
  std::pair<std::vector<double>, double> leave(const Function& now) const;

  void save(Record& record) const;
  void resume(const Record& record);

 private:
  void take(const Function& now);

  HypothesisChoice choice_;
  double fresh_;
  std::vector<double> kept_;  // the one put aside, or the sum of moved()
  double kept_bias_ = 0.0;    // its bias, or the sum of all
  double scales_ = 0.0;       // sum over trials, since the last rescale
};

// form of any options that have it.
template <class Options>
OptionBinding<Options>& bind_form(OptionBinding<Options>& binding, const std::string& help = {}) {
  return binding.choice(&Options::form, "form",
                        {{HypothesisForm::last, "last"},
                         {HypothesisForm::averaged, "averaged"},
                         {HypothesisForm::survivor, "survivor"},
                         {HypothesisForm::random, "random"}},
                        "the model that is left: the last weights, their mean, those that stayed "
                        "for longest, those of a random trial" +
                            help);
}

// An entry that also learns from a table by passes over its rows, with the option `passes`. Its
// sessions have models, and load_model is set.
LearnerEntry with_passes(LearnerEntry entry);

}  // namespace gssl::detail
