#pragma once
// What work on a graph costs: the numbers by which `automatic` weighs one method against another.
//
//   const CostModel& cost = cost_model();
//   const double seconds = factor.flops * cost.factor_flop;
//
// Measured on one core of an AMD Zen 4 at 3.7 GHz with the graphs of tests/bench/solver (grids in
// two and three dimensions, near neighbors, social networks, roads). Another machine is faster or
// slower at all of them together. `bench_choice constants` halves and doubles each, and prints what
// that costs on the graph that suffers most. Where a choice is certain (a limit of memory, a name
// asked for) no number decides.

#include <span>
#include <string_view>

namespace gssl {

struct CostModel {
  // Seconds on one core.
  double matrix_entry = 1.2e-9;     // a conjugate gradient step of one column, for each entry of A
  double matrix_row = 3e-9;         // the same, for each row
  double ordering = 0.5e-6;         // ordering and counting a factor, for each row and edge
  double factor_flop = 1.0 / 4e9;   // of a factor of more than a few thousand rows
  double network_flop = 1.0 / 8e9;  // of NetworkFactor, which works in larger blocks
  double small_factor_flop = 1.0 / 1.5e9;  // of a smaller one
  double factor_entry = 2.5e-9;            // a solve of one column, for each entry of the factor
  double approximate_setup = 0.5e-6;       // of an approximate factor, for each edge
  double unnoticed = 0.02;  // a factor that takes less is made even where others are as fast
  double begun = 0.1;       // what takes less by an approximate factor is begun without a forecast

  // Relative to one conjugate gradient step with the diagonal.
  double approximate_step = 3.5;  // a step with an approximate factor
  double multigrid_step = 2.2;    // a step with multigrid
  double approximate_steps = 25;  // steps that an approximate factor usually needs
  double least_swept = 20;        // steps (of one column) that a split for sweeps must save half of
  double least_swept_begun = 40;  // the same where steps without sweeps have begun
  double least_swept_few = 160;   // the same in a system of a few thousand entries

  // Relative to other costs.
  double sparse_factor = 2;        // a factor with its solves, over its ordering; few neighbors
  double dense_factor = 4;         // the same, more neighbors
  double cached = 0.5;             // time of what lies in the cache, over the time predicted above
  double small_factor_gain = 0.6;  // a factor of a small system takes at most so much of the best
  double hard = 4;                 // cg over an approximate factor, where others may fail as well
  double ordering_share = 0.25;  // an ordering is tried where it costs at most so much of the best
  double harder_weights = 4;     // what weights to come may cost cg, over the weights at hand
  double flops_of_width = 8;     // flops of a factor over the cubed width of the graph

  // What a graph must be like for a method to be looked at. Degrees are mean degrees.
  double small_rows = 3000;  // with at most small_degree a factor costs little
  double small_degree = 20;
  double tiny_size = 2000;          // rows and edges that are factored without a look at the rest
  double most_factored_degree = 7;  // of a graph that is ordered
  double least_swept_degree = 10;   // below it a graph may be a mesh, and multigrid does better
  double most_multigrid_degree = 16;
  double hub_share = 4;  // neighbors of neighbors over neighbors, as on a social network

  // How far a forecast of iterations is believed.
  double too_low = 1.5;  // so many times the forecast, and it is made again
  double wrong = 10;     // so many times, and another method takes over
};

// Those in use: the ones above unless a bench has set others.
const CostModel& cost_model();

// For a bench: the model of the whole process. Not while a solver is made.
void set_cost_model(const CostModel& model);

struct CostConstant {
  std::string_view name;
  double CostModel::*value;
};
std::span<const CostConstant> cost_constants();  // all of them, in order

}  // namespace gssl
