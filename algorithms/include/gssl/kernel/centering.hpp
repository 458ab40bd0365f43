#pragma once
// Centering: the kernel of rows as seen from their mean in the space of the kernel,
//
//   K°(x, t) = K(x, t) − m(x) − m(t) + M,   m(x) = Σ_j w_j K(x_j, x)/Σw,   M = Σ_j w_j m(x_j)/Σw
//
// over the items x_j that are learned from. A function Σ c_i K°(x_i, x) + b is one of K itself with
// other coefficients and another constant, so that a model needs no means.
//
//   const gssl::Centering means = gssl::centering_of(*gram, weights, run);
//   const auto centered = gssl::centered(*gram, means);       // borrows gram
//   gssl::Expansion e = …;                                    // learned on `centered`
//   gssl::Expansion of_k = gssl::uncentered(std::move(e), means, weights);
//
// Cost of the means: every row of the kernel once. (B. Schölkopf, A. Smola, K.-R. Müller 1998,
// doi:10.1162/089976698300017467)

#include <memory>
#include <span>
#include <vector>

#include "gssl/kernel/expansion.hpp"
#include "gssl/kernel/gram.hpp"

namespace gssl {

struct Centering {
  std::vector<double> of_item;  // m(x_i)
  double of_all = 0.0;          // M
};

// `weights` of the items, each > 0; empty: 1 each.
Centering centering_of(const Gram& gram, std::span<const double> weights,
                       const RunContext& run = {});

// The Gram matrix of K°. Borrows `gram`, which must outlive it.
std::unique_ptr<Gram> centered(const Gram& gram, const Centering& means);

// The same function over K.
Expansion uncentered(Expansion expansion, const Centering& means, std::span<const double> weights);

}  // namespace gssl
