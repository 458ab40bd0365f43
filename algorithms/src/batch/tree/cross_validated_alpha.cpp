#include "batch/tree/cross_validated_alpha.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "gssl/learn/inductive.hpp"

namespace gssl::detail {

namespace {

// Sums of losses and their squares for every step of the sequence, as differences from step to
// step while they are collected.
struct StepLosses {
  std::vector<double> loss, square;
  explicit StepLosses(std::size_t steps) : loss(steps + 1, 0.0), square(steps + 1, 0.0) {}
  void add(std::size_t first, std::size_t end, double weight, double x) {
    loss[first] += weight * x;
    loss[end] -= weight * x;
    square[first] += weight * x * x;
    square[end] -= weight * x * x;
  }
  void sum_up() {
    std::partial_sum(loss.begin(), loss.end(), loss.begin());
    std::partial_sum(square.begin(), square.end(), square.begin());
  }
};

double loss_of(const Targets& targets, std::size_t row, std::span<const double> answer) {
  if (targets.is_regression()) return std::pow(targets.values()[row] - answer[0], 2);
  const auto said = std::ranges::max_element(answer) - answer.begin();
  return said == targets.class_of()[row] ? 0.0 : 1.0;
}

// Where row `row` ends for each of the αs tried: at the topmost node on its way that is a leaf.
void walk(const PruningSequence& fold, const Dataset& held_out, VertexId row,
          const std::vector<double>& tried, StepLosses& losses) {
  const DecisionTree& tree = fold.tree();
  std::size_t end = tried.size();  // steps from here on stop further up
  std::int64_t node = 0;
  while (end > 0) {
    const double from = fold.leaf_from(node);
    const auto first = static_cast<std::size_t>(
        std::lower_bound(tried.begin(), tried.begin() + static_cast<std::ptrdiff_t>(end), from) -
        tried.begin());
    if (first < end)
      losses.add(first, end, held_out.weight(row),
                 loss_of(held_out.targets, static_cast<std::size_t>(row), tree.values.row(node)));
    end = std::min(end, first);
    if (tree.is_leaf(node)) return;
    const TreeNode& at = tree.nodes[static_cast<std::size_t>(node)];
    node = held_out.points.value(row, at.column) <= at.threshold ? node + 1 : at.right;
  }
}

}  // namespace

ValidatedAlpha cross_validated_alpha(const Dataset& data, const PruningSequence& sequence,
                                     int folds, bool one_se,
                                     const std::function<DecisionTree(const Dataset&)>& grow,
                                     const RunContext& run) {
  const auto& steps = sequence.steps();
  std::vector<double> tried;
  for (std::size_t k = 0; k + 1 < steps.size(); ++k)
    tried.push_back(std::sqrt(steps[k].alpha * steps[k + 1].alpha));
  tried.push_back(std::numeric_limits<double>::max());
  StepLosses losses(tried.size());
  double weight = 0.0;
  Rng rng = run.rng();
  for (const Split& split : stratified_folds(data.targets, folds, rng)) {
    const Dataset held_out = select(data, split.test);
    const Dataset training = select(data, split.training);
    const bool empty = std::ranges::all_of(training.weights, [](double w) { return w == 0.0; });
    if (!training.weights.empty() && empty) continue;
    const PruningSequence fold(grow(training));
    for (VertexId r = 0; r < held_out.points.rows(); ++r) {
      weight += held_out.weight(r);
      walk(fold, held_out, r, tried, losses);
    }
  }
  losses.sum_up();
  const auto risk = [&](std::size_t k) { return losses.loss[k] / weight; };
  std::size_t best = 0;
  for (std::size_t k = 0; k < tried.size(); ++k)
    if (risk(k) <= risk(best) + 1e-12) best = k;
  const double variance = losses.square[best] / weight - risk(best) * risk(best);
  const double error = std::sqrt(std::max(0.0, variance) / weight);
  std::size_t chosen = best;
  if (one_se)
    for (std::size_t k = best; k < tried.size(); ++k)
      if (risk(k) <= risk(best) + error) chosen = k;
  return {steps[chosen].alpha, risk(chosen), error, risk(best)};
}

}  // namespace gssl::detail
