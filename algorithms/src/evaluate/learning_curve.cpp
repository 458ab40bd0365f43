#include "gssl/evaluate/learning_curve.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <string>

#include "gssl/core/error.hpp"
#include "gssl/evaluate/metrics.hpp"
#include "support/mark_stopped.hpp"

namespace gssl {

namespace {

constexpr int no_class = -1;

// Labels so far: vertices and their class names.
struct Labels {
  std::vector<VertexId> vertices;
  std::vector<std::string> names;
};

// The person who answers.
class Oracle {
 public:
  Oracle(const Graph& graph, const LabeledSet& truth)
      : truth_(truth), class_of_(static_cast<std::size_t>(graph.vertex_count()), no_class) {
    for (std::size_t i = 0; i < truth.size(); ++i)
      class_of_[static_cast<std::size_t>(truth.vertices()[i])] = truth.class_of()[i];
  }

  const std::string& answer(VertexId v) const {
    return truth_.class_names()[static_cast<std::size_t>(class_of_[static_cast<std::size_t>(v)])];
  }
  bool knows(VertexId v) const { return class_of_[static_cast<std::size_t>(v)] != no_class; }

  // Share right of the vertices that are not given, those without an answer wrong; NaN if there
  // are none. `fit` may be null: nothing is right.
  double accuracy(const Labels& labels, const LabeledSet& labeled, const Fit* fit) const {
    std::vector<char> given(class_of_.size(), 0);
    for (const VertexId v : labels.vertices) given[static_cast<std::size_t>(v)] = 1;
    std::vector<int> known;  // number in the truth of each class of the labels
    for (const std::string& name : labeled.class_names())
      known.push_back(static_cast<int>(std::ranges::find(truth_.class_names(), name) -
                                       truth_.class_names().begin()));
    Confusion found(truth_.class_count() + 1);  // the last: classes that the truth does not have
    for (const VertexId v : truth_.vertices()) {
      const auto at = static_cast<std::size_t>(v);
      if (given[at] != 0) continue;
      const int decided = fit == nullptr ? no_answer : answer_of(*fit, v);
      found.add(class_of_[at],
                decided == no_answer ? no_answer : known[static_cast<std::size_t>(decided)]);
    }
    return found.accuracy();
  }

  // As many labels of each class as `start` has, drawn from the truth.
  Labels draw(const LabeledSet& start, Rng rng) const {
    std::vector<VertexId> order = truth_.vertices();
    shuffle(order, rng);
    Labels drawn;
    for (int k = 0; k < start.class_count(); ++k) {
      const std::string& name = start.class_names()[static_cast<std::size_t>(k)];
      auto left = std::ranges::count(start.class_of(), k);
      for (const VertexId v : order) {
        if (left == 0) break;
        if (answer(v) != name) continue;
        drawn.vertices.push_back(v);
        drawn.names.push_back(name);
        --left;
      }
    }
    return drawn;
  }

 private:
  const LabeledSet& truth_;
  std::vector<int> class_of_;  // of each vertex in the truth; no_class elsewhere
};

// The accuracies of all repeats at one number of questions.
void add_point(LearningCurve& curve, int asked, const std::vector<double>& values) {
  const auto [mean, sd] = mean_and_deviation(values);
  curve.points.push_back(
      {.asked = asked, .mean = mean, .sd = sd, .repeats = static_cast<int>(values.size())});
}

struct Measured {
  int asked;
  double accuracy;
};

// One point for each number of questions that any run came to.
LearningCurve curve_of(const std::vector<std::vector<Measured>>& runs) {
  std::map<int, std::vector<double>> values;
  for (const std::vector<Measured>& run : runs)
    for (const Measured& m : run) values[m.asked].push_back(m.accuracy);
  LearningCurve curve;
  for (const auto& [asked, accuracies] : values) add_point(curve, asked, accuracies);
  return curve;
}

class Simulation {
 public:
  Simulation(const Graph& graph, const LabeledSet& truth, const TransductiveLearner& learner,
             const CurveOptions& options, const RunContext& run, Report& report)
      : outer_(run),
        graph_(graph),
        oracle_(graph, truth),
        learner_(learner),
        options_(options),
        report_(report) {}

  const Oracle& oracle() const { return oracle_; }

