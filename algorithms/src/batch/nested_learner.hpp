#pragma once
// A learner that is an option of another: learner=tree(depth=3), and what votes of its models make.

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "gssl/learn/registry.hpp"

namespace gssl::detail {

// "tree(depth=3)" or "tree", of this library's learners. `owner` begins messages. Throws
// ErrorCode::usage where there is none of that name, an option is wrong, or it does not learn from
// points.
MadeLearner make_nested(std::string_view owner, std::string_view spec);

// Weighted votes of models of one learner for the class that each decides for; of a regression the
// weighted sum of their values.
class VoteModel final : public Model {
 public:
  // How the votes for a class become its score.
  enum class Rule {
    sum,     // of the weights of its votes
    margin,  // of two classes: (−m, m), m = votes for the second less votes for the first
    share    // as a share of all weights
  };
  // `member` is the name of the learner that made the models; `owner` begins messages.
  VoteModel(std::string owner, std::string member, std::int64_t columns, std::int64_t outputs,
            Rule rule)
      : owner_(std::move(owner)),
        member_(std::move(member)),
        columns_(columns),
        outputs_(outputs),
        rule_(rule) {}

  void add(std::unique_ptr<Model> model, double weight);
  std::size_t size() const { return models_.size(); }

  Block scores(const Points& points, const RunContext& run) const override;
  ScoreKind score_kind() const override;
  std::vector<std::pair<std::string, std::string>> facts() const override;
  // Those that every member has, with its number and its vote in front.
  std::vector<ModelPart> parts(const ModelNames& names) const override;
  void save(Record& record) const override;

  // Throws ErrorCode::bad_data where the record holds no such model.
  static std::unique_ptr<Model> load(std::string owner, const Record& record);

 private:
  std::string owner_;
  std::string member_;
  std::int64_t columns_;
  std::int64_t outputs_;
  Rule rule_;
  std::vector<std::unique_ptr<Model>> models_;
  std::vector<double> weights_;
};

}  // namespace gssl::detail
