#include "gssl/graph/knn_lists.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <optional>
#include <string>
#include <utility>

#include "core/memory/large_array.hpp"
#include "graph/knn/exact_search.hpp"
#include "graph/knn/rows/duplicates.hpp"
#include "graph/knn/rows/projection.hpp"
#include "gssl/core/error.hpp"
#include "gssl/core/number_text.hpp"

namespace gssl {

namespace {

// Up to here a leaf has few neighbors, and the tree wins at any size; on some columns more it wins
// by size, as it leaves more out the more points there are.
constexpr std::int64_t tree_columns = 12, large_tree_columns = 20;
constexpr VertexId large_tree_rows = 300000;

// From here on the estimate of what a projection saves is worth its time.
constexpr std::int64_t projection_columns = 128;
constexpr VertexId projection_rows = 4096;

std::string percent(double share) {
  return std::to_string(static_cast<int>(std::lround(100.0 * share))) + " %";
}

// Dense rows. Returns why the method was taken, which is written to lists.report.used.
std::string search(const knn::RowSpace& rows, const KnnOptions& options, KnnLists& lists,
                   const RunContext& run) {
  const std::string columns = std::to_string(rows.columns()) + " columns";
  const bool descent = options.method == KnnMethod::descent;
  const bool chosen = options.method == KnnMethod::automatic || descent;
  KnnMethod& used = lists.report.used;
  used = options.method;
  std::string why = "asked for";
  if (chosen && (rows.columns() <= tree_columns ||
                 (rows.columns() <= large_tree_columns && rows.rows() >= large_tree_rows))) {
    used = KnnMethod::tree;
    why = columns + " are few: the tree leaves most pairs out";
  } else if (chosen) {
    used = KnnMethod::blocks;
    why = columns + " are many: a tree would visit most pairs";
  } else if (used == KnnMethod::projection && rows.norm() == knn::Norm::l1) {
    used = KnnMethod::blocks;
    why = "a projection bounds no manhattan distance";
  }
  if (lists.k == 0) return why;
  const bool try_descent =
      options.recall < 1.0 && (descent || used != KnnMethod::tree || rows.columns() > tree_columns);
  if (used == KnnMethod::tree && !try_descent) {
    knn::tree_search(rows, nullptr, lists, run);
    if (options.recall < 1.0) why += "; exact, as less would not be faster";
    return why;
  }

  std::optional<knn::Projection> projection;
  if (used == KnnMethod::projection ||
      (chosen && rows.norm() == knn::Norm::l2 && rows.columns() >= projection_columns &&
       rows.rows() >= projection_rows)) {
    projection.emplace(rows);
    const std::string held = std::to_string(knn::Projection::directions) + " directions hold " +
                             percent(projection->explained()) + " of the variance";
    if (chosen && projection->relative_cost(rows, lists.k) > 0.7) {
      projection.reset();
      why = columns + " are many, and though " + held + ", most pairs would remain";
    } else if (chosen) {
      used = KnnMethod::projection;
      why = columns + ", but " + held;
    }
  }
  if (try_descent) {
    const KnnMethod exact = std::exchange(used, KnnMethod::descent);
    const std::string objection = knn::descent_search(rows, projection ? &*projection : nullptr,
                                                      options.recall, descent, lists, run);
    if (objection.empty())
      return projection ? columns + " projected to " + std::to_string(knn::Projection::directions)
                        : columns;
    used = exact == KnnMethod::projection ? exact : KnnMethod::blocks;
    if (exact == KnnMethod::tree) why = columns;
    return why + "; exact, as " + objection;
  }
  knn::block_search(rows, projection ? &*projection : nullptr, lists, run);
  return why;
}

// The same where many rows are equal.
std::string search_distinct(const knn::RowSpace& rows, const KnnOptions& options, KnnLists& lists,
                            const RunContext& run) {
  const std::optional<knn::Reduction> reduction = knn::leave_out_duplicates(rows, lists.k);
  if (!reduction) return search(rows, options, lists, run);
  KnnLists kept;
  kept.report = lists.report;
  kept.count = static_cast<VertexId>(reduction->kept.size());
  kept.k = lists.k;
  kept.neighbors.resize(reduction->kept.size() * static_cast<std::size_t>(lists.k));
  kept.distances.resize(kept.neighbors.size());
  const std::string why =
      search(rows.reordered(reduction->kept, run.thread_count()), options, kept, run);
  lists.report = kept.report;
  std::size_t at = 0;
  for (const VertexId place : reduction->stand_in)
    for (std::size_t a = 0; a < static_cast<std::size_t>(lists.k); ++a, ++at) {
      lists.neighbors[at] = reduction->kept[static_cast<std::size_t>(kept.row(place)[a])];
      lists.distances[at] = kept.distance_row(place)[a];
    }
  return why + "; " + std::to_string(lists.count - kept.count) +
         " of many equal rows were not searched";
}

std::string exactness(const KnnReport& report) {
  if (report.exact()) return "exact";
  char text[96];
  std::snprintf(text, sizeof text, "recall %.4f ± %.4f", report.recall, report.recall_error);
  return text + (" by " + std::to_string(report.recall_sample)) + " points searched exactly (" +
         to_text(report.recall_requested) + " asked for)";
}

KnnLists empty_lists(VertexId count, int k, int asked, int threads) {
  KnnLists lists;
  lists.count = count;
  lists.k = k;
  const std::size_t entries = std::size_t(count) * std::size_t(k);
  detail::resize_large(lists.neighbors, entries, threads);
  detail::resize_large(lists.distances, entries, threads);
  lists.report.k_requested = asked;
  lists.report.k = k;
  return lists;
}

void check_k(int k) {
  if (k < 1) throw Error(ErrorCode::usage, "k-nn: k " + std::to_string(k) + ": must be >= 1");
}

Points as_doubles(const Points& points) {
  return Points::dense(points.rows(), points.columns(),
                       std::vector<double>(points.floats().begin(), points.floats().end()));
}

}  // namespace

std::string_view to_string(KnnMethod method) { return names_of<KnnMethod>.name(method); }

KnnMethod knn_method_named(std::string_view name) { return names_of<KnnMethod>.value(name); }

void KnnOptions::validate() const {
  if (!(recall > 0.0) || recall > 1.0)
    throw Error(ErrorCode::usage, "k-nn: recall " + to_text(recall) + ": must be > 0 and <= 1");
  if (method == KnnMethod::descent && recall == 1.0)
    throw Error(ErrorCode::usage, "k-nn: method descent is approximate: it needs a recall below 1");
  if (method != KnnMethod::descent && method != KnnMethod::automatic && recall < 1.0)
    throw Error(ErrorCode::usage, "k-nn: method " + std::string(to_string(method)) +
                                      " is exact: a recall below 1 needs automatic or descent");
}

KnnLists knn_lists(const Points& points, int k, const KnnOptions& options, const RunContext& run) {
  options.validate();
  check_k(k);
  if (options.method != KnnMethod::automatic &&
      (options.method == KnnMethod::inverted) != points.is_sparse())
    throw Error(ErrorCode::usage, "k-nn: method " + std::string(to_string(options.method)) +
                                      (points.is_sparse() ? ": sparse rows need inverted"
                                                          : ": is for sparse rows alone"));

  KnnLists lists =
      empty_lists(points.rows(), std::clamp(points.rows() - 1, 0, k), k, run.thread_count());
  lists.report.requested = options.method;
  lists.report.recall_requested = options.recall;

  knn::stop_if_asked(run);
  std::string why =
      options.recall < 1.0 ? "sparse rows are searched exactly" : "the rows are sparse";
  if (points.is_sparse()) {
    lists.report.used = KnnMethod::inverted;
    knn::inverted_search(points, nullptr, options.metric, lists, run);
  } else {
    why = search_distinct(knn::RowSpace(points, options.metric), options, lists, run);
  }
  lists.report.sentence = std::string(to_string(lists.report.used)) + " (" + why +
                          "): " + std::to_string(lists.k) + " nearest of " +
                          std::to_string(lists.count) + " points" +
                          (lists.k < k ? " (" + std::to_string(k) + " asked for)" : "") + ", " +
                          std::string(to_string(options.metric)) + ", " + exactness(lists.report);
  return lists;
}

KnnLists nearest_points(const Points& points, const Points& queries, int k, Metric metric,
                        const RunContext& run) {
  check_k(k);
  const bool sparse = points.is_sparse() || queries.is_sparse();
  if (!sparse && points.columns() != queries.columns())
    throw Error(ErrorCode::usage, "nearest points: " + std::to_string(queries.columns()) +
                                      " columns to compare with " +
                                      std::to_string(points.columns()) +
                                      "; both must have the same");
  KnnLists lists = empty_lists(queries.rows(), std::min(k, points.rows()), k, run.thread_count());
  knn::stop_if_asked(run);
  if (sparse) {
    lists.report.used = KnnMethod::inverted;
    const Points rows = as_sparse(points), others = as_sparse(queries);
    knn::inverted_search(rows, &others, metric, lists, run);
  } else {
    lists.report.used = KnnMethod::tree;
    // Keys compare equal types alone; a float is the same number as a double.
    const bool mixed = points.is_float() != queries.is_float();
    const Points wide = mixed ? as_doubles(points.is_float() ? points : queries) : Points();
    const Points& from = mixed && points.is_float() ? wide : points;
    const Points& to = mixed && queries.is_float() ? wide : queries;
    const double unit = std::max(knn::unit_of(from, metric), knn::unit_of(to, metric));
    const knn::RowSpace rows(from, metric, unit), others(to, metric, unit);
    if (lists.k > 0 && lists.count > 0) knn::tree_search(rows, &others, lists, run);
  }
  lists.report.sentence = std::string(to_string(lists.report.used)) + ": " +
                          std::to_string(lists.k) + " nearest of " + std::to_string(points.rows()) +
                          " points to " + std::to_string(lists.count) + " others, " +
                          std::string(to_string(metric)) + ", exact";
  return lists;
}

}  // namespace gssl
