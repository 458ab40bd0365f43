#include "gssl/evaluate/evaluation.hpp"

#include <algorithm>
#include <map>
#include <mutex>
#include <numeric>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "evaluate/added_memory.hpp"
#include "evaluate/kept_rows.hpp"
#include "evaluate/shared_graphs.hpp"
#include "evaluate/shared_kernels.hpp"
#include "evaluate/trial_answers.hpp"
#include "evaluate/trial_measures.hpp"
#include "gssl/core/error.hpp"
#include "gssl/core/parallel.hpp"
#include "gssl/core/stopwatch.hpp"

namespace gssl {

namespace {

using detail::Fitter;
using detail::measure;
using detail::Purpose;
using detail::RowIds;
using detail::worth;

RowIds joined(const RowIds& a, const RowIds& b) {
  RowIds all = a;
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
      .points = problem.points,
      .table = problem.table};
  for (const std::string& spec : expand_grid(method)) {
    const MadeLearner made = registry.make(spec);
    detail::check_kind(made, inputs);
    if (problem.truth.is_regression() &&
        made.calibrate.value_or(CalibrationMethod::none) != CalibrationMethod::none)
      throw Error(ErrorCode::usage,
                  spec + ": calibrate is for classes, and the targets are numbers");
    if (problem.graphs.empty() || detail::learns_from_points(made, inputs)) {
      all.push_back({spec, nullptr});
      continue;
    }
    for (const GraphChoice& choice : problem.graphs) all.push_back({spec, &choice});
  }
  return all;
}

using Candidates = std::vector<std::vector<Candidate>>;

// What the inner splits of a trial say of a candidate.
struct Judged {
  double worth = 0.0;
  std::string failure = {};  // empty: it did not fail
  Remedies remedies = {};    // of that failure
  double seconds = 0.0;
};

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
  // Candidates of a method to be judged; 0 where there is no choice.
  std::size_t choices(std::size_t method) const {
    return candidates_[method].size() > 1 ? candidates_[method].size() : 0;
  }
  bool has_grids() const {
    return std::ranges::any_of(candidates_, [](const auto& all) { return all.size() > 1; });
  }

  // Mean worth over the inner splits of the trial.
  Judged judge(const Trial& trial, std::size_t method, std::size_t candidate,
               const RunContext& run) const {
    Judged judged;
    const Stopwatch watch;
    try {
      judged.worth = inner_worth(candidates_[method][candidate], static_cast<int>(method),
                                 candidate, inner_splits(trial, run), run);
    } catch (const Error& error) {
      if (error.code() == ErrorCode::internal || run.should_stop()) throw;
      judged.failure = error.what();
      judged.remedies = error.remedies();
    }
    judged.seconds = watch.seconds();
    return judged;
  }

  // `judged` has an entry for each of choices(method).
  TrialResult result(const Trial& trial, int number, int method, const std::vector<Judged>& judged,
                     const RunContext& run) const {
    TrialResult result{.trial = number, .method = method};
    const Stopwatch watch;
    try {
      const Candidate& choice = candidates_[static_cast<std::size_t>(method)][best_of(judged)];
      const MadeLearner learner = registry_.make(choice.spec);
      result.chosen = learner.spec + (choice.graph == nullptr ? "" : " on " + choice.graph->name);
      const RowIds training = joined(trial.split.training, trial.validation);
      measure(fitter_.answers(learner, inputs(choice, method), training, trial.split.test,
                              Purpose::measure, run),
              problem_.truth, trial.split.test, result);
    } catch (const Error& error) {
      if (error.code() == ErrorCode::internal || run.should_stop()) throw;
      result.error = error.what();
      result.remedies = error.remedies();
    }
    result.seconds = watch.seconds();
    for (const Judged& one : judged) result.seconds += one.seconds;
    return result;
  }

 private:
  // Splits of the training part (and the validation part) alone.
  std::vector<Split> inner_splits(const Trial& trial, const RunContext& run) const {
    if (!trial.validation.empty()) return {{trial.split.training, trial.validation}};
    const RowIds& training = trial.split.training;
    const int folds = std::min(options_.inner_folds, static_cast<int>(training.size()));
    if (folds < 2) return {};
    Rng rng = run.rng(1);
    std::vector<Split> splits = stratified_folds(problem_.truth.select(training), folds, rng);
    for (Split& split : splits)
      for (RowIds* part : {&split.training, &split.test})
        for (std::int32_t& row : *part) row = training[static_cast<std::size_t>(row)];
    return splits;
  }

  detail::Inputs inputs(const Candidate& choice, int method) const {
    const auto at = static_cast<std::size_t>(method);
    const FeatureTable* own =
        problem_.tables_of_method.empty() ? nullptr : problem_.tables_of_method[at];
    return {.graph = choice.graph == nullptr ? problem_.graph : choice.graph->graph,
            .points = problem_.points,
            .table = own == nullptr ? problem_.table : own};
  }

