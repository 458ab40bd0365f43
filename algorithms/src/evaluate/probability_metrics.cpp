#include "gssl/evaluate/probability_metrics.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "gssl/core/error.hpp"
#include "support/keyed_rows.hpp"

namespace gssl {

namespace {

constexpr double no_probability = std::numeric_limits<double>::quiet_NaN();
constexpr double least_probability = std::numeric_limits<double>::epsilon();

void check_lengths(std::int64_t rows, std::size_t truths) {
  if (rows == static_cast<std::int64_t>(truths)) return;
  throw Error(ErrorCode::bad_data, "metrics: " + std::to_string(rows) + " rows and " +
                                       std::to_string(truths) + " truths: must be as many");
}

void check_classes(const Block& block, std::span<const int> truth) {
  check_lengths(block.rows(), truth.size());
  for (const int k : truth)
    if (k < 0 || k >= block.columns())
      throw Error(ErrorCode::bad_data, "metrics: class " + std::to_string(k) + ": there are " +
                                           std::to_string(block.columns()) + " columns");
}

// What scales a row to sum 1; 0 where it says no_probability.
double scale_of(std::span<const double> row) {
  double sum = 0.0;
  for (const double p : row) {
    if (!(p >= 0.0) || !std::isfinite(p))
      throw Error(ErrorCode::bad_data,
                  "metrics: probability " + std::to_string(p) + ": must be finite and >= 0");
    sum += p;
  }
  return sum > 0.0 ? 1.0 / sum : 0.0;
}

double probability(std::span<const double> row, double scale, std::size_t k) {
  return scale > 0.0 ? row[k] * scale : 1.0 / static_cast<double>(row.size());
}

// Rows by score, ascending; rows of equal score in their order.
std::vector<std::size_t> ascending(std::span<const double> score) {
  detail::SortSpace space;
  space.list.reserve(score.size());
  for (std::size_t i = 0; i < score.size(); ++i)
    space.list.push_back({detail::key_of(score[i]), static_cast<std::uint32_t>(i)});
  detail::sort_keys(space);
  std::vector<std::size_t> order(score.size());
  std::ranges::transform(space.order, order.begin(), &detail::SortSpace::place);
  return order;
}

// One past the last of the rows that have the score of order[begin].
std::size_t end_of_ties(std::span<const double> score, const std::vector<std::size_t>& order,
                        std::size_t begin) {
  std::size_t end = begin + 1;
  while (end < order.size() && score[order[end]] == score[order[begin]]) ++end;
  return end;
}

// Last row, in ascending order, of the bin that begins at `begin`.
std::size_t end_of_bin(std::span<const double> confidence, const std::vector<std::size_t>& order,
                       std::size_t begin, int bin, int bins, Binning binning) {
  if (binning == Binning::equal_count) {
    const std::size_t wanted =
        order.size() * static_cast<std::size_t>(bin + 1) / static_cast<std::size_t>(bins);
    return wanted <= begin ? begin : end_of_ties(confidence, order, wanted - 1);
  }
  if (bin + 1 == bins) return order.size();
  const double border = static_cast<double>(bin + 1) / bins;
  std::size_t end = begin;
  while (end < order.size() && confidence[order[end]] < border) ++end;
  return end;
}

}  // namespace

LogLoss log_loss(const Block& probabilities, std::span<const int> truth) {
  check_classes(probabilities, truth);
  if (truth.empty()) return {no_probability, 0};
  LogLoss loss;
  for (std::size_t i = 0; i < truth.size(); ++i) {
    const auto row = probabilities.row(static_cast<std::int64_t>(i));
    const double p = probability(row, scale_of(row), static_cast<std::size_t>(truth[i]));
    loss.clipped += p < least_probability ? 1 : 0;
    loss.value -= std::log(std::max(p, least_probability));
  }
  loss.value /= static_cast<double>(truth.size());
  return loss;
}

double brier_score(const Block& probabilities, std::span<const int> truth) {
  check_classes(probabilities, truth);
  if (truth.empty()) return no_probability;
  double sum = 0.0;
  for (std::size_t i = 0; i < truth.size(); ++i) {
    const auto row = probabilities.row(static_cast<std::int64_t>(i));
    const double scale = scale_of(row);
    for (std::size_t k = 0; k < row.size(); ++k) {
      const double target = static_cast<int>(k) == truth[i] ? 1.0 : 0.0;
      const double error = probability(row, scale, k) - target;
      sum += error * error;
    }
  }
  return sum / static_cast<double>(truth.size());
}

double area_under_roc(std::span<const double> score, std::span<const char> positive) {
  check_lengths(static_cast<std::int64_t>(score.size()), positive.size());
  const std::vector<std::size_t> order = ascending(score);
  double ranks = 0.0;  // of the positive rows, from 1, ties sharing theirs
  std::int64_t positives = 0;
  for (std::size_t begin = 0; begin < order.size();) {
    const std::size_t end = end_of_ties(score, order, begin);
    const double rank = 0.5 * static_cast<double>(begin + 1 + end);
    for (std::size_t i = begin; i < end; ++i) {
      if (positive[order[i]] == 0) continue;
      ranks += rank;
      ++positives;
    }
    begin = end;
  }
  const auto p = static_cast<double>(positives);
  const double n = static_cast<double>(score.size()) - p;
  return p == 0.0 || n == 0.0 ? no_probability : (ranks - p * (p + 1.0) / 2.0) / (p * n);
}

double area_under_roc(const Block& scores, std::span<const int> truth) {
  check_classes(scores, truth);
  std::vector<double> score(truth.size());
  std::vector<char> positive(truth.size());
  double sum = 0.0;
  int present = 0;
  for (std::int64_t k = 0; k < scores.columns(); ++k) {
    for (std::size_t i = 0; i < truth.size(); ++i) {
      score[i] = scores(static_cast<std::int64_t>(i), k);
      positive[i] = truth[i] == k ? 1 : 0;
    }
    const double area = area_under_roc(score, positive);
    if (std::isnan(area)) continue;
    sum += area;
    ++present;
  }
  return present == 0 ? no_probability : sum / present;
}

Reliability reliability(std::span<const double> confidence, std::span<const char> right, int bins,
                        Binning binning) {
  if (bins < 1) throw Error(ErrorCode::usage, "reliability: bins: must be 1 or more");
  check_lengths(static_cast<std::int64_t>(confidence.size()), right.size());
  for (const double c : confidence)
    if (!(c >= 0.0 && c <= 1.0))
      throw Error(ErrorCode::bad_data,
                  "reliability: confidence " + std::to_string(c) + ": must be in [0, 1]");
  Reliability table;
  if (confidence.empty()) {
    table.expected_error = table.largest_error = no_probability;
    return table;
  }
  const std::vector<std::size_t> order = ascending(confidence);
  std::size_t begin = 0;
  for (int bin = 0; bin < bins; ++bin) {
    const std::size_t end = end_of_bin(confidence, order, begin, bin, bins, binning);
    if (end == begin) continue;
    ReliabilityBin found;
    for (std::size_t i = begin; i < end; ++i) {
      found.confidence += confidence[order[i]];
      found.accuracy += right[order[i]] != 0 ? 1.0 : 0.0;
    }
    found.count = static_cast<std::int64_t>(end - begin);
    found.confidence /= static_cast<double>(found.count);
    found.accuracy /= static_cast<double>(found.count);
    const double error = std::abs(found.confidence - found.accuracy);
    table.expected_error +=
        error * static_cast<double>(found.count) / static_cast<double>(order.size());
    table.largest_error = std::max(table.largest_error, error);
    table.bins.push_back(found);
    begin = end;
  }
  return table;
}

}  // namespace gssl
