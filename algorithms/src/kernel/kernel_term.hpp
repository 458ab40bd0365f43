#pragma once
// An expression of kernels taken apart: what make_kernel() reads and what tiles are computed from.
// Internal: not installed.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "gssl/core/block.hpp"
#include "gssl/core/number_text.hpp"

namespace gssl::detail {

using gssl::to_text;  // of numbers, which the one below would hide

struct KernelTerm {
  enum class Kind {
    constant,     // scale
    linear,       // x·t
    polynomial,   // (offset + scale·x·t)^degree
    series,       // Σ_{i ≤ degree} (scale·x·t)^i / i!
    exponential,  // exp(scale·x·t)
    gaussian,     // exp(−scale·‖x−t‖²)
    set,          // 2^(x·t) of 0/1 rows
    anova,        // ∏ (1 + x_i t_i)
    min,          // Σ min(x_i, t_i) of rows ≥ 0
    spectrum,     // common substrings of length `degree`, counted
    path_tree,    // leaves 0 … degree−1 of a complete binary tree
    mapped,       // inner[0] of mapped rows: of matrix·x, or of the columns listed
    form,         // xᵀ·matrix·t
    sum,
    product,
    power,      // terms[0]^degree
    normalize,  // terms[0](x,t) / √(terms[0](x,x)·terms[0](t,t)); 0 where that is 0/0
    graph       // of vertices: what parse_kernel() reads
  };

  Kind kind = Kind::linear;
  double scale = 1.0;
  double offset = 0.0;
  int degree = 1;
  std::vector<KernelTerm> terms = {};  // of the same rows
  std::vector<KernelTerm> inner = {};  // of mapped rows
  Block matrix = {};
  std::vector<std::int32_t> columns = {};  // from 0, ascending; empty: the matrix
  std::string graph = {};                  // "diffusion:time=2"

  // Whether it is computed from inner products of rows.
  bool is_of_products() const { return kind >= Kind::linear && kind <= Kind::set; }
};

// What the kernels of an expression compare: all of them rows, or all of them vertices of a graph.
enum class KernelItems { rows, vertices };

// Throws ErrorCode::usage "kernel …: position 7: …"; positions count bytes from 1.
KernelTerm parse_kernel_term(std::string_view expression, KernelItems items = KernelItems::rows);
// What parse_kernel_term() reads back as the same term, every option spelled out.
std::string to_text(const KernelTerm& term);

// Whether `rule` holds for the term or one inside it.
template <class Rule>
bool any_term(const KernelTerm& term, Rule&& rule) {
  if (rule(term)) return true;
  for (const KernelTerm& inner : term.terms)
    if (any_term(inner, rule)) return true;
  return false;
}

}  // namespace gssl::detail
