#include "gssl/online/gradient_descent.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "gssl/core/error.hpp"
#include "gssl/core/number_text.hpp"
#include "gssl/core/option_binding.hpp"
#include "online/allocation.hpp"
#include "online/counted_look.hpp"
#include "online/counted_session.hpp"
#include "online/hypothesis.hpp"
#include "online/linear_row.hpp"
#include "online/online_linear_model.hpp"
#include "online/simplex_weights.hpp"

namespace gssl {

namespace {

using Loss = GradientDescentOptions::Loss;
using Domain = GradientDescentOptions::Domain;

constexpr std::int64_t updates_between_norms = 10000;
// What the scale of the weights may fall to before all of them are multiplied by it. Their mean loses
// the digits by which they outgrow it; without one only the range of numbers matters.
constexpr double least_scale_of_mean = 1e-4, least_scale = 1e-40;

const OptionBinding<GradientDescentOptions>& gradient_descent_binding() {
  static const auto options = [] {
    OptionBinding<GradientDescentOptions> bound("gradient-descent");
    bound
        .choice(&GradientDescentOptions::loss, "loss",
                "of outcomes ±1 and scores; auto: hinge for classes, square for numbers")
        .choice(&GradientDescentOptions::domain, "domain",
                {{Domain::ball, "ball"}, {Domain::simplex, "simplex"}}, "where the weights stay")
        .real(&GradientDescentOptions::radius, "radius",
              {.low = 0.0, .high = 1e100, .low_open = true}, "of the ball")
        .real(&GradientDescentOptions::rate, "rate", {.low = 0.0, .high = 1e100},
              "of the steps; 0: falling as the gradients add up")
        .flag(&GradientDescentOptions::bias, "bias", "a constant feature 1, in the ball");
    return detail::bind_form(bound);
  }();
  return options;
}

std::string name_of(Loss loss) {
  return std::string(names_of<Loss>.name(loss == Loss::automatic ? Loss::hinge : loss)) + " loss";
}

double loss_of(Loss loss, double outcome, double score) {
  const double margin = outcome * score;
  switch (loss) {
    case Loss::automatic:
    case Loss::hinge: return std::max(0.0, 1.0 - margin);
    case Loss::logistic:
      return margin > 0.0 ? std::log1p(std::exp(-margin)) : std::log1p(std::exp(margin)) - margin;
    case Loss::square: return (outcome - score) * (outcome - score);
  }
  return 0.0;
}

// Of the loss with respect to the score.
double slope_of(Loss loss, double outcome, double score) {
  const double margin = outcome * score;
  switch (loss) {
    case Loss::automatic:
    case Loss::hinge: return margin < 1.0 ? -outcome : 0.0;
    case Loss::logistic: return -outcome / (1.0 + std::exp(margin));
    case Loss::square: return 2.0 * (score - outcome);
  }
  return 0.0;
}

// Σ of the loss of fixed weights of the domain.
class GradientDescentLook final : public detail::CountedLook {
 public:
  struct Rule {
    Loss loss = Loss::hinge;
    bool classes = true;
  };
  // excess: what the loss of the run may be beyond that of each function.
  GradientDescentLook(const Rule& rule, std::vector<detail::LinearComparator> functions,
                      std::vector<double> excess)
      : rule_(rule),
        losses_(functions.size()),
        excess_(std::move(excess)),
        scores_("gradient-descent", std::move(functions)) {}

 private:
  void see_trial(const Instance& instance, const Revealed& outcome, double times) override {
    if (rule_.classes) detail::checked_class(outcome.value, 2);
    const double target = rule_.classes ? (outcome.value == 1.0 ? 1.0 : -1.0) : outcome.value;
    const auto scores = scores_.of(instance);
    for (std::size_t i = 0; i < scores.size(); ++i)
      losses_[i].add(times * loss_of(rule_.loss, target, scores[i].value));
  }

  void prove_seen(OnlineReport& report) const override {
    for (std::size_t i = 0; i < losses_.size(); ++i) {
      const double bound = (losses_[i].value() + excess_[i]) * (1.0 + detail::look_rounding);
      if (!(bound < *report.bound)) continue;
      const std::string& name = scores_.functions()[i].name;
      report.comparator = losses_[i].value();
      report.comparator_name = name_of(rule_.loss) + " of " + name;
      report.bound = bound;
      report.bound_name = "loss of u + what the loss may be beyond it: u " + name;
    }
  }

