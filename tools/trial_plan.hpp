#pragma once
// Which trials an evaluation makes, as it was asked for.
//
//   TrialPlan plan{.labels_per_class = {1, 5}};
//   plan.complete();                                         // 20 label sets each
//   std::vector<Trial> trials = plan.make_trials(truth, run);
//   plan.protocol_text();                                             // "1, 5 labels a class, 20 random …"

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "gssl/evaluate/trials.hpp"

namespace gssl::tool {

struct TrialPlan {
  static constexpr int label_repeats = 20;  // unless told
  static constexpr int share_repeats = 10;

  bool regression = false;
  std::vector<std::int64_t> labels_per_class = {};
  int folds = 0;
  bool leave_one_out = false;
  std::string splits = {};  // where the trials were written down
  Shares shares = {};
  int repeats = 0;  // 0: as many as is usual

  // Fills in what was not said. Throws ErrorCode::usage where two protocols are asked for, or what
  // is said has no meaning together.
  void complete();

  // These three of a plan that is complete.
  Protocol protocol() const;
  std::string protocol_text() const;
  // Precondition: no `splits`. Throws as the functions of trials.hpp.
  std::vector<Trial> make_trials(const Targets& truth, const RunContext& run) const;

 private:
  bool uses_shares() const;
};

// Learns from the first part and measures the second, or where there is one part alone, the rest of
// all rows. Throws ErrorCode::bad_data, with `place` in front, where a part is empty or has a row of
// the other.
Trial split_trial(const std::vector<std::set<std::int32_t>>& parts, std::size_t rows,
                  const std::string& place);

}  // namespace gssl::tool
