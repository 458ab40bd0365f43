#include "gssl/batch/k_nearest.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "batch/linear/design.hpp"
#include "batch/nearest/blocked_search.hpp"
#include "gssl/core/error.hpp"
#include "gssl/core/option_binding.hpp"
#include "gssl/core/parallel.hpp"
#include "gssl/graph/knn_lists.hpp"

namespace gssl {

namespace {

const OptionBinding<KNearestOptions>& k_nearest_binding() {
  static const auto options =
      OptionBinding<KNearestOptions>("k-nearest")
          .integer(&KNearestOptions::k, "k", {.low = 1}, "neighbors that vote")
          .choice(&KNearestOptions::metric, "metric", "how far two rows are apart")
          .choice(&KNearestOptions::weights, "weights",
                  {{NeighborWeights::uniform, "uniform"}, {NeighborWeights::inverse, "inverse"}},
                  "a vote each, or one over the distance");
  return options;
}

struct TrainingSet {
  Points points;
  std::vector<std::int32_t> class_of;  // empty for a regression
  std::vector<double> values;          // of a regression
  std::vector<double> weights;         // empty: 1 each
  std::int64_t classes = 0;

  double weight(VertexId r) const {
    return weights.empty() ? 1.0 : weights[static_cast<std::size_t>(r)];
  }
};

void stop_search(const RunContext& run) {
  run.throw_if_stopped("k-nearest", "before all rows had their neighbors");
}

class KNearestModel final : public Model {
 public:
  KNearestModel(const KNearestOptions& options, TrainingSet training)
      : options_(options), training_(std::move(training)) {}

  Block scores(const Points& points, const RunContext& run) const override {
    check_columns("k-nearest", points, training_.points.columns());
    Block scores(points.rows(), training_.classes > 0 ? training_.classes : 1);
    // As many rows at a time as bound the memory of their lists.
    const std::int64_t wanted = std::min<std::int64_t>(options_.k, training_.points.rows());
    const auto step = static_cast<VertexId>(
        std::clamp<std::int64_t>(20'000'000 / std::max<std::int64_t>(wanted, 1), 1, 1 << 20));
    for (VertexId begin = 0; begin < points.rows();
         begin += std::min(step, points.rows() - begin)) {
      const VertexId end = begin + std::min(step, points.rows() - begin);
      stop_search(run);
      run.report_progress("neighbors", double(begin) / double(points.rows()));
      std::vector<std::int32_t> rows;
      for (VertexId r = begin; r < end; ++r) rows.push_back(r);
      const bool whole = begin == 0 && end == points.rows();
      score(whole ? points : select(points, rows), rows, static_cast<int>(wanted), scores, run);
    }
    return scores;
  }

  ScoreKind score_kind() const override {
    return training_.classes > 0 ? ScoreKind::shares : ScoreKind::value;
  }

  std::vector<std::pair<std::string, std::string>> facts() const override {
    return {{"training rows kept", std::to_string(training_.points.rows())},
            {"neighbors", std::to_string(options_.k)},
            {"metric", std::string(to_string(options_.metric))}};
  }

  void save(Record& record) const override {
    record.put("k", static_cast<std::int64_t>(options_.k));
    record.put("metric", to_string(options_.metric));
    record.put("inverse",
               static_cast<std::int64_t>(options_.weights == NeighborWeights::inverse ? 1 : 0));
    record.put("points", training_.points);
    record.put("class_of", training_.class_of);
    record.put("values", training_.values);
    record.put("weights", training_.weights);
    record.put("classes", training_.classes);
  }

 private:
  // Rows whose `k` neighbors do not fill the k places, their weights being below 1, are asked again
  // for twice as many.
  void score(const Points& queries, const std::vector<std::int32_t>& rows, int k, Block& scores,
             const RunContext& run) const {
    const KnnLists lists = detail::suits_blocks(training_.points, queries, options_.metric)
                               ? detail::nearest_by_blocks(training_.points, queries, k, run)
                               : nearest_points(training_.points, queries, k, options_.metric, run);
    std::vector<char> lacks(rows.size(), 0);
    parallel_blocks(queries.rows(), run.thread_count(), [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t q = begin; q < end; ++q)
        lacks[static_cast<std::size_t>(q)] =
            vote(lists, static_cast<VertexId>(q), scores.row(rows[static_cast<std::size_t>(q)])) ||
                    lists.k == training_.points.rows()
                ? 0
                : 1;
    });
    std::vector<std::int32_t> again;
    std::vector<std::int32_t> their_rows;
    for (std::size_t q = 0; q < lacks.size(); ++q)
      if (lacks[q] != 0) {
        again.push_back(static_cast<std::int32_t>(q));
        their_rows.push_back(rows[q]);
      }
    if (again.empty()) return;
    stop_search(run);
    const std::int64_t more = std::min<std::int64_t>(2 * std::int64_t{k}, training_.points.rows());
    score(select(queries, again), their_rows, static_cast<int>(more), scores, run);
  }

