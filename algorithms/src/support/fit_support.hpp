#pragma once
// What the transductive learners share: checks, who is reached, K−1 columns for K classes, mass
// rescaling, and the last step from scores to a Fit. Internal: not installed.

#include <algorithm>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "gssl/learn/learner.hpp"
#include "gssl/solve/linear_solver.hpp"
#include "gssl/transductive/mass_rule.hpp"
#include "transductive/support/unfinished.hpp"

namespace gssl::detail {

// Folds with max inside blocked_sum; the maximum does not care for order. For
// values ≥ 0.
struct Largest {
  double value = 0.0;
  Largest& operator+=(const Largest& other) {
    value = std::max(value, other.value);
    return *this;
  }
};

enum class Regression { supported, unsupported };

// Throws what TransductiveLearner::fit promises; `learner` begins the message.
void check_problem(std::string_view learner, const Graph& graph, const LabeledSet& labeled,
                   Regression regression);

// Vertices in components that hold no labeled vertex, ascending.
std::vector<VertexId> unreached_vertices(const Components& components, const LabeledSet& labeled);

std::vector<VertexStatus> vertex_status(VertexId vertex_count, const LabeledSet& labeled,
                                        const std::vector<VertexId>& unreached);

// One-hot rows sum to one and a harmonic solution keeps that, so K classes need K−1 columns; a
// regression needs its one. May have no column (K = 1).
Block reduced_targets(const LabeledSet& labeled);

// Scores of all classes from the solved ones. `row_of[r]` is the vertex of row r of `solved`.
// Values are first clamped to the range of their targets, which the exact solution obeys (maximum
// principle) and rounding or an early stop may not; the last class gets 1 − the sum of the others,
// or with three classes or more the largest of these where no more than the rounding of that sum
// parts the two: such a vertex is tied. Vertices not in `row_of` stay zero.
Block scores_from_columns(Block solved, const std::vector<VertexId>& row_of, const Block& targets,
                          const LabeledSet& labeled, VertexId vertex_count);
// The same of columns in several blocks, one after the other. No `row_of`: row r is vertex r.
Block scores_from_columns(std::vector<Block> solved, const std::vector<VertexId>& row_of,
                          const Block& targets, const LabeledSet& labeled, VertexId vertex_count);

// Writes the given labels into their rows.
void set_given_rows(Block& scores, const LabeledSet& labeled);

// Prepares and runs a solver; times and outcome go to `report`. An empty block is not solved.
// `prepared` receives the solver, for more of the same, unless there was nothing to solve.
Block solve(GroundedLaplacian system, const Block& b, SolverOptions options, const RunContext& run,
            Report& report, std::unique_ptr<LinearSolver>* prepared = nullptr);

// Multiplies column c of the inferred rows by proportion[c] / (sum of that column over them), then
// makes each of these rows sum to one. A row that would become zero stays as it is. Warns of a
// class with a proportion but no mass.
void rescale_mass(Fit& fit, const LabeledSet& labeled, std::vector<double> proportion);
// The proportions that a rule asks for: frequencies of the labels (cmn), the given priors, or none.
std::vector<double> mass_proportions(const LabeledSet& labeled, MassRule mass,
                                     const std::vector<double>& priors);
// By these, or not at all; with `shares` the
// decisions meet the priors (class_shares.hpp).
void rescale_mass(Fit& fit, const LabeledSet& labeled, MassRule mass,
                  const std::vector<double>& priors, const RunContext& run);

// Warns that one class has at least five times the labels of the median class where `mass` is cmn:
// the labels then say what to make of the classes.
void warn_of_uneven_labels(const LabeledSet& labeled, MassRule mass, Report& report);

// Decides anew after the scores of inferred rows changed; given vertices keep their confidence.
void judge_inferred(Fit& fit, const LabeledSet& labeled);

// Distances to the classes become scores: d_k → (1/d_k) / Σ 1/d_j. A row of infinities, which no
// class reaches, stays for finish_fit to clear.
void inverse_distance_shares(std::span<double> row);

// Whether the learner found the class of a vertex by its scores: `tied` until they change.
inline bool is_found(VertexStatus status) {
  return status == VertexStatus::inferred || status == VertexStatus::tied;
}

// Inferred vertices where two classes have the largest score, to the last bit, become `tied`: the one
// rule for every learner that decides by scores. O(nK).
void mark_ties(Scores& scores);

// Zeroes unreached rows, decides, measures confidence, warns where there is but one class, marks ties, and
// leaves open what an unfinished run does not decide. Throws ErrorCode::bad_data if a score is not
// finite (weights that span more than a double can hold).
Fit finish_fit(Block scores, std::vector<VertexStatus> status, const LabeledSet& labeled,
               GivenLabels given, Report report);

}  // namespace gssl::detail
