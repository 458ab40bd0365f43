#include "algorithms/certificates.hpp"
#include "algorithms/fixtures.hpp"
#include "algorithms/tree_support.hpp"
#include "gssl/batch/tree_pruning.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

namespace gssl::test {

namespace {

DecisionTree grown(const Dataset& data, TreeOptions options = {}) {
  return TreeLearner(options).grow(data, on_threads(1));
}

// Least of  risk + α · leaves  over all trees that subtrees made leaves give, and of the trees that
// reach it the fewest leaves.
std::pair<double, std::int64_t> least_cost(const DecisionTree& tree, double alpha,
                                           std::int64_t node = 0) {
  const double weight = tree.nodes.front().weight;
  const TreeNode& at = tree.nodes[static_cast<std::size_t>(node)];
  const std::pair<double, std::int64_t> leaf{at.risk / weight + alpha, 1};
  if (tree.is_leaf(node)) return leaf;
  const auto left = least_cost(tree, alpha, node + 1);
  const auto right = least_cost(tree, alpha, at.right);
  const double split = left.first + right.first;
  if (leaf.first <= split + 1e-12) return leaf;
  return {split, left.second + right.second};
}

}  // namespace

TEST_CASE("Pruned trees minimize risk and leaves, and are nested", "[tree][pruning]") {
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    for (const Dataset& data :
         {random_classes(120, 3, 3, 8, seed), random_values(90, 3, 8, seed)}) {
      const PruningSequence sequence(grown(data));
      const auto& steps = sequence.steps();
      REQUIRE(steps.size() > 2);
      CHECK(steps.front().alpha == 0.0);
      CHECK(steps.back().leaves == 1);
      for (std::size_t k = 0; k < steps.size(); ++k) {
        const double next = k + 1 < steps.size() ? steps[k + 1].alpha : 2.0 * steps[k].alpha + 1.0;
        const double between = 0.5 * (steps[k].alpha + next);
        const auto [cost, leaves] = least_cost(sequence.tree(), between);
        const DecisionTree pruned = sequence.at(between);
        CHECK(pruned.leaf_count() == leaves);
        CHECK(steps[k].leaves == leaves);
        CHECK(steps[k].risk + between * static_cast<double>(leaves) == Approx(cost).epsilon(1e-12));
        CHECK(pruned.risk() / pruned.nodes[0].weight == Approx(steps[k].risk).margin(1e-12));
        if (k == 0) continue;
        CHECK(steps[k].alpha > steps[k - 1].alpha);
        CHECK(steps[k].leaves < steps[k - 1].leaves);
        // Nested: pruning the larger tree gives the smaller one.
        const PruningSequence again(sequence.at(steps[k - 1].alpha));
        CHECK(same_tree(again.at(between), pruned));
      }
    }
  }
}

TEST_CASE("A perfect stump keeps its cut, noise is pruned away", "[tree][pruning]") {
  const Dataset line = make_dataset(Points::dense(4, 1, std::vector<double>{1, 2, 3, 4}),
                                    Targets::classes({0, 0, 1, 1}, {"a", "b"}));
  const PruningSequence stump(grown(line));
  CHECK(stump.at(0.49).leaf_count() == 2);
  CHECK(stump.at(0.5).leaf_count() == 1);
  CHECK(stump.steps().size() == 2);
  Rng rng(1);
  std::vector<int> coin;
  for (int r = 0; r < 300; ++r) coin.push_back(static_cast<int>(rng.below(2)));
  Dataset noise = random_classes(300, 4, 2, 50, 2);
  noise.targets = Targets::classes(coin, {"a", "b"});
  const Trained pruned = made("tree:prune=cross-validation").inductive().fit(noise, on_threads(1));
  CHECK(pruned.model->facts()[0].second == "1");
}

TEST_CASE("Cross-validation finds a tree that is smaller and no worse", "[tree][pruning]") {
  const Dataset all = random_classes(900, 4, 3, 9, 6);
  std::vector<std::int32_t> training;
  std::vector<std::int32_t> test;
  for (std::int32_t r = 0; r < 900; ++r) (r % 3 == 0 ? training : test).push_back(r);
  const Dataset data = select(all, training);
  const Trained full = TreeLearner().fit(data, on_threads(1));
  const TreeOptions options{.prune = TreePruning::cross_validation};
  const Trained pruned = TreeLearner(options).fit(data, on_threads(2));
  TreeOptions least = options;
  least.rule = PruningRule::minimum;
  const Trained minimum = TreeLearner(least).fit(data, on_threads(1));
  const double alpha = certified(pruned, "alpha");
  CHECK(alpha >= certified(minimum, "alpha"));
  CHECK(certified(minimum, "cross_validated_risk") ==
        certified(minimum, "least_cross_validated_risk"));
  CHECK(certified(pruned, "cross_validated_risk") <=
        certified(pruned, "least_cross_validated_risk") + certified(pruned, "standard_error"));
  CHECK(error_of(*pruned.model, select(all, test)) < error_of(*full.model, select(all, test)));
  CHECK(std::stoi(pruned.model->facts()[0].second) < std::stoi(full.model->facts()[0].second));
  const Trained given =
      TreeLearner({.prune = TreePruning::alpha, .alpha = alpha}).fit(data, on_threads(1));
  CHECK(given.model->scores(all.points) == pruned.model->scores(all.points));
}

TEST_CASE("Held-out risk by one walk a row is that of the pruned trees of the folds",
          "[tree][pruning]") {
  const Dataset data = random_classes(150, 3, 2, 8, 9);
  const TreeOptions options{
      .prune = TreePruning::cross_validation, .folds = 5, .rule = PruningRule::minimum};
  const Trained trained = TreeLearner(options).fit(data, on_threads(1));
  const PruningSequence sequence(grown(data));
  const auto& steps = sequence.steps();
  double least = 1.0;
  for (std::size_t k = 0; k < steps.size(); ++k) {
    const double tried =
        k + 1 < steps.size() ? std::sqrt(steps[k].alpha * steps[k + 1].alpha) : 1e300;
    double wrong = 0.0;
    Rng rng = on_threads(1).rng();
    for (const Split& split : stratified_folds(data.targets, 5, rng)) {
      const DecisionTree tree = PruningSequence(grown(select(data, split.training))).at(tried);
      const std::vector<int> class_of = decide(tree.values, ScoreKind::shares);
      for (const std::int32_t r : split.test)
        wrong += class_of[static_cast<std::size_t>(tree.leaf_of(data.points, r))] !=
                         data.targets.class_of()[static_cast<std::size_t>(r)]
                     ? 1.0
                     : 0.0;
    }
    least = std::min(least, wrong / 150.0);
  }
  CHECK(certified(trained, "cross_validated_risk") == Approx(least).epsilon(1e-12));
}

}  // namespace gssl::test
