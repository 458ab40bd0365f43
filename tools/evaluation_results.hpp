#pragma once
// Results of an evaluation as JSON (schema gssl-results/1, docs/evaluate.md), and the journal of
// trials that --resume reads.
//
//   TrialJournal journal("run.json.part", key, resume);
//   std::vector<TrialResult> done = journal.take_done();
//   options.finished = [&](const TrialResult& r) { journal.add(r); };

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "gssl/evaluate/comparison.hpp"

namespace gssl::tool {

// Keys stay in the order in which they are set.
using Json = nlohmann::ordered_json;

// A number, or null where it is not finite.
Json number_or_null(double value);

Json to_json(const TrialResult& result);
// Throws ErrorCode::bad_data where it is not what to_json() wrote; `classes` of the truth.
TrialResult trial_from_json(const Json& json, int classes);

Json to_json(const Comparison& comparison, const std::vector<std::string>& methods);

// Rows of counts, the last number of each for "no answer".
Json to_json(const Confusion& counts);

// One JSON line for each trial that was whole, written as it is found, and before them one with what
// the trials are of. Dropped when the results are written.
class TrialJournal {
 public:
  // `key` tells one evaluation, and version of what results mean, from another. With `resume` a journal of the same key is read and
  // continued; throws ErrorCode::usage where that of `path` has another. A last line that was cut
  // off is left out.
  TrialJournal(std::string path, const std::string& key, bool resume, int classes);

  // What it had; nothing after that.
  std::vector<TrialResult> take_done() { return std::exchange(done_, {}); }
  void add(const TrialResult& result);
  void remove();

 private:
  void read(const std::string& key, int classes);

  std::string path_;
  std::vector<TrialResult> done_;
  std::ofstream out_;
};

}  // namespace gssl::tool
