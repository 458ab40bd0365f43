#include "gssl/online/bandit.hpp"

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

const OptionBinding<Exp3Options>& bandit_binding() {
  static const auto options =
      OptionBinding<Exp3Options>("exp3").real(&Exp3Options::eta, "eta", {.low = 0.0, .high = 1e6},
                                              "rate of the weights; 0: by the horizon, or falling");
  return options;
}

class Exp3Session final : public detail::CountedSession {
 public:
  Exp3Session(const Exp3Options& options, std::size_t arms, std::int64_t horizon,
              std::uint64_t seed)
      : options_(options),
        horizon_(horizon),
        seed_(seed),
        estimates_(arms, 0.0),
        weights_(arms, 1.0 / static_cast<double>(arms)) {}

  double predict(const Instance&) override {
    const Rng rng(seed_, static_cast<std::uint64_t>(trials()));
    return expect(static_cast<double>(detail::draw(weights_, rng)));
  }

  double update(const Revealed& outcome) override {
    detail::check_loss("exp3", outcome.value);
    const auto arm = static_cast<std::size_t>(take());
    const double loss = count(outcome.value);
    estimates_[arm] += outcome.value / weights_[arm];
    detail::weights_of_losses(estimates_, std::ranges::min(estimates_), rate(trials() + 1),
                              weights_);
    return loss;
  }

  OnlineReport report() const override {
    OnlineReport report = counted("loss of the arms pulled");
    report.bound_name = fixed_rate() ? "best arm + ln n / eta + eta T n/2, in the mean"
                                     : "best arm + 2 sqrt(T n ln n), in the mean";
    report.bound_in_expectation = true;
    report.certificates = {{"regret_bound", {regret_bound()}}};
    return report;
  }

  void save(Record& record) const override {
    save_counts(record);
    record.put("horizon", horizon_);
    record.put("seed", static_cast<std::int64_t>(seed_));
    record.put("estimates", estimates_);
    record.put("weights", weights_);
  }

  static std::unique_ptr<Exp3Session> resume(const Exp3Options& options, const Record& record) {
    const std::vector<double>& estimates = record.reals("estimates");
    if (estimates.empty()) throw Error(ErrorCode::bad_data, "estimates: must not be empty");
    auto session =
        std::make_unique<Exp3Session>(options, estimates.size(), record.integer("horizon"),
                                      static_cast<std::uint64_t>(record.integer("seed")));
    session->resume_counts(record);
    session->estimates_ = estimates;
    session->weights_ = record.reals("weights", static_cast<std::int64_t>(estimates.size()));
    return session;
  }

 private:
  bool fixed_rate() const { return options_.eta > 0.0 || horizon_ > 0; }
  double arms() const { return static_cast<double>(estimates_.size()); }

  double rate(std::int64_t trial) const {
    if (options_.eta > 0.0) return options_.eta;
    const double logs = std::log(arms()) / arms();
    return horizon_ > 0 ? std::sqrt(2.0 * logs / static_cast<double>(horizon_))
                        : std::sqrt(logs / static_cast<double>(trial));
  }

  double regret_bound() const {
    const auto length = static_cast<double>(trials());
    if (estimates_.size() == 1) return 0.0;
    if (!fixed_rate()) return 2.0 * std::sqrt(length * arms() * std::log(arms()));
    return std::log(arms()) / rate(1) + rate(1) * length * arms() / 2.0;
  }

  Exp3Options options_;
  std::int64_t horizon_;
  std::uint64_t seed_;
  std::vector<double> estimates_;  // unbiased, of the loss of each arm
  std::vector<double> weights_;
};

class Ucb1Session final : public detail::CountedSession {
 public:
  explicit Ucb1Session(std::size_t arms) : pulls_(arms, 0), totals_(arms, 0.0) {}

  double predict(const Instance&) override { return expect(static_cast<double>(choose())); }

  double update(const Revealed& outcome) override {
    detail::check_loss("ucb1", outcome.value);
    const auto arm = static_cast<std::size_t>(take());
    ++pulls_[arm];
    totals_[arm] += outcome.value;
    return count(outcome.value);
  }

