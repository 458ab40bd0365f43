// Approximate lists: rounds of a descent over panels, until a sample says that enough neighbors
// have been found. Where neighbors of neighbors give out before, some blocks of panels meet all
// others. Where an exact search would cost less, the panels that have not met do, and the lists are
// exact.

#include <cmath>
#include <limits>
#include <optional>

#include "graph/knn/panels/panel_descent.hpp"
#include "graph/knn/panels/recall_sample.hpp"
#include "graph/knn/rows/projection.hpp"
#include "gssl/core/stopwatch.hpp"

namespace gssl::knn {
namespace {

constexpr VertexId sample_rows = 1024;
// Panels that each meets: at the start the nearest first, so that lists fill with good rows, and at
// most in a round.
constexpr int first_centers = 4, near_centers = 32;
constexpr std::size_t first_votes = 64, most_votes = 256;
// Exact searches that meet fewer panels than this are as fast.
constexpr double worth_it = 128.0;
// Share of what the first round of votes misses that is still missed when votes give out.
constexpr double left_by_votes = 0.012;
// Share of the cost of an exact search, from here on, that a descent may be expected to take.
constexpr double worth_descending = 0.85;
// Share of the remaining pairs above which all of them are as well met.
constexpr double worth_completing = 0.8;

struct Progress {
  double pairs = 0.0;   // of panels that have met
  double missed = 1.0;  // share of the neighbors, and one standard error
};

// What is missed lies between two rows of which neither is in a complete block, so that this share
// of the remaining pairs leads to what is allowed; some less, as the share is one of a sample.
double share_to_meet(double missed, double allowed) {
  return std::max(0.0, 1.0 - 0.9 * allowed / missed);
}

// What a pair of panels that votes bring together costs beside one of an exact search: the votes,
// and lists that are not yet good. The product of long rows costs more beside them.
double cost_of_votes(std::int64_t columns) {
  return 1.0 + 2.4 * std::min(1.0, 32.0 / static_cast<double>(columns));
}

// Pairs that votes have still to bring together until no more than `target` is missed, if they find
// as large a share of it as those of the last round did.
double pairs_to_go(const Progress& before, const Progress& now, double target) {
  const double gain = std::log(before.missed / now.missed);
  if (!(gain > 0.0)) return std::numeric_limits<double>::infinity();
  return (now.pairs - before.pairs) * std::max(0.0, std::log(now.missed / target)) / gain;
}

// Rounds in which rows meet that probably are neighbors, until a sample has the recall.
class Descent {
 public:
  Descent(PanelSearch& search, PanelDescent& panels, double recall, bool only, KnnReport& report,
          const RunContext& run)
      : search_(search),
        panels_(panels),
        recall_(recall),
        only_(only),
        report_(report),
        run_(run),
        panel_count_(static_cast<double>(search.panels())) {}

  // Goes on to the recall, or says why not.
  std::string objection() {
    if (!only_ && panel_count_ / 2.0 <= worth_it) return "there are too few points for less to pay";
    panels_.meet_near_centers(first_centers, run_);
    panels_.meet_near_centers(near_centers, run_);
    exact_pairs_ = search_.pairs_in_reach();
    if (!only_ && exact_pairs_ <= worth_it * panel_count_)
      return "boxes leave out so many pairs that less would not pay";
    const RecallSample sample(search_, sample_rows, run_);
    report_.recall_sample = sample.size();
    for (Progress last;; ++report_.rounds) {
      const Recall found = sample.of(search_);
      report_.recall = found.mean;
      report_.recall_error = found.error;
      if (found.mean - found.error >= recall_) return {};
      const Progress now{static_cast<double>(panels_.pairs()), 1.0 - found.mean + found.error};
      if (report_.rounds == 1) floor_ = left_by_votes * now.missed;
      if (!only_ && votes_ > 0 && report_.rounds > 0 && takes_longer(last, now))
        return "a descent to the recall asked for would take longer";
      last = now;
      if (votes_ > 0 && meet_neighbors_of_neighbors(now)) continue;
      const double share = share_to_meet(now.missed, allowed());
      if (!only_ && share > worth_completing)
        return "neighbors of neighbors did not bring the recall asked for";
      complete_blocks(share);
    }
  }

 private:
  double allowed() const { return 1.0 - recall_; }

  // Whether votes, and complete blocks after them, cost more than an exact search of the rest.
  bool takes_longer(const Progress& last, const Progress& now) const {
    if (share_to_meet(now.missed, allowed()) <= worth_completing) return false;
    const double target = std::max(allowed(), floor_), rest = exact_pairs_ - now.pairs;
    const double by_votes = std::min(rest, pairs_to_go(last, now, target));
    const double cost = cost_of_votes(search_.tree().columns()) * by_votes +
                        share_to_meet(target, allowed()) * (rest - by_votes);
    return cost > worth_descending * rest;
  }

  // False once all neighbors of neighbors have met.
  bool meet_neighbors_of_neighbors(const Progress& now) {
    panels_.meet_by_votes(votes_, run_);
    votes_ = std::min(2 * votes_, most_votes);
    if (static_cast<double>(panels_.pairs()) - now.pairs >= panel_count_) return true;
    if (!common_) {
      common_ = true;
      panels_.meet_by_common_neighbors(most_votes, run_);
      return true;
    }
    votes_ = 0;
    return false;
  }

  // So many more blocks meet all others that this share of the remaining pairs has met.
  void complete_blocks(double share) {
    const auto blocks = static_cast<double>(search_.blocks());
    incomplete_ *= std::sqrt(1.0 - share);
    incomplete_ = std::floor(incomplete_ * blocks) / blocks;
    panels_.meet_rest(search_.blocks() - std::llround(incomplete_ * blocks), run_);
  }

  PanelSearch& search_;
  PanelDescent& panels_;
  double recall_;
  bool only_;
  KnnReport& report_;
  const RunContext& run_;
  double panel_count_;
  double exact_pairs_ = 0.0;
  std::size_t votes_ = first_votes;
  bool common_ = false;      // rows with neighbors in common have met
  double incomplete_ = 1.0;  // share of the blocks that have not met all others
  double floor_ = 0.0;       // of what votes leave missed
};

}  // namespace

std::string descent_search(const RowSpace& rows, const Projection* projection, double recall,
                           bool only, KnnLists& lists, const RunContext& run) {
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

  KnnReport& report = lists.report;
  PanelDescent panels(search);
  std::string objection = Descent(search, panels, recall, only, report, run).objection();
  if (!objection.empty()) {
    panels.meet_rest(search.blocks(), run);
    report.recall = 1.0;
    report.recall_error = 0.0;
    report.recall_sample = 0;
  }
  for (double& key : lists.distances) key = rows.distance(key);
  const double search_seconds = searching.seconds();
  report.distances = search.distances();
  report.build_seconds = build_seconds;
  report.search_seconds = search_seconds;
  return objection;
}

}  // namespace gssl::knn
