#include "gssl/batch/parzen.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

#include "batch/parzen/bandwidth.hpp"
#include "batch/parzen/windowed_rows.hpp"
#include "gssl/core/error.hpp"
#include "gssl/core/option_binding.hpp"
#include "gssl/core/parallel.hpp"

namespace gssl {

namespace {

using detail::all_rows;
using detail::TrainingRows;
using detail::VectorView;
using detail::visit_differences;
using detail::windowed;
using detail::WindowedRows;

constexpr double infinity = std::numeric_limits<double>::infinity();

const OptionBinding<ParzenOptions>& parzen_binding() {
  static const auto options =
      OptionBinding<ParzenOptions>("parzen")
          .choice(&ParzenOptions::window, "window",
                  {{ParzenWindow::gaussian, "gaussian"}, {ParzenWindow::box, "box"}},
                  "what stands around every training row")
          .real(&ParzenOptions::bandwidth, "bandwidth", {.low = 0.0, .high = 1e100},
                "its standard deviation, or the length of an edge of the box; 0: chosen from the "
                "rows")
          .choice(&ParzenOptions::priors, "priors",
                  {{ClassPriors::frequency, "frequency"}, {ClassPriors::uniform, "uniform"}},
                  "how common each class is beforehand");
  return options;
}

double log_window(const ParzenOptions& options, const VectorView& a, const VectorView& b) {
  double exponent = 0.0;
  visit_differences(a, b, [&](double difference) {
    const double u = difference / options.bandwidth;
    if (options.window == ParzenWindow::gaussian) {
      exponent -= 0.5 * u * u;
    } else if (std::abs(u) > 0.5) {
      exponent = -infinity;
    }
    return exponent > -infinity;
  });
  return exponent;
}

// ln Σ_i w_i W((x − x_i)/h) of each class, the height of the window left out.
Block log_sums(const WindowedRows& rows, const Points& queries, const ParzenOptions& options,
               const RunContext& run) {
  check_columns("parzen", queries, rows.points.columns());
  const bool sparse = rows.points.is_sparse() || queries.is_sparse();
  const TrainingRows training = all_rows(rows.points, sparse);
  const TrainingRows asked = all_rows(queries, sparse);
  Block sums(asked.rows(), static_cast<std::int64_t>(rows.class_weight.size()));
  parallel_blocks(
      asked.rows(), run.thread_count(),
      [&](std::int64_t begin, std::int64_t end) {
        std::vector<double> exponent(rows.class_of.size());
        std::vector<double> largest(rows.class_weight.size());
        for (std::int64_t q = begin; q < end; ++q) {
          run.throw_if_stopped("parzen", "before all rows were scored");
          std::ranges::fill(largest, -infinity);
          for (std::size_t r = 0; r < exponent.size(); ++r) {
            exponent[r] =
                log_window(options, asked.row(q), training.row(static_cast<std::int64_t>(r)));
            double& most = largest[static_cast<std::size_t>(rows.class_of[r])];
            most = std::max(most, exponent[r]);
          }
          const auto sum = sums.row(q);
          for (std::size_t r = 0; r < exponent.size(); ++r) {
            const auto k = static_cast<std::size_t>(rows.class_of[r]);
            if (exponent[r] > -infinity)
              sum[k] += rows.weights[r] * std::exp(exponent[r] - largest[k]);
          }
          for (std::size_t k = 0; k < largest.size(); ++k)
            sum[k] = largest[k] > -infinity ? largest[k] + std::log(sum[k]) : -infinity;
        }
      },
      16);
  return sums;
}

class ParzenModel final : public Model {
 public:
  ParzenModel(const ParzenOptions& options, WindowedRows rows)
      : options_(options), rows_(std::move(rows)) {
    double total = 0.0;
    for (const double weight : rows_.class_weight) total += prior_weight(weight);
    for (const double weight : rows_.class_weight) priors_.push_back(prior_weight(weight) / total);
  }

  Block scores(const Points& points, const RunContext& run) const override {
    Block scores = log_sums(rows_, points, options_, run);
    for (std::int64_t r = 0; r < scores.rows(); ++r) finish(scores.row(r));
    return scores;
  }

  ScoreKind score_kind() const override { return ScoreKind::probability; }

  std::vector<std::pair<std::string, std::string>> facts() const override {
    return {{"training rows kept", std::to_string(rows_.points.rows())},
            {"window", parzen_binding().echo(options_)}};
  }

