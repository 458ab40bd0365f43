#include "gssl/learn/top_classes.hpp"

#include <algorithm>
#include <numeric>
#include <string>

#include "gssl/core/error.hpp"

namespace gssl {

TopClasses::TopClasses(std::int64_t rows, int count)
    : count_(count),
      class_of_(static_cast<std::size_t>(rows) * static_cast<std::size_t>(count), -1),
      score_(class_of_.size(), 0.0) {}

TopClasses top_classes(const Scores& scores, int count) {
  const std::int64_t classes = scores.values.columns();
  TopClasses best(scores.values.rows(), count);
  std::vector<int> order(static_cast<std::size_t>(classes));
  const auto kept = std::min<std::ptrdiff_t>(count, classes);
  for (std::int64_t v = 0; v < scores.values.rows(); ++v) {
    const std::span<const double> row = scores.values.row(v);
    const auto score = [&](int k) { return row[static_cast<std::size_t>(k)]; };
    std::iota(order.begin(), order.end(), 0);
    std::partial_sort(order.begin(), order.begin() + kept, order.end(), [&](int a, int b) {
      return score(a) != score(b) ? score(a) > score(b) : a < b;
    });
    for (std::ptrdiff_t i = 0; i < kept; ++i) {
      const int k = order[static_cast<std::size_t>(i)];
      if (!(score(k) > 0.0)) break;
      best.classes(v)[static_cast<std::size_t>(i)] = k;
      best.scores(v)[static_cast<std::size_t>(i)] = score(k);
    }
  }
  return best;
}

void keep_top(Fit& fit, int count, TopClasses& best) {
  if (fit.scores.values.rows() == 0) return;
  best = top_classes(fit.scores, count);
  fit.scores.values = Block();
}

Fit fit_with_top(const TransductiveLearner& learner, const Graph& graph, const LabeledSet& labeled,
                 int count, TopClasses& best, const RunContext& run) {
  if (count < 1)
    throw Error(ErrorCode::usage, "top " + std::to_string(count) + ": must be at least 1");
  if (labeled.is_regression()) throw Error(ErrorCode::usage, "top: real targets have no classes");
  const int most = std::min(count, labeled.class_count());
  if (const auto* able = dynamic_cast<const TopClassLearner*>(&learner))
    return able->fit_top(graph, labeled, most, best, run);
  Fit fit = learner.fit(graph, labeled, run);
  keep_top(fit, most, best);
  return fit;
}

}  // namespace gssl
