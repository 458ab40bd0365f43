#pragma once
// gssl cluster --points: kernel k-means on the rows of a table.

#include <string>

#include "points_graph.hpp"
#include "session.hpp"

namespace gssl::tool {

struct ClusterPointsOptions {
  std::string points;
  std::string kernel = "auto";
  bool standardize = false;
  PointsInputOptions input;
};

// --points, --kernel, --standardize, and how the file is read.
void add_cluster_points_options(CLI::App& verb, ClusterPointsOptions& options);

// Writes 'node cluster' of `count` clusters; compares with the label column, where there is one.
// Returns the exit status.
int cluster_rows(Session& session, const ClusterPointsOptions& options, const std::string& count);

}  // namespace gssl::tool