  Rule rule_;
  std::vector<detail::CompensatedSum> losses_;
  std::vector<double> excess_;
  detail::LinearScores scores_;
};

class GradientDescentSession final : public detail::CountedSession {
 public:
  GradientDescentSession(const GradientDescentOptions& options, std::uint64_t seed)
      : options_(options),
        has_bias_(options.bias && options.domain == Domain::ball),
        hypothesis_(options.form, seed) {}

  void begin(bool classes, std::int64_t width) {
    set_classes(classes);
    weights_.resize(static_cast<std::size_t>(width));
    std::ranges::fill(weights_, start_weight());
    row_.set_width(width);
  }

  double predict(const Instance& instance) override {
    const std::size_t width = weights_.size();
    row_.hold("gradient-descent", instance, weights_);
    if (options_.domain == Domain::simplex && weights_.size() != width) {
      weights_.resize(width);
      throw Error(ErrorCode::bad_data, "gradient-descent: a column beyond the " +
                                           std::to_string(width) + " of the simplex");
    }
    choose_weights();
    score_ = simplex_ ? grouped_dot() : scale_ * row_.dot(weights_) + bias_;
    return expect(classes_ ? (score_ >= 0.0 ? 1.0 : 0.0) : score_);
  }

  double update(const Revealed& outcome) override {
    if (classes_) detail::checked_class(outcome.value, 2);
    if (!std::isfinite(outcome.value))
      throw Error(ErrorCode::bad_data, "outcome " + to_text(outcome.value) + ": must be finite");
    const double predicted = take();
    const double target = classes_ ? (outcome.value == 1.0 ? 1.0 : -1.0) : outcome.value;
    start_loss_ += loss_of(options_.loss, target, start_score());
    descend(slope_of(options_.loss, target, score_));
    if (simplex_) {
      row_.visit([&](std::size_t i, double) { simplex_->shorten(static_cast<std::int32_t>(i)); });
      simplex_->end_trial();
      hypothesis_.end_trial(changed_, [&] { return function(); });
    } else {
      hypothesis_.end_trial(changed_, function());
    }
    if (classes_) note_class(predicted, outcome.value);
    return count(loss_of(options_.loss, target, score_));
  }

  OnlineReport report() const override {
    OnlineReport report = counted(name_of(options_.loss));
    report.comparator = start_loss_;
    report.comparator_name = name_of(options_.loss) +
                             (options_.domain == Domain::ball ? " of w = 0" : " of equal weights");
    report.bound = start_loss_ + excess_beyond(0.0);
    report.bound_name = "loss of the start + what the loss may be beyond it";
    report.certificates = {{"regret_bound", {regret_bound()}}};
    return report;
  }

  std::unique_ptr<SecondLook> second_look() const override {
    std::vector<detail::LinearComparator> functions;
    std::vector<double> excess;
    const auto add = [&](const char* name, const std::pair<std::vector<double>, double>& weights) {
      functions.push_back({name, weights.first, weights.second});
      double apart = weights.second * weights.second;
      for (const double w : weights.first) apart += (w - start_weight()) * (w - start_weight());
      excess.push_back(excess_beyond(apart));
    };
    const detail::LinearHypothesis last(HypothesisForm::last, 0);
    const std::vector<double> weights = all_weights();
    add("the last weights", last.leave({.weights = weights, .scale = scale_, .bias = bias_}));
    if (options_.form != HypothesisForm::last) add("the weights of the model", left());
    return std::make_unique<GradientDescentLook>(
        GradientDescentLook::Rule{.loss = options_.loss, .classes = classes_}, std::move(functions),
        std::move(excess));
  }

  void save(Record& record) const override {
    save_counts(record);
    record.put("classes", std::int64_t{classes_ ? 1 : 0});
    record.put("weights", weights_);
    record.put("chosen", std::int64_t{has_chosen_ ? 1 : 0});
    record.put("grouped", std::int64_t{simplex_ ? 1 : 0});
    if (simplex_) {
      Record groups;
      simplex_->save(groups);
      record.put("simplex", groups);
    }
    record.put("state", std::vector<double>{scale_, bias_, square_, squares_, start_loss_});
    record.put("updates", updates_);
    record.put("width", row_.width());
    Record kept;
    hypothesis_.save(kept);
    record.put("hypothesis", kept);
  }

