#include "conjugate_gradient.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <mutex>
#include <string_view>
#include <typeinfo>
#include <utility>

#include "cg_iteration.hpp"
#include "cg_state.hpp"
#include "gssl/core/fingerprint.hpp"
#include "gssl/core/index.hpp"
#include "gssl/core/number_text.hpp"
#include "gssl/core/rng.hpp"
#include "refined_sweeps.hpp"

namespace gssl::solve {
namespace {

// The residual is recomputed from b − Ax this often, so that the recurrence cannot drift away.
constexpr std::int64_t replacement_period = 50;
// A preconditioner made for other weights is given so many steps: with more, one of its own is
// cheaper.
constexpr std::int64_t most_kept_steps = 200;
// Sixteen columns in floats take as long as two groups of five in doubles do side by side.
constexpr std::int64_t least_float_columns = 2 * group_width + 1;

template <class Real>
Record state_of(const Iteration<Real>& iteration) {
  return CgState<Real>::of(iteration);
}
Record state_of(const RefinedSweeps& sweeps) { return sweeps.state(); }
template <class Real>
void put_back(const Record& record, Iteration<Real>& iteration) {
  CgState<Real>::put_back(record, iteration);
}
void put_back(const Record& record, RefinedSweeps& sweeps) { sweeps.put_back(record); }

// The steps of a group so far, beside the state of its columns.
struct Progress {
  InnerResult result;
  CgCoefficients coefficients;
  double first = 0.0, checked = 0.0;  // norm/target at the start, and when it was last looked at

  template <class Group>
  Record with(const Group& iteration) const {
    Record record = state_of(iteration);
    record.put("iterations", result.iterations);
    record.put("first", first);
    record.put("checked", checked);
    put_watched(record);
    return record;
  }
  void put_watched(Record& record) const {
    record.put("watched/alpha", coefficients.alpha);
    record.put("watched/beta", coefficients.beta);
    record.put("watched/residual", coefficients.residual);
  }

  template <class Group>
  void take(const Record& record, Group& iteration, const CgWatch& go_on) {
    put_back(record, iteration);
    result.iterations = record.integer("iterations");
    first = record.real("first");
    checked = record.real("checked");
    take_watched(record, go_on);
  }
  // Shows the watch again the steps that were made before the checkpoint.
  void take_watched(const Record& record, const CgWatch& go_on) {
    const auto& alpha = record.reals("watched/alpha");
    const auto& beta = record.reals("watched/beta", std::ssize(alpha));
    const auto& residual = record.reals("watched/residual", std::ssize(alpha));
    for (std::size_t i = 0; i < alpha.size(); ++i) {
      coefficients.alpha.push_back(alpha[i]);
      coefficients.beta.push_back(beta[i]);
      coefficients.residual.push_back(residual[i]);
      if (go_on) go_on(coefficients);
    }
  }
};

// Steps until all columns are done, or something stops them. `go_on`, if there is one, watches the
// steps of the first column at work.
template <class Group>
InnerResult iterate(Group& iteration, Progress& so_far, std::int64_t max_iterations,
                    bool preconditioned, bool tells, const RunContext& run, const CgWatch& go_on,
                    CgPlace place) {
  so_far.first = so_far.checked = iteration.worst();
  if (place.step != nullptr)
    if (const Record* state = place.step->state(place.part)) so_far.take(*state, iteration, go_on);
  InnerResult& result = so_far.result;
  while (!iteration.done()) {
    if (run.should_stop()) {
      // Without a step there is nothing to keep: the method itself may be one that the stop has left
      // no time to prepare.
      if (place.step != nullptr && result.iterations > 0)
        place.step->save(so_far.with(iteration), place.part);
      result.outcome = stopped(run).outcome;
      break;
    }
    if (result.iterations >= max_iterations) {
      result.outcome = Outcome::iteration_limit;
      break;
    }
    if (place.step != nullptr && place.step->due(place.part))
      place.step->save(so_far.with(iteration), place.part);
    ++result.iterations;
    const bool checks = result.iterations % replacement_period == 0;
    iteration.step(checks);
    if (go_on && !iteration.done()) {
      iteration.append_coefficients(so_far.coefficients);
      if (!go_on(so_far.coefficients)) {
        result.outcome = Outcome::iteration_limit;
        break;
      }
    }
    if (checks && preconditioned) {
      const double before = std::exchange(so_far.checked, iteration.worst());
      if (!(so_far.checked <= least_gain * before)) {
        result.outcome = Outcome::breakdown;
        result.note = "the preconditioner does not help";
        break;
      }
    }
    if (tells && run.progress && result.iterations % 8 == 0)
      run.report_progress("solve, residual " + to_brief_text(iteration.worst() / so_far.first),
                          progress_fraction(so_far.first, iteration.worst()));
  }
  iteration.flush();
  if (result.outcome == Outcome::converged && iteration.any_broken()) {
    result.outcome = Outcome::breakdown;
    result.note = "rounding stopped the conjugate gradients";
  }
  return result;
}

class ConjugateGradient final : public ReducedSolver {
 public:
  ConjugateGradient(SharedSystem system, std::shared_ptr<const Preconditioner> preconditioner,
                    std::int64_t max_iterations)
      : system_(std::move(system)),
        preconditioner_(std::move(preconditioner)),
        operator_(*system_, preconditioner_.get()),
        max_iterations_(max_iterations) {}

