#include "label_tables.hpp"

#include "gssl/core/error.hpp"

namespace gssl::tool {
namespace {

// Calls row(v) with its name for every vertex, and looks now and then whether to stop.
template <class Row>
void for_each_vertex(const VertexNames& names, VertexId count, const RunContext& run,
                     const std::string& prefix, Row&& row) {
  constexpr VertexId stride = 1 << 16;
  std::string name;
  for (VertexId v = 0; v < count; ++v) {
    if (v % stride == 0 && run.cancelled())
      throw Error(ErrorCode::cancelled, "stopped by a signal");
    name = prefix;
    names.append_name(v, name);
    row(v, name);
  }
}

}  // namespace

void write_labels(TableWriter& table, const VertexNames& names, const LabeledSet& labeled,
                  const Fit& fit, const RunContext& run, const std::string& prefix) {
  const auto count = static_cast<VertexId>(fit.scores.status.size());
  for_each_vertex(names, count, run, prefix, [&](VertexId v, const std::string& name) {
    const auto at = static_cast<std::size_t>(v);
    const VertexStatus status = fit.scores.status[at];
    table.text(name);
    // Inferred without a class: below --min-confidence.
    const bool uncertain =
        status == VertexStatus::inferred && !labeled.is_regression() && fit.decision[at] < 0;
    if (has_no_answer(status) || uncertain) {
      table.text("?");
    } else if (labeled.is_regression()) {
      table.number(fit.scores.values(v, 0));
    } else {
      table.text(labeled.class_names()[static_cast<std::size_t>(fit.decision[at])]);
    }
    table.number(fit.confidence[at]);
    table.text(uncertain ? "uncertain" : to_string(status));
    table.end_row();
  });
}

std::vector<std::string> score_columns(const LabeledSet& labeled) {
  std::vector<std::string> columns = {"node"};
  if (labeled.is_regression()) {
    columns.emplace_back("value");
  } else {
    columns.insert(columns.end(), labeled.class_names().begin(), labeled.class_names().end());
  }
  return columns;
}

void write_scores(TableWriter& table, const VertexNames& names, const Fit& fit,
                  const RunContext& run, const std::string& prefix) {
  const auto count = static_cast<VertexId>(fit.scores.status.size());
  for_each_vertex(names, count, run, prefix, [&](VertexId v, const std::string& name) {
    table.text(name);
    for (const double score : fit.scores.values.row(v)) table.number(score);
    table.end_row();
  });
}

std::vector<std::string> top_columns(int count) {
  std::vector<std::string> columns = {"node"};
  for (int i = 1; i <= count; ++i) {
    columns.push_back("class_" + std::to_string(i));
    columns.push_back("score_" + std::to_string(i));
  }
  return columns;
}

void write_top(TableWriter& table, const VertexNames& names, const LabeledSet& labeled,
               const TopClasses& best, const RunContext& run, const std::string& prefix) {
  for_each_vertex(names, best.rows(), run, prefix, [&](VertexId v, const std::string& name) {
    table.text(name);
    const std::span<const int> classes = best.classes(v);
    for (std::size_t i = 0; i < classes.size(); ++i) {
      table.text(classes[i] < 0 ? "?"
                                : labeled.class_names()[static_cast<std::size_t>(classes[i])]);
      table.number(best.scores(v)[i]);
    }
    table.end_row();
  });
}

}  // namespace gssl::tool
