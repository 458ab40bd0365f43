#pragma once
// The covariance C of the Gaussian field behind harmonic labels, by solves or cut to a few
// eigenpairs (see active.hpp). Rows and columns of vertices whose component has no label are 0, as
// are those of labels without variance. Internal: not installed.

#include <memory>
#include <span>
#include <vector>

#include "evaluate/component_spectrum.hpp"
#include "gssl/core/report.hpp"
#include "gssl/core/run_context.hpp"
#include "gssl/graph/graph.hpp"
#include "gssl/solve/linear_solver.hpp"

namespace gssl::detail {

// Of each vertex asked about; 0 at the others. All are n long.
struct Moments {
  std::vector<double> variance;  // C_vv
  std::vector<double> square;    // ‖C_v‖²
  std::vector<double> sum;       // 1ᵀC_v

  explicit Moments(VertexId n = 0)
      : variance(static_cast<std::size_t>(n)), square(variance), sum(variance) {}
};

struct CovarianceColumn {
  std::vector<double> column;  // C_v
  std::vector<double> image;   // C·C_v
};

class Covariance {
 public:
  virtual ~Covariance() = default;

  // False when the run was stopped, and `moments` is of no use.
  virtual bool moments(std::span<const VertexId> vertices, const RunContext& run,
                       Moments& moments) = 0;
  virtual CovarianceColumn column(VertexId v, const RunContext& run) = 0;
  // C ← C − C_v C_vᵀ/delta, with the column of v as it is now.
  virtual void condition(VertexId v, const CovarianceColumn& column, double delta) = 0;
};

// What a covariance is made of. `labeled` is not empty.
struct CovarianceProblem {
  const Graph& graph;
  std::span<const VertexId> labeled;
  double variance = 0.0;  // γ² of a label; 0: exact, which spectral_covariance cannot do
};

// Every column is a solve; memory 8n bytes for each call of condition. `graph` and `report` must
// outlive it.
std::unique_ptr<Covariance> solved_covariance(const CovarianceProblem& problem,
                                              const SolverOptions& options, const RunContext& run,
                                              Report& report);

// C = V M Vᵀ with M = (Λ + γ⁻² V_ℓᵀV_ℓ)⁻¹, for the pairs of components that hold a label each;
// labels must have variance. Graph and pairs must outlive it. O(k³ + labels·k²). Null when the run
// was stopped.
std::unique_ptr<Covariance> spectral_covariance(const CovarianceProblem& problem,
                                                const ComponentSpectrum& pairs,
                                                const RunContext& run);

// Adds Σ v_i²/λ_i over the pairs: (L⁺)_vv of their components as far as they go.
void add_spectral_diagonal(const ComponentSpectrum& pairs, std::vector<double>& diagonal);

}  // namespace gssl::detail
