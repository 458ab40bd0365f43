#include "gssl/learn/graph_model.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "gssl/core/error.hpp"
#include "gssl/core/index.hpp"
#include "learn/report_record.hpp"

namespace gssl {
namespace {

[[noreturn]] void refuse_graph_model(const std::string& what) {
  throw Error(ErrorCode::bad_data, "record: model of a graph: " + what);
}

std::vector<std::int32_t> numbers_of(const std::vector<VertexStatus>& status) {
  std::vector<std::int32_t> numbers;
  numbers.reserve(status.size());
  for (const VertexStatus s : status) numbers.push_back(static_cast<std::int32_t>(s));
  return numbers;
}

// Where scores are not kept, their block is empty.
void check_parts(const GraphModel& model) {
  const Fit& fit = model.fit;
  const VertexId n = model.names.size();
  const auto classes = static_cast<std::int64_t>(model.class_names.size());
  const std::int64_t width = model.regression ? 1 : classes;
  const Block& values = fit.scores.values;
  if (!values.values().empty() && (values.rows() != n || values.columns() != width))
    refuse_graph_model("scores of another number of vertices or classes");
  const bool finite =
      std::ranges::all_of(values.values(), [](double score) { return std::isfinite(score); });
  const bool decided = std::ranges::all_of(
      fit.decision, [&](int k) { return k >= -1 && k < (model.regression ? 0 : classes); });
  const bool sure =
      std::ranges::all_of(fit.confidence, [](double c) { return c >= 0.0 && c <= 1.0; });
  if (!finite || !decided || !sure) refuse_graph_model("an answer out of range");
}

}  // namespace

Fit GraphModel::answers(const std::vector<VertexId>& vertices) const {
  Fit some;
  some.report = fit.report;
  some.class_names = class_names;
  const bool scored = !fit.scores.values.values().empty();
  if (scored) some.scores.values = Block(std::ssize(vertices), fit.scores.values.columns());
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    const VertexId v = vertices[i];
    if (v < 0 || v >= names.size())
      throw Error(ErrorCode::bad_data, "model of a graph: no vertex " + std::to_string(v));
    some.scores.status.push_back(fit.scores.status[index(v)]);
    some.decision.push_back(fit.decision[index(v)]);
    some.confidence.push_back(fit.confidence[index(v)]);
    if (scored)
      std::ranges::copy(fit.scores.values.row(v),
                        some.scores.values.row(static_cast<std::int64_t>(i)).begin());
  }
  return some;
}

Record GraphModel::to_record() const {
  Record record;
  record.put("learner", std::string_view(learner));
  record.put("spec", std::string_view(spec));
  record.put("regression", std::int64_t{regression ? 1 : 0});
  record.put("classes", class_names);
  record.put("edges", edges);
  record.put("given", given);
  record.put("seed", static_cast<std::int64_t>(seed));
  record.put("outcome", to_string(fit.report.outcome));
  record.put("sentence", std::string_view(fit.report.sentence));
  record.put("warnings", fit.report.warnings);
  record.put("certificates", detail::certificates_record(fit.report.certificates));
  std::vector<std::string> vertices;
  vertices.reserve(static_cast<std::size_t>(names.size()));
  for (VertexId v = 0; v < names.size(); ++v) vertices.push_back(names.name(v));
  record.put("vertices", vertices);
  record.put("status", numbers_of(fit.scores.status));
  record.put("decision", std::vector<std::int32_t>(fit.decision.begin(), fit.decision.end()));
  record.put("confidence", fit.confidence);
  record.put("scores", fit.scores.values);
  return record;
}

GraphModel GraphModel::from_record(const Record& record) {
  GraphModel model;
  model.learner = record.text("learner");
  model.spec = record.text("spec");
  model.regression = record.integer("regression") != 0;
  model.class_names = record.texts("classes");
  model.edges = record.integer("edges");
  model.given = record.integer("given");
  model.seed = static_cast<std::uint64_t>(record.integer("seed"));
  model.fit.report.outcome = detail::outcome_named(record.text("outcome"));
  model.fit.report.sentence = record.text("sentence");
  model.fit.report.warnings = record.texts("warnings");
  model.fit.report.certificates = detail::certificates_of(record.child("certificates"));
  const std::vector<std::string> vertices = record.texts("vertices");
  for (const std::string& name : vertices) model.names.insert(std::string_view(name));
  const VertexId n = model.names.size();
  if (n != std::ssize(vertices)) refuse_graph_model("two vertices have one name");
  for (const std::int32_t number : record.integers("status", n)) {
    if (number < 0 || number > static_cast<std::int32_t>(VertexStatus::unfinished))
      refuse_graph_model("a status that there is not");
    model.fit.scores.status.push_back(static_cast<VertexStatus>(number));
  }
  const std::vector<std::int32_t>& decision = record.integers("decision", n);
  model.fit.decision.assign(decision.begin(), decision.end());
  model.fit.confidence = record.reals("confidence", n);
  model.fit.scores.values = record.block("scores");
  model.fit.class_names = model.class_names;
  check_parts(model);
  return model;
}

GraphModel train_on_graph(const MadeLearner& learner, const Graph& graph, VertexNames names,
                          const LabeledSet& labeled, const RunContext& run) {
  GraphModel model;
  model.fit = learner.transductive().fit(graph, labeled, run);
  model.fit.report.setup_seconds = model.fit.report.solve_seconds = 0.0;
  model.learner = learner.entry->name;
  model.spec = learner.spec;
  model.regression = labeled.is_regression();
  model.class_names = labeled.class_names();
  model.names = std::move(names);
  model.edges = graph.edge_count();
  model.given = static_cast<std::int64_t>(labeled.size());
  model.seed = run.seed;
  return model;
}

}  // namespace gssl
