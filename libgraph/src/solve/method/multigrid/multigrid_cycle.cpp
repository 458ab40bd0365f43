#include "multigrid_cycle.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "gssl/core/index.hpp"
#include "gssl/core/parallel.hpp"

namespace gssl::solve {
namespace {

// The widest block of columns that one cycle carries.
constexpr int widest = 8;

// One row of a block. Loops of fixed length over local arrays are what compilers turn into vector
// instructions; copy_n of an odd width is not.
template <int Width>
using Row = std::array<float, Width>;

template <int Width>
Row<Width> load(const float* x) {
  Row<Width> row;
  for (int k = 0; k < Width; ++k) row[k] = x[k];
  return row;
}

template <int Width>
void store(const Row<Width>& row, float* x) {
  for (int k = 0; k < Width; ++k) x[k] = row[k];
}

// Row v of S x.
template <int Width, bool Unit>
Row<Width> smooth(const MultigridLevel& l, std::int64_t v, const float* x, std::int64_t stride) {
  const VertexId* column = l.column;
  const float* coupling = l.coupling.value.data();
  Row<Width> sum{};
  for (EdgeIndex e = l.offset[v]; e < l.offset[v + 1]; ++e) {
    const float* row = x + column[e] * stride;
    if constexpr (Unit) {
      for (int k = 0; k < Width; ++k) sum[k] += row[k];
    } else {
      for (int k = 0; k < Width; ++k) sum[k] += coupling[e] * row[k];
    }
  }
  const float scale = Unit ? l.step[index(v)] : 1.0F;
  const float own = l.own[index(v)];
  const Row<Width> row = load<Width>(x + v * stride);
  for (int k = 0; k < Width; ++k) sum[k] = own * row[k] + scale * sum[k];
  return sum;
}

// sum + row v of a transfer times x.
template <int Width>
Row<Width> transfer(const FloatRows& rows, std::int64_t v, const float* x, Row<Width> sum) {
  const VertexId* column = rows.column.data();
  const float* value = rows.value.data();
  for (EdgeIndex q = rows.begin(v); q < rows.end(v); ++q) {
    const float* row = x + static_cast<std::int64_t>(column[q]) * Width;
    for (int k = 0; k < Width; ++k) sum[k] += value[q] * row[k];
  }
  return sum;
}

template <class Body>
void each_row(std::int64_t rows, int threads, Body&& body) {
  parallel_blocks(rows, threads, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t v = begin; v < end; ++v) body(v);
  });
}

class MultigridCycle final : public Preconditioner {
 public:
  MultigridCycle(std::shared_ptr<const Graph> graph, std::vector<float> finest_step,
                 std::vector<MultigridLevel> levels, std::vector<double> coarsest)
      : graph_(std::move(graph)),
        finest_step_(std::move(finest_step)),
        levels_(std::move(levels)),
        coarsest_(std::move(coarsest)),
        first_step_(finest_step_.empty() && !levels_.empty() ? levels_.front().step : finest_step_),
        coarsest_rows_(levels_.empty() ? static_cast<VertexId>(first_step_.size())
                                       : coarse_rows(levels_.back())) {
    // Per column: at each level a workspace and the coarse vector, twice where it is saved.
    scratch_rows_ = coarsest_rows_;
    for (const MultigridLevel& l : levels_)
      scratch_rows_ += l.size + (l.visits_twice ? 2 : 1) * std::int64_t{coarse_rows(l)};
  }

  void apply(const float* r, float* z, std::int64_t columns, int threads,
             std::vector<float>& scratch) const override {
    static const auto visits = visit_table(std::make_integer_sequence<int, widest>{});
    const std::int64_t passes = (columns + widest - 1) / widest;
    if (passes == 0) return;
    const std::size_t floats = index(scratch_rows_ * ((columns + passes - 1) / passes));
    if (scratch.size() < floats) scratch.resize(floats);
    for (std::int64_t pass = 0; pass < passes; ++pass) {
      const std::int64_t first = pass * columns / passes;
      const std::int64_t width = (pass + 1) * columns / passes - first;
      each_row(static_cast<std::int64_t>(first_step_.size()), threads, [&](std::int64_t v) {
        for (std::int64_t k = v * columns + first; k < v * columns + first + width; ++k)
          z[k] = first_step_[index(v)] * r[k];
      });
      (this->*visits[index(width - 1)])(0, z + first, columns, scratch.data(), threads);
    }
  }

 private:
  using Visit = void (MultigridCycle::*)(std::size_t, float*, std::int64_t, float*, int) const;

  // visit<width> for width 1, …, widest.
  template <int... Index>
  static constexpr std::array<Visit, sizeof...(Index)> visit_table(
      std::integer_sequence<int, Index...>) {
    return {&MultigridCycle::visit<Index + 1>...};
  }

