#include <pybind11/stl.h>

#include <unordered_map>
#include <utility>

#include "arrays.hpp"
#include "bindings.hpp"
#include "call.hpp"
#include "evaluation_document.hpp"
#include "gssl/core/error.hpp"
#include "gssl/core/stopwatch.hpp"

namespace gssl::python {
namespace {

tool::TrialPlan plan_of(const py::dict& asked) {
  tool::TrialPlan plan;
  plan.regression = asked["regression"].cast<bool>();
  plan.labels_per_class = asked["labels_per_class"].cast<std::vector<std::int64_t>>();
  plan.folds = asked["folds"].cast<int>();
  plan.leave_one_out = asked["leave_one_out"].cast<bool>();
  plan.splits = asked["splits"].is_none() ? "" : "the caller";
  plan.shares = {.training = asked["train"].cast<double>(),
                 .validation = asked["validation"].cast<double>(),
                 .test = asked["test"].cast<double>()};
  plan.repeats = asked["repeats"].cast<int>();
  plan.complete();
  return plan;
}

// Given as the vertices to learn from, and those to measure if not all others are.
std::vector<Trial> given_trials(const py::handle& splits, const std::vector<VertexId>& vertices) {
  std::unordered_map<VertexId, std::int32_t> row_of;
  for (const VertexId v : vertices) row_of.emplace(v, static_cast<std::int32_t>(row_of.size()));
  std::vector<Trial> trials;
  for (const auto& one : splits.cast<std::vector<std::vector<Array<VertexId>>>>()) {
    std::vector<std::set<std::int32_t>> parts;
    for (const Array<VertexId>& part : one) {
      parts.emplace_back();
      for (const VertexId v : view(part)) {
        const auto found = row_of.find(v);
        if (found == row_of.end())
          throw Error(ErrorCode::bad_data, "splits: a vertex or row without a truth");
        parts.back().insert(found->second);
      }
    }
    trials.push_back(tool::split_trial(parts, vertices.size(), "splits: "));
  }
  if (trials.empty()) throw Error(ErrorCode::bad_data, "splits: there is none");
  return trials;
}

// What is learned beside the rows, and a weight for each row of the points.
void take_training(const py::dict& asked, EvaluationProblem& problem) {
  TrainingOptions& training = problem.training;
  training.encoding.standardize = asked["standardize"].cast<bool>();
  training.calibrate = calibration_method_named(asked["calibrate"].cast<std::string>());
  training.calibration_folds = asked["calibration_folds"].cast<int>();
  if (!asked["class_weight"].is_none())
    training.class_weights = parse_class_weights(asked["class_weight"].cast<std::string>());
  const bool weighted = !asked["sample_weight"].is_none();
  const bool of_rows = training.encoding.standardize || training.class_weights.given() || weighted;
  if (of_rows && problem.points == nullptr)
    throw Error(ErrorCode::usage,
                "standardize, class_weight and sample_weight are for points, and there are none");
  if (!weighted) return;
  const auto weights = asked["sample_weight"].cast<Array<double>>();
  if (weights.size() != problem.points->rows())
    throw Error(ErrorCode::usage, "sample_weight: " + std::to_string(weights.size()) +
                                      " weights of " + std::to_string(problem.points->rows()) +
                                      " rows: give one for each");
  for (const VertexId v : problem.vertices)
    problem.weights.push_back(view(weights)[static_cast<std::size_t>(v)]);
}

// The document of gssl evaluate --results. `graph` and `points` may be None; `graphs` are pairs of
// a name and a graph of the same vertices, of which each learner chooses.
std::string evaluate_methods(const py::object& graph, const py::object& points,
                             const std::vector<std::pair<std::string, NamedGraph>>& graphs,
                             const py::tuple& truth, const std::vector<std::string>& methods,
                             const py::dict& asked_plan, const py::tuple& asked) {
  const tool::TrialPlan plan = plan_of(asked_plan);
  const LabeledSet known = labeled_of(truth);
  const Points rows = points.is_none() ? Points() : points_of(points.cast<py::tuple>());
  const NamedGraph named = graph.is_none() ? NamedGraph{} : graph.cast<NamedGraph>();
  EvaluationProblem problem{.truth = known.targets(),
                            .vertices = known.vertices(),
                            .graph = named.graph.get(),
                            .points = points.is_none() ? nullptr : &rows};
  take_training(asked_plan, problem);
  for (const auto& [name, one] : graphs) problem.graphs.push_back({name, one.graph.get()});
  double shared_seconds = 0.0;
  const EvaluationOptions options{.inner_folds = asked_plan["inner_folds"].cast<int>(),
                                  .prepared = [&](double seconds) { shared_seconds = seconds; },
                                  .measure_memory = asked_plan["memory"].cast<bool>()};
  std::vector<Trial> trials;
  if (!plan.splits.empty()) trials = given_trials(asked_plan["splits"], problem.vertices);
  const Stopwatch stopwatch;
  return Call(asked)([&](const RunContext& run) {
    if (plan.splits.empty()) trials = plan.make_trials(problem.truth, run);
    const auto results = evaluate(registry(), problem, methods, trials, options, run);
    const auto all = compare(results, trials, static_cast<int>(methods.size()), plan.protocol(),
                             plan.regression);
    const tool::Evaluated evaluated{.data = points.is_none() ? "graph" : "points",
                                    .plan = plan,
                                    .names = methods,
                                    .problem = problem,
                                    .seed = run.seed,
                                    .seconds = stopwatch.seconds(),
                                    .shared_seconds = shared_seconds};
    return tool::evaluation_document(evaluated, trials, results, all).dump(1) + "\n";
  });
}

}  // namespace

void bind_evaluate(py::module_& module) { module.def("evaluate", &evaluate_methods); }

}  // namespace gssl::python
