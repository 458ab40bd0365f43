// Sparse rows: every column lists the rows that use it, so the products of one row with all others
// cost the lengths of its columns. What the product leaves possible is computed again entry by
// entry:
//   euclidean  ‖x‖² + ‖y‖² − 2 x·y
//   manhattan  ‖x‖₁ + ‖y‖₁ + Σ over shared columns (|x − y| − |x| − |y|)
// Cosine is euclidean between rows of length 1; correlation as well, where the mean of a row is a
// number beside it: (x−x̄)/σ_x is sparse but for a constant −x̄/σ_x.

#include <chrono>
#include <string>

#include "exact_search.hpp"
#include "gssl/core/parallel.hpp"

namespace gssl::knn {
namespace {

// Rows with a value `rest` in every column that is not held.
struct SparseRows {
  std::int64_t columns = 0;
  std::span<const std::int64_t> offsets;
  std::span<const std::int32_t> ids;
  std::vector<double> values;
  std::vector<double> rest;  // empty: 0
  Metric metric = Metric::euclidean;

  VertexId rows() const { return static_cast<VertexId>(offsets.size()) - 1; }
  double rest_of(VertexId i) const {
    return rest.empty() ? 0.0 : rest[static_cast<std::size_t>(i)];
  }

  // The definition: held columns in ascending order, then the others together.
  double key(VertexId i, VertexId j) const {
    std::int64_t a = offsets[static_cast<std::size_t>(i)], b = offsets[static_cast<std::size_t>(j)];
    const std::int64_t end_a = offsets[static_cast<std::size_t>(i) + 1];
    const std::int64_t end_b = offsets[static_cast<std::size_t>(j) + 1];
    const double rest_a = rest_of(i), rest_b = rest_of(j);
    double sum = 0.0;
    std::int64_t others = columns;
    const auto add = [&](double x, double y, std::int64_t times) {
      const double t = x - y;
      sum += (metric == Metric::manhattan ? std::abs(t) : t * t) * static_cast<double>(times);
      others -= times;
    };
    while (a < end_a || b < end_b) {
      const std::int32_t column_a =
          a < end_a ? ids[static_cast<std::size_t>(a)] : std::numeric_limits<std::int32_t>::max();
      const std::int32_t column_b =
          b < end_b ? ids[static_cast<std::size_t>(b)] : std::numeric_limits<std::int32_t>::max();
      const double x = column_a <= column_b ? values[static_cast<std::size_t>(a++)] : rest_a;
      const double y = column_b <= column_a ? values[static_cast<std::size_t>(b++)] : rest_b;
      add(x, y, 1);
    }
    if (others > 0 && rest_a != rest_b) add(rest_a, rest_b, others);
    return sum;
  }
};

SparseRows sparse_rows(const Points& points, Metric metric) {
  SparseRows rows;
  rows.columns = points.columns();
  rows.offsets = points.offsets();
  rows.ids = points.column_ids();
  rows.metric = metric;
  if (points.is_float())
    rows.values.assign(points.floats().begin(), points.floats().end());
  else
    rows.values.assign(points.doubles().begin(), points.doubles().end());
  if (metric != Metric::cosine && metric != Metric::correlation) return rows;

  const bool centered = metric == Metric::correlation;
  if (centered) rows.rest.resize(static_cast<std::size_t>(rows.rows()));
  for (VertexId i = 0; i < rows.rows(); ++i) {
    const std::span<double> row(
        rows.values.data() + rows.offsets[static_cast<std::size_t>(i)],
        static_cast<std::size_t>(rows.offsets[static_cast<std::size_t>(i) + 1] -
                                 rows.offsets[static_cast<std::size_t>(i)]));
    const auto others = static_cast<double>(rows.columns) - static_cast<double>(row.size());
    double largest = 0.0, mean = 0.0;
    for (const double v : row) largest = std::max(largest, std::abs(v));
    const double scale = largest > 0.0 ? largest : 1.0;
    for (double& v : row) mean += v /= scale;
    mean = centered && rows.columns > 0 ? mean / static_cast<double>(rows.columns) : 0.0;
    const bool constant = centered && std::all_of(row.begin(), row.end(), [&](double v) {
                            return v == (others > 0.0 ? 0.0 : row.front());
                          });
    if (largest == 0.0 || constant) refuse_undefined(i, metric);
    double square = others * mean * mean;
    for (double& v : row) {
      v -= mean;
      square += v * v;
    }
    const double length = std::sqrt(square);
    for (double& v : row) v /= length;
    if (centered) rows.rest[static_cast<std::size_t>(i)] = -mean / length;
  }
  return rows;
}

struct Inverted {
  std::vector<std::int64_t> offsets;
  std::vector<VertexId> rows;
  std::vector<double> values;
};

Inverted invert(const SparseRows& rows) {
  Inverted inverted;
  inverted.offsets.assign(static_cast<std::size_t>(rows.columns) + 2, 0);
  for (const std::int32_t c : rows.ids) ++inverted.offsets[static_cast<std::size_t>(c) + 2];
  for (std::size_t c = 2; c < inverted.offsets.size(); ++c)
    inverted.offsets[c] += inverted.offsets[c - 1];
  inverted.rows.resize(rows.values.size());
  inverted.values.resize(rows.values.size());
  for (VertexId i = 0; i < rows.rows(); ++i)
    for (std::int64_t e = rows.offsets[static_cast<std::size_t>(i)];
         e < rows.offsets[static_cast<std::size_t>(i) + 1]; ++e) {
      const auto at = static_cast<std::size_t>(
          inverted.offsets[static_cast<std::size_t>(rows.ids[static_cast<std::size_t>(e)]) + 1]++);
      inverted.rows[at] = i;
      inverted.values[at] = rows.values[static_cast<std::size_t>(e)];
    }
  return inverted;
}

}  // namespace

void inverted_search(const Points& points, Metric metric, KnnLists& lists, const RunContext& run) {
  const auto start = std::chrono::steady_clock::now();
  const SparseRows rows = sparse_rows(points, metric);
  if (lists.k == 0) return;
  const VertexId n = rows.rows();
  const bool l1 = metric == Metric::manhattan;
  const Inverted inverted = invert(rows);

  // N(x): ‖x‖₁, or ‖x‖² less what the row's rest takes part in, which is counted apart:
  // x·y = Σ over shared columns (x−r_x)(y−r_y) + r_y Σx + r_x Σy − d r_x r_y.
  std::vector<double> norm(static_cast<std::size_t>(n)), total(norm.size());
  for (VertexId i = 0; i < n; ++i) {
    double size = 0.0, sum = 0.0;
    std::int64_t held = 0;
    for (std::int64_t e = rows.offsets[static_cast<std::size_t>(i)];
         e < rows.offsets[static_cast<std::size_t>(i) + 1]; ++e, ++held) {
      const double v = rows.values[static_cast<std::size_t>(e)];
      size += l1 ? std::abs(v) : v * v;
      sum += v;
    }
    const double others = static_cast<double>(rows.columns - held);
    norm[static_cast<std::size_t>(i)] = size + others * rows.rest_of(i) * rows.rest_of(i);
    total[static_cast<std::size_t>(i)] = sum + others * rows.rest_of(i);
  }
  const double slack = (static_cast<double>(rows.columns) + 16.0) * 0x1p-50;
  const auto built = std::chrono::steady_clock::now();

  std::atomic<std::int64_t> distances = 0;
  parallel_blocks(
      n, run.thread_count(),
      [&](std::int64_t begin, std::int64_t end) {
        stop_if_asked(run);
        std::vector<double> product(static_cast<std::size_t>(n));
        std::int64_t keys = 0;
        for (auto i = static_cast<VertexId>(begin); i < end; ++i) {
          std::fill(product.begin(), product.end(), 0.0);
          const double rest_i = rows.rest_of(i);
          for (std::int64_t e = rows.offsets[static_cast<std::size_t>(i)];
               e < rows.offsets[static_cast<std::size_t>(i) + 1]; ++e) {
            const double x = rows.values[static_cast<std::size_t>(e)];
            const auto c = static_cast<std::size_t>(rows.ids[static_cast<std::size_t>(e)]);
            for (auto at = static_cast<std::size_t>(inverted.offsets[c]);
                 at < static_cast<std::size_t>(inverted.offsets[c + 1]); ++at) {
              const VertexId j = inverted.rows[at];
              const double y = inverted.values[at];
              product[static_cast<std::size_t>(j)] +=
                  l1 ? std::abs(x - y) - std::abs(x) - std::abs(y)
                     : (x - rest_i) * (y - rows.rest_of(j));
            }
          }
          const ListView list = list_of(lists, i);
          list.clear();
          const double norm_i = norm[static_cast<std::size_t>(i)];
          const double total_i = total[static_cast<std::size_t>(i)];
          for (VertexId j = 0; j < n; ++j) {
            if (j == i) continue;
            const auto at = static_cast<std::size_t>(j);
            const double both = norm_i + norm[at], rest_j = rows.rest_of(j);
            const double estimate =
                l1 ? both + product[at]
                   : both - 2.0 * (product[at] + rest_j * total_i + rest_i * total[at] -
                                   static_cast<double>(rows.columns) * rest_i * rest_j);
            if (estimate - slack * both > list.last_key()) continue;
            ++keys;
            list.offer(rows.key(i, j), j);
          }
          for (int a = 0; a < list.k; ++a) list.keys[a] = distance_of(metric, list.keys[a]);
        }
        distances += keys;
      },
      64);
  const auto searched = std::chrono::steady_clock::now();
  lists.report.distances = distances;
  lists.report.build_seconds = std::chrono::duration<double>(built - start).count();
  lists.report.search_seconds = std::chrono::duration<double>(searched - built).count();
}

}  // namespace gssl::knn
