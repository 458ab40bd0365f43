#include "gssl/evaluate/comparison.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include "evaluate/common_rows.hpp"
#include "evaluate/kept_rows.hpp"
#include "evaluate/pooled_trials.hpp"

namespace gssl {

namespace {

constexpr int fewest_trials = 5;
constexpr double significant = 0.05;
constexpr double unknown_value = std::numeric_limits<double>::quiet_NaN();

using detail::ByTrial;

template <class Value>
MeanAndDeviation over(const ByTrial& results, Value&& value) {
  std::vector<double> values;
  for (const auto& [trial, result] : results) {
    const double x = value(*result);
    if (!std::isnan(x)) values.push_back(x);
  }
  return mean_and_deviation(values);
}

double measure_of(const TrialResult& result, bool regression) {
  return regression ? result.errors.rmse : result.accuracy();
}

Interval interval_of_mean(const ByTrial& results, bool regression) {
  std::vector<double> values;
  for (const auto& [trial, result] : results) {
    const double x = measure_of(*result, regression);
    if (!std::isnan(x)) values.push_back(x);
  }
  if (values.empty()) return {};
  const PairedTest t = paired_t_test(values, std::vector<double>(values.size(), 0.0));
  return {t.low, t.high};
}

// Of equals the first by name.
std::vector<std::pair<std::string, int>> most_frequent_first(const ByTrial& results) {
  std::map<std::string, int> times;
  for (const auto& [trial, result] : results) ++times[result->chosen];
  std::vector<std::pair<std::string, int>> order(times.begin(), times.end());
  std::ranges::stable_sort(order, std::ranges::greater{}, [](const auto& t) { return t.second; });
  return order;
}

// Bins of equal width of all trials together.
std::vector<ReliabilityBin> pooled(const ByTrial& results) {
  constexpr int bins = 15;
  std::vector<ReliabilityBin> sums(bins);
  for (const auto& [trial, result] : results) {
    for (const ReliabilityBin& bin : result->reliability) {
      const int at = std::min(static_cast<int>(bin.confidence * bins), bins - 1);
      const auto n = static_cast<double>(bin.count);
      ReliabilityBin& sum = sums[static_cast<std::size_t>(at)];
      sum.confidence += n * bin.confidence;
      sum.accuracy += n * bin.accuracy;
      sum.count += bin.count;
    }
  }
  std::erase_if(sums, [](const ReliabilityBin& bin) { return bin.count == 0; });
  for (ReliabilityBin& bin : sums) {
    bin.confidence /= static_cast<double>(bin.count);
    bin.accuracy /= static_cast<double>(bin.count);
  }
  return sums;
}

std::array<MeanAndDeviation*, 10> metrics_of(Comparison& c) {
  return {&c.value,    &c.balanced_accuracy,
          &c.f1_macro, &c.matthews,
          &c.log_loss, &c.brier,
          &c.auc,      &c.ece,
          &c.mae,      &c.r2};
}

// How good the answers are.
void measure_trials(const ByTrial& results, bool regression, Comparison& c) {
  c.value = over(results, [&](const TrialResult& r) { return measure_of(r, regression); });
  c.mean_interval = interval_of_mean(results, regression);
  const bool clusters = std::ranges::any_of(
      results, [](const auto& entry) { return !std::isnan(entry.second->nmi); });
  if (clusters) {
    c.nmi = over(results, [](const TrialResult& r) { return r.nmi; }).mean;
    c.ari = over(results, [](const TrialResult& r) { return r.ari; }).mean;
  }
  if (regression) {
    c.mae = over(results, [](const TrialResult& r) { return r.errors.mae; });
    c.r2 = over(results, [](const TrialResult& r) { return r.errors.r2; });
    return;
  }
  c.balanced_accuracy =
      over(results, [](const TrialResult& r) { return r.counts.balanced_accuracy(); });
  c.f1_macro = over(results, [](const TrialResult& r) { return r.counts.macro().f1; });
  c.matthews = over(results, [](const TrialResult& r) { return r.counts.matthews(); });
  c.log_loss = over(results, [](const TrialResult& r) { return r.log_loss; });
  c.brier = over(results, [](const TrialResult& r) { return r.brier; });
  c.auc = over(results, [](const TrialResult& r) { return r.auc; });
  c.ece = over(results, [](const TrialResult& r) { return r.ece; });
  c.reliability = pooled(results);
  if (!results.empty()) c.counts = Confusion(results.begin()->second->counts.classes());
  for (const auto& [trial, result] : results) c.counts += result->counts;
}

// The same of trials that measure a row each: of all their rows together.
void measure_together(const ByTrial& results, bool regression, Comparison& c) {
  const TrialResult whole = detail::pooled_result(results, regression);
  measure_trials({{0, &whole}}, regression, c);
  c.pooled = true;
}

// What one measurement says nothing of.
void forget_deviations(Comparison& c) {
  c.mean_interval = {unknown_value, unknown_value};
  for (MeanAndDeviation* one : metrics_of(c)) one->sd = unknown_value;
}

Comparison summary_of(const ByTrial& results, bool regression, bool one_row_each) {
  Comparison c;
  c.trials = static_cast<int>(results.size());
  if (one_row_each)
    measure_together(results, regression, c);
  else
    measure_trials(results, regression, c);
  if (one_row_each || c.trials == 1) forget_deviations(c);
  c.seconds = over(results, [](const TrialResult& r) { return r.seconds; });
  for (const auto& [trial, result] : results) {
    c.memory = std::max(c.memory, result->memory);
    c.unreached += result->unreached;
    c.tied += result->tied;
    c.unanswered += result->unanswered();
  }
  const double cut = over(results, [](const TrialResult& r) { return r.cut; }).mean;
  if (!std::isnan(cut)) {
    c.cut = cut;
    c.modularity = over(results, [](const TrialResult& r) { return r.modularity; }).mean;
  }
  c.choices = most_frequent_first(results);
  if (!c.choices.empty()) c.chosen = c.choices.front().first;
  return c;
}

// Of a method that failed in every trial of the group.
Comparison failure() {
  Comparison c;
  for (MeanAndDeviation* one : metrics_of(c)) *one = {unknown_value, unknown_value};
  c.seconds = {unknown_value, unknown_value};
  c.mean_interval = {unknown_value, unknown_value};
  c.verdict = Verdict::failed;
  return c;
}

double test_to_training(const ByTrial& results, const std::vector<Trial>& trials) {
  double test = 0.0, training = 0.0;
  for (const auto& [number, result] : results) {
    const Trial& trial = trials[static_cast<std::size_t>(number)];
    test += static_cast<double>(trial.split.test.size());
    training += static_cast<double>(trial.split.training.size() + trial.validation.size());
  }
  return training > 0.0 ? test / training : 0.0;
}

// From errors squared, a row each, to their roots: what is tested is the difference of the means of
// squares, which is that of the roots times their sum.
void take_roots(const std::vector<double>& a, const std::vector<double>& b, PairedTest& test) {
  const double sum = std::sqrt(mean_and_deviation(a).mean) + std::sqrt(mean_and_deviation(b).mean);
  if (sum == 0.0) return;
  for (double* one : {&test.difference, &test.low, &test.high}) *one /= sum;
}

// Training parts of two trials share more than a tenth of their rows on average: more than few
// labels drawn anew do.
bool training_overlaps(const ByTrial& results, const std::vector<Trial>& trials) {
  constexpr double most_shared = 0.1;
  std::map<std::int32_t, double> times;
  double rows = 0.0;
  for (const auto& [number, result] : results) {
    const Trial& trial = trials[static_cast<std::size_t>(number)];
    for (const auto* part : {&trial.split.training, &trial.validation}) {
      for (const std::int32_t row : *part) times[row] += 1.0;
      rows += static_cast<double>(part->size());
    }
  }
  double shared = 0.0;
  for (const auto& [row, count] : times) shared += count * (count - 1.0);
  return shared > most_shared * rows * static_cast<double>(results.size() - 1);
}

class GroupComparison {
 public:
  // `disjoint`: no row is measured in two trials of the group.
  GroupComparison(const std::vector<Trial>& trials, Protocol protocol, bool regression,
                  bool disjoint)
      : trials_(trials), protocol_(protocol), regression_(regression), disjoint_(disjoint) {}

