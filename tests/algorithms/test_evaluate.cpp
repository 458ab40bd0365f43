// Evaluation: trials, grids, honesty, comparisons, and results that do not depend on threads.

#include <algorithm>
#include <atomic>
#include <cmath>
#include <map>
#include <mutex>
#include <set>
#include <string_view>

#include "algorithms/evaluation_support.hpp"
#include "algorithms/fixtures.hpp"
#include "gssl/evaluate/comparison.hpp"
#include "gssl/evaluate/evaluation.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

using namespace gssl;
using namespace gssl::test;

namespace {

// What learners were shown, over all fits: vertices or rows whose label they saw, and its class.
struct Seen {
  std::mutex mutex;
  std::vector<std::map<VertexId, int>> fits;

  void record(std::map<VertexId, int> labels) {
    const std::lock_guard lock(mutex);
    fits.push_back(std::move(labels));
  }
  void check_within(const std::vector<std::int32_t>& allowed) const {
    const std::set<VertexId> may(allowed.begin(), allowed.end());
    for (const auto& fit : fits)
      for (const auto& [vertex, class_of] : fit) CHECK(may.contains(vertex));
  }
};

Seen& seen() {
  static Seen all;
  return all;
}

// Says the first class of everything and writes down whose labels it was given.
class Recorder : public TransductiveLearner {
 public:
  Fit fit(const Graph& graph, const LabeledSet& labeled, const RunContext&) const override {
    std::map<VertexId, int> shown;
    for (std::size_t i = 0; i < labeled.size(); ++i)
      shown[labeled.vertices()[i]] = labeled.class_of()[i];
    seen().record(std::move(shown));
    const auto n = static_cast<std::size_t>(graph.vertex_count());
    Fit fit;
    fit.scores.values = Block(graph.vertex_count(), labeled.class_count());
    fit.scores.status.assign(n, VertexStatus::inferred);
    fit.decision.assign(n, 0);
    fit.confidence.assign(n, 0.5);
    for (std::size_t i = 0; i < labeled.size(); ++i) {
      const VertexId v = labeled.vertices()[i];
      fit.scores.status[static_cast<std::size_t>(v)] = VertexStatus::given;
      fit.decision[static_cast<std::size_t>(v)] = labeled.class_of()[i];
      fit.confidence[static_cast<std::size_t>(v)] = 1.0;
      fit.scores.values(v, labeled.class_of()[i]) = 1.0;
    }
    return fit;
  }
};

// The same of rows, told apart by their first column, which is their number.
class RowRecorder : public InductiveLearner {
 public:
  Trained fit(const Dataset& data, const RunContext& run) const override {
    std::map<VertexId, int> shown;
    for (VertexId r = 0; r < data.points.rows(); ++r)
      shown[static_cast<VertexId>(data.points.value(r, 0))] =
          data.targets.class_of()[static_cast<std::size_t>(r)];
    seen().record(std::move(shown));
    return made("nearest-mean").inductive().fit(data, run);
  }
};

LearnerRegistry with_recorders() {
  LearnerRegistry registry = builtin_learners();
  OptionTable table;
  table.integer("choice", 1, {0, 9}, "changes nothing");
  LearnerEntry recorder;
  recorder.name = "recorder";
  recorder.options = table;
  recorder.make_transductive = [](const OptionValues&) { return std::make_unique<Recorder>(); };
  registry.add(std::move(recorder));
  LearnerEntry rows;
  rows.name = "row-recorder";
  rows.options = table;
  rows.make_inductive = [](const OptionValues&) { return std::make_unique<RowRecorder>(); };
  rows.load_model = registry.find("nearest-mean")->load_model;
  registry.add(std::move(rows));
  return registry;
}

// Two cliques of 8 with a bridge; points on a line whose place tells the class.
struct Pair {
  Graph graph = two_cliques(8);
  Points points;
  Targets truth;
  std::vector<VertexId> vertices = identity_order(16);

  Pair() {
    std::vector<double> values;
    std::vector<int> class_of;
    for (int v = 0; v < 16; ++v) {
      values.push_back(v);
      values.push_back(v < 8 ? -1.0 : 1.0);
      class_of.push_back(v < 8 ? 0 : 1);
    }
    points = Points::dense(16, 2, values);
    truth = Targets::classes(class_of, {"a", "b"});
  }
  EvaluationProblem problem() const {
    return {.truth = truth, .vertices = vertices, .graph = &graph, .points = &points};
  }
};

}  // namespace

