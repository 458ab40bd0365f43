#include "gssl/evaluate/left_out_calibration.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "evaluate/soft_shares.hpp"
#include "gssl/core/error.hpp"
#include "gssl/data/dataset.hpp"
#include "gssl/evaluate/metrics.hpp"
#include "support/vertex_status.hpp"

namespace gssl {

namespace {

// What draws the curve to the share right (calibration.hpp): left-out labels are few.
constexpr double prior_labels = 10.0;

// Scores of labels that were left out, with their classes.
struct LeftOutScores {
  std::vector<double> scores;  // row by row
  std::vector<int> truth, answer;
  std::vector<double> confidence;
};

void check_labels(const LabeledSet& labeled) {
  if (labeled.is_regression())
    throw Error(ErrorCode::usage, "calibration: real targets have no confidence");
  if (labeled.class_count() < 2)
    throw Error(ErrorCode::bad_data, "calibration: labels of one class: two are needed");
  const std::vector<std::int64_t> sizes = labeled.targets().class_sizes();
  const auto few = std::ranges::find_if(sizes, [](std::int64_t size) { return size < 2; });
  if (few != sizes.end())
    throw Error(ErrorCode::bad_data,
                "calibration: class '" +
                    labeled.class_names()[static_cast<std::size_t>(few - sizes.begin())] +
                    "' has fewer than 2 given labels: one is left out, so give two or more");
}

LabeledSet subset(const LabeledSet& labeled, const std::vector<std::int32_t>& rows) {
  std::vector<VertexId> vertices;
  std::vector<int> class_of;
  for (const std::int32_t row : rows) {
    vertices.push_back(labeled.vertices()[static_cast<std::size_t>(row)]);
    class_of.push_back(labeled.class_of()[static_cast<std::size_t>(row)]);
  }
  return LabeledSet::classes(std::move(vertices), std::move(class_of), labeled.class_names());
}

void take(const Fit& fit, const LabeledSet& labeled, const std::vector<std::int32_t>& rows,
          LeftOutScores& out) {
  for (const std::int32_t row : rows) {
    const VertexId v = labeled.vertices()[static_cast<std::size_t>(row)];
    const int decided = answer_of(fit, v);
    if (decided == no_answer) continue;
    const auto scores = fit.scores.values.row(v);
    out.scores.insert(out.scores.end(), scores.begin(), scores.end());
    out.truth.push_back(labeled.class_of()[static_cast<std::size_t>(row)]);
    out.answer.push_back(decided);
    out.confidence.push_back(std::clamp(fit.confidence[static_cast<std::size_t>(v)], 0.0, 1.0));
  }
}

std::vector<char> right_answers(const LeftOutScores& out) {
  std::vector<char> right;
  for (std::size_t i = 0; i < out.truth.size(); ++i)
    right.push_back(out.truth[i] == out.answer[i] ? 1 : 0);
  return right;
}

}  // namespace

namespace detail {

bool are_shares(std::span<const double> scores) {
  return std::ranges::all_of(scores, [](double s) { return s >= 0.0; });
}

Block softened(Block scores) {
  constexpr double least = 0.01;
  if (!are_shares(scores.values())) return scores;
  for (std::int64_t r = 0; r < scores.rows(); ++r) {
    const auto row = scores.row(r);
    const double sum = std::accumulate(row.begin(), row.end(), 0.0);
    for (double& share : row) share = (sum > 0.0 ? share / sum : 0.0) + least;
  }
  return scores;
}

}  // namespace detail

LeftOutCalibration calibrate_on_left_out(const std::function<Fit(const LabeledSet&)>& fit,
                                         const LabeledSet& labeled, CalibrationMethod method,
                                         const RunContext& run, int folds) {
  check_labels(labeled);
  Rng rng = run.rng();
  const int parts = std::min(folds, static_cast<int>(labeled.size()));
  LeftOutScores out;
  int done = 0;
  for (const Split& split : stratified_folds(labeled.targets(), parts, rng)) {
    run.throw_if_stopped("calibration", "every label was left out once");
    run.report_progress("calibration", static_cast<double>(done++) / parts);
    take(fit(subset(labeled, split.training)), labeled, split.test, out);
  }
  if (out.truth.empty())
    throw Error(
        ErrorCode::bad_data,
        "calibration: no label that is left out gets an answer: its component has no other");
  const Block scores = detail::softened(
      Block(static_cast<std::int64_t>(out.truth.size()), labeled.class_count(), out.scores));
  const ScoreKind kind = detail::are_shares(out.scores) ? ScoreKind::shares : ScoreKind::decision;
  LeftOutCalibration found;
  found.calibration = Calibration::fit(method, scores, kind, out.truth, {}, prior_labels);
  found.left_out = static_cast<std::int64_t>(out.truth.size());
  const std::vector<char> right = right_answers(out);
  found.before = reliability(out.confidence, right);
  const Block probabilities = found.calibration.probabilities(scores);
  for (std::size_t i = 0; i < out.answer.size(); ++i)
    out.confidence[i] =
        std::clamp(probabilities(static_cast<std::int64_t>(i), out.answer[i]), 0.0, 1.0);
  found.after = reliability(out.confidence, right);
  return found;
}

LeftOutCalibration calibrate_on_left_out(const TransductiveLearner& learner, const Graph& graph,
                                         const LabeledSet& labeled, CalibrationMethod method,
                                         const RunContext& run, int folds) {
  return calibrate_on_left_out(
      [&](const LabeledSet& some) { return learner.fit(graph, some, run); }, labeled, method, run,
      folds);
}

Block calibrated_probabilities(const Calibration& calibration, const Fit& fit) {
  return calibration.probabilities(detail::softened(fit.scores.values));
}

void apply_calibration(const Calibration& calibration, Fit& fit) {
  const Block probabilities = calibrated_probabilities(calibration, fit);
  for (std::size_t v = 0; v < fit.decision.size(); ++v)
    if (detail::is_found(fit.scores.status[v]))
      fit.confidence[v] =
          std::clamp(probabilities(static_cast<std::int64_t>(v), fit.decision[v]), 0.0, 1.0);
}

}  // namespace gssl
