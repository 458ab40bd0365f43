// Tests of differences against SciPy 1.10.1, against counts by hand, and where nothing differs.

#include <cmath>

#include "gssl/evaluate/hypothesis_tests.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

using namespace gssl;
using namespace gssl::test;

namespace {

const std::vector<double> first = {0.564, 0.806, 0.868, 0.674, 0.531, 0.365,
                                   0.034, 0.79,  0.985, 0.913, 0.213, 0.363};
const std::vector<double> second = {0.582, 0.809, 0.859, 0.686, 0.54, 0.411,
                                    0.065, 0.787, 0.981, 0.873, 0.11, 0.323};

Approx near(double value) { return Approx(value).epsilon(1e-10); }

}  // namespace

TEST_CASE("The paired t test is SciPy's", "[hypothesis-tests]") {
  const PairedTest found = paired_t_test(first, second);
  CHECK(found.pairs == 12);
  CHECK(found.statistic == near(0.5871627024746015));
  CHECK(found.p_value == near(0.5689501017309743));
  CHECK(found.low == near(-0.018323398844498365));
  CHECK(found.high == near(0.0316567321778317));
  CHECK(paired_t_test(second, first).statistic == near(-0.5871627024746015));
}

TEST_CASE("The corrected t test widens by the share of the test part", "[hypothesis-tests]") {
  // mean/√((1/12 + 1/9)·var) by NumPy, p of SciPy's t with 11 degrees of freedom.
  const PairedTest found = corrected_resampled_t_test(first, second, 1.0 / 9.0);
  CHECK(found.statistic == near(0.3843882184778137));
  CHECK(found.p_value == near(0.7080179028657534));
  CHECK(corrected_resampled_t_test(first, second, 0.0).p_value ==
        paired_t_test(first, second).p_value);
  CHECK(error_of([] { corrected_resampled_t_test(first, second, -1.0); })->code() ==
        ErrorCode::usage);
}

TEST_CASE("Differences that are all the same", "[hypothesis-tests]") {
  const std::vector<double> zeros(5, 0.0), ones(5, 1.0);
  CHECK(paired_t_test(ones, ones).p_value == 1.0);
  const PairedTest apart = paired_t_test(ones, zeros);
  CHECK(apart.p_value == 0.0);
  CHECK(apart.low == 1.0);
  CHECK(apart.high == 1.0);
  const PairedTest alone = paired_t_test(std::vector{1.0}, std::vector{0.0});
  CHECK(alone.p_value == 1.0);
  CHECK(std::isinf(alone.low));
  CHECK(error_of([] { paired_t_test({}, {}); })->code() == ErrorCode::bad_data);
  CHECK(error_of([&] { paired_t_test(ones, std::vector{1.0}); })->code() == ErrorCode::bad_data);
  CHECK(error_of([&] { paired_t_test(ones, zeros, 1.0); })->code() == ErrorCode::usage);
}

TEST_CASE("Wilcoxon's signed ranks are SciPy's", "[hypothesis-tests]") {
  // Equal differences share ranks: every one of the 2¹² signs counted in Python, as below.
  std::vector<double> apart = {0.3, 0.1, -0.2, 0.5, 0.6, -0.7, 0.9, 0.05};
  const std::vector<double> zeros(apart.size(), 0.0);
  const RankTest found = wilcoxon_signed_rank_test(apart, zeros);
  CHECK(found.exact);
  CHECK(found.statistic == 10.0);        // ranks 3 and 7
  CHECK(found.p_value == near(0.3125));  // scipy.stats.wilcoxon(apart)

  // 60 differences: SciPy's normal approximation, correction=False.
  std::vector<double> many;
  std::int64_t x = 7;
  while (many.size() < 60) {
    x = (1103515245 * x + 12345) % 2147483648;
    many.push_back(static_cast<double>((x >> 16) % 997) / 100.0 - 3.3);
  }
  const RankTest large = wilcoxon_signed_rank_test(many, std::vector<double>(60, 0.0));
  CHECK_FALSE(large.exact);
  CHECK(large.statistic == 335.0);
  CHECK(large.p_value == near(1.956972776083795e-05));
}

