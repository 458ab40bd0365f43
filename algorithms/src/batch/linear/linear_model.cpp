#include "gssl/batch/linear_model.hpp"

#include <algorithm>
#include <cmath>

#include "gssl/core/error.hpp"
#include "gssl/core/number_text.hpp"
#include "gssl/core/parallel.hpp"
#include "learn/model_names.hpp"

namespace gssl {

namespace {

std::int64_t pairs_needed(LinearKind kind, std::size_t classes) {
  if (kind == LinearKind::value) return 1;
  if (kind == LinearKind::each_class) return static_cast<std::int64_t>(classes);
  return classes <= 2 ? 1 : static_cast<std::int64_t>(classes);
}

double logistic(double f) {
  if (f >= 0.0) return 1.0 / (1.0 + std::exp(-f));
  const double e = std::exp(f);
  return e / (1.0 + e);
}

// Decisions of classes that were not learned, below those of all that were.
void lower_unlearned(std::span<const std::int32_t> learned, std::span<double> scores) {
  double least = 0.0;
  bool any = false;
  for (std::size_t k = 0; k < scores.size(); ++k)
    if (learned[k] != 0) {
      least = any ? std::min(least, scores[k]) : scores[k];
      any = true;
    }
  for (std::size_t k = 0; k < scores.size(); ++k)
    if (learned[k] == 0) scores[k] = least - std::max(1.0, std::abs(least));
}

// Probabilities of sum 1, none for classes that were not learned.
void share_among_learned(std::span<const std::int32_t> learned, std::span<double> scores) {
  double sum = 0.0;
  double classes = 0.0;
  for (std::size_t k = 0; k < scores.size(); ++k) {
    if (learned[k] == 0) scores[k] = 0.0;
    sum += scores[k];
    classes += learned[k];
  }
  for (std::size_t k = 0; k < scores.size(); ++k)
    scores[k] = sum > 0.0 ? scores[k] / sum : learned[k] / classes;
}

}  // namespace

NamedValues<Bias> bias_names() {
  return {{Bias::none, "none"}, {Bias::regularized, "regularized"}, {Bias::free, "free"}};
}

LinearModel::LinearModel(std::string learner, LinearKind kind, LinearFit fit,
                         std::vector<std::int32_t> learned)
    : learner_(std::move(learner)),
      kind_(kind),
      fit_(std::move(fit)),
      learned_(std::move(learned)) {
  const bool classes_fit =
      kind_ == LinearKind::value
          ? learned_.empty()
          : !learned_.empty() && (kind_ != LinearKind::margin || learned_.size() <= 2);
  const auto pairs = static_cast<std::int64_t>(fit_.bias.size());
  if (!classes_fit || pairs != fit_.weights.columns() ||
      pairs != pairs_needed(kind_, learned_.size()))
    throw Error(ErrorCode::bad_data, learner_ + ": " + std::to_string(fit_.weights.columns()) +
                                         " columns of weights, " + std::to_string(pairs) +
                                         " constants, " + std::to_string(learned_.size()) +
                                         " classes: they make no linear model");
}

ScoreKind LinearModel::score_kind() const {
  if (kind_ == LinearKind::value) return ScoreKind::value;
  return kind_ == LinearKind::logistic ? ScoreKind::probability : ScoreKind::decision;
}

Block LinearModel::scores(const Points& points, const RunContext& run) const {
  check_columns(learner_, points, fit_.weights.rows());
  const auto columns = static_cast<std::int64_t>(kind_ == LinearKind::value ? 1 : learned_.size());
  Block scores(points.rows(), columns);
  parallel_blocks(points.rows(), run.thread_count(), [&](std::int64_t begin, std::int64_t end) {
    std::vector<double> values(fit_.bias.size());
    for (std::int64_t r = begin; r < end; ++r) {
      values = fit_.bias;
      points.visit_row(static_cast<VertexId>(r), [&](std::int64_t c, double x) {
        const auto w = fit_.weights.row(c);
        for (std::size_t k = 0; k < values.size(); ++k) values[k] += x * w[k];
      });
      finish_row(values, scores.row(r));
    }
  });
  return scores;
}

void LinearModel::finish_row(std::span<const double> values, std::span<double> scores) const {
  const bool one_pair = values.size() == 1 && scores.size() == 2;
  for (std::size_t k = 0; k < scores.size(); ++k)
    scores[k] = one_pair ? (k == 0 ? -values[0] : values[0]) : values[k];
  if (kind_ == LinearKind::value) return;
  if (kind_ == LinearKind::logistic) {
    for (double& score : scores) score = logistic(score);
    share_among_learned(learned_, scores);
  } else {
    lower_unlearned(learned_, scores);
  }
}

std::vector<std::pair<std::string, std::string>> LinearModel::facts() const {
  std::int64_t used = 0;
  for (std::int64_t c = 0; c < fit_.weights.rows(); ++c)
    used += std::ranges::any_of(fit_.weights.row(c), [](double w) { return w != 0.0; }) ? 1 : 0;
  double square = 0.0;
  for (const double w : fit_.weights.values()) square += w * w;
  return {{"columns of a weight other than 0", std::to_string(used)},
          {"norm of the weights", to_brief_text(std::sqrt(square))}};
}

std::vector<ModelPart> LinearModel::parts(const ModelNames& names) const {
  return {detail::coefficients_part(names, fit_.weights, fit_.bias)};
}

void LinearModel::save(Record& record) const {
  record.put("kind", static_cast<std::int64_t>(kind_));
  record.put("weights", fit_.weights);
  record.put("bias", fit_.bias);
  record.put("learned", learned_);
}

std::unique_ptr<Model> LinearModel::load(std::string learner, const Record& record) {
  const std::int64_t kind = record.integer("kind");
  if (kind < 0 || kind > static_cast<std::int64_t>(LinearKind::logistic))
    throw Error(ErrorCode::bad_data,
                learner + ": kind " + std::to_string(kind) + ": no linear model of this version");
  return std::make_unique<LinearModel>(std::move(learner), static_cast<LinearKind>(kind),
                                       LinearFit{record.block("weights"), record.reals("bias")},
                                       record.integers("learned"));
}

}  // namespace gssl