  void save(Record& record) const override {
    record.put("options", parzen_binding().echo(options_));
    record.put("points", rows_.points);
    record.put("class_of", rows_.class_of);
    record.put("weights", rows_.weights);
    record.put("class_weight", rows_.class_weight);
  }

 private:
  double prior_weight(double weight) const {
    if (options_.priors == ClassPriors::frequency) return weight;
    return weight > 0.0 ? 1.0 : 0.0;
  }

  // From log sums to prior × density, scaled to sum 1.
  void finish(std::span<double> row) const {
    double largest = -infinity;
    for (std::size_t k = 0; k < row.size(); ++k) {
      if (rows_.class_weight[k] > 0.0) row[k] += std::log(priors_[k] / rows_.class_weight[k]);
      largest = std::max(largest, row[k]);
    }
    if (largest == -infinity) {
      std::ranges::copy(priors_, row.begin());
      return;
    }
    double sum = 0.0;
    for (double& score : row) sum += score = std::exp(score - largest);
    for (double& score : row) score /= sum;
  }

  ParzenOptions options_;
  WindowedRows rows_;
  std::vector<double> priors_;
};

std::unique_ptr<Model> load_parzen(const Record& record) {
  const ParzenOptions options = parzen_binding().parse(record.text("options"));
  WindowedRows rows;
  rows.points = record.points("points");
  rows.class_of = record.integers("class_of", rows.points.rows());
  rows.weights = record.reals("weights", rows.points.rows());
  rows.class_weight = record.reals("class_weight");
  const auto known = [&](std::int32_t k) {
    return k >= 0 && k < static_cast<std::int32_t>(rows.class_weight.size());
  };
  if (rows.class_weight.empty() || !std::ranges::all_of(rows.class_of, known))
    throw Error(ErrorCode::bad_data, "parzen: classes out of range");
  return std::make_unique<ParzenModel>(options, std::move(rows));
}

}  // namespace

void ParzenOptions::validate() const { parzen_binding().validate(*this); }

ParzenLearner::ParzenLearner(ParzenOptions options) : options_(options) { options_.validate(); }

Trained ParzenLearner::fit(const Dataset& data, const RunContext& run) const {
  WindowedRows rows = windowed(data);
  ParzenOptions options = options_;
  if (options.bandwidth == 0.0)
    options.bandwidth = detail::chosen_bandwidth(rows, options.window, run);
  Trained trained;
  trained.report.sentence = "keeps " + std::to_string(rows.points.rows()) + " rows, " +
                            parzen_binding().echo(options) +
                            (options_.bandwidth == 0.0 ? ", the bandwidth chosen from them" : "");
  trained.model = std::make_unique<ParzenModel>(options, std::move(rows));
  return trained;
}

double parzen_bandwidth(const Dataset& data, ParzenWindow window, const RunContext& run) {
  return detail::chosen_bandwidth(windowed(data), window, run);
}

Block parzen_log_densities(const Dataset& data, const Points& queries, const ParzenOptions& asked,
                           const RunContext& run) {
  asked.validate();
  const WindowedRows rows = windowed(data);
  ParzenOptions options = asked;
  if (options.bandwidth == 0.0)
    options.bandwidth = detail::chosen_bandwidth(rows, options.window, run);
  Block log_density = log_sums(rows, queries, options, run);
  const double height = options.window == ParzenWindow::gaussian
                            ? std::log(options.bandwidth) + 0.5 * std::log(2.0 * std::numbers::pi)
                            : std::log(options.bandwidth);
  for (std::int64_t r = 0; r < log_density.rows(); ++r)
    for (std::size_t k = 0; k < rows.class_weight.size(); ++k)
      if (rows.class_weight[k] > 0.0)
        log_density(r, static_cast<std::int64_t>(k)) -=
            std::log(rows.class_weight[k]) + static_cast<double>(queries.columns()) * height;
  return log_density;
}

LearnerEntry parzen_entry() {
  LearnerEntry entry;
  entry.name = "parzen";
  entry.summary = "the class whose windows around its rows are densest here";
  entry.reference =
      "E. Parzen. On estimation of a probability density function and mode. Annals of "
      "Mathematical Statistics 33, 1962, doi:10.1214/aoms/1177704472";
  entry.options = parzen_binding().table();
  entry.make_inductive = [](const OptionValues& values) {
    return std::make_unique<ParzenLearner>(parzen_binding().from(values));
  };
  entry.load_model = load_parzen;
  return entry;
}

}  // namespace gssl
