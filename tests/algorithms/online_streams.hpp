#pragma once
// Random streams of every kind of instance, and a session run over them.
//
//   const OnlineStream stream = stream_of(made, {.trials = 60, .seed = 3});
//   Played played = play(*made.online().start(stream.setting, run), stream, 0, 60);

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gssl/learn/registry.hpp"

namespace gssl::test {

struct StreamTrial {
  std::vector<double> values;
  std::vector<std::int32_t> columns;
  std::int64_t first = -1;
  std::int64_t second = -1;
  double outcome = 0.0;
  std::vector<double> losses;  // of actions or arms
};

struct OnlineStream {
  InstanceKind kind = InstanceKind::row;
  OnlineSetting setting;
  std::vector<StreamTrial> trials;
};

struct StreamOptions {
  int trials = 60;
  std::uint64_t seed = 1;
  bool sparse = false;  // rows as columns and values
  double noise = 0.1;   // share of outcomes that are drawn at random
};

// Every online learner as registered, and forms of them that other options make.
std::vector<std::string> online_specs();
// Each of them, and where it takes rows once more, with sparse ones.
struct OnlineCase {
  std::string spec;
  bool sparse = false;
};
std::vector<OnlineCase> online_cases();

// What a learner of this entry takes: classes, or reals in [0, 1] where it cannot do classes.
OnlineStream stream_of(const MadeLearner& made, const StreamOptions& options);

struct Played {
  std::vector<double> predictions;
  std::vector<double> losses;
};

Instance instance_of(const OnlineStream& stream, std::size_t trial);
// What is revealed after `predicted`.
Revealed outcome_of(const OnlineStream& stream, std::size_t trial, double predicted);
// Trials begin … end−1.
Played play(OnlineSession& session, const OnlineStream& stream, std::size_t begin, std::size_t end);

}  // namespace gssl::test
