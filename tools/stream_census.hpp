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
  std::int64_t width = 0;  // columns of sparse rows, up to the last that has a value
};

struct CensusOptions {
  std::string learner;
  bool classes = true;         // whether classes are wanted
  bool may_be_values = false;  // outcomes could be numbers: a message says --regression
  bool two_classes = false;    // the learner takes no more
  bool skip_errors = false;    // words after the first two of two_classes bring no class
  // Trials that it refuses, where given, bring no class.
  std::function<bool(const OnlineTrial&)> is_taken = {};
};

// Reads all of it, malformed rows left out. Throws ErrorCode::bad_data with the line where there
// are more than 1000 different outcomes, or more than two of two_classes unless errors are skipped.
StreamCensus stream_census(const std::string& path, const TrialReadOptions& read,
                           const CensusOptions& options, const RunContext& run);

}  // namespace gssl::tool
