#include "gssl/batch/forest.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>

#include "batch/bootstrap.hpp"
#include "batch/out_of_bag.hpp"
#include "batch/tree/row_values.hpp"
#include "batch/tree/tree_growth.hpp"
#include "batch/tree/tree_sum_model.hpp"
#include "gssl/core/error.hpp"
#include "gssl/core/number_text.hpp"
#include "gssl/core/option_binding.hpp"
#include "gssl/core/parallel.hpp"

namespace gssl {

namespace {

const OptionBinding<ForestOptions>& forest_binding() {
  static const auto binding =
      OptionBinding<ForestOptions>("forest")
          .integer(&ForestOptions::trees, "trees", {.low = 1}, "how many")
          .text(&ForestOptions::features, "features",
                "columns tried at a node: sqrt, log, all or a number")
          .flag(&ForestOptions::bootstrap, "bootstrap",
                "rows drawn with replacement for each tree, else all rows")
          .choice(&ForestOptions::impurity, "impurity", "what a cut lowers, of classes")
          .integer(&ForestOptions::depth, "depth", {.low = 0},
                   "most cuts on the way to a leaf; 0: no limit")
          .integer(&ForestOptions::min_leaf, "min_leaf", {.low = 1}, "fewest rows of a leaf")
          .integer(&ForestOptions::min_split, "min_split", {.low = 2},
                   "fewest rows of a part that is cut");
  return binding;
}

// Columns tried at a node; 0: all.
std::int64_t tried_of(const std::string& features, std::int64_t columns) {
  const auto d = static_cast<double>(std::max<std::int64_t>(1, columns));
  if (features == "all") return 0;
  if (features == "sqrt") return std::max<std::int64_t>(1, static_cast<std::int64_t>(std::sqrt(d)));
  if (features == "log") return 1 + static_cast<std::int64_t>(std::log2(d));
  std::int64_t number = 0;
  const char* const end = features.data() + features.size();
  const auto [rest, error] = std::from_chars(features.data(), end, number);
  if (error != std::errc{} || rest != end || number < 1)
    throw Error(ErrorCode::usage, "forest: option features=" + features +
                                      ": must be sqrt, log, all or a whole number ≥ 1");
  return number >= columns ? 0 : number;
}

// What one task hands over.
struct GrownTree {
  DecisionTree tree;
  std::vector<std::pair<std::int32_t, std::int32_t>> out_of_bag;  // row, its leaf
};

class ForestFit {
 public:
  ForestFit(const Dataset& data, const ForestOptions& options, const RunContext& run)
      : data_(data),
        options_(options),
        run_(run),
        sorted_(data.points, run),
        bootstrap_(data, 1.0),
        table_(data.points.columns(),
               data.targets.is_regression() ? 1 : std::max(1, data.targets.class_count())),
        bag_(data),
        importances_(static_cast<std::size_t>(data.points.columns()), 0.0) {
    rules_ = {.impurity = options.impurity,
              .depth = options.depth,
              .min_leaf = static_cast<double>(options.min_leaf),
              .min_split = static_cast<double>(options.min_split),
              .tried = tried_of(options.features, data.points.columns())};
    task_run_ = run;
    task_run_.threads = 1;
    task_run_.progress = {};
  }

  Trained fit() {
    Trained trained;
    // A few trees at a time are held with all that is known of their nodes.
    constexpr int together = 16;
    for (int first = 0; first < options_.trees; first += together) {
      const int count = std::min(together, options_.trees - first);
      std::vector<GrownTree> grown(static_cast<std::size_t>(count));
      parallel_blocks(
          count, run_.thread_count(),
          [&](std::int64_t begin, std::int64_t end) {
            for (std::int64_t t = begin; t < end; ++t)
              grown[static_cast<std::size_t>(t)] = grow(first + static_cast<int>(t));
          },
          1);
      if (const auto why = run_.stop()) {
        trained.report.outcome = *why;
        if (first > 0) break;  // trees cut short would weigh as much as whole ones
      }
      for (const GrownTree& tree : grown) take(tree);
      run_.report_progress("trees", static_cast<double>(first + count) / options_.trees);
      if (!trained.report.converged()) break;
    }
    describe(trained);
    return trained;
  }

