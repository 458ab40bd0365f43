#include "online/expert_mixture.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gssl/core/number_text.hpp"
#include "online/counted_session.hpp"
#include "online/expert_loss.hpp"
#include "online/fixed_share.hpp"
#include "online/share_kernels.hpp"
#include "online/share_path.hpp"

namespace gssl::detail {

namespace {

std::string name_of(ExpertLoss loss) {
  return std::string(names_of<ExpertLoss>.name(loss)) + " loss";
}

class MixtureSession final : public CountedSession {
 public:
  MixtureSession(const MixtureOptions& options, std::int64_t horizon, std::int64_t width)
      : options_(options), horizon_(horizon), width_(width) {}

  double predict(const Instance& instance) override {
    const std::size_t known = experts_ > 0 ? experts_ : static_cast<std::size_t>(width_);
    const std::size_t n = known == 0 ? instance.values.size() : known;
    if (n == 0 || instance.values.size() != n)
      throw Error(ErrorCode::bad_data,
                  std::string(options_.learner) + ": " + std::to_string(instance.values.size()) +
                      " predictions: must be one of each expert" +
                      (n == 0 ? "" : ", of whom there are " + std::to_string(n)));
    forget();
    const ExpertOptions& how = options_.experts;
    if (experts_ == 0) {
      for (const double value : instance.values) check_prediction(how.loss, value);
      begin(n);
    }
    const AdviceSums sums = sums_of(instance.values);
    const bool inside = how.loss == ExpertLoss::log ? sums.least > 0.0 && sums.largest < 1.0
                                                    : sums.least >= 0.0 && sums.largest <= 1.0;
    if (!inside || std::isnan(sums.mean))
      for (const double value : instance.values) check_prediction(how.loss, value);
    return expect(mixed_prediction(how, rate_, weights(), advice_, sums.mean));
  }

  double update(const Revealed& outcome) override {
    if (!(outcome.value >= 0.0 && outcome.value <= 1.0))
      throw Error(ErrorCode::bad_data, "outcome " + to_text(outcome.value) +
                                           ": must be in [0, 1]; rescale predictions and outcomes");
    const double predicted = take();
    const double loss = expert_loss(options_.experts, outcome.value, predicted);
    if (options_.share == Share::fixed)
      update_fixed(outcome.value);
    else
      update_losses(outcome.value);
    return count(loss);
  }

  OnlineReport report() const override {
    OnlineReport report = counted(name_of(options_.experts.loss));
    report.bound_name = bound_name();
    if (experts_ == 0) return report;
    report.certificates = {{"mix_loss", {mix_.value()}}};
    const std::optional<double> gap = gap_of(options_.experts, rate_);
    const double allowance = gap.value_or(0.0) * static_cast<double>(report.trials);
    if (options_.share == Share::none) {
      report.comparator = least_total();
      report.comparator_name = name_of(options_.experts.loss) + " of the best expert";
      if (gap)
        report.bound =
            *report.comparator + std::log(static_cast<double>(experts_)) / rate_ + allowance;
      return report;
    }
    const BestSequence best = options_.share == Share::fixed ? fixed_.best() : path_.best();
    report.comparator = best.loss;
    report.comparator_name = name_of(options_.experts.loss) + " of the best experts with " +
                             std::to_string(static_cast<std::int64_t>(best.shifts)) + " shifts";
    if (gap) report.bound = best.cost / rate_ + allowance;
    return report;
  }

  void save(Record& record) const override {
    save_counts(record);
    record.put("horizon", horizon_);
    record.put("width", width_);
    const bool fixed = options_.share == Share::fixed;
    record.put("weights", fixed ? fixed_.next_weights() : weights_);
    record.put("mix", std::vector<double>{mix_.sum, mix_.carry});
    record.put("totals", totals_);
    record.put("carries", carries_);
    Record path;
    fixed ? fixed_.save(path) : path_.save(path);
    record.put("path", path);
  }

  void resume(const Record& record) {
    resume_counts(record);
    horizon_ = record.integer("horizon");
    if (record.has("width")) width_ = record.integer("width");
    const std::vector<double>& weights = record.reals("weights");
    if (weights.empty()) return;
    begin(weights.size());
    const std::vector<double>& mix = record.reals("mix", 2);
    mix_ = {.sum = mix[0], .carry = mix[1]};
    const std::int64_t static_experts =
        options_.share == Share::none ? static_cast<std::int64_t>(weights.size()) : 0;
    totals_ = record.reals("totals", static_experts);
    carries_ = record.reals("carries", static_experts);
    if (options_.share == Share::fixed) {
      fixed_.resume(record.child("path"), weights);
    } else {
      weights_ = weights;
      path_.resume(record.child("path"), options_.share == Share::none ? 0 : weights.size());
    }
  }

 private:
  void begin(std::size_t n) {
    experts_ = n;
    advice_.assign(n, 0.0);
    rate_ = rate_of(options_.experts, n, horizon_);
    if (options_.share == Share::fixed) {
      fixed_ = FixedShare(n, options_.alpha, rate_);
      return;
    }
    weights_.assign(n, 1.0 / static_cast<double>(n));
    losses_.assign(n, 0.0);
    const double one = 1.0;
    powers(-rate_, {&one, 1}, {&factor_, 1});
    if (options_.share == Share::none) {
      totals_.assign(n, 0.0);
      carries_.assign(n, 0.0);
    } else {
      path_ = SharePath(n);
      room_.assign(n, 0.0);
    }
  }

  // As they predict in the trial that has begun.
  std::span<const double> weights() const {
    return options_.share == Share::fixed ? fixed_.weights() : weights_;
  }

  AdviceSums sums_of(std::span<const double> advice) {
    if (options_.share == Share::fixed) return fixed_.mean(advice, advice_);
    return share_and_mean({}, advice, weights_, advice_);
  }

