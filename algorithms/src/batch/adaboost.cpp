#include "gssl/batch/adaboost.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "batch/weak_learner.hpp"
#include "gssl/core/option_binding.hpp"

namespace gssl {

namespace {

const OptionBinding<AdaBoostOptions>& adaboost_binding() {
  static const auto binding =
      OptionBinding<AdaBoostOptions>("adaboost")
          .integer(&AdaBoostOptions::rounds, "rounds", {.low = 1}, "weak learners")
          .integer(&AdaBoostOptions::depth, "depth", {.low = 1},
                   "of the trees that are the weak learners; 1: stumps")
          .text(&AdaBoostOptions::learner, "learner",
                "the weak learner, as NAME(option=value,…); tree: trees of `depth`");
  return binding;
}

// The vote so far, on the training rows.
class Boosting {
 public:
  explicit Boosting(const Dataset& data)
      : class_of_(data.targets.class_of()),
        classes_(data.targets.class_count()),
        start_(class_of_.size()),
        votes_(static_cast<std::int64_t>(class_of_.size()), std::max(1, classes_)) {
    for (std::size_t r = 0; r < start_.size(); ++r)
      start_[r] = data.weight(static_cast<std::int64_t>(r));
    scale(start_);
    weights_ = start_;
    std::vector<double> mass(static_cast<std::size_t>(classes_), 0.0);
    for (std::size_t r = 0; r < start_.size(); ++r)
      mass[static_cast<std::size_t>(class_of_[r])] += start_[r];
    present_ = static_cast<int>(std::ranges::count_if(mass, [](double m) { return m > 0.0; }));
  }

  const std::vector<double>& weights() const { return weights_; }
  double weighted_error(const std::vector<int>& said) const {
    double error = 0.0;
    for (std::size_t r = 0; r < said.size(); ++r)
      if (said[r] != class_of_[r]) error += weights_[r];
    return error;
  }
  // Not by weight: that of a row that was always right may be too small to count.
  bool errs_nowhere(const std::vector<int>& said) const {
    for (std::size_t r = 0; r < said.size(); ++r)
      if (start_[r] > 0.0 && said[r] != class_of_[r]) return false;
    return true;
  }
  double chance() const { return 1.0 - 1.0 / std::max(2, present_); }
  bool two_classes() const { return present_ <= 2; }
  double alpha(double error) const {
    return 0.5 * (std::log((1.0 - error) / error) + std::log(std::max(1, present_ - 1)));
  }

  void take(const std::vector<int>& said, double error, double alpha) {
    for (std::size_t r = 0; r < said.size(); ++r) {
      votes_(static_cast<std::int64_t>(r), said[r]) += alpha;
      weights_[r] *= std::exp(said[r] == class_of_[r] ? -alpha : alpha);
    }
    scale(weights_);
    all_alpha_ += alpha;
    errors_.push_back(error);
    training_errors_.push_back(training_error());
    bound_ *= 2.0 * std::sqrt(error * (1.0 - error));
    bounds_.push_back(bound_);
  }

  // A learner without error decides alone: larger than all before it together.
  double decisive() const { return all_alpha_ + 1.0; }

  void certify(Report& report) const {
    report.certificates.push_back({"weighted_error", errors_});
    report.certificates.push_back({"training_error", training_errors_});
    if (two_classes()) {
      report.certificates.push_back({"error_bound", bounds_});
      report.certificates.push_back({"exponential_loss", {exponential_loss()}});
    }
    report.certificates.push_back({"least_margin", {least_margin()}});
  }
  double last_training_error() const { return training_errors_.back(); }

