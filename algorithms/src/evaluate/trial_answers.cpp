#include "evaluate/trial_answers.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

#include "evaluate/online_answers.hpp"
#include "gssl/cluster/cut_objectives.hpp"
#include "gssl/core/error.hpp"
#include "gssl/core/index.hpp"
#include "gssl/core/rng.hpp"
#include "gssl/evaluate/graph_calibration.hpp"
#include "learn/tied_rows.hpp"

namespace gssl::detail {
namespace {

// Away from those of a learner, which draws by trials.
constexpr std::uint64_t order_stream = std::numeric_limits<std::uint64_t>::max();

Answers empty_answers(std::size_t rows, std::int64_t columns) {
  Answers found;
  found.answer.assign(rows, no_answer);
  found.confidence.assign(rows, 0.0);
  found.answered.assign(rows, 0);
  found.scores = Block(static_cast<std::int64_t>(rows), columns);
  return found;
}

bool learns_by_trials(const MadeLearner& learner) {
  return learner.online_learner != nullptr && labels_vertices(*learner.online_learner);
}

bool are_shares(const Block& scores) {
  return std::ranges::all_of(scores.values(),
                             [](double s) { return s >= 0.0 && std::isfinite(s); });
}

}  // namespace

bool learns_from_points(const MadeLearner& learner, const Inputs& inputs) {
  const bool rows = inputs.points != nullptr || inputs.table != nullptr;
  return (rows && learner.inductive_learner != nullptr) ||
         (inputs.points != nullptr && learner.points_learner != nullptr);
}

bool takes_rows_as_they_are(const EvaluationProblem& problem) {
  const TrainingOptions& training = problem.training;
  return problem.points != nullptr &&
         (problem.table == nullptr || problem.table->columns.empty()) && problem.weights.empty() &&
         !training.encoding.standardize && !training.class_weights.given() &&
         training.calibrate == CalibrationMethod::none;
}

void check_kind(const MadeLearner& learner, const Inputs& inputs) {
  if (learns_from_points(learner, inputs)) return;
  if (learner.calibrate)
    throw Error(
        ErrorCode::usage,
        learner.entry->name +
            ": option calibrate: is for models of rows; answers on a graph are calibrated by "
            "an option of the run",
        Remedy::calibrate);
  const bool of_graphs = learner.transductive_learner != nullptr ||
                         learner.clusterer_learner != nullptr || learns_by_trials(learner);
  if (inputs.graph != nullptr && of_graphs) return;
  if (of_graphs)
    throw Error(
        ErrorCode::usage,
        learner.entry->name + " learns from a graph: give one, or with points what joins them",
        Remedy::knn);
  if (learner.inductive_learner != nullptr || learner.points_learner != nullptr)
    throw Error(ErrorCode::usage,
                learner.entry->name + (inputs.table == nullptr
                                           ? " learns from points: give points"
                                           : " learns from points, and a column holds words or a "
                                             "cell is missing"),
                inputs.table == nullptr ? Remedies(Remedy::points) : Remedies());
  throw Error(ErrorCode::usage, learner.entry->name + " gives no labels to rows or vertices");
}

Answers Fitter::answers(const MadeLearner& learner, const Inputs& inputs, const RowIds& training,
                        const RowIds& test, Purpose purpose, const RunContext& run) const {
  if (learns_from_points(learner, inputs) && learner.inductive_learner != nullptr)
    return from_rows(learner, inputs, training, test, purpose, run);
  if (learner.transductive_learner == nullptr && learner.clusterer_learner != nullptr)
    return from_clusters(learner.clusterer(), *inputs.graph, training, test, run);
  if (learner.transductive_learner == nullptr && learns_by_trials(learner))
    return from_trials(learner, *inputs.graph, training, test, run);
  return from_labels(learner, inputs, training, test, purpose, run);
}

std::int64_t Fitter::columns() const {
  return problem_.truth.is_regression() ? 1 : problem_.truth.class_count();
}

std::vector<VertexId> Fitter::vertices(const RowIds& rows) const {
  std::vector<VertexId> found;
  for (const std::int32_t row : rows) found.push_back(problem_.vertices[index(row)]);
  return found;
}

FeatureTable Fitter::table(const Inputs& inputs, const RowIds& rows) const {
  FeatureTable some;
  if (inputs.table != nullptr) {
    some = select(*inputs.table, vertices(rows));
    // Of numbers alone: no row to come lacks a cell, and nobody need know what would fill it.
    if (some.columns.empty()) some.from_text = false;
    return some;
  }
  some.points = select(*inputs.points, vertices(rows));
  return some;
}

std::vector<double> Fitter::weights(const RowIds& rows) const {
  std::vector<double> some;
  if (!problem_.weights.empty())
    for (const std::int32_t row : rows) some.push_back(problem_.weights[index(row)]);
  return some;
}

TrainingOptions Fitter::training_options(Purpose purpose) const {
  TrainingOptions options = problem_.training;
  options.decisions_only = purpose == Purpose::choose;
  return options;
}

Answers Fitter::of_prediction(Prediction prediction, bool converged) const {
  const std::size_t rows = index(prediction.scores.rows());
  Answers found = empty_answers(rows, columns());
  found.answer = std::move(prediction.decision);
  found.confidence = std::move(prediction.confidence);
  found.answered.assign(rows, 1);
  for (std::size_t i = 0; i < rows; ++i) {
    if (!prediction.tied[i]) continue;
    ++found.tied;
    found.answered[i] = 0;
    found.answer[i] = no_answer;
  }
  found.shares = prediction.kind == ScoreKind::shares || prediction.kind == ScoreKind::probability;
  found.scores = std::move(prediction.scores);
  found.converged = converged;
  return found;
}

Answers Fitter::from_rows(const MadeLearner& learner, const Inputs& inputs, const RowIds& training,
                          const RowIds& test, Purpose purpose, const RunContext& run) const {
  const auto* method = learner.as<KernelMethod>();
  const bool plain = calibration_of(learner, training_options(purpose)) == CalibrationMethod::none;
  if (method != nullptr && plain && inputs.table == problem_.table)
    if (const auto gram = kernels_.of(*method))
      return from_shared(*method, gram, training, test, run);
  if (purpose == Purpose::choose && inputs.table == problem_.table)
    if (auto scores = ridge_.scores(learner, training, test, run))
      return of_shared(*std::move(scores), true);
  const TrainedModel model =
      train_model(learner, table(inputs, training), problem_.truth.select(training),
                  weights(training), training_options(purpose), run);
  return of_prediction(model.predict(table(inputs, test), run), model.finished());
}

Answers Fitter::from_shared(const KernelMethod& method,
                            const std::shared_ptr<const GramMatrix>& gram, const RowIds& training,
                            const RowIds& test, const RunContext& run) const {
  const Targets targets = problem_.truth.select(training);
  method.check_targets(targets);
  Report report;
  Block scores = method.held_out_scores(gram, kernels_.places(training), targets,
                                        kernels_.places(test), run, report);
  return of_shared(std::move(scores), report.converged());
}

// Margins, or values of a regression.
Answers Fitter::of_shared(Block scores, bool converged) const {
  Prediction found;
  found.scores = std::move(scores);
  found.kind = problem_.truth.is_regression() ? ScoreKind::value : ScoreKind::decision;
  found.decision = decide(found.scores, found.kind);
  found.confidence = confidence(found.scores, found.kind);
  found.tied = tied_rows(found.scores, found.kind);
  return of_prediction(std::move(found), converged);
}

// Labels of classes that occur only: a learner is not told of the others.
LabeledSet Fitter::labeled(const RowIds& training, std::vector<int>& class_at) const {
  const Targets& truth = problem_.truth;
  if (truth.is_regression()) {
    std::vector<double> values;
    for (const std::int32_t row : training) values.push_back(truth.values()[index(row)]);
    return LabeledSet::targets(vertices(training), std::move(values));
  }
  std::vector<int> place(index(truth.class_count()), no_answer);
  for (const std::int32_t row : training) place[index(truth.class_of()[index(row)])] = 0;
  std::vector<std::string> names;
  for (std::size_t k = 0; k < place.size(); ++k) {
    if (place[k] == no_answer) continue;
    place[k] = static_cast<int>(names.size());
    names.push_back(truth.class_names()[k]);
    class_at.push_back(static_cast<int>(k));
  }
  std::vector<int> class_of;
  for (const std::int32_t row : training)
    class_of.push_back(place[index(truth.class_of()[index(row)])]);
  return LabeledSet::classes(vertices(training), std::move(class_of), std::move(names));
}

Fit Fitter::fit_to_labels(const MadeLearner& learner, const Inputs& inputs, const LabeledSet& given,
                          const RunContext& run) const {
  return learns_from_points(learner, inputs)
             ? learner.points_learner->fit(*inputs.points, given, run)
             : graphs_.fit(learner, *inputs.graph, given, run);
}

namespace {

// Confidence and scores of the fit become probabilities; without a graph by the scores alone.
void calibrate(const std::function<Fit(const LabeledSet&)>& fit_to, const Graph* graph,
               const LabeledSet& given, CalibrationMethod method, const RunContext& run, Fit& fit) {
  if (graph == nullptr) {
    const LeftOutCalibration found = calibrate_on_left_out(fit_to, given, method, run);
    apply_calibration(found.calibration, fit);
    fit.scores.values = calibrated_probabilities(found.calibration, fit);
    return;
  }
  const GraphCalibration found = calibrate_on_graph(fit_to, *graph, given, fit, method, run);
  apply_calibration(found, *graph, fit, run.thread_count());
  fit.scores.values = calibrated_probabilities(found, *graph, fit, run.thread_count());
}

}  // namespace

Answers Fitter::from_labels(const MadeLearner& learner, const Inputs& inputs,
                            const RowIds& training, const RowIds& test, Purpose purpose,
                            const RunContext& run) const {
  std::vector<int> class_at;
  const LabeledSet given = labeled(training, class_at);
  Fit fit = fit_to_labels(learner, inputs, given, run);
  const CalibrationMethod method = calibration_of(learner, training_options(purpose));
  if (method != CalibrationMethod::none) {
    const auto fit_to = [&](const LabeledSet& some) {
      return fit_to_labels(learner, inputs, some, run);
    };
    calibrate(fit_to, learns_from_points(learner, inputs) ? nullptr : inputs.graph, given, method,
              run, fit);
  }
  Answers found = empty_answers(test.size(), columns());
  for (std::size_t i = 0; i < test.size(); ++i)
    take(fit, class_at, problem_.vertices[index(test[i])], i, found);
  found.shares = are_shares(found.scores);
  found.converged = fit.report.converged();
  return found;
}

// The labels of the training part are the trials, in an order that is drawn: rows stand as they do in
// the file, often class by class.
Answers Fitter::from_trials(const MadeLearner& learner, const Graph& graph, const RowIds& training,
                            const RowIds& test, const RunContext& run) const {
  const std::string& name = learner.entry->name;
  if (problem_.training.calibrate != CalibrationMethod::none)
    throw Error(ErrorCode::usage, name + ": calibration is for learners that label a whole graph",
                Remedy::calibrate);
  std::vector<int> class_at;
  RowIds order = training;
  Rng rng = run.rng(order_stream);
  shuffle(order, rng);
  const LabeledSet given = labeled(order, class_at);
  const OnlineAnswers said =
      answers_by_trials(name, learner.online(), graph, given, vertices(test), run);
  const std::vector<double> sure = confidence(said.scores, ScoreKind::decision);
  Answers found = empty_answers(test.size(), columns());
  for (std::size_t i = 0; i < test.size(); ++i) {
    if (said.decision[i] < 0) {
      ++found.unreached;
      continue;
    }
    found.answered[i] = 1;
    found.answer[i] = class_at[index(said.decision[i])];
    found.confidence[i] = sure[i];
    for (std::size_t k = 0; k < class_at.size(); ++k)
      found.scores(static_cast<std::int64_t>(i), class_at[k]) =
          said.scores(static_cast<std::int64_t>(i), static_cast<std::int64_t>(k));
  }
  return found;
}

// As many clusters as classes; the labels of the training part name them, the first of equal
// counts. A cluster without such a label has no answer.
Answers Fitter::from_clusters(const Clusterer& clusterer, const Graph& graph,
                              const RowIds& training, const RowIds& test,
                              const RunContext& run) const {
  const Targets& truth = problem_.truth;
  if (truth.is_regression())
    throw Error(ErrorCode::usage, "a clusterer has no values: it is measured on classes");
  const Partition partition = clusterer.cluster(graph, truth.class_count(), run);
  const auto cluster = [&](std::int32_t row) {
    return partition.cluster_of[index(problem_.vertices[index(row)])];
  };
  Block counts(partition.count, columns());
  for (const std::int32_t row : training) counts(cluster(row), truth.class_of()[index(row)]) += 1.0;
  Answers found = empty_answers(test.size(), columns());
  for (std::size_t i = 0; i < test.size(); ++i) {
    const int c = cluster(test[i]);
    found.cluster_of.push_back(c);
    const auto row = counts.row(c);
    const auto most = std::ranges::max_element(row);
    double all = 0.0;
    for (const double count : row) all += count;
    if (all == 0.0) {
      ++found.unreached;
      continue;
    }
    found.answered[i] = 1;
    found.answer[i] = static_cast<int>(most - row.begin());
    found.confidence[i] = *most / all;
    for (std::int64_t k = 0; k < columns(); ++k)
      found.scores(static_cast<std::int64_t>(i), k) = row[index(k)] / all;
  }
  const CutObjectives objectives = cut_objectives(graph, partition.cluster_of, partition.count);
  found.cut = objectives.cut;
  found.modularity = objectives.modularity;
  found.shares = true;
  found.converged = partition.report.converged();
  return found;
}

void Fitter::take(const Fit& fit, const std::vector<int>& class_at, VertexId v, std::size_t i,
                  Answers& found) const {
  const VertexStatus status = fit.scores.status[index(v)];
  found.unreached += status == VertexStatus::unreached ? 1 : 0;
  found.tied += status == VertexStatus::tied ? 1 : 0;
  found.unfinished += status == VertexStatus::unfinished ? 1 : 0;
  const auto row = static_cast<std::int64_t>(i);
  if (problem_.truth.is_regression()) {
    found.answered[i] = has_no_answer(status) ? 0 : 1;
    found.scores(row, 0) = fit.scores.values(v, 0);
    return;
  }
  const int decided = answer_of(fit, v);
  found.answered[i] = decided == no_answer ? 0 : 1;
  found.confidence[i] = fit.confidence[index(v)];
  if (decided != no_answer) found.answer[i] = class_at[index(decided)];
  for (std::size_t k = 0; k < class_at.size(); ++k)
    found.scores(row, class_at[k]) = fit.scores.values(v, static_cast<std::int64_t>(k));
}

}  // namespace gssl::detail