TEST_CASE("A grid stands for every choice of its values", "[evaluate]") {
  using List = std::vector<std::string>;
  CHECK(expand_grid("harmonic") == List{"harmonic"});
  CHECK(expand_grid("svm:C=1|10,kernel=linear|gaussian") ==
        List{"svm:C=1,kernel=linear", "svm:C=1,kernel=gaussian", "svm:C=10,kernel=linear",
             "svm:C=10,kernel=gaussian"});
  CHECK(expand_grid("a:flag,x=1") == List{"a:flag,x=1"});
  CHECK(expand_grid("a:") == List{"a:"});
  CHECK(error_of([] { expand_grid("a:x=1|"); })->code() == ErrorCode::usage);
}

TEST_CASE("A grid inside round brackets stands for every choice, at any depth", "[evaluate]") {
  using List = std::vector<std::string>;
  CHECK(expand_grid("svm:kernel=gaussian(beta=0.5|1)") ==
        List{"svm:kernel=gaussian(beta=0.5)", "svm:kernel=gaussian(beta=1)"});
  CHECK(expand_grid("svm:kernel=gaussian(beta=1|2)|linear,c=1|9") ==
        List{"svm:kernel=gaussian(beta=1),c=1", "svm:kernel=gaussian(beta=1),c=9",
             "svm:kernel=gaussian(beta=2),c=1", "svm:kernel=gaussian(beta=2),c=9",
             "svm:kernel=linear,c=1", "svm:kernel=linear,c=9"});
  CHECK(expand_grid("adaboost:learner=tree(depth=1|2,leaf=3),rounds=5") ==
        List{"adaboost:learner=tree(depth=1,leaf=3),rounds=5",
             "adaboost:learner=tree(depth=2,leaf=3),rounds=5"});
  CHECK(expand_grid("bagging:learner=svm(kernel=gaussian(beta=1|2)|linear,c=3|4)").size() == 6);
  CHECK(expand_grid("bagging:learner=svm(kernel=gaussian(beta=1|2)|linear,c=3|4)")[3] ==
        "bagging:learner=svm(kernel=gaussian(beta=2),c=4)");
  CHECK(expand_grid("svm:kernel=(a(x=1)+b(y=1|2))*c(1|2)") ==
        List{"svm:kernel=(a(x=1)+b(y=1))*c(1)", "svm:kernel=(a(x=1)+b(y=1))*c(2)",
             "svm:kernel=(a(x=1)+b(y=2))*c(1)", "svm:kernel=(a(x=1)+b(y=2))*c(2)"});
  CHECK(expand_grid("a:x=b()") == List{"a:x=b()"});
  CHECK(expand_grid("a:x=b(c=1|2") == List{"a:x=b(c=1|2"});  // for the learner to refuse
  CHECK(error_of([] { expand_grid("a:x=b(c=1|)"); })->code() == ErrorCode::usage);
}

TEST_CASE("Trials of each protocol hold the rows that they should", "[evaluate]") {
  std::vector<int> class_of;
  for (int i = 0; i < 40; ++i) class_of.push_back(i % 4 == 0 ? 1 : 0);
  const Targets truth = Targets::classes(class_of, {"many", "few"});
  const auto rates = label_rate_trials(truth, std::vector<std::int64_t>{1, 3}, 2, on_threads(1));
  REQUIRE(rates.size() == 4);
  CHECK(rates[0].group == "1");
  CHECK(rates[3].group == "3");
  CHECK(rates[3].split.training.size() == 6);
  CHECK(rates[3].split.test.size() == 34);
  CHECK(rates[2].split.training != rates[3].split.training);
  CHECK(fold_trials(truth, 5, 2, on_threads(1)).size() == 10);
  const auto out = leave_one_out_trials(truth);
  REQUIRE(out.size() == 40);
  CHECK(out[7].split.test == std::vector<std::int32_t>{7});
  CHECK(out[7].split.training.size() == 39);
  const auto parts = share_trials(truth, {0.5, 0.2, 0.3}, 1, on_threads(1));
  CHECK(parts[0].split.training.size() == 20);
  CHECK(parts[0].validation.size() == 8);
  CHECK(parts[0].split.test.size() == 12);
  CHECK(truth.select(parts[0].split.training).class_sizes() == std::vector<std::int64_t>{15, 5});
  CHECK(error_of([&] { share_trials(truth, {0.9, 0.2, 0.3}, 1, {}); })->code() == ErrorCode::usage);
  CHECK(error_of([&] { share_trials(truth, {0.9, 0.0, 0.0}, 1, {}); })->code() == ErrorCode::usage);
  CHECK(error_of([&] { label_rate_trials(truth, std::vector<std::int64_t>{11}, 1, {}); })->code() ==
        ErrorCode::bad_data);
}

