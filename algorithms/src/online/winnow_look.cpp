#include "online/winnow_look.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>
#include <utility>

#include "online/counted_session.hpp"
#include "online/winnow_steps.hpp"

namespace gssl::detail {
namespace {

constexpr std::array<std::size_t, 12> disjunction_sizes = {1,  2,  3,  4,  6,  8,
                                                           12, 16, 24, 32, 48, 64};

// The columns of largest weight: of the disjunctions of the first 1, 2, 3, 4, 6, … of them.
class LargestColumns {
 public:
  explicit LargestColumns(const std::vector<double>& weights) : level_(weights.size(), none) {
    std::vector<std::size_t> order(weights.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const std::size_t most = std::min(order.size(), disjunction_sizes.back());
    std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(most), order.end(),
                      [&](std::size_t a, std::size_t b) {
                        return weights[a] != weights[b] ? weights[a] > weights[b] : a < b;
                      });
    for (std::size_t rank = 0; rank < most; ++rank) {
      // What is 0 was eliminated.
      if (weights[order[rank]] == 0.0) break;
      if (rank == 0 || rank == disjunction_sizes[sizes_ - 1]) ++sizes_;
      level_[order[rank]] = static_cast<unsigned char>(sizes_ - 1);
      count_ = rank + 1;
    }
  }

  std::size_t disjunctions() const { return sizes_; }
  std::size_t size(std::size_t i) const { return std::min(disjunction_sizes[i], count_); }

  // Σ x over the columns of each disjunction.
  std::span<const double> scores(const LinearRow& row) {
    scores_.fill(0.0);
    row.visit([&](std::size_t i, double x) {
      if (level_[i] != none) scores_[level_[i]] += x;
    });
    for (std::size_t k = 1; k < sizes_; ++k) scores_[k] += scores_[k - 1];
    return {scores_.data(), sizes_};
  }

 private:
  static constexpr unsigned char none = 255;
  std::vector<unsigned char> level_;  // of each column
  std::size_t sizes_ = 0, count_ = 0;
  std::array<double, disjunction_sizes.size()> scores_{};
};

struct WinnowComparator {
  std::string name;
  double sum = 0.0;      // U at scale 1
  double entropy = 0.0;  // H
  ScoreSketch of_second, of_first;
};

class WinnowLook final : public CountedLook {
 public:
  WinnowLook(const WinnowRun& run, std::vector<LinearComparator> functions)
      : run_(run),
        columns_(static_cast<double>(functions.front().weights.size())),
        largest_(functions.front().weights),
        scores_("winnow", std::move(functions)) {
    for (const LinearComparator& f : scores_.functions())
      comparators_.push_back({f.name,
                              std::accumulate(f.weights.begin(), f.weights.end(), 0.0),
                              entropy_of(f.weights),
                              {},
                              {}});
    for (std::size_t i = 0; i < largest_.disjunctions(); ++i) {
      const auto size = static_cast<double>(largest_.size(i));
      comparators_.push_back({"a disjunction of " + std::to_string(largest_.size(i)) +
                                  (largest_.size(i) == 1 ? " column" : " columns"),
                              size,
                              std::log(size),
                              {},
                              {}});
    }
  }

 private:
  void see_trial(const Instance& instance, const Revealed& outcome, double times) override {
    check_unit_features("winnow", instance);
    const bool second = checked_class(outcome.value, 2) == 1;
    std::size_t at = 0;
    const auto add = [&](double score, double slack) {
      WinnowComparator& one = comparators_[at++];
      second ? one.of_second.add(score - slack, times) : one.of_first.add(score + slack, times);
    };
    for (const LinearScores::Score& score : scores_.of(instance)) add(score.value, score.slack);
    for (const double score : largest_.scores(scores_.row())) add(score, 0.0);
    for (const double x : instance.values) fractions_ = fractions_ || (x != 0.0 && x != 1.0);
  }

