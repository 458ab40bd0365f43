#pragma once
// What the linear learners give: f(x) = x·w + b, one pair (w, b) for each class, or a single pair
// where there are two classes (the margin of the second) or real targets.
//
//   gssl::Trained trained = gssl::RidgeLearner({.lambda = 0.1}).fit(data, run);
//   const auto* linear = dynamic_cast<const gssl::LinearModel*>(trained.model.get());
//   linear->fit().weights(3, 0);      // of column 3
//
// 8 bytes a column and pair; O(values) time a pair to score. A class without a row to learn from is
// never decided for: its decision is 1 less than the least of the others, its probability 0.

#include <string>
#include <vector>

#include "gssl/core/option_binding.hpp"
#include "gssl/learn/inductive.hpp"

namespace gssl {

// How a linear learner treats the constant b.
enum class Bias {
  none,         // b = 0
  regularized,  // the weight of a further column of ones, penalized as every other weight is
  free          // not penalized
};
NamedValues<Bias> bias_names();  // "none", "regularized", "free"

struct LinearFit {
  Block weights;             // columns × pairs
  std::vector<double> bias;  // of each pair
};

// How scores come from the values f(x) of the pairs.
enum class LinearKind {
  value,       // of a regression: f(x) is the score
  each_class,  // a pair for each class: f(x) is the decision for it
  margin,      // one pair for two classes: the scores are −f(x) and f(x)
  logistic     // probability 1/(1 + exp(−f)) of a pair; of more than two classes scaled to sum 1
};

class LinearModel final : public Model {
 public:
  // `learned[k]` is 1 for a class that had a row; empty for a regression. Throws
  // ErrorCode::bad_data where the numbers of weights, pairs and classes do not go together.
  LinearModel(std::string learner, LinearKind kind, LinearFit fit,
              std::vector<std::int32_t> learned);

  const LinearFit& fit() const { return fit_; }

  Block scores(const Points& points, const RunContext& run = {}) const override;
  ScoreKind score_kind() const override;
  std::vector<std::pair<std::string, std::string>> facts() const override;
  // coefficients: of each pair, the constant b first.
  std::vector<ModelPart> parts(const ModelNames& names) const override;
  void save(Record& record) const override;
  // Throws ErrorCode::bad_data where the record does not hold one.
  static std::unique_ptr<Model> load(std::string learner, const Record& record);

 private:
  void finish_row(std::span<const double> values, std::span<double> scores) const;

  std::string learner_;
  LinearKind kind_;
  LinearFit fit_;
  std::vector<std::int32_t> learned_;
};

}  // namespace gssl
