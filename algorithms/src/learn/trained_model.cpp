#include "gssl/learn/trained_model.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "gssl/core/error.hpp"
#include "learn/checked_learner.hpp"
#include "learn/model_names.hpp"
#include "learn/report_record.hpp"
#include "learn/tied_rows.hpp"

namespace gssl {
namespace {

[[noreturn]] void refuse_model(const std::string& what, Remedies remedies = {}) {
  throw Error(ErrorCode::bad_data, "record: model: " + what, remedies);
}

// The part of the record under "model/"; empty if there is none.
Record model_record(const Record& record) {
  const bool any = std::ranges::any_of(
      record.entries(), [](const auto& entry) { return entry.first.starts_with("model/"); });
  return any ? record.child("model") : Record();
}

std::unique_ptr<Model> load_model(const LearnerEntry& entry, const Record& record) {
  if (!entry.load_model) refuse_model("learner '" + entry.name + "' makes no models");
  auto model =
      detail::guarded({entry.plugin, entry.name}, [&] { return entry.load_model(record); });
  if (model == nullptr) refuse_model("learner '" + entry.name + "' made none of it");
  return model;
}

ModelPart importances_part(const std::vector<std::string>& columns,
                           const std::vector<double>& importances) {
  std::vector<std::int64_t> order(columns.size());
  std::iota(order.begin(), order.end(), std::int64_t{0});
  std::ranges::stable_sort(order, std::ranges::greater{}, [&](std::int64_t c) {
    return importances[static_cast<std::size_t>(c)];
  });
  return {.name = "importances",
          .headings = {"column", "importance"},
          .rows = std::ssize(columns),
          .row = [columns, importances, order](std::int64_t r) -> std::vector<ModelCell> {
            const auto c = static_cast<std::size_t>(order[static_cast<std::size_t>(r)]);
            return {columns[c], importances[c]};
          }};
}

}  // namespace

Prediction TrainedModel::predict(const FeatureTable& table, const RunContext& run) const {
  Prediction p;
  const Points points = encoding.encode(table, &p.counts);
  const auto width = static_cast<std::int64_t>(regression ? 1 : class_names.size());
  p.scores = points.rows() == 0 ? Block(0, width) : model->scores(points, run);
  p.kind = model->score_kind();
  if (p.scores.rows() != points.rows() || p.scores.columns() != width)
    refuse_model("it gives scores of another number of rows or classes");
  for (const double score : p.scores.values())
    if (!std::isfinite(score)) refuse_model("it gives a score that is not finite");
  p.decision = decide(p.scores, p.kind);
  p.confidence = gssl::confidence(p.scores, p.kind);
  p.tied = detail::tied_rows(p.scores, p.kind);
  if (!calibration) return p;
  p.scores = calibration.probabilities(p.scores);
  p.kind = ScoreKind::probability;
  for (std::size_t r = 0; r < p.decision.size(); ++r)
    p.confidence[r] = p.scores(static_cast<std::int64_t>(r), p.decision[r]);
  return p;
}

std::vector<ModelPart> TrainedModel::parts() const {
  ModelNames names{encoding.encoded_names(), class_names};
  if (names.columns.empty()) names.columns = detail::numbered_names(encoding.encoded_columns());
  std::vector<ModelPart> all = model->parts(names);
  const auto found = std::ranges::find(certificates, "importances", &Certificate::name);
  if (found != certificates.end() && found->values.size() == names.columns.size())
    all.push_back(importances_part(names.columns, found->values));
  return all;
}

Record TrainedModel::to_record() const {
  Record record;
  record.put("learner", std::string_view(learner));
  record.put("spec", std::string_view(spec));
  record.put("regression", std::int64_t{regression ? 1 : 0});
  record.put("classes", class_names);
  record.put("label_column", std::string_view(label_column));
  record.put("weight_column", std::string_view(weight_column));
  record.put("id_column", std::string_view(id_column));
  record.put("file_columns", file_columns);
  record.put("class_weights", std::string_view(class_weights));
  record.put("training_rows", training_rows);
  record.put("seed", static_cast<std::int64_t>(seed));
  record.put("outcome", to_string(outcome));
  record.put("sentence", std::string_view(sentence));
  record.put("warnings", warnings);
  record.put("certificates", detail::certificates_record(certificates));
  record.put("calibration_rows", calibration_rows);
  record.put("calibration_error", calibration_error);
  Record part;
  calibration.save(part);
  record.put("calibration", part);
  part = {};
  encoding.save(part);
  record.put("encoding", part);
  part = {};
  model->save(part);
  record.put("model", part);
  return record;
}

TrainedModel TrainedModel::from_record(const Record& record, const LearnerRegistry& registry) {
  TrainedModel trained;
  trained.learner = record.text("learner");
  trained.spec = record.text("spec");
  trained.regression = record.integer("regression") != 0;
  trained.class_names = record.texts("classes");
  trained.label_column = record.text("label_column");
  trained.weight_column = record.text("weight_column");
  // Models of earlier versions do not say these.
  if (record.has("id_column")) trained.id_column = record.text("id_column");
  if (record.has("file_columns")) trained.file_columns = record.integer("file_columns");
  trained.class_weights = record.text("class_weights");
  trained.training_rows = record.integer("training_rows");
  trained.seed = static_cast<std::uint64_t>(record.integer("seed"));
  trained.outcome = detail::outcome_named(record.text("outcome"));
  trained.sentence = record.text("sentence");
  trained.warnings = record.texts("warnings");
  trained.certificates = detail::certificates_of(record.child("certificates"));
  trained.calibration_rows = record.integer("calibration_rows");
  trained.calibration_error = record.real("calibration_error");
  trained.calibration = Calibration::load(record.child("calibration"));
  trained.encoding = ColumnEncoding::load(record.child("encoding"));
  if (!trained.regression && trained.class_names.empty()) refuse_model("it has no classes");
  const LearnerEntry* entry = registry.find(trained.learner);
  if (entry == nullptr)
    refuse_model(
        "learner '" + trained.learner + "' is not in this gssl; load the plug-in it is from",
        Remedy::plugin);
  trained.model = load_model(*entry, model_record(record));
  return trained;
}

}  // namespace gssl
