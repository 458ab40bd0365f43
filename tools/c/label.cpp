#include <memory>

#include "gssl/learn/registry.hpp"
#include "handles.hpp"
#include "report_json.hpp"

using gssl::c::guard;
using gssl::c::require;
using gssl::c::require_array;

namespace {

const gssl::LearnerRegistry& learners() {
  static const gssl::LearnerRegistry all = gssl::builtin_learners();
  return all;
}

gssl_status fit(const gssl_context* context, const gssl_graph* graph, const char* method,
                const gssl::LabeledSet& labeled, gssl_result** result) {
  auto made = std::make_unique<gssl_result>();
  const gssl::MadeLearner learner = learners().make(method);
  made->fit = learner.transductive().fit(graph->graph, labeled, gssl::c::run_of(context));
  for (const std::string& name : made->fit.class_names) made->class_names.push_back(name.c_str());
  made->status.reserve(made->fit.scores.status.size());
  for (const gssl::VertexStatus one : made->fit.scores.status)
    made->status.push_back(static_cast<unsigned char>(one));
  made->report = gssl::tool::report_json(made->fit.report);
  const bool converged = made->fit.report.converged();
  if (!converged) gssl::c::set_error(made->fit.report.sentence.c_str());
  *result = made.release();
  return converged ? GSSL_OK : GSSL_INCOMPLETE;
}

template <class Value>
void give(const std::vector<Value>& from, const Value** values, std::size_t* count) {
  *values = from.data();
  *count = from.size();
}

}  // namespace

gssl_status gssl_label(const gssl_context* context, const gssl_graph* graph, const char* method,
                       size_t count, const int32_t* vertices, const char* const* classes,
                       gssl_result** result) {
  return guard([&] {
    require(graph, "graph");
    require(method, "method");
    require(result, "result");
    require_array(classes, count, "classes");
    *result = nullptr;
    std::vector<std::string> names;
    names.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
      require(classes[i], "classes: an element");
      names.emplace_back(classes[i]);
    }
    return fit(context, graph, method,
               gssl::LabeledSet::classes(gssl::c::vertex_list(count, vertices), names), result);
  });
}

gssl_status gssl_label_values(const gssl_context* context, const gssl_graph* graph,
                              const char* method, size_t count, const int32_t* vertices,
                              const double* values, gssl_result** result) {
  return guard([&] {
    require(graph, "graph");
    require(method, "method");
    require(result, "result");
    require_array(values, count, "values");
    *result = nullptr;
    return fit(
        context, graph, method,
        gssl::LabeledSet::targets(gssl::c::vertex_list(count, vertices), {values, values + count}),
        result);
  });
}

gssl_status gssl_result_classes(const gssl_result* result, const char* const** names,
                                size_t* count) {
  return guard([&] {
    require(result, "result");
    require(names, "names");
    require(count, "count");
    give(result->class_names, names, count);
    return GSSL_OK;
  });
}

gssl_status gssl_result_labels(const gssl_result* result, const int32_t** labels, size_t* count) {
  return guard([&] {
    require(result, "result");
    require(labels, "labels");
    require(count, "count");
    give(result->fit.decision, labels, count);
    return GSSL_OK;
  });
}

gssl_status gssl_result_scores(const gssl_result* result, const double** scores, size_t* rows,
                               size_t* columns) {
  return guard([&] {
    require(result, "result");
    require(scores, "scores");
    require(rows, "rows");
    require(columns, "columns");
    const gssl::Block& block = result->fit.scores.values;
    *scores = block.data();
    *rows = static_cast<std::size_t>(block.rows());
    *columns = static_cast<std::size_t>(block.columns());
    return GSSL_OK;
  });
}

gssl_status gssl_result_confidence(const gssl_result* result, const double** confidence,
                                   size_t* count) {
  return guard([&] {
    require(result, "result");
    require(confidence, "confidence");
    require(count, "count");
    give(result->fit.confidence, confidence, count);
    return GSSL_OK;
  });
}

gssl_status gssl_result_status(const gssl_result* result, const unsigned char** status,
                               size_t* count) {
  return guard([&] {
    require(result, "result");
    require(status, "status");
    require(count, "count");
    give(result->status, status, count);
    return GSSL_OK;
  });
}

gssl_status gssl_result_report_json(const gssl_result* result, const char** json) {
  return guard([&] {
    require(result, "result");
    require(json, "json");
    *json = result->report.c_str();
    return GSSL_OK;
  });
}

void gssl_result_free(gssl_result* result) { delete result; }