  ConjugateGradient(SharedSystem system, std::shared_ptr<const SweptSystem> split,
                    std::int64_t max_iterations)
      : system_(std::move(system)),
        split_(std::move(split)),
        operator_(*system_, *split_),
        max_iterations_(max_iterations) {}

  // A split is made anew. A preconditioner belongs to the old matrix, and so does the scale around
  // it.
  std::unique_ptr<ReducedSolver> updated(SharedSystem system, const RunContext&) const override {
    if (split_ != nullptr) return make_swept_conjugate_gradient(system, max_iterations_, 1);
    if (preconditioner_ == nullptr)
      return make_conjugate_gradient(std::move(system), nullptr, max_iterations_);
    auto solver = std::make_unique<ConjugateGradient>(std::move(system), preconditioner_,
                                                      std::min(max_iterations_, most_kept_steps));
    solver->operator_.scale = operator_.scale;
    return solver;
  }

  // One group for each thread, or all threads for one group; either way the same bytes.
  InnerResult solve(const Block& b, Block& x, const Norms& targets,
                    const RunContext& run) const override {
    return solve_while({}, b, x, targets, run);
  }

  // The same; each group goes on while its first column at work may.
  InnerResult solve_while(const CgWatch& go_on, const Block& b, Block& x, const Norms& targets,
                          const RunContext& run) const {
    const FloatSplit* floats = b.columns() >= least_float_columns ? float_split() : nullptr;
    const std::int64_t groups =
        detail::block_count(b.columns(), floats != nullptr ? float_lanes : group_width);
    std::vector<InnerResult> results(index(groups));
    Norms error(targets.size());
    const int outer = groups > 1 ? run.thread_count() : 1;
    const int inner = groups > 1 ? 1 : run.thread_count();
    CheckpointStep step(groups > 0 ? run.checkpoint : nullptr, "conjugate gradients",
                        run.checkpoint == nullptr ? 0 : fingerprint(b, x, targets), index(groups));
    parallel_blocks(
        groups, outer,
        [&](std::int64_t group, std::int64_t) {
          const std::int64_t first = group * b.columns() / groups;
          const std::int64_t width = (group + 1) * b.columns() / groups - first;
          InnerResult& result = results[index(group)];
          if (const Record* done = step.finished(index(group))) {
            result = take_group(*done, x, error, first, width);
            return;
          }
          const CgPlace place{step.kept() ? &step : nullptr, index(group)};
          result = floats != nullptr ? solve_refined(*floats, b, x, targets, error, first, width,
                                                     run, group == 0, go_on, place)
                   : split_ != nullptr
                       ? solve_split(b, x, targets, error, first, width, groups > 1 ? 0 : inner,
                                     run, group == 0, go_on, place)
                       : solve_group(b, x, targets, error, first, width, inner, run, group == 0,
                                     go_on, place);
          if (step.kept() && !ended_by_run(result.outcome))
            step.finish(finished_group(result, x, error, first, width), index(group));
        },
        1);
    InnerResult result{.error = std::move(error)};
    for (const InnerResult& one : results) {
      result.iterations = std::max(result.iterations, one.iterations);
      if (one.outcome != Outcome::converged) result.outcome = one.outcome, result.note = one.note;
    }
    return result;
  }

