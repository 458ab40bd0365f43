#include "online/hypothesis.hpp"

#include <utility>

#include "gssl/core/error.hpp"

namespace gssl::detail {

std::pair<std::vector<double>, double> Hypothesis::leave(std::vector<double> weights,
                                                         double bias) const {
  const bool put_aside = form_ == Form::random || (form_ == Form::survivor && longest_ >= run_);
  if (put_aside && trial_ > 0) {
    std::vector<double> kept = kept_;
    kept.resize(weights.size(), 0.0);
    return {std::move(kept), kept_bias_};
  }
  if (form_ != Form::averaged || trial_ == 0) return {std::move(weights), bias};
  const double per_trial = 1.0 / static_cast<double>(trial_);
  for (std::size_t i = 0; i < kept_.size(); ++i) weights[i] -= kept_[i] * per_trial;
  return {std::move(weights), bias - kept_bias_ * per_trial};
}

void Hypothesis::save(Record& record) const {
  record.put("seed", static_cast<std::int64_t>(seed_));
  record.put("counts", std::vector<std::int64_t>{trial_, run_, longest_});
  record.put("kept", kept_);
  record.put("kept_bias", kept_bias_);
}

void Hypothesis::resume(const Record& record) {
  seed_ = static_cast<std::uint64_t>(record.integer("seed"));
  const std::vector<std::int64_t>& counts = record.long_integers("counts");
  if (counts.size() != 3) throw Error(ErrorCode::bad_data, "counts: must be three numbers");
  trial_ = counts[0];
  run_ = counts[1];
  longest_ = counts[2];
  kept_ = record.reals("kept");
  kept_bias_ = record.real("kept_bias");
}

}  // namespace gssl::detail
