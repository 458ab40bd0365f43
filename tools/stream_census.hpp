#pragma once
// What a stream that is a file tells before its first trial: its classes, and of cells the size of
// the matrix.

#include <cstdint>
#include <functional>
#include <string>

#include "class_words.hpp"
#include "gssl/core/run_context.hpp"
#include "gssl/io/trial_reader.hpp"

namespace gssl::tool {

struct StreamCensus {
  ClassWords classes;
  std::int64_t rows = 0, columns = 0;  // distinct names of rows and of columns
  std::int64_t trials = 0;
};

// Reads all of it, malformed rows left out. Throws ErrorCode::bad_data where there are more than
// 1000 different outcomes; the message says --regression where the learner may predict values.
// Trials that `is_taken`, where given, refuses bring no class.
StreamCensus stream_census(const std::string& path, const TrialReadOptions& read, bool classes,
                           bool may_be_values,
                           const std::function<bool(const OnlineTrial&)>& is_taken,
                           const RunContext& run);

}  // namespace gssl::tool