  void prove_seen(OnlineReport& report) const override {
    Found best;
    for (const WinnowComparator& one : comparators_) improve(one, best);
    const double n = columns_, alpha = run_.alpha;
    const double bound = run_.eliminates ? alpha * best.promotions + n / run_.threshold
                                         : (1.0 + alpha) * best.promotions +
                                               alpha * n / ((alpha - 1.0) * run_.threshold);
    report.bound = bound * (1.0 + look_rounding);
    report.bound_name = std::string(run_.eliminates ? "alpha p + n / theta"
                                                    : "(1 + alpha) p + alpha n / ((alpha - 1) "
                                                      "theta)") +
                        ": p the most promotions beside " + best.name;
    report.comparator = best.loss;
    report.comparator_name = "hinge loss of " + best.name;
    report.certificates.push_back({"promotions_bound", {best.promotions}});
  }

  struct Found {
    double promotions = 1e18;  // more than any run has
    double loss = 0.0;
    std::string name;
  };

  // Whether `promotions` satisfy share·p ≤ constant + factor·z(p).
  struct Rule {
    double share, constant, factor;
  };

  void improve(const WinnowComparator& one, Found& best) const {
    const double alpha = run_.alpha, eta = std::log(alpha);
    const double demotions = alpha * columns_ / ((alpha - 1.0) * run_.threshold);
    // What still has weight after eliminations was not there in a mistaken row of the first class.
    const std::vector<ScoreSketch::Excess> excesses =
        run_.eliminates ? std::vector<ScoreSketch::Excess>(1) : one.of_first.excesses();
    for (const ScoreSketch::HingeLoss& at : one.of_second.hinge_losses())
      for (const ScoreSketch::Excess& over : excesses) {
        const double level = at.scale * over.edge;
        if (level * alpha >= 1.0) continue;
        const double loss = at.loss + at.scale * over.loss;
        const Rule rule{1.0 - level * alpha, loss + level * demotions, at.scale * one.sum / eta};
        if (allows(rule, one.entropy, best.promotions)) continue;
        best = {most_promotions(rule, one.entropy, best.promotions), loss, one.name};
      }
  }

  bool allows(const Rule& rule, double entropy, double promotions) const {
    double z = std::log(columns_ + (run_.alpha - 1.0) * run_.threshold * promotions) - entropy;
    if (!fractions_) z = std::min(z, std::log(std::max(1.0, run_.alpha * run_.threshold)));
    return rule.share * promotions <= rule.constant + rule.factor * z;
  }

  // The largest that the rule allows: z is concave in the promotions and the left side linear, and 0
  // is allowed, so that what is allowed is an interval from 0.
  double most_promotions(const Rule& rule, double entropy, double refused) const {
    double low = 0.0, high = std::min(refused, 1.0);
    for (; high < refused && allows(rule, entropy, high); high = std::min(2.0 * high, refused))
      low = high;
    for (int step = 0; step < 60 && high - low > 1e-12 * high; ++step) {
      const double middle = 0.5 * (low + high);
      (allows(rule, entropy, middle) ? low : high) = middle;
    }
    return high;
  }

  WinnowRun run_;
  double columns_;
  LargestColumns largest_;
  LinearScores scores_;
  std::vector<WinnowComparator> comparators_;
  bool fractions_ = false;  // a feature was neither 0 nor 1
};

// Of a function u with Σ|u| = 1.
struct BalancedComparator {
  std::string name;
  double norm = 0.0;     // Σ|w| of the weights that are scored
  double entropy = 0.0;  // H(|u|)
  ScoreSketch margins, of_second, of_first;
};

class BalancedWinnowLook final : public CountedLook {
 public:
  BalancedWinnowLook(const BalancedWinnowRun& run, std::vector<LinearComparator> functions)
      : run_(run),
        rate_(std::log(run.alpha)),
        columns_(static_cast<double>(std::max<std::size_t>(functions.front().weights.size(), 1))),
        scores_("balanced-winnow", std::move(functions)) {
    for (const LinearComparator& f : scores_.functions()) {
      double norm = 0.0;
      for (const double w : f.weights) norm += std::abs(w);
      comparators_.push_back({f.name, norm, entropy_of(f.weights), {}, {}, {}});
    }
  }