  // Accuracies at the start and after each round; incomplete if the run was stopped. With `pace`
  // the rounds end at the same numbers of questions as those.
  std::vector<Measured> play(Labels labels, Asker& asker, const RunContext& run,
                             const std::vector<Measured>* pace = nullptr) {
    std::vector<Measured> found;
    int asked = 0;
    for (++plays_; !run.should_stop();) {
      outer_.report_progress(
          "learning curve",
          (plays_ - 1 + static_cast<double>(asked) / options_.budget) / (2.0 * options_.repeats));
      LabeledSet labeled;
      std::optional<Fit> fit;
      if (!labels.vertices.empty()) {
        labeled = LabeledSet::classes(labels.vertices, labels.names);
        fit = learner_.fit(graph_, labeled, run);
        add(fit->report);
      }
      const double accuracy = oracle_.accuracy(labels, labeled, fit ? &*fit : nullptr);
      if (std::isnan(accuracy)) break;
      found.push_back({asked, accuracy});
      if (pace != nullptr && found.size() >= pace->size()) break;
      const int next = pace != nullptr ? (*pace)[found.size()].asked
                                       : asked + std::min(options_.batch, options_.budget - asked);
      if (next == asked) break;
      const std::vector<Question> questions =
          asker.next(next - asked, fit ? &fit->scores : &nothing_known(), run);
      if (questions.empty()) break;
      for (const Question& q : questions) {
        labels.vertices.push_back(q.vertex);
        labels.names.push_back(oracle_.answer(q.vertex));
      }
      asked += static_cast<int>(questions.size());
    }
    return found;
  }

  void add(const Report& report) {
    merge(report_, solve_report(report));
    report_.setup_seconds += report.setup_seconds;
    report_.solve_seconds += report.solve_seconds;
  }

 private:
  // Without a label no vertex is reached.
  const Scores& nothing_known() {
    if (unreached_.status.empty())
      unreached_.status.assign(static_cast<std::size_t>(graph_.vertex_count()),
                               VertexStatus::unreached);
    return unreached_;
  }

  const RunContext& outer_;  // whose progress is shown
  const Graph& graph_;
  Oracle oracle_;
  const TransductiveLearner& learner_;
  const CurveOptions& options_;
  Report& report_;
  Scores unreached_;
  int plays_ = 0;
};

}  // namespace

void CurveOptions::validate() const {
  ask.validate();
  const auto check = [](const char* option, int value) {
    if (value < 1)
      throw Error(ErrorCode::usage, std::string("learning curve: option ") + option + "=" +
                                        std::to_string(value) + ": must be 1 or more");
  };
  check("budget", budget);
  check("batch", batch);
  check("repeats", repeats);
}

double LearningCurve::area() const {
  double sum = 0.0;
  for (const CurvePoint& p : points) sum += p.mean;
  return points.empty() ? 0.0 : sum / static_cast<double>(points.size());
}

CurveComparison compare_with_random(const Graph& graph, const LabeledSet& start,
                                    const LabeledSet& truth, const TransductiveLearner& learner,
                                    const CurveOptions& options, const RunContext& run) {
  options.validate();
  truth.check_against(graph.vertex_count());
  if (start.size() > 0) start.check_against(graph.vertex_count());
  if (truth.is_regression() || start.is_regression())
    throw Error(ErrorCode::usage, "learning curve: real targets: it needs classes");
  const auto given = [&](VertexId v) {
    return std::ranges::find(start.vertices(), v) != start.vertices().end();
  };
  if (std::ranges::all_of(truth.vertices(), given))
    throw Error(ErrorCode::bad_data,
                "learning curve: every vertex with a truth is given: nothing to measure");

  CurveComparison found;
  Simulation simulation(graph, truth, learner, options, run, found.report);
  AskOptions baseline = options.ask;
  baseline.criterion = Criterion::random;
  std::vector<std::vector<Measured>> chosen;
  std::vector<std::vector<Measured>> random;
  // Eigenpairs depend on the graph alone and are found once.
  Asker asker(graph, {}, std::nullopt, options.ask, run);
  for (int repeat = 0; repeat < options.repeats && !run.should_stop(); ++repeat) {
    RunContext quiet = run;
    quiet.progress = nullptr;
    const auto stream = static_cast<std::uint64_t>(repeat);
    quiet.seed = run.rng(2 * stream)();
    Labels labels;
    if (repeat == 0) {
      labels.vertices = start.vertices();
      for (const int k : start.class_of())
        labels.names.push_back(start.class_names()[static_cast<std::size_t>(k)]);
    } else {
      labels = simulation.oracle().draw(start, run.rng(2 * stream + 1));
    }
    std::vector<VertexId> candidates;
    for (const VertexId v : truth.vertices())
      if (std::ranges::find(labels.vertices, v) == labels.vertices.end()) candidates.push_back(v);
    asker.restart(labels.vertices, candidates, quiet);
    std::vector<Measured> one = simulation.play(labels, asker, quiet);
    simulation.add(asker.report());
    std::vector<Measured> other;
    if (options.ask.criterion != Criterion::random) {
      Asker dice(graph, labels.vertices, candidates, baseline, quiet);
      other = simulation.play(std::move(labels), dice, quiet, &one);
    }
    if (run.should_stop()) break;
    chosen.push_back(std::move(one));
    random.push_back(std::move(other));
  }
  if (const auto why = run.stop()) detail::mark_stopped(found.report, *why);
  found.chosen = curve_of(chosen);
  found.random = curve_of(random);
  return found;
}

}  // namespace gssl
