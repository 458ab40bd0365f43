#pragma once
// Fits from what label sets of one graph share (shared_graph.hpp). Internal: not installed.
//
//   if (potentials != nullptr && may_share(*potentials, labeled, options)) {
//     const LabelGroups groups(shared.graph(), labeled, threads);
//     const LabelNetwork network(*shared.potentials(), groups, labeled);
//     std::optional<Fit> fit = dirichlet_on(shared, groups, network, labeled, tolerance, run);

#include <optional>
#include <string>

#include "gssl/transductive/shared_graph.hpp"
#include "label_network.hpp"

namespace gssl::detail {

// Whether the potentials of every label are there, are worth using, and nothing else was asked for.
bool may_share(const UnitPotentials& potentials, const LabeledSet& labeled,
               const SolverOptions& options);

// As fit_dirichlet(); nothing where rounding keeps the residual above the tolerance.
std::optional<Fit> dirichlet_on(const SharedGraph& shared, const LabelGroups& groups,
                                const LabelNetwork& network, const LabeledSet& labeled,
                                double tolerance, const RunContext& run);

// The same of labels that are drawn to their vertex by c, for a network with 1/c between them.
std::optional<Fit> soft_dirichlet_on(const SharedGraph& shared, const LabelGroups& groups,
                                     const LabelNetwork& network, const LabeledSet& labeled,
                                     double c, double tolerance, const RunContext& run);

// Whether a fit that keeps its scores solves all its columns together.
bool goes_together(const Graph& graph, const LabeledSet& labeled, const RunContext& run);

// What tells solvers of one system apart.
std::string words(const SolverOptions& options);

}  // namespace gssl::detail
