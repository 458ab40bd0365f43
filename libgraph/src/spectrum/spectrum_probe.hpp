#pragma once
// What some steps of plain Lanczos from a random vector show of a spectrum. Their Ritz values with
// their weights are a quadrature of it.
//
//   SpectrumProbe probe(laplacian, run);
//   probe.advance(30);
//   probe.estimate().value_at(10.0);   // about ten eigenvalues lie below

#include <vector>

#include "connected_laplacian.hpp"
#include "gssl/core/run_context.hpp"

namespace gssl::solve {

// Estimates of the number of eigenvalues below each node.
struct SpectrumEstimate {
  std::vector<double> nodes;         // ascending
  std::vector<double> counts;        // eigenvalues (without the zero) up to the node, about
  bool first_is_eigenvalue = false;  // nothing lies below the first node, as far as is seen

  // Where about `count` eigenvalues lie below; between the nodes by a power law.
  double value_at(double count) const;
};

class SpectrumProbe {
 public:
  SpectrumProbe(const ConnectedLaplacian& laplacian, const RunContext& run);

  // Until so many steps are made, or nothing is left, or the run is to stop.
  void advance(int steps);
  SpectrumEstimate estimate() const;

 private:
  void step();

  const ConnectedLaplacian& laplacian_;
  const RunContext& run_;
  Block z_, now_, before_, next_;
  std::vector<double> diagonal_, beside_;  // of the tridiagonal matrix
  double beta_ = 0.0;
};

}  // namespace gssl::solve
