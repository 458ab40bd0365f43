#include "gssl/batch/majority_boost.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "batch/weak_learner.hpp"
#include "gssl/core/number_text.hpp"
#include "gssl/core/option_binding.hpp"

namespace gssl {

namespace {

const OptionBinding<MajorityBoostOptions>& majority_boost_binding() {
  static const auto binding =
      OptionBinding<MajorityBoostOptions>("majority-boost")
          .real(&MajorityBoostOptions::gamma, "gamma",
                {.low = 0.0, .high = 0.5, .low_open = true, .high_open = true},
                "the weak learner is right on ½ + gamma of the weight")
          .integer(&MajorityBoostOptions::rounds, "rounds", {.low = 0},
                   "weak learners; 0: as many as leave no row wrong")
          .integer(&MajorityBoostOptions::depth, "depth", {.low = 1},
                   "of the trees that are the weak learners; 1: stumps")
          .text(&MajorityBoostOptions::learner, "learner",
                "the weak learner, as NAME(option=value,…); tree: trees of `depth`");
  return binding;
}

// Rows that the bound must count: the whole weight over that of the lightest row.
double copies_of(const Dataset& data) {
  if (data.weights.empty()) return static_cast<double>(data.points.rows());
  double total = 0.0;
  double lightest = std::numeric_limits<double>::infinity();
  bool whole = true;
  for (const double w : data.weights) {
    total += w;
    whole = whole && w == std::floor(w);
    if (w > 0.0) lightest = std::min(lightest, w);
  }
  return total / (whole ? 1.0 : lightest);
}

// The first t with n (1 − 4γ²)^{t/2} < 1.
int rounds_needed(double copies, double gamma) {
  const double rounds = 2.0 * std::log(copies) / -std::log1p(-4.0 * gamma * gamma);
  return static_cast<int>(std::min(1e9, std::floor(rounds))) + 1;
}

// Weights and votes of the training rows.
class MajorityVote {
 public:
  MajorityVote(const Dataset& data, double gamma)
      : class_of_(data.targets.class_of()),
        factor_((0.5 + gamma) / (0.5 - gamma)),
        start_(class_of_.size()),
        votes_(static_cast<std::int64_t>(class_of_.size()),
               std::max(1, data.targets.class_count())) {
    for (std::size_t r = 0; r < start_.size(); ++r)
      start_[r] = data.weight(static_cast<std::int64_t>(r));
    scale(start_);
    weights_ = start_;
  }

  const std::vector<double>& weights() const { return weights_; }

  // Weighted accuracy of what was said; wrong rows gain weight.
  double take(const std::vector<int>& said) {
    double right = 0.0;
    for (std::size_t r = 0; r < said.size(); ++r) {
      votes_(static_cast<std::int64_t>(r), said[r]) += 1.0;
      if (said[r] == class_of_[r])
        right += weights_[r];
      else
        weights_[r] *= factor_;
    }
    scale(weights_);
    return right;
  }

  double training_error() const {
    double error = 0.0;
    for (std::size_t r = 0; r < start_.size(); ++r) {
      const auto row = votes_.row(static_cast<std::int64_t>(r));
      if (std::ranges::max_element(row) - row.begin() != class_of_[r]) error += start_[r];
    }
    return error;
  }

 private:
  // To sum 1: only ratios matter, and no number overflows.
  static void scale(std::vector<double>& weights) {
    const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
    for (double& w : weights) w /= sum;
  }

  const std::vector<int>& class_of_;
  double factor_;
  std::vector<double> start_, weights_;
  Block votes_;
};

}  // namespace

void MajorityBoostOptions::validate() const {
  majority_boost_binding().validate(*this);
  detail::check_weak_learner("majority-boost", learner, depth);
}

MajorityBoostLearner::MajorityBoostLearner(MajorityBoostOptions options)
    : options_(std::move(options)) {
  options_.validate();
}

Trained MajorityBoostLearner::fit(const Dataset& data, const RunContext& run) const {
  check_targets("majority-boost", data, true, false);
  const auto learner =
      detail::make_weak_learner("majority-boost", options_.learner, options_.depth, data, run);
  MajorityVote vote(data, options_.gamma);
  detail::BoostedModelBuilder builder("majority-boost", options_.learner, data, true);
  const int rounds =
      options_.rounds > 0 ? options_.rounds : rounds_needed(copies_of(data), options_.gamma);
  const double shrink = std::sqrt(1.0 - 4.0 * options_.gamma * options_.gamma);
  Trained trained;
  Report& report = trained.report;
  std::vector<double> accuracy;
  std::vector<double> training_error;
  std::vector<double> bound;
  int weak_rounds = 0;
  for (int round = 0; round < rounds; ++round) {
    if (round > 0)
      if (const auto why = run.stop()) {
        report.outcome = *why;
        break;
      }
    detail::WeakModel weak = learner->learn(vote.weights(), run);
    accuracy.push_back(vote.take(weak.said));
    training_error.push_back(vote.training_error());
    bound.push_back((bound.empty() ? 1.0 : bound.back()) * shrink);
    if (accuracy.back() < 0.5 + options_.gamma - 1e-12) ++weak_rounds;
    builder.add(std::move(weak), 1.0);
    run.report_progress("rounds", static_cast<double>(round + 1) / rounds);
  }
  report.iterations = static_cast<std::int64_t>(accuracy.size());
  report.sentence = std::to_string(accuracy.size()) + " weak learners of one vote each";
  if (weak_rounds > 0)
    report.warnings.push_back("majority-boost: " + std::to_string(weak_rounds) + " of " +
                              std::to_string(accuracy.size()) +
                              " weak learners were right on less than " +
                              to_text(0.5 + options_.gamma) +
                              " of the weight: the bound does not hold; lower gamma or take a "
                              "stronger learner");
  else
    report.certificates.push_back({"error_bound", std::move(bound)});
  report.certificates.push_back({"accuracy", std::move(accuracy)});
  report.certificates.push_back({"training_error", std::move(training_error)});
  trained.model = builder.build();
  return trained;
}

LearnerEntry majority_boost_entry() {
  LearnerEntry entry;
  entry.name = "majority-boost";
  entry.summary = "majority of weak learners, each on rows weighted by the errors before it";
  entry.reference =
      "A. Blum, J. Hopcroft, R. Kannan. Foundations of Data Science. Cambridge 2020, chapter 5, "
      "doi:10.1017/9781108755528";
  entry.options = majority_boost_binding().table();
  entry.make_inductive = [](const OptionValues& values) {
    return std::make_unique<MajorityBoostLearner>(majority_boost_binding().from(values));
  };
  entry.load_model = [](const Record& record) {
    return detail::BoostedModelBuilder::load("majority-boost", record);
  };
  return entry;
}

}  // namespace gssl
