#pragma once
// Points in, graph out: the options that `build` and `label --points` share, and what they do.
//
//   add_points_options(verb, options, "--input-format");
//   PointsFile file = read_points(session, path, options);
//   Graph graph = build_graph(session, file, options).graph;

#include <CLI/App.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "gssl/graph/point_graph.hpp"
#include "gssl/io/points_reader.hpp"
#include "session.hpp"

namespace gssl::tool {

// How a file of points is read.
struct PointsInputOptions {
  std::string format = "automatic";
  std::string header = "automatic";
  std::string label_column;
  std::string id_column;
};

struct PointsGraphOptions : PointsInputOptions {
  int knn = 0;  // 0: not asked for
  bool mutual = false;
  double epsilon = -1.0;  // negative: not asked for
  std::int64_t max_edges = 0;
  bool mst = false;
  std::string spt;  // name of the root; empty: not asked for
  std::string metric = "euclidean";
  std::string search = "automatic";
  std::string approximate;  // the recall, a number; empty: exact
  std::string weights = "gaussian";
  double scale = 0.0;
  std::vector<CLI::Option*> declared;  // all of these, to tell which were given
};

// `format_option` is --input-format, or another where that is the format of graphs.
void add_points_input(CLI::App& verb, PointsInputOptions& options,
                      const std::string& format_option);
void add_points_options(CLI::App& verb, PointsGraphOptions& options,
                        const std::string& format_option);

// The first of them that was given, of those in `group` ("Points" or "Graph") if it has a name, but
// for those in `allowed`; null if there is none.
const CLI::Option* first_given(const PointsGraphOptions& options, const std::string& group = {},
                               const std::vector<std::string>& allowed = {});

// Throws ErrorCode::usage before anything is read if nothing says how points are joined, or options
// contradict one another.
void check_points_options(const PointsGraphOptions& options);

// Reads, and records the input in the summary. `feature_columns` as in PointsReadOptions.
PointsFile read_points_file(Session& session, const std::string& path,
                            const PointsGraphOptions& options, const MissingMarks& missing,
                            std::int64_t feature_columns = -1);

// Tells the person and the summary how large the graph is, and warns when it falls apart;
// `has_mst`: though a spanning tree was asked for.
void report_graph(Session& session, const Graph& graph, bool has_mst);

// point_graph() of what was asked for.
PointGraph joined_points(const PointsFile& file, const PointsGraphOptions& options,
                         const RunContext& run);

// The same, by the run of the session. Tells the person and the summary what was used, and
// warns when the graph falls apart.
PointGraph build_graph(Session& session, const PointsFile& file, const PointsGraphOptions& options);

}  // namespace gssl::tool