  // Fills in what says how each differs from the best.
  void judge(std::vector<Comparison>& group, const std::vector<ByTrial>& results) const {
    const std::size_t best = best_of(group, results);
    std::vector<std::size_t> others;
    std::vector<double> p_values;
    for (std::size_t i = 0; i < group.size(); ++i) {
      if (i == best || group[i].trials == 0) continue;
      group[i].verdict = Verdict::unknown;
      group[i].common =
          detail::common_rows(results[i], results[best], regression_, group[i].pooled);
      const std::optional<double> p = test(group[i], results[best], results[i]);
      if (!p) continue;
      others.push_back(i);
      p_values.push_back(*p);
    }
    const std::vector<double> adjusted = holm_adjusted(p_values);
    for (std::size_t i = 0; i < others.size(); ++i) {
      Comparison& one = group[others[i]];
      one.p_adjusted = adjusted[i];
      one.verdict = adjusted[i] < significant ? Verdict::worse : Verdict::same;
    }
    if (disjoint_ && !regression_) test_against_second(group, results, best);
  }

 private:
  std::size_t best_of(const std::vector<Comparison>& group,
                      const std::vector<ByTrial>& results) const {
    const std::vector<int> beaten =
        regression_ ? beaten_others(group, results) : std::vector<int>(group.size(), 0);
    const auto better = [&](std::size_t i, std::size_t j) {
      const Comparison &a = group[i], &b = group[j];
      if (a.trials == 0 || b.trials == 0) return b.trials == 0 && a.trials > 0;
      if (!regression_) return a.value.mean > b.value.mean;
      if (beaten[i] != beaten[j]) return beaten[i] > beaten[j];
      if (a.unanswered != b.unanswered) return a.unanswered < b.unanswered;
      return a.value.mean < b.value.mean;
    };
    std::size_t best = 0;
    for (std::size_t i = 1; i < group.size(); ++i)
      if (better(i, best)) best = i;
    return best;
  }

