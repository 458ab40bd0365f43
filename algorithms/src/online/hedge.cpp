#include "gssl/online/hedge.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "gssl/core/error.hpp"
#include "gssl/core/option_binding.hpp"
#include "online/allocation.hpp"
#include "online/counted_session.hpp"
#include "online/share_kernels.hpp"

namespace gssl {

namespace {

using Play = HedgeOptions::Play;

const OptionBinding<HedgeOptions>& hedge_binding() {
  static const auto options =
      OptionBinding<HedgeOptions>("hedge")
          .real(&HedgeOptions::eta, "eta", {.low = 0.0, .high = 1e6},
                "rate of the shares exp(-eta loss); 0: by the horizon, or epochs of 1, 2, 4, … "
                "trials")
          .choice(&HedgeOptions::play, "play", {{Play::mixture, "mixture"}, {Play::draw, "draw"}},
                  "what is counted: the mean of the shares, or the action drawn by them");
  return options;
}

class HedgeSession final : public detail::CountedSession {
 public:
  HedgeSession(const HedgeOptions& options, std::size_t actions, std::int64_t horizon,
               std::uint64_t seed)
      : options_(options),
        horizon_(horizon),
        seed_(seed),
        totals_(actions, 0.0),
        epoch_totals_(actions, 0.0),
        weights_(actions, 1.0 / static_cast<double>(actions)) {
    set_rate();
  }

  double predict(const Instance&) override {
    const Rng rng(seed_, static_cast<std::uint64_t>(trials()));
    return expect(static_cast<double>(detail::draw(weights_, rng)));
  }

  double update(const Revealed& outcome) override {
    detail::check_losses("hedge", outcome.losses, totals_.size());
    const auto drawn = static_cast<std::size_t>(take());
    const double mean = detail::dot(weights_, outcome.losses);
    for (std::size_t i = 0; i < totals_.size(); ++i) {
      totals_[i] += outcome.losses[i];
      epoch_totals_[i] += outcome.losses[i];
    }
    if (++epoch_trials_ == epoch_length_) {
      closed_ += cost_of_epoch();
      epoch_length_ *= 2;
      epoch_trials_ = 0;
      std::ranges::fill(epoch_totals_, 0.0);
      set_rate();
    }
    detail::weights_of_losses(epoch_totals_, std::ranges::min(epoch_totals_), rate_, weights_);
    return count(options_.play == Play::mixture ? mean : outcome.losses[drawn]);
  }

  OnlineReport report() const override {
    const bool draws = options_.play == Play::draw;
    OnlineReport report = counted(draws ? "loss of the actions drawn" : "loss");
    report.comparator = std::ranges::min(totals_);
    report.comparator_name = "loss of the best action";
    report.bound = *report.comparator + closed_ + cost_of_epoch();
    report.bound_name = epochs() ? "best action + sum over epochs of ln n / eta + eta T/8"
                                 : "best action + ln n / eta + eta T/8";
    report.bound_in_expectation = draws;
    report.certificates = {{"eta", {rate_}}};
    return report;
  }

  void save(Record& record) const override {
    save_counts(record);
    record.put("horizon", horizon_);
    record.put("seed", static_cast<std::int64_t>(seed_));
    record.put("totals", totals_);
    record.put("epoch_totals", epoch_totals_);
    record.put("weights", weights_);
    record.put("epoch", std::vector<std::int64_t>{epoch_length_, epoch_trials_});
    record.put("closed", closed_);
  }

  static std::unique_ptr<HedgeSession> resume(const HedgeOptions& options, const Record& record) {
    const std::vector<double>& totals = record.reals("totals");
    if (totals.empty()) throw Error(ErrorCode::bad_data, "totals: must not be empty");
    auto session =
        std::make_unique<HedgeSession>(options, totals.size(), record.integer("horizon"),
                                       static_cast<std::uint64_t>(record.integer("seed")));
    const auto n = static_cast<std::int64_t>(totals.size());
    session->resume_counts(record);
    session->totals_ = totals;
    session->epoch_totals_ = record.reals("epoch_totals", n);
    session->weights_ = record.reals("weights", n);
    const std::vector<std::int64_t>& epoch = record.long_integers("epoch");
    if (epoch.size() != 2) throw Error(ErrorCode::bad_data, "epoch: must be two numbers");
    session->epoch_length_ = epoch[0];
    session->epoch_trials_ = epoch[1];
    session->closed_ = record.real("closed");
    session->set_rate();
    return session;
  }

 private:
  bool epochs() const { return options_.eta <= 0.0 && horizon_ <= 0; }
  double log_actions() const { return std::log(static_cast<double>(totals_.size())); }

  void set_rate() {
    if (!epochs() && epoch_length_ == 1) epoch_length_ = -1;  // never reached
    const double length = static_cast<double>(epochs() ? epoch_length_ : horizon_);
    rate_ = options_.eta > 0.0 ? options_.eta : std::sqrt(8.0 * log_actions() / length);
  }

  double cost_of_epoch() const {
    if (totals_.size() == 1 || epoch_trials_ == 0) return 0.0;
    return log_actions() / rate_ + rate_ * static_cast<double>(epoch_trials_) / 8.0;
  }

  HedgeOptions options_;
  std::int64_t horizon_;
  std::uint64_t seed_;
  std::vector<double> totals_;        // losses of each action in all
  std::vector<double> epoch_totals_;  // and since the epoch began
  std::vector<double> weights_;
  std::int64_t epoch_length_ = 1;
  std::int64_t epoch_trials_ = 0;
  double closed_ = 0.0;  // what the bounds of finished epochs add
  double rate_ = 0.0;
};

}  // namespace

void HedgeOptions::validate() const { hedge_binding().validate(*this); }

HedgeLearner::HedgeLearner(HedgeOptions options) : options_(options) { options_.validate(); }

std::unique_ptr<OnlineSession> HedgeLearner::start(const OnlineSetting& setting,
                                                   const RunContext& run) const {
  return std::make_unique<HedgeSession>(options_, detail::action_count("hedge", setting),
                                        setting.horizon, run.seed);
}

std::unique_ptr<OnlineSession> HedgeLearner::resume(const OnlineSetting&, const Record& record,
                                                    const RunContext&) const {
  return HedgeSession::resume(options_, record);
}

LearnerEntry hedge_entry() {
  LearnerEntry entry;
  entry.name = "hedge";
  entry.summary = "shares of actions that fall with what each has lost";
  entry.reference =
      "Y. Freund, R. Schapire. A decision-theoretic generalization of on-line learning. Journal of "
      "Computer and System Sciences 55, 1997, doi:10.1006/jcss.1997.1504";
  entry.options = hedge_binding().table();
  entry.traits.classification = false;
  entry.make_online = [](const OptionValues& values) {
    return std::make_unique<HedgeLearner>(hedge_binding().from(values));
  };
  return entry;
}

}  // namespace gssl
