#pragma once
// How a computation ended: outcome, what was used, and the numbers that prove it.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gssl/core/named.hpp"

namespace gssl {

enum class Outcome { converged, iteration_limit, time_limit, cancelled, breakdown };
template <>
inline constexpr auto names_of<Outcome> = enum_names<Outcome>(
    "outcome", {"converged", "iteration_limit", "time_limit", "cancelled", "breakdown"});

// "converged", "iteration_limit", …: the spelling used in every report.
std::string_view to_string(Outcome outcome);

// Whether the run ended the work and not the method: cancelled or time_limit. Such an answer is no
// result of the method and is not kept as one.
constexpr bool ended_by_run(Outcome outcome) {
  return outcome == Outcome::cancelled || outcome == Outcome::time_limit;
}

// The outcome of two pieces of work together: the worse of the two, from cancelled, time_limit,
// breakdown and iteration_limit to converged.
Outcome worse(Outcome a, Outcome b);

// What solved a linear system. What was asked for may be another: "automatic" is none of these.
enum class SolverMethod {
  elimination,  // nothing was left to solve
  cholesky,
  approximate_cholesky,
  multigrid,
  conjugate_gradient,
  consensus,
  asynchronous_consensus
};
template <>
inline constexpr auto names_of<SolverMethod> =
    enum_names<SolverMethod>("method", {"elimination", "cholesky", "approximate-cholesky",
                                        "multigrid", "cg", "consensus", "async-consensus"});
std::string_view to_string(SolverMethod method);  // "elimination", "cg", …: as options name it

// How a piece of work ended, and what did it.
struct Ending {
  Outcome outcome = Outcome::converged;
  std::int64_t iterations = 0;  // the most any column took; 0 for a direct method
  std::string requested;        // what was asked for: "automatic", "cholesky", …
  std::string used;      // what did it: "elimination", "passes", …; "none": there was nothing
  std::string sentence;  // one line for a person: what was chosen, why, and how it ended

  bool converged() const { return outcome == Outcome::converged; }
};

// What is known of the answer of a system of equations, all columns together.
struct SystemReport {
  // max over columns of ‖b−Ax‖₂/‖b‖₂, recomputed from the answer; none where nothing was solved
  std::optional<double> relative_residual;
  // max over columns of ‖x − A⁻¹b‖_A/‖x‖_A, estimated; a small residual can hide a large error
  std::optional<double> error_estimate;
  double inconsistency = 0.0;  // max over columns of the part of ‖b‖₂ that no x can meet, relative
  std::optional<SolverMethod> method = {};  // where one linear system was solved
};

// One linear solve.
struct SolveReport : Ending, SystemReport {};

// Joins the report of a further solve to that of those before it: the worse outcome, with the
// sentence and the solver of the first that ended so, and the largest of each number. A report of
// which nothing was solved (`used` empty or "none") gives way to the other.
void merge(SolveReport& all, const SolveReport& next);

// Numbers that prove an answer, under the plain name they have in a summary: "flow", "cut",
// "duality_gap". One value, or one for each class or solve.
struct Certificate {
  std::string name;
  std::vector<double> values;
};

// One run of a learner: report.outcome, report.sentence, …
struct Report : Ending {
  std::optional<SystemReport> system = {};  // where the method solved one, the worst of several
  std::vector<Certificate> certificates;
  double setup_seconds = 0.0;
  double solve_seconds = 0.0;
  // Of an answer that was not finished: by how much a score may still be off, as a share of the
  // largest score, estimated. None where nothing is known.
  std::optional<double> score_error;
  std::vector<std::string> warnings;

  std::optional<double> relative_residual() const {
    return system ? system->relative_residual : std::nullopt;
  }
  // Of a report that has them from now on.
  SystemReport& system_numbers() { return system ? *system : system.emplace(); }
};

// The report as that of one solve, without numbers where no system was solved.
SolveReport solve_report(const Report& report);
// The run ended as this solve did.
void take_solve(Report& report, SolveReport solve);
// As merge() of two solves: one that the run made beside those it told of before.
void merge(Report& all, const SolveReport& next);

}  // namespace gssl
