#pragma once
// Poisson learning of many classes, a few columns at a time (class_columns.hpp). Internal: not
// installed.

#include "gssl/transductive/poisson.hpp"
#include "harmonic_columns.hpp"

namespace gssl::detail {

// As PoissonLearner::fit(), each class with a column of its own. Of a row whose potentials are all
// below 1e-9 of the largest of its group the classes share alike; elsewhere each positive potential
// counts. Nothing else depends on what is kept.
Fit fit_poisson_columns(const Graph& graph, const LabelGroups& groups, const LabeledSet& labeled,
                        const PoissonOptions& options, const KeptScores& keep, Report report,
                        const ColumnPlan& plan);

}  // namespace gssl::detail