  OnlineReport report() const override {
    OnlineReport report = counted("loss of the arms pulled");
    report.bound_name =
        "none: losses that were recorded need not be independent draws; exp3 has one";
    report.certificates = {{"pulls", std::vector<double>(pulls_.begin(), pulls_.end())}};
    return report;
  }

  void save(Record& record) const override {
    save_counts(record);
    record.put("pulls", pulls_);
    record.put("totals", totals_);
  }

  void resume(const Record& record) {
    resume_counts(record);
    pulls_ = record.long_integers("pulls");
    if (pulls_.empty()) throw Error(ErrorCode::bad_data, "pulls: must not be empty");
    totals_ = record.reals("totals", static_cast<std::int64_t>(pulls_.size()));
  }

 private:
  std::size_t choose() const {
    const double logarithm =
        2.0 * std::log(static_cast<double>(std::max<std::int64_t>(trials(), 1)));
    std::size_t best = 0;
    double least = 2.0;
    for (std::size_t i = 0; i < pulls_.size(); ++i) {
      if (pulls_[i] == 0) return i;
      const auto pulls = static_cast<double>(pulls_[i]);
      const double index = totals_[i] / pulls - std::sqrt(logarithm / pulls);
      if (index >= least) continue;
      least = index;
      best = i;
    }
    return best;
  }

  std::vector<std::int64_t> pulls_;
  std::vector<double> totals_;
};

LearnerEntry entry_of(const char* name, const char* summary, const char* reference) {
  LearnerEntry entry;
  entry.name = name;
  entry.summary = summary;
  entry.reference = reference;
  entry.traits.classification = false;
  return entry;
}

}  // namespace

void Exp3Options::validate() const { bandit_binding().validate(*this); }

Exp3Learner::Exp3Learner(Exp3Options options) : options_(options) { options_.validate(); }

std::unique_ptr<OnlineSession> Exp3Learner::start(const OnlineSetting& setting,
                                                  const RunContext& run) const {
  return std::make_unique<Exp3Session>(options_, detail::action_count("exp3", setting),
                                       setting.horizon, run.seed);
}

std::unique_ptr<OnlineSession> Exp3Learner::resume(const OnlineSetting&, const Record& record,
                                                   const RunContext&) const {
  return Exp3Session::resume(options_, record);
}

std::unique_ptr<OnlineSession> Ucb1Learner::start(const OnlineSetting& setting,
                                                  const RunContext&) const {
  return std::make_unique<Ucb1Session>(detail::action_count("ucb1", setting));
}

std::unique_ptr<OnlineSession> Ucb1Learner::resume(const OnlineSetting&, const Record& record,
                                                   const RunContext&) const {
  auto session = std::make_unique<Ucb1Session>(1);
  session->resume(record);
  return session;
}

LearnerEntry exp3_entry() {
  LearnerEntry entry = entry_of(
      "exp3", "an arm by weights that fall with what each is estimated to have lost",
      "P. Auer, N. Cesa-Bianchi, Y. Freund, R. Schapire. The nonstochastic multiarmed bandit "
      "problem. SIAM Journal on Computing 32, 2002, doi:10.1137/S0097539701398375");
  entry.options = bandit_binding().table();
  entry.make_online = [](const OptionValues& values) {
    return std::make_unique<Exp3Learner>(bandit_binding().from(values));
  };
  return entry;
}

LearnerEntry ucb1_entry() {
  LearnerEntry entry = entry_of(
      "ucb1", "the arm that may be best, by its mean and what is not known of it",
      "P. Auer, N. Cesa-Bianchi, P. Fischer. Finite-time analysis of the multiarmed bandit "
      "problem. Machine Learning 47, 2002, doi:10.1023/A:1013689704352");
  entry.make_online = [](const OptionValues&) { return std::make_unique<Ucb1Learner>(); };
  return entry;
}

}  // namespace gssl
