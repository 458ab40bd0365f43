#include "candidates.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include "begun_solve.hpp"
#include "forecast.hpp"
#include "gssl/core/number_text.hpp"
#include "gssl/solve/cost_model.hpp"
#include "level_width.hpp"
#include "prepared_method.hpp"
#include "solve/method/multigrid/multigrid.hpp"
#include "solve/order/hubs.hpp"

namespace gssl::solve {
namespace {

// Of a small system more steps cost nothing beside ten columns, and tell twice as well.
constexpr std::int64_t small_probe_steps = 16;

class Automatic {
 public:
  Automatic(const SharedSystem& reduced, const SolverOptions& options, const RunContext& run,
            FirstColumns* first)
      : reduced_(reduced), options_(options), run_(run), first_(first) {}

  Choice choose() {
    using Candidate = Choice (Automatic::*)();
    constexpr Candidate candidates[] = {&Automatic::tiny_factor, &Automatic::swept_for_hubs,
                                        &Automatic::begun,       &Automatic::likely_levels,
                                        &Automatic::factor,      &Automatic::no_time,
                                        &Automatic::diagonal,    &Automatic::no_memory,
                                        &Automatic::swept,       &Automatic::levels};
    for (const Candidate candidate : candidates) {
      Choice choice = (this->*candidate)();
      if (choice.solver != nullptr) return choice;
    }
    if (!factor_fits_) return short_of_memory(reduced_, options_, "approximate Cholesky");
    return approximate_cholesky(reduced_, options_, run_, forecast_);
  }

 private:
  // Each returns a choice without a solver where its candidate does not win.
  Choice tiny_factor();
  Choice swept_for_hubs();
  Choice begun();
  Choice likely_levels();
  Choice factor();
  Choice diagonal();
  Choice swept();
  Choice levels();
  Choice no_time() { return run_.should_stop() ? out_of_time(reduced_, options_) : Choice{}; }
  Choice no_memory();

  bool may_begin() const;
  NetworkSize whole() const { return {rows_, edges_, graph_.has_unit_weights()}; }
  double seconds_of_levels() const;
  Choice levels_within(double seconds);
  // Seconds to make an exact factor, as far as the graph tells before it is ordered. About right
  // for grids; of near neighbors among points a level is thicker than a separator, and this is up
  // to some hundred times too much.
  double seconds_to_factor(double flop) {
    if (!width_) width_ = level_width(graph_);
    return cost_.flops_of_width * std::pow(*width_, 3) * flop;
  }
  void split() {
    if (split_ == nullptr)
      split_ = std::make_shared<const SweptSystem>(*reduced_, run_.thread_count());
  }

  const SharedSystem& reduced_;
  const SolverOptions& options_;
  const RunContext& run_;
  FirstColumns* first_;
  const CostModel& cost_ = cost_model();
  const Graph& graph_ = reduced_->graph();

  const double rows_ = graph_.vertex_count();
  const double edges_ = static_cast<double>(graph_.edge_count());
  const double degree_ = 2.0 * edges_ / rows_;
  const double columns_ = static_cast<double>(expected_columns(options_));
  const bool small_ = rows_ <= cost_.small_rows && degree_ <= cost_.small_degree;

  // Seconds.
  const double step_ = columns_ * (2.0 * edges_ * cost_.matrix_entry + rows_ * cost_.matrix_row);
  const double approximate_ =
      cost_.approximate_setup * edges_ + cost_.approximate_steps * cost_.approximate_step * step_;
  const double ordering_ = cost_.ordering * (rows_ + edges_);
  const double usual_levels_ = seconds_of_levels();