  void resume(const Record& record) {
    resume_counts(record);
    set_classes(record.integer("classes") != 0);
    weights_ = record.reals("weights");
    if (record.has("grouped") && record.integer("grouped") != 0)
      simplex_.emplace(record.child("simplex"));
    if (simplex_ && simplex_->size() != std::ssize(weights_))
      throw Error(ErrorCode::bad_data, "gradient-descent: weights of another number of columns");
    has_chosen_ = record.has("chosen") ? record.integer("chosen") != 0 : trials() > 0;
    const std::vector<double>& state = record.reals("state", 5);
    scale_ = state[0];
    bias_ = state[1];
    square_ = state[2];
    squares_ = state[3];
    start_loss_ = state[4];
    updates_ = record.integer("updates");
    row_.set_width(record.integer("width"));
    hypothesis_.resume(record.child("hypothesis"));
  }

  std::unique_ptr<Model> model() const override {
    auto [weights, bias] = left();
    return detail::make_linear_model({.learner = "gradient-descent",
                                      .weights = std::move(weights),
                                      .offset = bias,
                                      .regression = !classes_});
  }

 private:
  void set_classes(bool classes) {
    classes_ = classes;
    if (options_.loss == Loss::automatic) options_.loss = classes ? Loss::hinge : Loss::square;
  }

  detail::LinearHypothesis::Function function() {
    if (simplex_) weights_ = simplex_->all();
    return {.weights = weights_, .scale = scale_, .bias = bias_};
  }

  std::vector<double> all_weights() const { return simplex_ ? simplex_->all() : weights_; }

  // Weights and bias of the form that was asked for.
  std::pair<std::vector<double>, double> left() const {
    if (!simplex_ || !hypothesis_.averages() || hypothesis_.trials() == 0) {
      const std::vector<double> last = all_weights();
      return hypothesis_.leave({.weights = last, .scale = scale_, .bias = bias_});
    }
    std::vector<double> mean = simplex_->sums();
    for (double& w : mean) w /= static_cast<double>(hypothesis_.trials());
    return {std::move(mean), 0.0};
  }

  // Of sparse rows on the simplex a trial costs their non-zeros.
  void choose_weights() {
    if (has_chosen_) return;
    has_chosen_ = true;
    if (options_.domain == Domain::simplex && row_.values().size() != weights_.size())
      simplex_.emplace(std::ssize(weights_));
  }

  double grouped_dot() {
    double sum = 0.0;
    row_.visit([&](std::size_t i, double x) {
      sum += simplex_->weight(static_cast<std::int32_t>(i)) * x;
    });
    return sum;
  }

  double start_score() const {
    if (options_.domain == Domain::ball) return 0.0;
    double sum = 0.0;
    row_.visit([&](std::size_t, double x) { sum += x; });
    return sum / static_cast<double>(weights_.size());
  }

  double start_weight() const {
    return options_.domain == Domain::ball ? 0.0 : 1.0 / static_cast<double>(weights_.size());
  }

  // What the loss may be beyond that of weights this far, squared, from the start.
  double excess_beyond(double apart) const {
    if (options_.rate <= 0.0) return regret_bound();
    return apart / (2.0 * options_.rate) + options_.rate * squares_ / 2.0;
  }

  double diameter() const {
    return options_.domain == Domain::ball ? 2.0 * options_.radius : std::numbers::sqrt2;
  }

  double regret_bound() const {
    if (options_.rate <= 0.0) return std::numbers::sqrt2 * diameter() * std::sqrt(squares_);
    const double far = options_.domain == Domain::ball ? options_.radius : 1.0;
    return far * far / (2.0 * options_.rate) + options_.rate * squares_ / 2.0;
  }

  void descend(double slope) {
    changed_ = false;
    if (slope == 0.0) return;
    const double row_square = row_.square() + (has_bias_ ? 1.0 : 0.0);
    const double gradient = slope * slope * row_square;
    changed_ = gradient != 0.0;
    if (!changed_) return;
    hypothesis_.before_change([&] { return function(); });
    squares_ += gradient;
    const double rate =
        options_.rate > 0.0 ? options_.rate : diameter() / std::sqrt(2.0 * squares_);
    const double step = -rate * slope;
    if (options_.domain == Domain::simplex) {
      step_on_simplex(step);
      return;
    }
    row_.add(step / scale_, weights_);
    hypothesis_.added(step / scale_, row_);
    if (has_bias_) bias_ += step;
    square_ += 2.0 * step * score_ + step * step * row_square;
    if (++updates_ % updates_between_norms == 0 || square_ < 0.0) measure();
    if (square_ > options_.radius * options_.radius) shrink();
  }

