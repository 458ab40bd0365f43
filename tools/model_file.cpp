#include "model_file.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "graph_models.hpp"
#include "gssl/core/error.hpp"
#include "gssl/core/number_text.hpp"
#include "gssl/io/checkpoint_file.hpp"
#include "property_table.hpp"

namespace gssl::tool {
namespace {

TrainedModel model_of(const Session& session, const Record& record, const std::string& path) {
  try {
    return TrainedModel::from_record(record, session.registry);
  } catch (const Error& error) {
    throw error.with_message(path + ": " + error.what());
  }
}

// The first few, and how many there are more.
std::string listed(const std::vector<std::string>& names) {
  constexpr std::size_t most = 20;
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), most); ++i)
    text += (i == 0 ? "" : ", ") + names[i];
  if (names.size() > most) text += fmt::format(", … ({} more)", names.size() - most);
  return text;
}

std::vector<std::string> part_names(const std::vector<ModelPart>& parts) {
  std::vector<std::string> names;
  names.reserve(parts.size());
  for (const ModelPart& part : parts) names.push_back(part.name);
  return names;
}

void write_training(PropertyTable& table, const TrainedModel& model) {
  table.row("training_rows", model.training_rows);
  table.row("seed", static_cast<std::int64_t>(model.seed));
  if (!model.label_column.empty()) table.row("label_column", model.label_column);
  if (!model.weight_column.empty()) table.row("weight_column", model.weight_column);
  if (!model.id_column.empty()) table.row("id_column", model.id_column);
  table.row("class_weights", model.class_weights);
  table.row("outcome", to_string(model.outcome));
  table.row("report", model.sentence);
  for (const Certificate& certificate : model.certificates) {
    std::vector<std::string> values;
    for (const double value : certificate.values) values.push_back(to_text(value));
    table.row(certificate.name, listed(values));
  }
  for (const std::string& warning : model.warnings) table.row("warning", warning);
}

void write_model_info(PropertyTable& table, const TrainedModel& model) {
  table.row("learner", model.learner);
  table.row("method", model.spec);
  table.row("task", std::string_view(model.regression ? "regression" : "classification"));
  if (!model.regression) {
    table.row("classes", static_cast<std::int64_t>(model.class_names.size()));
    table.row("class_names", listed(model.class_names));
  }
  for (const auto& [name, value] : model.encoding.facts()) table.row(name, value);
  if (!model.encoding.input_names().empty())
    table.row("column_names", listed(model.encoding.input_names()));
  table.row("calibration", model.calibration.sentence());
  if (model.calibration) {
    table.row("calibration_rows", model.calibration_rows);
    table.row("calibration_error", model.calibration_error);
  }
  write_training(table, model);
  for (const auto& [name, value] : model.model->facts()) table.row(name, value);
  const std::vector<std::string> parts = part_names(model.parts());
  if (!parts.empty()) table.row("parts", listed(parts));
}

void write_cell(TableWriter& table, const ModelCell& cell) {
  if (const auto* text = std::get_if<std::string>(&cell))
    table.text(*text);
  else if (const auto* number = std::get_if<double>(&cell))
    table.number(*number);
  else
    table.integer(std::get<std::int64_t>(cell));
}

}  // namespace

TrainedModel read_model(const Session& session, const std::string& path) {
  return model_of(session, read_record(path, "model", session.run.memory_limit).record, path);
}

void write_model_part(Session& session, OutputFile& out, const RecordFile& file,
                      const std::string& path, const std::string& wanted) {
  if (file.header.kind != "model")
    throw Error(ErrorCode::usage,
                fmt::format("--show: {}: a {} has no {}; models of gssl fit POINTS do", path,
                            file.header.kind, wanted));
  const TrainedModel model = model_of(session, file.record, path);
  const std::vector<ModelPart> parts = model.parts();
  const auto part = std::ranges::find(parts, wanted, &ModelPart::name);
  if (part == parts.end())
    throw Error(ErrorCode::usage,
                fmt::format("--show: {}: a model of {} has no {}; it has {}", path, model.learner,
                            wanted, parts.empty() ? "nothing to show" : listed(part_names(parts))));
  if (model.encoding.standardizes())
    session.say(
        "columns are standardized: numbers are of (x - mean)/sd of each, as the training rows "
        "have them");
  session.summary.set("method", model.spec);
  session.summary.set("part", part->name);
  session.summary.set("rows", part->rows);
  TableWriter table(out, session.options().table_format(), part->headings);
  for (std::int64_t r = 0; r < part->rows; ++r) {
    if (r % 4096 == 0) session.check_cancelled();
    for (const ModelCell& cell : part->row(r)) write_cell(table, cell);
    table.end_row();
  }
}

void write_record_info(Session& session, OutputFile& out, const RecordFile& file,
                       const std::string& path) {
  PropertyTable table(session, out);
  table.row("kind", file.header.kind);
  table.row("gssl_version", file.header.gssl_version);
  if (file.header.kind == "model") {
    write_model_info(table, model_of(session, file.record, path));
    return;
  }
  if (file.header.kind == graph_model_kind) {
    write_graph_model_info(table, graph_model_of(file.record, path));
    return;
  }
  if (file.header.kind == "checkpoint") {
    for (const auto& [name, value] : checkpoint_about(file.record).facts) table.row(name, value);
    const bool ended = std::ranges::any_of(file.record.entries(), [](const auto& entry) {
      return entry.first.starts_with("result/");
    });
    table.row("state", std::string_view(ended ? "ended: it holds the answer" : "to be resumed"));
    return;
  }
  // Texts and single numbers say what a session is; lists are its state.
  for (const auto& [name, value] : file.record.entries()) {
    if (const auto* text = std::get_if<std::string>(&value)) table.row(name, *text);
    const auto* reals = std::get_if<std::vector<double>>(&value);
    if (reals != nullptr && reals->size() == 1) table.row(name, reals->front());
    const auto* integers = std::get_if<std::vector<std::int64_t>>(&value);
    if (integers != nullptr && integers->size() == 1) table.row(name, integers->front());
  }
}

}  // namespace gssl::tool
