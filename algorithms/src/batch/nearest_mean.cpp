#include "gssl/batch/nearest_mean.hpp"

#include <algorithm>
#include <limits>

#include "gssl/core/error.hpp"
#include "gssl/core/parallel.hpp"

namespace gssl {

namespace {

class NearestMeanModel final : public Model {
 public:
  NearestMeanModel(Block means, std::vector<std::int32_t> learned)
      : means_(std::move(means)), learned_(std::move(learned)) {
    squares_.assign(learned_.size(), 0.0);
    for (std::int64_t k = 0; k < means_.rows(); ++k)
      for (const double m : means_.row(k)) squares_[static_cast<std::size_t>(k)] += m * m;
  }

  Block scores(const Points& points, const RunContext& run) const override {
    check_columns("nearest-mean", points, means_.columns());
    Block scores(points.rows(), means_.rows());
    parallel_blocks(points.rows(), run.thread_count(), [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t r = begin; r < end; ++r)
        score_row(points, static_cast<VertexId>(r), scores.row(r));
    });
    return scores;
  }

  ScoreKind score_kind() const override { return ScoreKind::decision; }

  std::vector<ModelPart> parts(const ModelNames& names) const override {
    return {{.name = "means",
             .headings = {"class", "column", "mean"},
             .rows = means_.rows() * means_.columns(),
             .row = [this, names](std::int64_t r) -> std::vector<ModelCell> {
               const std::int64_t k = r / means_.columns(), c = r % means_.columns();
               return {names.classes[static_cast<std::size_t>(k)],
                       names.columns[static_cast<std::size_t>(c)], means_(k, c)};
             }}};
  }

  void save(Record& record) const override {
    record.put("means", means_);
    record.put("learned", learned_);
  }

 private:
  // −‖x − m‖². A class that was not learned scores less than every other.
  void score_row(const Points& points, VertexId r, std::span<double> row) const {
    points.is_sparse() ? score_sparse(points, r, row) : score_dense(points, r, row);
    double least = 0.0;
    for (std::size_t k = 0; k < row.size(); ++k)
      if (learned_[k] != 0) least = std::min(least, row[k]);
    for (std::size_t k = 0; k < row.size(); ++k)
      if (learned_[k] == 0) row[k] = 2.0 * least - 1.0;
  }

  // By differences: columns may lie far from 0.
  void score_dense(const Points& points, VertexId r, std::span<double> row) const {
    points.visit_row(r, [&](std::int64_t c, double x) {
      for (std::size_t k = 0; k < row.size(); ++k) {
        const double off = x - means_(static_cast<std::int64_t>(k), c);
        row[k] -= off * off;
      }
    });
  }

  // 2 x·m − ‖m‖² − ‖x‖², in O(non-zeros).
  void score_sparse(const Points& points, VertexId r, std::span<double> row) const {
    double square = 0.0;
    points.visit_row(r, [&](std::int64_t c, double x) {
      square += x * x;
      for (std::size_t k = 0; k < row.size(); ++k)
        row[k] += 2.0 * x * means_(static_cast<std::int64_t>(k), c);
    });
    for (std::size_t k = 0; k < row.size(); ++k) row[k] -= squares_[k] + square;
  }

  Block means_;                        // a row for each class
  std::vector<std::int32_t> learned_;  // 1: the class had a row
  std::vector<double> squares_;
};

std::unique_ptr<Model> load_nearest_mean(const Record& record) {
  Block means = record.block("means");
  std::vector<std::int32_t> learned = record.integers("learned", means.rows());
  return std::make_unique<NearestMeanModel>(std::move(means), std::move(learned));
}

}  // namespace

Trained NearestMeanLearner::fit(const Dataset& data, const RunContext&) const {
  check_targets("nearest-mean", data, true, false);
  Block means(data.targets.class_count(), data.points.columns());
  std::vector<double> weight(static_cast<std::size_t>(means.rows()), 0.0);
  for (VertexId r = 0; r < data.points.rows(); ++r) {
    const int k = data.targets.class_of()[static_cast<std::size_t>(r)];
    const double w = data.weight(r);
    weight[static_cast<std::size_t>(k)] += w;
    data.points.visit_row(r, [&](std::int64_t c, double x) { means(k, c) += w * x; });
  }
  std::vector<std::int32_t> learned;
  for (std::int64_t k = 0; k < means.rows(); ++k) {
    const double total = weight[static_cast<std::size_t>(k)];
    learned.push_back(total > 0.0 ? 1 : 0);
    if (total > 0.0)
      for (double& m : means.row(k)) m /= total;
  }
  Trained trained;
  trained.model = std::make_unique<NearestMeanModel>(std::move(means), std::move(learned));
  trained.report.sentence = "the mean of each class";
  return trained;
}

LearnerEntry nearest_mean_entry() {
  LearnerEntry entry;
  entry.name = "nearest-mean";
  entry.summary = "the class whose mean is nearest";
  entry.reference =
      "R. Duda, P. Hart, D. Stork. Pattern Classification. Wiley 2001, section 2.6 (minimum "
      "distance classifier)";
  entry.make_inductive = [](const OptionValues&) { return std::make_unique<NearestMeanLearner>(); };
  entry.load_model = load_nearest_mean;
  return entry;
}

}  // namespace gssl
