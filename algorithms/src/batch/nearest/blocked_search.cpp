#include "batch/nearest/blocked_search.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "gssl/core/index.hpp"
#include "gssl/core/parallel.hpp"
#include "kernel/row_products.hpp"

namespace gssl::detail {
namespace {

constexpr std::int64_t least_columns = 13, least_rows = 512, least_queries = 16;
constexpr float least = 1e-36F;      // of an error, where squares lose digits for being small
constexpr float most = 1e30F;        // squared lengths beyond are left to the other search
constexpr std::int64_t tile = 1024;  // training rows multiplied at a time
constexpr std::int64_t most_floats = 1 << 24;  // of the distances of one block of queries

// Rows less `origin` as floats, and their squared lengths.
struct CenteredFloats {
  std::vector<float> values;
  std::vector<float> squares;

  CenteredFloats(const Points& points, const std::vector<double>& origin, int threads)
      : values(index(points.rows() * points.columns())), squares(index(points.rows())) {
    const std::int64_t d = points.columns();
    parallel_blocks(points.rows(), threads, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t r = begin; r < end; ++r) {
        float* row = values.data() + r * d;
        for (std::int64_t c = 0; c < d; ++c) row[c] = static_cast<float>(-origin[index(c)]);
        points.visit_row(static_cast<VertexId>(r), [&](std::int64_t c, double x) {
          row[c] = static_cast<float>(x - origin[index(c)]);
        });
        double square = 0.0;
        for (std::int64_t c = 0; c < d; ++c)
          square += static_cast<double>(row[c]) * static_cast<double>(row[c]);
        squares[index(r)] = static_cast<float>(square);
      }
    });
  }

  Rows<float> all(std::int64_t columns) const {
    return {values.data(), std::ssize(squares), columns};
  }
};

std::vector<double> mean_row(const Points& points) {
  std::vector<double> mean(index(points.columns()), 0.0);
  for (VertexId r = 0; r < points.rows(); ++r)
    points.visit_row(r, [&](std::int64_t c, double x) { mean[index(c)] += x; });
  for (double& m : mean) m /= static_cast<double>(points.rows());
  return mean;
}

double exact_square(const Points& a, VertexId i, const Points& b, VertexId j) {
  double sum = 0.0;
  for (std::int64_t c = 0; c < a.columns(); ++c) {
    const double difference = a.value(i, c) - b.value(j, c);
    sum += difference * difference;
  }
  return sum;
}

// How far a squared distance of floats may be off, relative to the squared lengths of both rows:
// the rounding of the values, of a sum of products of that many columns, and of the last sum.
float slack(std::int64_t columns) {
  constexpr float unit = 6e-8F;
  return unit * (2.0F * static_cast<float>(columns) + 16.0F);
}

class BlockSearch {
 public:
  BlockSearch(const Points& points, const Points& queries, const std::vector<double>& origin, int k,
              const RunContext& run)
      : points_(points),
        queries_(queries),
        rows_(points, origin, run.thread_count()),
        asked_(queries, origin, run.thread_count()),
        k_(k),
        run_(run) {}

  bool fits_float() const {
    const auto fits = [](float square) { return square < most; };
    return std::ranges::all_of(rows_.squares, fits) && std::ranges::all_of(asked_.squares, fits);
  }

  void search(std::int64_t first, std::int64_t count, KnnLists& lists) const {
    const std::int64_t n = points_.rows(), d = points_.columns();
    std::vector<float> products(index(count * n));
    for (std::int64_t begin = 0; begin < n; begin += tile) {
      run_.throw_if_stopped("k-nearest", "before all rows had their neighbors");
      multiply_rows<float>(asked_.all(d).from(first, count),
                           rows_.all(d).from(begin, std::min(tile, n - begin)), d,
                           products.data() + begin, n, Into::set);
    }
    std::vector<float> upper(index(n));
    for (std::int64_t q = 0; q < count; ++q)
      take_nearest(static_cast<VertexId>(first + q), products.data() + q * n, upper, lists);
  }

 private:
  // The k nearest are among the rows whose lower bound is at most the k-th upper bound.
  void take_nearest(VertexId q, const float* products, std::vector<float>& upper,
                    KnnLists& lists) const {
    const std::int64_t n = points_.rows();
    const float own = asked_.squares[index(q)], share = slack(points_.columns());
    for (std::int64_t r = 0; r < n; ++r) {
      const float lengths = own + rows_.squares[index(r)];
      upper[index(r)] = lengths - 2.0F * products[r] + (share * lengths + least);
    }
    const auto kth = upper.begin() + (k_ - 1);
    std::ranges::nth_element(upper, kth);
    const float bound = *kth;
    std::vector<std::pair<double, VertexId>> near;
    for (std::int64_t r = 0; r < n; ++r) {
      const float lengths = own + rows_.squares[index(r)];
      if (lengths - 2.0F * products[r] - (share * lengths + least) > bound) continue;
      const auto row = static_cast<VertexId>(r);
      near.emplace_back(exact_square(points_, row, queries_, q), row);
    }
    std::ranges::partial_sort(near, near.begin() + k_);
    for (int e = 0; e < k_; ++e) {
      const std::size_t place = index(q) * index(k_) + index(e);
      lists.neighbors[place] = near[index(e)].second;
      lists.distances[place] = std::sqrt(near[index(e)].first);
    }
  }

  const Points& points_;
  const Points& queries_;
  CenteredFloats rows_, asked_;
  int k_;
  const RunContext& run_;
};

}  // namespace

bool suits_blocks(const Points& points, const Points& queries, Metric metric) {
  return metric == Metric::euclidean && !points.is_sparse() && !queries.is_sparse() &&
         points.columns() >= least_columns && points.rows() >= least_rows &&
         queries.rows() >= least_queries;
}

KnnLists nearest_by_blocks(const Points& points, const Points& queries, int k,
                           const RunContext& run) {
  KnnLists lists;
  lists.count = queries.rows();
  lists.k = static_cast<int>(std::min<std::int64_t>(k, points.rows()));
  lists.neighbors.resize(index(lists.count) * index(lists.k));
  lists.distances.resize(lists.neighbors.size());
  lists.report.k_requested = k;
  lists.report.k = lists.k;
  lists.report.used = KnnMethod::blocks;
  lists.report.sentence = "k-nn: blocks of all pairs";
  const BlockSearch search(points, queries, mean_row(points), lists.k, run);
  if (!search.fits_float()) return nearest_points(points, queries, k, Metric::euclidean, run);
  const std::int64_t block = std::clamp<std::int64_t>(most_floats / points.rows(), 1, 96);
  parallel_blocks(
      queries.rows(), run.thread_count(),
      [&](std::int64_t begin, std::int64_t end) { search.search(begin, end - begin, lists); },
      block);
  return lists;
}

}  // namespace gssl::detail
