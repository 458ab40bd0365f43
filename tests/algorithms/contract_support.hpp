#pragma once
// What the contract tests of every kind ask of an answer.

#include <atomic>
#include <cmath>

#include "gssl/core/report.hpp"
#include "gssl/core/run_context.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

namespace gssl::test {

// Every number that a report holds is finite, and none that counts is below 0.
inline void check_numbers(const Report& report) {
  CHECK(report.iterations >= 0);
  const SystemReport system = report.system.value_or(SystemReport{});
  CHECK(std::isfinite(system.relative_residual.value_or(0.0)));
  CHECK(std::isfinite(system.error_estimate.value_or(0.0)));
  CHECK(std::isfinite(system.inconsistency));
  CHECK(std::isfinite(report.score_error.value_or(0.0)));
  CHECK((report.setup_seconds >= 0.0 && report.solve_seconds >= 0.0));
  for (const Certificate& certificate : report.certificates) {
    INFO(certificate.name);
    for (const double value : certificate.values) CHECK(std::isfinite(value));
  }
}

// The same bytes, but for the seconds.
inline void check_equal_reports(const Report& a, const Report& b) {
  CHECK(a.outcome == b.outcome);
  CHECK(a.iterations == b.iterations);
  REQUIRE(a.certificates.size() == b.certificates.size());
  for (std::size_t i = 0; i < a.certificates.size(); ++i) {
    CHECK(a.certificates[i].name == b.certificates[i].name);
    CHECK(a.certificates[i].values == b.certificates[i].values);
  }
}

// Calls body(run, outcome) with a run that was cancelled before it began, and with one that is late.
template <class Body>
void for_stopped_runs(Body&& body) {
  const std::atomic<bool> raised = true;
  RunContext cancelled = on_threads(1), late = on_threads(1);
  cancelled.cancel = &raised;
  late.deadline = RunContext::Clock::now();
  body(cancelled, Outcome::cancelled);
  body(late, Outcome::time_limit);
}

// That of an error that ended a run so.
inline ErrorCode code_of(Outcome ended) {
  return ended == Outcome::cancelled ? ErrorCode::cancelled : ErrorCode::time_limit;
}

// The code of what `call` throws; fails where it throws nothing.
template <class Call>
ErrorCode refusal_of(Call&& call) {
  const auto error = error_of(call);
  REQUIRE(error);
  return error->code();
}

}  // namespace gssl::test
