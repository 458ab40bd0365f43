#include "gssl/evaluate/hypothesis_tests.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>

#include "evaluate/distributions.hpp"
#include "gssl/core/error.hpp"
#include "gssl/evaluate/metrics.hpp"

namespace gssl {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr std::size_t exact_pairs = 50;

void check_confidence(double confidence) {
  if (!(confidence > 0.0 && confidence < 1.0))
    throw Error(ErrorCode::usage,
                "test: confidence " + std::to_string(confidence) + ": must be between 0 and 1");
}

std::vector<double> differences(std::span<const double> a, std::span<const double> b) {
  if (a.size() != b.size())
    throw Error(ErrorCode::bad_data, "test: " + std::to_string(a.size()) + " and " +
                                         std::to_string(b.size()) + " measurements: must be pairs");
  std::vector<double> d(a.size());
  for (std::size_t i = 0; i < d.size(); ++i) d[i] = a[i] - b[i];
  return d;
}

// What p is where all differences are the same.
PairedTest constant_difference(PairedTest test) {
  test.low = test.high = test.difference;
  test.p_value = test.difference == 0.0 ? 1.0 : 0.0;
  test.statistic = test.difference == 0.0 ? 0.0 : std::copysign(infinity, test.difference);
  return test;
}

// The t test of a mean whose variance is `factor` times that of one difference.
PairedTest t_test(const std::vector<double>& d, double extra, double confidence) {
  check_confidence(confidence);
  if (d.empty()) throw Error(ErrorCode::bad_data, "test: no measurements: give at least one pair");
  const auto [mean, sd] = mean_and_deviation(d);
  const auto n = static_cast<double>(d.size());
  PairedTest test{.pairs = static_cast<std::int64_t>(d.size()), .difference = mean};
  if (d.size() == 1) {
    test.low = -infinity;
    test.high = infinity;
    return test;
  }
  const double error = sd * std::sqrt(1.0 / n + extra);
  // Differences that are equal but for rounding have no spread to speak of.
  if (error <= 1e-14 * std::abs(mean) || error == 0.0) return constant_difference(test);
  const double reach = detail::student_t_at(0.5 * (1.0 - confidence), n - 1.0) * error;
  test.low = mean - reach;
  test.high = mean + reach;
  test.statistic = mean / error;
  test.p_value = 2.0 * detail::student_t_above(std::abs(test.statistic), n - 1.0);
  return test;
}

// Ranks of |d|, from 1, twice over so that shared ones are whole numbers too.
std::vector<std::int64_t> doubled_ranks(const std::vector<double>& d) {
  std::vector<std::size_t> order(d.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto size = [&](std::size_t i) { return std::abs(d[i]); };
  std::ranges::stable_sort(order, {}, size);
  std::vector<std::int64_t> ranks(d.size());
  for (std::size_t begin = 0; begin < order.size();) {
    std::size_t end = begin + 1;
    while (end < order.size() && size(order[end]) == size(order[begin])) ++end;
    for (std::size_t i = begin; i < end; ++i)
      ranks[order[i]] = static_cast<std::int64_t>(begin + 1 + end);
    begin = end;
  }
  return ranks;
}

// P(sum of the ranks of positive signs ≤ `sum`), each sign as likely as the other.
double signs_at_most(const std::vector<std::int64_t>& ranks, std::int64_t sum) {
  std::vector<double> ways(static_cast<std::size_t>(sum) + 1, 0.0);
  ways[0] = 1.0;
  for (const std::int64_t rank : ranks)
    for (std::int64_t s = sum; s >= rank; --s)
      ways[static_cast<std::size_t>(s)] += ways[static_cast<std::size_t>(s - rank)];
  const double all = std::accumulate(ways.begin(), ways.end(), 0.0);
  return std::ldexp(all, -static_cast<int>(ranks.size()));
}

// The same by the normal distribution; the squares of shared ranks carry the correction for ties.
double normal_p(const std::vector<std::int64_t>& ranks, double statistic) {
  double mean = 0.0, variance = 0.0;
  for (const std::int64_t doubled : ranks) {
    const double rank = 0.5 * static_cast<double>(doubled);
    mean += 0.5 * rank;
    variance += 0.25 * rank * rank;
  }
  const double z = (mean - statistic) / std::sqrt(variance);
  return std::min(1.0, 2.0 * detail::normal_above(z));
}

void check_counts(std::int64_t successes, std::int64_t trials) {
  if (successes < 0 || successes > trials)
    throw Error(ErrorCode::bad_data, "test: " + std::to_string(successes) + " of " +
                                         std::to_string(trials) + ": must be from 0 to that many");
}

Interval clopper_pearson(std::int64_t successes, std::int64_t trials, double confidence) {
  if (trials == 0) return {};
  const auto n = static_cast<double>(trials), k = static_cast<double>(successes);
  const double tail = 0.5 * (1.0 - confidence);
  return {detail::lowest_share(k, n, tail), detail::highest_share(k, n, tail)};
}

// Counts on the side of the mean away from `successes` that are no likelier than it: how many of
// the far end. The chance falls from the mean to the end.
std::int64_t far_count(std::int64_t successes, std::int64_t trials, double share, bool above) {
  const auto n = static_cast<double>(trials);
  const auto chance = [&](std::int64_t count) {
    return detail::binomial_exactly(static_cast<double>(count), n, share);
  };
  // Rounding must not part two counts that are as likely as each other.
  const double limit = chance(successes) * (1.0 + 1e-7);
  const auto mean = static_cast<std::int64_t>(std::floor(n * share));
  std::int64_t few = 0, many = above ? trials - mean : mean + 1;
  while (few < many) {
    const std::int64_t middle = few + (many - few + 1) / 2;
    const std::int64_t innermost = above ? trials - middle + 1 : middle - 1;
    if (chance(innermost) <= limit)
      few = middle;
    else
      many = middle - 1;
  }
  return few;
}

double binomial_p(std::int64_t successes, std::int64_t trials, double share) {
  if (trials == 0) return 1.0;
  if (share == 0.0 || share == 1.0) {
    const std::int64_t sure = share == 0.0 ? 0 : trials;
    return successes == sure ? 1.0 : 0.0;
  }
  const auto n = static_cast<double>(trials), k = static_cast<double>(successes);
  const double mean = n * share;
  if (k == mean) return 1.0;
  const bool below = k < mean;
  const std::int64_t far = far_count(successes, trials, share, below);
  double p =
      below ? detail::binomial_at_most(k, n, share) : detail::binomial_more_than(k - 1.0, n, share);
  if (far > 0) {
    const auto beyond = static_cast<double>(far);
    p += below ? detail::binomial_more_than(n - beyond, n, share)
               : detail::binomial_at_most(beyond - 1.0, n, share);
  }
  return std::min(1.0, p);
}

}  // namespace

PairedTest paired_t_test(std::span<const double> a, std::span<const double> b, double confidence) {
  return t_test(differences(a, b), 0.0, confidence);
}

PairedTest corrected_resampled_t_test(std::span<const double> a, std::span<const double> b,
                                      double test_to_training, double confidence) {
  if (!(test_to_training >= 0.0) || !std::isfinite(test_to_training))
    throw Error(ErrorCode::usage, "test: rows of test over rows of training: must be >= 0");
  return t_test(differences(a, b), test_to_training, confidence);
}

McNemarTest mcnemar_test(std::int64_t only_a_right, std::int64_t only_b_right) {
  if (only_a_right < 0 || only_b_right < 0)
    throw Error(ErrorCode::bad_data, "test: a negative count");
  const std::int64_t n = only_a_right + only_b_right;
  if (n == 0) return {};
  McNemarTest test;
  test.p_exact = binomial_p(std::min(only_a_right, only_b_right), n, 0.5);
  const double apart =
      std::max(0.0, std::abs(static_cast<double>(only_a_right - only_b_right)) - 1.0);
  test.chi_squared = apart * apart / static_cast<double>(n);
  test.p_chi_squared = detail::chi_squared_above(test.chi_squared);
  return test;
}

RankTest wilcoxon_signed_rank_test(std::span<const double> a, std::span<const double> b) {
  std::vector<double> d = differences(a, b);
  std::erase(d, 0.0);
  RankTest test{.pairs = static_cast<std::int64_t>(d.size())};
  if (d.empty()) return test;
  const std::vector<std::int64_t> ranks = doubled_ranks(d);
  std::int64_t positive = 0, all = 0;
  for (std::size_t i = 0; i < d.size(); ++i) {
    all += ranks[i];
    if (d[i] > 0.0) positive += ranks[i];
  }
  const std::int64_t smaller = std::min(positive, all - positive);
  test.statistic = 0.5 * static_cast<double>(smaller);
  test.exact = d.size() <= exact_pairs;
  test.p_value = test.exact ? std::min(1.0, 2.0 * signs_at_most(ranks, smaller))
                            : normal_p(ranks, test.statistic);
  return test;
}

ShareTest binomial_test(std::int64_t successes, std::int64_t trials, double share,
                        double confidence) {
  check_counts(successes, trials);
  check_confidence(confidence);
  if (!(share >= 0.0 && share <= 1.0))
    throw Error(ErrorCode::usage, "test: a share must be in [0, 1]");
  ShareTest test;
  test.share = trials == 0 ? std::numeric_limits<double>::quiet_NaN()
                           : static_cast<double>(successes) / static_cast<double>(trials);
  test.p_value = binomial_p(successes, trials, share);
  test.interval = clopper_pearson(successes, trials, confidence);
  return test;
}

Interval wilson_interval(std::int64_t successes, std::int64_t trials, double confidence) {
  check_counts(successes, trials);
  check_confidence(confidence);
  if (trials == 0) return {};
  const auto n = static_cast<double>(trials);
  const double p = static_cast<double>(successes) / n;
  const double z = detail::normal_at(0.5 * (1.0 - confidence));
  const double center = (p + z * z / (2.0 * n)) / (1.0 + z * z / n);
  const double reach = z * std::sqrt(p * (1.0 - p) / n + z * z / (4.0 * n * n)) / (1.0 + z * z / n);
  return {successes == 0 ? 0.0 : center - reach, successes == trials ? 1.0 : center + reach};
}

std::vector<double> holm_adjusted(std::span<const double> p_values) {
  std::vector<std::size_t> order(p_values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return p_values[i]; });
  std::vector<double> adjusted(p_values.size());
  double largest = 0.0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const double raised = static_cast<double>(order.size() - i) * p_values[order[i]];
    largest = std::max(largest, std::min(1.0, raised));
    adjusted[order[i]] = largest;
  }
  return adjusted;
}

}  // namespace gssl
