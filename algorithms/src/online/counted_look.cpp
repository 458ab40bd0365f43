#include "online/counted_look.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace gssl::detail {

void CountedLook::see(const Instance& instance, const Revealed& outcome, std::int64_t times) {
  if (times < 1)
    throw Error(ErrorCode::usage,
                "second look: " + std::to_string(times) + " times: must be 1 or more");
  see_trial(instance, outcome, static_cast<double>(times));
  seen_ += times;
}

void CountedLook::prove(OnlineReport& report) const {
  if (seen_ != report.trials)
    throw Error(ErrorCode::usage, "second look: " + std::to_string(seen_) +
                                      " trials: the run had " + std::to_string(report.trials));
  prove_seen(report);
}

double LinearComparator::square() const {
  double sum = bias * bias;
  for (const double w : weights) sum += w * w;
  return sum;
}

LinearScores::LinearScores(const char* learner, std::vector<LinearComparator> functions)
    : learner_(learner),
      functions_(std::move(functions)),
      width_(functions_.front().weights.size()),
      scores_(functions_.size()) {
  for (const LinearComparator& f : functions_) norms_.push_back(std::sqrt(f.square()));
}

std::span<const LinearScores::Score> LinearScores::of(const Instance& instance) {
  const std::size_t columns = width_.size();
  row_.hold(learner_, instance, width_);
  if (width_.size() != columns) {
    width_.resize(columns);
    throw Error(ErrorCode::bad_data, std::string(learner_) + ": a column beyond the " +
                                         std::to_string(columns) + " of the run");
  }
  // A sum of n products in any order is off by no more than n units of the last place of Σ|w x|.
  constexpr double unit = std::numeric_limits<double>::epsilon();
  const double slack =
      unit * static_cast<double>(instance.values.size() + 4) * std::sqrt(row_.square() + 1.0);
  for (std::size_t i = 0; i < functions_.size(); ++i)
    scores_[i] = {row_.dot(functions_[i].weights) + functions_[i].bias, slack * norms_[i]};
  return scores_;
}

namespace {

struct BestComparator {
  double bound = std::numeric_limits<double>::infinity();
  const PerceptronComparator* of = nullptr;
  ScoreSketch::HingeLoss at;
};

// By bound(‖u‖, L).
template <class Bound>
BestComparator best_comparator(std::span<const PerceptronComparator> comparators, Bound&& bound) {
  BestComparator best;
  for (const PerceptronComparator& one : comparators)
    for (const ScoreSketch::HingeLoss& at : one.margins.hinge_losses())
      if (const double here = bound(at.scale * one.norm, at.loss); here < best.bound)
        best = {here, &one, at};
  return best;
}

void add_comparator(OnlineReport& report, const BestComparator& best, const std::string& formula) {
  const double bound = best.bound * (1.0 + look_rounding);
  const bool is_smallest = !report.bound || bound < *report.bound;
  report.add_bound(bound, formula + ": L the hinge loss of u, " + best.of->name);
  if (!is_smallest) return;
  report.comparator = best.at.loss;
  report.comparator_name = "hinge loss of " + best.of->name;
  std::erase_if(report.certificates, [](const Certificate& one) {
    return one.name == "hinge_loss" || one.name == "norm";
  });
  report.certificates.push_back({"hinge_loss", {best.at.loss}});
  report.certificates.push_back({"norm", {best.at.scale * best.of->norm}});
}

}  // namespace

void prove_perceptron(OnlineReport& report, const AddedRows& added,
                      std::span<const PerceptronComparator> comparators) {
  const double radius = std::sqrt(added.largest), sum = std::sqrt(added.sum);
  const BestComparator by_largest = best_comparator(comparators, [&](double norm, double loss) {
    const double half = radius * norm / 2.0;
    return std::pow(half + std::sqrt(half * half + loss), 2);
  });
  const BestComparator by_sum =
      best_comparator(comparators, [&](double norm, double loss) { return loss + norm * sum; });
  if (by_largest.of == nullptr || by_sum.of == nullptr) {
    report.bound_name = "none: the weights are not finite";
    return;
  }
  add_comparator(report, by_largest, "(R‖u‖/2 + √(R²‖u‖²/4 + L))²");
  add_comparator(report, by_sum, "L + ‖u‖√Q, Q the sum of ‖x‖² over the rows added");
  report.certificates.push_back({"radius_square", {added.largest}});
}

double entropy_of(std::span<const double> weights) {
  double sum = 0.0;
  for (const double w : weights) sum += std::abs(w);
  double entropy = 0.0;
  for (const double w : weights)
    if (w != 0.0) entropy -= std::abs(w) / sum * std::log(std::abs(w) / sum);
  return entropy;
}

}  // namespace gssl::detail