TEST_CASE("Wilcoxon with ties counts every choice of signs", "[hypothesis-tests]") {
  const std::vector<double> d = {3.0, 1.0, -2.0, 5.0, 5.0, -5.0, 7.0, 0.0};
  const RankTest found = wilcoxon_signed_rank_test(d, std::vector<double>(d.size(), 0.0));
  CHECK(found.pairs == 7);  // the pair that is equal is left out
  const std::vector<double> ranks = {3.0, 1.0, 2.0, 5.0, 5.0, 5.0, 7.0};
  int as_extreme = 0;
  for (unsigned signs = 0; signs < 128; ++signs) {
    double sum = 0.0;
    for (std::size_t i = 0; i < 7; ++i) sum += (signs >> i & 1U) != 0 ? ranks[i] : 0.0;
    as_extreme += sum <= 7.0 ? 1 : 0;
  }
  CHECK(found.statistic == 7.0);
  CHECK(found.p_value == near(2.0 * as_extreme / 128.0));
  CHECK(wilcoxon_signed_rank_test(d, d).p_value == 1.0);
  CHECK(wilcoxon_signed_rank_test({}, {}).pairs == 0);
}

TEST_CASE("The binomial test and its exact interval are SciPy's", "[hypothesis-tests]") {
  struct Known {
    std::int64_t successes, trials;
    double share, p, low, high;
  };
  // Intervals are scipy.stats.beta.ppf where binomtest finds them to eight digits only.
  const std::vector<Known> known = {
      {3, 20, 0.5, 0.0025768280029296875, 0.03207093718554477, 0.37892682654529564},
      {7, 20, 0.2, 0.09822172861346881, 0.1539092047845412, 0.5921885345328283},
      {0, 10, 0.5, 0.001953125, 0.0, 0.30849710781876294},
      {10, 10, 0.3, 5.9048999999999975e-06, 0.6915028921812371, 1.0},
      {550, 1000, 0.5, 0.0017305360849763024, 0.5185565333765935, 0.5811482903200494},
      {5, 1000, 0.01, 0.14855183112333997, 0.00162541951756276, 0.011629470559812206}};
  for (const Known& k : known) {
    const ShareTest found = binomial_test(k.successes, k.trials, k.share);
    INFO(k.successes << " of " << k.trials);
    CHECK(found.p_value == near(k.p));
    CHECK(found.interval.low == near(k.low));
    CHECK(found.interval.high == near(k.high));
  }
  CHECK(binomial_test(0, 0, 0.5).p_value == 1.0);
  CHECK(binomial_test(5, 10, 0.5).p_value == 1.0);
  CHECK(binomial_test(0, 10, 0.0).p_value == 1.0);
  CHECK(binomial_test(1, 10, 0.0).p_value == 0.0);
  CHECK(error_of([] { binomial_test(3, 2, 0.5); })->code() == ErrorCode::bad_data);
  CHECK(error_of([] { binomial_test(1, 2, 1.5); })->code() == ErrorCode::usage);
}

TEST_CASE("Wilson's interval is SciPy's", "[hypothesis-tests]") {
  CHECK(wilson_interval(3, 20).low == near(0.05236874589621662));
  CHECK(wilson_interval(3, 20).high == near(0.3604188647407569));
  CHECK(wilson_interval(0, 10).low == 0.0);
  CHECK(wilson_interval(0, 10).high == near(0.27753279986288926));
  CHECK(wilson_interval(10, 10).low == near(0.7224672001371109));
  CHECK(wilson_interval(10, 10).high == 1.0);
  CHECK(wilson_interval(0, 0).high == 1.0);
}

TEST_CASE("McNemar's test is the binomial of the rows that differ", "[hypothesis-tests]") {
  const McNemarTest found = mcnemar_test(3, 12);
  CHECK(found.p_exact == near(0.03515625));
  CHECK(found.chi_squared == near(64.0 / 15.0));
  CHECK(found.p_chi_squared == near(0.03886710381241731));
  CHECK(mcnemar_test(40, 25).p_exact == near(0.08168153394154003));
  CHECK(mcnemar_test(0, 0).p_exact == 1.0);
  CHECK(mcnemar_test(2, 2).chi_squared == 0.0);
  CHECK(mcnemar_test(2, 2).p_exact == 1.0);
  CHECK(error_of([] { mcnemar_test(-1, 2); })->code() == ErrorCode::bad_data);
}

TEST_CASE("Holm raises p-values in order of their size", "[hypothesis-tests]") {
  const std::vector<double> adjusted = holm_adjusted(std::vector{0.04, 0.01, 0.03, 0.5});
  CHECK(adjusted[1] == near(0.04));
  CHECK(adjusted[2] == near(0.09));
  CHECK(adjusted[0] == near(0.09));  // 0.08 would be less than the one before it
  CHECK(adjusted[3] == near(0.5));
  CHECK(holm_adjusted({}).empty());
}
