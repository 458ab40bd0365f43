#include "gssl/evaluate/metrics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>

#include "gssl/core/error.hpp"

namespace gssl {

namespace {

constexpr double no_metric = std::numeric_limits<double>::quiet_NaN();

double share(std::int64_t part, std::int64_t whole, double of_nothing) {
  return whole == 0 ? of_nothing : static_cast<double>(part) / static_cast<double>(whole);
}

void check_lengths(std::size_t truth, std::size_t answers) {
  if (truth == answers) return;
  throw Error(ErrorCode::bad_data, "metrics: " + std::to_string(answers) + " answers for " +
                                       std::to_string(truth) + " rows: must be as many");
}

// Of the classes that have a row or an answer, each counting `weight(k)` times.
template <class Weight>
ClassMeasures average(const Confusion& counts, Weight&& weight) {
  ClassMeasures sum;
  double total = 0.0;
  for (int k = 0; k < counts.classes(); ++k) {
    const ClassMeasures one = counts.of_class(k);
    const double w = weight(k);
    total += w;
    sum.precision += w * one.precision;
    sum.recall += w * one.recall;
    sum.f1 += w * one.f1;
  }
  const double scale = total > 0.0 ? 1.0 / total : no_metric;
  return {sum.precision * scale, sum.recall * scale, sum.f1 * scale, counts.total()};
}

}  // namespace

Confusion::Confusion(int classes) : classes_(classes) {
  if (classes < 0) throw Error(ErrorCode::usage, "metrics: a negative number of classes");
  const auto k = static_cast<std::size_t>(classes);
  counts_.assign(k * (k + 1), 0);
}

std::size_t Confusion::index(int truth, int answer) const {
  const int column = answer == no_answer ? classes_ : answer;
  return static_cast<std::size_t>(truth) * (static_cast<std::size_t>(classes_) + 1) +
         static_cast<std::size_t>(column);
}

void Confusion::add(int truth, int answer, std::int64_t times) {
  if (truth < 0 || truth >= classes_ || answer < no_answer || answer >= classes_)
    throw Error(ErrorCode::bad_data, "metrics: class " + std::to_string(truth) + " answered with " +
                                         std::to_string(answer) + ": there are " +
                                         std::to_string(classes_) + " classes");
  counts_[index(truth, answer)] += times;
  total_ += times;
}

Confusion& Confusion::operator+=(const Confusion& other) {
  if (other.classes_ != classes_)
    throw Error(ErrorCode::usage, "metrics: counts of different classes cannot be added");
  for (std::size_t i = 0; i < counts_.size(); ++i) counts_[i] += other.counts_[i];
  total_ += other.total_;
  return *this;
}

std::int64_t Confusion::count(int truth, int answer) const { return counts_[index(truth, answer)]; }

std::int64_t Confusion::right() const {
  std::int64_t sum = 0;
  for (int k = 0; k < classes_; ++k) sum += count(k, k);
  return sum;
}

std::int64_t Confusion::answered() const {
  std::int64_t sum = total_;
  for (int k = 0; k < classes_; ++k) sum -= count(k, no_answer);
  return sum;
}

std::int64_t Confusion::rows_of(int truth) const {
  std::int64_t sum = 0;
  for (int answer = no_answer; answer < classes_; ++answer) sum += count(truth, answer);
  return sum;
}

std::int64_t Confusion::answers_of(int answer) const {
  std::int64_t sum = 0;
  for (int truth = 0; truth < classes_; ++truth) sum += count(truth, answer);
  return sum;
}

double Confusion::accuracy() const { return share(right(), total_, no_metric); }

double Confusion::accuracy_answered() const { return share(right(), answered(), no_metric); }

double Confusion::balanced_accuracy() const {
  double sum = 0.0;
  int present = 0;
  for (int k = 0; k < classes_; ++k) {
    if (rows_of(k) == 0) continue;
    ++present;
    sum += of_class(k).recall;
  }
  return present == 0 ? no_metric : sum / present;
}

double Confusion::matthews() const {
  if (total_ == 0) return no_metric;
  const auto n = static_cast<double>(total_);
  const auto none = static_cast<double>(total_ - answered());
  double together = n * static_cast<double>(right());
  double truths = n * n, answers = n * n - none * none;
  for (int k = 0; k < classes_; ++k) {
    const auto rows = static_cast<double>(rows_of(k)),
               answered_so = static_cast<double>(answers_of(k));
    together -= rows * answered_so;
    truths -= rows * rows;
    answers -= answered_so * answered_so;
  }
  const double scale = std::sqrt(truths) * std::sqrt(answers);
  return scale > 0.0 ? together / scale : 0.0;
}

ClassMeasures Confusion::of_class(int k) const {
  const std::int64_t found = count(k, k);
  const std::int64_t rows = rows_of(k);
  const std::int64_t answers = answers_of(k);
  return {share(found, answers, 0.0), share(found, rows, 0.0),
          share(2 * found, rows + answers, 0.0), rows};
}

ClassMeasures Confusion::macro() const {
  return average(*this, [&](int k) { return rows_of(k) + answers_of(k) > 0 ? 1.0 : 0.0; });
}

ClassMeasures Confusion::weighted() const {
  return average(*this, [&](int k) { return static_cast<double>(rows_of(k)); });
}

ClassMeasures Confusion::micro() const {
  const std::int64_t found = right();
  return {share(found, answered(), 0.0), share(found, total_, 0.0),
          share(2 * found, answered() + total_, 0.0), total_};
}

Confusion confusion(std::span<const int> truth, std::span<const int> answer, int classes) {
  check_lengths(truth.size(), answer.size());
  Confusion counts(classes);
  for (std::size_t i = 0; i < truth.size(); ++i) counts.add(truth[i], answer[i]);
  return counts;
}

int answer_of(const Fit& fit, VertexId v) {
  const auto at = static_cast<std::size_t>(v);
  const VertexStatus status = fit.scores.status[at];
  return has_no_answer(status) || status == VertexStatus::tied ? no_answer : fit.decision[at];
}

ValueErrors value_errors(std::span<const double> truth, std::span<const double> value) {
  check_lengths(truth.size(), value.size());
  if (truth.empty()) return {no_metric, no_metric, no_metric};
  const double mean = mean_and_deviation(truth).mean;
  double squares = 0.0, absolute = 0.0, spread = 0.0;
  for (std::size_t i = 0; i < truth.size(); ++i) {
    const double error = value[i] - truth[i];
    squares += error * error;
    absolute += std::abs(error);
    spread += (truth[i] - mean) * (truth[i] - mean);
  }
  const auto n = static_cast<double>(truth.size());
  double r2 = spread > 0.0 ? 1.0 - squares / spread : (squares > 0.0 ? 0.0 : 1.0);
  if (truth.size() < 2) r2 = no_metric;
  return {std::sqrt(squares / n), absolute / n, r2};
}

MeanAndDeviation mean_and_deviation(std::span<const double> values) {
  if (values.empty()) return {no_metric, no_metric};
  const auto n = static_cast<double>(values.size());
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / n;
  double squares = 0.0;
  for (const double x : values) squares += (x - mean) * (x - mean);
  return {mean, values.size() < 2 ? 0.0 : std::sqrt(squares / (n - 1.0))};
}

}  // namespace gssl
