#pragma once
// Tables of gssl explain for the report page, which gssl label shows as well.

#include <string>
#include <vector>

#include "evaluation_results.hpp"
#include "graph_input.hpp"
#include "gssl/answer/explanation.hpp"
#include "gssl/learn/registry.hpp"

namespace gssl::tool {

// That every label of a class is outvoted, if it is so of one with three or more that were checked:
// then the sign of a suspicion says nothing of a label. Else empty.
std::string outvoted_classes(const std::vector<Suspect>& suspects, const LabeledSet& labeled);

// Given labels that the others contradict, the most suspicious first; an empty object where there
// are none. At most 50.
Json suspects_table(const std::vector<Suspect>& suspects, const LabeledSet& labeled,
                    const VertexNames& names);

// The same, found by leaving out each label of a harmonic answer in turn; an empty object also for
// a regression, for more than 2,000 labels, and where the run is stopped.
Json found_suspects_table(const Graph& graph, const LabeledSet& labeled, const VertexNames& names,
                          const RunContext& run);

// The largest shares of each vertex that was explained.
Json shares_table(const Explanations& found, const LabeledSet& labeled, const VertexNames& names);

// The page of gssl explain: the graph with the answer of `learner`, and this table before the
// others.
std::string explain_page(Session& session, const GraphFile& file, const LabeledSet& labeled,
                         const MadeLearner& learner, const std::string& path, Json table);

}  // namespace gssl::tool
