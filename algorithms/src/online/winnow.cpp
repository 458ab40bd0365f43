#include "gssl/online/winnow.hpp"

#include <algorithm>
#include <cmath>

#include "gssl/core/error.hpp"
#include "gssl/core/number_text.hpp"
#include "gssl/core/option_binding.hpp"
#include "online/counted_session.hpp"
#include "online/hypothesis.hpp"
#include "online/linear_row.hpp"
#include "online/online_linear_model.hpp"
#include "online/winnow_look.hpp"
#include "online/winnow_steps.hpp"

namespace gssl {

namespace {

using Demotion = WinnowOptions::Demotion;

constexpr const char* weights_held = "none: weights were held at 2^±900";

const OptionBinding<WinnowOptions>& winnow_binding() {
  static const auto options = [] {
    OptionBinding<WinnowOptions> bound("winnow");
    bound
        .real(&WinnowOptions::alpha, "alpha", {.low = 1.0, .high = 1e6, .low_open = true},
              "what weights are multiplied by")
        .real(&WinnowOptions::threshold, "threshold", {.low = 0.0, .high = 1e100},
              "of w.x; 0: the number of columns")
        .choice(&WinnowOptions::demotion, "demotion",
                {{Demotion::divide, "divide"}, {Demotion::eliminate, "eliminate"}},
                "weights of features that should not have counted: divided, or set to 0")
        .text(&WinnowOptions::relevant, "relevant",
              "columns from 1, as 3/17/25, whose disjunction bounds the run");
    return detail::bind_form(bound);
  }();
  return options;
}

const OptionBinding<BalancedWinnowOptions>& balanced_binding() {
  static const auto options = [] {
    OptionBinding<BalancedWinnowOptions> bound("balanced-winnow");
    bound
        .real(&BalancedWinnowOptions::alpha, "alpha", {.low = 1.0, .high = 1e6, .low_open = true},
              "what weights are multiplied by")
        .real(&BalancedWinnowOptions::threshold, "threshold", {.low = 0.0, .high = 1e100},
              "of w+.x - w-.x");
    return detail::bind_form(bound);
  }();
  return options;
}

// Ascending, from 0. Throws ErrorCode::usage unless the text is of whole numbers from 1 by '/'.
std::vector<std::size_t> columns_of(const std::string& text) {
  std::vector<std::size_t> columns;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('/', at), text.size());
    const auto number = parse_number<std::int32_t>(std::string_view(text).substr(at, end - at));
    if (!number || *number < 1)
      throw Error(ErrorCode::usage, "winnow: option relevant=" + text +
                                        ": must be columns from 1 separated by /, as 3/17");
    columns.push_back(static_cast<std::size_t>(*number - 1));
    at = end + 1;
  }
  std::ranges::sort(columns);
  columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
  return columns;
}

class WinnowSession final : public detail::CountedSession {
 public:
  WinnowSession(const WinnowOptions& options, double threshold, std::int64_t width,
                std::uint64_t seed)
      : options_(options),
        relevant_(columns_of(options.relevant)),
        threshold_(threshold),
        hypothesis_(options.form, seed, 1.0),
        weights_(static_cast<std::size_t>(width), 1.0) {
    row_.set_width(width);
  }

  double predict(const Instance& instance) override {
    detail::check_unit_features("winnow", instance);
    row_.hold("winnow", instance, weights_, 1.0);
    return expect(row_.dot(weights_) >= threshold_ ? 1.0 : 0.0);
  }

  double update(const Revealed& outcome) override {
    const int truth = detail::checked_class(outcome.value, 2);
    const double predicted = take();
    count_relevant(truth, predicted != truth);
    bool changed = false;
    if (predicted != truth)
      changed = truth == 0 && options_.demotion == Demotion::eliminate
                    ? detail::eliminate(row_, weights_, hypothesis_)
                    : detail::multiply(row_, factors_, truth == 1 ? 1.0 : -1.0, weights_,
                                       hypothesis_, held_);
    hypothesis_.end_trial(changed, {.weights = weights_});
    return count_class(predicted, truth);
  }

