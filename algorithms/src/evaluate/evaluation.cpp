#include "gssl/evaluate/evaluation.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <mutex>
#include <optional>
#include <utility>

#include "evaluate/added_memory.hpp"
#include "evaluate/shared_graphs.hpp"
#include "evaluate/shared_kernels.hpp"
#include "evaluate/trial_answers.hpp"
#include "gssl/core/error.hpp"
#include "gssl/core/parallel.hpp"
#include "gssl/core/stopwatch.hpp"
#include "gssl/evaluate/partition_agreement.hpp"

namespace gssl {

namespace {

using detail::Answers;
using detail::Fitter;
using detail::Rows;
constexpr double nothing = std::numeric_limits<double>::quiet_NaN();

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
  result.ece = found.shares ? reliability(rows.confidence, rows.right).expected_error : nothing;
  result.reliability = reliability(rows.confidence, rows.right, 15, Binning::equal_width).bins;
  if (!found.cluster_of.empty()) {
    const PartitionAgreement agreement = partition_agreement(found.cluster_of, truth);
    result.nmi = agreement.nmi;
    result.ari = agreement.ari;
  }
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

// One of the choices of a method.
struct Candidate {
  std::string spec;
  const GraphChoice* graph = nullptr;  // nullptr: the graph of the problem, if it looks at any
};

std::vector<Candidate> candidates_of(const LearnerRegistry& registry,
                                     const EvaluationProblem& problem, const std::string& method) {
  std::vector<Candidate> all;
  const detail::Inputs inputs{
      .graph = problem.graphs.empty() ? problem.graph : problem.graphs.front().graph,
      .points = problem.points};
  for (const std::string& spec : expand_grid(method)) {
    const MadeLearner made = registry.make(spec);
    detail::check_kind(made, inputs);
    if (problem.graphs.empty() || detail::learns_from_points(made, inputs)) {
      all.push_back({spec, nullptr});
      continue;
    }
    for (const GraphChoice& choice : problem.graphs) all.push_back({spec, &choice});
  }
  return all;
}

using Candidates = std::vector<std::vector<Candidate>>;

Candidates all_candidates(const LearnerRegistry& registry, const EvaluationProblem& problem,
                          const std::vector<std::string>& methods) {
  Candidates all;
  for (const std::string& method : methods) all.push_back(candidates_of(registry, problem, method));
  return all;
}

detail::SharedKernels shared_kernels(const LearnerRegistry& registry,
                                     const EvaluationProblem& problem, const Candidates& candidates,
                                     const std::vector<Trial>& trials, const RunContext& run) {
  constexpr double most_bytes = 1.5e9;
  std::vector<MadeLearner> made;
  for (const auto& choices : candidates)
    for (const Candidate& one : choices) made.push_back(registry.make(one.spec));
  std::vector<const MadeLearner*> learners;
  learners.reserve(made.size());
  for (const MadeLearner& learner : made) learners.push_back(&learner);
  return {problem, learners, trials, most_bytes, run};
}

// Of each graph, how many fits of a trial can share what does not depend on labels.
std::map<const Graph*, int> sharing_fits(const LearnerRegistry& registry,
                                         const EvaluationProblem& problem,
                                         const Candidates& candidates,
                                         const EvaluationOptions& options) {
  std::map<const Graph*, int> fits_of;
  for (const auto& choices : candidates) {
    const int fits = choices.size() == 1 ? 1 : options.inner_folds;
    for (const Candidate& one : choices) {
      const Graph* graph = one.graph == nullptr ? problem.graph : one.graph->graph;
      if (graph != nullptr && registry.make(one.spec).as<SharingLearner>() != nullptr)
        fits_of[graph] += fits;
    }
  }
  return fits_of;
}

class Evaluator {
 public:
  Evaluator(const LearnerRegistry& registry, const EvaluationProblem& problem,
            const std::vector<std::string>& methods, const std::vector<Trial>& trials,
            const EvaluationOptions& options, const RunContext& run)
      : registry_(registry),
        problem_(problem),
        options_(options),
        candidates_(all_candidates(registry, problem, methods)),
        kernels_(shared_kernels(registry, problem, candidates_, trials, run)),
        graphs_(problem, sharing_fits(registry, problem, candidates_, options), trials, run),
        fitter_(problem, kernels_, graphs_) {}

  std::size_t methods() const { return candidates_.size(); }

