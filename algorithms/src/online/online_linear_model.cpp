#include "online/online_linear_model.hpp"

#include <limits>
#include <utility>

#include "gssl/core/parallel.hpp"
#include "learn/model_names.hpp"

namespace gssl::detail {

namespace {

constexpr double least = std::numeric_limits<double>::min();

class OnlineLinearModel final : public Model {
 public:
  explicit OnlineLinearModel(LinearFunction function) : function_(std::move(function)) {}

  Block scores(const Points& points, const RunContext& run) const override {
    check_columns(function_.learner, points, static_cast<std::int64_t>(function_.weights.size()));
    Block scores(points.rows(), function_.regression ? 1 : 2);
    parallel_blocks(points.rows(), run.thread_count(), [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t r = begin; r < end; ++r) {
        const double score = score_of(points, static_cast<VertexId>(r));
        scores(r, scores.columns() - 1) = score;
        // 0 is positive, but a tie would go to the first column.
        if (!function_.regression) scores(r, 0) = score == 0.0 ? -least : -score;
      }
    });
    return scores;
  }

  ScoreKind score_kind() const override {
    return function_.regression ? ScoreKind::value : ScoreKind::decision;
  }

  std::vector<std::pair<std::string, std::string>> facts() const override {
    std::size_t used = 0;
    for (const double w : function_.weights) used += w != 0.0 ? 1 : 0;
    return {{"columns with weight", std::to_string(used)}};
  }

  std::vector<ModelPart> parts(const ModelNames& names) const override {
    const auto columns = static_cast<std::int64_t>(function_.weights.size());
    return {coefficients_part(names, {columns, 1, function_.weights}, {function_.offset})};
  }

  void save(Record& record) const override {
    record.put("learner", std::string_view(function_.learner));
    record.put("weights", function_.weights);
    record.put("offset", function_.offset);
    record.put("regression", std::int64_t{function_.regression ? 1 : 0});
  }

 private:
  double score_of(const Points& points, VertexId row) const {
    double sum = function_.offset;
    points.visit_row(row, [&](std::int64_t c, double x) {
      sum += function_.weights[static_cast<std::size_t>(c)] * x;
    });
    return sum;
  }

  LinearFunction function_;
};

}  // namespace

std::unique_ptr<Model> make_linear_model(LinearFunction function) {
  return std::make_unique<OnlineLinearModel>(std::move(function));
}

std::unique_ptr<Model> load_linear_model(const Record& record) {
  return make_linear_model({.learner = record.text("learner"),
                            .weights = record.reals("weights"),
                            .offset = record.real("offset"),
                            .regression = record.integer("regression") != 0});
}

}  // namespace gssl::detail
