#pragma once
// What `gssl label` is asked, and what it reads: a graph and labels, or points from which the graph
// is built, and the points of --extend.
//
//   LabelOptions options = resolved(given);       // GRAPH and LABELS as they were meant
//   LabelFile labels = read_from_points(session, options, points, problem);
//   build_from_points(session, options, std::move(points), problem);
//   Fit others = extend_to_others(session, options, problem, fit);

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "changed_graph.hpp"
#include "checkpointed_fit.hpp"
#include "graph_input.hpp"
#include "gssl/answer/extend.hpp"
#include "label_tables.hpp"
#include "points_graph.hpp"
#include "session.hpp"
#include "truth.hpp"

namespace gssl::tool {

struct LabelOptions {
  std::string graph;
  std::string labels;
  std::string points;
  PointsGraphOptions build;
  std::string method = "auto";
  std::string truth;
  std::string priors;
  std::string scores;
  int top = 0;                  // classes of each vertex in --scores; 0: all
  std::string calibrate;        // temperature, isotonic or platt; empty: not
  double min_confidence = 0.0;  // below it the answer is "?"
  std::string report;           // page to look at
  std::string extend;           // points that are not in the graph
  std::string extend_output;    // empty: they follow in the output
  CheckpointOptions checkpoint;
  WarmStartOptions warm;
  bool regression = false;
  bool without_graph = false;  // the method learns from points
};

// Before the names of points that are not in the graph, where they follow those that are.
inline constexpr const char* new_prefix = "new:";

// Everything that is read.
struct LabelInput {
  GraphFile file;
  LabeledSet labeled;
  std::optional<LabelFile> truth;
  std::optional<EarlierScores> before;  // of --warm-start
  Points points;  // of a learner that builds no graph, or to which others are compared
  ExtensionWeights weights;
  PointsFile others;  // of --extend
};

// GRAPH and LABELS as they were meant: beside --points, the one file given is LABELS. Throws
// ErrorCode::usage where the options contradict one another.
LabelOptions resolved(LabelOptions options);

// Reads the points, those of --extend and the labels. Returns the labels: of LABELS, or those that
// the points came with.
LabelFile read_from_points(Session& session, const LabelOptions& options, PointsFile& points,
                           LabelInput& problem);

// Builds the graph of the points, if the method has one, and takes their names.
void build_from_points(Session& session, const LabelOptions& options, PointsFile points,
                       LabelInput& problem);

// Labels of the points of --extend, measured against the labels that came with them.
Fit extend_to_others(Session& session, const LabelOptions& options, const LabelInput& problem,
                     const Fit& fit);

// Vertices by status: given, inferred, unreached, tied, unfinished.
std::array<std::int64_t, 5> count_status(const Fit& fit);

}  // namespace gssl::tool
