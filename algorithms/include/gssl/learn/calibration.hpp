#pragma once
// Calibration: scores that order rows are turned into probabilities that are right on average, by
// a curve that is learned from scores of rows that were held out.
//
//   gssl::Calibration c = gssl::Calibration::fit(gssl::CalibrationMethod::platt, held_out_scores,
//                                                gssl::ScoreKind::decision, class_of);
//   gssl::Block p = c.probabilities(model.scores(points, run));   // rows sum to 1
//
// Rows that the model (or its options) were learned from must not be among the held-out ones: their
// scores are too sure, and so would the probabilities be.
//
// Methods, over the margin f_k = s_k − max over j≠k of s_j of class k:
//   platt        P(k) = 1/(1 + exp(slope·f + offset)), two numbers for each class
//   isotonic     the nondecreasing step curve of least squares, linear between its steps; wants some
//                1,000 held-out rows and makes ties
//   temperature  P = softmax(β·s), one number for all classes; never changes which class is largest.
//                β is that of the least log loss, or with `prior_rows`, below, the one at which
//                the largest probabilities are as high on average as the share right: of few rows
//                one that is wrong by far outweighs the loss of all others
// platt and isotonic learn one curve where there are two classes (P(0) = 1 − P(1)); with more, one
// for each class against the rest, and the K numbers of a row are divided by their sum (all 0: 1/K
// each). A class decided by the scores may then not have the largest probability: the decision
// stays that of the scores. A class without a held-out row gets small probabilities (platt) or 0.
// A curve from few rows is too steep: chance alone parts them. `prior_rows` = m draws it to the share
// of rows that were right: with a = m/(n + m), P becomes (1 − a)·P + a·q, where q gives that share,
// (right + 1)/(n + 2) and not less than 1/K, to the class of the largest score, and the rest in equal
// parts to the others. n counts weights. It matters less as n grows.
// Time O(n log n · K), memory O(n + steps).

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "gssl/core/block.hpp"
#include "gssl/core/named.hpp"
#include "gssl/data/record.hpp"
#include "gssl/learn/inductive.hpp"

namespace gssl {

enum class CalibrationMethod { none, platt, isotonic, temperature };
template <>
inline constexpr auto names_of<CalibrationMethod> =
    enum_names<CalibrationMethod>("calibration", {"none", "platt", "isotonic", "temperature"});
std::string_view to_string(CalibrationMethod method);  // "none", "platt", …
// Throws ErrorCode::usage on another word.
CalibrationMethod calibration_method_named(const std::string& name);

// 1/(1 + exp(slope·score + offset)); slope < 0 where a larger score is a surer yes.
struct Sigmoid {
  double slope = 0.0;
  double offset = 0.0;
  double at(double score) const;
};

// Platt's sigmoid with targets (N₊+1)/(N₊+2) and 1/(N₋+2), by Newton's method with halving.
// `outcome` is 1 for yes and 0 for no; `weights` may be empty. Nothing to learn from: 1/2.
// H.-T. Lin, C.-J. Lin, R. Weng. A note on Platt's probabilistic outputs for support vector
// machines. Machine Learning 68, 2007, doi:10.1007/s10994-007-5018-6
Sigmoid fit_sigmoid(std::span<const double> scores, std::span<const double> outcome,
                    std::span<const double> weights = {});

// A nondecreasing curve: linear between knots, constant outside. No knots: 0.
struct IsotonicCurve {
  std::vector<double> scores;  // ascending
  std::vector<double> values;  // nondecreasing
  double at(double score) const;
};

// The nondecreasing function of the score with the least Σ w (outcome − function)², by pooling
// adjacent violators; rows of one score are first made one. Two knots a step, one where its scores
// are equal. R. Barlow et al. Statistical inference under order restrictions. Wiley 1972
IsotonicCurve fit_isotonic(std::span<const double> scores, std::span<const double> outcome,
                           std::span<const double> weights = {});

class Calibration {
 public:
  // None: probabilities() throws ErrorCode::internal.
  Calibration() = default;

  // `scores` has a column for each class. Throws ErrorCode::bad_data unless there are a class and,
  // if any, a weight for each row, at least one row and two classes, and finite scores;
  // ErrorCode::usage for `none`, for scores of a regression and for prior_rows below 0.
  static Calibration fit(CalibrationMethod method, const Block& scores, ScoreKind kind,
                         std::span<const int> class_of, std::span<const double> weights = {},
                         double prior_rows = 0.0);

  CalibrationMethod method() const { return method_; }
  double beta() const { return beta_; }  // of temperature
  // Temperature at another β, finite and ≥ 0, and without prior.
  Calibration at_beta(double beta) const;
  explicit operator bool() const { return method_ != CalibrationMethod::none; }

  // Rows sum to 1. Throws ErrorCode::bad_data on another number of columns.
  Block probabilities(const Block& scores) const;

  // "platt (slope -1.5, offset 0.1)", "temperature (beta 2)".
  std::string sentence() const;

  void save(Record& record) const;
  // Throws ErrorCode::bad_data where the record holds none.
  static Calibration load(const Record& record);

 private:
  double curve_at(std::size_t curve, double margin) const;
  Block one_against_rest(const Block& scores) const;
  Block softmax(const Block& scores) const;
  void blend(const Block& scores, Block& p) const;

  CalibrationMethod method_ = CalibrationMethod::none;
  std::int64_t classes_ = 0;
  bool of_shares_ = false;                // temperature works on their logarithms
  double beta_ = 1.0;                     // of temperature
  std::vector<Sigmoid> sigmoids_;         // of platt: one for two classes, else one a class
  std::vector<IsotonicCurve> isotonics_;  // likewise
  double blended_ = 0.0;                  // a of the prior
  double right_ = 0.0;                    // share right
};

// How far from the truth probabilities are: rows are put in order of the probability of the class
// decided, cut into `bins` of equal count, and |share right − mean probability| is averaged. 0 of no
// rows. O(n log n).
double expected_calibration_error(std::span<const double> probability,
                                  std::span<const double> right, int bins = 15);

}  // namespace gssl
