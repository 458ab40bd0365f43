#include "fill_order.hpp"

#include <algorithm>
#include <cstdint>
#include <string>

#include "gssl/core/error.hpp"

#ifdef GSSL_WITH_SUITESPARSE
#include <cholmod.h>
#else
#include <Eigen/OrderingMethods>
#include <Eigen/SparseCore>
#endif

namespace gssl::solve {

#ifdef GSSL_WITH_SUITESPARSE

namespace {

// CHOLMOD with indices of 32 bits, half the memory, and of 64.
struct Narrow {
  using Index = int;
  static constexpr int type = CHOLMOD_INT;
  static constexpr auto start = cholmod_start, finish = cholmod_finish;
  static constexpr auto order = cholmod_amd;
};
struct Wide {
  using Index = SuiteSparse_long;
  static constexpr int type = CHOLMOD_LONG;
  static constexpr auto start = cholmod_l_start, finish = cholmod_l_finish;
  static constexpr auto order = cholmod_l_amd;
};
// Entries that narrow indices are sure to hold with the room the ordering wants.
constexpr EdgeIndex most_narrow_edges = 400'000'000;

template <class Cholmod>
std::vector<VertexId> order_by(const Graph& graph) {
  using Index = typename Cholmod::Index;
  const auto n = static_cast<std::size_t>(graph.vertex_count());
  // Column v holds the neighbors before v, which is the upper triangle.
  std::vector<Index> start{0}, row, position(n);
  start.reserve(n + 1);
  row.reserve(static_cast<std::size_t>(graph.edge_count()) + 1);
  for (VertexId v = 0; v < graph.vertex_count(); ++v) {
    for (const VertexId u : graph.neighbors(v))
      if (u < v) row.push_back(u);
    start.push_back(static_cast<Index>(row.size()));
  }
  cholmod_sparse pattern = {};
  pattern.nrow = pattern.ncol = n;
  pattern.nzmax = row.size();
  pattern.p = start.data();
  pattern.i = row.data();
  pattern.stype = 1;
  pattern.itype = Cholmod::type;
  pattern.xtype = CHOLMOD_PATTERN;
  pattern.dtype = CHOLMOD_DOUBLE;
  pattern.sorted = pattern.packed = 1;
  cholmod_common common;
  Cholmod::start(&common);
  common.print = 0;
  const int done = Cholmod::order(&pattern, nullptr, 0, position.data(), &common);
  Cholmod::finish(&common);
  if (done == 0) {
    throw Error(ErrorCode::out_of_memory,
                "ordering " + std::to_string(n) + " vertices does not fit the memory");
  }
  return {position.begin(), position.end()};
}

}  // namespace

std::vector<VertexId> fill_reducing_order(const Graph& graph) {
  if (graph.vertex_count() == 0) return {};
  return graph.edge_count() <= most_narrow_edges ? order_by<Narrow>(graph) : order_by<Wide>(graph);
}

#else

std::vector<VertexId> fill_reducing_order(const Graph& graph) {
  using Index = std::int64_t;
  const VertexId n = graph.vertex_count();
  Eigen::SparseMatrix<char, Eigen::ColMajor, Index> pattern(n, n);
  pattern.reserve(2 * graph.edge_count() + n);
  for (VertexId v = 0; v < n; ++v) {
    pattern.startVec(v);
    // Eigen takes a row without a diagonal for a dense one.
    const auto row = graph.neighbors(v);
    const auto later = std::upper_bound(row.begin(), row.end(), v);
    for (auto u = row.begin(); u != later; ++u) pattern.insertBack(*u, v) = 1;
    pattern.insertBack(v, v) = 1;
    for (auto u = later; u != row.end(); ++u) pattern.insertBack(*u, v) = 1;
  }
  pattern.finalize();
  std::vector<VertexId> order(static_cast<std::size_t>(n));
  if (n == 0) return order;
  Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, Index> permutation;
  Eigen::internal::minimum_degree_ordering(pattern, permutation);
  for (VertexId k = 0; k < n; ++k)
    order[static_cast<std::size_t>(k)] = static_cast<VertexId>(permutation.indices()[k]);
  return order;
}

#endif

}  // namespace gssl::solve
