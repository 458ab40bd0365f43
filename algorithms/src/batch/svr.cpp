#include "gssl/batch/svr.hpp"

#include <algorithm>
#include <cmath>

#include "gssl/core/option_binding.hpp"
#include "kernel/dual_report.hpp"
#include "kernel/dual_solver.hpp"

namespace gssl {
namespace {

const OptionBinding<SvrOptions>& svr_binding() {
  static const auto options =
      OptionBinding<SvrOptions>("svr")
          .text(
              &SvrOptions::kernel, "kernel",
              "an expression, a graph kernel, or auto: gaussian with beta = 1/(columns·variance), "
              "on a graph regularized(normalized=true,epsilon=0.01)")
          .real(&SvrOptions::c, "c", {.low = 0.0, .high = 1e100, .low_open = true},
                "cost of a unit beyond epsilon")
          .real(&SvrOptions::epsilon, "epsilon", {.low = 0.0, .high = 1e100},
                "distance from the function that costs nothing")
          .real(&SvrOptions::tolerance, "tolerance",
                {.low = 0.0, .high = 1.0, .low_open = true, .high_open = true},
                "violation of the optimality conditions to reach")
          .integer(&SvrOptions::memory, "memory", {1, 1'000'000}, "megabytes for kernel rows")
          .integer(&SvrOptions::max_steps, "max_steps", {0},
                   "pairs changed at most; 0: the larger of 10^7 and 200 rows");
  return options;
}

}  // namespace

void SvrOptions::validate() const { svr_binding().validate(*this); }

SvrLearner::SvrLearner(SvrOptions options)
    : KernelMethod("svr", options.kernel, TargetKind::reals), options_(std::move(options)) {
  options_.validate();
}

Expansion SvrLearner::expand(const Gram& gram, const Targets& targets,
                             std::span<const double> weights, const RunContext& run,
                             Report& report) const {
  const std::vector<double>& z = targets.values();
  const std::size_t n = z.size();
  // Variable i pulls f up to z_i − epsilon, variable n + i down to z_i + epsilon.
  detail::DualProblem problem{.gram = &gram};
  for (const double sign : {1.0, -1.0})
    for (std::size_t i = 0; i < n; ++i) {
      problem.item.push_back(static_cast<std::int32_t>(i));
      problem.sign.push_back(sign);
      problem.linear.push_back(options_.epsilon - sign * z[i]);
      problem.bound.push_back(options_.c * weights[i]);
    }
  const detail::DualSolution dual =
      detail::solve_dual(problem,
                         {.tolerance = options_.tolerance,
                          .max_steps = options_.max_steps,
                          .memory = 1e6 * static_cast<double>(options_.memory)},
                         run);
  Expansion e;
  e.coefficients = Block(gram.size(), 1);
  e.bias = {dual.bias};
  double primal = dual.half_square;
  std::int64_t support_vectors = 0, bounded = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const double beta = dual.alpha[i] - dual.alpha[n + i];
    e.coefficients(static_cast<std::int64_t>(i), 0) = beta;
    if (beta != 0.0) ++support_vectors;
    if (std::abs(beta) == problem.bound[i]) ++bounded;
    primal +=
        problem.bound[i] * std::max(0.0, std::abs(z[i] - dual.f[i] - dual.bias) - options_.epsilon);
  }
  detail::DualReport all(report);
  all.add(dual, primal, support_vectors, bounded, 0.0);
  all.finish();
  e.facts = {{"support vectors", std::to_string(support_vectors)},
             {"bound vectors", std::to_string(bounded)}};
  return e;
}

LearnerEntry svr_entry() {
  LearnerEntry entry;
  entry.name = "svr";
  entry.summary = "the flattest function within epsilon of the targets, in the space of a kernel";
  entry.reference =
      "A. Smola, B. Schölkopf. A tutorial on support vector regression. Statistics and Computing "
      "14, 2004, doi:10.1023/B:STCO.0000035301.49549.88";
  entry.options = svr_binding().table();
  entry.traits.classification = false;
  entry.traits.regression = true;
  entry.make_transductive = [](const OptionValues& values) {
    return std::make_unique<SvrLearner>(svr_binding().from(values));
  };
  entry.make_inductive = [](const OptionValues& values) {
    return std::make_unique<SvrLearner>(svr_binding().from(values));
  };
  entry.load_model = [](const Record& record) { return load_kernel_model("svr", record); };
  return entry;
}

}  // namespace gssl
