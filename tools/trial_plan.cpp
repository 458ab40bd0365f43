#include "trial_plan.hpp"

#include <fmt/format.h>

#include "gssl/core/error.hpp"

namespace gssl::tool {

void TrialPlan::complete() {
  const auto refuse = [](const std::string& text) { throw Error(ErrorCode::usage, text); };
  const int protocols = (labels_per_class.empty() ? 0 : 1) + (folds > 0 ? 1 : 0) +
                        (leave_one_out ? 1 : 0) + (splits.empty() ? 0 : 1) +
                        (uses_shares() ? 1 : 0);
  if (protocols > 1)
    refuse("give one of --labels-per-class, --folds, --leave-one-out, --splits and --train");
  if (protocols == 0) labels_per_class = {1, 2, 5};
  if (regression && !labels_per_class.empty())
    refuse("--labels-per-class counts labels of classes: use --folds or --train with --regression");
  if (repeats > 0 && (leave_one_out || !splits.empty()))
    refuse("--repeats: these trials are fixed");
  if (repeats == 0)
    repeats = !labels_per_class.empty() ? label_repeats : uses_shares() ? share_repeats : 1;
}

Protocol TrialPlan::protocol() const {
  if (!labels_per_class.empty()) return Protocol::label_rates;
  if (!splits.empty()) return Protocol::splits;
  return uses_shares() ? Protocol::shares : Protocol::folds;
}

std::string TrialPlan::protocol_text() const {
  if (!labels_per_class.empty()) {
    return fmt::format("{} labels a class, {} random label sets each",
                       fmt::join(labels_per_class, ", "), repeats);
  }
  if (leave_one_out) return "each row left out in turn";
  if (!splits.empty()) return "the splits of " + splits;
  if (uses_shares()) {
    return fmt::format("{} random parts: {:g} to train, {:g} to validate, {:g} to test", repeats,
                       shares.training, shares.validation, shares.test);
  }
  return fmt::format("{} stratified folds{}", folds,
                     repeats > 1 ? fmt::format(", {} times", repeats) : "");
}

std::vector<Trial> TrialPlan::make_trials(const Targets& truth, const RunContext& run) const {
  if (!labels_per_class.empty()) return label_rate_trials(truth, labels_per_class, repeats, run);
  if (leave_one_out) return leave_one_out_trials(truth);
  if (uses_shares()) return share_trials(truth, shares, repeats, run);
  return fold_trials(truth, folds, repeats, run);
}

bool TrialPlan::uses_shares() const {
  return shares.training > 0.0 || shares.validation > 0.0 || shares.test > 0.0;
}

Trial split_trial(const std::vector<std::set<std::int32_t>>& parts, std::size_t rows,
                  const std::string& place) {
  if (parts.empty() || parts.size() > 2)
    throw Error(ErrorCode::bad_data, place + fmt::format("{} parts: give what is learned from, and "
                                                         "what is measured or nothing",
                                                         parts.size()));
  Trial trial{.group = "splits"};
  for (std::int32_t row = 0; row < static_cast<std::int32_t>(rows); ++row) {
    const bool learned = parts.front().contains(row);
    const bool measured = parts.size() == 1 ? !learned : parts.back().contains(row);
    if (learned && measured)
      throw Error(ErrorCode::bad_data, place + "a row is learned from and measured");
    if (learned) trial.split.training.push_back(row);
    if (measured) trial.split.test.push_back(row);
  }
  if (trial.split.test.empty() || trial.split.training.empty())
    throw Error(ErrorCode::bad_data, place + "no row to learn from or to measure");
  return trial;
}

}  // namespace gssl::tool
