#include "choose_spectrum.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <string_view>
#include <utility>

#include "gssl/core/number_text.hpp"
#include "gssl/solve/cost_model.hpp"
#include "spectrum_probe.hpp"

namespace gssl::solve {
namespace {

constexpr int probe_steps = 30;
// After so few they may tell that a polynomial is hopeless.
constexpr int first_probe_steps = 10;
// A filter damps what lies above the place of this many eigenvalues, times the pairs wanted, plus…
constexpr double edge_share = 2.0;
constexpr double edge_extra = 12.0;
// One application grows the wanted directions by e to this power over the others.
constexpr double growth = 2.0;
constexpr int least_degree = 4;
constexpr int most_degree = 2000;
// A filter may take so many times the products planned.
constexpr double patience = 2.0;
constexpr int most_attempts = 4;
// The inverse is wanted to this part of the tolerance asked for.
constexpr double solve_share = 1e-3;

constexpr std::string_view exact_name = "a factor";
// Misses that tell that a factor of floats has not the digits asked for.
constexpr int few_misses = 2;

// A shift is this part of the largest eigenvalue wanted.
constexpr double shift_share = 1e-6;
// …but at least this part of the bound: eigenvalues below it are not told from 0.
constexpr double least_shift_share = 1e-14;

constexpr double most_factor_bytes = 6e9;

struct FilterPlan {
  FilterShape shape;
  double value = 0.0;     // of the last pair wanted, about
  double products = 0.0;  // in all
};

// The basis has to hold the pairs before any is good, so steps grow with their number and hardly
// with the digits. Of grids, k-NN graphs in 2 to 20 dimensions and RMAT graphs of 8,000 to 80,000
// vertices, 25 to 100 pairs: 0.75 to 1.4 times this; ten pairs 0.7 to 1.8. An inverse takes as many
// times its steps for ten pairs.
double filter_steps(double wanted) { return 20.0 + 1.2 * wanted; }
double inverse_steps(std::int64_t wanted) {
  return cost_model().inverse_steps * filter_steps(static_cast<double>(wanted)) /
         filter_steps(10.0);
}

FilterPlan plan_filter(const ConnectedLaplacian& laplacian, const SpectrumEstimate& probe,
                       std::int64_t wanted) {
  FilterPlan plan;
  const auto k = static_cast<double>(wanted);
  plan.value = probe.value_at(k);
  plan.shape.edge = std::clamp(probe.value_at(edge_share * k + edge_extra),
                               1.05 * plan.value + 1e-300, 0.9 * laplacian.bound());
  const double center = (laplacian.bound() + plan.shape.edge) / 2.0;
  const double half_width = (laplacian.bound() - plan.shape.edge) / 2.0;
  const double rate = std::acosh(
      std::max(1.0 + 1e-12, (center - std::min(plan.value, 0.95 * plan.shape.edge)) / half_width));
  plan.shape.degree = static_cast<int>(
      std::clamp(std::ceil(growth / rate), double{least_degree}, double{most_degree}));
  plan.products = filter_steps(k) * plan.shape.degree;
  return plan;
}

struct Inverse {
  std::unique_ptr<SpectralOperator> a;
  std::string by;
};

Inverse iterative(const ConnectedLaplacian& laplacian, double shift, double tolerance,
                  const RunContext& run) {
  Inverse inverse;
  inverse.a = make_iterative_inverse(
      laplacian, shift, std::clamp(solve_share * tolerance, 1e-12, 1e-6), run, inverse.by);
  return inverse;
}

// Whether the seconds that a factor takes to make and use are worth it.
using Affordable = std::function<bool(double seconds)>;

// What is asked of a factor before it is made.
std::function<bool(const FactorSize&)> acceptance(std::int64_t wanted,
                                                  const Affordable& affordable) {
  return [&affordable, wanted](const FactorSize& factor) {
    return 16.0 * factor.nonzeros <= most_factor_bytes &&
           affordable(factor.flops * cost_model().factor_flop +
                      inverse_steps(wanted) * factor.nonzeros * cost_model().factor_entry);
  };
}

// By a factor of doubles; no operator if that is not affordable.
Inverse exact(const ConnectedLaplacian& laplacian, double shift, std::int64_t wanted,
              const Affordable& affordable, const RunContext& run) {
  return {make_exact_inverse(laplacian, shift, run, acceptance(wanted, affordable)),
          std::string(exact_name)};
}

// The seconds that the methods would take.
struct Costs {
  double ordering = 0.0;   // of a factorization
  double iterative = 0.0;  // inversion without a factor
  double filter = 0.0;
};

Costs costs_of(const ConnectedLaplacian& laplacian, std::int64_t wanted, double products) {
  const auto rows = static_cast<double>(laplacian.size());
  const auto edges = static_cast<double>(laplacian.system()->graph().edge_count());
  const CostModel& cost = cost_model();
  const double product = 2.0 * edges * cost.block_entry + rows * cost.block_row;
  Costs costs;
  costs.ordering = cost.ordering * (rows + edges);
  costs.iterative = inverse_steps(wanted) * cost.inverse_products * product + costs.ordering;
  costs.filter = cost.filter_product * products * product;
  return costs;
}

// Of a run that was stopped before there was anything to iterate with.
FoundPairs nothing_found(const std::string& reason, const RunContext& run) {
  FoundPairs found{{}, "inversion", reason, {}};
  found.pairs.outcome = run.stop_reason();
  return found;
}

// Where a piece that hangs by almost nothing makes eigenvalues near 0 that leave the others no
// digits, the run is made again with a shift far below them: `value` says about where they are.
// Where that was said too high, again with a smaller one.
FoundPairs by_inversion(const ConnectedLaplacian& laplacian, LanczosOptions lanczos, double value,
                        double most_seconds, Inverse inverse, const std::string& reason,
                        const RunContext& run) {
  const auto affordable = [&](double seconds) { return seconds <= most_seconds; };
  if (inverse.a == nullptr && !run.should_stop())
    inverse = iterative(laplacian, 0.0, lanczos.tolerance, run);
  if (run.should_stop()) return nothing_found(reason, run);
  lanczos.stop_if_too_wide = true;
  const int usual_misses = lanczos.most_misses;
  const bool floats = inverse.by == exact_name;
  if (floats) lanczos.most_misses = few_misses;
  FoundPairs found{smallest_pairs(laplacian, *inverse.a, lanczos, run),
                   "inversion",
                   reason + ", inverted by " + inverse.by,
                   {}};
  // Digits are scarce in all that follows.
  lanczos.most_misses = usual_misses;
  lanczos.orthogonality = Orthogonality::full;
  const auto wants_shift = [&] {
    return found.pairs.too_wide || (found.pairs.outcome == Outcome::iteration_limit &&
                                    found.pairs.values.front() < shift_share * value);
  };
  if (floats && found.pairs.outcome == Outcome::iteration_limit && !wants_shift()) {
    const std::int64_t steps = found.pairs.steps;
    inverse.a.reset();
    Inverse doubles = exact(laplacian, 0.0, lanczos.wanted, affordable, run);
    if (doubles.a == nullptr) return found;
    inverse = std::move(doubles);
    found = {smallest_pairs(laplacian, *inverse.a, lanczos, run),
             "inversion",
             reason + ", inverted by a factor of doubles",
             {}};
    found.pairs.steps += steps;
  }
  if (!wants_shift()) return found;
  lanczos.stop_if_too_wide = false;
  const double least_shift = least_shift_share * laplacian.bound();
  double shift = std::max(shift_share * value, least_shift);
  for (;; shift = std::max(shift_share * shift, least_shift)) {
    lanczos.stop_below = shift > least_shift ? shift : 0.0;
    const std::int64_t steps = found.pairs.steps;
    inverse.a.reset();
    inverse = exact(laplacian, shift, lanczos.wanted, affordable, run);
    if (inverse.a == nullptr && !run.should_stop())
      inverse = iterative(laplacian, shift, lanczos.tolerance, run);
    if (run.should_stop()) return nothing_found(reason, run);
    found = {smallest_pairs(laplacian, *inverse.a, lanczos, run),
             "inversion",
             reason + ", inverted with shift " + to_brief_text(shift) + " by " + inverse.by,
             {}};
    found.pairs.steps += steps;
    if (!found.pairs.too_narrow) return found;
  }
}

// One run, with as many steps as the plan allows.
RitzPairs filtered(const ConnectedLaplacian& laplacian, LanczosOptions lanczos,
                   const FilterPlan& plan, const RunContext& run) {
  lanczos.max_steps =
      std::min(lanczos.max_steps,
               static_cast<std::int64_t>(patience * plan.products / plan.shape.degree) + 20);
  return smallest_pairs(laplacian, *make_filter(laplacian, plan.shape), lanczos, run);
}

std::string filter_reason(const FilterPlan& plan) {
  return "a polynomial of degree " + std::to_string(plan.shape.degree) + " on blocks of products";
}

FoundPairs by_filter(const ConnectedLaplacian& laplacian, const LanczosOptions& lanczos,
                     FilterPlan plan, const RunContext& run) {
  FoundPairs found{{}, "lanczos", "", {}};
  for (int attempt = 0;; ++attempt) {
    found.pairs = filtered(laplacian, lanczos, plan, run);
    found.reason = "as asked, " + filter_reason(plan);
    if (found.pairs.outcome != Outcome::iteration_limit || attempt == most_attempts) return found;
    // The pairs wanted may lie above the edge, or far below it.
    plan.shape.edge = std::min(std::max(1.5 * plan.shape.edge, 1.2 * found.pairs.values.back()),
                               0.9 * laplacian.bound());
    plan.products *= 4.0;
  }
}

// As find_pairs, with the order of the rows apart.
FoundPairs choose(ConnectedLaplacian& laplacian, std::vector<VertexId>& order, std::int64_t wanted,
                  const SpectrumOptions& options, const RunContext& run) {
  const LanczosOptions lanczos{.wanted = wanted, .tolerance = options.tolerance};
  std::optional<SpectrumProbe> probe(std::in_place, laplacian, run);
  FilterPlan plan;
  Costs costs;
  const auto look = [&](int steps) {
    probe->advance(steps);
    plan = plan_filter(laplacian, probe->estimate(), wanted);
    costs = costs_of(laplacian, wanted, plan.products);
  };
  look(first_probe_steps);
  // More steps show more small eigenvalues, which cost a polynomial more. They are made when it
  // turns out that they matter.
  const auto look_closely = [&] {
    look(probe_steps);
    probe.reset();
  };
  if (options.method == SpectrumMethod::lanczos ||
      costs.filter <= cost_model().hopeless_filter * costs.ordering)
    look_closely();
  const double most_seconds = cost_model().exact_inverse * costs.iterative;
  const auto below_most = [&](double seconds) { return seconds <= most_seconds; };
  const auto factor = [&](const Affordable& affordable) -> Inverse {
    return {make_ordered_inverse(laplacian, order, run, acceptance(wanted, affordable)),
            std::string(exact_name)};
  };
  const auto invert = [&](Inverse inverse, const std::string& reason) {
    return by_inversion(laplacian, lanczos, plan.value, most_seconds, std::move(inverse), reason,
                        run);
  };
  if (options.method == SpectrumMethod::inversion) {
    probe.reset();
    return invert(factor(below_most), "as asked");
  }
  if (options.method == SpectrumMethod::lanczos) return by_filter(laplacian, lanczos, plan, run);

  const auto better_than_filter = [&](double seconds) {
    const auto better = [&] { return seconds <= std::min(costs.filter, most_seconds); };
    if (!better() && probe) look_closely();
    probe.reset();  // memory for the factor
    return better();
  };
  Inverse inverse;
  if (costs.filter > costs.ordering) inverse = factor(better_than_filter);
  if (probe) look_closely();  // the factor takes too many bytes
  const std::string reason = "pair " + std::to_string(wanted + 1) + " near " +
                             to_brief_text(plan.value) + " would take about " +
                             to_brief_text(plan.products) + " products";
  if (inverse.a != nullptr || costs.filter > costs.iterative)
    return invert(std::move(inverse), reason);
  FoundPairs found{
      filtered(laplacian, lanczos, plan, run), "lanczos", reason + ", " + filter_reason(plan), {}};
  if (found.pairs.outcome != Outcome::iteration_limit) return found;
  const std::int64_t steps = found.pairs.steps;
  found = invert(factor(below_most), reason + " but took more");
  found.pairs.steps += steps;
  return found;
}

}  // namespace

FoundPairs find_pairs(ConnectedLaplacian& laplacian, std::int64_t wanted,
                      const SpectrumOptions& options, const RunContext& run) {
  std::vector<VertexId> order;
  FoundPairs found = choose(laplacian, order, wanted, options, run);
  found.order = std::move(order);
  return found;
}

}  // namespace gssl::solve
