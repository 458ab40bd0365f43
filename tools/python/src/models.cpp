#include <pybind11/stl.h>

#include "arrays.hpp"
#include "bindings.hpp"
#include "call.hpp"
#include "gssl/core/error.hpp"
#include "gssl/io/record_file.hpp"
#include "gssl/io/summary.hpp"
#include "gssl/learn/trained_model.hpp"
#include "report_json.hpp"

namespace gssl::python {
namespace {

using ModelHandle = std::shared_ptr<TrainedModel>;

FeatureTable table_of(const py::tuple& points) {
  FeatureTable table;
  table.points = points_of(points);
  return table;
}

// (model, report)
py::tuple fit(const py::tuple& points, const py::tuple& targets, const std::string& spec,
              const std::optional<Array<double>>& weights, const std::string& calibrate,
              bool standardize, const py::tuple& asked) {
  const MadeLearner made = registry().make(spec);
  const FeatureTable table = table_of(points);
  const Targets y = targets_of(targets);
  TrainingOptions options;
  options.encoding.standardize = standardize;
  options.calibrate = calibration_method_named(calibrate);
  std::vector<double> row_weights = weights ? copy(*weights) : std::vector<double>();
  Report report;
  auto model = std::make_shared<TrainedModel>(Call(asked)([&](const RunContext& run) {
    return train_model(made, table, y, row_weights, options, run, &report);
  }));
  return py::make_tuple(std::move(model), tool::report_json(report));
}

// (scores, kind, decision, confidence)
py::tuple predict(const TrainedModel& model, const py::tuple& points, const py::tuple& asked) {
  const FeatureTable table = table_of(points);
  Prediction found = Call(asked)([&](const RunContext& run) { return model.predict(table, run); });
  const char* kind = "decision";
  if (found.kind == ScoreKind::shares) kind = "shares";
  if (found.kind == ScoreKind::probability) kind = "probability";
  if (found.kind == ScoreKind::value) kind = "value";
  return py::make_tuple(to_array(std::move(found.scores)), kind,
                        to_array(std::move(found.decision)), to_array(std::move(found.confidence)));
}

// Models and sessions as the bytes of their files, for pickle, and as files.
py::bytes model_bytes(const TrainedModel& model) {
  return record_bytes("model", model.to_record());
}

void save_model(const TrainedModel& model, const std::string& path) {
  write_record(path, "model", model.to_record());
}

ModelHandle load_model(const std::string& path) {
  return std::make_shared<TrainedModel>(
      TrainedModel::from_record(read_record(path, "model").record, registry()));
}

ModelHandle model_from_bytes(const py::bytes& data) {
  const auto from_file = py::module_::import("gssl._models").attr("_from_file");
  return from_file(data, py::cpp_function(&load_model)).cast<ModelHandle>();
}

py::dict facts_of(const TrainedModel& model) {
  py::dict facts;
  for (const auto& [name, value] : model.model->facts()) facts[py::str(name)] = value;
  return facts;
}

// An online session with all that must outlive it.
class PythonSession {
 public:
  PythonSession(const std::string& spec, const py::dict& setting, std::uint64_t seed)
      : made_(registry().make(spec)) {
    setting_.width = setting["width"].cast<std::int64_t>();
    setting_.width2 = setting["width2"].cast<std::int64_t>();
    setting_.class_names = setting["class_names"].cast<std::vector<std::string>>();
    setting_.horizon = setting["horizon"].cast<std::int64_t>();
    if (!setting["graph"].is_none()) setting_.graph = setting["graph"].cast<NamedGraph&>().graph;
    run_.seed = seed;
    session_ = made_.online().start(setting_, run_);
  }

  const std::string& spec() const { return made_.spec; }
  std::string kind() const { return std::string(to_string(made_.online().instance_kind())); }

  double predict(const Array<double>& values, const Array<std::int32_t>& columns,
                 std::int64_t first, std::int64_t second) {
    return session_->predict(
        {.values = view(values), .columns = view(columns), .first = first, .second = second});
  }

  double update(double value, const Array<double>& losses) {
    return session_->update({.value = value, .losses = view(losses)});
  }

