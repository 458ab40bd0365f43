#include "gssl/learn/calibration.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "gssl/core/error.hpp"
#include "gssl/core/number_text.hpp"

namespace gssl {
namespace {

constexpr double largest_number = std::numeric_limits<double>::max();

[[noreturn]] void refuse_calibration(const std::string& what) {
  throw Error(ErrorCode::bad_data, "calibration: " + what);
}

// s_k − the largest of the others.
double margin(std::span<const double> row, std::size_t k) {
  double rival = -std::numeric_limits<double>::infinity();
  for (std::size_t j = 0; j < row.size(); ++j)
    if (j != k) rival = std::max(rival, row[j]);
  const double difference = row[k] - rival;
  return std::clamp(difference, -largest_number, largest_number);
}

// The first class of the largest score.
std::size_t place_of_largest(std::span<const double> row) {
  return static_cast<std::size_t>(std::ranges::max_element(row) - row.begin());
}

// Scores as temperature takes them: shares by their logarithms, with 0 as the smallest that counts.
double exponent(double score, bool of_shares) {
  constexpr double smallest = 1e-12;
  return of_shares ? std::log(std::max(score, smallest)) : score;
}

// Slope in β of the sum of −log softmax(β·e) at the right class: mean exponent − that of the class.
double loss_slope(const Block& e, std::span<const int> class_of, std::span<const double> weights,
                  double beta) {
  double slope = 0.0;
  for (std::int64_t r = 0; r < e.rows(); ++r) {
    const auto row = e.row(r);
    const double largest = *std::ranges::max_element(row);
    double total = 0.0;
    double mean = 0.0;
    for (const double value : row) {
      const double share = std::exp(beta * (value - largest));
      total += share;
      mean += share * (value - largest);
    }
    const auto at = static_cast<std::size_t>(r);
    const double own = row[static_cast<std::size_t>(class_of[at])] - largest;
    slope += (weights.empty() ? 1.0 : weights[at]) * (mean / total - own);
  }
  return slope;
}

// The largest β that the loss is tried at, a hundred times the inverse of the mean spread: e^-100 is
// no probability. 0 where no row has a spread, or one is not finite.
double largest_beta(const Block& e) {
  constexpr double surest = 100.0;
  double spread = 0.0;
  for (std::int64_t r = 0; r < e.rows(); ++r) {
    const auto [low, high] = std::ranges::minmax_element(e.row(r));
    spread += (*high - *low) / static_cast<double>(e.rows());
  }
  if (!(spread > 0.0) || !std::isfinite(spread)) return 0.0;
  return std::min(surest / spread, largest_number);  // of a spread below 6e-307 the quotient is inf
}

// Where a function that ascends in β first is 0: at one of the ends where it is not between them.
template <class Function>
double root_between(double low, double high, const Function& ascending) {
  if (ascending(high) <= 0.0) return high;
  if (ascending(low) >= 0.0) return low;
  constexpr int halvings = 60;
  for (int i = 0; i < halvings; ++i) {
    const double middle = std::midpoint(low, high);
    (ascending(middle) < 0.0 ? low : high) = middle;
  }
  return std::midpoint(low, high);
}

// The loss is convex in β ≥ 0, so its slope ascends. A loss that falls for ever (every row right)
// stops at the largest β, one that falls nowhere at 0.
double best_beta(const Block& e, std::span<const int> class_of, std::span<const double> weights) {
  const double high = largest_beta(e);
  if (high == 0.0) return 1.0;
  return root_between(0.0, high,
                      [&](double beta) { return loss_slope(e, class_of, weights, beta); });
}

// The β at which the largest probabilities of the rows are `share` on average. One row of a great
// spread makes the largest β of the loss small for all others, so the search goes on above it.
double beta_of_mean(const Block& e, std::span<const double> weights, double share) {
  double high = largest_beta(e);
  if (high == 0.0) return 1.0;
  const auto excess_of = [&](double beta) {
    double excess = 0.0;
    for (std::int64_t r = 0; r < e.rows(); ++r) {
      const auto row = e.row(r);
      const double largest = *std::ranges::max_element(row);
      double total = 0.0;
      for (const double value : row) total += std::exp(beta * (value - largest));
      excess +=
          (weights.empty() ? 1.0 : weights[static_cast<std::size_t>(r)]) * (1.0 / total - share);
    }
    return excess;
  };
  double low = 0.0;
  constexpr int doublings = 60;
  for (int i = 0; i < doublings && high <= largest_number / 2.0 && excess_of(high) < 0.0; ++i) {
    low = high;
    high *= 2.0;
  }
  return root_between(low, high, excess_of);
}

void check(CalibrationMethod method, const Block& scores, ScoreKind kind,
           std::span<const int> class_of, std::span<const double> weights) {
  if (method == CalibrationMethod::none || kind == ScoreKind::value)
    throw Error(ErrorCode::usage, "calibration: is for scores of classes: drop it");
  const auto rows = static_cast<std::size_t>(scores.rows());
  if (rows == 0 || scores.columns() < 2)
    refuse_calibration(std::to_string(scores.rows()) + " rows of " +
                       std::to_string(scores.columns()) +
                       " classes: at least one row and two classes are needed");
  if (class_of.size() != rows || (!weights.empty() && weights.size() != rows))
    refuse_calibration("a class, and a weight if any, is needed for each of " +
                       std::to_string(rows) + " rows");
  for (const int k : class_of)
    if (k < 0 || k >= scores.columns())
      refuse_calibration("class " + std::to_string(k) + ": there is none");
  for (const double score : scores.values())
    if (!std::isfinite(score)) refuse_calibration("score " + to_text(score) + ": must be finite");
}

// (right + 1)/(n + 2) by the largest score, and not less than chance.
double share_right(const Block& scores, std::span<const int> class_of,
                   std::span<const double> weights) {
  double right = 0.0, all = 0.0;
  for (std::int64_t r = 0; r < scores.rows(); ++r) {
    const auto at = static_cast<std::size_t>(r);
    const double w = weights.empty() ? 1.0 : weights[at];
    all += w;
    if (place_of_largest(scores.row(r)) == static_cast<std::size_t>(class_of[at])) right += w;
  }
  return std::max((right + 1.0) / (all + 2.0), 1.0 / static_cast<double>(scores.columns()));
}

}  // namespace

std::string_view to_string(CalibrationMethod method) {
  return names_of<CalibrationMethod>.name(method);
}

CalibrationMethod calibration_method_named(const std::string& name) {
  return names_of<CalibrationMethod>.value(name);
}

Calibration Calibration::fit(CalibrationMethod method, const Block& scores, ScoreKind kind,
                             std::span<const int> class_of, std::span<const double> weights,
                             double prior_rows) {
  check(method, scores, kind, class_of, weights);
  if (!(prior_rows >= 0.0) || !std::isfinite(prior_rows))
    throw Error(ErrorCode::usage,
                "calibration: prior_rows=" + to_text(prior_rows) + ": must be finite and >= 0");
  Calibration c;
  c.method_ = method;
  c.classes_ = scores.columns();
  c.of_shares_ = kind != ScoreKind::decision;
  const double all = weights.empty() ? static_cast<double>(class_of.size())
                                     : std::accumulate(weights.begin(), weights.end(), 0.0);
  c.blended_ = prior_rows > 0.0 ? prior_rows / (all + prior_rows) : 0.0;
  c.right_ = share_right(scores, class_of, weights);
  if (method == CalibrationMethod::temperature) {
    Block e = scores;
    for (std::int64_t r = 0; r < e.rows(); ++r)
      for (double& s : e.row(r)) s = exponent(s, c.of_shares_);
    c.beta_ =
        prior_rows > 0.0 ? beta_of_mean(e, weights, c.right_) : best_beta(e, class_of, weights);
    return c;
  }
  std::vector<double> f(class_of.size());
  std::vector<double> outcome(class_of.size());
  for (std::size_t k = c.classes_ == 2 ? 1 : 0; k < static_cast<std::size_t>(c.classes_); ++k) {
    for (std::size_t i = 0; i < f.size(); ++i) {
      f[i] = margin(scores.row(static_cast<std::int64_t>(i)), k);
      outcome[i] = static_cast<std::size_t>(class_of[i]) == k ? 1.0 : 0.0;
    }
    if (method == CalibrationMethod::platt)
      c.sigmoids_.push_back(fit_sigmoid(f, outcome, weights));
    else
      c.isotonics_.push_back(fit_isotonic(f, outcome, weights));
  }
  return c;
}

Calibration Calibration::at_beta(double beta) const {
  GSSL_ASSERT(method_ == CalibrationMethod::temperature && std::isfinite(beta) && beta >= 0.0);
  Calibration other = *this;
  other.beta_ = beta;
  other.blended_ = 0.0;
  return other;
}

double Calibration::curve_at(std::size_t curve, double margin) const {
  return method_ == CalibrationMethod::platt ? sigmoids_[curve].at(margin)
                                             : isotonics_[curve].at(margin);
}

Block Calibration::one_against_rest(const Block& scores) const {
  Block p(scores.rows(), classes_);
  for (std::int64_t r = 0; r < p.rows(); ++r) {
    if (classes_ == 2) {
      p(r, 1) = curve_at(0, margin(scores.row(r), 1));
      p(r, 0) = 1.0 - p(r, 1);
      continue;
    }
    double total = 0.0;
    for (std::size_t k = 0; k < static_cast<std::size_t>(classes_); ++k)
      total += p.row(r)[k] = curve_at(k, margin(scores.row(r), k));
    for (double& share : p.row(r))
      share = total > 0.0 ? share / total : 1.0 / static_cast<double>(classes_);
  }
  return p;
}

Block Calibration::softmax(const Block& scores) const {
  Block p(scores.rows(), classes_);
  for (std::int64_t r = 0; r < p.rows(); ++r) {
    const auto row = scores.row(r);
    const double largest = exponent(*std::ranges::max_element(row), of_shares_);
    double total = 0.0;
    for (std::size_t k = 0; k < row.size(); ++k)
      total += p.row(r)[k] = std::exp(beta_ * (exponent(row[k], of_shares_) - largest));
    for (double& share : p.row(r)) share /= total;
  }
  return p;
}

Block Calibration::probabilities(const Block& scores) const {
  GSSL_ASSERT(method_ != CalibrationMethod::none);
  if (scores.columns() != classes_)
    refuse_calibration(std::to_string(scores.columns()) + " columns: it was learned from " +
                       std::to_string(classes_) + " classes");
  Block p = method_ == CalibrationMethod::temperature ? softmax(scores) : one_against_rest(scores);
  if (blended_ > 0.0) blend(scores, p);
  return p;
}

void Calibration::blend(const Block& scores, Block& p) const {
  const double rest = (1.0 - right_) / static_cast<double>(classes_ - 1);
  for (std::int64_t r = 0; r < p.rows(); ++r) {
    const std::size_t first = place_of_largest(scores.row(r));
    const auto row = p.row(r);
    for (std::size_t k = 0; k < row.size(); ++k)
      row[k] = (1.0 - blended_) * row[k] + blended_ * (k == first ? right_ : rest);
  }
}

std::string Calibration::sentence() const {
  std::string text(to_string(method_));
  if (method_ == CalibrationMethod::temperature) return text + " (beta " + to_text(beta_) + ")";
  if (sigmoids_.size() == 1)
    return text + " (slope " + to_text(sigmoids_[0].slope) + ", offset " +
           to_text(sigmoids_[0].offset) + ")";
  if (classes_ > 2) text += ", one class against the rest";
  return text;
}

void Calibration::save(Record& record) const {
  record.put("method", to_string(method_));
  record.put("classes", classes_);
  record.put("of_shares", std::int64_t{of_shares_ ? 1 : 0});
  record.put("beta", beta_);
  record.put("blended", blended_);
  record.put("right", right_);
  std::vector<double> sigmoids;
  for (const Sigmoid& s : sigmoids_) sigmoids.insert(sigmoids.end(), {s.slope, s.offset});
  record.put("sigmoids", std::move(sigmoids));
  record.put("curves", static_cast<std::int64_t>(isotonics_.size()));
  for (std::size_t k = 0; k < isotonics_.size(); ++k) {
    record.put("curve/" + std::to_string(k) + "/scores", isotonics_[k].scores);
    record.put("curve/" + std::to_string(k) + "/values", isotonics_[k].values);
  }
}

Calibration Calibration::load(const Record& record) {
  Calibration c;
  try {
    c.method_ = calibration_method_named(record.text("method"));
  } catch (const Error&) {
    refuse_calibration("record: unknown method");
  }
  c.classes_ = record.integer("classes");
  c.of_shares_ = record.integer("of_shares") != 0;
  c.beta_ = record.real("beta");
  // Models of before have no prior.
  if (record.has("blended")) {
    c.blended_ = record.real("blended");
    c.right_ = record.real("right");
    for (const double share : {c.blended_, c.right_})
      if (!(share >= 0.0 && share <= 1.0)) refuse_calibration("record: a share that is none");
  }
  const std::vector<double>& sigmoids = record.reals("sigmoids");
  for (std::size_t i = 0; i + 1 < sigmoids.size(); i += 2)
    c.sigmoids_.push_back({sigmoids[i], sigmoids[i + 1]});
  for (std::int64_t k = 0; k < record.integer("curves"); ++k) {
    IsotonicCurve curve{record.reals("curve/" + std::to_string(k) + "/scores"), {}};
    curve.values = record.reals("curve/" + std::to_string(k) + "/values",
                                static_cast<std::int64_t>(curve.scores.size()));
    if (!std::ranges::is_sorted(curve.scores) || !std::ranges::is_sorted(curve.values))
      refuse_calibration("record: a curve that does not ascend");
    c.isotonics_.push_back(std::move(curve));
  }
  const std::size_t curves = c.classes_ == 2 ? 1 : static_cast<std::size_t>(c.classes_);
  const bool whole = c.method_ == CalibrationMethod::platt      ? c.sigmoids_.size() == curves
                     : c.method_ == CalibrationMethod::isotonic ? c.isotonics_.size() == curves
                                                                : true;
  if (c.classes_ < 0 || (c.method_ != CalibrationMethod::none && c.classes_ < 2) || !whole)
    refuse_calibration("record: a curve is missing");
  return c;
}

double expected_calibration_error(std::span<const double> probability,
                                  std::span<const double> right, int bins) {
  const std::size_t n = probability.size();
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return probability[i]; });
  double error = 0.0;
  const auto parts = static_cast<std::size_t>(std::max(bins, 1));
  for (std::size_t b = 0; b < parts; ++b) {
    double difference = 0.0;  // of the sums, which is what the mean over all rows needs
    for (std::size_t i = b * n / parts; i < (b + 1) * n / parts; ++i)
      difference += right[order[i]] - probability[order[i]];
    error += std::abs(difference);
  }
  return n == 0 ? 0.0 : error / static_cast<double>(n);
}

}  // namespace gssl
