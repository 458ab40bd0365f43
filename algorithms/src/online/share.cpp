#include "gssl/online/share.hpp"

#include <utility>

#include "online/expert_mixture.hpp"

namespace gssl {

namespace {

const OptionBinding<ShareOptions>& share_binding() {
  static const auto options = [] {
    OptionBinding<ShareOptions> bound("share");
    bound.real(&ShareOptions::alpha, "alpha", {.low = 0.0, .high = 1.0},
               "part of a weight that is shared; best at shifts / (trials - 1)");
    return detail::bind_expert_options(bound);
  }();
  return options;
}

detail::MixtureOptions mixture(const ShareOptions& options, detail::Share share) {
  return {.learner = share == detail::Share::fixed ? "fixed-share" : "variable-share",
          .experts = options,
          .share = share,
          .alpha = options.alpha};
}

LearnerEntry entry_of(const char* name, const char* summary) {
  LearnerEntry entry;
  entry.name = name;
  entry.summary = summary;
  entry.reference =
      "M. Herbster, M. Warmuth. Tracking the best expert. Machine Learning 32, 1998, "
      "doi:10.1023/A:1007424614876";
  entry.options = share_binding().table();
  entry.traits.classification = false;
  entry.traits.regression = true;
  return entry;
}

}  // namespace

void ShareOptions::validate() const { detail::validate_experts(share_binding(), *this); }

FixedShareLearner::FixedShareLearner(ShareOptions options) : options_(std::move(options)) {
  options_.validate();
  detail::check_mixture(mixture(options_, detail::Share::fixed));
}

std::unique_ptr<OnlineSession> FixedShareLearner::start(const OnlineSetting& setting,
                                                        const RunContext&) const {
  return detail::start_mixture(mixture(options_, detail::Share::fixed), setting);
}

std::unique_ptr<OnlineSession> FixedShareLearner::resume(const OnlineSetting&, const Record& record,
                                                         const RunContext&) const {
  return detail::resume_mixture(mixture(options_, detail::Share::fixed), record);
}

VariableShareLearner::VariableShareLearner(ShareOptions options) : options_(std::move(options)) {
  options_.validate();
  detail::check_mixture(mixture(options_, detail::Share::variable));
}

std::unique_ptr<OnlineSession> VariableShareLearner::start(const OnlineSetting& setting,
                                                           const RunContext&) const {
  return detail::start_mixture(mixture(options_, detail::Share::variable), setting);
}

std::unique_ptr<OnlineSession> VariableShareLearner::resume(const OnlineSetting&,
                                                            const Record& record,
                                                            const RunContext&) const {
  return detail::resume_mixture(mixture(options_, detail::Share::variable), record);
}

LearnerEntry fixed_share_entry() {
  LearnerEntry entry = entry_of("fixed-share", "weighted average for when the best expert changes");
  entry.make_online = [](const OptionValues& values) {
    return std::make_unique<FixedShareLearner>(share_binding().from(values));
  };
  return entry;
}

LearnerEntry variable_share_entry() {
  LearnerEntry entry =
      entry_of("variable-share", "fixed share in which who loses little shares little");
  entry.make_online = [](const OptionValues& values) {
    return std::make_unique<VariableShareLearner>(share_binding().from(values));
  };
  return entry;
}

}  // namespace gssl