TEST_CASE("No learner sees a label of the test part, grids included", "[evaluate]") {
  const Pair pair;
  const LearnerRegistry registry = with_recorders();
  for (const char* spec :
       {"recorder", "recorder:choice=1|2|3", "row-recorder", "row-recorder:choice=4|5"}) {
    for (const auto& [validation, calibrate] :
         {std::pair(0.0, CalibrationMethod::none), std::pair(0.25, CalibrationMethod::none),
          std::pair(0.0, CalibrationMethod::temperature)}) {
      EvaluationProblem problem = pair.problem();
      problem.training.calibrate = calibrate;
      const auto trials = share_trials(pair.truth, {0.5, validation, 0.25}, 4, on_threads(1));
      for (const Trial& trial : trials) {
        INFO(spec << ", validation " << validation << ", " << to_string(calibrate));
        seen().fits.clear();
        const auto results = evaluate(registry, problem, {spec}, {trial}, {}, on_threads(2));
        REQUIRE(results.size() == 1);
        CHECK(results[0].error.empty());
        REQUIRE(!seen().fits.empty());
        std::vector<std::int32_t> allowed = trial.split.training;
        allowed.insert(allowed.end(), trial.validation.begin(), trial.validation.end());
        // Calibration on a graph also fits to labels drawn from the answers; the next test tells
        // these from the truth.
        const bool redrawn =
            calibrate != CalibrationMethod::none && std::string_view(spec).starts_with("recorder");
        if (!redrawn) seen().check_within(allowed);
        // One fit has all labels there are, the last but for those that calibrate, and a choice is
        // made on fewer.
        if (!redrawn) {
          using Shown = std::map<VertexId, int>;
          CHECK(std::ranges::count(seen().fits, allowed.size(), &Shown::size) == 1);
        }
        if (calibrate == CalibrationMethod::none)
          CHECK(seen().fits.back().size() == allowed.size());
        const bool grid = std::string(spec).find('|') != std::string::npos;
        CHECK((seen().fits.front().size() < allowed.size()) == grid);
      }
    }
  }
}

TEST_CASE("What a learner is shown does not change with the truth of the test part", "[evaluate]") {
  const Pair pair;
  const LearnerRegistry registry = with_recorders();
  const auto trials = share_trials(pair.truth, {0.5, 0.0, 0.5}, 4, on_threads(1));
  for (const char* spec :
       {"recorder", "recorder:choice=1|2|3", "row-recorder", "row-recorder:choice=4|5"}) {
    for (const CalibrationMethod calibrate :
         {CalibrationMethod::none, CalibrationMethod::temperature, CalibrationMethod::isotonic}) {
      INFO(spec << ", " << to_string(calibrate));
      for (const Trial& trial : trials) {
        const auto shown_with = [&](const Targets& truth) {
          EvaluationProblem problem = pair.problem();
          problem.truth = truth;
          problem.training.calibrate = calibrate;
          seen().fits.clear();
          const auto results = evaluate(registry, problem, {spec}, {trial}, {}, on_threads(1));
          REQUIRE(results.size() == 1);
          CHECK(results[0].error.empty());
          return seen().fits;
        };
        std::vector<int> otherwise(pair.truth.class_of().begin(), pair.truth.class_of().end());
        for (const std::int32_t v : trial.split.test)
          otherwise[static_cast<std::size_t>(v)] = 1 - otherwise[static_cast<std::size_t>(v)];
        const auto shown = shown_with(pair.truth);
        REQUIRE(!shown.empty());
        CHECK(shown_with(Targets::classes(otherwise, {"a", "b"})) == shown);
      }
    }
  }
}

TEST_CASE("No learner sees a label of the test part of folds and of label sets", "[evaluate]") {
  const Pair pair;
  const LearnerRegistry registry = with_recorders();
  std::vector<Trial> trials = fold_trials(pair.truth, 4, 1, on_threads(1));
  for (const auto& more :
       {label_rate_trials(pair.truth, std::vector<std::int64_t>{1, 3}, 2, on_threads(1)),
        leave_one_out_trials(pair.truth)})
    trials.insert(trials.end(), more.begin(), more.end());
  for (const char* spec :
       {"recorder", "recorder:choice=1|2|3", "row-recorder", "row-recorder:choice=4|5"}) {
    for (const Trial& trial : trials) {
      INFO(spec << ", trial of " << trial.group);
      seen().fits.clear();
      const auto results = evaluate(registry, pair.problem(), {spec}, {trial}, {}, on_threads(2));
      REQUIRE(results.size() == 1);
      CHECK(results[0].error.empty());
      REQUIRE(!seen().fits.empty());
      seen().check_within(trial.split.training);
      CHECK(seen().fits.back().size() == trial.split.training.size());
      const bool grid = std::string(spec).find('|') != std::string::npos;
      CHECK((seen().fits.front().size() < trial.split.training.size()) == grid);
    }
  }
}