  // Of each, how many others have a larger error on the rows that both answer.
  std::vector<int> beaten_others(const std::vector<Comparison>& group,
                                 const std::vector<ByTrial>& results) const {
    std::vector<int> beaten(group.size(), 0);
    for (std::size_t i = 0; i < group.size(); ++i) {
      for (std::size_t j = i + 1; j < group.size(); ++j) {
        const CommonRows both = detail::common_rows(results[i], results[j], true, group[i].pooled);
        if (both.value < both.best) ++beaten[i];
        if (both.best < both.value) ++beaten[j];
      }
    }
    return beaten;
  }

  // The second is the most accurate of the others.
  static void test_against_second(std::vector<Comparison>& group,
                                  const std::vector<ByTrial>& results, std::size_t best) {
    std::optional<std::size_t> second;
    for (std::size_t i = 0; i < group.size(); ++i) {
      if (i == best || group[i].trials == 0) continue;
      if (!second || group[i].value.mean > group[*second].value.mean) second = i;
    }
    if (!second) return;
    const auto alone = detail::right_alone(results[best], results[*second]);
    if (alone)
      group[best].against_second = binomial_test(alone->best, alone->best + alone->other, 0.5);
  }

  bool is_corrected(const ByTrial& results) const {
    if (protocol_ == Protocol::splits) return training_overlaps(results, trials_);
    return protocol_ != Protocol::label_rates;
  }

