#pragma once
// Parzen windows: the density of a class is the mean of a window around each of its rows, and the
// class with the largest density times prior is decided for.
//
//   p_k(x) = Σ_i w_i·W((x − x_i)/h) / (h^d Σ_i w_i)        over the rows i of class k
//
//   gssl::ParzenLearner learner({.bandwidth = 0.3});      // 0: chosen from the rows
//   gssl::Trained trained = learner.fit(data, run);
//   gssl::Block log_p = gssl::parzen_log_densities(data, points, {.bandwidth = 0.3}, run);
//
// window   gaussian  exp(−‖u‖²/2)/(2π)^(d/2); far from all rows the nearest decides
//          box       1 where every |u_c| ≤ ½; where no box holds the row, the priors are its scores
// priors   frequency (shares of the weight) or uniform
// The bandwidth that is chosen makes the rows likeliest under the windows of the other rows of
// their class (Duin 1976, doi:10.1109/TC.1976.1674577), of 17 values, each √2 times the one before,
// around σ·(4/((d+2)n))^(1/(d+4)) with σ² the mean variance of a column within classes (Silverman
// 1986). At most 1,000 rows are asked, evenly spaced, against all of their class: O(1,000·n·columns).
// An edge of a box is √12 times as long, which gives it the same variance.
// Learning keeps the rows; a query costs a pass over them, O(n·columns), or over the values of sparse
// rows. Scores are probabilities, as far as the densities are right. (E. Parzen 1962,
// doi:10.1214/aoms/1177704472)

#include "gssl/learn/registry.hpp"

namespace gssl {

enum class ParzenWindow { gaussian, box };
enum class ClassPriors { frequency, uniform };

struct ParzenOptions {
  ParzenWindow window = ParzenWindow::gaussian;
  double bandwidth = 1.0;  // h: standard deviation, or length of an edge; 0: chosen from the rows
  ClassPriors priors = ClassPriors::frequency;

  void validate() const;  // throws ErrorCode::usage: option, value, rule
};

class ParzenLearner final : public InductiveLearner {
 public:
  explicit ParzenLearner(ParzenOptions options = {});
  Trained fit(const Dataset& data, const RunContext& run = {}) const override;  // classes

 private:
  ParzenOptions options_;
};

// ln p_k(x), a row for each query and a column for each class; −∞ where p is 0, as for a class
// without rows. Throws as fit() and scores().
Block parzen_log_densities(const Dataset& data, const Points& queries,
                           const ParzenOptions& options = {}, const RunContext& run = {});

// The bandwidth that fit() chooses for these rows.
double parzen_bandwidth(const Dataset& data, ParzenWindow window = ParzenWindow::gaussian,
                        const RunContext& run = {});

LearnerEntry parzen_entry();

}  // namespace gssl
