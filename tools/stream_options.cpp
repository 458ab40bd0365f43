#include "stream_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "gssl/core/error.hpp"

namespace gssl::tool {
namespace {

[[noreturn]] void refuse_useless(const std::string& option, const std::string& why) {
  throw Error(ErrorCode::usage, option + ": " + why + ": leave it out");
}

// Whether "…,key=value,…" is among the options that the learner was made with.
bool spelled(const MadeLearner& made, const std::string& option) {
  const std::size_t at = made.spec.find(option);
  if (at == std::string::npos || at == 0) return false;
  const char before = made.spec[at - 1];
  const std::size_t end = at + option.size();
  return (before == ':' || before == ',') && (end == made.spec.size() || made.spec[end] == ',');
}

bool uses_graph(const MadeLearner& made) {
  switch (made.online().instance_kind()) {
    case InstanceKind::vertex: return true;
    case InstanceKind::cell:
      return spelled(made, "row-side=graph") || spelled(made, "column-side=graph");
    default: return false;
  }
}

bool uses_horizon(const MadeLearner& made) {
  if (needs_horizon(made)) return true;
  switch (made.online().instance_kind()) {
    case InstanceKind::losses:
    case InstanceKind::arm: return made.entry->name != "ucb1" && spelled(made, "eta=0");
    case InstanceKind::advice: return spelled(made, "loss=absolute") && spelled(made, "eta=0");
    default: return false;
  }
}

void check_source(const OnlineVerbOptions& options) {
  if (options.stream.empty() == options.simulate.empty())
    throw Error(ErrorCode::usage, "give a STREAM, or --simulate and none");
  if (options.simulate.empty()) {
    if ((options.passes > 1 || options.until_consistent) && !is_file(options.stream))
      throw Error(ErrorCode::usage,
                  "--passes: a stream that is no file can be read once; give a file");
    return;
  }
  const char* const why = "trials are made up, not read";
  if (options.passes > 1 || options.until_consistent) refuse_useless("--passes", why);
  if (options.header != "automatic") refuse_useless("--header", why);
  if (options.on_error != "stop") refuse_useless("--on-error", why);
}

}  // namespace

bool is_file(const std::string& path) {
  std::error_code ignored;
  return path != "-" && std::filesystem::is_regular_file(path, ignored);
}

std::vector<std::string> split_words(const std::string& list) {
  std::vector<std::string> words(1);
  for (const char c : list) {
    if (c == ',')
      words.emplace_back();
    else
      words.back() += c;
  }
  return words;
}

bool needs_horizon(const MadeLearner& made) {
  const InstanceKind kind = made.online().instance_kind();
  return kind == InstanceKind::cell || kind == InstanceKind::task_row ||
         made.entry->name == "switching-kernel";
}

bool needs_width(const MadeLearner& made) {
  return (made.entry->name == "winnow" && spelled(made, "threshold=0")) ||
         spelled(made, "domain=simplex");
}

bool takes_two_classes(const MadeLearner& made, const RunContext& run) {
  const InstanceKind kind = made.online().instance_kind();
  if (kind != InstanceKind::row && kind != InstanceKind::cell && kind != InstanceKind::advice)
    return false;
  // A session of three classes is refused where one of two is not, or for another reason.
  const auto refusal = [&](std::vector<std::string> names) -> std::string {
    try {
      made.online().start({.width = 1, .width2 = 1, .class_names = std::move(names), .horizon = 1},
                          run);
      return {};
    } catch (const Error& error) {
      return error.what();
    }
  };
  const std::string of_three = refusal({"a", "b", "c"});
  return !of_three.empty() && of_three != refusal({"a", "b"});
}

bool wants_classes(const MadeLearner& made, const OnlineVerbOptions& options) {
  const InstanceKind kind = made.online().instance_kind();
  if (kind == InstanceKind::losses || kind == InstanceKind::arm) return false;
  const LearnerTraits& traits = made.entry->traits;
  if (options.regression && !traits.regression)
    throw Error(ErrorCode::usage, made.entry->name + ": predicts classes: leave --regression out");
  return traits.classification && !options.regression;
}

void check_stream_options(const MadeLearner& made, const OnlineVerbOptions& options) {
  check_source(options);
  const InstanceKind kind = made.online().instance_kind();
  const std::string& name = made.entry->name;
  const bool of_losses = kind == InstanceKind::losses || kind == InstanceKind::arm;
  if (!options.simulate.empty() && !of_losses)
    throw Error(
        ErrorCode::usage,
        fmt::format("--simulate makes losses of arms: {} takes a stream of another kind", name));
  if (kind == InstanceKind::vertex && options.graph.empty())
    throw Error(ErrorCode::usage, fmt::format("{} predicts vertices: give --graph", name));
  const auto useless = [&](bool told, const char* option, const char* why) {
    if (told) refuse_useless(option, fmt::format("{} {}", name, why));
  };
  useless(!options.graph.empty() && !uses_graph(made), "--graph",
          kind == InstanceKind::cell
              ? "looks at a graph with row-side=graph or column-side=graph alone"
              : "predicts no vertices");
  useless(!options.classes.empty() && !wants_classes(made, options), "--classes",
          "predicts no classes here");
  useless(options.regression && of_losses, "--regression", "is told losses, not outcomes");
  useless(!options.label_column.empty() && kind != InstanceKind::row, "--label-column",
          "takes lines whose outcome has its place");
  useless(options.horizon > 0 && !uses_horizon(made), "--horizon",
          "has no rate that depends on it here");
  useless(!options.matrix.empty() && kind != InstanceKind::cell, "--matrix",
          "predicts no cells of a matrix");
  if (options.until_consistent && options.passes == 1)
    throw Error(ErrorCode::usage, "--until-consistent: ends before N passes: give --passes N");
}

void check_classes_again(const OnlineVerbOptions& options, const ClassWords& of_session) {
  if (options.classes.empty() || split_words(options.classes) == of_session.names()) return;
  throw Error(ErrorCode::usage,
              fmt::format("--classes: the session of --resume has {}: leave it out",
                          fmt::join(of_session.names(), ",")));
}

}  // namespace gssl::tool
