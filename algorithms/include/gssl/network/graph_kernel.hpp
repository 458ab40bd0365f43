#pragma once
// Kernels of a graph: positive semidefinite matrices that call two vertices alike when many short
// paths join them. No matrix is formed: columns and products are solves or short recurrences.
//
//   pseudoinverse  L⁺
//   regularized    (L + εI)⁻¹, ε > 0
//   diffusion      exp(−tL), t ≥ 0           (Kondor and Lafferty 2002)
//   von_neumann    Σ αᵏWᵏ = (I − αW)⁻¹       (Kandola, Shawe-Taylor and Cristianini 2003)
//   walk           (aI − L)ᵖ                 (Smola and Kondor 2003,
//   doi:10.1007/978-3-540-45167-9_12)
//
// `normalized` puts L_sym = I − D^-½WD^-½ for L and D^-½WD^-½ for W; rows of isolated vertices are
// zero in both. For von_neumann α must keep I − αW diagonally dominant: α ≤ 1/max d (and less than
// that where a component has all degrees equal, since the sum is infinite there), or α < 1 when
// normalized. For walk a must be at least the largest eigenvalue: a ≥ 2 max d, or 2 when
// normalized.
//
//   gssl::GraphKernel kernel(graph, {.kind = gssl::KernelKind::diffusion, .time = 0.5}, run);
//   gssl::Block k = kernel.columns({3, 7}, run).values;     // columns 3 and 7
//   kernel.product(x, run).values;                          // K x
//
// Costs: the first, second and fourth one solve for each column; diffusion about
// √(tλ·ln(1/tolerance)) + ln(1/tolerance) products with L for λ its largest eigenvalue; walk p.

#include <memory>
#include <optional>
#include <vector>

#include "gssl/core/block.hpp"
#include "gssl/core/report.hpp"
#include "gssl/core/run_context.hpp"
#include "gssl/graph/graph.hpp"
#include "gssl/learn/graph_kernel_options.hpp"

namespace gssl {

struct KernelProduct {
  Block values;
  // Solves say how they ended. For diffusion iterations is the degree of the polynomial, and the
  // certificate "error_bound" bounds ‖values − Kx‖₂/‖x‖₂ of each column; where it
  // takes more than most_products the outcome is iteration_limit and the bound is what was reached.
  Report report;
};

class GraphKernel {
 public:
  // Prepares the solver. Throws as validate(), and ErrorCode::usage when α or a is out of the range
  // that this graph allows, naming it, or where there is no graph.
  GraphKernel(std::shared_ptr<const Graph> graph, const GraphKernelOptions& options,
              const RunContext& run = {});
  ~GraphKernel();
  GraphKernel(GraphKernel&&) noexcept;
  GraphKernel& operator=(GraphKernel&&) noexcept;

  VertexId size() const;
  // With α and a as they are used.
  const GraphKernelOptions& options() const;

  // K x for n×c. Throws ErrorCode::bad_data unless x has a row for each vertex, all finite, and
  // ErrorCode::usage where the steps of a walk overflow, or diffusion would take more than about
  // 10·most_products + 10,000 products.
  KernelProduct product(const Block& x, const RunContext& run = {}) const;

  // Columns of K, one for each vertex given; n×c. Throws ErrorCode::bad_data on an unknown vertex.
  KernelProduct columns(const std::vector<VertexId>& vertices, const RunContext& run = {}) const;

  // K_vv of all vertices where one factorization gives them: regularized, von_neumann, and the
  // pseudoinverse that is not normalized; nothing for the others. Empty vector if the run was
  // stopped. Throws ErrorCode::out_of_memory as effective_resistance.hpp does.
  std::optional<std::vector<double>> diagonal(const RunContext& run = {}) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace gssl