  // Trial after trial without Python between them: (predictions, losses), as many as there was time
  // for. `values` has a row for each trial, or none; `first` and `second` an element, or none.
  py::tuple run(const Array<double>& values, const Array<std::int64_t>& first,
                const Array<std::int64_t>& second, const Array<double>& outcomes,
                const py::tuple& asked) {
    const py::ssize_t trials = outcomes.shape(0);
    const bool many = outcomes.ndim() == 2;  // losses of every action
    std::vector<double> predictions, losses;
    predictions.reserve(static_cast<std::size_t>(trials));
    losses.reserve(static_cast<std::size_t>(trials));
    Call(asked).run([&](const RunContext& run) {
      for (py::ssize_t t = 0; t < trials && !run.should_stop(); ++t) {
        Instance instance;
        if (values.size() > 0) instance.values = row(values, t);
        if (first.size() > 0) instance.first = first.data()[t];
        if (second.size() > 0) instance.second = second.data()[t];
        predictions.push_back(session_->predict(instance));
        Revealed revealed;
        if (many)
          revealed.losses = row(outcomes, t);
        else
          revealed.value = outcomes.data()[t];
        losses.push_back(session_->update(revealed));
      }
    });
    return py::make_tuple(to_array(std::move(predictions)), to_array(std::move(losses)));
  }

  std::string report() const {
    const OnlineReport found = session_->report();
    Summary summary;
    summary.set("trials", found.trials);
    summary.set("mistakes", found.mistakes);
    summary.set("loss", found.loss);
    summary.set("loss_name", found.loss_name);
    if (found.comparator) {
      summary.set("comparator", *found.comparator);
      summary.set("comparator_name", found.comparator_name);
      summary.set("regret", *found.regret());
    }
    if (found.bound) summary.set("bound", *found.bound);
    summary.set("bound_name", found.bound_name);
    summary.set("bound_in_expectation", found.bound_in_expectation);
    for (const Certificate& certificate : found.certificates) summary.add_certificate(certificate);
    summary.set("warnings", found.warnings);
    return summary.json();
  }

  py::bytes save() const {
    Record record;
    session_->save(record);
    return record_bytes("python-session", record);
  }

  // From the bytes of save(), through a file, since that is where records are checked.
  void resume(const std::string& path) {
    session_ = made_.online().resume(setting_, read_record(path, "python-session").record, run_);
  }

 private:
  static std::span<const double> row(const Array<double>& array, py::ssize_t r) {
    const py::ssize_t width = array.ndim() == 2 ? array.shape(1) : 1;
    return {array.data() + r * width, static_cast<std::size_t>(width)};
  }

  MadeLearner made_;
  OnlineSetting setting_;
  RunContext run_;
  std::unique_ptr<OnlineSession> session_;
};

}  // namespace

Targets targets_of(const py::tuple& targets) {
  if (targets[1].is_none()) return Targets::reals(copy(targets[0].cast<Array<double>>()));
  return Targets::classes(copy(targets[0].cast<Array<int>>()),
                          targets[1].cast<std::vector<std::string>>());
}

void bind_models(py::module_& module) {
  py::class_<TrainedModel, ModelHandle>(module, "TrainedModel")
      .def_readonly("learner", &TrainedModel::learner)
      .def_readonly("spec", &TrainedModel::spec)
      .def_readonly("regression", &TrainedModel::regression)
      .def_readonly("class_names", &TrainedModel::class_names)
      .def_property_readonly("columns",
                             [](const TrainedModel& m) { return m.encoding.input_columns(); })
      .def_property_readonly("gives_shares",
                             [](const TrainedModel& m) {
                               const ScoreKind kind = m.model->score_kind();
                               return m.calibration || kind == ScoreKind::shares ||
                                      kind == ScoreKind::probability;
                             })
      .def("facts", &facts_of)
      .def("predict", &predict)
      .def("save", &save_model)
      .def("to_bytes", &model_bytes)
      // A pickle of what came from a file of the house, so that it is checked as one.
      .def(py::pickle([](const TrainedModel& m) { return model_bytes(m); }, &model_from_bytes));
  module.def("fit", &fit);
  module.def("load_model", &load_model);
  py::class_<PythonSession>(module, "Session")
      .def(py::init<const std::string&, const py::dict&, std::uint64_t>())
      .def_property_readonly("spec", &PythonSession::spec)
      .def_property_readonly("kind", &PythonSession::kind)
      .def("predict", &PythonSession::predict)
      .def("update", &PythonSession::update)
      .def("run", &PythonSession::run)
      .def("report", &PythonSession::report)
      .def("save", &PythonSession::save)
      .def("resume", &PythonSession::resume);
}

}  // namespace gssl::python