  OnlineReport report() const override {
    OnlineReport report = counted("mistakes");
    report.certificates = {{"threshold", {threshold_}}};
    if (relevant_.empty()) {
      report.bound_name = held_ ? weights_held
                                : "none without a second look at the stream, for weights u and "
                                  "their loss, or the option relevant";
      return report;
    }
    report.comparator = static_cast<double>(disjunction_mistakes_);
    report.comparator_name = "mistakes of the disjunction";
    report.certificates.push_back(
        {"attribute_errors", {static_cast<double>(missing_errors_ + present_errors_)}});
    if (fractions_) {
      report.bound_name = "none: features are not all 0 or 1";
    } else if (held_) {
      report.bound_name = weights_held;
    } else if (options_.demotion == Demotion::eliminate && present_errors_ > 0) {
      report.bound_name = "none: a relevant feature was there where the first class came";
    } else {
      set_bound(report);
    }
    return report;
  }

  std::unique_ptr<SecondLook> second_look() const override {
    if (!relevant_.empty() || held_) return nullptr;
    std::vector<detail::LinearComparator> functions = {{"the last weights", weights_}};
    // Weights from before an elimination are no comparator: what was eliminated is without bound.
    if (options_.form != HypothesisForm::last && options_.demotion != Demotion::eliminate)
      functions.push_back(
          {"the weights of the model", hypothesis_.leave({.weights = weights_}).first});
    return detail::winnow_look({.alpha = options_.alpha,
                                .threshold = threshold_,
                                .eliminates = options_.demotion == Demotion::eliminate},
                               std::move(functions));
  }

  void save(Record& record) const override {
    save_counts(record);
    record.put("weights", weights_);
    record.put("threshold", threshold_);
    record.put("width", row_.width());
    record.put("errors",
               std::vector<std::int64_t>{missing_errors_, present_errors_, disjunction_mistakes_,
                                         fractions_ ? 1 : 0, held_ ? 1 : 0});
    Record kept;
    hypothesis_.save(kept);
    record.put("hypothesis", kept);
  }

  void resume(const Record& record) {
    resume_counts(record);
    weights_ = record.reals("weights");
    threshold_ = record.real("threshold");
    row_.set_width(record.integer("width"));
    const std::vector<std::int64_t>& errors = record.long_integers("errors");
    if (errors.size() != 5) throw Error(ErrorCode::bad_data, "errors: must be five numbers");
    missing_errors_ = errors[0];
    present_errors_ = errors[1];
    disjunction_mistakes_ = errors[2];
    fractions_ = errors[3] != 0;
    held_ = errors[4] != 0;
    hypothesis_.resume(record.child("hypothesis"));
  }

  std::unique_ptr<Model> model() const override {
    return detail::make_linear_model({.learner = "winnow",
                                      .weights = hypothesis_.leave({.weights = weights_}).first,
                                      .offset = -threshold_});
  }

 private:
  void count_relevant(int truth, bool mistaken) {
    if (relevant_.empty()) return;
    std::int64_t present = 0;
    row_.visit([&](std::size_t i, double x) {
      fractions_ = fractions_ || (x != 0.0 && x != 1.0);
      if (x > 0.0 && std::ranges::binary_search(relevant_, i)) ++present;
    });
    if ((present > 0) != (truth == 1)) ++disjunction_mistakes_;
    if (!mistaken) return;
    if (truth == 0) present_errors_ += present;
    if (truth == 1 && present == 0) ++missing_errors_;
  }

  void set_bound(OnlineReport& report) const {
    const double alpha = options_.alpha, k = static_cast<double>(relevant_.size()),
                 n = static_cast<double>(weights_.size());
    const double logarithm = std::log(std::max(threshold_, 1.0)) / std::log(alpha);
    const double promotions =
        k * (logarithm + 1.0) + static_cast<double>(missing_errors_ + present_errors_);
    if (options_.demotion == Demotion::eliminate) {
      report.bound = alpha * promotions + n / threshold_;
      report.bound_name = "alpha (k (log theta + 1) + A) + n / theta";
    } else {
      report.bound = (1.0 + alpha) * promotions + alpha * n / ((alpha - 1.0) * threshold_);
      report.bound_name = "(1 + alpha) (k (log theta + 1) + A) + alpha n / ((alpha - 1) theta)";
    }
  }

