#include <pybind11/stl.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "arrays.hpp"
#include "bindings.hpp"
#include "call.hpp"
#include "gssl/answer/explanation.hpp"
#include "gssl/answer/extend.hpp"
#include "gssl/core/error.hpp"
#include "gssl/evaluate/active.hpp"
#include "gssl/evaluate/graph_calibration.hpp"
#include "gssl/io/label_reader.hpp"
#include "label_tables.hpp"
#include "report_json.hpp"

namespace gssl::python {
namespace {

// A fit with what it takes to write it as the command does.
struct HeldFit {
  Fit fit;
  LabeledSet labeled;
  std::string spec;
};

HeldFit label(const NamedGraph& named, const std::string& spec, const std::vector<double>& priors,
              const py::tuple& labels, bool with_scores, const std::string& calibrate,
              const py::tuple& asked) {
  const MadeLearner made = registry().make(spec, priors);
  const TransductiveLearner& learner = made.transductive();
  LabeledSet labeled = labeled_of(labels);
  Fit fit = Call(asked)([&](const RunContext& run) {
    if (!with_scores && calibrate.empty())
      return learner.fit_without_scores(*named.graph, labeled, run);
    Fit found = learner.fit(*named.graph, labeled, run);
    if (!calibrate.empty())
      apply_calibration(calibrate_on_graph(learner, *named.graph, labeled, found,
                                           calibration_method_named(calibrate), run),
                        *named.graph, found, run.thread_count());
    return found;
  });
  return {std::move(fit), std::move(labeled), made.spec};
}

HeldFit label_points(const py::tuple& points, const std::string& spec, const py::tuple& labels,
                     const py::tuple& asked) {
  const MadeLearner made = registry().make(spec);
  if (!made.points_learner)
    throw Error(ErrorCode::usage, made.entry->name + ": learns from a graph");
  LabeledSet labeled = labeled_of(labels);
  const Points rows = points_of(points);
  Fit fit = Call(asked)(
      [&](const RunContext& run) { return made.points_learner->fit(rows, labeled, run); });
  return {std::move(fit), std::move(labeled), made.spec};
}

// The fit carried to rows that were not among those of the graph, by lists of their nearest ones.
HeldFit extend_fit(const HeldFit& held, const Array<VertexId>& neighbors,
                   const Array<double>& distances, const std::string& weights, double scale,
                   const std::optional<Array<double>>& local_scale, const py::tuple& asked) {
  const KnnLists nearest = lists_of(neighbors, distances);
  const ExtensionWeights how{weight_kind_named(weights), scale,
                             local_scale ? copy(*local_scale) : std::vector<double>()};
  Fit fit = Call(asked)([&](const RunContext& run) { return extend(held.fit, nearest, how, run); });
  return {std::move(fit), held.labeled, held.spec};
}

py::array scores_of(const py::object& self) {
  const Block& block = self.cast<HeldFit&>().fit.scores.values;
  return shown(block.values(), self).reshape({block.rows(), block.columns()});
}

py::array status_of(const py::object& self) {
  static_assert(sizeof(VertexStatus) == sizeof(std::uint8_t));
  const auto& status = self.cast<HeldFit&>().fit.scores.status;
  return shown(std::span(reinterpret_cast<const std::uint8_t*>(status.data()), status.size()),
               self);
}

void write(const HeldFit& held, const std::string& path, const std::string& format,
           const NamedGraph& named, bool scores) {
  const auto rows = static_cast<VertexId>(held.fit.scores.status.size());
  const VertexNames numbered = VertexNames::numbered(named.names ? 0 : rows);
  const VertexNames& names = named.names ? *named.names : numbered;
  OutputFile out(path);
  TableWriter table(out, parse_table_format(format),
                    scores ? tool::score_columns(held.labeled)
                           : std::vector<std::string>{"node", "label", "confidence", "status"});
  if (scores)
    tool::write_scores(table, names, held.fit, {});
  else
    tool::write_labels(table, names, held.labeled, held.fit, {});
  out.commit();
}

// (vertices, labels as text, count of missing) of a label file.
py::tuple read_label_file(const std::string& path, const NamedGraph& named,
                          const std::string& missing, const std::string& unknown,
                          const std::optional<std::pair<int, int>>& columns) {
  VertexNames names =
      named.names ? *named.names : VertexNames::numbered(named.graph->vertex_count());
  if (unknown != "error" && unknown != "ignore")
    throw Error(ErrorCode::usage, "unknown: '" + unknown + "': must be error or ignore");
  if (columns &&
      (std::min(columns->first, columns->second) < 1 || columns->first == columns->second))
    throw Error(ErrorCode::usage, "label_columns: must be two columns, from 1");
  LabelFile file = read_labels(path, names,
                               {.unknown = parse_unknown_labels(unknown),
                                .missing = parse_missing_marks(missing),
                                .columns = columns,
                                .remedy = ", or pass unknown='ignore'"});
  return py::make_tuple(to_array(std::move(file.vertices)), file.labels, file.missing.total);
}

HarmonicOptions harmonic_options(const MadeLearner& made) {
  made.transductive();
  const auto* harmonic = made.as<HarmonicLearner>();
  if (harmonic == nullptr)
    throw Error(ErrorCode::usage, made.entry->name +
                                      ": its scores are no average of the given "
                                      "labels; explain takes harmonic");
  return harmonic->options();
}

py::tuple explain_vertices(const NamedGraph& named, const py::tuple& labels,
                           const Array<VertexId>& vertices, const std::string& spec,
                           const py::tuple& asked) {
  const HarmonicOptions options = harmonic_options(registry().make(spec));
  const LabeledSet labeled = labeled_of(labels);
  const Explanations found = Call(asked)([&](const RunContext& run) {
    return explain(*named.graph, labeled, view(vertices), options, run);
  });
  py::list all;
  for (const Explanation& one : found.of) {
    std::vector<VertexId> label_vertices;
    std::vector<double> shares;
    for (const LabelShare& share : one.shares) {
      label_vertices.push_back(labeled.vertices()[share.label]);
      shares.push_back(share.share);
    }
    all.append(py::make_tuple(one.vertex, to_string(one.status),
                              to_array(std::move(label_vertices)), to_array(std::move(shares)),
                              one.row_sum));
  }
  return py::make_tuple(all, tool::report_json(found.report));
}

py::tuple find_suspects(const NamedGraph& named, const py::tuple& labels, const std::string& spec,
                        const py::tuple& asked) {
  const HarmonicOptions options = harmonic_options(registry().make(spec));
  const LabeledSet labeled = labeled_of(labels);
  const LeaveOneOut found = Call(asked)(
      [&](const RunContext& run) { return leave_one_out(*named.graph, labeled, options, run); });
  py::list all;
  for (const Suspect& one : rank_suspects(labeled, found))
    all.append(py::make_tuple(labeled.vertices()[one.label], one.suspicion, one.best,
                              one.best_score, one.own_score, std::string(to_string(one.status))));
  return py::make_tuple(all, tool::report_json(found.report));
}

py::tuple ask(const NamedGraph& named, const py::tuple& labels, int count,
              const std::string& criterion, const std::optional<Array<VertexId>>& candidates,
              const std::string& spec, const py::tuple& asked) {
  const AskOptions options = parse_criterion(criterion);
  const MadeLearner made = registry().make(spec);
  const LabeledSet labeled = labeled_of(labels);
  Report report;
  const auto questions = Call(asked)([&](const RunContext& run) {
    Scores scores{
        .values = {},
        .status = std::vector<VertexStatus>(static_cast<std::size_t>(named.graph->vertex_count()),
                                            VertexStatus::unreached)};
    if (uses_scores(options.criterion) && labeled.size() > 0)
      scores = made.transductive().fit(*named.graph, labeled, run).scores;
    Asker::Candidates allowed;
    if (candidates) allowed = view(*candidates);
    Asker asker(*named.graph, labeled.vertices(), allowed, options, run);
    auto found = asker.next(count, &scores, run);
    report = asker.report();
    return found;
  });
  std::vector<VertexId> vertices;
  std::vector<double> scores;
  std::vector<std::uint8_t> unreached;
  for (const Question& one : questions) {
    vertices.push_back(one.vertex);
    scores.push_back(one.score);
    unreached.push_back(one.unreached ? 1 : 0);
  }
  return py::make_tuple(to_array(std::move(vertices)), to_array(std::move(scores)),
                        to_array(std::move(unreached)), tool::report_json(report));
}

py::tuple parts_of(const LabeledSet& labeled) {
  py::object classes = py::none(), values;
  if (labeled.is_regression())
    values = to_array(labeled.target_of());
  else
    values = to_array(labeled.class_of()), classes = py::cast(labeled.class_names());
  return py::make_tuple(to_array(labeled.vertices()), values, classes);
}

// For pickle. The report stays behind: LabelResult has it as a dict.
py::tuple state_of(const HeldFit& held) {
  std::vector<std::uint8_t> status;
  for (const VertexStatus one : held.fit.scores.status)
    status.push_back(static_cast<std::uint8_t>(one));
  return py::make_tuple(to_array(held.fit.scores.values), to_array(std::move(status)),
                        to_array(held.fit.decision), to_array(held.fit.confidence),
                        held.fit.class_names, parts_of(held.labeled), held.spec);
}

HeldFit held_from(const py::tuple& state) {
  const auto scores = state[0].cast<Array<double>>();
  const auto status = state[1].cast<Array<std::uint8_t>>();
  HeldFit held;
  held.fit.scores.values = Block(scores.shape(0), scores.shape(1), copy(scores));
  for (const std::uint8_t one : view(status)) {
    if (one > static_cast<std::uint8_t>(VertexStatus::unfinished))
      throw Error(ErrorCode::bad_data, "a result from a pickle: status out of range");
    held.fit.scores.status.push_back(static_cast<VertexStatus>(one));
  }
  held.fit.decision = copy(state[2].cast<Array<int>>());
  held.fit.confidence = copy(state[3].cast<Array<double>>());
  held.fit.class_names = state[4].cast<std::vector<std::string>>();
  held.labeled = labeled_of(state[5].cast<py::tuple>());
  held.spec = state[6].cast<std::string>();
  return held;
}

}  // namespace

LabeledSet labeled_of(const py::tuple& labels) {
  std::vector<VertexId> vertices = copy(labels[0].cast<Array<VertexId>>());
  if (labels[2].is_none())
    return LabeledSet::targets(std::move(vertices), copy(labels[1].cast<Array<double>>()));
  return LabeledSet::classes(std::move(vertices), copy(labels[1].cast<Array<int>>()),
                             labels[2].cast<std::vector<std::string>>());
}

void bind_label(py::module_& module) {
  py::class_<HeldFit>(module, "HeldFit")
      .def_readonly("spec", &HeldFit::spec)
      .def_property_readonly("report",
                             [](const HeldFit& h) { return tool::report_json(h.fit.report); })
      .def(py::pickle(&state_of, &held_from))
      .def("write", &write);
  module.def("scores_of", &scores_of);
  module.def("status_of", &status_of);
  module.def("decision_of", [](const py::object& self) {
    return shown(std::span<const int>(self.cast<HeldFit&>().fit.decision), self);
  });
  module.def("confidence_of", [](const py::object& self) {
    return shown(std::span<const double>(self.cast<HeldFit&>().fit.confidence), self);
  });
  module.def("label", &label);
  module.def("label_points", &label_points);
  module.def("extend", &extend_fit);
  module.def("read_labels", &read_label_file);
  module.def("explain", &explain_vertices);
  module.def("suspects", &find_suspects);
  module.def("ask", &ask);
}

}  // namespace gssl::python
