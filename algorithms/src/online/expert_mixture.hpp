#pragma once
// The session of weighted average, fixed share and variable share: they differ in what becomes of
// the weights after a trial. Internal: not installed.

#include <memory>

#include "gssl/core/option_binding.hpp"
#include "gssl/learn/online.hpp"
#include "gssl/online/expert_options.hpp"

namespace gssl::detail {

enum class Share { none, fixed, variable };

struct MixtureOptions {
  const char* learner = "";
  ExpertOptions experts;
  Share share = Share::none;
  double alpha = 0.0;
};

// Throws ErrorCode::usage where the options contradict each other.
void check_mixture(const MixtureOptions& options);

std::unique_ptr<OnlineSession> start_mixture(const MixtureOptions& options,
                                             const OnlineSetting& setting);
std::unique_ptr<OnlineSession> resume_mixture(const MixtureOptions& options, const Record& record);

// loss, eta and prediction of any options that derive from ExpertOptions.
template <class Options>
OptionBinding<Options>& bind_expert_options(OptionBinding<Options>& binding) {
  return binding
      .choice(static_cast<ExpertLoss Options::*>(&Options::loss), "loss",
              {{ExpertLoss::square, "square"},
               {ExpertLoss::log, "log"},
               {ExpertLoss::absolute, "absolute"}},
              "what is counted, of outcomes and predictions in [0, 1]")
      .real(static_cast<double Options::*>(&Options::eta), "eta", {.low = 0.0, .high = 1e6},
            "rate of the weights exp(-eta loss); 0: the largest that is proved for the loss")
      .choice(static_cast<ExpertPrediction Options::*>(&Options::prediction), "prediction",
              {{ExpertPrediction::mean, "mean"}, {ExpertPrediction::vovk, "vovk"}},
              "the weighted mean, or Vovk's prediction for square and log loss");
}

// Of such options; a loss of the caller has no name.
template <class Options>
void validate_experts(const OptionBinding<Options>& binding, const Options& options) {
  Options named = options;
  if (named.loss == ExpertLoss::bounded) named.loss = ExpertLoss::absolute;
  binding.validate(named);
}

}  // namespace gssl::detail
