#include "gssl/batch/svm.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "gssl/core/error.hpp"
#include "gssl/core/index.hpp"
#include "gssl/core/option_binding.hpp"
#include "kernel/dual_report.hpp"
#include "kernel/dual_solver.hpp"

namespace gssl {
namespace {

const OptionBinding<SvmOptions>& svm_binding() {
  static const auto options =
      OptionBinding<SvmOptions>("svm")
          .text(
              &SvmOptions::kernel, "kernel",
              "an expression, a graph kernel, or auto: gaussian with beta = 1/(columns·variance), "
              "on a graph regularized(normalized=true,epsilon=0.01)")
          .real(&SvmOptions::c, "c", {.low = 0.0, .low_open = true},
                "cost of a row within the margin; inf: none may be")
          .real(&SvmOptions::tolerance, "tolerance",
                {.low = 0.0, .high = 1.0, .low_open = true, .high_open = true},
                "violation of the optimality conditions to reach")
          .choice(&SvmOptions::class_weight, "class_weight",
                  {{ClassWeight::none, "none"}, {ClassWeight::balanced, "balanced"}},
                  "balanced: c times rows / (classes · rows of the class)")
          .integer(&SvmOptions::memory, "memory", {1, 1'000'000}, "megabytes for kernel rows")
          .integer(&SvmOptions::max_steps, "max_steps", {0},
                   "pairs changed at most; 0: the larger of 10^7 and 100 rows");
  return options;
}

// The items of two classes and their costs.
struct ClassPair {
  std::vector<std::int32_t> items;
  std::vector<double> sign;
  std::vector<double> cost;
};

ClassPair pair_of(const Targets& targets, std::pair<int, int> classes,
                  const std::vector<double>& cost) {
  ClassPair pair;
  for (std::int32_t i = 0; i < static_cast<std::int32_t>(targets.size()); ++i) {
    const int k = targets.class_of()[index(i)];
    if (k != classes.first && k != classes.second) continue;
    pair.items.push_back(i);
    pair.sign.push_back(k == classes.second ? 1.0 : -1.0);
    pair.cost.push_back(cost[index(i)]);
  }
  return pair;
}

std::vector<double> costs(const SvmOptions& options, const Targets& targets,
                          std::span<const double> weights, std::size_t present) {
  std::vector<double> of_class(index(targets.class_count()), 0.0);
  for (std::size_t i = 0; i < weights.size(); ++i)
    of_class[index(targets.class_of()[i])] += weights[i];
  const double all = std::accumulate(of_class.begin(), of_class.end(), 0.0);
  std::vector<double> cost;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const double balance =
        options.class_weight == ClassWeight::balanced
            ? all / (static_cast<double>(present) * of_class[index(targets.class_of()[i])])
            : 1.0;
    cost.push_back(options.c * weights[i] * balance);
  }
  return cost;
}

// ½‖w‖² + Σ c·hinge; of a hard margin ½‖w‖² of the w that is scaled until no row is within it.
double primal_objective(const ClassPair& pair, const detail::DualSolution& dual, bool hard) {
  double loss = 0.0, least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < pair.items.size(); ++i) {
    const double margin = pair.sign[i] * (dual.f[i] + dual.bias);
    least = std::min(least, margin);
    if (!hard && margin < 1.0) loss += pair.cost[i] * (1.0 - margin);
  }
  return hard ? dual.half_square / (least * least) : dual.half_square + loss;
}

bool separates(const ClassPair& pair, const detail::DualSolution& dual) {
  for (std::size_t i = 0; i < pair.items.size(); ++i)
    if (!(pair.sign[i] * (dual.f[i] + dual.bias) > 0.0)) return false;
  return true;
}

