#include "gssl/evaluate/evaluation.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>
#include <optional>
#include <utility>

#include "gssl/core/error.hpp"
#include "gssl/core/parallel.hpp"
#include "gssl/core/stopwatch.hpp"

namespace gssl {

namespace {

using Rows = std::vector<std::int32_t>;
constexpr double nothing = std::numeric_limits<double>::quiet_NaN();

// What a learner says of some rows; classes are numbered as in the truth.
struct Answers {
  std::vector<int> answer;
  std::vector<double> confidence;
  Block scores;         // a column for each class of the truth; a value for a regression
  bool shares = false;  // scores are ≥ 0 and finite
  std::int64_t unreached = 0, tied = 0, unfinished = 0;
  std::vector<char> answered;
  bool converged = true;
};

bool learns_from_points(const MadeLearner& learner, const EvaluationProblem& problem) {
  return problem.points != nullptr &&
         (learner.inductive_learner != nullptr || learner.points_learner != nullptr);
}

// Throws unless the learner can learn from what there is.
void check_kind(const MadeLearner& learner, const EvaluationProblem& problem) {
  if (learns_from_points(learner, problem)) return;
  if (problem.graph != nullptr && learner.transductive_learner != nullptr) return;
  if (learner.transductive_learner != nullptr)
    throw Error(ErrorCode::usage, learner.entry->name +
                                      " learns from a graph: give one, or with points what joins "
                                      "them, as --knn 10");
  if (learner.inductive_learner != nullptr || learner.points_learner != nullptr)
    throw Error(ErrorCode::usage, learner.entry->name + " learns from points: give --points");
  throw Error(ErrorCode::usage, learner.entry->name + " gives no labels to rows or vertices");
}

Answers empty_answers(std::size_t rows, std::int64_t columns) {
  Answers found;
  found.answer.assign(rows, no_answer);
  found.confidence.assign(rows, 0.0);
  found.answered.assign(rows, 0);
  found.scores = Block(static_cast<std::int64_t>(rows), columns);
  return found;
}

bool are_shares(const Block& scores) {
  return std::ranges::all_of(scores.values(),
                             [](double s) { return s >= 0.0 && std::isfinite(s); });
}

class Fitter {
 public:
  Fitter(const EvaluationProblem& problem) : problem_(problem) {}

  // Fits to the labels of `training` and to nothing else of the truth; answers for `test`.
  Answers answers(const MadeLearner& learner, const Rows& training, const Rows& test,
                  const RunContext& run) const {
    if (learns_from_points(learner, problem_) && learner.inductive_learner != nullptr)
      return from_rows(learner, training, test, run);
    return from_labels(learner, training, test, run);
  }

 private:
  VertexId vertex(std::int32_t row) const {
    return problem_.vertices[static_cast<std::size_t>(row)];
  }
  std::int64_t columns() const {
    return problem_.truth.is_regression() ? 1 : problem_.truth.class_count();
  }
  std::vector<VertexId> vertices(const Rows& rows) const {
    std::vector<VertexId> found;
    for (const std::int32_t row : rows) found.push_back(vertex(row));
    return found;
  }

  Answers from_rows(const MadeLearner& learner, const Rows& training, const Rows& test,
                    const RunContext& run) const {
    const Dataset data =
        make_dataset(select(*problem_.points, vertices(training)), problem_.truth.select(training));
    const Trained trained = learner.inductive().fit(data, run);
    const Block scores = trained.model->scores(select(*problem_.points, vertices(test)), run);
    const ScoreKind kind = trained.model->score_kind();
    Answers found = empty_answers(test.size(), columns());
    found.answer = decide(scores, kind);
    found.confidence = confidence(scores, kind);
    found.answered.assign(test.size(), 1);
    found.shares = kind == ScoreKind::shares || kind == ScoreKind::probability;
    found.scores = scores;
    found.converged = trained.report.converged();
    return found;
  }

