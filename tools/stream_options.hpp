#pragma once
// What gssl online was told, and whether all of it can hold together.

#include <cstdint>
#include <string>
#include <vector>

#include "class_words.hpp"
#include "gssl/learn/registry.hpp"
#include "stream_pictures.hpp"

namespace gssl::tool {

struct OnlineVerbOptions {
  std::string stream;
  std::string method;
  std::string graph;
  std::string classes;
  bool regression = false;
  std::string label_column;
  std::string header = "automatic";
  std::int64_t passes = 1;
  bool until_consistent = false;
  std::int64_t horizon = 0;
  std::string on_error = "stop";
  bool summary_only = false;
  PictureFiles pictures;
  std::string save;
  std::string resume;
  std::string model;
  std::string simulate;
  std::vector<std::int64_t> matrix;  // rows, columns
};

// A file that can be read again from its start.
bool is_file(const std::string& path);

// Throws ErrorCode::usage where the learner predicts classes alone and numbers are asked for.
bool wants_classes(const MadeLearner& made, const OnlineVerbOptions& options);

// Whether the learner must know how many trials are to come.
bool needs_horizon(const MadeLearner& made);

// Whether the learner must know how many columns sparse rows have.
bool needs_width(const MadeLearner& made);

// Whether the learner takes no more than two classes.
bool takes_two_classes(const MadeLearner& made, const RunContext& run);

// Throws ErrorCode::usage where something is missing, and for every option that would change
// nothing with this learner and stream.
void check_stream_options(const MadeLearner& made, const OnlineVerbOptions& options);

// Throws ErrorCode::usage where --classes are others than those of the session that goes on.
void check_classes_again(const OnlineVerbOptions& options, const ClassWords& of_session);

std::vector<std::string> split_words(const std::string& list);

}  // namespace gssl::tool