TEST_CASE("Vertices that a learner finds tied are counted apart and are wrong", "[evaluate]") {
  // 0 ─ 1 ─ 2 ─ 3 ─ 4, the ends given: the middle is as near to either.
  const Graph graph = graph_from_edges(5, {{0, 1}, {1, 2}, {2, 3}, {3, 4}});
  const Targets truth = Targets::classes(std::vector<int>{0, 0, 0, 1, 1}, {"x", "y"});
  const EvaluationProblem problem{.truth = truth, .vertices = identity_order(5), .graph = &graph};
  const std::vector<Trial> trials = {{"given", {{0, 4}, {1, 2, 3}}, {}}};
  for (const char* method : {"nearest-label", "label-propagation"}) {
    CAPTURE(method);
    const auto results = evaluate(builtin_learners(), problem, {method}, trials);
    REQUIRE(results.size() == 1);
    CHECK(results[0].tied == 1);
    CHECK(results[0].right == "1-1");
    CHECK(results[0].unanswered() == 1);
    CHECK(results[0].counts.accuracy_answered() == 1.0);
  }
}

TEST_CASE("Learners on graphs and on rows are measured on the same trials", "[evaluate]") {
  const Pair pair;
  const auto trials =
      label_rate_trials(pair.truth, std::vector<std::int64_t>{1, 2}, 6, on_threads(1));
  const std::vector<std::string> methods = {"harmonic", "nearest-mean", "recorder"};
  const auto results =
      evaluate(with_recorders(), pair.problem(), methods, trials, {}, on_threads(2));
  REQUIRE(results.size() == 36);
  const auto table = compare(results, trials, 3, Protocol::label_rates, false);
  REQUIRE(table.size() == 6);
  CHECK(table[0].group == "1");
  CHECK(table[3].group == "2");
  CHECK(table[3].value.mean == 1.0);  // two labels on each clique
  CHECK(table[3].verdict == Verdict::best);
  CHECK(table[4].value.mean > 0.6);
  // The first class for everything: half of what is measured.
  CHECK(table[5].value.mean == 0.5);
  CHECK(table[5].counts.count(1, 0) == 6 * 6);
  CHECK(table[5].verdict == Verdict::worse);
  CHECK(table[5].test->p_value == 0.0);
  CHECK(*table[5].wilcoxon_p == Approx(2.0 / 64.0));
}

TEST_CASE("Results are the same on one thread and on four, and when resumed", "[evaluate]") {
  const Pair pair;
  const auto trials = fold_trials(pair.truth, 4, 2, on_threads(1));
  const std::vector<std::string> methods = {"harmonic:soft=1|10", "nearest-mean"};
  const auto numbers = [&](const std::vector<TrialResult>& results) {
    std::vector<std::pair<std::string, double>> list;
    for (const TrialResult& r : results) {
      double confidence = 0.0;
      for (const ReliabilityBin& bin : r.reliability) confidence += bin.confidence;
      list.push_back({r.chosen, r.accuracy() + 10 * confidence});
    }
    return list;
  };
  const LearnerRegistry registry = builtin_learners();
  const auto one = evaluate(registry, pair.problem(), methods, trials, {}, on_threads(1));
  const auto four = evaluate(registry, pair.problem(), methods, trials, {}, on_threads(4));
  REQUIRE(one.size() == 16);
  CHECK(numbers(one) == numbers(four));
  std::vector<TrialResult> half(one.begin(), one.begin() + 8);
  int computed = 0;
  const EvaluationOptions counting{.finished = [&](const TrialResult&) { ++computed; }};
  const auto resumed =
      evaluate(registry, pair.problem(), methods, trials, counting, on_threads(2), half);
  CHECK(computed == 8);
  CHECK(numbers(resumed) == numbers(one));
}