  // Labels of classes that occur only: a learner is not told of the others.
  LabeledSet labeled(const Rows& training, std::vector<int>& class_at) const {
    const Targets& truth = problem_.truth;
    if (truth.is_regression()) {
      std::vector<double> values;
      for (const std::int32_t row : training)
        values.push_back(truth.values()[static_cast<std::size_t>(row)]);
      return LabeledSet::targets(vertices(training), std::move(values));
    }
    std::vector<int> place(static_cast<std::size_t>(truth.class_count()), no_answer);
    for (const std::int32_t row : training)
      place[static_cast<std::size_t>(truth.class_of()[static_cast<std::size_t>(row)])] = 0;
    std::vector<std::string> names;
    for (std::size_t k = 0; k < place.size(); ++k) {
      if (place[k] == no_answer) continue;
      place[k] = static_cast<int>(names.size());
      names.push_back(truth.class_names()[k]);
      class_at.push_back(static_cast<int>(k));
    }
    std::vector<int> class_of;
    for (const std::int32_t row : training)
      class_of.push_back(
          place[static_cast<std::size_t>(truth.class_of()[static_cast<std::size_t>(row)])]);
    return LabeledSet::classes(vertices(training), std::move(class_of), std::move(names));
  }

  Answers from_labels(const MadeLearner& learner, const Rows& training, const Rows& test,
                      const RunContext& run) const {
    std::vector<int> class_at;
    const LabeledSet given = labeled(training, class_at);
    const Fit fit = learns_from_points(learner, problem_)
                        ? learner.points_learner->fit(*problem_.points, given, run)
                        : learner.transductive().fit(*problem_.graph, given, run);
    Answers found = empty_answers(test.size(), columns());
    for (std::size_t i = 0; i < test.size(); ++i) take(fit, class_at, vertex(test[i]), i, found);
    found.shares = are_shares(found.scores);
    found.converged = fit.report.converged();
    return found;
  }

  void take(const Fit& fit, const std::vector<int>& class_at, VertexId v, std::size_t i,
            Answers& found) const {
    const auto at = static_cast<std::size_t>(v);
    const VertexStatus status = fit.scores.status[at];
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
    found.confidence[i] = fit.confidence[at];
    if (decided != no_answer) found.answer[i] = class_at[static_cast<std::size_t>(decided)];
    for (std::size_t k = 0; k < class_at.size(); ++k)
      found.scores(row, class_at[k]) = fit.scores.values(v, static_cast<std::int64_t>(k));
  }