 private:
  GrownTree grow(int number) const {
    Rng rng = run_.rng(static_cast<std::uint64_t>(number));
    GrownTree grown;
    if (!options_.bootstrap) {
      const detail::TreeRows rows(data_.targets, data_.weights);
      grown.tree = detail::grow_tree(data_.points, sorted_, rows, rules_, task_run_, &rng);
      return grown;
    }
    const std::vector<double> counts = bootstrap_.draw(rng);
    const detail::TreeRows rows(data_.targets, counts);
    grown.tree = detail::grow_tree(data_.points, sorted_, rows, rules_, task_run_, &rng);
    detail::with_values(data_.points, [&](const auto& value) {
      for (std::int64_t r = 0; r < data_.points.rows(); ++r) {
        if (counts[static_cast<std::size_t>(r)] > 0.0 || data_.weight(r) == 0.0) continue;
        grown.out_of_bag.emplace_back(
            r, detail::leaf_by(grown.tree, [&](std::int64_t c) { return value(r, c); }));
      }
    });
    return grown;
  }

  void take(const GrownTree& grown) {
    table_.append(grown.tree);
    for (const auto& [row, leaf] : grown.out_of_bag) bag_.add(row, grown.tree.values.row(leaf));
    const std::vector<double> share = grown.tree.importances();
    for (std::size_t c = 0; c < share.size(); ++c) importances_[c] += share[c];
  }

  void describe(Trained& trained) {
    const auto trees = static_cast<double>(table_.tree_count());
    for (double& share : importances_) share /= trees;
    detail::Facts facts = {{"trees", std::to_string(table_.tree_count())},
                           {"leaves", std::to_string(table_.leaf_count())}};
    if (options_.bootstrap) bag_.certify(trained.report, facts);
    add_importances(facts);
    trained.report.certificates.push_back({"importances", importances_});
    trained.report.iterations = table_.tree_count();
    trained.report.sentence = std::to_string(table_.tree_count()) + " trees of " +
                              std::to_string(table_.leaf_count()) + " leaves together";
    const bool regression = data_.targets.is_regression();
    trained.model = std::make_unique<detail::TreeSumModel>(
        "forest", std::move(table_), regression ? ScoreKind::value : ScoreKind::shares, 1.0 / trees,
        std::move(facts));
  }

  // The most important columns, by name.
  void add_importances(detail::Facts& facts) const {
    constexpr std::size_t shown = 10;
    std::vector<std::int64_t> order(importances_.size());
    std::iota(order.begin(), order.end(), std::int64_t{0});
    const auto importance = [&](std::int64_t c) {
      return importances_[static_cast<std::size_t>(c)];
    };
    std::ranges::stable_sort(order, std::ranges::greater{}, importance);
    for (std::size_t i = 0; i < std::min(shown, order.size()); ++i)
      if (importance(order[i]) > 0.0)
        facts.emplace_back("importance of " + data_.column_name(order[i]),
                           to_text(importance(order[i])));
  }

  const Dataset& data_;
  const ForestOptions& options_;
  const RunContext& run_;
  RunContext task_run_;
  detail::SortedColumns sorted_;
  detail::Bootstrap bootstrap_;
  detail::GrowthRules rules_;
  detail::TreeTable table_;
  detail::OutOfBag bag_;
  std::vector<double> importances_;
};

}  // namespace

void ForestOptions::validate() const {
  forest_binding().validate(*this);
  tried_of(features, 1);
}

ForestLearner::ForestLearner(ForestOptions options) : options_(std::move(options)) {
  options_.validate();
}

Trained ForestLearner::fit(const Dataset& data, const RunContext& run) const {
  check_targets("forest", data, true, true);
  return ForestFit(data, options_, run).fit();
}

LearnerEntry forest_entry() {
  LearnerEntry entry;
  entry.name = "forest";
  entry.summary = "random forest: trees on drawn rows and columns, their mean";
  entry.reference =
      "L. Breiman. Random forests. Machine Learning 45, 2001, doi:10.1023/A:1010933404324";
  entry.options = forest_binding().table();
  entry.traits.regression = true;
  entry.make_inductive = [](const OptionValues& values) {
    return std::make_unique<ForestLearner>(forest_binding().from(values));
  };
  entry.load_model = [](const Record& record) {
    return detail::TreeSumModel::load("forest", record);
  };
  return entry;
}

}  // namespace gssl
