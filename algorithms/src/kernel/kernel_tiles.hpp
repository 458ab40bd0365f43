#pragma once
// Entries of a kernel between two sets of rows, read once and computed tile by tile: one product of
// rows for all parts of the expression that need inner products, and their maps while the tile is
// in the cache. Internal: not installed.
//
//   KernelTiles<float> tiles(term, points, points, run);
//   tiles.rows(which, {}, out, n, run);      // out[i·n + j] = K(a_which[i], b_j)
//
// Every entry has the same bytes whatever the tile or the thread it comes from.

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "gssl/core/run_context.hpp"
#include "gssl/data/points.hpp"
#include "kernel/kernel_term.hpp"
#include "kernel/row_frame.hpp"
#include "kernel/row_kernels.hpp"

namespace gssl::detail {

struct TileColumns {
  std::int64_t first = 0;
  std::int64_t count = -1;  // −1: all
};

template <class Real>
class KernelTiles {
 public:
  // Keeps the term. Throws ErrorCode::bad_data where columns differ or a kernel refuses the rows.
  KernelTiles(const KernelTerm& term, const Points& a, const Points& b, const RunContext& run);

  std::int64_t columns() const { return b_count_; }

  // Some rows of a, in that order. Throws ErrorCode::bad_data where an entry overflows, and what
  // throw_if_stopped() does.
  void rows(std::span<const std::int32_t> which, TileColumns columns, Real* out,
            std::int64_t stride, const RunContext& run) const;
  // The same, row i of the answer to to[i].
  void rows(std::span<const std::int32_t> which, TileColumns columns, std::span<Real* const> to,
            const RunContext& run) const;

  // K(a_i, a_i).
  static std::vector<double> diagonal(const KernelTerm& term, const Points& a,
                                      const RunContext& run);

 private:
  struct Tile {
    std::span<const std::int32_t> rows;  // of a
    std::int64_t begin;                  // first column
    std::int64_t columns;
    const Real* products;  // rows × columns, or null
    std::span<const Real> row_squares;
  };
  void fill(const KernelTerm& term, const Tile& tile, Real* out) const;
  void map_products(const KernelTerm& term, const Tile& tile, Real* out) const;
  void normalize(const KernelTerm& term, const Tile& tile, Real* out) const;
  void add_mapped(const KernelTerm& term, const Points& a, const Points& b, const RunContext& run);

  KernelTerm term_;
  std::int64_t b_count_ = 0;
  bool of_products_ = false;
  RowFrame<Real> a_, b_;
  bool same_ = false;
  std::map<const KernelTerm*, std::unique_ptr<RowKernel>> row_kernels_;
  // Of mapped rows; their tiles are asked for by the same places.
  struct Mapped {
    Points a, b;
    std::unique_ptr<KernelTiles> tiles;
  };
  std::map<const KernelTerm*, Mapped> mapped_;
  struct Diagonals {
    std::vector<double> a, b;
  };
  std::map<const KernelTerm*, Diagonals> diagonals_;
};

// Whether entries in single precision are near the true ones: no β‖x‖² > 50, where the distance of
// two rows is lost, and no numbers near the largest float.
bool fits_float(const KernelTerm& term, const Points& points);

}  // namespace gssl::detail
