#pragma once
// Point clouds and slow distances for the tests of graphs from points.

#include <algorithm>
#include <cmath>
#include <vector>

#include "gssl/core/rng.hpp"
#include "gssl/data/points.hpp"
#include "gssl/graph/metric.hpp"

namespace gssl::test {

inline std::vector<double> normal_values(std::int64_t count, std::uint64_t seed = 1) {
  Rng rng(seed);
  std::vector<double> values(static_cast<std::size_t>(count));
  for (double& v : values) v = rng.normal();
  return values;
}

// Whole numbers in [0, side): distances tie often, and squares of them are exact.
inline std::vector<double> grid_values(std::int64_t count, std::uint64_t side,
                                       std::uint64_t seed = 1) {
  Rng rng(seed);
  std::vector<double> values(static_cast<std::size_t>(count));
  for (double& v : values) v = static_cast<double>(rng.below(side));
  return values;
}

inline std::vector<float> as_floats(const std::vector<double>& values) {
  return {values.begin(), values.end()};
}

// The dense rows with their zeros left out.
inline Points without_zeros(std::int64_t rows, std::int64_t columns,
                            const std::vector<double>& values) {
  std::vector<std::int64_t> offsets = {0};
  std::vector<std::int32_t> ids;
  std::vector<double> held;
  for (std::int64_t r = 0; r < rows; ++r) {
    for (std::int64_t c = 0; c < columns; ++c)
      if (const double v = values[static_cast<std::size_t>(r * columns + c)]; v != 0.0) {
        ids.push_back(static_cast<std::int32_t>(c));
        held.push_back(v);
      }
    offsets.push_back(static_cast<std::int64_t>(ids.size()));
  }
  return Points::sparse(rows, columns, offsets, ids, held);
}

// By the textbook; euclidean as its square where `squared`.
inline double slow_distance(const Points& points, VertexId i, VertexId j, Metric metric,
                            bool squared = false) {
  double sum = 0, xx = 0, yy = 0, xy = 0, mean_x = 0, mean_y = 0;
  const std::int64_t d = points.columns();
  if (metric == Metric::correlation)
    for (std::int64_t c = 0; c < d; ++c) {
      mean_x += points.value(i, c) / static_cast<double>(d);
      mean_y += points.value(j, c) / static_cast<double>(d);
    }
  for (std::int64_t c = 0; c < d; ++c) {
    const double x = points.value(i, c) - mean_x, y = points.value(j, c) - mean_y;
    sum += metric == Metric::manhattan ? std::abs(x - y) : (x - y) * (x - y);
    xx += x * x;
    yy += y * y;
    xy += x * y;
  }
  if (metric == Metric::manhattan) return static_cast<double>(sum);
  if (metric == Metric::euclidean) return static_cast<double>(squared ? sum : std::sqrt(sum));
  return static_cast<double>(1 - xy / std::sqrt(xx * yy));
}

struct SlowNeighbor {
  double distance;
  VertexId id;
};

// All other points by (distance, id), euclidean by squares.
inline std::vector<SlowNeighbor> slow_neighbors(const Points& points, VertexId i, Metric metric) {
  std::vector<SlowNeighbor> found;
  for (VertexId j = 0; j < points.rows(); ++j)
    if (j != i) found.push_back({slow_distance(points, i, j, metric, true), j});
  std::sort(found.begin(), found.end(), [](const SlowNeighbor& a, const SlowNeighbor& b) {
    return a.distance != b.distance ? a.distance < b.distance : a.id < b.id;
  });
  if (metric == Metric::euclidean)
    for (SlowNeighbor& neighbor : found) neighbor.distance = std::sqrt(neighbor.distance);
  return found;
}

}  // namespace gssl::test