  // 0 where there are too few rows to split: the first candidate is then taken.
  // Each candidate begins with another split, so that threads do not wait for what they share.
  double inner_worth(const Candidate& choice, int method, std::size_t begin,
                     const std::vector<Split>& splits, const RunContext& run) const {
    const MadeLearner learner = registry_.make(choice.spec);
    std::vector<double> found(splits.size());
    for (std::size_t i = 0; i < splits.size(); ++i) {
      const std::size_t at = (begin + i) % splits.size();
      const Split& split = splits[at];
      run.throw_if_stopped("evaluation", "a trial was whole");
      TrialResult inner;
      measure(fitter_.answers(learner, inputs(choice, method), split.training, split.test,
                              Purpose::choose, run),
              problem_.truth, split.test, inner);
      found[at] = worth(inner, problem_.truth, split);
    }
    const double sum = std::accumulate(found.begin(), found.end(), 0.0);
    return splits.empty() ? 0.0 : sum / static_cast<double>(splits.size());
  }

  // The first of the most worth; a candidate that failed anywhere is the worst.
  static std::size_t best_of(const std::vector<Judged>& judged) {
    std::optional<std::size_t> best;
    for (std::size_t c = 0; c < judged.size(); ++c) {
      if (!judged[c].failure.empty()) continue;
      if (!best || judged[c].worth > judged[*best].worth) best = c;
    }
    if (!best && !judged.empty())
      throw Error(ErrorCode::bad_data, "every choice of the grid fails: " + judged.back().failure,
                  judged.back().remedies);
    return best.value_or(0);
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
  if (!problem.tables_of_method.empty() && problem.tables_of_method.size() != methods)
    throw Error(ErrorCode::bad_data, "evaluation: give the table of each method");
  if (!problem.weights.empty() && problem.weights.size() != problem.truth.size())
    throw Error(ErrorCode::bad_data, "evaluation: give a weight for each truth");
  if (problem.truth.is_regression() && problem.training.class_weights.given())
    throw Error(ErrorCode::usage, "class weights: the targets are real numbers");
  if (problem.truth.is_regression() && problem.training.calibrate != CalibrationMethod::none)
    throw Error(ErrorCode::usage, "calibration: is for classes, and the targets are real numbers");
  const auto n = static_cast<std::int32_t>(problem.truth.size());
  for (const Trial& trial : trials) {
    std::vector<char> seen(static_cast<std::size_t>(n), 0);
    for (const RowIds* part : {&trial.split.training, &trial.validation, &trial.split.test}) {
      for (const std::int32_t row : *part) {
        if (row < 0 || row >= n || std::exchange(seen[static_cast<std::size_t>(row)], 1) != 0)
          throw Error(ErrorCode::bad_data, "evaluation: row " + std::to_string(row) +
                                               ": must be a row, in one part of the trial");
      }
    }
  }
}

// Every trial of every method that has no result yet, an item each.
class EvaluationLoop {
 public:
  EvaluationLoop(const Evaluator& evaluator, const std::vector<Trial>& trials,
                 const EvaluationOptions& options, const RunContext& run,
                 std::vector<std::optional<TrialResult>>& results)
      : evaluator_(evaluator),
        trials_(trials),
        options_(options),
        run_(run),
        results_(results),
        judged_(results.size()),
        kept_(trials, evaluator.methods()) {
    for (std::size_t item = 0; item < results.size(); ++item)
      if (results[item]) kept_.found(results, item);
  }

  // Items go in groups: in each all candidates of all grids are judged side by side, before the fits
  // that are measured. Few trials of many candidates would leave threads without work otherwise, and
  // many trials in one group no result to take up again until all candidates are judged.
  void all() {
    const std::size_t items = results_.size();
    if (options_.measure_memory) measure_memory();
    const auto few = 4 * static_cast<std::size_t>(run_.thread_count());
    const std::size_t step = evaluator_.has_grids() ? few : std::max<std::size_t>(items, 1);
    for (std::size_t first = 0; first < items; first += step)
      group(first, std::min(items, first + step));
  }

 private:
  struct Unit {
    std::size_t item, candidate;
  };

  // Of every method in the first trial of each group.
  void measure_memory() {
    std::set<std::string> measured;
    for (std::size_t trial = 0; trial < trials_.size(); ++trial) {
      if (!measured.insert(trials_[trial].group).second) continue;
      for (std::size_t method = 0; method < evaluator_.methods(); ++method)
        alone(trial * evaluator_.methods() + method);
    }
  }

