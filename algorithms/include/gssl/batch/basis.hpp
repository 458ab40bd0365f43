#pragma once
// Basis functions: rows are mapped to more columns, and a linear learner on those is no longer
// linear in the columns that were given.
//
//   bias          the columns and a constant 1
//   polynomial    the powers x_c, x_c², …, x_c^r of every column                    d·r columns
//   correlations  all products of 1 to r columns, repetitions allowed     C(d + r, r) − 1 columns
//   user maps     in the library alone: any function of a row; its models cannot be saved
//
//   gssl::FeatureMap map = gssl::FeatureMap::correlations(2);
//   gssl::Points wide = map.apply(points);                     // x₁, x₂, x₁x₁, x₁x₂, x₂x₂
//   gssl::BasisLearner learner(std::make_shared<gssl::RidgeLearner>(), map);
//   builtin_learners().make("ridge:basis=correlations,degree=2");          // the same by name
//
// Products of sparse rows are those of the columns that a row holds, and stay sparse. Products are
// in order of their number of factors, then of the columns: (1), …, (d), (1,1), (1,2), …, (d,d), …

#include <functional>
#include <memory>
#include <span>

#include "gssl/learn/registry.hpp"

namespace gssl {

enum class Basis { none, bias, polynomial, correlations };

struct BasisOptions {
  Basis basis = Basis::none;
  int degree = 2;  // r in [1, 20], of polynomial and correlations

  void validate() const;  // throws ErrorCode::usage: option, value, rule
};

class FeatureMap {
 public:
  // Writes the features of a row, which is given dense.
  using Function = std::function<void(std::span<const double> row, std::span<double> features)>;

  explicit FeatureMap(BasisOptions options);
  static FeatureMap correlations(int degree) { return FeatureMap({Basis::correlations, degree}); }
  // `width` features a row; called from several threads at once.
  static FeatureMap user(std::int64_t width, Function function);

  const BasisOptions& options() const { return options_; }
  bool is_user_map() const { return function_ != nullptr; }

  // Columns after the map. Throws ErrorCode::usage where they are 2^31 or more.
  std::int64_t columns(std::int64_t given) const;
  // Throws as columns(), ErrorCode::bad_data where a feature is not finite, and when stopped. User
  // maps take and give dense rows. O(features).
  Points apply(const Points& points, const RunContext& run = {}) const;

 private:
  Points apply_dense(const Points& points, const RunContext& run) const;
  Points apply_sparse(const Points& points, const RunContext& run) const;

  BasisOptions options_;
  Function function_;
  std::int64_t width_ = 0;  // of a user map
};

// `learner` on mapped rows, and its model on rows that are mapped a few thousand at a time.
class BasisLearner final : public InductiveLearner {
 public:
  BasisLearner(std::shared_ptr<const InductiveLearner> learner, FeatureMap map);
  Trained fit(const Dataset& data, const RunContext& run = {}) const override;

 private:
  std::shared_ptr<const InductiveLearner> learner_;
  FeatureMap map_;
};

// The same learner with the options basis=none|bias|polynomial|correlations and degree=2. Every
// linear learner of this library is registered so.
LearnerEntry with_basis(LearnerEntry entry);

}  // namespace gssl