  WinnowOptions options_;
  std::vector<std::size_t> relevant_;
  double threshold_;
  detail::LinearRow row_;
  detail::WinnowFactors factors_{options_.alpha};
  detail::LinearHypothesis hypothesis_;
  std::vector<double> weights_;
  // Of the disjunction: on mistaken trials none of it there, or too many; and its own mistakes.
  std::int64_t missing_errors_ = 0, present_errors_ = 0, disjunction_mistakes_ = 0;
  bool fractions_ = false;  // a feature was neither 0 nor 1
  bool held_ = false;       // a weight was, at 2^±900
};

class BalancedWinnowSession final : public detail::CountedSession {
 public:
  BalancedWinnowSession(const BalancedWinnowOptions& options, std::int64_t width,
                        std::uint64_t seed)
      : options_(options),
        positive_(static_cast<std::size_t>(width), 1.0),
        negative_(positive_),
        positive_hypothesis_(options.form, seed, 1.0),
        negative_hypothesis_(options.form, seed, 1.0) {
    row_.set_width(width);
  }

  double predict(const Instance& instance) override {
    detail::check_unit_features("balanced-winnow", instance);
    row_.hold("balanced-winnow", instance, positive_, 1.0);
    negative_.resize(positive_.size(), 1.0);
    const double score = row_.dot(positive_) - row_.dot(negative_);
    return expect(score >= options_.threshold ? 1.0 : 0.0);
  }

  double update(const Revealed& outcome) override {
    const int truth = detail::checked_class(outcome.value, 2);
    const double predicted = take();
    bool changed = false;
    if (predicted != truth) {
      const double direction = truth == 1 ? 1.0 : -1.0;
      balance_ += truth == 1 ? 1 : -1;
      changed = detail::multiply(row_, factors_, direction, positive_, positive_hypothesis_, held_);
      changed |=
          detail::multiply(row_, factors_, -direction, negative_, negative_hypothesis_, held_);
    }
    positive_hypothesis_.end_trial(changed, {.weights = positive_});
    negative_hypothesis_.end_trial(changed, {.weights = negative_});
    return count_class(predicted, truth);
  }

  OnlineReport report() const override {
    OnlineReport report = counted("mistakes");
    report.bound_name =
        held_ ? weights_held
              : "none without a second look at the stream, for weights u and their loss";
    return report;
  }

  std::unique_ptr<SecondLook> second_look() const override {
    if (held_) return nullptr;
    detail::LinearComparator last{"the last weights", positive_},
        logs{"their logarithms", positive_};
    for (std::size_t i = 0; i < positive_.size(); ++i) {
      last.weights[i] -= negative_[i];
      logs.weights[i] = std::log(positive_[i] / negative_[i]);
    }
    std::vector<detail::LinearComparator> functions = {std::move(last), std::move(logs)};
    if (options_.form != HypothesisForm::last)
      functions.push_back({"the weights of the model", left()});
    double sum = 0.0;
    for (std::size_t i = 0; i < positive_.size(); ++i) sum += positive_[i] + negative_[i];
    return detail::balanced_winnow_look({.alpha = options_.alpha,
                                         .threshold = options_.threshold,
                                         .weight_sum = sum,
                                         .balance = static_cast<double>(balance_)},
                                        std::move(functions));
  }

  void save(Record& record) const override {
    save_counts(record);
    record.put("positive", positive_);
    record.put("negative", negative_);
    record.put("held", std::int64_t{held_ ? 1 : 0});
    record.put("balance", balance_);
    record.put("width", row_.width());
    Record kept;
    positive_hypothesis_.save(kept);
    record.put("positive_hypothesis", kept);
    kept = {};
    negative_hypothesis_.save(kept);
    record.put("negative_hypothesis", kept);
  }

  void resume(const Record& record) {
    resume_counts(record);
    positive_ = record.reals("positive");
    negative_ = record.reals("negative", static_cast<std::int64_t>(positive_.size()));
    held_ = record.integer("held") != 0;
    balance_ = record.integer("balance");
    row_.set_width(record.integer("width"));
    positive_hypothesis_.resume(record.child("positive_hypothesis"));
    negative_hypothesis_.resume(record.child("negative_hypothesis"));
  }

