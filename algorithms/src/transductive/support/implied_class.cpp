#include "implied_class.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <utility>

#include "gssl/core/index.hpp"
#include "gssl/core/parallel.hpp"

namespace gssl::detail {

Block reduced_targets(const LabeledSet& labeled) {
  Block full = labeled.target_block();
  if (labeled.is_regression()) return full;
  Block reduced(full.rows(), full.columns() - 1);
  for (std::int64_t r = 0; r < full.rows(); ++r)
    for (std::int64_t c = 0; c < reduced.columns(); ++c) reduced(r, c) = full(r, c);
  return reduced;
}

namespace {

// What the others of a row leave of 1: equal to the largest of them where only rounding could part
// the two. Each subtraction from 1 is off by half a last bit of 1 at most, and by nothing of a 0.
double implied_score(std::span<const double> others) {
  double rest = 1.0, largest = 0.0;
  int subtractions = 0;
  for (const double value : others) {
    rest -= value;
    largest = std::max(largest, value);
    if (value != 0.0) ++subtractions;
  }
  const double rounding = 0.5 * std::numeric_limits<double>::epsilon() * subtractions;
  if (subtractions > 1 && std::abs(rest - largest) <= rounding) return largest;
  return std::max(rest, 0.0);
}

// The least and the largest target of each column.
class TargetRange {
 public:
  explicit TargetRange(const Block& targets)
      : low_(targets.row(0).begin(), targets.row(0).end()), high_(low_) {
    for (std::int64_t r = 1; r < targets.rows(); ++r)
      for (std::size_t c = 0; c < low_.size(); ++c) {
        low_[c] = std::min(low_[c], targets.row(r)[c]);
        high_[c] = std::max(high_[c], targets.row(r)[c]);
      }
  }

  std::size_t columns() const { return low_.size(); }
  double clamped(double value, std::size_t c) const { return std::clamp(value, low_[c], high_[c]); }

 private:
  std::vector<double> low_, high_;
};

}  // namespace

Block scores_from_columns(std::vector<Block> solved, const std::vector<VertexId>& row_of,
                          const Block& targets, const LabeledSet& labeled, VertexId vertex_count,
                          int threads) {
  const TargetRange range(targets);
  const bool classes = !labeled.is_regression();
  Block scores(vertex_count, targets.columns() + (classes ? 1 : 0));
  const std::int64_t row_count = solved.empty() ? 0 : solved.front().rows();
  parallel_blocks(row_count, threads, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t row = begin; row < end; ++row) {
      const std::span<double> all = scores.row(row_of.empty() ? row : row_of[index(row)]);
      std::size_t c = 0;
      for (const Block& some : solved)
        for (const double value :
             some.row(row).first(std::min(range.columns() - c, index(some.columns())))) {
          all[c] = range.clamped(value, c);
          ++c;
        }
      if (classes) all[c] = implied_score(all.first(c));
    }
  });
  return scores;
}

Block scores_from_columns(Block solved, const std::vector<VertexId>& row_of, const Block& targets,
                          const LabeledSet& labeled, VertexId vertex_count, int threads) {
  std::vector<Block> one;
  one.push_back(std::move(solved));
  return scores_from_columns(std::move(one), row_of, targets, labeled, vertex_count, threads);
}

void bound_scores(Block& scores, const std::vector<VertexStatus>& status, const LabeledSet& labeled,
                  int threads) {
  const TargetRange range(reduced_targets(labeled));
  const std::size_t solved = range.columns();
  const auto put = [](double& place, double value) {
    if (place != value) place = value;
  };
  parallel_blocks(scores.rows(), threads, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t v = begin; v < end; ++v) {
      if (status[index(v)] == VertexStatus::unreached) continue;
      const std::span<double> row = scores.row(v);
      for (std::size_t c = 0; c < solved; ++c) put(row[c], range.clamped(row[c], c));
      if (!labeled.is_regression()) put(row[solved], implied_score(row.first(solved)));
    }
  });
}

}  // namespace gssl::detail
