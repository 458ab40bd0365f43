// Bounds from the columns, then the keys of what they leave.

#include "graph/knn/exact_search.hpp"
#include "graph/knn/rows/sparse_rows.hpp"
#include "gssl/core/parallel.hpp"
#include "gssl/core/stopwatch.hpp"

namespace gssl::knn {

void inverted_search(const Points& points, const Points* queries, Metric metric, KnnLists& lists,
                     const RunContext& run) {
  const Stopwatch building;
  const std::int64_t columns =
      std::max(points.columns(), queries != nullptr ? queries->columns() : 0);
  const double unit =
      std::max(unit_of(points, metric), queries != nullptr ? unit_of(*queries, metric) : 0.0);
  const SparseRowSpace rows(points, columns, metric, unit);
  std::optional<SparseRowSpace> others;
  if (queries != nullptr) others.emplace(*queries, columns, metric, unit);
  if (lists.k == 0) return;
  const SparseRowSpace& from = others ? *others : rows;
  const InvertedRows inverted(rows);
  const double build_seconds = building.seconds();
  const Stopwatch searching;
  lists.report.distances = blocked_sum(
      from.rows(), run.thread_count(),
      [&](std::int64_t begin, std::int64_t end) {
        stop_if_asked(run);
        std::vector<double> low;
        std::int64_t keys = 0;
        for (auto i = static_cast<VertexId>(begin); i < end; ++i) {
          inverted.bound(from, i, low);
          const NeighborList list = list_of(lists, i);
          list.clear();
          for (VertexId j = 0; j < rows.rows(); ++j) {
            if (low[static_cast<std::size_t>(j)] > list.last_key() || (j == i && !others)) continue;
            ++keys;
            list.offer(from.key(i, rows, j), j);
          }
          for (int a = 0; a < list.k; ++a) list.keys[a] = rows.distance(list.keys[a]);
        }
        return keys;
      },
      64);
  const double search_seconds = searching.seconds();
  lists.report.build_seconds = build_seconds;
  lists.report.search_seconds = search_seconds;
}

}  // namespace gssl::knn