 private:
  // Directions of another preconditioner lead nowhere.
  std::uint64_t fingerprint(const Block& b, const Block& x, const Norms& targets) const {
    Fingerprint all;
    all.add(solve_fingerprint(b, x, targets)).add(std::string_view(split_ ? "swept" : ""));
    if (const Preconditioner* by = preconditioner_.get())
      all.add(std::string_view(typeid(*by).name()));
    return all.value();
  }

  // Columns [first, first + width).
  InnerResult solve_group(const Block& b, Block& x, const Norms& targets, Norms& error,
                          std::int64_t first, std::int64_t width, int threads,
                          const RunContext& run, bool tells, const CgWatch& go_on,
                          CgPlace place) const {
    const auto iterate_as = [&]<class Real>(Real) {
      Iteration<Real> iteration(operator_, b, x, targets, error, first, width, threads);
      Progress progress;
      return iterate(iteration, progress, max_iterations_, preconditioner_ != nullptr, tells, run,
                     go_on, place);
    };
    return preconditioner_ != nullptr && preconditioner_->needs_double() ? iterate_as(double{})
                                                                         : iterate_as(float{});
  }

  // The same by way of b̃ and x̃.
  InnerResult solve_split(const Block& b, Block& x, const Norms& targets, Norms& error,
                          std::int64_t first, std::int64_t width, int threads,
                          const RunContext& run, bool tells, const CgWatch& go_on,
                          CgPlace place) const {
    const auto each = [&](auto&& body) {
      parallel_blocks(b.rows(), threads, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t r = begin; r < end; ++r)
          for (std::int64_t k = 0; k < width; ++k)
            body(r, k, split_->vertex(static_cast<VertexId>(r)), first + k);
      });
    };
    Block split_b(b.rows(), width), split_x(b.rows(), width);
    each([&](auto r, auto k, auto v, auto j) {
      split_b(r, k) = b(v, j);
      split_x(r, k) = x(v, j);
    });
    split_->forward(split_b.data(), width, threads);
    if (std::ranges::any_of(split_x.values(), [](double value) { return value != 0.0; })) {
      const Block guess = split_x;
      split_->undo_backward(guess.data(), split_x.data(), width, threads);
    }
    // x is not looked at before the end: where nobody else writes to it, it need not be there.
    const bool is_all = width == x.columns();
    if (is_all) x = Block();
    const auto own = std::pair(targets.begin() + first, targets.begin() + first + width);
    Norms split_error(index(width));
    InnerResult result = solve_group(split_b, split_x, Norms(own.first, own.second), split_error, 0,
                                     width, threads, run, tells, go_on, place);
    std::ranges::copy(split_error, error.begin() + first);
    split_b = Block();
    split_->backward(split_x.data(), width, threads);
    if (is_all) x = Block(b.rows(), width);
    each([&](auto r, auto k, auto v, auto j) { x(v, j) = split_x(r, k); });
    return result;
  }