 private:
  void see_trial(const Instance& instance, const Revealed& outcome, double times) override {
    check_unit_features("balanced-winnow", instance);
    const bool second = checked_class(outcome.value, 2) == 1;
    const auto scores = scores_.of(instance);
    for (std::size_t i = 0; i < scores.size(); ++i) {
      const auto [score, slack] = scores[i];
      BalancedComparator& one = comparators_[i];
      one.margins.add((second ? score : -score) - slack, times);
      second ? one.of_second.add(score - slack, times) : one.of_first.add(score + slack, times);
    }
  }

  void prove_seen(OnlineReport& report) const override {
    for (const BalancedComparator& one : comparators_) by_growth(one, report);
    for (const BalancedComparator& one : comparators_) by_sum(one, report);
  }

  void by_growth(const BalancedComparator& one, OnlineReport& report) const {
    const double growth =
        std::log(std::cosh(rate_) + std::sinh(rate_) * run_.threshold / (2.0 * columns_));
    const double start = std::log(2.0 * columns_) - one.entropy;
    double bound = std::numeric_limits<double>::infinity(), loss = 0.0;
    for (const ScoreSketch::HingeLoss& at : one.margins.hinge_losses()) {
      const double margin = 1.0 / (at.scale * one.norm);  // γ
      const double fall = rate_ * margin - growth;
      if (!(fall > 0.0)) continue;
      const double here = std::isinf(margin) ? at.loss : (start + rate_ * margin * at.loss) / fall;
      if (!(here < bound)) continue;
      bound = here;
      loss = at.loss;
    }
    add(report, bound * (1.0 + look_rounding), loss,
        "(ln 2n − H(u) + ηD)/(ηγ − ln(cosh η + sinh η θ/2n)): u " + one.name, one);
  }

  // Positive rows below b + γ and negative ones above b − γ, both at edges of the sketches.
  void by_sum(const BalancedComparator& one, OnlineReport& report) const {
    const double potential = (std::log(run_.weight_sum) - one.entropy) / rate_;
    double bound = std::numeric_limits<double>::infinity(), loss = 0.0;
    const std::vector<ScoreSketch::Excess> excesses = one.of_first.excesses();
    for (const ScoreSketch::HingeLoss& at : one.of_second.hinge_losses()) {
      if (at.scale == 0.0) continue;
      const double high = 1.0 / (at.scale * one.norm);
      for (const ScoreSketch::Excess& over : excesses) {
        const double low = over.edge / one.norm;
        const double margin = 0.5 * (high - low), level = 0.5 * (high + low);
        if (!(margin > 0.0)) continue;
        const double missed = high * at.loss + over.loss / one.norm;
        const double shift = level * run_.balance;
        const double here = (missed + potential - shift +
                             look_rounding * (missed + std::abs(potential) + std::abs(shift))) /
                            margin;
        if (!(here < bound)) continue;
        bound = here;
        loss = missed / margin;
      }
    }
    add(report, std::max(bound, 0.0), loss,
        "(D + (ln Φ − H(u))/η − b (p − q))/γ: Φ the sum of the weights, p and q the mistakes of "
        "each class, u " +
            one.name,
        one);
  }

  static void add(OnlineReport& report, double bound, double loss, const std::string& name,
                  const BalancedComparator& one) {
    if (!std::isfinite(bound)) return;
    const bool is_smallest = !report.bound || bound < *report.bound;
    report.add_bound(bound, name);
    if (!is_smallest) return;
    report.comparator = loss;
    report.comparator_name = "hinge loss of " + one.name;
  }

  BalancedWinnowRun run_;
  double rate_;  // η
  double columns_;
  LinearScores scores_;
  std::vector<BalancedComparator> comparators_;
};

}  // namespace

std::unique_ptr<SecondLook> winnow_look(const WinnowRun& run,
                                        std::vector<LinearComparator> functions) {
  return std::make_unique<WinnowLook>(run, std::move(functions));
}

std::unique_ptr<SecondLook> balanced_winnow_look(const BalancedWinnowRun& run,
                                                 std::vector<LinearComparator> functions) {
  return std::make_unique<BalancedWinnowLook>(run, std::move(functions));
}

}  // namespace gssl::detail
