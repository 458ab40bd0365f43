#pragma once
// What work on a graph costs: the numbers by which one way of solving systems, or of finding
// eigenpairs, effective resistances, fits of many label sets or answers of trials, is weighed
// against another.
//
//   const CostModel& cost = cost_model();
//   const double seconds = factor.flops * cost.factor_flop;
//
// Measured on one core of an AMD Zen 4 at 3.7 GHz with the graphs of tests/bench/solver (grids in
// two and three dimensions, near neighbors, social networks, roads). Another machine is faster or
// slower at all of them together. `bench_choice constants` halves and doubles each, and prints what
// that costs on the graph that suffers most. Where a choice is certain (a limit of memory, a name
// asked for) no number decides. How a method goes about its own work is no choice either: such
// numbers stand beside it, and so do those of the search for neighbors, which has no graph yet.

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
  double multigrid_setup = 0.25e-6;        // of multigrid, for each edge of a mesh
  double unnoticed = 0.02;  // a factor that takes less is made even where others are as fast
  double begun = 0.1;       // what takes less by an approximate factor is begun without a forecast

  // Relative to one conjugate gradient step with the diagonal.
  double approximate_step = 3.5;  // a step with an approximate factor
  double multigrid_step = 2.2;    // a step with multigrid
  double approximate_steps = 25;  // steps that an approximate factor usually needs
  double usual_cycles = 0.7;      // of multigrid on a mesh, for a factor e of the tolerance
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
  double hub_share = 4;       // neighbors of neighbors over neighbors, as on a social network
  double few_entries = 4000;  // rows and edges whose split for sweeps takes as long as 20 steps
  // Share of the entries at vertices of few neighbors from which on these are eliminated.
  double least_eliminated = 0.05;

  // How far a forecast of iterations is believed.
  double too_low = 1.5;    // so many times the forecast, and it is made again
  double wrong = 10;       // so many times, and another method takes over
  double most_cycles = 2;  // the same of cycles of multigrid

  // Eigenpairs: a polynomial of the Laplacian, its inverse by a factor, or by iteration.
  double block_entry = 2.2e-9;  // seconds of a product with four columns, for each entry of M
  double block_row = 9e-9;      // the same, for each row
  // A product with the two columns of a polynomial, with its part of the orthogonalization, beside
  // that. Low, because against it stands the ordering of a factor that may then not be wanted.
  double filter_product = 0.25;
  double inverse_steps = 13;     // steps with an inverse, of four solves each, for ten pairs
  double inverse_products = 80;  // products that a step without a factor takes
  double inverse_columns = 50;   // solves that the solver of such an inverse is chosen for
  // A polynomial that seems to take so many times what ordering does is not looked at closely.
  double hopeless_filter = 3;
  double exact_inverse = 2;  // seconds that a factor may take, over those of an inverse without
  double dense_rows = 250;   // up to here a dense matrix costs less than anything else

  // Effective resistances: a factor, solves for pairs, or a sketch.
  double resistance_entry = 80e-9;  // seconds of a solve of one column, for each entry of L
  double unnoticed_exact = 0.05;    // seconds of a factor that is made for its digits alone
  // Columns that a sketch of ε = 0.1 takes, relaxing included: 36 to 77 on k-NN graphs of 5 and 20
  // dimensions and RMAT graphs, 320 in 3 dimensions. Their number grows with 1/ε.
  double sketch_columns = 60;
  double selected_inverse = 3;  // the selected inverse, over its factor
  double sketch_solve = 1.2;    // a solve for a value that is left, over a column of a sketch
  // Relative to one entry of L for one column of a projection.
  double relaxed_entry = 2.2;  // an entry that a relaxation reads
  double relaxed_rest = 0.1;   // an entry of what it leaves, for one column
  // Entries of all walks of two steps, for each edge, that are still cheap beside a solve.
  double walked_entries = 200;

  // Fits of many label sets on one graph: one factor for all, or each apart.
  double shared_entry = 0.4e-9;  // seconds of one column of many, for each entry of the factor
  double shared_row = 90e-9;     // for each row: reduced, permuted, refined and measured
  double apart_steps = 100;      // conjugate gradient steps of a column that is solved apart
  // Dense flops of a fit from the factor, for each row and column, that take as long as one apart:
  // 100 steps of 20 sparse flops, which are a fourth as fast.
  double shared_flops = 8000;

  // Trials on a graph whose labels come one by one.
  double factor_entries = 3e7;  // a trial reads a factor of so many in the time of a local one
  double pushed_entry = 3;      // an entry that is pushed through, over one of a solve
  // Pushing is given up for a solve after so many times the entries of the component, and not begun
  // where residuals would have to be spread over so much of it.
  double most_pushed = 3;
  double most_spread = 0.1;
  double reordering = 300;  // products of a new factor beside its flops, for each row and edge
};

// Those in use: the ones above unless a bench has set others.
const CostModel& cost_model();

// For a bench: the model of the whole process. Not while a solver is made.
void set_cost_model(const CostModel& model);

// What is chosen by a constant. Systems are solved for all of the others, too.
enum class CostUse { systems, eigenpairs, resistances, label_sets, trials };

struct CostConstant {
  std::string_view name;
  double CostModel::*value;
  CostUse use;
};
std::span<const CostConstant> cost_constants();  // all of them, in order

}  // namespace gssl
