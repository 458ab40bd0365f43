#include "batch/tree/stump_search.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "gssl/core/parallel.hpp"

namespace gssl::detail {

namespace {

// A cut is far above rounding only if its edge is larger by this.
constexpr double margin = 1e-12;

struct Place {
  double edge = -1.0;  // |2 S_left − S|
  bool second_left = false;
  std::size_t left = 0;  // entries of the column on the left
  bool zeros_left = false;
};

class Scan {
 public:
  Scan(std::span<const double> weights, double total) : weights_(weights), total_(total) {}

  Place scan(std::span<const RankedRow> column, std::size_t zeros, std::uint32_t zero_rank) {
    if (zeros == 0) {
      pass(column, 0, column.size(), 0.0, false);
      return best_;
    }
    const auto zeros_at = static_cast<std::size_t>(
        std::ranges::lower_bound(column, zero_rank, {}, &RankedRow::rank) - column.begin());
    double held = 0.0;
    for (const RankedRow& item : column) held += weights_[item.row];
    double left = pass(column, 0, zeros_at, 0.0, true);
    left += total_ - held;
    zeros_left_ = true;
    if (zeros_at < column.size()) consider(left, zeros_at);
    pass(column, zeros_at, column.size(), left, false);
    return best_;
  }

 private:
  double pass(std::span<const RankedRow> column, std::size_t from, std::size_t to, double left,
              bool something_follows) {
    for (std::size_t i = from; i + 1 < to; ++i) {
      left += weights_[column[i].row];
      if (column[i].rank != column[i + 1].rank) consider(left, i + 1);
    }
    if (to > from) {
      left += weights_[column[to - 1].row];
      if (something_follows) consider(left, to);
    }
    return left;
  }

  void consider(double left, std::size_t place) {
    const double balance = 2.0 * left - total_;
    if (std::abs(balance) > limit_) [[unlikely]] {
      best_ = {std::abs(balance), balance > 0.0, place, zeros_left_};
      limit_ = best_.edge + margin;
    }
  }

  std::span<const double> weights_;
  double total_;
  Place best_;
  double limit_ = -1.0;
  bool zeros_left_ = false;
};

double threshold_of(const Points& points, std::int64_t column, std::span<const RankedRow> list,
                    std::size_t zeros_at, bool zeros, const Place& place) {
  const auto value_at = [&](std::size_t i) {
    return points.value(static_cast<VertexId>(list[i].row), column);
  };
  const bool beside_zeros = zeros && place.left == zeros_at;
  const double lower = beside_zeros && place.zeros_left ? 0.0 : value_at(place.left - 1);
  const double upper = beside_zeros && !place.zeros_left ? 0.0 : value_at(place.left);
  const double middle = 0.5 * lower + 0.5 * upper;
  return middle >= upper || middle < lower ? lower : middle;
}

}  // namespace

Stump best_stump(const Points& points, const SortedColumns& sorted,
                 std::span<const double> signed_weights, const RunContext& run) {
  const double total = std::accumulate(signed_weights.begin(), signed_weights.end(), 0.0);
  std::vector<Place> places(static_cast<std::size_t>(sorted.columns()));
  const auto zeros_of = [&](std::int64_t c) {
    return static_cast<std::size_t>(sorted.rows()) - sorted.column(c).size();
  };
  parallel_blocks(
      sorted.columns(), run.thread_count(),
      [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t c = begin; c < end; ++c)
          places[static_cast<std::size_t>(c)] =
              Scan(signed_weights, total).scan(sorted.column(c), zeros_of(c), sorted.zero_rank(c));
      },
      std::max<std::int64_t>(1, sorted.columns() / 256));
  Stump best;
  best.edge = -1.0;
  for (std::int64_t c = 0; c < sorted.columns(); ++c) {
    const Place& place = places[static_cast<std::size_t>(c)];
    if (place.edge <= best.edge + (best.column < 0 ? 0.0 : margin)) continue;
    best = {static_cast<std::int32_t>(c), 0.0, place.second_left, place.edge};
  }
  if (best.column < 0 || std::abs(total) > best.edge + margin)
    return {-1, 0.0, total > 0.0, std::abs(total)};
  const auto list = sorted.column(best.column);
  const auto zeros_at = static_cast<std::size_t>(
      std::ranges::lower_bound(list, sorted.zero_rank(best.column), {}, &RankedRow::rank) -
      list.begin());
  best.threshold = threshold_of(points, best.column, list, zeros_at, zeros_of(best.column) > 0,
                                places[static_cast<std::size_t>(best.column)]);
  return best;
}

}  // namespace gssl::detail
