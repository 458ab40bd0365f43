#include "gssl/batch/kernel_ridge.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

#include "gssl/core/error.hpp"
#include "gssl/core/index.hpp"
#include "gssl/core/number_text.hpp"
#include "gssl/core/option_binding.hpp"
#include "kernel/dense_cholesky.hpp"
#include "kernel/lower_gram.hpp"

namespace gssl {
namespace {

constexpr std::int64_t small = 2'000;  // rows up to which the factor is double
constexpr double refined = 1e-12;      // relative residual
constexpr int most_refinements = 20;
constexpr double least_gain = 4.0;  // of a refinement

const OptionBinding<KernelRidgeOptions>& kernel_ridge_binding() {
  static const auto options =
      OptionBinding<KernelRidgeOptions>("kernel-ridge")
          .text(
              &KernelRidgeOptions::kernel, "kernel",
              "an expression, a graph kernel, or auto: gaussian with beta = 1/(columns·variance), "
              "on a graph regularized(normalized=true,epsilon=0.01)")
          .real(&KernelRidgeOptions::lambda, "lambda", {.low = 0.0, .high = 1e100},
                "weight of the penalty ‖f‖²")
          .flag(&KernelRidgeOptions::bias, "bias", "a constant that is not penalized")
          .flag(&KernelRidgeOptions::leave_one_out, "leave_one_out",
                "report the error of leaving out each row in turn");
  return options;
}

// Largest over columns of ‖r‖/‖b‖; a column of zeros counts 0.
double relative(const Block& r, const Block& b) {
  double worst = 0.0;
  for (std::int64_t o = 0; o < b.columns(); ++o) {
    double left = 0.0, right = 0.0;
    for (std::int64_t i = 0; i < b.rows(); ++i) {
      left += r(i, o) * r(i, o);
      right += b(i, o) * b(i, o);
    }
    if (left > 0.0) worst = std::max(worst, std::sqrt(left / right));
  }
  return worst;
}

// x = (K + diag ridge)⁻¹ b, with what is known of it.
struct Solved {
  Block x = {};
  double relative_residual = 0.0;
  int refinements = 0;
  bool single_precision = false;
  std::vector<double> inverse_diagonal = {};
};

template <class Real>
void refine(detail::LowerGram& gram, const std::vector<double>& ridge,
            const detail::DenseCholesky<Real>& factor, const Block& b, double target,
            const RunContext& run, Solved& solved) {
  solved.x = b;
  factor.solve(solved.x, run.thread_count());
  Block r = gram.residual(ridge, solved.x, b, run);
  solved.relative_residual = relative(r, b);
  while (solved.relative_residual > target && solved.refinements < most_refinements) {
    factor.solve(r, run.thread_count());
    Block next = solved.x;
    for (std::size_t i = 0; i < next.values().size(); ++i) next.data()[i] += r.data()[i];
    r = gram.residual(ridge, next, b, run);
    const double now = relative(r, b);
    const bool gains = now * least_gain <= solved.relative_residual;
    if (now < solved.relative_residual) {
      solved.x = std::move(next);
      solved.relative_residual = now;
      ++solved.refinements;
    }
    if (!gains) break;
  }
}

Solved solve(const Gram& gram, const std::vector<double>& ridge, const Block& b, bool leave_one_out,
             const RunContext& run) {
  detail::LowerGram lower(gram);
  if (gram.size() > small && !leave_one_out && gram.fits_float()) {
    const detail::DenseCholesky<float> factor(lower.plus_diagonal<float>(ridge, run), run);
    if (factor.positive()) {
      Solved solved;
      solved.single_precision = true;
      refine(lower, ridge, factor, b, refined, run, solved);
      if (solved.relative_residual <= refined) return solved;
    }
  }
  const detail::DenseCholesky<double> factor(lower.plus_diagonal<double>(ridge, run), run);
  if (!factor.positive())
    throw Error(ErrorCode::bad_data,
                "kernel-ridge: the kernel matrix plus lambda is singular: take lambda > 0, or a "
                "larger one");
  Solved solved;
  refine(lower, ridge, factor, b, refined, run, solved);
  if (leave_one_out) solved.inverse_diagonal = factor.inverse_diagonal(run);
  return solved;
}

// Mean square of what is missed, or the share of rows that another class would get.
double error_of(const Targets& targets, const Block& y, const Block& missed) {
  double sum = 0.0;
  for (std::int64_t i = 0; i < y.rows(); ++i) {
    if (targets.is_regression()) {
      sum += missed(i, 0) * missed(i, 0);
      continue;
    }
    int best = 0;
    for (int k = 1; k < y.columns(); ++k)
      if (y(i, k) - missed(i, k) > y(i, best) - missed(i, best)) best = k;
    sum += best == targets.class_of()[index(i)] ? 0.0 : 1.0;
  }
  return sum / static_cast<double>(y.rows());
}

std::vector<std::int32_t> classes_present(const Targets& targets) {
  std::vector<std::int32_t> present;
  const std::vector<std::int64_t> sizes = targets.class_sizes();
  for (std::int32_t k = 0; k < std::ssize(sizes); ++k)
    if (sizes[index(k)] > 0) present.push_back(k);
  return present;
}

}  // namespace

void KernelRidgeOptions::validate() const { kernel_ridge_binding().validate(*this); }

KernelRidgeLearner::KernelRidgeLearner(KernelRidgeOptions options)
    : KernelMethod("kernel-ridge", options.kernel, TargetKind::both), options_(std::move(options)) {
  options_.validate();
}

Expansion KernelRidgeLearner::expand(const Gram& gram, const Targets& targets,
                                     std::span<const double> weights, const RunContext& run,
                                     Report& report) const {
  const Block y = targets.block();
  const std::int64_t n = y.rows(), outputs = y.columns();
  std::vector<double> ridge;
  for (const double w : weights) ridge.push_back(options_.lambda / w);
  Block b(n, outputs + (options_.bias ? 1 : 0), 1.0);
  for (std::int64_t i = 0; i < n; ++i) std::ranges::copy(y.row(i), b.row(i).begin());
  const Solved solved = solve(gram, ridge, b, options_.leave_one_out, run);

  Expansion e;
  e.reading = targets.is_regression() ? Expansion::Reading::value : Expansion::Reading::classes;
  e.class_count = targets.class_count();
  e.present = classes_present(targets);
  e.coefficients = Block(n, outputs);
  double ones = 0.0;  // 1ᵀG⁻¹1
  for (std::int64_t i = 0; options_.bias && i < n; ++i) ones += solved.x(i, outputs);
  for (std::int64_t o = 0; o < outputs; ++o) {
    double sum = 0.0;
    for (std::int64_t i = 0; i < n; ++i) sum += solved.x(i, o);
    e.bias.push_back(options_.bias ? sum / ones : 0.0);
    for (std::int64_t i = 0; i < n; ++i)
      e.coefficients(i, o) =
          solved.x(i, o) - (options_.bias ? e.bias.back() * solved.x(i, outputs) : 0.0);
  }

  Block missed(n, outputs);  // y − f = ridge·c
  for (std::int64_t i = 0; i < n; ++i)
    for (std::int64_t o = 0; o < outputs; ++o)
      missed(i, o) = ridge[index(i)] * e.coefficients(i, o);
  report.certificates.push_back({"relative_residual", {solved.relative_residual}});
  report.certificates.push_back({"training_error", {error_of(targets, y, missed)}});
  if (options_.leave_one_out) {
    for (std::int64_t i = 0; i < n; ++i) {
      const double u = options_.bias ? solved.x(i, outputs) : 0.0;
      const double diagonal =
          solved.inverse_diagonal[index(i)] - (options_.bias ? u * u / ones : 0.0);
      for (std::int64_t o = 0; o < outputs; ++o)
        missed(i, o) = diagonal > 0.0 ? e.coefficients(i, o) / diagonal : y(i, o);
    }
    report.certificates.push_back({"leave_one_out_error", {error_of(targets, y, missed)}});
  }
  Ending& how = report;
  how.requested = how.used = "cholesky";
  how.iterations = std::max<std::int64_t>(how.iterations, solved.refinements);
  std::optional<double>& worst = report.system_numbers().relative_residual;
  worst = std::max(worst, std::optional(solved.relative_residual));
  how.sentence = std::string("Cholesky factor in ") +
                 (solved.single_precision ? "single" : "double") + " precision, " +
                 std::to_string(solved.refinements) + " refinements, relative residual " +
                 to_brief_text(solved.relative_residual);
  e.facts = {{"lambda", to_text(options_.lambda)}};
  return e;
}

LearnerEntry kernel_ridge_entry() {
  LearnerEntry entry;
  entry.name = "kernel-ridge";
  entry.summary = "least squares in the space of a kernel, of points or of a graph";
  entry.reference =
      "C. Saunders, A. Gammerman, V. Vovk. Ridge regression learning algorithm in dual variables. "
      "ICML 1998";
  entry.options = kernel_ridge_binding().table();
  entry.traits.regression = true;
  entry.make_transductive = [](const OptionValues& values) {
    return std::make_unique<KernelRidgeLearner>(kernel_ridge_binding().from(values));
  };
  entry.make_inductive = [](const OptionValues& values) {
    return std::make_unique<KernelRidgeLearner>(kernel_ridge_binding().from(values));
  };
  entry.load_model = [](const Record& record) { return load_kernel_model("kernel-ridge", record); };
  return entry;
}

}  // namespace gssl
