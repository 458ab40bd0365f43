#pragma once
// Lloyd's rounds in the space of a kernel that is known by its products. Internal: not installed.
//
//   LloydFound one = kernel_lloyd(products, products.diagonal(rng), k, 100, run, rng);

#include <cstdint>
#include <vector>

#include "gssl/core/block.hpp"
#include "gssl/core/report.hpp"
#include "gssl/core/rng.hpp"
#include "gssl/core/run_context.hpp"
#include "gssl/core/types.hpp"

namespace gssl::detail {

// A kernel matrix K of n items.
class KernelProducts {
 public:
  virtual ~KernelProducts() = default;
  virtual std::int64_t size() const = 0;
  virtual Block of(const Block& x) = 0;  // Kx
  virtual Block columns(const std::vector<VertexId>& items) = 0;
  virtual std::vector<double> diagonal(Rng rng) = 0;  // K_vv, or an estimate ≥ 0
  virtual double tolerance() const = 0;               // relative error of a product
};

struct LloydFound {
  std::vector<int> cluster_of;
  std::vector<double> similarity;  // of each round
  Outcome outcome = Outcome::iteration_limit;
};

// One start, drawn as by k-means++.
LloydFound kernel_lloyd(KernelProducts& products, std::vector<double> diagonal, int k,
                        int max_rounds, const RunContext& run, Rng rng);

// Whether `a` has more similarity in its last round.
bool is_better(const LloydFound& a, const LloydFound& b);

}  // namespace gssl::detail
