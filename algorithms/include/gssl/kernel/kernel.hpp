#pragma once
// A kernel of points: a positive semidefinite function of two rows.
//
//   std::shared_ptr<const gssl::Kernel> k = gssl::make_kernel("gaussian(beta=0.5)+0.1*linear");
//   gssl::Block gram = k->block(points, points, run);
//
// Every kernel method takes any of them, by a Gram (gram.hpp), which may also be that of a graph
// kernel.

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "gssl/core/block.hpp"
#include "gssl/core/run_context.hpp"
#include "gssl/data/points.hpp"

namespace gssl {

class Kernel {
 public:
  virtual ~Kernel() = default;

  // The text that make_kernel() reads back as the same kernel, every option spelled out.
  virtual std::string spec() const = 0;

  // K(a_i, b_j): a row for each row of `a`, a column for each row of `b`, in double precision.
  // Throws ErrorCode::bad_data where the two have different columns or a value overflows.
  virtual Block block(const Points& a, const Points& b, const RunContext& run = {}) const = 0;
  // K(a_i, a_i).
  virtual std::vector<double> diagonal(const Points& a, const RunContext& run = {}) const = 0;
};

// Reads the grammar  sum of products of NAME, NAME(key=value,…), numbers and brackets. Throws
// ErrorCode::usage with the position of what is wrong.
std::shared_ptr<const Kernel> make_kernel(std::string_view expression);

}  // namespace gssl
