#include "gssl/batch/tree.hpp"

#include "batch/tree/cross_validated_alpha.hpp"
#include "batch/tree/tree_growth.hpp"
#include "batch/tree/tree_sum_model.hpp"
#include "gssl/batch/tree_pruning.hpp"

namespace gssl {

namespace {

const OptionBinding<TreeOptions>& tree_binding() {
  static const auto binding =
      OptionBinding<TreeOptions>("tree")
          .choice(&TreeOptions::impurity, "impurity",
                  "what a cut lowers, of classes; of a regression it is the squared error")
          .integer(&TreeOptions::depth, "depth", {.low = 0},
                   "most cuts on the way to a leaf; 0: no limit")
          .integer(&TreeOptions::min_leaf, "min_leaf", {.low = 1}, "fewest rows of a leaf")
          .integer(&TreeOptions::min_split, "min_split", {.low = 2},
                   "fewest rows of a part that is cut")
          .choice(&TreeOptions::prune, "prune",
                  {{TreePruning::none, "none"},
                   {TreePruning::alpha, "alpha"},
                   {TreePruning::cross_validation, "cross-validation"}},
                  "weakest-link pruning, for `alpha` or the best alpha on held-out folds")
          .real(&TreeOptions::alpha, "alpha", {.low = 0.0},
                "what a leaf must save of the training risk, for prune=alpha")
          .integer(&TreeOptions::folds, "folds", {.low = 2}, "of prune=cross-validation")
          .choice(&TreeOptions::rule, "rule",
                  {{PruningRule::one_se, "one-se"}, {PruningRule::minimum, "minimum"}},
                  "of prune=cross-validation: the smallest tree within a standard error of the "
                  "least risk, or that of least risk");
  return binding;
}

}  // namespace

void TreeOptions::validate() const { tree_binding().validate(*this); }

TreeLearner::TreeLearner(TreeOptions options) : options_(options) { options_.validate(); }

DecisionTree TreeLearner::grow(const Dataset& data, const RunContext& run) const {
  const detail::TreeRows rows(data.targets, data.weights);
  const detail::SortedColumns sorted(data.points, run);
  const detail::GrowthRules rules{.impurity = options_.impurity,
                                  .depth = options_.depth,
                                  .min_leaf = static_cast<double>(options_.min_leaf),
                                  .min_split = static_cast<double>(options_.min_split)};
  return detail::grow_tree(data.points, sorted, rows, rules, run);
}

DecisionTree TreeLearner::prune(DecisionTree tree, const Dataset& data, const RunContext& run,
                                Report& report) const {
  if (options_.prune == TreePruning::none) return tree;
  const PruningSequence sequence(std::move(tree));
  double alpha = options_.alpha;
  if (options_.prune == TreePruning::cross_validation) {
    run.throw_if_stopped("tree", "before it was pruned");
    const auto grow_fold = [&](const Dataset& fold) { return grow(fold, run); };
    const auto chosen = detail::cross_validated_alpha(
        data, sequence, options_.folds, options_.rule == PruningRule::one_se, grow_fold, run);
    run.throw_if_stopped("tree", "before all folds were tried");
    alpha = chosen.alpha;
    report.certificates.push_back({"cross_validated_risk", {chosen.risk}});
    report.certificates.push_back({"least_cross_validated_risk", {chosen.least_risk}});
    report.certificates.push_back({"standard_error", {chosen.standard_error}});
  }
  report.certificates.push_back({"alpha", {alpha}});
  return sequence.at(alpha);
}

Trained TreeLearner::fit(const Dataset& data, const RunContext& run) const {
  check_targets("tree", data, true, true);
  Trained trained;
  Report& report = trained.report;
  const DecisionTree tree = prune(grow(data, run), data, run, report);
  const bool regression = data.targets.is_regression();
  detail::TreeTable table(data.points.columns(), tree.values.columns());
  table.append(tree);
  trained.model = std::make_unique<detail::TreeSumModel>(
      "tree", std::move(table), regression ? ScoreKind::value : ScoreKind::shares, 1.0,
      detail::Facts{{"leaves", std::to_string(tree.leaf_count())},
                    {"depth", std::to_string(tree.depth())}});
  if (const auto why = run.stop()) report.outcome = *why;
  report.certificates.push_back({regression ? "training_mean_square" : "training_error",
                                 {tree.risk() / tree.nodes.front().weight}});
  if (tree.nodes.size() > 1) report.certificates.push_back({"importances", tree.importances()});
  report.sentence = "a tree of " + std::to_string(tree.leaf_count()) + " leaves and depth " +
                    std::to_string(tree.depth());
  return trained;
}

LearnerEntry tree_entry() {
  LearnerEntry entry;
  entry.name = "tree";
  entry.summary = "classification and regression tree, cut where both parts become purest";
  entry.reference =
      "L. Breiman, J. Friedman, R. Olshen, C. Stone. Classification and Regression Trees. "
      "Wadsworth 1984, doi:10.1201/9781315139470";
  entry.options = tree_binding().table();
  entry.traits.regression = true;
  entry.make_inductive = [](const OptionValues& values) {
    return std::make_unique<TreeLearner>(tree_binding().from(values));
  };
  entry.load_model = [](const Record& record) {
    return detail::TreeSumModel::load("tree", record);
  };
  return entry;
}

}  // namespace gssl
