#include "gssl/online/perceptron.hpp"

#include <algorithm>
#include <cmath>

#include "gssl/core/error.hpp"
#include "gssl/core/option_binding.hpp"
#include "online/counted_session.hpp"

namespace gssl {

namespace {

const OptionBinding<PerceptronOptions>& binding() {
  static const auto options =
      OptionBinding<PerceptronOptions>("perceptron")
          .real(&PerceptronOptions::rate, "rate", {.low = 0.0, .high = 1e100, .low_open = true},
                "what a mistaken row is multiplied by")
          .flag(&PerceptronOptions::bias, "bias", "a constant feature 1");
  return options;
}

class PerceptronSession final : public detail::CountedSession {
 public:
  explicit PerceptronSession(const PerceptronOptions& options) : options_(options) {}

  double predict(const Instance& instance) override {
    detail::check_width("perceptron", instance, width_);
    if (instance.columns.empty()) width_ = static_cast<std::int64_t>(instance.values.size());
    row_.assign(instance.values.begin(), instance.values.end());
    columns_.assign(instance.columns.begin(), instance.columns.end());
    const std::size_t needed =
        columns_.empty() ? row_.size() : static_cast<std::size_t>(columns_.back()) + 1;
    if (needed > weights_.size()) weights_.resize(needed, 0.0);
    double score = options_.bias ? bias_ : 0.0;
    visit([&](double& w, double x) { score += w * x; });
    return expect(score >= 0.0 ? 1.0 : 0.0);
  }

  double update(const Revealed& outcome) override {
    const int truth = detail::checked_class(outcome.value, 2);
    const double predicted = take();
    if (predicted != truth) {
      const double step = truth == 1 ? options_.rate : -options_.rate;
      double square = options_.bias ? 1.0 : 0.0;
      visit([&](double& w, double x) {
        w += step * x;
        square += x * x;
      });
      if (options_.bias) bias_ += step;
      largest_ = std::max(largest_, square);
    }
    return count_class(predicted, truth);
  }

  OnlineReport report() const override {
    OnlineReport report = counted("mistakes");
    double square = bias_ * bias_;
    for (const double w : weights_) square += w * w;
    const double rate2 = options_.rate * options_.rate;
    report.certificates = {{"weight_square", {square / rate2}},
                           {"mistaken_square", {largest_ * static_cast<double>(report.mistakes)}}};
    report.bound_name = "none without a separating vector: mistakes ≤ R²‖u‖²";
    return report;
  }

  void save(Record& record) const override {
    save_counts(record);
    record.put("weights", weights_);
    record.put("bias", bias_);
    record.put("largest", largest_);
    record.put("width", width_);
  }

  void resume(const Record& record) {
    resume_counts(record);
    weights_ = record.reals("weights");
    bias_ = record.real("bias");
    largest_ = record.real("largest");
    width_ = record.integer("width");
  }

 private:
  template <class Body>
  void visit(Body&& body) {
    for (std::size_t i = 0; i < row_.size(); ++i)
      body(weights_[columns_.empty() ? i : static_cast<std::size_t>(columns_[i])], row_[i]);
  }

  PerceptronOptions options_;
  std::vector<double> weights_;
  double bias_ = 0.0;
  double largest_ = 0.0;    // ‖x‖² of a mistaken row, its constant feature included
  std::int64_t width_ = 0;  // of dense rows; 0: none seen
  std::vector<double> row_;
  std::vector<std::int32_t> columns_;
};

}  // namespace

void PerceptronOptions::validate() const { binding().validate(*this); }

PerceptronLearner::PerceptronLearner(PerceptronOptions options) : options_(options) {
  options_.validate();
}

std::unique_ptr<OnlineSession> PerceptronLearner::start(const OnlineSetting& setting,
                                                        const RunContext&) const {
  if (setting.class_names.size() != 2)
    throw Error(ErrorCode::usage, "perceptron: " + std::to_string(setting.class_names.size()) +
                                      " classes: must be two");
  return std::make_unique<PerceptronSession>(options_);
}

std::unique_ptr<OnlineSession> PerceptronLearner::resume(const OnlineSetting&, const Record& record,
                                                         const RunContext&) const {
  auto session = std::make_unique<PerceptronSession>(options_);
  session->resume(record);
  return session;
}

LearnerEntry perceptron_entry() {
  LearnerEntry entry;
  entry.name = "perceptron";
  entry.summary = "adds the rows that it mistook";
  entry.reference =
      "F. Rosenblatt. The perceptron. Psychological Review 65, 1958, doi:10.1037/h0042519";
  entry.options = binding().table();
  entry.make_online = [](const OptionValues& values) {
    return std::make_unique<PerceptronLearner>(binding().from(values));
  };
  return entry;
}

}  // namespace gssl
