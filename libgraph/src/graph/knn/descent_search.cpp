// Approximate lists: rounds of a descent over panels, until a sample says that enough neighbors
// have been found. Where it gives up, the panels that have not met do, and the lists are exact.

#include <chrono>
#include <optional>

#include "panel_descent.hpp"
#include "projection.hpp"
#include "recall_sample.hpp"

namespace gssl::knn {
namespace {

constexpr VertexId sample_rows = 1024;
// Panels that each meets: at the start the nearest first, so that lists fill with good rows; when
// votes give out; and at most in a round.
constexpr int first_centers = 4, near_centers = 32, most_centers = 64;
constexpr std::size_t first_votes = 64, most_votes = 256;
// Exact searches that meet fewer panels than this are as fast.
constexpr double worth_it = 128.0;

}  // namespace

std::string descent_search(const RowSpace& rows, const Projection* projection, double recall,
                           bool only, KnnLists& lists, const RunContext& run) {
  const auto start = std::chrono::steady_clock::now();
  const int threads = run.thread_count();
  std::optional<RowSpace> projected;
  if (projection != nullptr) projected.emplace(projection->apply(rows, threads));
  const FloatFrame frame =
      projected ? FloatFrame(*projected, Projection::relative_error) : FloatFrame(rows);
  PanelSearch search(rows, projected ? *projected : rows, frame, lists, threads);
  projected.reset();
  const auto built = std::chrono::steady_clock::now();

  const auto panels = static_cast<double>(search.panels());
  PanelDescent descent(search);
  KnnReport& report = lists.report;
  // Goes on to the recall, or says why not.
  const auto descend = [&]() -> std::string {
    if (!only && panels / 2.0 <= worth_it) return "there are too few points for less to pay";
    descent.meet_near_centers(first_centers, run);
    int centers = near_centers;
    descent.meet_near_centers(centers, run);
    const double exact_pairs = search.pairs_in_reach();
    if (!only && exact_pairs <= worth_it * panels)
      return "boxes leave out so many pairs that less would not pay";
    const RecallSample sample(search, sample_rows, run);
    report.recall_sample = sample.size();
    std::size_t votes = first_votes;
    for (;; ++report.rounds) {
      const Recall found = sample.of(search);
      report.recall = found.mean;
      report.recall_error = found.error;
      if (found.mean - found.error >= recall) return {};
      if (!only && static_cast<double>(descent.pairs()) > 0.5 * exact_pairs)
        return "half of its pairs did not bring the recall asked for";
      const std::int64_t before = descent.pairs();
      descent.meet_by_votes(votes, run);
      votes = std::min(2 * votes, most_votes);
      // Where all neighbors of neighbors have met, only chance helps on.
      if (descent.pairs() - before < search.panels()) {
        if (!only && centers >= most_centers)
          return "neighbors of neighbors did not bring the recall asked for";
        centers = static_cast<int>(std::min<std::int64_t>(search.panels(), 2LL * centers));
        descent.meet_near_centers(centers, run);
      }
    }
  };
  const std::string objection = descend();
  if (!objection.empty()) {
    descent.meet_rest(run);
    report.recall = 1.0;
    report.recall_error = 0.0;
    report.recall_sample = 0;
  }
  for (double& key : lists.distances) key = rows.distance(key);
  const auto searched = std::chrono::steady_clock::now();
  report.distances = search.distances();
  report.build_seconds = std::chrono::duration<double>(built - start).count();
  report.search_seconds = std::chrono::duration<double>(searched - built).count();
  return objection;
}

}  // namespace gssl::knn
