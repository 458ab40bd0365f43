#pragma once
// What the solvers put into a checkpoint.

#include <cstdint>

#include "gssl/core/error.hpp"
#include "gssl/data/checkpoint.hpp"
#include "reduced_solver.hpp"

namespace gssl::solve {

// Of what a solve is given.
inline std::uint64_t solve_fingerprint(const Block& b, const Block& x,
                                       const std::vector<double>& targets) {
  return Fingerprint()
      .add(static_cast<std::uint64_t>(b.rows()))
      .add(static_cast<std::uint64_t>(b.columns()))
      .add(b.values())
      .add(x.values())
      .add(std::span(targets))
      .value();
}

inline Outcome outcome_of(std::int64_t number) {
  if (number < 0 || number > static_cast<std::int64_t>(Outcome::breakdown))
    throw Error(ErrorCode::bad_data, "record: outcome: is none");
  return static_cast<Outcome>(number);
}

// solver.solve(), as a step of the run: what was solved before is not solved again. Where the run is
// to end by now, nobody knows what of the answer that has cut short.
inline InnerResult kept_solve(const ReducedSolver& solver, const Block& b, Block& x,
                              const std::vector<double>& targets, const RunContext& run) {
  if (run.checkpoint == nullptr) return solver.solve(b, x, targets, run);
  CheckpointStep step(run.checkpoint, "solve", solve_fingerprint(b, x, targets));
  if (const Record* done = step.finished()) {
    x = done->block("x");
    return {.outcome = outcome_of(done->integer("outcome")),
            .iterations = done->integer("iterations"),
            .note = done->text("note"),
            .error = done->reals("error")};
  }
  InnerResult result = solver.solve(b, x, targets, run);
  if (ended_by_run(result.outcome) || run.should_stop()) return result;
  Record record;
  record.put("x", x);
  record.put("outcome", static_cast<std::int64_t>(result.outcome));
  record.put("iterations", result.iterations);
  record.put("note", std::string_view(result.note));
  record.put("error", result.error);
  step.finish(std::move(record));
  return result;
}

}  // namespace gssl::solve
