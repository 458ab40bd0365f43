#pragma once
// The weights that an online learner leaves for batch use: the last, their mean, those that were
// right for longest, or those of a random trial. Internal: not installed.
//
//   hypothesis.before_change(weights);      // weights are about to change
//   hypothesis.add(step, row);              // and change by step·row
//   hypothesis.end_trial(right);

#include <cstdint>
#include <vector>

#include "gssl/core/rng.hpp"
#include "gssl/data/record.hpp"
#include "gssl/online/perceptron.hpp"
#include "online/linear_row.hpp"

namespace gssl::detail {

class Hypothesis {
 public:
  using Form = PerceptronOptions::Form;

  Hypothesis(Form form, std::uint64_t seed) : form_(form), seed_(seed) {}

  // The survivor is put aside before it is changed: as often as a record of length is broken.
  void before_change(const std::vector<double>& weights, double bias) {
    if (form_ != Form::survivor || run_ <= longest_) return;
    longest_ = run_;
    kept_ = weights;
    kept_bias_ = bias;
  }
  // Keeps Σ t·Δw, so that the mean of w over T trials is w − Σ/T.
  void add(double step, bool bias, const LinearRow& row, std::size_t width) {
    if (form_ != Form::averaged) return;
    const double weight = step * static_cast<double>(trial_);
    kept_.resize(width, 0.0);
    row.add(weight, kept_);
    if (bias) kept_bias_ += weight;
  }
  void end_trial(bool right, const std::vector<double>& weights, double bias) {
    ++trial_;
    run_ = right ? run_ + 1 : 0;
    if (form_ != Form::random) return;
    // Each trial takes the place of the one drawn before with chance 1/t.
    Rng rng(seed_, static_cast<std::uint64_t>(trial_));
    if (rng.uniform() * static_cast<double>(trial_) >= 1.0) return;
    kept_ = weights;
    kept_bias_ = bias;
  }

  // Weights and bias to leave.
  std::pair<std::vector<double>, double> leave(std::vector<double> weights, double bias) const;

  void save(Record& record) const;
  void resume(const Record& record);

 private:
  Form form_;
  std::uint64_t seed_;
  std::int64_t trial_ = 0;
  std::int64_t run_ = 0;  // trials since the last mistake
  std::int64_t longest_ = 0;
  std::vector<double> kept_;  // the survivor, the random one, or Σ t·Δw
  double kept_bias_ = 0.0;
};

}  // namespace gssl::detail
