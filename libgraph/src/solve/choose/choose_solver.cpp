#include "choose_solver.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "forecast.hpp"
#include "gssl/core/error.hpp"
#include "gssl/core/number_text.hpp"
#include "gssl/solve/solver_memory.hpp"
#include "level_width.hpp"
#include "solve/method/cg/conjugate_gradient.hpp"
#include "solve/method/cholesky/guarded_cholesky.hpp"
#include "solve/method/multigrid/multigrid.hpp"
#include "solve/method/relaxation/consensus.hpp"
#include "solve/method/sampled/approximate_cholesky.hpp"

namespace gssl::solve {
namespace {

// Below this many rows, when they are sparse, a factorization costs little; below this many rows
// and edges, less than finding out whether anything else would do.
constexpr VertexId small_rows = 3000;
constexpr double small_degree = 20.0;
constexpr double tiny_size = 2000.0;
// A factor and its use cost as much again as its order, with more neighbors three times that.
constexpr double sparse_factor = 2.0;
constexpr double dense_factor = 4.0;
constexpr std::int64_t probe_steps = 8;
// A bad forecast from eight steps on a right-hand side is looked at again after twelve.
constexpr std::int64_t second_look = 12;
// Of a small system more steps cost nothing beside ten columns, and tell twice as well.
constexpr std::int64_t small_probe_steps = 16;
// What lies in the cache takes half the seconds below, and a factor must gain that much to be worth
// its order.
constexpr double in_cache = 0.5;
constexpr double small_factor_share = 0.6;
constexpr double hard_share = 4.0;
// A forecast that is so many times too low is made again.
constexpr double too_low = 1.5;
// Forecasting is no small part of what takes less than this with approximate Cholesky.
constexpr double begun_seconds = 0.1;
// One that is so many times too low was wrong; the facade turns to approximate Cholesky.
constexpr double wrong = 10.0;

// Seconds on one core, measured on the graphs of tests/bench/solver. One conjugate gradient step of
// one column costs so much for each entry of the matrix and each row; an approximate factor costs
// so many of those steps for each step, and so much for each edge to make.
constexpr double seconds_per_entry = 1.2e-9;
constexpr double seconds_per_row = 3e-9;
constexpr double approximate_step = 3.5;
constexpr double approximate_steps = 25.0;
constexpr double approximate_setup = 0.5e-6;
// Sweeping saves half of those steps or more, and splitting the matrix first takes about twelve.
// Steps that were begun without lose what they know of the spectrum when they are given up; and the
// matrix of a few thousand entries is split no faster than it is multiplied with twenty times.
constexpr double least_swept = 20.0;
constexpr double least_swept_begun = 40.0;
constexpr double least_swept_of_few = 160.0;
constexpr double few_entries = 4000.0;
// With fewer neighbors a graph may be a mesh, after elimination too, and multigrid does better.
constexpr double least_swept_degree = 10.0;
// Where the neighbors of a vertex have so many times the neighbors of a vertex, as on a social
// network, sweeps are tried before anything else: steps without them would cost more than the rest.
constexpr double hub_share = 4.0;
constexpr double multigrid_step = 2.2;
// Multigrid is not tried on denser graphs.
constexpr double most_multigrid_degree = 16.0;
constexpr double usual_cycles = 50.0;
constexpr double most_cycles = 2.0;
// An exact factor: flops per second, seconds per stored entry of a solve, seconds of ordering per
// row and edge. Before it is ordered, its flops are taken for so many times the cube of the widest
// level of breadth-first search.
constexpr double flops_per_second = 4e9;
constexpr double small_flops_per_second = 1.5e9;
constexpr double flops_of_width = 8.0;
constexpr double seconds_per_factor_entry = 2.5e-9;
constexpr double seconds_of_ordering = 0.5e-6;
// Ordering is tried only on graphs that are sparse everywhere and where it is cheap beside the
// rest; a factor beyond this is never made.
constexpr double most_mean_degree = 7.0;
constexpr double ordering_share = 0.25;
constexpr double unnoticed_seconds = 0.02;
constexpr double most_factor_bytes = 2.5e9;
constexpr double bytes_of_entry = 16.0;  // while the factor is made
// Weights to come make iterations dearer than the first system lets on: a factor is worth this many
// times the best of them.
constexpr double harder_weights = 4.0;

std::int64_t iteration_limit(const SharedSystem& reduced, const SolverOptions& options) {
  return options.max_iterations > 0 ? options.max_iterations
                                    : 10 * static_cast<std::int64_t>(reduced->size()) + 1000;
}

// Many more steps than forecast, and the facade turns to approximate Cholesky.
std::int64_t forecast_limit(double iterations, const SolverOptions& options) {
  return options.max_iterations > 0 ? options.max_iterations
                                    : static_cast<std::int64_t>(wrong * iterations) + 100;
}

Choice conjugate_gradient(const SharedSystem& reduced, const SolverOptions& options,
                          std::string reason) {
  return {make_conjugate_gradient(reduced, nullptr, iteration_limit(reduced, options)), "cg",
          std::move(reason), ""};
}

Choice approximate_cholesky(const SharedSystem& reduced, const SolverOptions& options,
                            const RunContext& run, std::string reason) {
  return {make_conjugate_gradient(reduced,
                                  make_approximate_cholesky(*reduced, run.seed, run.thread_count()),
                                  iteration_limit(reduced, options)),
          "approximate-cholesky", std::move(reason), ""};
}

// `cycles`: how many are expected. Many more, and the facade turns to approximate Cholesky.
Choice multigrid(const SharedSystem& reduced, const SolverOptions& options,
                 std::shared_ptr<const Preconditioner> levels, double cycles, std::string reason) {
  const std::int64_t limit = options.max_iterations > 0
                                 ? options.max_iterations
                                 : static_cast<std::int64_t>(most_cycles * cycles) + 20;
  return {make_conjugate_gradient(reduced, std::move(levels), limit), "multigrid",
          std::move(reason), ""};
}

Choice consensus(const SharedSystem& reduced, const SolverOptions& options) {
  const std::int64_t limit = options.max_iterations > 0 ? options.max_iterations : 10'000'000;
  const bool in_order = options.kind == SolverKind::consensus;
  return {
      make_consensus(reduced,
                     in_order ? RelaxationOrder::sequential : RelaxationOrder::asynchronous, limit),
      std::string(to_string(options.kind)), "as asked", ""};
}

// Where the run may take no more memory; `without` is what does not fit.
Choice short_of_memory(const SharedSystem& reduced, const SolverOptions& options,
                       const std::string& without) {
  return conjugate_gradient(reduced, options, "memory is short for " + without);
}

Choice out_of_time(const SharedSystem& reduced, const SolverOptions& options) {
  return conjugate_gradient(reduced, options, "no time was left to prepare another");
}

Choice cholesky(const SharedSystem& reduced, const SolverOptions& options, const RunContext& run) {
  const auto in_time = [&](const FactorEstimate&) { return !run.should_stop(); };
  Choice choice{make_guarded_cholesky(reduced, in_time), "cholesky", "as asked", ""};
  if (choice.solver != nullptr) return choice;
  if (run.should_stop()) return out_of_time(reduced, options);
  choice.failure = "the factorization met a pivot that is not positive: the weights span too much";
  return choice;
}

// Seconds to make an exact factor, as far as the graph tells before it is ordered. About right for
// grids; of near neighbors among points a level is thicker than a separator, and this is up to some
// hundred times too much.
double seconds_to_factor(const Graph& graph, double speed) {
  return flops_of_width * std::pow(level_width(graph), 3) / speed;
}

// An exact factor that takes at most `seconds` to make and to use; no solver if there is none.
Choice cholesky_within(const SharedSystem& reduced, double seconds, double columns,
                       const RunContext& run, std::string reason) {
  const auto accept = [&](const FactorEstimate& factor) {
    reason += "the factor has only " + to_brief_text(factor.nonzeros) + " entries";
    const double bytes = bytes_of_entry * factor.nonzeros;
    return !run.should_stop() && bytes <= most_factor_bytes && fits(run, bytes) &&
           factor.flops / flops_per_second + columns * factor.nonzeros * seconds_per_factor_entry <=
               seconds;
  };
  try {
    auto solver = make_guarded_cholesky(reduced, accept);
    return {std::move(solver), "cholesky", std::move(reason), ""};
  } catch (const Error& error) {
    if (error.code() != ErrorCode::out_of_memory) throw;
    return {};
  }
}

// Conjugate gradients on the one column of `first`, for as long as they look `better` than other
// methods by the forecast of what is left: from eight or twelve steps on b, or for any right-hand
// side; and once one proved too low, from the usual gain of a step. Returns the last forecast.
double begin_first(const SharedSystem& reduced, const SolverOptions& options, const RunContext& run,
                   FirstColumns& first, const std::function<double()>& forecast_any,
                   const std::function<bool(double)>& better) {
  double next_look = probe_steps, left = HUGE_VAL;
  bool early = true, given_up = false;
  const auto look = [&](const CgCoefficients& found) {
    const auto steps = static_cast<double>(found.alpha.size());
    if (steps < next_look) return true;
    if (early) {
      left = forecast_iterations(found, Start::given, reduced->size(), options.tolerance) - steps;
      if (!better(left) && steps < second_look) {
        next_look = second_look;
        return true;
      }
      early = false;
      if (!better(left)) left = forecast_any() - steps;
    } else {
      const double gained = std::log(found.residual.back() / found.residual.front());
      left = gained < 0.0 ? steps * (std::log(options.tolerance) / gained - 1.0) : HUGE_VAL;
    }
    left = std::max(1.0, left);
    next_look = steps + too_low * left;
    given_up = !better(left);
    return !given_up;
  };
  first.begun = begin_conjugate_gradient(*reduced, first.b, first.x, first.targets,
                                         iteration_limit(reduced, options), run, look);
  first.solved = !given_up && first.begun.outcome != Outcome::breakdown;
  if (!first.solved && !given_up) first.x = Block(first.x.rows(), 1);
  return left;
}

// How many times the mean number of neighbors those have that one finds behind an edge.
double neighbors_of_neighbors(const Graph& graph) {
  double squares = 0.0;
  for (VertexId v = 0; v < graph.vertex_count(); ++v) {
    const auto degree = static_cast<double>(graph.degree(v));
    squares += degree * degree;
  }
  const double entries = 2.0 * static_cast<double>(graph.edge_count());
  return squares * graph.vertex_count() / (entries * entries);
}

// Swept steps on the columns of `first` for as long as their usual gain promises an end within
// `most` of them; says whether they got there, or something else than that promise stopped them.
bool begin_swept(const SharedSystem& reduced, const std::shared_ptr<const SweptSystem>& split,
                 const SolverOptions& options, const RunContext& run, double most,
                 FirstColumns& first) {
  const auto look = [&](const CgCoefficients& found) {
    if (found.residual.size() % probe_steps != 0) return true;
    const auto steps = static_cast<double>(found.residual.size());
    const double gained = std::log(found.residual.back() / found.residual.front());
    return gained < 0.0 && steps * std::log(options.tolerance) / gained <= most;
  };
  first.begun = begin_swept_conjugate_gradient(reduced, split, first.b, first.x, first.targets,
                                               iteration_limit(reduced, options), run, look);
  const bool broken = first.begun.outcome == Outcome::breakdown;
  if (broken) first.x = Block(first.x.rows(), first.x.columns());
  return first.solved = !broken && first.begun.outcome != Outcome::iteration_limit;
}

// Sweeps without any other forecast; no solver where more than `most` swept steps would be needed.
Choice swept_from_the_start(const SharedSystem& reduced, std::shared_ptr<const SweptSystem> split,
                            const SolverOptions& options, const RunContext& run, double most,
                            FirstColumns* first) {
  const bool solved = first != nullptr && begin_swept(reduced, split, options, run, most, *first);
  const double steps = solved ? static_cast<double>(first->begun.iterations)
                              : forecast_iterations(*reduced, *split, probe_steps,
                                                    options.tolerance, run.thread_count(), most);
  if (!solved && steps > most) return {};
  return {make_swept_conjugate_gradient(reduced, std::move(split), forecast_limit(steps, options)),
          "cg", "swept color by color from the start, since few vertices hold most edges", ""};
}

Choice automatic(const SharedSystem& reduced, const SolverOptions& options, const RunContext& run,
                 FirstColumns* first) {
  const Graph& graph = reduced->graph();
  const double rows = graph.vertex_count();
  const auto edges = static_cast<double>(graph.edge_count());
  const double mean_degree = 2.0 * edges / rows;
  const auto columns = static_cast<double>(expected_columns(options));
  const bool small = graph.vertex_count() <= small_rows && mean_degree <= small_degree;
  if (small && (rows + edges <= tiny_size || options.updates > 0)) {
    Choice choice = cholesky_within(reduced, HUGE_VAL, columns, run, "");
    if (choice.solver != nullptr) return choice;
  }

  const double step = columns * (2.0 * edges * seconds_per_entry + rows * seconds_per_row);
  const int threads = run.thread_count();
  const double approximate =
      approximate_setup * edges + approximate_steps * approximate_step * step;
  const double ordering = seconds_of_ordering * (rows + edges);
  const double least_factored = mean_degree > most_mean_degree ? dense_factor : sparse_factor;
  std::shared_ptr<const SweptSystem> split;
  if (approximate > begun_seconds && mean_degree > least_swept_degree &&
      options.max_iterations == 0 && neighbors_of_neighbors(graph) >= hub_share) {
    split = std::make_shared<const SweptSystem>(*reduced, threads);
    Choice choice = swept_from_the_start(reduced, split, options, run, approximate / step, first);
    if (choice.solver != nullptr) return choice;
  }
  double iterations = 0.0, swept_from = least_swept;
  // A limit is one for the method chosen; steps begun before would come on top.
  if (first != nullptr && first->b.columns() == 1 && first->targets[0] > 0.0 &&
      approximate <= begun_seconds && options.max_iterations == 0) {
    swept_from = rows + edges <= few_entries ? least_swept_of_few : least_swept_begun;
    const bool factored =
        small || (mean_degree <= most_mean_degree && ordering <= unnoticed_seconds);
    const double others = factored ? std::min(approximate, least_factored * ordering) : approximate;
    iterations = begin_first(
        reduced, options, run, *first,
        [&] {
          return forecast_iterations(*reduced, probe_steps, options.tolerance, threads, 0.0,
                                     Start::given);
        },
        [&](double left) { return left < swept_from && left * step < others; });
    if (first->solved)
      return conjugate_gradient(reduced, options,
                                first->begun.outcome == Outcome::converged
                                    ? "no other was needed"
                                    : "as any method begins on a small graph");
  } else {
    iterations = forecast_iterations(*reduced, small ? small_probe_steps : probe_steps,
                                     options.tolerance, threads, approximate / step);
  }
  const double plain = iterations * step;
  const std::string forecast = "cg would need about " + to_brief_text(iterations) + " iterations";

  const double best = std::min(plain, approximate);
  const auto systems = static_cast<double>(1 + options.updates);
  const double patience = options.updates > 0 ? harder_weights : 1.0;
  if (small) {
    // What is hard for other methods is worth a factor that is no faster.
    const bool hard = plain > hard_share * approximate;
    const double limit =
        hard ? std::max(unnoticed_seconds, best) : small_factor_share * in_cache * best;
    if (plain >= sparse_factor * ordering &&
        (hard || seconds_to_factor(graph, small_flops_per_second) <= limit)) {
      Choice choice = cholesky_within(reduced, limit, columns, run, "");
      if (choice.solver != nullptr) return choice;
    }
  } else if ((mean_degree <= most_mean_degree || options.updates > 0) &&
             ordering <= std::max(unnoticed_seconds, ordering_share * best * systems)) {
    const double limit = std::max(unnoticed_seconds, best * patience);
    // What the order finds is certain, and all systems share its cost: the more there are, the less
    // the guess before it has a say.
    if (seconds_to_factor(graph, flops_per_second) <= limit * systems) {
      Choice choice = cholesky_within(reduced, limit, columns, run, forecast + ", ");
      if (choice.solver != nullptr) return choice;
    }
  }
  if (run.should_stop()) return out_of_time(reduced, options);
  if (plain <= approximate) {
    const std::int64_t limit = forecast_limit(iterations, options);
    if (iterations * columns < swept_from)
      return {make_conjugate_gradient(reduced, nullptr, limit), "cg", forecast, ""};
    if (split == nullptr) split = std::make_shared<const SweptSystem>(*reduced, threads);
    return {make_swept_conjugate_gradient(reduced, split, limit), "cg",
            forecast + ", swept color by color half as many", ""};
  }
  // The rest prepares much; conjugate gradients with the diagonal always end, later.
  const bool levels_fit = fits(run, multigrid_bytes(graph));
  const bool factor_fits = fits(run, approximate_factor_bytes(graph));
  if (!levels_fit && !factor_fits)
    return short_of_memory(reduced, options, "multigrid and approximate Cholesky");
  // Sweeps may save much more than half.
  if (split != nullptr) {
    split.reset();
  } else if (mean_degree > least_swept_degree) {
    split = std::make_shared<const SweptSystem>(*reduced, threads);
    const double swept = forecast_iterations(*reduced, *split, probe_steps, options.tolerance,
                                             threads, approximate / step);
    if (swept * step <= approximate)
      return {
          make_swept_conjugate_gradient(reduced, std::move(split), forecast_limit(swept, options)),
          "cg", forecast + ", swept color by color about " + to_brief_text(swept), ""};
  }
  if (levels_fit && mean_degree <= most_multigrid_degree) {
    std::shared_ptr<const Preconditioner> levels = make_multigrid(*reduced, threads);
    const double cycles = levels == nullptr
                              ? HUGE_VAL
                              : forecast_iterations(*reduced, *levels, options.tolerance, threads);
    if (cycles * multigrid_step * step <= approximate)
      return multigrid(reduced, options, std::move(levels), cycles,
                       forecast + ", multigrid about " + to_brief_text(cycles));
  }
  if (!factor_fits) return short_of_memory(reduced, options, "approximate Cholesky");
  return approximate_cholesky(reduced, options, run, forecast);
}

}  // namespace

Choice choose_solver(const SharedSystem& reduced, const SolverOptions& options,
                     const RunContext& run, FirstColumns* first) {
  if (reduced->size() == 0) return {nullptr, "elimination", "nothing is left", ""};
  if (run.should_stop()) return out_of_time(reduced, options);
  switch (options.kind) {
    case SolverKind::automatic: return automatic(reduced, options, run, first);
    case SolverKind::cholesky: return cholesky(reduced, options, run);
    case SolverKind::approximate_cholesky:
      return approximate_cholesky(reduced, options, run, "as asked");
    case SolverKind::multigrid: {
      auto levels = make_multigrid(*reduced, run.thread_count());
      if (levels != nullptr)
        return multigrid(reduced, options, std::move(levels), usual_cycles, "as asked");
      return approximate_cholesky(reduced, options, run, "multigrid does not suit this graph");
    }
    case SolverKind::conjugate_gradient: return conjugate_gradient(reduced, options, "as asked");
    case SolverKind::consensus:
    case SolverKind::asynchronous_consensus: return consensus(reduced, options);
  }
  return conjugate_gradient(reduced, options, "as asked");
}

}  // namespace gssl::solve
