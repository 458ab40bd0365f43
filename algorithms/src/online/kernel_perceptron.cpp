#include "gssl/online/kernel_perceptron.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "gssl/core/error.hpp"
#include "gssl/core/option_binding.hpp"
#include "gssl/online/batch_kernel_perceptron.hpp"
#include "kernel/kernel_choice.hpp"
#include "online/counted_look.hpp"
#include "online/counted_session.hpp"
#include "online/kernel_expansion.hpp"

namespace gssl {

namespace {

constexpr const char* perceptron_kernel_help =
    "an expression, a graph kernel, or auto: of gssl online gaussian, else as of svm";
constexpr const char* kernel_help =
    "of rows: linear, gaussian(beta=1), polynomial(a=1,r=2), anova, …";

const OptionBinding<KernelPerceptronOptions>& kernel_perceptron_binding() {
  static const auto options = [] {
    OptionBinding<KernelPerceptronOptions> bound("kernel-perceptron");
    bound.text(&KernelPerceptronOptions::kernel, "kernel", perceptron_kernel_help)
        .integer(&KernelPerceptronOptions::budget, "budget", {.low = 0},
                 "mistakes that are kept, the oldest go first; 0: all")
        .flag(&KernelPerceptronOptions::ties, "ties",
              "of gssl online: update after a score of 0 whatever the outcome");
    return detail::bind_form(bound);
  }();
  return options;
}

const OptionBinding<RandomizedKernelDescentOptions>& descent_binding() {
  static const auto options = [] {
    OptionBinding<RandomizedKernelDescentOptions> bound("randomized-kernel-descent");
    bound.text(&RandomizedKernelDescentOptions::kernel, "kernel", kernel_help)
        .integer(&RandomizedKernelDescentOptions::budget, "budget", {.low = 0},
                 "rows that are kept, the oldest go first; 0: all")
        .real(&RandomizedKernelDescentOptions::rate, "rate",
              {.low = 0.0, .high = 1e100, .low_open = true}, "what an added row is multiplied by");
    return detail::bind_form(bound);
  }();
  return options;
}

std::string kernel_of_rows(const std::string& kernel) {
  if (detail::is_graph_kernel(kernel))
    throw Error(ErrorCode::usage, "kernel-perceptron: kernel " + kernel +
                                      " is of graphs: label the vertices of a graph, or take "
                                      "graph-perceptron trial by trial");
  return kernel == "auto" ? "gaussian" : kernel;
}

class KernelPerceptronLook final : public detail::CountedLook {
 public:
  KernelPerceptronLook(detail::KernelExpansion expansion, const detail::AddedRows& added,
                       RunContext run)
      : run_(std::move(run)), expansion_(std::move(expansion)), added_(added) {
    add("the last function", expansion_.last());
    add("the function of the model", expansion_.left());
  }

 private:
  void add(const char* name, std::vector<double> coefficients) {
    if (!coefficients_.empty() && coefficients_.back() == coefficients) return;
    comparators_.push_back({name, 0.0, {}});
    coefficients_.push_back(std::move(coefficients));
  }
  void see_trial(const Instance& instance, const Revealed& outcome, double times) override {
    const double sign = detail::checked_class(outcome.value, 2) == 1 ? 1.0 : -1.0;
    expansion_.hold("kernel-perceptron", instance);
    const std::vector<double> products = expansion_.products(run_);
    for (std::size_t f = 0; f < coefficients_.size(); ++f) {
      double score = 0.0, size = 0.0;
      for (std::size_t i = 0; i < products.size(); ++i) {
        const double term = coefficients_[f][i] * products[i];
        score += term;
        size += std::abs(term);
      }
      comparators_[f].margins.add(sign * score - kernel_digits * size, times);
    }
  }
  // With what the norm may be off by: no term a_i a_j K_ij exceeds |a_i a_j| R².
  void prove_seen(OnlineReport& report) const override {
    std::vector<detail::PerceptronComparator> measured = comparators_;
    for (std::size_t f = 0; f < measured.size(); ++f) {
      double sum = 0.0;
      for (const double a : coefficients_[f]) sum += std::abs(a);
      const double slack = kernel_digits * sum * sum * added_.largest;
      measured[f].norm =
          std::sqrt(std::max(0.0, expansion_.norm_square(coefficients_[f], run_)) + slack);
    }
    detail::prove_perceptron(report, added_, measured);
  }

  // What a kernel's value may be off by.
  static constexpr double kernel_digits = 1e-12;

  RunContext run_;
  detail::KernelExpansion expansion_;
  detail::AddedRows added_;
  std::vector<std::vector<double>> coefficients_;
  std::vector<detail::PerceptronComparator> comparators_;
};

class KernelPerceptronSession final : public detail::CountedSession {
 public:
  KernelPerceptronSession(const KernelPerceptronOptions& options, RunContext run,
                          std::int64_t width)
      : options_(options),
        run_(std::move(run)),
        expansion_(kernel_of_rows(options.kernel), options.budget, options.form, run_.seed) {
    expansion_.widen(width);
  }

