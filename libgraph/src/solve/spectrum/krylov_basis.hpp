#pragma once
// An orthonormal basis in blocks of four columns, and the products that build it. Every sum over
// rows is added in blocks of fixed length, so nothing depends on the number of threads.
//
//   KrylovBasis basis(locked);                 // what everything must be orthogonal to
//   Block h = basis.project(w, threads);       // hᵀ = (basis without locked)ᵀ w; w loses that part
//   Triangle r = basis.append(w, …);           // w = q r, q joins the basis

#include <array>
#include <cstdint>
#include <vector>

#include "gssl/core/block.hpp"
#include "gssl/core/run_context.hpp"

namespace gssl::solve {

inline constexpr std::int64_t block_width = 4;

// r(i, j) of w = q r.
using SmallSquare = std::array<std::array<double, block_width>, block_width>;

// aᵀ b for blocks of block_width columns.
SmallSquare cross_product(const Block& a, const Block& b, int threads);

// aᵀ b for blocks of any width, a.columns() × b.columns().
Block gram(const Block& a, const Block& b, int threads);

// x ← x s for n×c and c×d.
Block rotated(const Block& x, const Block& s, int threads);

class KrylovBasis {
 public:
  // `locked`: n×q orthonormal columns.
  explicit KrylovBasis(const Block& locked);

  std::int64_t rows() const { return rows_; }
  std::int64_t columns() const {
    return (static_cast<std::int64_t>(blocks_.size()) - locked_) * block_width;
  }
  const Block& last() const { return blocks_.back(); }

  // Takes the part in the span of the basis and of what is locked out of w; returns the
  // coefficients of the basis, columns() × block_width.
  Block project(Block& w, int threads) const;

  // w, orthogonal to the basis, becomes orthonormal: w = q r with r upper triangular. `scale` is
  // the size that w had before it was made orthogonal to the basis; a column with nothing left
  // beside it has a zero in r and is replaced by a random direction orthogonal to the basis.
  // `stream` numbers the random directions.
  SmallSquare orthonormalize(Block& w, double scale, const RunContext& run,
                             std::uint64_t& stream) const;

  void append(Block block) { blocks_.push_back(std::move(block)); }

  // The basis times s, columns() × c.
  Block times(const Block& s, int threads) const;
  // Replaces the basis by itself times s; s has a multiple of block_width columns.
  void rotate(const Block& s, int threads);

 private:
  std::int64_t rows_;
  std::int64_t locked_ = 0;  // blocks of locked columns, filled up with zeros
  std::vector<Block> blocks_;
};

// Uniform in [−1, 1).
Block random_block(std::int64_t rows, const RunContext& run, std::uint64_t stream);

}  // namespace gssl::solve