  void update_fixed(double outcome) {
    if (options_.experts.loss == ExpertLoss::square) {
      mix_.add(fixed_.lose_squares(outcome, advice_));
      return;
    }
    losses_.resize(experts_);
    expert_losses(options_.experts, outcome, advice_, losses_);
    mix_.add(fixed_.lose(losses_));
  }

  void update_losses(double outcome) {
    binary_ = expert_losses(options_.experts, outcome, advice_, losses_);
    options_.share == Share::none ? update_static() : update_variable();
  }

  // From the sums of all losses, since a product of weights would not come back from 0.
  void update_static() {
    mix_.add(mix_loss(rate_, weights_, losses_));
    const double least = add_compensated(losses_, totals_, carries_, losses_);
    weights_of_losses(losses_, least, rate_, weights_);
  }

  void update_variable() {
    path_.lose(losses_, rate_);
    const double pool = weigh_all();
    const double sharing =
        options_.alpha < 1.0 ? -std::log1p(-options_.alpha) : std::numeric_limits<double>::max();
    if (weights_.size() == 1) {
      weights_[0] = 1.0;
    } else {
      share_variable(weights_, losses_, pool, sharing, room_);
      path_.share(losses_, sharing);
    }
  }

  // The new weights before they are shared; the loss that all have in common is taken out first
  // where the sum would be lost below the smallest number.
  double weigh_all() {
    constexpr double smallest = 1e-200;
    double pool = binary_ ? weigh_binary(weights_, losses_, factor_, room_)
                          : weigh(weights_, losses_, rate_, room_);
    double common = 0.0;
    if (!(pool > smallest)) {
      common = std::numeric_limits<double>::infinity();
      for (std::size_t i = 0; i < losses_.size(); ++i)
        if (weights_[i] > smallest) common = std::min(common, losses_[i]);
      std::vector<double> further = losses_;
      for (double& loss : further) loss = std::max(0.0, loss - common);
      pool = weigh(weights_, further, rate_, room_);
    }
    std::swap(weights_, room_);
    mix_.add(common - std::log(pool) / rate_);
    return pool;
  }

  double least_total() const {
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < totals_.size(); ++i)
      least = std::min(least, totals_[i] + carries_[i]);
    return least;
  }

  std::string bound_name() const {
    const bool proved = experts_ == 0 || gap_of(options_.experts, rate_).has_value();
    if (!proved) return "none for this eta: too large for the loss";
    const bool gap = experts_ > 0 && *gap_of(options_.experts, rate_) > 0.0;
    const bool one = options_.experts.loss != ExpertLoss::bounded;
    const std::string slack = !gap ? "" : one ? " + eta T/8" : " + eta T range^2/8";
    if (options_.share == Share::none) return "best expert + ln n / eta" + slack;
    if (options_.share == Share::fixed)
      return "best experts with j shifts + (ln n + j ln((n-1)/alpha) + (T-1-j) ln(1/(1-alpha)))"
             " / eta" +
             slack;
    return "best experts + (ln n + what variable share charges to stay and to shift) / eta" + slack;
  }

  MixtureOptions options_;
  std::int64_t horizon_ = 0;
  std::int64_t width_ = 0;   // experts, as the setting has it; 0: not known
  std::size_t experts_ = 0;  // 0: not known yet
  double rate_ = 0.0;
  AlignedList advice_;           // of the trial that has begun
  CompensatedSum mix_;           // of the mix losses
  FixedShare fixed_;             // the weights of fixed share; of others:
  double factor_ = 0.0;          // e^{−rate}
  std::vector<double> weights_;  // of sum 1
  std::vector<double> losses_;
  bool binary_ = false;  // all of them are 0 or 1
  std::vector<double> room_;
  std::vector<double> totals_, carries_;  // Σ of the losses of each expert, static only
  SharePath path_{0};                     // variable share only
};

}  // namespace

void check_mixture(const MixtureOptions& options) {
  const BoundedLoss& own = options.experts.bounded;
  if (options.experts.loss == ExpertLoss::bounded) {
    if (!own.value || !(own.range > 0.0 && own.range <= 1e100))
      throw Error(ErrorCode::usage, std::string(options.learner) +
                                        ": option bounded: needs a function and a range > 0");
    if (options.share == Share::variable && own.range > 1.0)
      throw Error(ErrorCode::usage, std::string(options.learner) + ": option bounded: range " +
                                        to_text(own.range) + ": losses must be in [0, 1]");
  }
  if (options.experts.prediction == ExpertPrediction::vovk &&
      (options.experts.loss == ExpertLoss::absolute || options.experts.loss == ExpertLoss::bounded))
    throw Error(ErrorCode::usage, std::string(options.learner) +
                                      ": option prediction=vovk: is for the square and the log "
                                      "loss; take prediction=mean");
  if (options.share == Share::variable && options.experts.loss == ExpertLoss::log)
    throw Error(ErrorCode::usage, std::string(options.learner) +
                                      ": option loss=log: losses must be in [0, 1]; take square "
                                      "or absolute");
}

std::unique_ptr<OnlineSession> start_mixture(const MixtureOptions& options,
                                             const OnlineSetting& setting) {
  if (!setting.class_names.empty())
    throw Error(ErrorCode::usage,
                std::string(options.learner) + ": outcomes are numbers in [0, 1], not classes");
  return std::make_unique<MixtureSession>(options, setting.horizon, setting.width);
}

std::unique_ptr<OnlineSession> resume_mixture(const MixtureOptions& options, const Record& record) {
  auto session = std::make_unique<MixtureSession>(options, 0, 0);
  session->resume(record);
  return session;
}

}  // namespace gssl::detail