  TrialResult result(const Trial& trial, int number, int method, const RunContext& run) const {
    TrialResult result{.trial = number, .method = method};
    const Stopwatch watch;
    try {
      const Candidate& choice = chosen(trial, method, run);
      const MadeLearner learner = registry_.make(choice.spec);
      result.chosen = learner.spec + (choice.graph == nullptr ? "" : " on " + choice.graph->name);
      const Rows training = joined(trial.split.training, trial.validation);
      measure(fitter_.answers(learner, inputs(choice, method), training, trial.split.test, run),
              problem_.truth, trial.split.test, result);
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

  detail::Inputs inputs(const Candidate& choice, int method) const {
    const auto at = static_cast<std::size_t>(method);
    const Points* own = problem_.points_of_method.empty() ? nullptr : problem_.points_of_method[at];
    return {.graph = choice.graph == nullptr ? problem_.graph : choice.graph->graph,
            .points = own == nullptr ? problem_.points : own};
  }

  // Mean over the inner splits; a candidate that fails anywhere is the worst.
  double inner_worth(const Candidate& choice, int method, const std::vector<Split>& splits,
                     const RunContext& run) const {
    const MadeLearner learner = registry_.make(choice.spec);
    double sum = 0.0;
    for (const Split& split : splits) {
      run.throw_if_stopped("evaluation", "a trial was whole");
      TrialResult inner;
      measure(fitter_.answers(learner, inputs(choice, method), split.training, split.test, run),
              problem_.truth, split.test, inner);
      sum += worth(inner, problem_.truth.is_regression());
    }
    return sum / static_cast<double>(splits.size());
  }

  const Candidate& chosen(const Trial& trial, int method, const RunContext& run) const {
    const std::vector<Candidate>& choices = candidates_[static_cast<std::size_t>(method)];
    if (choices.size() == 1) return choices.front();
    const std::vector<Split> splits = inner_splits(trial, run);
    if (splits.empty()) return choices.front();
    std::optional<double> best;
    const Candidate* best_choice = &choices.front();
    std::string failure;
    for (const Candidate& choice : choices) {
      try {
        const double found = inner_worth(choice, method, splits, run);
        if (best && found <= *best) continue;
        best = found;
        best_choice = &choice;
      } catch (const Error& error) {
        if (error.code() == ErrorCode::internal || run.should_stop()) throw;
        failure = error.what();
      }
    }
    if (!best) throw Error(ErrorCode::bad_data, "every choice of the grid fails: " + failure);
    return *best_choice;
  }

  const LearnerRegistry& registry_;
  const EvaluationProblem& problem_;
  const EvaluationOptions& options_;
  Candidates candidates_;
  detail::SharedKernels kernels_;
  detail::SharedGraphs graphs_;
  Fitter fitter_;
};

void check_problem(const EvaluationProblem& problem, std::size_t methods,
                   const std::vector<Trial>& trials) {
  if (problem.vertices.size() != problem.truth.size())
    throw Error(ErrorCode::bad_data, "evaluation: give a vertex for each truth");
  if (!problem.points_of_method.empty() && problem.points_of_method.size() != methods)
    throw Error(ErrorCode::bad_data, "evaluation: give the points of each method");
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
  check_problem(problem, methods.size(), trials);
  const Evaluator evaluator(registry, problem, methods, trials, options, run);
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
    const bool alone = options.measure_memory && at < evaluator.methods();
    const std::optional<detail::AddedMemory> memory =
        alone ? std::make_optional<detail::AddedMemory>() : std::nullopt;
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
    if (found && memory) found->memory = memory->bytes();
    // What a stopped learner answered is not what it would have.
    if (!found || run.should_stop()) return;
    if (std::ranges::count(trials, trials[trial].group, &Trial::group) > 1) found->right.clear();
    const std::lock_guard lock(mutex);
    results[at] = std::move(found);
    if (options.finished) options.finished(*results[at]);
    run.report_progress("trials", static_cast<double>(++finished) / static_cast<double>(items));
  };
  if (options.measure_memory)
    for (std::size_t i = 0; i < std::min(items, evaluator.methods()); ++i)
      work(static_cast<std::int64_t>(i), 0);
  parallel_blocks(static_cast<std::int64_t>(items), threads, work, 1);
  std::vector<TrialResult> all;
  for (std::optional<TrialResult>& result : results)
    if (result) all.push_back(std::move(*result));
  return all;
}

}  // namespace gssl