  std::unique_ptr<Model> model() const override {
    return detail::make_linear_model(
        {.learner = "balanced-winnow", .weights = left(), .offset = -options_.threshold});
  }

 private:
  // Both take the same hypothesis, so that the difference is that of one.
  std::vector<double> left() const {
    std::vector<double> weights = positive_hypothesis_.leave({.weights = positive_}).first;
    const std::vector<double> negative = negative_hypothesis_.leave({.weights = negative_}).first;
    for (std::size_t i = 0; i < weights.size(); ++i) weights[i] -= negative[i];
    return weights;
  }

  BalancedWinnowOptions options_;
  detail::LinearRow row_;
  detail::WinnowFactors factors_{options_.alpha};
  std::vector<double> positive_, negative_;
  bool held_ = false;         // a weight was, at 2^±900
  std::int64_t balance_ = 0;  // mistakes where the second class came, less the others
  detail::LinearHypothesis positive_hypothesis_, negative_hypothesis_;
};

LearnerEntry entry_of(const char* name, const char* summary, const OptionTable& options) {
  LearnerEntry entry;
  entry.name = name;
  entry.summary = summary;
  entry.reference =
      "N. Littlestone. Learning quickly when irrelevant attributes abound. Machine Learning 2, "
      "1988, doi:10.1007/BF00116827";
  entry.options = options;
  entry.load_model = detail::load_linear_model;
  return entry;
}

}  // namespace

void WinnowOptions::validate() const {
  winnow_binding().validate(*this);
  columns_of(relevant);
}

void BalancedWinnowOptions::validate() const { balanced_binding().validate(*this); }

WinnowLearner::WinnowLearner(WinnowOptions options) : options_(std::move(options)) {
  options_.validate();
}

std::unique_ptr<OnlineSession> WinnowLearner::start(const OnlineSetting& setting,
                                                    const RunContext& run) const {
  detail::check_two_classes("winnow", setting);
  const double threshold =
      options_.threshold > 0.0 ? options_.threshold : static_cast<double>(setting.width);
  if (threshold <= 0.0)
    throw Error(ErrorCode::usage,
                "winnow: sparse rows do not tell how many columns there are: give the option "
                "threshold, as threshold=127");
  return std::make_unique<WinnowSession>(options_, threshold, setting.width, run.seed);
}

std::unique_ptr<OnlineSession> WinnowLearner::resume(const OnlineSetting&, const Record& record,
                                                     const RunContext& run) const {
  auto session = std::make_unique<WinnowSession>(options_, 1.0, 0, run.seed);
  session->resume(record);
  return session;
}

BalancedWinnowLearner::BalancedWinnowLearner(BalancedWinnowOptions options) : options_(options) {
  options_.validate();
}

std::unique_ptr<OnlineSession> BalancedWinnowLearner::start(const OnlineSetting& setting,
                                                            const RunContext& run) const {
  detail::check_two_classes("balanced-winnow", setting);
  return std::make_unique<BalancedWinnowSession>(options_, setting.width, run.seed);
}

std::unique_ptr<OnlineSession> BalancedWinnowLearner::resume(const OnlineSetting&,
                                                             const Record& record,
                                                             const RunContext& run) const {
  auto session = std::make_unique<BalancedWinnowSession>(options_, 0, run.seed);
  session->resume(record);
  return session;
}

LearnerEntry winnow_entry() {
  LearnerEntry entry =
      entry_of("winnow", "multiplies the weights of the features that it mistook; of two classes",
               winnow_binding().table());
  entry.make_online = [](const OptionValues& values) {
    return std::make_unique<WinnowLearner>(winnow_binding().from(values));
  };
  return detail::with_passes(std::move(entry));
}

LearnerEntry balanced_winnow_entry() {
  LearnerEntry entry =
      entry_of("balanced-winnow", "Winnow with a weight for and one against; of two classes",
               balanced_binding().table());
  entry.make_online = [](const OptionValues& values) {
    return std::make_unique<BalancedWinnowLearner>(balanced_binding().from(values));
  };
  return detail::with_passes(std::move(entry));
}

}  // namespace gssl
