// All pairs, each once. A pair of panels is skipped when their boxes are too far apart for either.

#include <chrono>
#include <optional>

#include "panel_search.hpp"
#include "projection.hpp"

namespace gssl::knn {

void block_search(const RowSpace& rows, const Projection* projection, KnnLists& lists,
                  const RunContext& run) {
  const auto start = std::chrono::steady_clock::now();
  const int threads = run.thread_count();
  std::optional<RowSpace> projected;
  if (projection != nullptr) projected.emplace(projection->apply(rows, threads));
  const FloatFrame frame =
      projected ? FloatFrame(*projected, Projection::relative_error) : FloatFrame(rows);
  PanelSearch search(rows, projected ? *projected : rows, frame, lists, threads);
  projected.reset();
  const auto built = std::chrono::steady_clock::now();
  search.meet_all(run);
  for (double& key : lists.distances) key = rows.distance(key);
  const auto searched = std::chrono::steady_clock::now();
  lists.report.distances = search.distances();
  lists.report.build_seconds = std::chrono::duration<double>(built - start).count();
  lists.report.search_seconds = std::chrono::duration<double>(searched - built).count();
}

}  // namespace gssl::knn
