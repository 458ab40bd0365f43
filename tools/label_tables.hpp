#pragma once
// The two tables that `gssl label` writes, in vertex order, which is that of first appearance.

#include "gssl/core/run_context.hpp"
#include "gssl/graph/vertex_names.hpp"
#include "gssl/io/table_writer.hpp"
#include "gssl/learn/learner.hpp"
#include "gssl/learn/top_classes.hpp"

namespace gssl::tool {

// Columns node, label, confidence, status. An unreached or unfinished vertex has label "?" and
// confidence 0; for regression the label is the value. An inferred one whose decision is −1 has
// label "?" and status uncertain. `prefix` goes before every name. Throws ErrorCode::cancelled.
void write_labels(TableWriter& table, const VertexNames& names, const LabeledSet& labeled,
                  const Fit& fit, const RunContext& run, const std::string& prefix = {});

// Column node, then one per class, or the column "value" for regression.
void write_scores(TableWriter& table, const VertexNames& names, const Fit& fit,
                  const RunContext& run, const std::string& prefix = {});
std::vector<std::string> score_columns(const LabeledSet& labeled);

// Columns node, class_1, score_1, class_2, …: the best classes, "?" and 0 where there are fewer.
void write_top(TableWriter& table, const VertexNames& names, const LabeledSet& labeled,
               const TopClasses& best, const RunContext& run, const std::string& prefix = {});
std::vector<std::string> top_columns(int count);

}  // namespace gssl::tool
