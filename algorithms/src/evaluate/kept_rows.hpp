#pragma once
// Which rows of a result a comparison will look at: the others are dropped while an evaluation
// runs, so that its memory does not grow by a number for every row of every trial. Internal: not
// installed.
//
//   KeptRows kept(trials, methods);
//   kept.found(results, item);  // once for each result, as it comes: trial · methods + method
//
// Rows are looked at where test parts are disjoint (together they are at most all rows, and all are
// kept), where a group has one pair of results alone, and where a learner gives no answer. So of a
// trial whose methods all have their results the rows stay that one of them does not answer, as
// soon as a second trial of the group has results of the same methods.

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gssl/evaluate/evaluation.hpp"

namespace gssl::detail {

// No row is measured twice by the trials of the group.
bool are_disjoint(const std::vector<Trial>& trials, const std::string& group);

class KeptRows {
 public:
  // `trials` outlives it.
  KeptRows(const std::vector<Trial>& trials, std::size_t methods);

  // Amortized over all results O(rows of the trial).
  void found(std::vector<std::optional<TrialResult>>& results, std::size_t item);

 private:
  void drop_rows(std::vector<std::optional<TrialResult>>& results, std::size_t trial) const;

  const std::vector<Trial>& trials_;
  std::size_t methods_;
  std::map<std::string, bool> disjoint_ = {};  // by group
  std::vector<std::size_t> missing_;           // of each trial, results that are not there yet
  // Of a group, and which of its methods have a result that is no error: trials whose rows wait for
  // a second one; empty once there was one.
  std::map<std::pair<std::string, std::string>, std::vector<std::size_t>> waiting_ = {};
};

}  // namespace gssl::detail
