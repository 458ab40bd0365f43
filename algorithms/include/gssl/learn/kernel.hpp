#pragma once
// A kernel of points: a positive semidefinite function of two rows.
//
//   std::shared_ptr<const gssl::Kernel> k = gssl::make_kernel("gaussian(beta=0.5)+0.1*linear");
//   gssl::Block gram = k->block(points, points, run);
//
// Every kernel method takes any of them, by a Gram (gram.hpp), which may also be that of a graph
// kernel. An expression is a sum of products of these, of numbers ≥ 0 (a number alone is the
// constant kernel), of brackets and of powers K^n:
//
//   linear                   x·t
//   linear(matrix=[2 1; 1 2])    xᵀAt, A symmetric with eigenvalues ≥ 0
//   polynomial(a=0,r=1,s=1)  (a + s·x·t)^r
//   series(a=1,r=1)          Σ_{i ≤ r} (a·x·t)^i / i!
//   exponential(a=1)         exp(a·x·t)
//   gaussian(beta=1)         exp(−beta·‖x−t‖²)
//   anova                    ∏ (1 + x_i t_i): all products of distinct columns
//   min                      Σ min(x_i, t_i), for rows ≥ 0
//   set                      2^|A∩B|, for rows of 0 and 1
//   spectrum(length=1)       substrings of so many symbols that two rows share, each pair counted; a row
//                            is a string of symbols 1, 2, …, with zeros after its last
//   path-tree(size=1)        rows of one column, places 0 … size−1 of a path on the leaves of a
//                            complete binary tree: L⁺ of the tree plus its largest diagonal entry
//   map([1 0 1; 0 1 1],K)    K(Mx, Mt) for a matrix M with a column for each of the rows'
//   columns(1-3;7,K)         K of these columns, counted from 1
//   normalize(K)             K(x,t) / √(K(x,x)·K(t,t)); 0 where K(x,x) or K(t,t) is 0
//
// Costs: one product of rows, 2·n·m·columns operations, for all parts of an expression that are
// functions of x·t; anova, min as much in slower loops; spectrum O(|x| + |t|) an entry; path-tree
// O(1). Rows of more than 512 columns that are sparse stay sparse; mapped ones are dense. Centering
// needs the rows that were learned from: kernel methods take center(K) (kernel_method.hpp),
// kernel_pca() always centers. Sources: J. Shawe-Taylor and
// N. Cristianini, Kernel Methods for Pattern Analysis, 2004, doi:10.1017/CBO9780511809682; C.
// Leslie, E. Eskin and W. Noble 2002, doi:10.1142/9789812799623_0053 (spectrum).

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "gssl/core/block.hpp"
#include "gssl/core/run_context.hpp"
#include "gssl/data/points.hpp"

namespace gssl {

struct LearnerEntry;

class Kernel {
 public:
  virtual ~Kernel() = default;

  // The text that make_kernel() reads back as the same kernel, every option spelled out.
  virtual std::string spec() const = 0;

  // K(a_i, b_j): a row for each row of `a`, a column for each row of `b`, in double precision. The
  // same bytes at any thread count.
  // Throws ErrorCode::bad_data where the two have different columns or a value overflows, and
  // ErrorCode::cancelled or ErrorCode::time_limit where the run is stopped.
  virtual Block block(const Points& a, const Points& b, const RunContext& run = {}) const = 0;
  // K(a_i, a_i).
  virtual std::vector<double> diagonal(const Points& a, const RunContext& run = {}) const = 0;
};

// Throws ErrorCode::usage "kernel '…': position 10: …", positions in bytes from 1.
std::shared_ptr<const Kernel> make_kernel(std::string_view expression);

// Those with a name and options alone, for the registry; in an expression NAME(key=value,…).
std::vector<LearnerEntry> kernel_entries();

}  // namespace gssl
