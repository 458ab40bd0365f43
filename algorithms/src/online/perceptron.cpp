#include "gssl/online/perceptron.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "gssl/core/error.hpp"
#include "gssl/core/option_binding.hpp"
#include "online/counted_look.hpp"
#include "online/counted_session.hpp"
#include "online/hypothesis.hpp"
#include "online/linear_row.hpp"
#include "online/online_linear_model.hpp"

namespace gssl {

namespace {

const OptionBinding<PerceptronOptions>& perceptron_binding() {
  static const auto options = [] {
    OptionBinding<PerceptronOptions> bound("perceptron");
    bound
        .real(&PerceptronOptions::rate, "rate", {.low = 0.0, .high = 1e100, .low_open = true},
              "what a mistaken row is multiplied by")
        .flag(&PerceptronOptions::bias, "bias", "a constant feature 1")
        .flag(&PerceptronOptions::ties, "ties", "update after w.x = 0 whatever the outcome");
    return detail::bind_form(bound);
  }();
  return options;
}

class PerceptronLook final : public detail::CountedLook {
 public:
  PerceptronLook(std::vector<detail::LinearComparator> functions, const detail::AddedRows& added)
      : scores_("perceptron", std::move(functions)), added_(added) {
    for (std::size_t i = 0; i < scores_.functions().size(); ++i)
      comparators_.push_back({scores_.functions()[i].name, scores_.norm(i), {}});
  }

 private:
  void see_trial(const Instance& instance, const Revealed& outcome, double times) override {
    const double sign = detail::checked_class(outcome.value, 2) == 1 ? 1.0 : -1.0;
    const auto scores = scores_.of(instance);
    for (std::size_t i = 0; i < scores.size(); ++i)
      comparators_[i].margins.add(sign * scores[i].value - scores[i].slack, times);
  }
  void prove_seen(OnlineReport& report) const override {
    detail::prove_perceptron(report, added_, comparators_);
  }

  detail::LinearScores scores_;
  std::vector<detail::PerceptronComparator> comparators_;
  detail::AddedRows added_;
};

class PerceptronSession final : public detail::CountedSession {
 public:
  PerceptronSession(const PerceptronOptions& options, std::uint64_t seed, std::int64_t width)
      : options_(options),
        hypothesis_(options.form, seed),
        mean_(HypothesisForm::averaged, seed),
        weights_(static_cast<std::size_t>(width), 0.0) {
    row_.set_width(width);
  }

  double predict(const Instance& instance) override {
    row_.hold("perceptron", instance, weights_);
    score_ = row_.dot(weights_) + bias_;
    return expect(score_ >= 0.0 ? 1.0 : 0.0);
  }

  double update(const Revealed& outcome) override {
    const int truth = detail::checked_class(outcome.value, 2);
    const double predicted = take();
    const bool right = predicted == truth;
    const bool changes = !right || (options_.ties && score_ == 0.0);
    if (changes) add_row(truth);
    hypothesis_.end_trial(changes, function());
    mean_.end_trial(changes, function());
    return count_class(predicted, truth);
  }

  OnlineReport report() const override {
    OnlineReport report = counted("mistakes");
    double square = bias_ * bias_;
    for (const double w : weights_) square += w * w;
    const double rate2 = options_.rate * options_.rate;
    const auto updates = static_cast<double>(updates_);
    report.certificates = {{"updates", {updates}},
                           {"weight_square", {square / rate2}},
                           {"added_square", {added_.largest * updates}}};
    report.bound_name = "none without a second look at the stream, for a vector u and its loss";
    return report;
  }

  std::unique_ptr<SecondLook> second_look() const override {
    std::vector<detail::LinearComparator> functions = {{"the last weights", weights_, bias_}};
    const auto add = [&](const char* name, const detail::LinearHypothesis& hypothesis) {
      auto [weights, bias] = hypothesis.leave(function());
      functions.push_back({name, std::move(weights), bias});
    };
    add("the mean of all weights", mean_);
    if (options_.form != HypothesisForm::last && !hypothesis_.averages())
      add("the weights of the model", hypothesis_);
    return std::make_unique<PerceptronLook>(std::move(functions), added_);
  }

  void save(Record& record) const override {
    save_counts(record);
    record.put("weights", weights_);
    record.put("bias", bias_);
    record.put("added", std::vector<double>{added_.largest, added_.sum});
    record.put("updates", updates_);
    record.put("width", row_.width());
    Record kept;
    hypothesis_.save(kept);
    record.put("hypothesis", kept);
    kept = {};
    mean_.save(kept);
    record.put("mean", kept);
  }

  void resume(const Record& record) {
    resume_counts(record);
    weights_ = record.reals("weights");
    bias_ = record.real("bias");
    const std::vector<double>& added = record.reals("added", 2);
    added_ = {.largest = added[0], .sum = added[1]};
    updates_ = record.integer("updates");
    row_.set_width(record.integer("width"));
    hypothesis_.resume(record.child("hypothesis"));
    mean_.resume(record.child("mean"));
  }

  std::unique_ptr<Model> model() const override {
    auto [weights, bias] = hypothesis_.leave(function());
    return detail::make_linear_model(
        {.learner = "perceptron", .weights = std::move(weights), .offset = bias});
  }

 private:
  detail::LinearHypothesis::Function function() const {
    return {.weights = weights_, .bias = bias_};
  }

  void add_row(int truth) {
    const double step = truth == 1 ? options_.rate : -options_.rate;
    hypothesis_.before_change([&] { return function(); });
    hypothesis_.added(step, row_);
    mean_.added(step, row_);
    row_.add(step, weights_);
    if (options_.bias) bias_ += step;
    const double square = row_.square() + (options_.bias ? 1.0 : 0.0);
    added_.largest = std::max(added_.largest, square);
    added_.sum += square;
    ++updates_;
  }

  PerceptronOptions options_;
  detail::LinearHypothesis hypothesis_;
  detail::LinearHypothesis mean_;  // a comparator of the second look
  detail::LinearRow row_;
  std::vector<double> weights_;
  double bias_ = 0.0;
  double score_ = 0.0;       // of the trial that has begun
  detail::AddedRows added_;  // their constant feature included
  std::int64_t updates_ = 0;
};

}  // namespace

void PerceptronOptions::validate() const { perceptron_binding().validate(*this); }

PerceptronLearner::PerceptronLearner(PerceptronOptions options) : options_(options) {
  options_.validate();
}

std::unique_ptr<OnlineSession> PerceptronLearner::start(const OnlineSetting& setting,
                                                        const RunContext& run) const {
  detail::check_two_classes("perceptron", setting);
  return std::make_unique<PerceptronSession>(options_, run.seed, setting.width);
}

std::unique_ptr<OnlineSession> PerceptronLearner::resume(const OnlineSetting&, const Record& record,
                                                         const RunContext& run) const {
  auto session = std::make_unique<PerceptronSession>(options_, run.seed, 0);
  session->resume(record);
  return session;
}

LearnerEntry perceptron_entry() {
  LearnerEntry entry;
  entry.name = "perceptron";
  entry.summary = "adds the rows that it mistook; of two classes";
  entry.reference =
      "F. Rosenblatt. The perceptron. Psychological Review 65, 1958, doi:10.1037/h0042519";
  entry.options = perceptron_binding().table();
  entry.make_online = [](const OptionValues& values) {
    return std::make_unique<PerceptronLearner>(perceptron_binding().from(values));
  };
  entry.load_model = detail::load_linear_model;
  return detail::with_passes(std::move(entry));
}

}  // namespace gssl
