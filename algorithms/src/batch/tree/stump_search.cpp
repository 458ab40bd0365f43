#include "batch/tree/stump_search.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

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

constexpr std::uint32_t tie = std::uint32_t{1} << 31;
constexpr std::uint32_t row_bits = tie - 1;

class Scan {
 public:
  Scan(std::span<const double> weights, double total) : weights_(weights), total_(total) {}

  Place scan(std::span<const std::uint32_t> column, bool zeros, std::size_t zeros_at) {
    if (!zeros) {
      pass(column, 0, column.size(), 0.0, false);
      return best_;
    }
    double held = 0.0;
    for (const std::uint32_t entry : column) held += weights_[entry & row_bits];
    double left = pass(column, 0, zeros_at, 0.0, true);
    left += total_ - held;
    zeros_left_ = true;
    if (zeros_at < column.size()) consider(left, zeros_at);
    pass(column, zeros_at, column.size(), left, false);
    return best_;
  }

 private:
  double pass(std::span<const std::uint32_t> column, std::size_t from, std::size_t to, double left,
              bool something_follows) {
    for (std::size_t i = from; i + 1 < to; ++i) {
      left += weights_[column[i] & row_bits];
      if ((column[i] & tie) == 0) consider(left, i + 1);
    }
    if (to > from) {
      left += weights_[column[to - 1] & row_bits];
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

double threshold_of(const Points& points, std::int64_t column, std::span<const std::uint32_t> list,
                    bool beside_zeros, const Place& place) {
  const auto value_at = [&](std::size_t i) {
    return points.value(static_cast<VertexId>(list[i] & row_bits), column);
  };
  const double lower = beside_zeros && place.zeros_left ? 0.0 : value_at(place.left - 1);
  const double upper = beside_zeros && !place.zeros_left ? 0.0 : value_at(place.left);
  const double middle = 0.5 * lower + 0.5 * upper;
  return middle >= upper || middle < lower ? lower : middle;
}

}  // namespace

StumpSearch::StumpSearch(const Dataset& data, const SortedColumns& sorted) : points_(data.points) {
  for (std::int64_t r = 0; r < sorted.rows(); ++r) rows_ += data.weight(r) > 0.0 ? 1 : 0;
  offsets_.push_back(0);
  for (std::int64_t c = 0; c < sorted.columns(); ++c) {
    std::uint32_t rank = 0;
    std::size_t below_zero = 0;
    for (const RankedRow& item : sorted.column(c)) {
      if (data.weight(item.row) == 0.0) continue;
      if (entries_.size() > offsets_.back() && item.rank == rank) entries_.back() |= tie;
      rank = item.rank;
      entries_.push_back(item.row);
      if (rank < sorted.zero_rank(c)) ++below_zero;
    }
    zeros_at_.push_back(below_zero);
    offsets_.push_back(entries_.size());
  }
}

Stump StumpSearch::best(std::span<const double> signed_weights, const RunContext& run) const {
  const double total = std::accumulate(signed_weights.begin(), signed_weights.end(), 0.0);
  const auto columns = static_cast<std::int64_t>(zeros_at_.size());
  std::vector<Place> places(zeros_at_.size());
  const auto has_zeros = [&](std::int64_t c) { return column(c).size() < rows_; };
  parallel_blocks(
      columns, run.thread_count(),
      [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t c = begin; c < end; ++c) {
          const auto i = static_cast<std::size_t>(c);
          places[i] = Scan(signed_weights, total).scan(column(c), has_zeros(c), zeros_at_[i]);
        }
      },
      std::max<std::int64_t>(1, columns / 256));
  Stump found;
  found.edge = -1.0;
  for (std::int64_t c = 0; c < columns; ++c) {
    const Place& place = places[static_cast<std::size_t>(c)];
    if (place.edge <= found.edge + (found.column < 0 ? 0.0 : margin)) continue;
    found = {static_cast<std::int32_t>(c), 0.0, place.second_left, place.edge};
  }
  if (found.column < 0 || std::abs(total) > found.edge + margin)
    return {-1, 0.0, total > 0.0, std::abs(total)};
  const auto i = static_cast<std::size_t>(found.column);
  const bool beside_zeros = has_zeros(found.column) && places[i].left == zeros_at_[i];
  found.threshold =
      threshold_of(points_, found.column, column(found.column), beside_zeros, places[i]);
  return found;
}

}  // namespace gssl::detail
