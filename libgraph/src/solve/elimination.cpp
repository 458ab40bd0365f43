#include "elimination.hpp"

#include <algorithm>
#include <utility>

#include "elimination_network.hpp"

namespace gssl::solve {
namespace {

Block gather_rows(const Block& from, const std::vector<VertexId>& rows) {
  Block to(static_cast<std::int64_t>(rows.size()), from.columns());
  for (std::size_t r = 0; r < rows.size(); ++r)
    std::ranges::copy(from.row(rows[r]), to.row(static_cast<std::int64_t>(r)).begin());
  return to;
}

}  // namespace

Elimination::Elimination(SharedSystem system, int threads) : reduced_(std::move(system)) {
  const Graph& graph = reduced_->graph();
  const VertexId n = graph.vertex_count();
  bool any = false;
  for (VertexId v = 0; v < n && !any; ++v) any = graph.degree(v) <= 2;
  if (!any) return;
  EliminationNetwork network(*reduced_);
  network.run(steps_);
  steps_.shrink_to_fit();
  for (VertexId v = 0; v < n; ++v)
    if (network.alive(v)) kept_.push_back(v);
  reduced_ = std::make_shared<const GroundedLaplacian>(network.reduced(kept_, threads));
}

Block Elimination::reduce(Block& b) const {
  const std::int64_t c = b.columns();
  for (const EliminationStep& step : steps_) {
    const double* own = b.data() + step.vertex * c;
    for (int i = 0; i < 2 && step.neighbor[i] != no_vertex; ++i) {
      double* other = b.data() + step.neighbor[i] * c;
      for (std::int64_t k = 0; k < c; ++k) other[k] += step.factor[i] * own[k];
    }
  }
  return restrict_to_kept(b);
}

Block Elimination::restrict_to_kept(const Block& x) const {
  return steps_.empty() ? x : gather_rows(x, kept_);
}

Block Elimination::extend(const Block& folded_b, const Block& reduced_x) const {
  if (steps_.empty()) return reduced_x;
  const std::int64_t c = folded_b.columns();
  Block x(folded_b.rows(), c);
  for (std::size_t r = 0; r < kept_.size(); ++r)
    std::ranges::copy(reduced_x.row(static_cast<std::int64_t>(r)), x.row(kept_[r]).begin());
  for (auto step = steps_.rbegin(); step != steps_.rend(); ++step) {
    double* own = x.data() + step->vertex * c;
    const double* b = folded_b.data() + step->vertex * c;
    for (std::int64_t k = 0; k < c; ++k) own[k] = b[k] / step->pivot;
    for (int i = 0; i < 2 && step->neighbor[i] != no_vertex; ++i) {
      const double* other = x.data() + step->neighbor[i] * c;
      for (std::int64_t k = 0; k < c; ++k) own[k] += step->factor[i] * other[k];
    }
  }
  return x;
}

}  // namespace gssl::solve
