#include "gssl/complete/completion.hpp"

#include <cmath>
#include <limits>

#include "gssl/core/error.hpp"
#include "gssl/core/option_binding.hpp"

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

struct Spec {
  std::string name;
  OptionValues values;
};

Spec parse(std::string_view spec) {
  const auto [name, assignments] = split_spec(spec);
  std::string names;
  for (const CompletionMethod& method : completion_methods()) {
    if (method.name == name) return {method.name, method.options.parse(assignments, name)};
    names += (names.empty() ? "" : ", ") + method.name;
  }
  throw Error(ErrorCode::usage, "method " + std::string(name) + ": must be one of " + names);
}

}  // namespace

void AlsOptions::validate() const { als_binding().validate(*this); }
void SoftImputeOptions::validate() const { soft_impute_binding().validate(*this); }

double Completion::value(std::int64_t row, std::int64_t column) const {
  double sum = mean + row_bias[static_cast<std::size_t>(row)] +
               column_bias[static_cast<std::size_t>(column)];
  const std::span<const double> left = u.row(row), right = v.row(column);
  for (std::size_t k = 0; k < left.size(); ++k) sum += left[k] * right[k];
  return sum;
}

std::vector<CompletionMethod> completion_methods() {
  return {{"als", als_binding().table()}, {"soft-impute", soft_impute_binding().table()}};
}

std::string completion_spec(std::string_view spec) {
  const Spec parsed = parse(spec);
  return parsed.name + ":" + parsed.values.echo();
}

Completion complete(const Cells& cells, std::string_view spec, const RunContext& run,
                    const Cells* held_out) {
  const Spec parsed = parse(spec);
  if (parsed.name == "als") return complete_by_als(cells, als_binding().from(parsed.values), run);
  return complete_by_soft_impute(cells, soft_impute_binding().from(parsed.values), run, held_out);
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
