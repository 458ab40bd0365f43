#include "gssl/online/weighted_majority.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "gssl/core/error.hpp"
#include "gssl/core/option_binding.hpp"
#include "gssl/core/rng.hpp"
#include "online/counted_session.hpp"

namespace gssl {

namespace {

using Vote = WeightedMajorityOptions::Vote;

const OptionBinding<WeightedMajorityOptions>& weighted_majority_binding() {
  static const auto options =
      OptionBinding<WeightedMajorityOptions>("weighted-majority")
          .real(&WeightedMajorityOptions::beta, "beta",
                {.low = 0.0, .high = 1.0, .high_open = true},
                "what the weight of a mistaken expert is multiplied by")
          .choice(&WeightedMajorityOptions::vote, "vote",
                  {{Vote::majority, "majority"}, {Vote::random, "random"}},
                  "the class of most weight, or that of an expert drawn by weight");
  return options;
}

class WeightedMajoritySession final : public detail::CountedSession {
 public:
  WeightedMajoritySession(const WeightedMajorityOptions& options, std::uint64_t seed)
      : options_(options), seed_(seed) {}

  double predict(const Instance& instance) override {
    detail::check_advice("weighted-majority", instance, wrong_.size(), 2, advice_);
    if (wrong_.empty()) wrong_.assign(advice_.size(), 0);
    const std::array<double, 2> behind = weights_behind();
    if (options_.vote == Vote::majority) return expect(behind[1] >= behind[0] ? 1.0 : 0.0);
    Rng rng(seed_, static_cast<std::uint64_t>(trials()));
    return expect(rng.uniform() * (behind[0] + behind[1]) < behind[1] ? 1.0 : 0.0);
  }

  double update(const Revealed& outcome) override {
    const int truth = detail::checked_class(outcome.value, 2);
    const double predicted = take();
    for (std::size_t i = 0; i < advice_.size(); ++i) wrong_[i] += advice_[i] != truth ? 1 : 0;
    return count_class(predicted, truth);
  }

  OnlineReport report() const override {
    OnlineReport report = counted("mistakes");
    const bool random = options_.vote == Vote::random;
    report.bound_name = bound_name();
    report.bound_in_expectation = random;
    if (wrong_.empty()) return report;
    const auto best = static_cast<double>(*std::ranges::min_element(wrong_));
    report.comparator = best;
    report.comparator_name = "mistakes of the best expert";
    const double per_mistake = random ? 1.0 - options_.beta : std::log(2.0 / (1.0 + options_.beta));
    const double n = static_cast<double>(wrong_.size());
    // With beta = 0 those of fewest mistakes vote, and begin anew with the next number when all of
    // them were wrong.
    const double anew = random ? std::log(n) : std::floor(std::log2(n));
    report.bound = options_.beta > 0.0
                       ? (std::log(n) + best * std::log(1.0 / options_.beta)) / per_mistake
                       : best * (anew + 1.0) + anew;
    return report;
  }

  void save(Record& record) const override {
    save_counts(record);
    record.put("seed", static_cast<std::int64_t>(seed_));
    record.put("wrong", wrong_);
  }

  void resume(const Record& record) {
    resume_counts(record);
    seed_ = static_cast<std::uint64_t>(record.integer("seed"));
    wrong_ = record.long_integers("wrong");
  }

 private:
  std::string bound_name() const {
    const bool random = options_.vote == Vote::random;
    if (options_.beta == 0.0)
      return random ? "m (ln n + 1) + ln n in the mean, m of the best expert"
                    : "m (floor(log2 n) + 1) + floor(log2 n), m of the best expert";
    return random ? "(ln n + m ln(1/beta)) / (1-beta) in the mean, m of the best expert"
                  : "(ln n + m ln(1/beta)) / ln(2/(1+beta)), m of the best expert";
  }

  // Over that of the best expert: beta^(m_i − min m), summed by the class that is predicted.
  std::array<double, 2> weights_behind() const {
    const std::int64_t least = *std::ranges::min_element(wrong_);
    std::array<double, 2> behind{};
    for (std::size_t i = 0; i < advice_.size(); ++i)
      behind[static_cast<std::size_t>(advice_[i])] +=
          std::pow(options_.beta, static_cast<double>(wrong_[i] - least));
    return behind;
  }

  WeightedMajorityOptions options_;
  std::uint64_t seed_;
  std::vector<std::int64_t> wrong_;  // mistakes of each expert
  std::vector<int> advice_;          // of the trial that has begun
};

}  // namespace

void WeightedMajorityOptions::validate() const { weighted_majority_binding().validate(*this); }

WeightedMajorityLearner::WeightedMajorityLearner(WeightedMajorityOptions options)
    : options_(options) {
  options_.validate();
}

std::unique_ptr<OnlineSession> WeightedMajorityLearner::start(const OnlineSetting& setting,
                                                              const RunContext& run) const {
  detail::check_two_classes("weighted-majority", setting);
  return std::make_unique<WeightedMajoritySession>(options_, run.seed);
}

std::unique_ptr<OnlineSession> WeightedMajorityLearner::resume(const OnlineSetting&,
                                                               const Record& record,
                                                               const RunContext& run) const {
  auto session = std::make_unique<WeightedMajoritySession>(options_, run.seed);
  session->resume(record);
  return session;
}

LearnerEntry weighted_majority_entry() {
  LearnerEntry entry;
  entry.name = "weighted-majority";
  entry.summary = "the class with the most weight of experts behind it";
  entry.reference =
      "N. Littlestone, M. Warmuth. The weighted majority algorithm. Information and Computation "
      "108, 1994, doi:10.1006/inco.1994.1009";
  entry.options = weighted_majority_binding().table();
  entry.make_online = [](const OptionValues& values) {
    return std::make_unique<WeightedMajorityLearner>(weighted_majority_binding().from(values));
  };
  return entry;
}

}  // namespace gssl
