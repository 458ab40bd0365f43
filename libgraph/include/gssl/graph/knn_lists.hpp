#pragma once
// The k nearest neighbors of every point among all others: exactly, or with a recall to be reached.
//
// Distances are those of double arithmetic on the rows as given, whatever the method; the k
// neighbors are the first k of all other points in the order (distance, row number), where
// euclidean distances are compared by their squares. A method only decides how few of the n²
// distances are computed, so all exact ones give the same bytes, at any thread count.
//
//   tree       for few columns: 32 points to a leaf, a whole leaf searches at once
//   blocks     for many columns: the float product of every pair of blocks, each pair once, bounds
//              every distance from below; what passes is computed in double. n²d multiply-adds / 2
//   projection as blocks on the leading principal directions, ‖x−y‖² ≥ ‖Px−Py‖² + (r_x−r_y)² with r
//              the length of what P drops: for data whose variance sits in few directions
//   inverted   for sparse rows: columns list their rows
//   descent    approximate: panels of 32 rows meet the panels of their neighbors' neighbors
//
// With options.recall < 1 lists may miss neighbors, but each distance is exact and each list the
// first k of what was looked at. How many are missing is not hoped for but measured: random points
// are searched for among all, and the descent goes on until the share of their true neighbors
// found, less one standard error, is the recall asked for. Where that would cost as much as the
// exact search, it is the exact search that runs, and the report says so. The same bytes for the
// same seed, at any thread count.
//
//   gssl::KnnLists lists = gssl::knn_lists(points, 10);
//   for (gssl::VertexId j : lists.row(i)) ...
//   lists.report.sentence;   // which method, and why
//
// Memory beyond the points: 12nk bytes of answer, 4nd of float panels and as much again while they
// are ordered; the tree also copies the rows, cosine and correlation make 8nd of unit rows, the
// projection 520n. Equal rows are searched once. Slow cases: the tree visits everything where
// distances concentrate (uniform, d ≥ 20); rows that coincide relative to the spread of the rest of
// their cluster, but are not equal, are all compared in double.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gssl/core/named.hpp"
#include "gssl/core/run_context.hpp"
#include "gssl/data/points.hpp"
#include "gssl/graph/metric.hpp"

namespace gssl {

enum class KnnMethod { automatic, tree, blocks, projection, inverted, descent };
template <>
inline constexpr auto names_of<KnnMethod> = enum_names<KnnMethod>(
    "k-nn method", {"automatic", "tree", "blocks", "projection", "inverted", "descent"});

std::string_view to_string(KnnMethod method);
KnnMethod knn_method_named(std::string_view name);  // throws ErrorCode::usage, listing the names

struct KnnOptions {
  Metric metric = Metric::euclidean;
  KnnMethod method = KnnMethod::automatic;
  double recall = 1.0;  // share of the neighbors to be found, in (0, 1]; 1: exact

  void validate() const;  // throws ErrorCode::usage
};

struct KnnReport {
  KnnMethod requested = KnnMethod::automatic;
  KnnMethod used = KnnMethod::automatic;
  int k_requested = 0;
  int k = 0;                   // min(k_requested, n − 1)
  std::int64_t distances = 0;  // computed in double
  double recall_requested = 1.0;
  double recall = 1.0;         // share of the neighbors found, estimated; 1 where exact
  double recall_error = 0.0;   // its standard error
  VertexId recall_sample = 0;  // points it was estimated from; 0: none, as the lists are exact
  int rounds = 0;              // of the descent
  double build_seconds = 0.0;  // ordering the points
  double search_seconds = 0.0;
  std::string sentence;  // what was used, and why

  bool exact() const { return used != KnnMethod::descent; }
};

struct KnnLists {
  VertexId count = 0;               // points
  int k = 0;                        // neighbors of each
  std::vector<VertexId> neighbors;  // count × k, nearest first
  std::vector<double> distances;    // as neighbors
  KnnReport report;

  std::span<const VertexId> row(VertexId i) const {
    return {neighbors.data() + std::size_t(i) * std::size_t(k), static_cast<std::size_t>(k)};
  }
  std::span<const double> distance_row(VertexId i) const {
    return {distances.data() + std::size_t(i) * std::size_t(k), static_cast<std::size_t>(k)};
  }
};

// k ≥ n gives every point its n − 1 neighbors; no points give no rows. Throws ErrorCode::usage if
// k < 1, the options are wrong or the method does not fit the points (inverted is for sparse rows,
// the others for dense ones), bad_data where the metric is not defined or values are so large that
// distances may overflow, cancelled when the run is to stop: there are no partial lists.
KnnLists knn_lists(const Points& points, int k, const KnnOptions& options = {},
                   const RunContext& run = {});

// The same for points that are not among them: row q holds the min(k, points.rows()) nearest of
// `points` to row q of `queries`, exactly. report.used is tree or inverted, whatever is asked for.
// Where one of the two is sparse, columns that one lacks are 0 there; dense ones must have equally
// many (ErrorCode::usage).
KnnLists nearest_points(const Points& points, const Points& queries, int k,
                        Metric metric = Metric::euclidean, const RunContext& run = {});

}  // namespace gssl