  double predict(const Instance& instance) override {
    expansion_.hold("kernel-perceptron", instance);
    score_ = expansion_.score(run_);
    return expect(score_ >= 0.0 ? 1.0 : 0.0);
  }

  double update(const Revealed& outcome) override {
    const int truth = detail::checked_class(outcome.value, 2);
    const double predicted = take();
    if (predicted != truth || (options_.ties && score_ == 0.0)) {
      const double sign = truth == 1 ? 1.0 : -1.0;
      const double square = expansion_.square();
      added_.largest = std::max(added_.largest, square);
      added_.sum += square;
      // ‖w + y φ(x)‖² = ‖w‖² + 2 y w·φ(x) + K(x, x)
      weight_square_ += 2.0 * sign * score_ + square;
      expansion_.add(sign);
      ++updates_;
    }
    expansion_.end_trial();
    return count_class(predicted, truth);
  }

  OnlineReport report() const override {
    OnlineReport report = counted("mistakes");
    const auto updates = static_cast<double>(updates_);
    report.certificates = {{"updates", {updates}}};
    if (options_.budget == 0) {
      report.certificates.push_back({"weight_square", {weight_square_}});
      report.certificates.push_back({"added_square", {added_.largest * updates}});
    }
    report.certificates.push_back({"rows_kept", {static_cast<double>(expansion_.rows())}});
    report.bound_name =
        expansion_.dropped() > 0
            ? "none: rows were left for the budget, and with them what is proved"
            : "none without a second look at the stream, for a function u and its loss";
    return report;
  }

  std::unique_ptr<SecondLook> second_look() const override {
    if (expansion_.dropped() > 0) return nullptr;
    return std::make_unique<KernelPerceptronLook>(expansion_, added_, run_);
  }

  void save(Record& record) const override {
    save_counts(record);
    Record expansion;
    expansion_.save(expansion);
    record.put("expansion", expansion);
    record.put("updates", updates_);
    record.put("squares", std::vector<double>{added_.largest, added_.sum, weight_square_});
  }

  void resume(const Record& record) {
    resume_counts(record);
    expansion_.resume(record.child("expansion"));
    updates_ = record.integer("updates");
    const std::vector<double>& squares = record.reals("squares", 3);
    added_ = {.largest = squares[0], .sum = squares[1]};
    weight_square_ = squares[2];
  }

  std::unique_ptr<Model> model() const override { return expansion_.model("kernel-perceptron"); }

 private:
  KernelPerceptronOptions options_;
  RunContext run_;
  detail::KernelExpansion expansion_;
  double score_ = 0.0;  // of the trial that has begun
  std::int64_t updates_ = 0;
  detail::AddedRows added_;
  double weight_square_ = 0.0;
};

class RandomizedKernelDescentSession final : public detail::CountedSession {
 public:
  RandomizedKernelDescentSession(const RandomizedKernelDescentOptions& options, RunContext run,
                                 std::int64_t width)
      : options_(options),
        seed_(run.seed),
        run_(std::move(run)),
        expansion_(options.kernel, options.budget, options.form, seed_) {
    expansion_.widen(width);
  }

  double predict(const Instance& instance) override {
    expansion_.hold("randomized-kernel-descent", instance);
    score_ = expansion_.score(run_);
    Rng rng(seed_, static_cast<std::uint64_t>(trials()));
    return expect(score_ >= 2.0 * rng.uniform() - 1.0 ? 1.0 : 0.0);
  }

  double update(const Revealed& outcome) override {
    const int truth = detail::checked_class(outcome.value, 2);
    const double predicted = take();
    const double sign = truth == 1 ? 1.0 : -1.0;
    hinge_ += std::max(0.0, 1.0 - sign * score_);
    if (sign * score_ <= 1.0) {
      squares_ += expansion_.square();
      expansion_.add(sign * options_.rate);
    }
    expansion_.end_trial();
    return count_class(predicted, truth);
  }

  OnlineReport report() const override {
    OnlineReport report = counted("mistakes");
    report.bound = hinge_ / 2.0;
    report.bound_name = "half the hinge loss of the run, in the mean";
    report.bound_in_expectation = true;
    report.certificates = {{"hinge_loss", {hinge_}},
                           {"added_square", {squares_}},
                           {"rows_kept", {static_cast<double>(expansion_.rows())}}};
    return report;
  }

  void save(Record& record) const override {
    save_counts(record);
    Record expansion;
    expansion_.save(expansion);
    record.put("expansion", expansion);
    record.put("seed", static_cast<std::int64_t>(seed_));
    record.put("sums", std::vector<double>{hinge_, squares_});
  }

  void resume(const Record& record) {
    resume_counts(record);
    expansion_.resume(record.child("expansion"));
    seed_ = static_cast<std::uint64_t>(record.integer("seed"));
    const std::vector<double>& sums = record.reals("sums", 2);
    hinge_ = sums[0];
    squares_ = sums[1];
  }