  static VertexId coarse_rows(const MultigridLevel& l) {
    return static_cast<VertexId>(l.restriction.offset.size() - 1);
  }

  // x comes in as M r and leaves as the approximate solution of A x = r.
  template <int Width>
  void visit(std::size_t depth, float* x, std::int64_t stride, float* scratch, int threads) const {
    if (depth == levels_.size()) return solve_coarsest<Width>(x, stride, scratch);
    if (levels_[depth].coupling.value.empty())
      visit_level<Width, true>(depth, x, stride, scratch, threads);
    else
      visit_level<Width, false>(depth, x, stride, scratch, threads);
  }

  template <int Width, bool Unit>
  void visit_level(std::size_t depth, float* x, std::int64_t stride, float* scratch,
                   int threads) const {
    const MultigridLevel& l = levels_[depth];
    float* t = scratch;
    float* y = t + std::int64_t{Width} * l.size;
    scratch = y + std::int64_t{Width} * coarse_rows(l);
    each_row(l.size, threads, [&](std::int64_t v) {
      store<Width>(smooth<Width, Unit>(l, v, x, stride), t + v * Width);
    });
    each_row(coarse_rows(l), threads, [&](std::int64_t k) {
      store<Width>(transfer<Width>(l.restriction, k, t, {}), y + k * Width);
    });
    if (l.visits_twice)
      visit_twice<Width>(depth + 1, y, scratch, threads);
    else
      visit<Width>(depth + 1, y, Width, scratch, threads);
    each_row(l.size, threads, [&](std::int64_t v) {
      store<Width>(transfer<Width>(l.interpolation, v, y, load<Width>(x + v * stride)),
                   t + v * Width);
    });
    each_row(l.size, threads, [&](std::int64_t v) {
      Row<Width> row = smooth<Width, Unit>(l, v, t, Width);
      const Row<Width> start = load<Width>(x + v * stride);
      for (int k = 0; k < Width; ++k) row[k] += start[k];
      store<Width>(row, x + v * stride);
    });
  }

  // The second visit is for the residual that the first one leaves: M r − M A x = x₀ − x + S x.
  template <int Width>
  void visit_twice(std::size_t depth, float* x, float* scratch, int threads) const {
    if (depth == levels_.size()) return solve_coarsest<Width>(x, Width, scratch);
    const MultigridLevel& l = levels_[depth];
    float* left = scratch;
    scratch += std::int64_t{Width} * l.size;
    std::copy_n(x, std::int64_t{Width} * l.size, left);
    visit<Width>(depth, x, Width, scratch, threads);
    each_row(l.size, threads, [&](std::int64_t v) {
      const Row<Width> smoothed = smooth<Width, false>(l, v, x, Width);
      const Row<Width> now = load<Width>(x + v * Width);
      Row<Width> row = load<Width>(left + v * Width);
      for (int k = 0; k < Width; ++k) row[k] += smoothed[k] - now[k];
      store<Width>(row, left + v * Width);
    });
    visit<Width>(depth, left, Width, scratch, threads);
    each_row(l.size * std::int64_t{Width}, threads, [&](std::int64_t i) { x[i] += left[i]; });
  }

  template <int Width>
  void solve_coarsest(float* x, std::int64_t stride, float* scratch) const {
    const std::int64_t n = coarsest_rows_;
    for (std::int64_t i = 0; i < n; ++i)
      store<Width>(load<Width>(x + i * stride), scratch + i * Width);
    for (std::int64_t i = 0; i < n; ++i) {
      const double* row = coarsest_.data() + i * n;
      double sum[Width] = {};
      for (std::int64_t j = 0; j < n; ++j)
        for (int k = 0; k < Width; ++k)
          sum[k] += row[j] * static_cast<double>(scratch[j * Width + k]);
      for (int k = 0; k < Width; ++k) x[i * stride + k] = static_cast<float>(sum[k]);
    }
  }

  std::shared_ptr<const Graph> graph_;
  std::vector<float> finest_step_;
  std::vector<MultigridLevel> levels_;
  std::vector<double> coarsest_;
  std::span<const float> first_step_;  // of the finest rows
  VertexId coarsest_rows_ = 0;
  std::int64_t scratch_rows_ = 0;
};

}  // namespace

std::unique_ptr<Preconditioner> make_multigrid_cycle(std::shared_ptr<const Graph> graph,
                                                     std::vector<float> finest_step,
                                                     std::vector<MultigridLevel> levels,
                                                     std::vector<double> coarsest) {
  return std::make_unique<MultigridCycle>(std::move(graph), std::move(finest_step),
                                          std::move(levels), std::move(coarsest));
}

}  // namespace gssl::solve
