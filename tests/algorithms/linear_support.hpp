#pragma once
// Small tables for the tests of learners that learn from rows.

#include <cmath>
#include <string>
#include <vector>

#include "fixtures.hpp"
#include "gssl/batch/linear_model.hpp"
#include "gssl/core/rng.hpp"
#include "gssl/data/dataset.hpp"
#include "support/support.hpp"

namespace gssl::test {

inline Points random_points(VertexId n, std::int64_t d, std::uint64_t seed, double zeros = 0.0) {
  Rng rng(seed);
  std::vector<double> values(static_cast<std::size_t>(n * d));
  for (double& x : values) {
    x = rng.normal();
    if (rng.uniform() < zeros) x = 0.0;
  }
  return Points::dense(n, d, std::move(values));
}

// y = Σ_c (c + 1)·x_c/d + noise.
inline std::vector<double> noisy_targets(const Points& points, std::uint64_t seed) {
  Rng rng(seed, 1);
  std::vector<double> y;
  for (VertexId r = 0; r < points.rows(); ++r) {
    double sum = 0.3 * rng.normal() + 2.0;
    points.visit_row(r, [&](std::int64_t c, double x) {
      sum += static_cast<double>(c + 1) * x / static_cast<double>(points.columns());
    });
    y.push_back(sum);
  }
  return y;
}

inline std::vector<double> random_weights(VertexId n, std::uint64_t seed) {
  Rng rng(seed, 2);
  std::vector<double> w;
  for (VertexId r = 0; r < n; ++r) w.push_back(static_cast<double>(rng.below(4)));
  w[0] = 1.0;
  return w;
}

inline Dataset random_regression(VertexId n, std::int64_t d, std::uint64_t seed) {
  Points points = random_points(n, d, seed);
  auto y = noisy_targets(points, seed);
  return make_dataset(std::move(points), Targets::reals(std::move(y)));
}

// Classes "a", "b", … by thresholds of a noisy linear function.
inline Dataset random_classes(VertexId n, std::int64_t d, int classes, std::uint64_t seed) {
  Points points = random_points(n, d, seed);
  std::vector<std::string> names;
  for (const double y : noisy_targets(points, seed)) {
    const double share = 1.0 / (1.0 + std::exp(-1.5 * (y - 2.0)));
    names.push_back(std::string(1, static_cast<char>('a' + static_cast<int>(share * classes))));
  }
  return make_dataset(std::move(points), Targets::classes(names));
}

// The dataset with every row as often as its weight says, all weights 1.
inline Dataset repeated(const Dataset& data) {
  std::vector<std::int32_t> rows;
  for (std::int32_t r = 0; r < data.points.rows(); ++r)
    for (int copy = 0; copy < static_cast<int>(data.weight(r)); ++copy) rows.push_back(r);
  Dataset plain = select(data, rows);
  plain.weights.clear();
  return plain;
}

inline Dataset without_row(const Dataset& data, std::int32_t row) {
  std::vector<std::int32_t> rows;
  for (std::int32_t r = 0; r < data.points.rows(); ++r)
    if (r != row) rows.push_back(r);
  return select(data, rows);
}

inline Trained trained(std::string_view spec, const Dataset& data, int threads = 1) {
  return made(spec).inductive().fit(data, on_threads(threads));
}

// Of a linear model, from what it saves.
inline LinearFit fit_of(const Trained& trained) {
  Record record;
  trained.model->save(record);
  return {record.block("weights"), record.reals("bias")};
}

inline LinearFit linear_fit(std::string_view spec, const Dataset& data, int threads = 1) {
  return fit_of(trained(spec, data, threads));
}

inline double difference(const LinearFit& a, const LinearFit& b) {
  double largest = 0.0;
  if (a.weights.values().size() != b.weights.values().size()) return INFINITY;
  for (std::size_t i = 0; i < a.weights.values().size(); ++i)
    largest = std::max(largest, std::abs(a.weights.values()[i] - b.weights.values()[i]));
  for (std::size_t k = 0; k < a.bias.size(); ++k)
    largest = std::max(largest, std::abs(a.bias[k] - b.bias[k]));
  return largest;
}

inline const std::vector<double>& certificate_values(const Report& report, std::string_view name) {
  for (const Certificate& c : report.certificates)
    if (c.name == name) return c.values;
  throw std::runtime_error("no certificate " + std::string(name));
}

// Share of the rows whose class the model decides for.
inline double accuracy_of(const Model& model, const Dataset& data) {
  const std::vector<int> decided = decide(model.scores(data.points), model.score_kind());
  std::size_t right = 0;
  for (std::size_t r = 0; r < decided.size(); ++r)
    right += decided[r] == data.targets.class_of()[r] ? 1 : 0;
  return static_cast<double>(right) / static_cast<double>(decided.size());
}

// What is saved and loaded scores as before, to the byte.
inline bool survives_saving(const std::string& name, const Model& model, const Points& points) {
  Record record;
  model.save(record);
  const LearnerRegistry registry = builtin_learners();
  const auto again = registry.find(name)->load_model(record);
  return again->scores(points) == model.scores(points) && again->score_kind() == model.score_kind();
}

}  // namespace gssl::test
