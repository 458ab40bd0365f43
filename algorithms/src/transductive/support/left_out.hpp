#pragma once
// Labels predicted from all the others by harmonic scores, plain and by class masses, from one
// solution of the whole and one column for each label tried. Internal: not installed.

#include <optional>
#include <vector>

#include "label_groups.hpp"

namespace gssl::detail {

// Right predictions of left-out labels: means over the classes of the share that is right.
struct LeftOut {
  double plain = 0.0;   // by harmonic scores
  double massed = 0.0;  // by harmonic scores with class masses proportional to the shares
  double error = 0.0;   // standard error of massed − plain, from the labels where they differ
  std::size_t tried = 0;
};

struct LeftOutProblem {
  const Graph& graph;
  const LabeledSet& labeled;
  const LabelGroups& groups;
  const DirichletProblem& dirichlet;  // its system may be gone
  const LinearSolver& solver;         // of that system
  const Block& scores;                // harmonic, of every vertex
  const Block& mass;                  // class_masses() of them
  const Block& shares;                // groups × classes; a row of zeros: no masses there
};

// At most `most` labels whose class has another label in the component, alike from every class in
// the order of the labels. Nothing if there are fewer than ten such labels or the solve was
// stopped, which `report` then says.
std::optional<LeftOut> leave_labels_out(const LeftOutProblem& problem, std::int64_t most,
                                        const RunContext& run, SolveReport& report);

}  // namespace gssl::detail
