// All pairs, each once. A pair of panels is skipped when their boxes are too far apart for either.

#include <optional>

#include "graph/knn/panels/panel_search.hpp"
#include "graph/knn/rows/projection.hpp"
#include "gssl/core/stopwatch.hpp"

namespace gssl::knn {

void block_search(const RowSpace& rows, const Projection* projection, KnnLists& lists,
                  const RunContext& run) {
  const Stopwatch building;
  const int threads = run.thread_count();
  std::optional<RowSpace> projected;
  if (projection != nullptr) projected.emplace(projection->apply(rows, threads));
  const FloatFrame frame =
      projected ? FloatFrame(*projected, Projection::relative_error) : FloatFrame(rows);
  PanelSearch search(rows, projected ? *projected : rows, frame, lists, threads);
  projected.reset();
  const double build_seconds = building.seconds();
  const Stopwatch searching;
  search.meet_all(run);
  for (double& key : lists.distances) key = rows.distance(key);
  const double search_seconds = searching.seconds();
  lists.report.distances = search.distances();
  lists.report.build_seconds = build_seconds;
  lists.report.search_seconds = search_seconds;
}

}  // namespace gssl::knn