  const EvaluationProblem& problem_;
};

// The rows that got an answer, for metrics that need one.
struct Answered {
  std::vector<int> truth;
  Block scores;
  std::vector<double> confidence;
  std::vector<char> right;
};

Answered answered_rows(const Answers& found, const std::vector<int>& truth) {
  Answered rows;
  std::vector<double> scores;
  for (std::size_t i = 0; i < truth.size(); ++i) {
    if (found.answered[i] == 0) continue;
    rows.truth.push_back(truth[i]);
    rows.confidence.push_back(std::clamp(found.confidence[i], 0.0, 1.0));
    rows.right.push_back(found.answer[i] == truth[i] ? 1 : 0);
    const auto row = found.scores.row(static_cast<std::int64_t>(i));
    scores.insert(scores.end(), row.begin(), row.end());
  }
  rows.scores = Block(static_cast<std::int64_t>(rows.truth.size()), found.scores.columns(),
                      std::move(scores));
  return rows;
}

void measure_classes(const Answers& found, const std::vector<int>& truth, int classes,
                     TrialResult& result) {
  result.counts = confusion(truth, found.answer, classes);
  const Answered rows = answered_rows(found, truth);
  result.log_loss = found.shares ? log_loss(rows.scores, rows.truth).value : nothing;
  result.brier = found.shares ? brier_score(rows.scores, rows.truth) : nothing;
  result.auc = area_under_roc(rows.scores, rows.truth);
  result.ece = reliability(rows.confidence, rows.right).expected_error;
  result.reliability = reliability(rows.confidence, rows.right, 15, Binning::equal_width).bins;
  for (std::size_t i = 0; i < truth.size(); ++i)
    result.right += found.answer[i] == truth[i] ? '1' : '0';
}

void measure(const Answers& found, const Targets& truth, const Rows& test, TrialResult& result) {
  result.test = static_cast<std::int64_t>(test.size());
  result.unreached = found.unreached;
  result.tied = found.tied;
  result.unfinished = found.unfinished;
  result.converged = found.converged;
  if (!truth.is_regression()) {
    std::vector<int> wanted;
    for (const std::int32_t row : test)
      wanted.push_back(truth.class_of()[static_cast<std::size_t>(row)]);
    measure_classes(found, wanted, truth.class_count(), result);
    return;
  }
  std::vector<double> wanted, values;
  for (std::size_t i = 0; i < test.size(); ++i) {
    if (found.answered[i] == 0) continue;
    wanted.push_back(truth.values()[static_cast<std::size_t>(test[i])]);
    values.push_back(found.scores(static_cast<std::int64_t>(i), 0));
  }
  result.errors = value_errors(wanted, values);
  result.log_loss = result.brier = result.auc = result.ece = nothing;
}

// The larger, the better; −∞ where nothing was measured.
double worth(const TrialResult& result, bool regression) {
  const double value = regression ? -result.errors.rmse : result.accuracy();
  return std::isnan(value) ? -std::numeric_limits<double>::infinity() : value;
}

Rows joined(const Rows& a, const Rows& b) {
  Rows all = a;
  all.insert(all.end(), b.begin(), b.end());
  std::ranges::sort(all);
  return all;
}

class Evaluator {
 public:
  Evaluator(const LearnerRegistry& registry, const EvaluationProblem& problem,
            const std::vector<std::string>& methods, const EvaluationOptions& options)
      : registry_(registry), problem_(problem), options_(options), fitter_(problem) {
    for (const std::string& method : methods) {
      candidates_.push_back(expand_grid(method));
      for (const std::string& spec : candidates_.back()) check_kind(registry.make(spec), problem);
    }
  }

  std::size_t methods() const { return candidates_.size(); }

  TrialResult result(const Trial& trial, int number, int method, const RunContext& run) const {
    TrialResult result{.trial = number, .method = method};
    const Stopwatch watch;
    try {
      const MadeLearner learner = chosen(trial, candidates_[static_cast<std::size_t>(method)], run);
      result.chosen = learner.spec;
      const Rows training = joined(trial.split.training, trial.validation);
      measure(fitter_.answers(learner, training, trial.split.test, run), problem_.truth,
              trial.split.test, result);
    } catch (const Error& error) {
      if (error.code() == ErrorCode::internal || run.should_stop()) throw;
      result.error = error.what();
    }
    result.seconds = watch.seconds();
    return result;
  }

 private:
  // Splits of the training part (and the validation part) alone.
  std::vector<Split> inner_splits(const Trial& trial, const RunContext& run) const {
    if (!trial.validation.empty()) return {{trial.split.training, trial.validation}};
    const Rows& training = trial.split.training;
    const int folds = std::min(options_.inner_folds, static_cast<int>(training.size()));
    if (folds < 2) return {};
    Rng rng = run.rng(1);
    std::vector<Split> splits = stratified_folds(problem_.truth.select(training), folds, rng);
    for (Split& split : splits)
      for (Rows* part : {&split.training, &split.test})
        for (std::int32_t& row : *part) row = training[static_cast<std::size_t>(row)];
    return splits;
  }

  // Mean over the inner splits; a candidate that fails anywhere is the worst.
  double inner_worth(const MadeLearner& learner, const std::vector<Split>& splits,
                     const RunContext& run) const {
    double sum = 0.0;
    for (const Split& split : splits) {
      run.throw_if_stopped("evaluation", "a trial was whole");
      TrialResult inner;
      measure(fitter_.answers(learner, split.training, split.test, run), problem_.truth, split.test,
              inner);
      sum += worth(inner, problem_.truth.is_regression());
    }
    return sum / static_cast<double>(splits.size());
  }