  // The same in floats; doubles go on where these cannot.
  InnerResult solve_refined(const FloatSplit& floats, const Block& b, Block& x,
                            const Norms& targets, Norms& error, std::int64_t first,
                            std::int64_t width, const RunContext& run, bool tells,
                            const CgWatch& go_on, CgPlace place) const {
    std::vector<std::int64_t> stalled;
    Progress progress;
    InnerResult result;
    {
      RefinedSweeps sweeps(*system_, floats, b, x, targets, error, first, width);
      result = iterate(sweeps, progress, max_iterations_, false, tells, run, go_on, place);
      // The watch ended the steps in floats. It may judge steps in doubles otherwise, so all columns
      // go on in doubles, and it is asked again there.
      if (result.outcome == Outcome::iteration_limit && result.iterations < max_iterations_) {
        sweeps.give_up();
        result.outcome = Outcome::converged;
      }
      stalled = sweeps.stalled();
    }
    if (result.outcome != Outcome::converged || stalled.empty()) return result;
    const auto count = std::ssize(stalled);
    for (std::int64_t begin = 0; begin < count; begin += group_width) {
      const std::int64_t some = std::min(group_width, count - begin);
      Block own_b(b.rows(), some), own_x(b.rows(), some);
      Norms own_targets, own_error(index(some));
      for (std::int64_t k = 0; k < some; ++k) {
        const std::int64_t j = stalled[index(begin + k)];
        own_targets.push_back(targets[index(j)]);
        for (std::int64_t v = 0; v < b.rows(); ++v) own_b(v, k) = b(v, j), own_x(v, k) = x(v, j);
      }
      const InnerResult more =
          solve_split(own_b, own_x, own_targets, own_error, 0, some, 0, run, false, go_on, {});
      for (std::int64_t k = 0; k < some; ++k) {
        const std::int64_t j = stalled[index(begin + k)];
        error[index(j)] = own_error[index(k)];
        for (std::int64_t v = 0; v < b.rows(); ++v) x(v, j) = own_x(v, k);
      }
      result.iterations += more.iterations;
      if (more.outcome != Outcome::converged)
        result.outcome = more.outcome, result.note = more.note;
    }
    return result;
  }

  // The split in floats, made when first wanted; null where there is none.
  const FloatSplit* float_split() const {
    if (split_ == nullptr || !FloatSplit::fits(*split_)) return nullptr;
    std::call_once(floats_made_, [&] { floats_ = std::make_unique<const FloatSplit>(*split_); });
    return floats_.get();
  }

  SharedSystem system_;
  std::shared_ptr<const Preconditioner> preconditioner_;
  std::shared_ptr<const SweptSystem> split_;
  mutable std::once_flag floats_made_;
  mutable std::unique_ptr<const FloatSplit> floats_;
  Operator operator_;
  std::int64_t max_iterations_;
};

}  // namespace

std::unique_ptr<ReducedSolver> make_conjugate_gradient(
    SharedSystem system, std::shared_ptr<const Preconditioner> preconditioner,
    std::int64_t max_iterations) {
  return std::make_unique<ConjugateGradient>(std::move(system), std::move(preconditioner),
                                             max_iterations);
}

std::unique_ptr<ReducedSolver> make_swept_conjugate_gradient(SharedSystem system,
                                                             std::int64_t max_iterations,
                                                             int threads) {
  auto split = std::make_shared<const SweptSystem>(*system, threads);
  return make_swept_conjugate_gradient(std::move(system), std::move(split), max_iterations);
}

std::unique_ptr<ReducedSolver> make_swept_conjugate_gradient(
    SharedSystem system, std::shared_ptr<const SweptSystem> split, std::int64_t max_iterations) {
  return std::make_unique<ConjugateGradient>(std::move(system), std::move(split), max_iterations);
}

