#include "batch/weak_learner.hpp"

#include <optional>

#include "batch/nested_learner.hpp"
#include "batch/tree/row_values.hpp"
#include "batch/tree/stump_search.hpp"
#include "batch/tree/tree_growth.hpp"
#include "batch/tree/tree_sum_model.hpp"
#include "gssl/core/error.hpp"
#include "gssl/core/parallel.hpp"

namespace gssl::detail {

namespace {

// A leaf, or a cut with a leaf on each side, as a tree of two classes.
DecisionTree tree_of(const Stump& stump, std::int64_t columns) {
  DecisionTree tree;
  tree.columns = columns;
  const auto say = [](bool second) {
    return std::vector<double>{second ? 0.0 : 1.0, second ? 1.0 : 0.0};
  };
  std::vector<double> values = say(stump.second_left);
  tree.nodes.emplace_back();
  if (stump.column >= 0) {
    tree.nodes[0].column = stump.column;
    tree.nodes[0].threshold = stump.threshold;
    tree.nodes[0].right = 2;
    tree.nodes.resize(3);
    for (const bool second : {stump.second_left, !stump.second_left})
      for (const double x : say(second)) values.push_back(x);
  }
  const auto nodes = static_cast<std::int64_t>(tree.nodes.size());
  tree.values = Block(nodes, 2, std::move(values));
  return tree;
}

std::vector<int> decided(const DecisionTree& tree, const Points& points, const RunContext& run) {
  const std::vector<int> class_of_node = decide(tree.values, ScoreKind::shares);
  std::vector<int> said(static_cast<std::size_t>(points.rows()));
  with_values(points, [&](const auto& value) {
    parallel_blocks(points.rows(), run.thread_count(), [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t r = begin; r < end; ++r) {
        const auto leaf = leaf_by(tree, [&](std::int64_t c) { return value(r, c); });
        said[static_cast<std::size_t>(r)] = class_of_node[static_cast<std::size_t>(leaf)];
      }
    });
  });
  return said;
}

class TreeWeakLearner final : public WeakLearner {
 public:
  TreeWeakLearner(const Dataset& data, int depth, const RunContext& run)
      : data_(data), depth_(depth) {
    sorted_.emplace(data.points, run);
    if (depth > 1 || data.targets.class_count() != 2) return;
    stumps_.emplace(data, *sorted_);
    sorted_.reset();
  }

  WeakModel learn(const std::vector<double>& weights, const RunContext& run) override {
    WeakModel weak;
    weak.tree = stumps_ ? stump(weights, run) : grown(weights, run);
    weak.said = decided(weak.tree, data_.points, run);
    return weak;
  }

 private:
  DecisionTree stump(const std::vector<double>& weights, const RunContext& run) {
    signed_ = weights;
    for (std::size_t r = 0; r < signed_.size(); ++r)
      if (data_.targets.class_of()[r] == 0) signed_[r] = -signed_[r];
    return tree_of(stumps_->best(signed_, run), data_.points.columns());
  }
  DecisionTree grown(const std::vector<double>& weights, const RunContext& run) {
    const TreeRows rows(data_.targets, weights);
    return grow_tree(data_.points, *sorted_, rows, {.depth = depth_}, run);
  }

  const Dataset& data_;
  int depth_;
  std::optional<SortedColumns> sorted_;  // where trees are grown
  std::optional<StumpSearch> stumps_;    // where one cut is enough
  std::vector<double> signed_;
};

class NestedWeakLearner final : public WeakLearner {
 public:
  NestedWeakLearner(const Dataset& data, MadeLearner learner)
      : round_(data), learner_(std::move(learner)) {}

  // Weights of mean 1, so that rules that count rows mean what they say.
  WeakModel learn(const std::vector<double>& weights, const RunContext& run) override {
    round_.weights = weights;
    for (double& w : round_.weights) w *= static_cast<double>(weights.size());
    RunContext quiet = run;
    quiet.progress = {};
    Trained trained = learner_.inductive().fit(round_, quiet);
    WeakModel weak;
    weak.said = decide(trained.model->scores(round_.points, run), trained.model->score_kind());
    weak.model = std::move(trained.model);
    return weak;
  }

 private:
  Dataset round_;
  MadeLearner learner_;
};

// Votes as answers of leaves: α for the class, and −α for the other of two where sums are wanted.
Block vote_values(const DecisionTree& tree, double alpha, bool shares) {
  const std::vector<int> said = decide(tree.values, ScoreKind::shares);
  Block votes(tree.values.rows(), tree.values.columns());
  for (std::int64_t i = 0; i < votes.rows(); ++i) {
    const int k = said[static_cast<std::size_t>(i)];
    if (votes.columns() == 2 && !shares) votes(i, 1 - k) = -alpha;
    votes(i, k) = alpha;
  }
  return votes;
}

}  // namespace

std::unique_ptr<WeakLearner> make_weak_learner(std::string_view owner, const std::string& spec,
                                               int depth, const Dataset& data,
                                               const RunContext& run) {
  if (spec == "tree") return std::make_unique<TreeWeakLearner>(data, depth, run);
  return std::make_unique<NestedWeakLearner>(data, make_nested(owner, spec));
}

void check_weak_learner(std::string_view owner, const std::string& spec, int depth) {
  if (spec == "tree") return;
  make_nested(owner, spec);
  if (depth != 1)
    throw Error(ErrorCode::usage, std::string(owner) + ": option depth=" + std::to_string(depth) +
                                      ": is of learner=tree; options of another learner stand in "
                                      "brackets, learner=NAME(option=value)");
}

struct BoostedModelBuilder::Parts {
  std::string owner;
  bool shares;
  TreeTable table;
  VoteModel votes;
  int rounds = 0;
  double all = 0.0;
};

BoostedModelBuilder::BoostedModelBuilder(std::string owner, const std::string& spec,
                                         const Dataset& data, bool shares) {
  const std::int64_t columns = data.points.columns();
  const std::int64_t classes = std::max(1, data.targets.class_count());
  VoteModel::Rule rule = classes == 2 ? VoteModel::Rule::margin : VoteModel::Rule::sum;
  if (shares) rule = VoteModel::Rule::share;
  VoteModel votes(owner, spec.substr(0, spec.find('(')), columns, classes, rule);
  parts_ = std::make_unique<Parts>(
      Parts{std::move(owner), shares, TreeTable(columns, classes), std::move(votes)});
}

BoostedModelBuilder::~BoostedModelBuilder() = default;

void BoostedModelBuilder::add(WeakModel weak, double alpha) {
  if (weak.model != nullptr)
    parts_->votes.add(std::move(weak.model), alpha);
  else
    parts_->table.append(weak.tree, vote_values(weak.tree, alpha, parts_->shares));
  ++parts_->rounds;
  parts_->all += alpha;
}

std::unique_ptr<Model> BoostedModelBuilder::build() {
  if (parts_->votes.size() > 0) return std::make_unique<VoteModel>(std::move(parts_->votes));
  return std::make_unique<TreeSumModel>(parts_->owner, std::move(parts_->table),
                                        parts_->shares ? ScoreKind::shares : ScoreKind::decision,
                                        parts_->shares ? 1.0 / parts_->all : 1.0,
                                        Facts{{"weak learners", std::to_string(parts_->rounds)}});
}

std::unique_ptr<Model> BoostedModelBuilder::load(const std::string& owner, const Record& record) {
  return record.has("member") ? VoteModel::load(owner, record) : TreeSumModel::load(owner, record);
}

}  // namespace gssl::detail