  MadeLearner chosen(const Trial& trial, const std::vector<std::string>& specs,
                     const RunContext& run) const {
    if (specs.size() == 1) return registry_.make(specs.front());
    const std::vector<Split> splits = inner_splits(trial, run);
    if (splits.empty()) return registry_.make(specs.front());
    std::optional<double> best;
    std::string best_spec = specs.front(), failure;
    for (const std::string& spec : specs) {
      try {
        const double found = inner_worth(registry_.make(spec), splits, run);
        if (best && found <= *best) continue;
        best = found;
        best_spec = spec;
      } catch (const Error& error) {
        if (error.code() == ErrorCode::internal || run.should_stop()) throw;
        failure = error.what();
      }
    }
    if (!best) throw Error(ErrorCode::bad_data, "every choice of the grid fails: " + failure);
    return registry_.make(best_spec);
  }

  const LearnerRegistry& registry_;
  const EvaluationProblem& problem_;
  const EvaluationOptions& options_;
  Fitter fitter_;
  std::vector<std::vector<std::string>> candidates_;
};

void check_problem(const EvaluationProblem& problem, const std::vector<Trial>& trials) {
  if (problem.vertices.size() != problem.truth.size())
    throw Error(ErrorCode::bad_data, "evaluation: give a vertex for each truth");
  const auto n = static_cast<std::int32_t>(problem.truth.size());
  for (const Trial& trial : trials) {
    std::vector<char> seen(static_cast<std::size_t>(n), 0);
    for (const Rows* part : {&trial.split.training, &trial.validation, &trial.split.test}) {
      for (const std::int32_t row : *part) {
        if (row < 0 || row >= n || std::exchange(seen[static_cast<std::size_t>(row)], 1) != 0)
          throw Error(ErrorCode::bad_data, "evaluation: row " + std::to_string(row) +
                                               ": must be a row, in one part of the trial");
      }
    }
  }
}

}  // namespace

std::vector<TrialResult> evaluate(const LearnerRegistry& registry, const EvaluationProblem& problem,
                                  const std::vector<std::string>& methods,
                                  const std::vector<Trial>& trials,
                                  const EvaluationOptions& options, const RunContext& run,
                                  std::vector<TrialResult> done) {
  check_problem(problem, trials);
  const Evaluator evaluator(registry, problem, methods, options);
  const std::size_t items = trials.size() * evaluator.methods();
  std::vector<std::optional<TrialResult>> results(items);
  for (TrialResult& result : done) {
    const std::size_t item = static_cast<std::size_t>(result.trial) * evaluator.methods() +
                             static_cast<std::size_t>(result.method);
    if (item < items) results[item] = std::move(result);
  }
  std::mutex mutex;
  std::size_t finished = 0;
  const int threads = run.thread_count();
  const bool side_by_side = threads > 1 && items > 1;
  const auto work = [&](std::int64_t item, std::int64_t) {
    const auto at = static_cast<std::size_t>(item);
    if (results[at] || run.should_stop()) return;
    RunContext quiet = run;
    quiet.progress = nullptr;
    quiet.threads = side_by_side ? 1 : threads;
    const std::size_t trial = at / evaluator.methods();
    quiet.seed = run.rng(trial)();
    std::optional<TrialResult> found;
    try {
      found = evaluator.result(trials[trial], static_cast<int>(trial),
                               static_cast<int>(at % evaluator.methods()), quiet);
    } catch (const Error&) {
      if (!run.should_stop()) throw;
    }
    // What a stopped learner answered is not what it would have.
    if (!found || run.should_stop()) return;
    if (std::ranges::count(trials, trials[trial].group, &Trial::group) > 1) found->right.clear();
    const std::lock_guard lock(mutex);
    results[at] = std::move(found);
    if (options.finished) options.finished(*results[at]);
    run.report_progress("trials", static_cast<double>(++finished) / static_cast<double>(items));
  };
  parallel_blocks(static_cast<std::int64_t>(items), threads, work, 1);
  std::vector<TrialResult> all;
  for (std::optional<TrialResult>& result : results)
    if (result) all.push_back(std::move(*result));
  return all;
}

}  // namespace gssl
