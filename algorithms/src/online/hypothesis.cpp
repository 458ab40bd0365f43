#include "online/hypothesis.hpp"

#include <utility>

#include "gssl/core/error.hpp"
#include "online/one_against_rest.hpp"

namespace gssl::detail {

void HypothesisChoice::save(Record& record) const {
  record.put("seed", static_cast<std::int64_t>(seed_));
  record.put("counts", std::vector<std::int64_t>{trial_, run_, longest_});
}

void HypothesisChoice::resume(const Record& record) {
  seed_ = static_cast<std::uint64_t>(record.integer("seed"));
  const std::vector<std::int64_t>& counts = record.long_integers("counts");
  if (counts.size() != 3) throw Error(ErrorCode::bad_data, "counts: must be three numbers");
  trial_ = counts[0];
  run_ = counts[1];
  longest_ = counts[2];
}

void LinearHypothesis::take(const Function& now) {
  kept_ = now.weights;
  for (double& w : kept_) w *= now.scale;
  kept_bias_ = now.bias;
}

// The sum over trials so far is Σ scales·w − kept; it begins anew as −kept with Σ scales = 0.
void LinearHypothesis::before_rescale(const std::vector<double>& weights) {
  if (!averages()) return;
  kept_.resize(weights.size(), 0.0);
  for (std::size_t i = 0; i < weights.size(); ++i) kept_[i] -= scales_ * weights[i];
  scales_ = 0.0;
}

std::pair<std::vector<double>, double> LinearHypothesis::leave(const Function& now) const {
  std::vector<double> left = now.weights;
  if (choice_.leaves_taken()) {
    left = kept_;
    left.resize(now.weights.size(), fresh_);
    return {std::move(left), kept_bias_};
  }
  if (!averages() || choice_.trials() == 0) {
    for (double& w : left) w *= now.scale;
    return {std::move(left), now.bias};
  }
  const double per_trial = 1.0 / static_cast<double>(choice_.trials());
  for (std::size_t i = 0; i < left.size(); ++i)
    left[i] = (scales_ * left[i] - (i < kept_.size() ? kept_[i] : 0.0)) * per_trial;
  return {std::move(left), kept_bias_ * per_trial};
}

void LinearHypothesis::save(Record& record) const {
  Record choice;
  choice_.save(choice);
  record.put("choice", choice);
  record.put("kept", kept_);
  record.put("sums", std::vector<double>{kept_bias_, scales_});
}

void LinearHypothesis::resume(const Record& record) {
  choice_.resume(record.child("choice"));
  kept_ = record.reals("kept");
  const std::vector<double>& sums = record.reals("sums", 2);
  kept_bias_ = sums[0];
  scales_ = sums[1];
}

LearnerEntry with_passes(LearnerEntry entry) {
  constexpr std::int64_t passes = 10;
  entry.options.integer("passes", passes, {.low = 1, .high = 1'000'000'000},
                        "of gssl fit: passes over the rows, at most");
  entry.make_inductive = [name = entry.name, make = entry.make_online](const OptionValues& values) {
    return std::make_unique<OnlineToBatchLearner>(name, make(values),
                                                  static_cast<int>(values.integer("passes")));
  };
  entry.load_model = [load = entry.load_model](const Record& record) {
    return load_two_or_more(record, load);
  };
  return entry;
}

}  // namespace gssl::detail
