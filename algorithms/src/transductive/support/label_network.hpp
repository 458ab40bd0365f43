#pragma once
// The network between the labels alone: what is left of a graph when every vertex without a label is
// eliminated, from potentials that are already there (shared_graph.hpp). Internal: not installed.
//
// Of the labels of one component, r the first, Kᵢⱼ = Gᵢⱼ − Gᵢᵣ − Gᵣⱼ + Gᵣᵣ is positive definite (soft
// labels add 1/c, and twice that where i = j), and its inverse is the Laplacian S of that network without row r. Labels at potentials Y send the
// currents S·Y, and the vertices take constants plus G·S·Y.
//
//   const LabelNetwork network(potentials, groups, labeled);
//   if (network.usable()) Block f = network.extension(labeled.target_block(), threads);

#include <optional>
#include <vector>

#include "gssl/transductive/shared_graph.hpp"
#include "label_groups.hpp"

namespace gssl::detail {

class LabelNetwork {
 public:
  // All must outlive it. `resistance` ≥ 0 stands between each label and its vertex: 1/c of soft
  // labels, 0 of hard ones. O(labels³).
  LabelNetwork(const UnitPotentials& potentials, const LabelGroups& groups,
               const LabeledSet& labeled, double resistance = 0.0);

  // False where rounding leaves K without an inverse.
  bool usable() const { return usable_; }
  // S·Y: one row for each label, what flows from it into the graph.
  Block currents(const Block& y) const;
  // Potentials of all vertices where the labels send `current` and have the potentials y.
  Block extension(const Block& y, const Block& current, int threads) const;
  // Of each label at 1 with all others at 0: the current, and the sum of the potentials.
  std::vector<double> conductances() const;
  std::vector<double> totals() const;

 private:
  Block constants(const Block& y, const Block& current) const;
  double potential(std::size_t i, std::size_t j) const;  // Gᵢⱼ of two labels

  const UnitPotentials& potentials_;
  const LabelGroups& groups_;
  const LabeledSet& labeled_;
  double resistance_;
  bool usable_ = true;
  std::vector<std::vector<std::size_t>> labels_;  // of each group
  std::vector<Block> laplacian_;                  // S of each group
};

// G times the currents of the labels: potentials up to a constant in each component. O(n·labels·c).
Block spread(const UnitPotentials& potentials, const LabeledSet& labeled, const Block& current,
             VertexId vertex_count, int threads);

// ‖L x − current‖₂ of each column over the reached vertices, where a label sends its row of `current`
// and the others nothing. O(c(n + m)).
std::vector<double> current_errors(const Graph& graph, const LabelGroups& groups,
                                   const LabeledSet& labeled, const Block& x, const Block& current,
                                   int threads);

// ‖W_uℓ y‖₂ of each column: what a harmonic solve measures its residual by.
std::vector<double> coupling_norms(const Graph& graph, const LabeledSet& labeled, const Block& y);

// What the report of a fit says that came of shared potentials.
void report_shared(double residual, Report& report);

// Whether so many labels are few enough for that: the inverse costs less than solving.
bool few_for_network(const UnitPotentials& potentials, const LabeledSet& labeled);

}  // namespace gssl::detail