  std::unique_ptr<Model> model() const override {
    return expansion_.model("randomized-kernel-descent");
  }

 private:
  RandomizedKernelDescentOptions options_;
  std::uint64_t seed_;
  RunContext run_;
  detail::KernelExpansion expansion_;
  double score_ = 0.0;
  double hinge_ = 0.0;
  double squares_ = 0.0;  // Σ K(x, x) of the rows that were added
};

}  // namespace

void KernelPerceptronOptions::validate() const {
  kernel_perceptron_binding().validate(*this);
  detail::check_kernel("kernel-perceptron", kernel);
  detail::check_form("kernel-perceptron", form, budget);
}

void RandomizedKernelDescentOptions::validate() const {
  descent_binding().validate(*this);
  make_kernel(kernel);
  detail::check_form("randomized-kernel-descent", form, budget);
}

KernelPerceptronLearner::KernelPerceptronLearner(KernelPerceptronOptions options)
    : options_(std::move(options)) {
  options_.validate();
}

std::unique_ptr<OnlineSession> KernelPerceptronLearner::start(const OnlineSetting& setting,
                                                              const RunContext& run) const {
  detail::check_two_classes("kernel-perceptron", setting);
  return std::make_unique<KernelPerceptronSession>(options_, run, setting.width);
}

std::unique_ptr<OnlineSession> KernelPerceptronLearner::resume(const OnlineSetting&,
                                                               const Record& record,
                                                               const RunContext& run) const {
  auto session = std::make_unique<KernelPerceptronSession>(options_, run, 0);
  session->resume(record);
  return session;
}

RandomizedKernelDescentLearner::RandomizedKernelDescentLearner(
    RandomizedKernelDescentOptions options)
    : options_(std::move(options)) {
  options_.validate();
}

std::unique_ptr<OnlineSession> RandomizedKernelDescentLearner::start(const OnlineSetting& setting,
                                                                     const RunContext& run) const {
  detail::check_two_classes("randomized-kernel-descent", setting);
  return std::make_unique<RandomizedKernelDescentSession>(options_, run, setting.width);
}

std::unique_ptr<OnlineSession> RandomizedKernelDescentLearner::resume(const OnlineSetting&,
                                                                      const Record& record,
                                                                      const RunContext& run) const {
  auto session = std::make_unique<RandomizedKernelDescentSession>(options_, run, 0);
  session->resume(record);
  return session;
}

namespace {

std::unique_ptr<BatchKernelPerceptronLearner> in_passes(const OptionValues& values, int usual) {
  const auto passes = static_cast<int>(values.integer("passes"));
  const KernelPerceptronOptions options = kernel_perceptron_binding().from(values);
  return std::make_unique<BatchKernelPerceptronLearner>(
      BatchKernelPerceptronOptions{.kernel = options.kernel,
                                   .passes = passes == 0 ? usual : passes,
                                   .budget = options.budget,
                                   .form = options.form});
}

}  // namespace

LearnerEntry kernel_perceptron_entry() {
  LearnerEntry entry;
  entry.name = "kernel-perceptron";
  entry.summary = "adds the rows that it mistook, in the space of a kernel; online of two classes";
  entry.reference =
      "Y. Freund, R. Schapire. Large margin classification using the perceptron algorithm. Machine "
      "Learning 37, 1999, doi:10.1023/A:1007662407062";
  entry.options = kernel_perceptron_binding().table();
  entry.options.integer("passes", 0, {.low = 0, .high = 1'000'000'000},
                        "of gssl fit and label: over the rows, at most; 0: 10, on a graph 1000");
  entry.make_online = [](const OptionValues& values) {
    return std::make_unique<KernelPerceptronLearner>(kernel_perceptron_binding().from(values));
  };
  entry.make_inductive = [](const OptionValues& values) {
    return in_passes(values, BatchKernelPerceptronOptions{}.passes);
  };
  // Labels of a graph can be told apart, and are few.
  entry.make_transductive = [](const OptionValues& values) { return in_passes(values, 1000); };
  // A model of a batch says how its outputs are read, one of a session does not.
  entry.load_model = [](const Record& record) {
    return record.has("reading") ? load_kernel_model("kernel-perceptron", record)
                                 : detail::load_kernel_model(record);
  };
  return entry;
}

LearnerEntry randomized_kernel_descent_entry() {
  LearnerEntry entry;
  entry.name = "randomized-kernel-descent";
  entry.summary = "gradient steps in the space of a kernel, one of two classes drawn by the score";
  entry.reference =
      "S. Shalev-Shwartz. Online learning and online convex optimization. Foundations and Trends "
      "in "
      "Machine Learning 4, 2012, doi:10.1561/2200000018";
  entry.options = descent_binding().table();
  entry.make_online = [](const OptionValues& values) {
    return std::make_unique<RandomizedKernelDescentLearner>(descent_binding().from(values));
  };
  entry.load_model = detail::load_kernel_model;
  return detail::with_passes(std::move(entry));
}

}  // namespace gssl