TEST_CASE("A run that is stopped returns the trials that were whole", "[evaluate]") {
  const Pair pair;
  const auto trials = fold_trials(pair.truth, 8, 1, on_threads(1));
  std::atomic<bool> cancel = false;
  RunContext run = on_threads(1);
  run.cancel = &cancel;
  int finished = 0;
  const EvaluationOptions stopping{.finished = [&](const TrialResult&) {
    if (++finished == 3) cancel = true;
  }};
  const auto results =
      evaluate(builtin_learners(), pair.problem(), {"nearest-label"}, trials, stopping, run);
  CHECK(results.size() == 3);
}

TEST_CASE("One split is judged by its rows, few trials are not judged", "[evaluate]") {
  const Pair pair;
  const auto single = share_trials(pair.truth, {.training = 0.25, .test = 0.75}, 1, on_threads(1));
  const std::vector<std::string> methods = {"harmonic", "recorder"};
  const LearnerRegistry registry = with_recorders();
  const auto one = compare(evaluate(registry, pair.problem(), methods, single, {}, on_threads(1)),
                           single, 2, Protocol::shares, false);
  // Six of twelve rows are right with harmonic alone: 2/2⁶.
  CHECK(*one[1].mcnemar_p == Approx(2.0 / 64.0));
  CHECK(one[1].verdict == Verdict::worse);
  CHECK(one[0].interval->low == Approx(std::pow(0.025, 1.0 / 12.0)));
  const auto few = share_trials(pair.truth, {.training = 0.25, .test = 0.75}, 3, on_threads(1));
  const auto three = compare(evaluate(registry, pair.problem(), methods, few, {}, on_threads(1)),
                             few, 2, Protocol::shares, false);
  CHECK(three[1].verdict == Verdict::unknown);
}

TEST_CASE("Vertices without an answer are counted apart and are wrong", "[evaluate]") {
  // a ─ b and c ─ d: labels on the first pair only reach it.
  GraphBuilder builder(4);
  builder.add(0, 1, 1.0);
  builder.add(2, 3, 1.0);
  const Graph graph = std::move(builder).finish();
  const Targets truth = Targets::classes(std::vector<int>{0, 0, 1, 1}, {"x", "y"});
  const EvaluationProblem problem{.truth = truth, .vertices = identity_order(4), .graph = &graph};
  const std::vector<Trial> trials = {{"given", {{0}, {1, 2, 3}}, {}}};
  const auto results = evaluate(builtin_learners(), problem, {"harmonic"}, trials);
  REQUIRE(results.size() == 1);
  CHECK(results[0].unreached == 2);
  CHECK(results[0].accuracy() == Approx(1.0 / 3.0));
  CHECK(results[0].counts.accuracy_answered() == 1.0);
  CHECK(results[0].counts.count(1, 0) == 0);
}

TEST_CASE("Regressions are measured by their errors", "[evaluate]") {
  const Graph graph = two_cliques(5);
  const Targets truth = Targets::reals({0, 0, 0, 0, 0, 1, 1, 1, 1, 1});
  const EvaluationProblem problem{.truth = truth, .vertices = identity_order(10), .graph = &graph};
  const auto trials = fold_trials(truth, 5, 1, on_threads(1));
  const auto results = evaluate(builtin_learners(), problem, {"harmonic"}, trials);
  const auto table = compare(results, trials, 1, Protocol::folds, true);
  REQUIRE(table.size() == 1);
  CHECK(table[0].value.mean < 0.3);
  CHECK(table[0].value.mean > 0.0);
  CHECK(table[0].mae.mean <= table[0].value.mean);
}

TEST_CASE("What cannot be evaluated is refused before any work", "[evaluate]") {
  const Pair pair;
  EvaluationProblem problem = pair.problem();
  problem.points = nullptr;
  const LearnerRegistry registry = builtin_learners();
  const std::vector<Trial> trials = {{"given", {{0, 8}, {1, 9}}, {}}};
  const auto code = [&](const std::vector<std::string>& methods, const std::vector<Trial>& asked) {
    return error_of([&] { evaluate(registry, problem, methods, asked); })->code();
  };
  CHECK(code({"nearest-mean"}, trials) == ErrorCode::usage);
  CHECK(code({"no-such-learner"}, trials) == ErrorCode::usage);
  CHECK(code({"harmonic:soft=1|x"}, trials) == ErrorCode::usage);
  CHECK(code({"harmonic"}, {{"given", {{0, 8}, {8}}, {}}}) == ErrorCode::bad_data);
  CHECK(code({"harmonic"}, {{"given", {{0}, {99}}, {}}}) == ErrorCode::bad_data);
}
