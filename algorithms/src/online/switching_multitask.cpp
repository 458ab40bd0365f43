#include "gssl/online/switching_multitask.hpp"

#include <cmath>
#include <numeric>
#include <string>

#include "gssl/core/error.hpp"
#include "gssl/core/option_binding.hpp"
#include "online/counted_session.hpp"

namespace gssl {

namespace {

const OptionBinding<SwitchingMultitaskOptions>& switching_multitask_binding() {
  using Options = SwitchingMultitaskOptions;
  static const auto options =
      OptionBinding<Options>("switching-multitask")
          .integer(&Options::modes, "modes", {.low = 2, .high = 1'000'000'000},
                   "experts that are good at some time")
          .integer(&Options::switches, "switches", {.low = 1},
                   "changes of the good expert, over all tasks")
          .integer(&Options::tasks, "tasks", {.low = 1, .high = 1'000'000'000}, "number of tasks")
          .integer(
              &Options::horizon, "horizon", {.low = 0},
              "trials to come, over all tasks; 0: the horizon of the run, or the lines of the file")
          .real(&Options::rate, "rate", {.low = 0.0, .high = 1e3}, "learning rate; 0: tuned");
  return options;
}

// p ln(1/p) + (1 − p) ln(1/(1 − p)).
double entropy(double p) {
  const auto part = [](double q) { return q > 0.0 ? -q * std::log(q) : 0.0; };
  return part(p) + part(1.0 - p);
}

[[noreturn]] void refuse_switching_multitask(const std::string& what) {
  throw Error(ErrorCode::usage, "switching-multitask: " + what);
}

// The numbers of the algorithm, from those that the user expects.
struct SwitchingMultitaskRates {
  double leave = 0.0;  // 1 − θ: of leaving an expert
  double wake = 0.0;   // φ: of coming back to one
  double start = 0.0;  // μ: w before the first trial of a task
  double eta = 0.0;
  double complexity = 0.0;  // C
  double horizon = 0.0;     // T
};

SwitchingMultitaskRates switching_multitask_rates(const SwitchingMultitaskOptions& options,
                                                  std::int64_t experts, std::int64_t horizon) {
  if (experts < options.modes)
    refuse_switching_multitask("option modes=" + std::to_string(options.modes) +
                               ": must be at most the number of " + "experts, " +
                               std::to_string(experts) + (experts == 0 ? " (give a width)" : ""));
  if (horizon == 0) refuse_switching_multitask("needs a horizon, the number of trials to come");
  const std::int64_t later = horizon - options.tasks;
  if (later <= options.switches)
    refuse_switching_multitask("option switches=" + std::to_string(options.switches) +
                               ": must be less than horizon − tasks, " + std::to_string(later));
  const auto m = static_cast<double>(options.modes), s = static_cast<double>(options.tasks);
  const auto n = static_cast<double>(experts), rest = static_cast<double>(later);
  SwitchingMultitaskRates rates;
  rates.horizon = static_cast<double>(horizon);
  rates.leave = static_cast<double>(options.switches) / rest;
  rates.wake = rates.leave / (m - 1.0);
  rates.start = 1.0 / m;
  rates.complexity = m * std::log(n / m) + s * m * entropy(1.0 / m) + rest * entropy(rates.leave) +
                     (m - 1.0) * rest * entropy(rates.wake);
  rates.eta = options.rate > 0.0 ? options.rate : std::sqrt(2.0 * rates.complexity / rates.horizon);
  return rates;
}

class SwitchingMultitaskSession final : public detail::CountedSession {
 public:
  SwitchingMultitaskSession(const SwitchingMultitaskOptions& options, std::int64_t experts,
                            std::int64_t horizon, const RunContext& run)
      : rates_(switching_multitask_rates(options, experts, horizon)),
        run_(run),
        horizon_(horizon),
        pi_(static_cast<std::size_t>(experts), 1.0 / static_cast<double>(experts)),
        awake_(options.tasks, experts, rates_.start),
        asleep_(options.tasks, experts, 1.0 - rates_.start) {}

  double predict(const Instance& instance) override {
    if (instance.first < 0 || instance.first >= awake_.rows())
      throw Error(ErrorCode::bad_data,
                  "switching-multitask: task " + std::to_string(instance.first) +
                      ": must be one of the tasks=" + std::to_string(awake_.rows()) +
                      " of the option");
    detail::check_width("switching-multitask", instance, static_cast<std::int64_t>(pi_.size()));
    task_ = instance.first;
    advice_.clear();
    for (const double value : instance.values) advice_.push_back(detail::checked_class(value, 2));
    total_ = says_one_ = 0.0;
    for (std::size_t h = 0; h < pi_.size(); ++h) {
      const double weight = pi_[h] * awake_.row(task_)[h];
      total_ += weight;
      if (advice_[h] == 1) says_one_ += weight;
    }
    // The generator of the trial: a trial without outcome draws nothing that lasts.
    Rng rng = run_.rng(static_cast<std::uint64_t>(trials()));
    return expect(rng.uniform() * total_ < says_one_ ? 1.0 : 0.0);
  }

  double update(const Revealed& outcome) override {
    const int truth = detail::checked_class(outcome.value, 2);
    const double predicted = take();
    const double factor = std::exp(-rates_.eta);
    double wrong = 0.0, kept = 0.0;  // π·w of those that are wrong, π·δ
    const std::span<double> w = awake_.row(task_), u = asleep_.row(task_);
    for (std::size_t h = 0; h < pi_.size(); ++h) {
      const double weight = pi_[h] * w[h];
      if (advice_[h] != truth) wrong += weight;
      kept += advice_[h] != truth ? weight * factor : weight;
    }
    expected_ += wrong / total_;
    mix_ -= std::log(kept / total_) / rates_.eta;
    const double beta = total_ / kept;
    for (std::size_t h = 0; h < pi_.size(); ++h) {
      const double stays = beta * (advice_[h] != truth ? w[h] * factor : w[h]);
      const double scale = u[h] + stays;
      pi_[h] *= scale;
      w[h] = (rates_.wake * u[h] + (1.0 - rates_.leave) * stays) / scale;
      u[h] = ((1.0 - rates_.wake) * u[h] + rates_.leave * stays) / scale;
    }
    keep_sum();
    return count_class(predicted, truth);
  }

  OnlineReport report() const override {
    OnlineReport report = counted("mistakes");
    const double sum = std::accumulate(pi_.begin(), pi_.end(), 0.0);
    report.bound = mix_ + rates_.eta * static_cast<double>(report.trials) / 8.0;
    report.bound_name = "mix loss + η·trials/8, of the expected loss";
    report.bound_in_expectation = true;
    report.certificates = {
        {"expected_loss", {expected_}},
        {"mix_loss", {mix_}},
        {"weight_sum", {sum}},
        {"rate", {rates_.eta}},
        {"complexity", {rates_.complexity}},
        {"regret_bound", {rates_.complexity / rates_.eta + 0.5 * rates_.eta * rates_.horizon}}};
    if (report.trials > horizon_)
      report.warnings.push_back("more trials than the horizon: regret_bound is not proved");
    return report;
  }

  void save(Record& record) const override {
    save_counts(record);
    record.put("experts", static_cast<std::int64_t>(pi_.size()));
    record.put("horizon", horizon_);
    record.put("pi", pi_);
    record.put("awake", awake_);
    record.put("asleep", asleep_);
    record.put("sums", std::vector<double>{expected_, mix_});
  }

  void resume(const Record& record) {
    resume_counts(record);
    pi_ = record.reals("pi", static_cast<std::int64_t>(pi_.size()));
    for (auto [block, name] : {std::pair(&awake_, "awake"), std::pair(&asleep_, "asleep")}) {
      Block found = record.block(name);
      if (found.rows() != block->rows() || found.columns() != block->columns())
        throw Error(ErrorCode::bad_data, std::string("switching-multitask: ") + name +
                                             " has another shape than the options ask");
      *block = std::move(found);
    }
    const std::vector<double>& sums = record.reals("sums", 2);
    expected_ = sums[0];
    mix_ = sums[1];
  }

 private:
  // The update keeps Σπ = 1 but for rounding, which would drift over millions of trials.
  void keep_sum() {
    const double sum = std::accumulate(pi_.begin(), pi_.end(), 0.0);
    if (std::abs(sum - 1.0) <= 1e-13) return;
    for (double& weight : pi_) weight /= sum;
  }

  SwitchingMultitaskRates rates_;
  RunContext run_;
  std::int64_t horizon_;
  std::vector<double> pi_;  // of each expert; their sum stays 1
  Block awake_, asleep_;    // w and 1 − w: a row for each task
  double expected_ = 0.0;   // Σ of the chance of a mistake
  double mix_ = 0.0;
  std::int64_t task_ = 0;  // of the trial that has begun, with its advice and π·w
  std::vector<int> advice_;
  double total_ = 0.0, says_one_ = 0.0;
};

}  // namespace

void SwitchingMultitaskOptions::validate() const { switching_multitask_binding().validate(*this); }

SwitchingMultitaskLearner::SwitchingMultitaskLearner(SwitchingMultitaskOptions options)
    : options_(options) {
  options_.validate();
}

std::unique_ptr<OnlineSession> SwitchingMultitaskLearner::start(const OnlineSetting& setting,
                                                                const RunContext& run) const {
  if (setting.class_names.size() != 2)
    refuse_switching_multitask(std::to_string(setting.class_names.size()) +
                               " classes: must be two");
  return std::make_unique<SwitchingMultitaskSession>(
      options_, setting.width, options_.horizon > 0 ? options_.horizon : setting.horizon, run);
}

std::unique_ptr<OnlineSession> SwitchingMultitaskLearner::resume(const OnlineSetting&,
                                                                 const Record& record,
                                                                 const RunContext& run) const {
  auto session = std::make_unique<SwitchingMultitaskSession>(options_, record.integer("experts"),
                                                             record.integer("horizon"), run);
  session->resume(record);
  return session;
}

LearnerEntry switching_multitask_entry() {
  LearnerEntry entry;
  entry.name = "switching-multitask";
  entry.summary = "few good experts for many tasks, which come back";
  entry.reference =
      "M. Herbster, S. Pasteris, L. Tse. Online multitask learning with long-term memory. "
      "NeurIPS 2020";
  entry.options = switching_multitask_binding().table();
  entry.make_online = [](const OptionValues& values) {
    return std::make_unique<SwitchingMultitaskLearner>(switching_multitask_binding().from(values));
  };
  return entry;
}

}  // namespace gssl