  double iterations_ = 0.0;                // forecast of cg with the diagonal
  double swept_from_ = cost_.least_swept;  // fewer are not worth a split
  std::string forecast_;                   // the same as a sentence
  std::shared_ptr<const SweptSystem> split_;
  std::optional<double> width_;  // of a level
  double cycles_ = 0.0;          // forecast for multigrid; 0: none yet
  bool levels_fit_ = true, factor_fits_ = true;
};

// Finding out whether anything else would do takes longer than to factor it.
Choice Automatic::tiny_factor() {
  if (!small_ || (rows_ + edges_ > cost_.tiny_size && options_.updates == 0)) return {};
  return cholesky_within(reduced_, options_, HUGE_VAL, run_, "");
}

// Where few vertices hold most edges, as on a social network, sweeps come before any forecast:
// steps without them would cost more than the rest.
Choice Automatic::swept_for_hubs() {
  if (approximate_ <= cost_.begun || options_.max_iterations != 0 || !has_hubs(graph_)) return {};
  split();
  const double most = approximate_ / step_;
  const bool solved =
      first_ != nullptr && begin_swept(reduced_, split_, options_, run_, most, *first_);
  const double steps = solved ? static_cast<double>(first_->begun.iterations)
                              : forecast_iterations(*reduced_, *split_, probe_steps,
                                                    options_.tolerance, run_.thread_count(), most);
  if (!solved && steps > most) return {};
  return swept_conjugate_gradient(
      reduced_, split_, forecast_limit(steps, options_),
      "swept color by color from the start, since few vertices hold most edges");
}

// A limit is one for the method chosen; steps begun before would come on top.
bool Automatic::may_begin() const {
  return first_ != nullptr && first_->b.columns() == 1 && first_->targets[0] > 0.0 &&
         approximate_ <= cost_.begun && options_.max_iterations == 0;
}

// The steps on the column at hand, if they are all that is needed; the forecast for any, if not.
Choice Automatic::begun() {
  const int threads = run_.thread_count();
  if (may_begin()) {
    swept_from_ =
        rows_ + edges_ <= cost_.few_entries ? cost_.least_swept_few : cost_.least_swept_begun;
    const bool sparse = degree_ <= cost_.most_factored_degree;
    const bool factored = small_ || (sparse && ordering_ <= cost_.unnoticed);
    const double orders = sparse ? cost_.sparse_factor : cost_.dense_factor;
    const double others = factored ? std::min(approximate_, orders * ordering_) : approximate_;
    iterations_ = begin_diagonal(
        reduced_, options_, run_, *first_,
        [&] {
          return forecast_iterations(*reduced_, probe_steps, options_.tolerance, threads, 0.0,
                                     Start::given);
        },
        [&](double left) { return left < swept_from_ && left * step_ < others; });
    if (first_->solved)
      return conjugate_gradient(reduced_, iteration_limit(reduced_, options_),
                                first_->begun.outcome == Outcome::converged
                                    ? "no other was needed"
                                    : "as any method begins on a small graph");
  } else {
    iterations_ =
        forecast_iterations(*reduced_, small_ ? small_probe_steps : probe_steps, options_.tolerance,
                            threads, std::min(approximate_, usual_levels_) / step_);
  }
  forecast_ = "cg would need about " + to_brief_text(iterations_) + " iterations";
  return {};
}

// With the cycles that a mesh takes; infinite where there should be no levels.
double Automatic::seconds_of_levels() const {
  if (degree_ > cost_.most_multigrid_degree || !fits(run_, multigrid_bytes(whole())))
    return HUGE_VAL;
  const double cycles = cost_.usual_cycles * std::log(1.0 / options_.tolerance);
  return cost_.multigrid_setup * edges_ + cycles * cost_.multigrid_step * step_;
}

// Levels whose cycles take no longer. What does not win is not kept, since others need the memory;
// that it does not is found out once.
Choice Automatic::levels_within(double seconds) {
  const auto win = [&] { return cycles_ * cost_.multigrid_step * step_ <= seconds; };
  if (!win()) return {};
  std::shared_ptr<const Preconditioner> levels =
      make_multigrid(*reduced_, run_.thread_count(), run_);
  if (levels == nullptr) {
    cycles_ = HUGE_VAL;
    return {};
  }
  cycles_ = forecast_iterations(*reduced_, *levels, options_.tolerance, run_.thread_count());
  if (!win()) return {};
  return multigrid(reduced_, options_, std::move(levels), cycles_,
                   forecast_ + ", multigrid about " + to_brief_text(cycles_));
}

// On graphs with so few edges a vertex that an ordering may be tried. Factors for weights to come
// are looked at first.
Choice Automatic::likely_levels() {
  if (small_ || options_.updates > 0 || ordering_ <= cost_.unnoticed ||
      degree_ > cost_.most_factored_degree || run_.should_stop())
    return {};
  const double others = std::min(
      {iterations_ * step_, approximate_, ordering_ + seconds_to_factor(cost_.factor_flop)});
  return usual_levels_ < others ? levels_within(others) : Choice{};
}

Choice Automatic::factor() {
  const double plain = iterations_ * step_;
  const double best = std::min(plain, approximate_);
  if (small_) {
    // What is hard for other methods is worth a factor that is no faster.
    const bool hard = plain > cost_.hard * approximate_;
    const double most =
        hard ? std::max(cost_.unnoticed, best) : cost_.small_factor_gain * cost_.cached * best;
    if (plain < cost_.sparse_factor * ordering_) return {};
    if (!hard && seconds_to_factor(cost_.small_factor_flop) > most) return {};
    return cholesky_within(reduced_, options_, most, run_, "");
  }
  const auto systems = static_cast<double>(1 + options_.updates);
  if (degree_ > cost_.most_factored_degree && options_.updates == 0) return {};
  if (ordering_ > std::max(cost_.unnoticed, cost_.ordering_share * best * systems)) return {};
  // Weights to come make iterations dearer than the first system lets on. What the order finds is
  // certain, and all systems share its cost: the more there are, the less the guess before it has a
  // say.
  const double patience = options_.updates > 0 ? cost_.harder_weights : 1.0;
  const double most = std::max(cost_.unnoticed, best * patience);
  if (seconds_to_factor(cost_.factor_flop) > most * systems) return {};
  return cholesky_within(reduced_, options_, most, run_, forecast_ + ", ");
}

Choice Automatic::diagonal() {
  if (iterations_ * step_ > approximate_) return {};
  const std::int64_t limit = forecast_limit(iterations_, options_);
  if (iterations_ * columns_ < swept_from_) return conjugate_gradient(reduced_, limit, forecast_);
  split();
  return swept_conjugate_gradient(reduced_, split_, limit,
                                  forecast_ + ", swept color by color half as many");
}

// What is left prepares much; conjugate gradients with the diagonal always end, later.
Choice Automatic::no_memory() {
  levels_fit_ = fits(run_, multigrid_bytes(whole()));  // nothing else leaves it
  factor_fits_ = fits(run_, approximate_factor_bytes(whole()));
  if (levels_fit_ || factor_fits_) return {};
  return short_of_memory(reduced_, options_, "multigrid and approximate Cholesky");
}

// Sweeps may save much more than half of the steps, unless they were tried before.
Choice Automatic::swept() {
  const bool tried = split_ != nullptr;
  split_.reset();
  if (tried || degree_ <= cost_.least_swept_degree) return {};
  split();
  const double steps = forecast_iterations(*reduced_, *split_, probe_steps, options_.tolerance,
                                           run_.thread_count(), approximate_ / step_);
  if (steps * step_ > approximate_) return {};
  if (usual_levels_ < steps * step_) {
    Choice levels = levels_within(steps * step_);
    if (levels.solver != nullptr) return levels;
  }
  return swept_conjugate_gradient(
      reduced_, split_, forecast_limit(steps, options_),
      forecast_ + ", swept color by color about " + to_brief_text(steps));
}

Choice Automatic::levels() {
  if (!levels_fit_ || degree_ > cost_.most_multigrid_degree) return {};
  return levels_within(factor_fits_ ? approximate_ : iterations_ * step_);
}

}  // namespace

Choice choose_automatically(const SharedSystem& reduced, const SolverOptions& options,
                            const RunContext& run, FirstColumns* first) {
  return Automatic(reduced, options, run, first).choose();
}

}  // namespace gssl::solve