namespace {

// A ground so many times what its edges weigh holds a vertex where it is: it settles in one step.
constexpr double holds = 1e12;

bool is_held(const GroundedLaplacian& system, VertexId v) {
  const double ground = system.ground()[index(v)];
  return ground > holds * (system.diagonal()[index(v)] - ground);
}

// On a pseudo-random right-hand side that is large where `diagonal` is, and 0 at vertices that are
// held: these would be all that it sees.
template <class VertexOf>
CgCoefficients probe(const Operator& op, const std::vector<double>& diagonal, VertexOf&& vertex_of,
                     std::int64_t steps, int threads, const CgWatch& enough) {
  const auto n = static_cast<std::int64_t>(diagonal.size());
  Block b(n, 1), x(n, 1);
  Rng rng(1);
  const auto held = [&](std::int64_t r) {
    return is_held(op.a, vertex_of(static_cast<VertexId>(r)));
  };
  bool all_held = true;
  for (std::int64_t r = 0; r < n && all_held; ++r) all_held = held(r);
  for (std::int64_t r = 0; r < n; ++r) {
    const double drawn = std::sqrt(diagonal[index(r)]) * (rng.uniform() - 0.5);
    if (all_held || !held(r)) b(r, 0) = drawn;
  }
  Norms error(1);
  Iteration<float> iteration(op, b, x, {0.0}, error, 0, 1, threads);
  CgCoefficients coefficients;
  for (std::int64_t i = 0; i < steps && !iteration.done(); ++i) {
    iteration.step(false);
    coefficients.ended = iteration.done();
    if (coefficients.ended) break;
    iteration.append_coefficients(coefficients);
    if (enough && enough(coefficients)) break;
  }
  coefficients.broken = iteration.any_broken();
  return coefficients;
}

}  // namespace

CgCoefficients probe_conjugate_gradient(const GroundedLaplacian& system,
                                        const Preconditioner* preconditioner, std::int64_t steps,
                                        int threads, const CgWatch& enough) {
  const auto same = [](VertexId r) { return r; };
  return probe(Operator(system, preconditioner), system.diagonal(), same, steps, threads, enough);
}

CgCoefficients probe_conjugate_gradient(const GroundedLaplacian& system, const SweptSystem& split,
                                        std::int64_t steps, int threads, const CgWatch& enough) {
  const auto vertex_of = [&](VertexId r) { return split.vertex(r); };
  return probe(Operator(system, split), split.pivots(), vertex_of, steps, threads, enough);
}

InnerResult begin_conjugate_gradient(const GroundedLaplacian& system, const Block& b, Block& x,
                                     const Norms& targets, std::int64_t max_iterations,
                                     const RunContext& run, const CgWatch& go_on) {
  GSSL_ASSERT(b.columns() == 1);
  const Operator op(system, nullptr);
  Norms error(1);
  CheckpointStep step(run.checkpoint, "first conjugate gradients",
                      run.checkpoint == nullptr ? 0 : solve_fingerprint(b, x, targets));
  Progress progress;
  InnerResult result;
  if (const Record* done = step.finished()) {
    progress.take_watched(*done, go_on);
    result = take_group(*done, x, error, 0, 1);
  } else {
    Iteration<float> iteration(op, b, x, targets, error, 0, 1, run.thread_count());
    result = iterate(iteration, progress, max_iterations, false, true, run, go_on,
                     {.step = step.kept() ? &step : nullptr});
    if (step.kept() && !ended_by_run(result.outcome)) {
      Record record = finished_group(result, x, error, 0, 1);
      progress.put_watched(record);
      step.finish(std::move(record));
    }
  }
  result.error = std::move(error);
  return result;
}

InnerResult begin_swept_conjugate_gradient(SharedSystem system,
                                           std::shared_ptr<const SweptSystem> split, const Block& b,
                                           Block& x, const Norms& targets,
                                           std::int64_t max_iterations, const RunContext& run,
                                           const CgWatch& go_on) {
  const ConjugateGradient solver(std::move(system), std::move(split), max_iterations);
  return solver.solve_while(go_on, b, x, targets, run);
}

}  // namespace gssl::solve