  void step_on_simplex(double step) {
    if (simplex_) {
      std::vector<std::int32_t> columns(row_.columns().begin(), row_.columns().end());
      if (columns.empty()) {
        columns.resize(row_.values().size());
        std::iota(columns.begin(), columns.end(), 0);
      }
      changed_ = simplex_->step(columns, row_.values(), step);
      return;
    }
    const std::vector<double> before = weights_;
    row_.add(step, weights_);
    detail::project_on_simplex(weights_);
    changed_ = weights_ != before;
    if (!hypothesis_.averages()) return;
    for (std::size_t i = 0; i < before.size(); ++i) hypothesis_.moved(i, weights_[i] - before[i]);
  }

  // ‖w‖² is kept by its changes, and made anew before they have lost digits.
  void measure() {
    square_ = 0.0;
    for (const double w : weights_) square_ += w * w;
    square_ = square_ * scale_ * scale_ + bias_ * bias_;
  }

  void shrink() {
    const double factor = options_.radius / std::sqrt(square_);
    scale_ *= factor;
    bias_ *= factor;
    square_ = options_.radius * options_.radius;
    if (scale_ > (hypothesis_.averages() ? least_scale_of_mean : least_scale)) return;
    hypothesis_.before_rescale(weights_);
    for (double& w : weights_) w *= scale_;
    scale_ = 1.0;
  }

  GradientDescentOptions options_;
  bool classes_ = true;
  bool has_bias_;
  detail::LinearHypothesis hypothesis_;
  detail::LinearRow row_;
  std::vector<double> weights_;  // w is scale·weights, unless there is simplex_
  std::optional<detail::SimplexWeights> simplex_;
  bool has_chosen_ = false;  // whether by simplex_
  double scale_ = 1.0;
  double bias_ = 0.0;
  double square_ = 0.0;   // ‖w‖², its bias included
  double squares_ = 0.0;  // Σ ‖g‖²
  double start_loss_ = 0.0;
  double score_ = 0.0;    // of the trial that has begun
  bool changed_ = false;  // the last trial moved w
  std::int64_t updates_ = 0;
};

}  // namespace

void GradientDescentOptions::validate() const { gradient_descent_binding().validate(*this); }

GradientDescentLearner::GradientDescentLearner(GradientDescentOptions options) : options_(options) {
  options_.validate();
}

std::unique_ptr<OnlineSession> GradientDescentLearner::start(const OnlineSetting& setting,
                                                             const RunContext& run) const {
  const bool classes = !setting.class_names.empty();
  if (classes) detail::check_two_classes("gradient-descent", setting);
  if (!classes && options_.loss != Loss::square && options_.loss != Loss::automatic)
    throw Error(ErrorCode::usage,
                "gradient-descent: outcomes are real: give the option loss=square");
  if (options_.domain == Domain::simplex && setting.width < 1)
    throw Error(
        ErrorCode::usage,
        "gradient-descent: the simplex needs to know the number of columns: give dense rows, or a "
        "file, which is read once before");
  auto session = std::make_unique<GradientDescentSession>(options_, run.seed);
  session->begin(classes, setting.width);
  return session;
}

std::unique_ptr<OnlineSession> GradientDescentLearner::resume(const OnlineSetting&,
                                                              const Record& record,
                                                              const RunContext& run) const {
  auto session = std::make_unique<GradientDescentSession>(options_, run.seed);
  session->resume(record);
  return session;
}

LearnerEntry gradient_descent_entry() {
  LearnerEntry entry;
  entry.name = "gradient-descent";
  entry.summary =
      "steps against the gradient of each loss, kept in a ball or the simplex; of two classes "
      "or numbers";
  entry.reference =
      "M. Zinkevich. Online convex programming and generalized infinitesimal gradient ascent. ICML "
      "2003";
  entry.options = gradient_descent_binding().table();
  entry.traits.regression = true;
  entry.make_online = [](const OptionValues& values) {
    return std::make_unique<GradientDescentLearner>(gradient_descent_binding().from(values));
  };
  entry.load_model = detail::load_linear_model;
  return detail::with_passes(std::move(entry));
}

}  // namespace gssl
