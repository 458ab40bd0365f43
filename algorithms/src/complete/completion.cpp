#include "gssl/complete/completion.hpp"

#include <cmath>
#include <limits>
#include <memory>
#include <utility>

#include "gssl/core/option_binding.hpp"
#include "gssl/learn/registry.hpp"

namespace gssl {
namespace {

constexpr RealRange positive{.low = 0.0, .high = 1e100, .low_open = true};

const OptionBinding<AlsOptions>& als_binding() {
  static const auto options =
      OptionBinding<AlsOptions>("als")
          .integer(&AlsOptions::rank, "rank", {.low = 0, .high = 10'000},
                   "columns of the factors; 0: biases alone")
          .real(&AlsOptions::lambda, "lambda", positive, "weight of ‖U‖² + ‖V‖²")
          .real(&AlsOptions::bias_lambda, "bias-lambda", positive, "weight of the squared biases")
          .flag(&AlsOptions::biases, "biases", "mean and biases of rows and columns first")
          .integer(&AlsOptions::sweeps, "sweeps", {.low = 1}, "most sweeps")
          .real(&AlsOptions::tolerance, "tolerance", {.low = 0.0, .high = 1.0},
                "stop where a sweep lowers the objective by less, relatively");
  return options;
}

const OptionBinding<SoftImputeOptions>& soft_impute_binding() {
  static const auto options =
      OptionBinding<SoftImputeOptions>("soft-impute")
          .real(&SoftImputeOptions::lambda, "lambda", positive,
                "weight of the nuclear norm: the last of the path")
          .integer(&SoftImputeOptions::path, "path", {.low = 1, .high = 10'000},
                   "values of lambda, in equal ratios")
          .flag(&SoftImputeOptions::biases, "biases", "mean and biases of rows and columns first")
          .real(&SoftImputeOptions::bias_lambda, "bias-lambda", positive,
                "weight of the squared biases")
          .integer(&SoftImputeOptions::steps, "steps", {.low = 1}, "most steps for each lambda")
          .real(&SoftImputeOptions::tolerance, "tolerance", {.low = 1e-14, .high = 1.0},
                "of the duality gap, relative to the objective");
  return options;
}

// One of the two functions of completion.hpp with its options.
template <class Options, class Function>
class OptionsCompleter final : public Completer {
 public:
  OptionsCompleter(Options options, Function complete_by)
      : options_(std::move(options)), complete_by_(complete_by) {
    options_.validate();
  }

  Completion complete(const Cells& cells, const RunContext& run,
                      const Cells* held_out) const override {
    return complete_by_(cells, options_, run, held_out);
  }

 private:
  Options options_;
  Function complete_by_;
};

// What both have; a value is all that they give.
template <class Options, class Function>
LearnerEntry completer_entry(const OptionBinding<Options>& binding, Function complete_by) {
  LearnerEntry entry;
  entry.options = binding.table();
  entry.traits.classification = false;
  entry.traits.regression = true;
  entry.make_completer = [&binding, complete_by](const OptionValues& values) {
    return std::make_unique<OptionsCompleter<Options, Function>>(binding.from(values), complete_by);
  };
  return entry;
}

}  // namespace

void AlsOptions::validate() const { als_binding().validate(*this); }
void SoftImputeOptions::validate() const { soft_impute_binding().validate(*this); }

LearnerEntry als_entry() {
  LearnerEntry entry = completer_entry(
      als_binding(), [](const Cells& cells, const AlsOptions& options, const RunContext& run,
                        const Cells*) { return complete_by_als(cells, options, run); });
  entry.name = "als";
  entry.summary = "biases of rows and columns, and a product of thin factors, fitted in turn";
  entry.reference =
      "Y. Koren, R. Bell, C. Volinsky. Matrix factorization techniques for recommender systems. "
      "Computer 42, 2009, doi:10.1109/MC.2009.263";
  return entry;
}

LearnerEntry soft_impute_entry() {
  LearnerEntry entry = completer_entry(soft_impute_binding(), complete_by_soft_impute);
  entry.name = "soft-impute";
  entry.summary = "the nearest matrix of small singular values, along a path of penalties";
  entry.reference =
      "R. Mazumder, T. Hastie, R. Tibshirani. Spectral regularization algorithms for learning "
      "large incomplete matrices. JMLR 11, 2010, 2287-2322";
  return entry;
}

double root_mean_square_error(const Completion& completion, const Cells& cells) {
  double sum = 0.0;
  for (std::size_t i = 0; i < cells.value.size(); ++i) {
    const double error = cells.value[i] - completion.value(cells.row[i], cells.column[i]);
    sum += error * error;
  }
  return cells.value.empty() ? std::numeric_limits<double>::quiet_NaN()
                             : std::sqrt(sum / static_cast<double>(cells.value.size()));
}

}  // namespace gssl
