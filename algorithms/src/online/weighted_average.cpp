#include "gssl/online/weighted_average.hpp"

#include <utility>

#include "online/expert_mixture.hpp"

namespace gssl {

namespace {

const OptionBinding<WeightedAverageOptions>& weighted_average_binding() {
  static const auto options = [] {
    OptionBinding<WeightedAverageOptions> bound("weighted-average");
    return detail::bind_expert_options(bound);
  }();
  return options;
}

detail::MixtureOptions mixture(const WeightedAverageOptions& options) {
  return {.learner = "weighted-average", .experts = options};
}

}  // namespace

void WeightedAverageOptions::validate() const {
  detail::validate_experts(weighted_average_binding(), *this);
  detail::check_mixture(mixture(*this));
}

WeightedAverageLearner::WeightedAverageLearner(WeightedAverageOptions options)
    : options_(std::move(options)) {
  options_.validate();
}

std::unique_ptr<OnlineSession> WeightedAverageLearner::start(const OnlineSetting& setting,
                                                             const RunContext&) const {
  return detail::start_mixture(mixture(options_), setting);
}

std::unique_ptr<OnlineSession> WeightedAverageLearner::resume(const OnlineSetting&,
                                                              const Record& record,
                                                              const RunContext&) const {
  return detail::resume_mixture(mixture(options_), record);
}

LearnerEntry weighted_average_entry() {
  LearnerEntry entry;
  entry.name = "weighted-average";
  entry.summary = "the mean of experts, each weighted by how little it lost";
  entry.reference =
      "V. Vovk. Aggregating strategies. COLT 1990, doi:10.1016/B978-1-55860-146-8.50032-1";
  entry.options = weighted_average_binding().table();
  entry.traits.classification = false;
  entry.traits.regression = true;
  entry.make_online = [](const OptionValues& values) {
    return std::make_unique<WeightedAverageLearner>(weighted_average_binding().from(values));
  };
  return entry;
}

}  // namespace gssl
