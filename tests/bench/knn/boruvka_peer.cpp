// Borůvka (1926) over all pairs: in each round blocked products of Eigen give every distance once,
// in floats, each point keeps its nearest in another component, and each component the nearest of
// its points. Ties go to the lower row numbers, so that no round closes a cycle.
#include <Eigen/Core>
#include <cmath>
#include <limits>
#include <numeric>

#include "peers.hpp"

namespace {

using Index = std::int32_t;
constexpr Index block = 512;

struct Best {
  std::vector<float> square;
  std::vector<Index> other;
};

bool nearer(float square, Index a, Index b, float than, Index c, Index d) {
  if (square != than || d < 0) return square < than;
  return std::minmax(a, b) < std::minmax(c, d);
}

Index root(std::vector<Index>& parent, Index v) {
  while (parent[std::size_t(v)] != v)
    v = parent[std::size_t(v)] = parent[std::size_t(parent[std::size_t(v)])];
  return v;
}

// All pairs of two blocks: rows a … of the product are those of the first, on columns b … of the
// second; the square of a distance is a sum of norms less twice the product.
void meet(const Eigen::MatrixXf& product, const std::vector<float>& norm,
          const std::vector<Index>& home, Index a, Index b, Best& best) {
  constexpr float far = std::numeric_limits<float>::infinity();
  float square[block];
  for (Index j = 0; j < product.cols(); ++j) {
    const Index column = b + j;
    const Index rows = a == b ? j : static_cast<Index>(product.rows());
    const float* dot = product.data() + std::ptrdiff_t{j} * product.rows();
    const Index own = home[std::size_t(column)];
    const float size = norm[std::size_t(column)];
    float least = far;
    int better = 0;
#pragma omp simd reduction(min : least) reduction(| : better)
    for (Index i = 0; i < rows; ++i) {
      const std::size_t row = std::size_t(a + i);
      const float value = size + norm[row] - 2.0F * dot[i];
      square[i] = home[row] == own ? far : value;
      least = std::min(least, square[i]);
      better |= static_cast<int>(square[i] <= best.square[row]);
    }
    if (least == far) continue;
    if (least <= best.square[std::size_t(column)])
      for (Index i = 0; i < rows; ++i)
        if (square[i] == least && nearer(least, column, a + i, best.square[std::size_t(column)],
                                         column, best.other[std::size_t(column)])) {
          best.square[std::size_t(column)] = least;
          best.other[std::size_t(column)] = a + i;
        }
    if (better == 0) continue;
    for (Index i = 0; i < rows; ++i)
      if (square[i] <= best.square[std::size_t(a + i)] && square[i] < far &&
          nearer(square[i], a + i, column, best.square[std::size_t(a + i)], a + i,
                 best.other[std::size_t(a + i)])) {
        best.square[std::size_t(a + i)] = square[i];
        best.other[std::size_t(a + i)] = column;
      }
  }
}

}  // namespace

TreePeer boruvka_tree(const std::vector<float>& x, int d, int threads) {
  const gssl::bench::Stopwatch watch;
  const auto n = static_cast<Index>(x.size() / std::size_t(d));
  const Eigen::Map<const Eigen::MatrixXf> points(x.data(), d, n);
  std::vector<float> norm(static_cast<std::size_t>(n));
  for (Index i = 0; i < n; ++i) norm[std::size_t(i)] = points.col(i).squaredNorm();
  std::vector<Index> parent(norm.size()), home(norm.size());
  std::iota(parent.begin(), parent.end(), 0);
  const Index blocks = (n + block - 1) / block;
  double length = 0.0;
  for (Index edges = 0; edges < n - 1;) {
    for (Index v = 0; v < n; ++v) home[std::size_t(v)] = root(parent, v);
    const Best none{std::vector<float>(norm.size(), std::numeric_limits<float>::infinity()),
                    std::vector<Index>(norm.size(), -1)};
    Best least = none;  // of each component, at its root; `from` is the end inside
    std::vector<Index> from(norm.size(), -1);
#pragma omp parallel num_threads(threads)
    {
      Best best = none;
      Eigen::MatrixXf product;
#pragma omp for schedule(dynamic, 1)
      for (Index p = 0; p < blocks; ++p)
        for (Index q = 0; q <= blocks - 1 - p; ++q) {
          const Index a = q * block, b = (q + p) * block;
          product.noalias() = points.middleCols(a, std::min(block, n - a)).transpose() *
                              points.middleCols(b, std::min(block, n - b));
          meet(product, norm, home, a, b, best);
        }
#pragma omp critical
      for (Index v = 0; v < n; ++v) {
        const auto at = std::size_t(v), to = std::size_t(home[at]);
        if (best.other[at] < 0 || !nearer(best.square[at], v, best.other[at], least.square[to],
                                          from[to], least.other[to]))
          continue;
        least.square[to] = best.square[at];
        least.other[to] = best.other[at];
        from[to] = v;
      }
    }
    for (Index v = 0; v < n; ++v) {
      const Index other = least.other[std::size_t(v)], inside = from[std::size_t(v)];
      if (other < 0 || root(parent, inside) == root(parent, other)) continue;
      parent[std::size_t(root(parent, inside))] = root(parent, other);
      length += std::sqrt((points.col(inside) - points.col(other)).cast<double>().squaredNorm());
      ++edges;
    }
  }
  return TreePeer{watch.elapsed(), length};
}
