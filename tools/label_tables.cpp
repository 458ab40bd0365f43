#include "label_tables.hpp"

#include "gssl/core/error.hpp"

namespace gssl::tool {
namespace {

// A row for every vertex, by row(part, v) after its name; looks now and then whether to stop.
template <class Row>
void rows_of_vertices(TableWriter& table, const VertexNames& names, VertexId count,
                      const RunContext& run, const std::string& prefix, Row&& row) {
  constexpr std::int64_t stride = 1 << 12;
  table.rows(count, run.thread_count(), [&](TableWriter& part, std::int64_t i) {
    if (i % stride == 0 && run.cancelled())
      throw Error(ErrorCode::cancelled, "stopped by a signal");
    const auto v = static_cast<VertexId>(i);
    thread_local std::string name;
    name = prefix;
    names.append_name(v, name);
    part.text(name);
    row(part, v);
    part.end_row();
  });
}

}  // namespace

void write_labels(TableWriter& table, const VertexNames& names, const LabeledSet& labeled,
                  const Fit& fit, const RunContext& run, const std::string& prefix) {
  const auto count = static_cast<VertexId>(fit.scores.status.size());
  rows_of_vertices(table, names, count, run, prefix, [&](TableWriter& part, VertexId v) {
    const auto at = static_cast<std::size_t>(v);
    const VertexStatus status = fit.scores.status[at];
    // Inferred without a class: below --min-confidence.
    const bool uncertain =
        status == VertexStatus::inferred && !labeled.is_regression() && fit.decision[at] < 0;
    if (has_no_answer(status) || uncertain) {
      part.text("?");
    } else if (labeled.is_regression()) {
      part.number(fit.scores.values(v, 0));
    } else {
      part.text(labeled.class_names()[static_cast<std::size_t>(fit.decision[at])]);
    }
    part.number(fit.confidence[at]);
    part.text(uncertain ? "uncertain" : to_string(status));
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
  rows_of_vertices(table, names, count, run, prefix, [&](TableWriter& part, VertexId v) {
    for (const double score : fit.scores.values.row(v)) part.number(score);
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
  rows_of_vertices(table, names, best.rows(), run, prefix, [&](TableWriter& part, VertexId v) {
    const std::span<const int> classes = best.classes(v);
    for (std::size_t i = 0; i < classes.size(); ++i) {
      part.text(classes[i] < 0 ? "?" : labeled.class_names()[static_cast<std::size_t>(classes[i])]);
      part.number(best.scores(v)[i]);
    }
  });
}

}  // namespace gssl::tool
