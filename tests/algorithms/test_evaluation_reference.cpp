// Metrics and tests on the random and the degenerate cases of tests/reference/evaluation.txt, with the
// answers of scikit-learn and SciPy that evaluation.py beside it wrote there.

#include <cmath>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "gssl/evaluate/hypothesis_tests.hpp"
#include "gssl/evaluate/metrics.hpp"
#include "gssl/evaluate/partition_agreement.hpp"
#include "gssl/evaluate/probability_metrics.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

using namespace gssl;
using namespace gssl::test;

namespace {

struct ReferenceCase {
  int number = 0;
  std::map<std::string, std::vector<double>> lists;

  const std::vector<double>& reals(const std::string& name) const { return lists.at(name); }
  double real(const std::string& name) const { return lists.at(name).at(0); }
  std::int64_t integer(const std::string& name) const {
    return static_cast<std::int64_t>(real(name));
  }
  std::vector<int> integers(const std::string& name) const {
    return {lists.at(name).begin(), lists.at(name).end()};
  }
};

std::vector<ReferenceCase> reference_cases(const std::string& kind) {
  std::ifstream in(source_path("tests/reference/evaluation.txt"));
  REQUIRE(in);
  std::vector<ReferenceCase> found;
  bool wanted = false;
  int number = 0;
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    std::string name, word;
    words >> name;
    if (name == "case") {
      words >> word;
      wanted = word == kind;
      ++number;
      if (wanted) found.push_back({.number = number, .lists = {}});
      continue;
    }
    // A stream does not read "nan".
    while (wanted && words >> word) found.back().lists[name].push_back(std::stod(word));
  }
  REQUIRE(!found.empty());
  return found;
}

bool agrees(double found, double expected) {
  if (std::isnan(expected) || std::isnan(found)) return std::isnan(expected) && std::isnan(found);
  return std::abs(found - expected) <= 1e-12 + 1e-10 * std::abs(expected);
}

void check_list(const std::vector<double>& found, const std::vector<double>& expected) {
  REQUIRE(found.size() == expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    INFO("place " << i << ": " << found[i] << ", expected " << expected[i]);
    CHECK(agrees(found[i], expected[i]));
  }
}

void check_real(const ReferenceCase& c, const std::string& name, double found) {
  INFO(name << ": " << found << ", expected " << c.real(name));
  CHECK(agrees(found, c.real(name)));
}

std::vector<double> list_of(const ClassMeasures& m) { return {m.precision, m.recall, m.f1}; }

void check_ranks(const ReferenceCase& c) {
  const RankTest found = wilcoxon_signed_rank_test(c.reals("a"), c.reals("b"));
  check_real(c, "rank", found.statistic);
  check_real(c, "p_rank", found.p_value);
}

}  // namespace

TEST_CASE("random answers have the counts and shares of scikit-learn", "[evaluation-reference]") {
  for (const ReferenceCase& c : reference_cases("classes")) {
    CAPTURE(c.number);
    const int k = static_cast<int>(c.integer("k"));
    const Confusion found = confusion(c.integers("truth"), c.integers("answer"), k);
    std::vector<double> counts, per_class;
    for (int t = 0; t < k; ++t) {
      for (int a = 0; a < k; ++a) counts.push_back(static_cast<double>(found.count(t, a)));
      counts.push_back(static_cast<double>(found.count(t, no_answer)));
      const std::vector<double> one = list_of(found.of_class(t));
      per_class.insert(per_class.end(), one.begin(), one.end());
    }
    check_list(counts, c.reals("counts"));
    check_list(per_class, c.reals("per_class"));
    check_list(list_of(found.macro()), c.reals("macro"));
    check_list(list_of(found.weighted()), c.reals("weighted"));
    check_list(list_of(found.micro()), c.reals("micro"));
    check_real(c, "accuracy", found.accuracy());
    check_real(c, "balanced", found.balanced_accuracy());
    check_real(c, "matthews", found.matthews());
  }
}