  std::vector<Unit> units(std::size_t first, std::size_t end) {
    std::vector<Unit> all;
    for (std::size_t item = first; item < end; ++item) {
      if (results_[item]) continue;
      const std::size_t choices = evaluator_.choices(item % evaluator_.methods());
      judged_[item].resize(choices);
      for (std::size_t c = 0; c < choices; ++c) all.push_back({item, c});
    }
    return all;
  }

  void group(std::size_t first, std::size_t end) {
    const std::vector<Unit> to_judge = units(first, end);
    const bool many = to_judge.size() > 1;
    const int threads = run_.thread_count();
    std::size_t done = 0;
    parallel_blocks(
        std::ssize(to_judge), threads,
        [&](std::int64_t u, std::int64_t) {
          judge(to_judge[static_cast<std::size_t>(u)], many ? 1 : threads);
          const std::lock_guard lock(mutex_);
          run_.report_progress("choices",
                               static_cast<double>(++done) / static_cast<double>(to_judge.size()));
        },
        1);
    parallel_blocks(
        static_cast<std::int64_t>(end - first), threads,
        [&](std::int64_t i, std::int64_t) {
          finish(first + static_cast<std::size_t>(i), end - first > 1 ? 1 : threads, nullptr);
        },
        1);
  }

  // What it adds to memory is measured, with as many threads as it has beside others.
  void alone(std::size_t item) {
    if (results_[item] || run_.should_stop()) return;
    const int threads = results_.size() > 1 ? 1 : run_.thread_count();
    const detail::AddedMemory memory;
    for (const Unit& unit : units(item, item + 1)) judge(unit, threads);
    finish(item, threads, &memory);
  }

  RunContext quiet(std::size_t trial, int threads) const {
    RunContext quiet = run_;
    quiet.progress = nullptr;
    quiet.threads = threads;
    quiet.seed = run_.rng(trial)();
    return quiet;
  }

  void judge(const Unit& unit, int threads) {
    const std::size_t trial = unit.item / evaluator_.methods();
    if (run_.should_stop()) return;
    try {
      judged_[unit.item][unit.candidate] = evaluator_.judge(
          trials_[trial], unit.item % evaluator_.methods(), unit.candidate, quiet(trial, threads));
    } catch (const Error&) {
      if (!run_.should_stop()) throw;
    }
  }

  void finish(std::size_t item, int threads, const detail::AddedMemory* memory) {
    if (results_[item] || run_.should_stop()) return;
    const std::size_t trial = item / evaluator_.methods();
    std::optional<TrialResult> found;
    try {
      found = evaluator_.result(trials_[trial], static_cast<int>(trial),
                                static_cast<int>(item % evaluator_.methods()), judged_[item],
                                quiet(trial, threads));
    } catch (const Error&) {
      if (!run_.should_stop()) throw;
    }
    if (found && memory != nullptr) found->memory = memory->bytes();
    // What a stopped learner answered is not what it would have.
    if (!found || run_.should_stop()) return;
    const std::lock_guard lock(mutex_);
    results_[item] = std::move(found);
    if (options_.finished) options_.finished(*results_[item]);
    kept_.found(results_, item);
    run_.report_progress("trials",
                         static_cast<double>(++finished_) / static_cast<double>(results_.size()));
  }

  const Evaluator& evaluator_;
  const std::vector<Trial>& trials_;
  const EvaluationOptions& options_;
  const RunContext& run_;
  std::vector<std::optional<TrialResult>>& results_;
  std::vector<std::vector<Judged>> judged_;  // of each item
  detail::KeptRows kept_;
  std::mutex mutex_;
  std::size_t finished_ = 0;
};

}  // namespace

std::vector<TrialResult> evaluate(const LearnerRegistry& registry, const EvaluationProblem& problem,
                                  const std::vector<std::string>& methods,
                                  const std::vector<Trial>& trials,
                                  const EvaluationOptions& options, const RunContext& run,
                                  std::vector<TrialResult> done) {
  check_problem(problem, methods.size(), trials);
  const Stopwatch preparing;
  const Evaluator evaluator(registry, problem, methods, trials, options, run);
  if (options.prepared) options.prepared(preparing.seconds());
  const std::size_t items = trials.size() * evaluator.methods();
  std::vector<std::optional<TrialResult>> results(items);
  for (TrialResult& result : done) {
    const std::size_t item = static_cast<std::size_t>(result.trial) * evaluator.methods() +
                             static_cast<std::size_t>(result.method);
    if (item < items) results[item] = std::move(result);
  }
  EvaluationLoop loop(evaluator, trials, options, run, results);
  loop.all();
  std::vector<TrialResult> all;
  for (std::optional<TrialResult>& result : results)
    if (result) all.push_back(std::move(*result));
  return all;
}

}  // namespace gssl