  // Whether the neighbors fill the places; `row` is then what they say.
  bool vote(const KnnLists& lists, VertexId q, std::span<double> row) const {
    const auto neighbors = lists.row(q);
    const auto distances = lists.distance_row(q);
    const bool inverse = options_.weights == NeighborWeights::inverse;
    const bool touching = inverse && !distances.empty() && distances[0] == 0.0;
    std::ranges::fill(row, 0.0);
    double places = options_.k;
    double votes = 0.0;
    for (std::size_t e = 0; e < neighbors.size() && places > 0.0; ++e) {
      const double taken = std::min(places, training_.weight(neighbors[e]));
      places -= taken;
      if (touching && distances[e] > 0.0) continue;
      // Against the nearest, so that no distance overflows.
      const double share = inverse && !touching ? taken * (distances[0] / distances[e]) : taken;
      votes += share;
      const auto r = static_cast<std::size_t>(neighbors[e]);
      if (training_.classes > 0)
        row[static_cast<std::size_t>(training_.class_of[r])] += share;
      else
        row[0] += share * training_.values[r];
    }
    for (double& score : row) score /= votes;
    return places <= 0.0;
  }

  KNearestOptions options_;
  TrainingSet training_;
};

std::unique_ptr<Model> load_k_nearest(const Record& record) {
  KNearestOptions options;
  options.k = static_cast<int>(
      std::min<std::int64_t>(record.integer("k"), std::numeric_limits<int>::max()));
  options.metric = metric_named(record.text("metric"));
  if (record.integer("inverse") != 0) options.weights = NeighborWeights::inverse;
  TrainingSet set;
  set.points = record.points("points");
  set.class_of = record.integers("class_of");
  set.values = record.reals("values");
  set.weights = record.reals("weights");
  set.classes = record.integer("classes");
  const auto rows = static_cast<std::size_t>(set.points.rows());
  const auto known = [&](std::int32_t k) { return k >= 0 && k < set.classes; };
  const bool fits =
      options.k >= 1 && rows > 0 &&
      (set.classes > 0 ? set.class_of : std::vector<std::int32_t>(rows)).size() == rows &&
      (set.classes > 0 || set.values.size() == rows) &&
      (set.weights.empty() || set.weights.size() == rows) &&
      std::ranges::all_of(set.class_of, known) &&
      std::ranges::all_of(set.weights, [](double w) { return w > 0.0; });
  if (!fits)
    throw Error(ErrorCode::bad_data,
                "k-nearest: rows, classes and weights of different lengths or out of range");
  return std::make_unique<KNearestModel>(options, std::move(set));
}

}  // namespace

void KNearestOptions::validate() const { k_nearest_binding().validate(*this); }

KNearestLearner::KNearestLearner(KNearestOptions options) : options_(options) {
  options_.validate();
}

Trained KNearestLearner::fit(const Dataset& data, const RunContext& run) const {
  Dataset storage;
  const Dataset& kept = detail::with_weight(data, storage);
  TrainingSet set;
  set.points = kept.points;
  set.weights = kept.weights;
  if (kept.targets.is_regression()) {
    set.values = kept.targets.values();
  } else {
    set.class_of.assign(kept.targets.class_of().begin(), kept.targets.class_of().end());
    set.classes = kept.targets.class_count();
  }
  // A row that the metric is not defined for is found now and not at the first query.
  nearest_points(set.points, select(set.points, std::array<std::int32_t, 1>{0}), 1, options_.metric,
                 run);
  Trained trained;
  trained.report.sentence = "keeps " + std::to_string(set.points.rows()) + " rows, " +
                            std::string(to_string(options_.metric)) + " distance";
  if (set.points.rows() < options_.k)
    trained.report.warnings.push_back("k-nearest: k=" + std::to_string(options_.k) + " of " +
                                      std::to_string(set.points.rows()) +
                                      " rows: all of them vote");
  trained.model = std::make_unique<KNearestModel>(options_, std::move(set));
  return trained;
}

LearnerEntry k_nearest_entry() {
  LearnerEntry entry;
  entry.name = "k-nearest";
  entry.summary = "the nearest training rows vote";
  entry.reference =
      "T. Cover, P. Hart. Nearest neighbor pattern classification. IEEE Trans. Information Theory "
      "13, 1967, doi:10.1109/TIT.1967.1053964";
  entry.options = k_nearest_binding().table();
  entry.traits.regression = true;
  entry.make_inductive = [](const OptionValues& values) {
    return std::make_unique<KNearestLearner>(k_nearest_binding().from(values));
  };
  entry.load_model = load_k_nearest;
  return entry;
}

}  // namespace gssl
