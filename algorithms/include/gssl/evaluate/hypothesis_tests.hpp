#pragma once
// Whether a difference is more than chance: tests of paired measurements and of counts of errors.
//
//   gssl::PairedTest t = gssl::paired_t_test(accuracy_a, accuracy_b);     // of the same trials
//   t.difference;  t.low, t.high;      // mean of a − b, and where it is with confidence 95 %
//   gssl::McNemarTest m = gssl::mcnemar_test(only_a_right, only_b_right);
//   gssl::ShareTest s = gssl::binomial_test(errors, rows, 0.5);
//
// Every p-value is two-sided: the chance of what was seen, or something as extreme, were there no
// difference. Which test for what:
//   paired t            trials that are independent: random label sets of one graph
//   corrected t         folds and random shares, whose training parts overlap
//   Wilcoxon            the same as paired t without assuming a normal distribution; data sets
//   McNemar             one split, two learners, row by row
//   binomial            one learner against a known share
// Distributions are those of Boost.Math.

#include <cstdint>
#include <span>
#include <vector>

namespace gssl {

struct PairedTest {
  std::int64_t pairs = 0;
  double difference = 0.0;  // mean of a − b
  double low = 0.0;         // interval of the difference; infinite for one pair
  double high = 0.0;
  double statistic = 0.0;  // t of pairs − 1 degrees of freedom
  double p_value = 1.0;
};

// Student's paired t. All differences equal: p is 0, or 1 where they are 0. For one pair p is 1.
// Throws ErrorCode::bad_data if the lengths differ or are 0, ErrorCode::usage unless
// 0 < confidence < 1.
PairedTest paired_t_test(std::span<const double> a, std::span<const double> b,
                         double confidence = 0.95);

// The same with variance (1/pairs + test/training)·s², since training parts that overlap make
// trials alike (Nadeau and Bengio 2003, doi:10.1023/A:1024068626366). `test_to_training` is the
// number of rows of the test part over that of the training part, ≥ 0 (ErrorCode::usage).
PairedTest corrected_resampled_t_test(std::span<const double> a, std::span<const double> b,
                                      double test_to_training, double confidence = 0.95);

struct McNemarTest {
  double p_exact = 1.0;      // binomial
  double chi_squared = 0.0;  // (|b − c| − 1)²/(b + c), 0 if both are 0
  double p_chi_squared = 1.0;
};

// Rows that only one of two learners has right (McNemar 1947, doi:10.1007/BF02295996). Throws
// ErrorCode::bad_data if one is negative.
McNemarTest mcnemar_test(std::int64_t only_a_right, std::int64_t only_b_right);

struct RankTest {
  std::int64_t pairs = 0;  // those that differ
  double statistic = 0.0;  // the smaller of the two sums of ranks
  double p_value = 1.0;
  bool exact = true;  // else by the normal distribution
};

// Wilcoxon's signed ranks (1945, doi:10.2307/3001968). Pairs that are equal are left out; equal
// differences share their ranks. Exact up to 50 pairs, ties included. Throws ErrorCode::bad_data if
// the lengths differ.
RankTest wilcoxon_signed_rank_test(std::span<const double> a, std::span<const double> b);

struct Interval {
  double low = 0.0;
  double high = 1.0;
};

struct ShareTest {
  double share = 0.0;  // successes/trials; NaN without trials
  double p_value = 1.0;
  Interval interval;  // Clopper–Pearson: holds the true share at least so often
};

// Throws ErrorCode::bad_data unless 0 ≤ successes ≤ trials, ErrorCode::usage unless
// 0 ≤ share ≤ 1 and 0 < confidence < 1. p is the chance of all counts that are no likelier.
ShareTest binomial_test(std::int64_t successes, std::int64_t trials, double share,
                        double confidence = 0.95);

// Wilson's interval of a share (1927, doi:10.1080/01621459.1927.10502953): shorter, and right on
// average. Errors as above.
Interval wilson_interval(std::int64_t successes, std::int64_t trials, double confidence = 0.95);

// p-values of several tests, each raised so that the chance of one wrong "different" among all is
// what it was for one (Holm 1979); in the order given.
std::vector<double> holm_adjusted(std::span<const double> p_values);

}  // namespace gssl