detail::DualSolution solve_pair(const ClassPair& pair, const Gram& gram, const SvmOptions& options,
                                const RunContext& run) {
  const bool everyone = std::ssize(pair.items) == gram.size();
  const std::unique_ptr<Gram> part = everyone ? nullptr : gram.select(pair.items);
  detail::DualProblem problem{.gram = everyone ? &gram : part.get()};
  problem.item.resize(pair.items.size());
  std::iota(problem.item.begin(), problem.item.end(), 0);
  problem.sign = pair.sign;
  problem.linear.assign(pair.items.size(), -1.0);
  problem.bound = pair.cost;
  return detail::solve_dual(problem,
                            {.tolerance = options.tolerance,
                             .max_steps = options.max_steps,
                             .memory = 1e6 * static_cast<double>(options.memory)},
                            run);
}

}  // namespace

void SvmOptions::validate() const { svm_binding().validate(*this); }

SvmLearner::SvmLearner(SvmOptions options)
    : KernelMethod("svm", options.kernel, TargetKind::classes), options_(std::move(options)) {
  options_.validate();
}

Expansion SvmLearner::expand(const Gram& gram, const Targets& targets,
                             std::span<const double> weights, const RunContext& run,
                             Report& report) const {
  Expansion e;
  e.reading = Expansion::Reading::pairs;
  e.class_count = targets.class_count();
  const std::vector<std::int64_t> sizes = targets.class_sizes();
  for (std::int32_t k = 0; k < e.class_count; ++k)
    if (sizes[index(k)] > 0) e.present.push_back(k);
  const auto pairs = e.pairs();
  e.coefficients = Block(gram.size(), std::ssize(pairs));
  const std::vector<double> cost = costs(options_, targets, weights, e.present.size());
  const bool hard = std::isinf(options_.c);
  detail::DualReport all(report);
  std::vector<char> supports(targets.size(), 0);
  std::int64_t bound_vectors = 0;
  for (std::size_t p = 0; p < pairs.size(); ++p) {
    const ClassPair pair = pair_of(targets, pairs[p], cost);
    const detail::DualSolution dual = solve_pair(pair, gram, options_, run);
    const auto& names = targets.class_names();
    const bool stopped = ended_by_run(dual.outcome);
    if (hard && !stopped && (dual.unbounded || !separates(pair, dual)))
      throw Error(ErrorCode::bad_data, "svm: c=inf: no margin separates the classes '" +
                                           names[index(pairs[p].first)] + "' and '" +
                                           names[index(pairs[p].second)] +
                                           "': take a finite c, or another kernel");
    std::int64_t count = 0, bounded = 0;
    for (std::size_t i = 0; i < pair.items.size(); ++i) {
      const double alpha = dual.alpha[i];
      e.coefficients(pair.items[i], static_cast<std::int64_t>(p)) = pair.sign[i] * alpha;
      if (alpha > 0.0) {
        supports[index(pair.items[i])] = 1;
        ++count;
      }
      if (alpha == pair.cost[i]) ++bounded;
    }
    bound_vectors += bounded;
    e.bias.push_back(dual.bias);
    all.add(dual, primal_objective(pair, dual, hard), count, bounded,
            static_cast<double>(pair.items.size()));
  }
  all.finish();
  if (e.present.size() < 2)
    report.warnings.push_back("svm: all rows are of one class, which every row will get");
  const auto support_vectors = std::ranges::count(supports, 1);
  e.facts = {{"support vectors", std::to_string(support_vectors)},
             {"bound vectors", std::to_string(bound_vectors)}};
  if (e.class_count == 2) e.facts.emplace_back("positive class", targets.class_names()[1]);
  return e;
}

LearnerEntry svm_entry() {
  LearnerEntry entry;
  entry.name = "svm";
  entry.summary = "the widest margin in the space of a kernel, of points or of a graph";
  entry.reference =
      "C. Cortes, V. Vapnik. Support-vector networks. Machine Learning 20, 1995, "
      "doi:10.1007/BF00994018";
  entry.options = svm_binding().table();
  entry.make_transductive = [](const OptionValues& values) {
    return std::make_unique<SvmLearner>(svm_binding().from(values));
  };
  entry.make_inductive = [](const OptionValues& values) {
    return std::make_unique<SvmLearner>(svm_binding().from(values));
  };
  entry.load_model = [](const Record& record) { return load_kernel_model("svm", record); };
  return entry;
}

}  // namespace gssl