 private:
  static void scale(std::vector<double>& weights) {
    const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
    for (double& w : weights) w /= sum;
  }
  // Votes for the row's class less those for the best other.
  double lead(std::size_t r) const {
    const auto row = votes_.row(static_cast<std::int64_t>(r));
    double best = 0.0;
    for (int k = 0; k < classes_; ++k)
      if (k != class_of_[r]) best = std::max(best, row[static_cast<std::size_t>(k)]);
    return row[static_cast<std::size_t>(class_of_[r])] - best;
  }
  double training_error() const {
    double error = 0.0;
    for (std::size_t r = 0; r < start_.size(); ++r) {
      const auto row = votes_.row(static_cast<std::int64_t>(r));
      if (std::ranges::max_element(row) - row.begin() != class_of_[r]) error += start_[r];
    }
    return error;
  }
  double exponential_loss() const {
    double loss = 0.0;
    for (std::size_t r = 0; r < start_.size(); ++r) loss += start_[r] * std::exp(-lead(r));
    return loss;
  }
  double least_margin() const {
    double least = 1.0;
    for (std::size_t r = 0; r < start_.size(); ++r)
      if (start_[r] > 0.0) least = std::min(least, lead(r) / all_alpha_);
    return least;
  }

  const std::vector<int>& class_of_;
  int classes_;
  int present_ = 0;
  std::vector<double> start_;    // weights of the rows themselves, of sum 1
  std::vector<double> weights_;  // of the next round
  Block votes_;
  double all_alpha_ = 0.0;
  double bound_ = 1.0;
  std::vector<double> errors_, training_errors_, bounds_;
};

}  // namespace

void AdaBoostOptions::validate() const {
  adaboost_binding().validate(*this);
  detail::check_weak_learner("adaboost", learner, depth);
}

AdaBoostLearner::AdaBoostLearner(AdaBoostOptions options) : options_(std::move(options)) {
  options_.validate();
}

Trained AdaBoostLearner::fit(const Dataset& data, const RunContext& run) const {
  check_targets("adaboost", data, true, false);
  const auto learner =
      detail::make_weak_learner("adaboost", options_.learner, options_.depth, data, run);
  Boosting boosting(data);
  detail::BoostedModelBuilder builder("adaboost", options_.learner, data, false);
  Trained trained;
  Report& report = trained.report;
  std::string end = "as many as were asked for";
  int round = 0;
  while (round < options_.rounds) {
    if (round > 0)
      if (const auto why = run.stop()) {
        report.outcome = *why;
        end = "stopped";
        break;
      }
    detail::WeakModel weak = learner->learn(boosting.weights(), run);
    const bool perfect = boosting.errs_nowhere(weak.said);
    const double error = perfect ? 0.0 : std::max(boosting.weighted_error(weak.said), 1e-300);
    const bool chance = !perfect && error >= boosting.chance() - 1e-12;
    if (chance && round > 0) {
      end = "the next is no better than chance";
      break;
    }
    if (chance)
      report.warnings.push_back("adaboost: the first weak learner is no better than chance");
    const double alpha = perfect ? boosting.decisive() : chance ? 1.0 : boosting.alpha(error);
    boosting.take(weak.said, error, alpha);
    builder.add(std::move(weak), alpha);
    ++round;
    run.report_progress("rounds", static_cast<double>(round) / options_.rounds);
    if (perfect || chance) {
      end = perfect ? "the last errs nowhere and decides alone" : "no better than chance";
      break;
    }
  }
  boosting.certify(report);
  report.iterations = round;
  report.sentence = std::to_string(round) + " weak learners: " + end;
  trained.model = builder.build();
  return trained;
}

LearnerEntry adaboost_entry() {
  LearnerEntry entry;
  entry.name = "adaboost";
  entry.summary = "weighted vote of weak learners, each on the rows that those before it got wrong";
  entry.reference =
      "Y. Freund, R. Schapire. A decision-theoretic generalization of on-line learning and an "
      "application to boosting. JCSS 55, 1997, doi:10.1006/jcss.1997.1504";
  entry.options = adaboost_binding().table();
  entry.make_inductive = [](const OptionValues& values) {
    return std::make_unique<AdaBoostLearner>(adaboost_binding().from(values));
  };
  entry.load_model = [](const Record& record) {
    return detail::BoostedModelBuilder::load("adaboost", record);
  };
  return entry;
}

}  // namespace gssl
