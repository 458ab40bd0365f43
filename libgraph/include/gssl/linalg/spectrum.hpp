#pragma once
// The k smallest eigenpairs of a Laplacian, each with the residual that proves it.
//
//   gssl::Spectrum s = gssl::smallest_eigenpairs(graph, {.count = 10}, run);
//   s.values[j], s.vectors(v, j), s.residuals[j];     // ascending
//   s.zero_count;                                     // connected components among the first pairs
//
// What a pair (λ, v) is, and its residual:
//   combinatorial, symmetric   M v = λ v, ‖v‖₂ = 1;          ‖M v − λ v‖₂
//   random_walk                L v = λ D v, ‖D^½ v‖₂ = 1;    ‖D^-½ (L v − λ D v)‖₂
// (D^½ v is then an eigenvector of L_sym with the same residual; an isolated vertex counts as d
// = 1.)
//
// Zero eigenvalues are exact: one for each component, whose null vector is known and not computed,
// in order of the components' smallest vertex. Each component is solved for itself, so every vector
// lives on one component, and the pairs are merged in order. Multiple eigenvalues come out with all
// their copies. Signs: of the entries within 1e-6 of the largest in absolute value, relative, the
// first is positive. One seed gives one answer, the same bytes at any thread count; inside a
// multiple eigenspace the basis follows from the seed.
//
// Weights below 1e-120 or above 1e120 are divided by a power of two first, which changes nothing in
// the normalized Laplacians; eigenvalues of L are multiplied by it at the end.
//
// Methods: dense matrices for small graphs; block Lanczos on a Chebyshev polynomial of M, which
// needs products alone and suits graphs without narrow passages (λ_k not small); block Lanczos on
// the inverse of M, by sparse Cholesky or by the LinearSolver; and, one vector at a time, Spectra's
// implicitly restarted Lanczos, which returns nothing when it is stopped and which `automatic` never
// takes: the blocks need half its time. `automatic` runs some plain Lanczos
// steps, reads from their Ritz values how much work a polynomial would be, and compares it with a
// factorization. Memory: about (2k + 40)·8n bytes beside a factor.
//
// Source: thick restarts, K. Wu and H. Simon 2000, doi:10.1137/S0895479898334605; polynomial
// filters, Y. Zhou and Y. Saad 2007, doi:10.1137/050630404.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "gssl/core/block.hpp"
#include "gssl/core/named.hpp"
#include "gssl/core/report.hpp"
#include "gssl/core/run_context.hpp"
#include "gssl/graph/graph.hpp"
#include "gssl/linalg/laplacian.hpp"

namespace gssl {

enum class SpectrumMethod {
  automatic,  // chooses and says what and why
  dense,      // all eigenpairs of the dense matrix; O(n³) time, 16n² bytes
  lanczos,    // products with the Laplacian alone
  inversion,  // shift-invert: solves with the Laplacian
  spectra     // Spectra's Lanczos iteration on the same inverse, or on products alone
};
template <>
inline constexpr auto names_of<SpectrumMethod> = enum_names<SpectrumMethod>(
    "spectrum method", {"automatic", "dense", "lanczos", "inversion", "spectra"});

// "automatic", "dense", "lanczos", "inversion", "spectra"
std::string_view to_string(SpectrumMethod method);
std::vector<std::string> spectrum_method_names();
// Throws ErrorCode::usage listing the names.
SpectrumMethod parse_spectrum_method(std::string_view name);

struct SpectrumOptions {
  int count = 10;  // pairs wanted, ≥ 1; more than n gives n
  LaplacianKind kind = LaplacianKind::symmetric;
  // A pair is good when its residual is ≤ min(tolerance·s, λ/100), or ≤ 1e-13·‖M‖, the rounding, if
  // that is more; s is 1, and the mean weighted degree for the combinatorial L. (0, 1)
  double tolerance = 1e-6;
  SpectrumMethod method = SpectrumMethod::automatic;

  void validate() const;  // throws ErrorCode::usage: option, value, rule
};

struct Spectrum {
  std::vector<double> values;          // ascending, min(count, n) of them; fewer if stopped
  Block vectors;                       // n × values.size()
  std::vector<double> residuals;       // of each pair, recomputed from the vectors returned
  std::vector<VertexId> component_of;  // component that each vector lives on
  VertexId zero_count = 0;             // leading pairs with eigenvalue 0, at most one per component
  VertexId component_count = 0;        // of the graph
  Outcome outcome = Outcome::converged;  // converged: every residual is good
  std::int64_t steps = 0;                // of blocks of two or four vectors, over all components
  std::string requested;
  std::string used;      // "dense", "lanczos", "inversion", "spectra" or several joined by '+'
  std::string sentence;  // one line for a person: what was chosen, why, how it ended
};

// O(n + m) for the zeros, then what the method needs. A stopped run has the outcome time_limit or
// cancelled and returns the first pairs of what it has, each with its true residual: all of them
// when the time was up, those that a moment is enough for when it was cancelled; never more than
// min(count, n), maybe the zeros alone. Throws ErrorCode::usage by validate() and where only a
// dense matrix of more than 40,000 rows would do (as many pairs as a third of the vertices, or
// asked for), ErrorCode::bad_data if an eigenvalue overflows or the weights span more than 400
// decades, ErrorCode::out_of_memory.
Spectrum smallest_eigenpairs(const Graph& graph, const SpectrumOptions& options = {},
                             const RunContext& run = {});

}  // namespace gssl
