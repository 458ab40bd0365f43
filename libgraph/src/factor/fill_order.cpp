#include "fill_order.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

#include "core/aside.hpp"
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

// The upper triangle by columns: column v holds the neighbors before v.
template <class Index>
struct Pattern {
  std::vector<Index> start{0}, row;

  explicit Pattern(const Graph& graph) {
    start.reserve(static_cast<std::size_t>(graph.vertex_count()) + 1);
    row.reserve(static_cast<std::size_t>(graph.edge_count()) + 1);
    for (VertexId v = 0; v < graph.vertex_count(); ++v) {
      for (const VertexId u : graph.neighbors(v))
        if (u < v) row.push_back(u);
      start.push_back(static_cast<Index>(row.size()));
    }
  }
};

template <class Cholmod>
std::vector<VertexId> order_by(Pattern<typename Cholmod::Index>& upper) {
  const std::size_t n = upper.start.size() - 1;
  std::vector<typename Cholmod::Index> position(n);
  cholmod_sparse pattern = {};
  pattern.nrow = pattern.ncol = n;
  pattern.nzmax = upper.row.size();
  pattern.p = upper.start.data();
  pattern.i = upper.row.data();
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

template <class Cholmod>
std::optional<std::vector<VertexId>> order_aside(const Graph& graph, const RunContext& run) {
  return aside(run, [pattern = Pattern<typename Cholmod::Index>(graph)]() mutable {
    return order_by<Cholmod>(pattern);
  });
}

}  // namespace

std::optional<std::vector<VertexId>> fill_reducing_order(const Graph& graph,
                                                         const RunContext& run) {
  if (graph.vertex_count() == 0) return std::vector<VertexId>();
  run.report_progress("ordering");
  return graph.edge_count() <= most_narrow_edges ? order_aside<Narrow>(graph, run)
                                                 : order_aside<Wide>(graph, run);
}

#else

namespace {

using Index = std::int64_t;
using Pattern = Eigen::SparseMatrix<char, Eigen::ColMajor, Index>;

Pattern pattern_of(const Graph& graph) {
  const VertexId n = graph.vertex_count();
  Pattern pattern(n, n);
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
  return pattern;
}

std::vector<VertexId> order_of(Pattern& pattern) {
  std::vector<VertexId> order;
  Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, Index> permutation;
  Eigen::internal::minimum_degree_ordering(pattern, permutation);
  order.reserve(static_cast<std::size_t>(permutation.size()));
  for (Index k = 0; k < permutation.size(); ++k)
    order.push_back(static_cast<VertexId>(permutation.indices()[k]));
  return order;
}

}  // namespace

std::optional<std::vector<VertexId>> fill_reducing_order(const Graph& graph,
                                                         const RunContext& run) {
  if (graph.vertex_count() == 0) return std::vector<VertexId>();
  run.report_progress("ordering");
  return aside(run, [pattern = pattern_of(graph)]() mutable { return order_of(pattern); });
}

#endif

}  // namespace gssl::solve