  // The p-value that decides, or nothing where there is too little to tell.
  std::optional<double> test(Comparison& one, const ByTrial& best, const ByTrial& other) const {
    const bool squares = one.pooled && regression_;
    std::vector<double> a, b;
    for (const auto& [trial, result] : other) {
      const auto at = best.find(trial);
      if (at == best.end()) continue;
      // A row without an answer is wrong, but has no error to be squared.
      const detail::PairMeasures pair =
          regression_
              ? detail::on_common_rows(*result, *at->second, true)
              : detail::PairMeasures{result->test, result->accuracy(), at->second->accuracy()};
      if (std::isnan(pair.a) || std::isnan(pair.b)) continue;
      a.push_back(squares ? pair.a * pair.a : pair.a);
      b.push_back(squares ? pair.b * pair.b : pair.b);
    }
    if (a.empty()) return std::nullopt;
    const bool alone = a.size() == 1 && !regression_;
    if (const auto rows = detail::right_alone(best, other); alone && rows)
      one.mcnemar_p = mcnemar_test(rows->best, rows->other).p_exact;
    const bool corrected = is_corrected(other);
    one.test = corrected ? corrected_resampled_t_test(a, b, test_to_training(other, trials_))
                         : paired_t_test(a, b);
    if (!corrected) one.wilcoxon_p = wilcoxon_signed_rank_test(a, b).p_value;
    if (squares) take_roots(a, b, *one.test);
    if (alone) return one.mcnemar_p;
    if (static_cast<int>(a.size()) < fewest_trials) return std::nullopt;
    return one.test->p_value;
  }

  const std::vector<Trial>& trials_;
  Protocol protocol_;
  bool regression_;
  bool disjoint_;
};

// Exact, of all rows of disjoint test parts.
std::optional<Interval> interval_of(const Comparison& c) {
  if (c.counts.total() == 0) return std::nullopt;
  return binomial_test(c.counts.right(), c.counts.total(), 0.5).interval;
}

// Of each method its results in a group, and those that failed.
struct GroupResults {
  std::vector<ByTrial> by_method;
  std::vector<int> failed;
  std::vector<std::string> error;

  GroupResults(const std::vector<TrialResult>& results, const std::vector<Trial>& trials,
               const std::string& group, std::size_t methods)
      : by_method(methods), failed(methods, 0), error(methods) {
    for (const TrialResult& result : results) {
      if (trials[static_cast<std::size_t>(result.trial)].group != group) continue;
      const auto method = static_cast<std::size_t>(result.method);
      if (result.error.empty())
        by_method[method][result.trial] = &result;
      else if (++failed[method] == 1)
        error[method] = result.error;
    }
  }
};

}  // namespace

std::string_view to_string(Verdict verdict) { return names_of<Verdict>.name(verdict); }

std::vector<Comparison> compare(const std::vector<TrialResult>& results,
                                const std::vector<Trial>& trials, int methods, Protocol protocol,
                                bool regression) {
  std::vector<std::string> groups;
  for (const Trial& trial : trials)
    if (std::ranges::find(groups, trial.group) == groups.end()) groups.push_back(trial.group);
  std::vector<Comparison> all;
  for (const std::string& name : groups) {
    const GroupResults found(results, trials, name, static_cast<std::size_t>(methods));
    const bool disjoint = !regression && detail::are_disjoint(trials, name);
    const bool one_row_each = detail::measures_one_row_each(trials, name);
    std::vector<Comparison> group;
    std::vector<ByTrial> kept;
    for (std::size_t method = 0; method < found.by_method.size(); ++method) {
      const ByTrial& own = found.by_method[method];
      if (own.empty() && found.failed[method] == 0) continue;
      Comparison c = own.empty() ? failure() : summary_of(own, regression, one_row_each);
      c.group = name;
      c.method = static_cast<int>(method);
      c.failed = found.failed[method];
      c.error = found.error[method];
      if (disjoint) c.interval = interval_of(c);
      if (std::isnan(c.mean_interval.low) && c.interval) c.mean_interval = *c.interval;
      group.push_back(std::move(c));
      kept.push_back(own);
    }
    const bool any = std::ranges::any_of(group, [](const Comparison& c) { return c.trials > 0; });
    if (any) GroupComparison(trials, protocol, regression, disjoint).judge(group, kept);
    all.insert(all.end(), group.begin(), group.end());
  }
  return all;
}

}  // namespace gssl
