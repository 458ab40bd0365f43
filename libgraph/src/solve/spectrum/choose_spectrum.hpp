#pragma once
// Which operator the Lanczos iteration works on, and why.
//
//   ChosenOperator chosen = choose_operator(laplacian, wanted, method, tolerance, run);
//   smallest_pairs(laplacian, *chosen.a, …);

#include <memory>
#include <string>

#include "gssl/linalg/spectrum.hpp"
#include "spectral_operator.hpp"

namespace gssl::solve {

struct ChosenOperator {
  std::unique_ptr<SpectralOperator> a;
  std::string used;    // as in Spectrum
  std::string reason;  // for a sentence
};

// What some steps of plain Lanczos from a random vector show of a spectrum: estimates of the
// number of eigenvalues below each of its nodes.
struct SpectrumProbe {
  std::vector<double> nodes;   // ascending
  std::vector<double> counts;  // eigenvalues (without the zero) up to the node, about

  // Where about `count` eigenvalues lie below; between and below the nodes by a power law.
  double value_at(double count) const;
};
SpectrumProbe probe_spectrum(const ConnectedLaplacian& laplacian, int steps, const RunContext& run);

// `method` is automatic, lanczos or inversion.
ChosenOperator choose_operator(const ConnectedLaplacian& laplacian, std::int64_t wanted,
                               SpectrumMethod method, double tolerance, const RunContext& run);

}  // namespace gssl::solve
