#include "elimination.hpp"

#include <algorithm>
#include <utility>

#include "../linalg/trusted_system.hpp"
#include "elimination_network.hpp"

namespace gssl::solve {
namespace {

constexpr double least_entries = 0.05;

std::size_t index(std::int64_t i) { return static_cast<std::size_t>(i); }

Block gather_rows(const Block& from, const std::vector<VertexId>& rows) {
  Block to(static_cast<std::int64_t>(rows.size()), from.columns());
  for (std::size_t r = 0; r < rows.size(); ++r)
    std::ranges::copy(from.row(rows[r]), to.row(static_cast<std::int64_t>(r)).begin());
  return to;
}

}  // namespace

bool elimination_pays(const Graph& graph) {
  EdgeIndex entries = 0;
  for (VertexId v = 0; v < graph.vertex_count(); ++v)
    if (graph.degree(v) <= most_neighbors) entries += graph.degree(v);
  return static_cast<double>(entries) >=
         least_entries * 2.0 * static_cast<double>(graph.edge_count());
}

Elimination::Elimination(const SharedSystem& system, Renumbering& order, int threads) {
  const Graph& graph = system->graph();
  const VertexId n = graph.vertex_count();
  bool any = false;
  for (VertexId v = 0; v < n && !any; ++v) any = graph.degree(v) <= most_neighbors;
  if (!any) {
    reduced_ = order.system(system);
    return;
  }
  EliminationNetwork network(order.rows(*system));
  network.run(steps_);
  for (VertexId v = 0; v < n; ++v)
    if (network.alive(v)) kept_.push_back(v);
  NetworkRows left = std::move(network).reduced(kept_, threads);
  reduced_ = std::make_shared<const GroundedLaplacian>(
      TrustedSystem::make(std::move(left.graph), std::move(left.ground), system->components(),
                          [&](VertexId r) { return order.vertex(kept_[index(r)]); }));
}

Block Elimination::reduce(Block& b) const {
  const std::int64_t c = b.columns();
  std::size_t e = 0;
  for (std::size_t s = 0; s < steps_.size(); ++s) {
    const double* own = b.data() + steps_.vertex[s] * c;
    for (const std::size_t end = e + steps_.neighbor_count[s]; e < end; ++e) {
      double* other = b.data() + steps_.neighbor[e] * c;
      const double factor = steps_.factor[e];
      for (std::int64_t k = 0; k < c; ++k) other[k] += factor * own[k];
    }
  }
  return restrict_to_kept(b);
}

Block Elimination::restrict_to_kept(const Block& x) const {
  return steps_.size() == 0 ? x : gather_rows(x, kept_);
}

Block Elimination::extend(const Block& folded_b, const Block& reduced_x) const {
  if (steps_.size() == 0) return reduced_x;
  const std::int64_t c = folded_b.columns();
  Block x(folded_b.rows(), c);
  for (std::size_t r = 0; r < kept_.size(); ++r)
    std::ranges::copy(reduced_x.row(static_cast<std::int64_t>(r)), x.row(kept_[r]).begin());
  std::size_t e = steps_.neighbor.size();
  for (std::size_t s = steps_.size(); s-- > 0;) {
    double* own = x.data() + steps_.vertex[s] * c;
    const double* b = folded_b.data() + steps_.vertex[s] * c;
    for (std::int64_t k = 0; k < c; ++k) own[k] = b[k] / steps_.pivot[s];
    for (const std::size_t begin = e - steps_.neighbor_count[s]; e > begin; --e) {
      const double* other = x.data() + steps_.neighbor[e - 1] * c;
      const double factor = steps_.factor[e - 1];
      for (std::int64_t k = 0; k < c; ++k) own[k] += factor * other[k];
    }
  }
  return x;
}

}  // namespace gssl::solve
