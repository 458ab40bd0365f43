#pragma once
// An orthonormal basis in blocks of a few columns, and the products that build it. Every sum over
// rows is added in blocks of fixed length, so nothing depends on the number of threads.
//
//   KrylovBasis basis(locked, 4);              // what everything must be orthogonal to; the width
//   Block h = basis.orthogonalize(w, threads);           // h = basisᵀ w; w loses that part
//   SmallSquare r = basis.orthonormalize(w, …);          // w = q r, q stays in w
//   basis.append(std::move(w));

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "gssl/core/block.hpp"
#include "gssl/core/run_context.hpp"

namespace gssl::solve {

inline constexpr std::int64_t widest_block = 4;

// r(i, j) of w = q r; zeros beyond the width.
using SmallSquare = std::array<std::array<double, widest_block>, widest_block>;

// aᵀ b for blocks of one width, up to widest_block.
SmallSquare cross_product(const Block& a, const Block& b, int threads);

// aᵀ b for blocks of any width, a.columns() × b.columns().
Block gram(const Block& a, const Block& b, int threads);

// x s for n×c and c×d.
Block rotated(const Block& x, const Block& s, int threads);

// x ← x s for c×c.
void rotate(Block& x, const Block& s, int threads);

// Whether one orthogonalization of a block will do while it leaves little.
enum class Orthogonality { sparing, full };

class KrylovBasis {
 public:
  // `locked`: n×q orthonormal columns, which stay where they are. 2 or 4 columns make a block.
  KrylovBasis(const Block& locked, std::int64_t width, Orthogonality orthogonality);

  std::int64_t rows() const { return locked_.rows(); }
  std::int64_t width() const { return width_; }
  std::int64_t columns() const { return static_cast<std::int64_t>(blocks_.size()) * width_; }
  const Block& last() const { return blocks_.back(); }

  // Takes the part in the span of the basis and of what is locked out of w, a second time where
  // once would leave too much of it; returns the coefficients of the basis, columns() × width().
  Block orthogonalize(Block& w, int threads);

  // w, orthogonal to the basis, becomes orthonormal: w = q r with r upper triangular. `scale` is
  // the size that w had before it was made orthogonal to the basis; a column with nothing left
  // beside it has a zero in r and is replaced by a random direction orthogonal to the basis.
  // `stream` numbers the random directions.
  SmallSquare orthonormalize(Block& w, double scale, const RunContext& run,
                             std::uint64_t& stream) const;

  void append(Block block) { blocks_.push_back(std::move(block)); }

  Block& block(std::int64_t i) { return blocks_[static_cast<std::size_t>(i)]; }
  // A block that the basis has left behind, with any values in it, or an empty one: memory that is
  // given back to be asked for again costs time, and leaves holes in the heap.
  Block spare();
  void recycle(Block block) { spares_.push_back(std::move(block)); }
  // Its first columns, side by side; the basis is empty afterwards.
  Block release(std::int64_t count, int threads);
  // The basis times s, columns() × c.
  Block times(const Block& s, int threads) const;
  // Replaces the basis by itself times s, in place; s has a multiple of width() columns. False if
  // the run was cancelled in between, which leaves nothing of use.
  bool rotate(const Block& s, const RunContext& run);
  // Its first columns alone, a multiple of width().
  void truncate(std::int64_t count);

 private:
  SmallSquare orthonormalize_by_columns(Block& w, double scale, const RunContext& run,
                                        std::uint64_t& stream) const;
  // Takes the part in the span of all blocks out of w; returns the coefficients.
  std::vector<double> project(Block& w, int threads) const;
  // Rows [begin, end) of the basis times s, added to out.
  void add_rows(const Block& s, std::int64_t begin, std::int64_t end, double* out) const;

  std::int64_t width_;
  double most_blur_;
  double newest_blur_;  // estimates of ‖basisᵀ block‖ of the last two blocks
  double previous_blur_;
  const Block& locked_;
  std::vector<Block> blocks_, spares_;
};

// Uniform in [−1, 1).
Block random_block(std::int64_t rows, std::int64_t width, const RunContext& run,
                   std::uint64_t stream);

}  // namespace gssl::solve
