#pragma once
// A model that adds up what trees answer: one tree, a forest, boosted trees.

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "batch/tree/tree_table.hpp"
#include "gssl/learn/inductive.hpp"

namespace gssl::detail {

using Facts = std::vector<std::pair<std::string, std::string>>;

class TreeSumModel final : public Model {
 public:
  // Scores are factor · the sum of the answers. `learner` begins messages.
  TreeSumModel(std::string learner, TreeTable table, ScoreKind kind, double factor, Facts facts)
      : learner_(std::move(learner)),
        table_(std::move(table)),
        kind_(kind),
        factor_(factor),
        facts_(std::move(facts)) {}

  Block scores(const Points& points, const RunContext& run) const override;
  ScoreKind score_kind() const override { return kind_; }
  Facts facts() const override { return facts_; }
  // rules: the leaves of every tree.
  std::vector<ModelPart> parts(const ModelNames& names) const override;
  void save(Record& record) const override;

  // Throws ErrorCode::bad_data where the record holds no such model.
  static std::unique_ptr<Model> load(std::string learner, const Record& record);

 private:
  std::string learner_;
  TreeTable table_;
  ScoreKind kind_;
  double factor_;
  Facts facts_;
};

}  // namespace gssl::detail