TEST_CASE("random values have the errors of scikit-learn", "[evaluation-reference]") {
  for (const ReferenceCase& c : reference_cases("values")) {
    CAPTURE(c.number);
    const ValueErrors found = value_errors(c.reals("truth"), c.reals("value"));
    check_real(c, "rmse", found.rmse);
    check_real(c, "mae", found.mae);
    check_real(c, "r2", found.r2);
  }
}

TEST_CASE("random probabilities have the losses of scikit-learn", "[evaluation-reference]") {
  bool clipped = false;
  for (const ReferenceCase& c : reference_cases("probabilities")) {
    CAPTURE(c.number);
    const std::vector<int> truth = c.integers("truth");
    const Block shares(std::ssize(truth), c.integer("k"), c.reals("shares"));
    const LogLoss loss = log_loss(shares, truth);
    clipped = clipped || loss.clipped > 0;
    check_real(c, "log_loss", loss.value);
    check_real(c, "brier", brier_score(shares, truth));
    check_real(c, "auc", area_under_roc(shares, truth));
  }
  CHECK(clipped);
}

TEST_CASE("random confidences have the curve of scikit-learn", "[evaluation-reference]") {
  for (const auto& [kind, binning] : {std::pair("reliability_uniform", Binning::equal_width),
                                      std::pair("reliability_quantile", Binning::equal_count)}) {
    for (const ReferenceCase& c : reference_cases(kind)) {
      CAPTURE(c.number);
      const std::vector<int> right = c.integers("right");
      const std::vector<char> is_right(right.begin(), right.end());
      const Reliability found = reliability(c.reals("confidence"), is_right, 15, binning);
      std::vector<double> mean, share, counts;
      for (const ReliabilityBin& bin : found.bins) {
        mean.push_back(bin.confidence);
        share.push_back(bin.accuracy);
        counts.push_back(static_cast<double>(bin.count));
      }
      check_list(mean, c.reals("mean"));
      check_list(share, c.reals("share"));
      check_list(counts, c.reals("counts"));
      check_real(c, "ece", found.expected_error);
    }
  }
}

TEST_CASE("random pairs have the tests of SciPy", "[evaluation-reference]") {
  for (const ReferenceCase& c : reference_cases("pairs")) {
    CAPTURE(c.number);
    const PairedTest t = paired_t_test(c.reals("a"), c.reals("b"));
    check_real(c, "t", t.statistic);
    check_real(c, "p", t.p_value);
    check_real(c, "low", t.low);
    check_real(c, "high", t.high);
    const PairedTest corrected =
        corrected_resampled_t_test(c.reals("a"), c.reals("b"), c.real("extra"));
    check_real(c, "corrected", corrected.statistic);
    check_real(c, "p_corrected", corrected.p_value);
    check_ranks(c);
  }
  for (const ReferenceCase& c : reference_cases("tied_pairs")) {
    CAPTURE(c.number);
    check_ranks(c);
  }
}

TEST_CASE("random counts have the tests of SciPy", "[evaluation-reference]") {
  for (const ReferenceCase& c : reference_cases("binomial")) {
    CAPTURE(c.number);
    const ShareTest found =
        binomial_test(c.integer("successes"), c.integer("trials"), c.real("share"));
    check_real(c, "p", found.p_value);
    check_list({found.interval.low, found.interval.high}, c.reals("exact"));
    const Interval wilson = wilson_interval(c.integer("successes"), c.integer("trials"));
    check_list({wilson.low, wilson.high}, c.reals("wilson"));
  }
  for (const ReferenceCase& c : reference_cases("mcnemar")) {
    CAPTURE(c.number);
    const McNemarTest found = mcnemar_test(c.integer("b"), c.integer("c"));
    check_real(c, "p", found.p_exact);
    check_real(c, "chi", found.chi_squared);
    check_real(c, "p_chi", found.p_chi_squared);
  }
}

TEST_CASE("random partitions agree as scikit-learn has it", "[evaluation-reference]") {
  for (const ReferenceCase& c : reference_cases("partitions")) {
    CAPTURE(c.number);
    const PartitionAgreement found = partition_agreement(c.integers("a"), c.integers("b"));
    check_real(c, "nmi", found.nmi);
    check_real(c, "ari", found.ari);
  }
}
