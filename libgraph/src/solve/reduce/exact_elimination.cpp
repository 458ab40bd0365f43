#include "exact_elimination.hpp"

#include <algorithm>
#include <utility>

#include "elimination_network.hpp"
#include "gssl/core/index.hpp"
#include "gssl/core/parallel.hpp"
#include "gssl/solve/cost_model.hpp"
#include "linalg/trusted_system.hpp"

namespace gssl::solve {
namespace {

Block gather_rows(const Block& from, const std::vector<VertexId>& rows) {
  Block to(static_cast<std::int64_t>(rows.size()), from.columns());
  for (std::size_t r = 0; r < rows.size(); ++r)
    std::ranges::copy(from.row(rows[r]), to.row(static_cast<std::int64_t>(r)).begin());
  return to;
}

// Adds to the neighbors' rows of b what each step moves there.
void fold(const EliminationSteps& steps, Block& b) {
  const std::int64_t c = b.columns();
  std::size_t e = 0;
  for (std::size_t s = 0; s < steps.size(); ++s) {
    const double* own = b.data() + steps.vertex[s] * c;
    for (const std::size_t end = e + steps.neighbor_count[s]; e < end; ++e) {
      double* other = b.data() + steps.neighbor[e] * c;
      const double factor = steps.factor[e];
      for (std::int64_t k = 0; k < c; ++k) other[k] += factor * own[k];
    }
  }
}

// The rows of x at the vertices removed, the last one first.
void unfold(const EliminationSteps& steps, const Block& folded_b, Block& x) {
  const std::int64_t c = x.columns();
  std::size_t e = steps.neighbor.size();
  for (std::size_t s = steps.size(); s-- > 0;) {
    double* own = x.data() + steps.vertex[s] * c;
    const double* b = folded_b.data() + steps.vertex[s] * c;
    for (std::int64_t k = 0; k < c; ++k) own[k] = b[k] / steps.pivot[s];
    for (const std::size_t begin = e - steps.neighbor_count[s]; e > begin; --e) {
      const double* other = x.data() + steps.neighbor[e - 1] * c;
      const double factor = steps.factor[e - 1];
      for (std::int64_t k = 0; k < c; ++k) own[k] += factor * other[k];
    }
  }
}

}  // namespace

std::size_t StagedSteps::size() const {
  std::size_t size = rest.size();
  for (const EliminationSteps& steps : within) size += steps.size();
  return size;
}

bool elimination_pays(const Graph& graph) {
  EdgeIndex entries = 0;
  for (VertexId v = 0; v < graph.vertex_count(); ++v)
    if (graph.degree(v) <= most_neighbors) entries += graph.degree(v);
  return static_cast<double>(entries) >=
         cost_model().least_eliminated * 2.0 * static_cast<double>(graph.edge_count());
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
  steps_ = network.run(threads);
  for (VertexId v = 0; v < n; ++v)
    if (network.alive(v)) kept_.push_back(v);
  NetworkRows left = std::move(network).reduced(kept_, threads);
  reduced_ = std::make_shared<const GroundedLaplacian>(
      TrustedSystem::make(std::move(left.graph), std::move(left.ground), system->components(),
                          [&](VertexId r) { return order.vertex(kept_[index(r)]); }));
}

Block Elimination::reduce(Block& b, int threads) const {
  within_ranges(threads, [&](const EliminationSteps& steps) { fold(steps, b); });
  fold(steps_.rest, b);
  return restrict_to_kept(b);
}

Block Elimination::restrict_to_kept(const Block& x) const {
  return steps_.size() == 0 ? x : gather_rows(x, kept_);
}

// Calls body on the steps within each range.
template <class Body>
void Elimination::within_ranges(int threads, Body&& body) const {
  parallel_blocks(
      static_cast<std::int64_t>(steps_.within.size()), threads,
      [&](std::int64_t r, std::int64_t) { body(steps_.within[index(r)]); }, 1);
}

Block Elimination::extend(const Block& folded_b, const Block& reduced_x, int threads) const {
  if (steps_.size() == 0) return reduced_x;
  const std::int64_t c = folded_b.columns();
  Block x(folded_b.rows(), c);
  for (std::size_t r = 0; r < kept_.size(); ++r)
    std::ranges::copy(reduced_x.row(static_cast<std::int64_t>(r)), x.row(kept_[r]).begin());
  unfold(steps_.rest, folded_b, x);
  within_ranges(threads, [&](const EliminationSteps& steps) { unfold(steps, folded_b, x); });
  return x;
}

}  // namespace gssl::solve
