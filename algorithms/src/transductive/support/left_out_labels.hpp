#pragma once
// Labels predicted from all the others by harmonic scores, plain and by class masses, from one
// solution of the whole and one column for each label tried. Internal: not installed.

#include <cstdint>
#include <optional>
#include <vector>

#include "label_groups.hpp"
#include "label_network.hpp"

namespace gssl::detail {

// Fewer say nothing.
inline constexpr std::int64_t fewest_left_out = 10;

// Right predictions of left-out labels: means over the classes of the share that is right.
struct LeftOut {
  double plain = 0.0;   // by harmonic scores
  double massed = 0.0;  // by harmonic scores with class masses proportional to the shares
  double error = 0.0;   // standard error of massed − plain, from the labels where they differ
  std::size_t tried = 0;
};

struct LeftOutProblem {
  const LabeledSet& labeled;
  const LabelGroups& groups;
  const Block& mass;    // class_masses() of the harmonic scores
  const Block& shares;  // groups × classes; a row of zeros: no masses there
};

// Labels to leave out, by their place in the label set, and what the network says of each.
struct TriedLabels {
  std::vector<std::size_t> label;
  Block flow;                 // what each sends to the vertices and labels around it
  std::vector<double> schur;  // the same at potential 1, all other labels at 0
  std::vector<double> total;  // the sum of the potentials of the free vertices then
};

// At most `most` labels whose class has another label in the component, alike from every class in
// the order of the labels; none if there are fewer than ten such labels.
std::vector<std::size_t> labels_to_try(const LeftOutProblem& problem, std::int64_t most);

// By one column of the system for each, so many at once; nothing if a solve was stopped, which
// `report` then says.
// The system of `dirichlet`, which `solver` is of, may be gone. `scores`: harmonic, of every vertex.
std::optional<TriedLabels> try_labels(const LeftOutProblem& problem,
                                      std::vector<std::size_t> labels, const Graph& graph,
                                      const DirichletProblem& dirichlet, const LinearSolver& solver,
                                      const Block& scores, std::int64_t at_once,
                                      const RunContext& run, Report& report);
// From what is known of the network between the labels.
TriedLabels try_labels(const LeftOutProblem& problem, std::vector<std::size_t> labels,
                       const LabelNetwork& network);

// Nothing if fewer than ten labels have another one that is tied to them.
std::optional<LeftOut> leave_labels_out(const LeftOutProblem& problem, const TriedLabels& tried);

}  // namespace gssl::detail
