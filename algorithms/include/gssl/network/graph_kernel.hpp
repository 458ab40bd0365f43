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
#include <string>
#include <string_view>
#include <vector>

#include "gssl/core/block.hpp"
#include "gssl/core/named.hpp"
#include "gssl/core/options.hpp"
#include "gssl/core/report.hpp"
#include "gssl/core/run_context.hpp"
#include "gssl/graph/graph.hpp"

namespace gssl {

struct LearnerEntry;

enum class KernelKind { pseudoinverse, regularized, diffusion, von_neumann, walk };
template <>
inline constexpr auto names_of<KernelKind> = enum_names<KernelKind>(
    "kernel", {"pseudoinverse", "regularized", "diffusion", "von-neumann", "walk"});

std::string_view to_string(KernelKind kind);  // "pseudoinverse", "regularized", …
std::vector<std::string> kernel_names();

struct GraphKernelOptions {
  KernelKind kind = KernelKind::pseudoinverse;
  bool normalized = false;
  double epsilon = 1.0;  // of regularized; finite, > 0
  double time = 1.0;     // t of diffusion; finite, ≥ 0
  // Of von_neumann, > 0 and less than 1/ρ(W), the spectral radius; 0: half of 1/(largest degree),
  // or ½ for the normalized one. Above 1/(largest degree) that is proven by powers of αW on the
  // way.
  double alpha = 0.0;
  int steps = 2;             // p of walk; ≥ 1
  double shift = 0.0;        // a of walk; 0: the least allowed
  double tolerance = 1e-10;  // relative residual of solves, error of diffusion; (0, 1)
  std::int64_t most_products = 1'000'000;  // with L, for one diffusion; > 0

  void validate() const;  // throws ErrorCode::usage: option, value, rule
};

// The options of a kernel's SPEC, NAME[:key=value,…].
OptionTable kernel_options(KernelKind kind);
GraphKernelOptions parse_kernel(std::string_view spec);  // throws ErrorCode::usage
// From values of a table that holds the options of this kernel among others. Throws
// ErrorCode::usage, naming `owner`, if one that only other kernels have is not at its default.
GraphKernelOptions kernel_from(std::string_view name, const OptionValues& values,
                               std::string_view owner);

// All of them, for the registry.
std::vector<LearnerEntry> graph_kernel_entries();

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
