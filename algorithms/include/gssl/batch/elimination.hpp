#pragma once
// Rules over columns of 0 and 1, learned by elimination.
//
//   conjunction  begins with all literals and drops those that a positive row has not: what is left
//                is the most special conjunction that holds for every positive row
//   disjunction  begins with all literals and drops those that a negative row has: the most general
//                one that holds for no negative row
// A literal is x_c (it holds where x_c = 1) or, with negations, its opposite. If some conjunction
// (disjunction) tells the training rows apart, so does the one that is learned, and on all 2^d rows
// it is the target itself. The second class is the positive one.
//
//   gssl::EliminationLearner learner({.rule = gssl::EliminationRule::disjunction});
//   gssl::Trained trained = learner.fit(data, run);
//
// Every such rule is a linear threshold, and so is "at least m of these literals": the model is a
// LinearModel whose margin is (literals that hold) − m + ½, with m all of them or 1.
// threshold_rule() makes that of any m, e.g. 3 of 5. O(values) time, 8 bytes a column. Certificates:
// "literals" that are left, and "mistakes", the weight of training rows that the rule is wrong for:
// 0 if there is such a target. (L. Valiant 1984, doi:10.1145/1968.1972)

#include <span>

#include "gssl/batch/linear_model.hpp"
#include "gssl/learn/registry.hpp"

namespace gssl {

enum class EliminationRule { conjunction, disjunction };

struct EliminationOptions {
  EliminationRule rule = EliminationRule::conjunction;
  bool negations = true;  // literals ¬x_c too
};

class EliminationLearner final : public InductiveLearner {
 public:
  explicit EliminationLearner(EliminationOptions options = {}) : options_(options) {}
  // Two classes. Throws ErrorCode::usage for any other number, and ErrorCode::bad_data at a value
  // other than 0 and 1, naming row and column.
  Trained fit(const Dataset& data, const RunContext& run = {}) const override;

 private:
  EliminationOptions options_;
};

struct Literal {
  std::int64_t column = 0;
  bool negated = false;
};

// f(x) > 0 where at least m of the literals hold, f(x) < 0 elsewhere: f = (how many hold) − m + ½.
// Throws ErrorCode::usage for a column that is not among the `columns`.
LinearFit threshold_rule(std::int64_t columns, std::span<const Literal> literals, std::int64_t m);

LearnerEntry elimination_entry();

}  // namespace gssl
