#pragma once
// Kernel k-means on the vertices of a graph: k-means in the space where inner products are those of
// a kernel K of graph_kernel.hpp. With C a cluster and v a vertex,
//
//   ‖φ(v) − mean of C‖² = K_vv − 2/|C| Σ_{u in C} K_vu + 1/|C|² Σ_{u,w in C} K_uw
//
// so a round of Lloyd is one product of K with k columns, and K is never formed. The inertia is
// trace K − similarity with similarity = Σ_C 1/|C| Σ_{u,w in C} K_uw: as the one never rises, the
// other never falls. Starts are drawn as by k-means++, one column of K for each candidate; K_vv,
// which only this draw and clusters that lose all their vertices need, is estimated from 32
// products with random signs.
//
//   gssl::KernelKMeansClusterer clusterer({.kernel = {.kind = gssl::KernelKind::diffusion}});
//   gssl::Partition p = clusterer.cluster(graph, 3, run);
//
// A vertex moves only where that gains more than the tolerance of the products lets one tell. Cost:
// for each start about (2 + log k)·k + k·rounds columns of products with K, O(nk) for each round
// beside; 8n(3k + 64) bytes. The same bytes at any thread count. Certificates: `similarity` of each
// round of the best start. Sources: B. Schölkopf, A. Smola and K.-R. Müller 1998,
// doi:10.1162/089976698300017467; I. Dhillon, Y. Guan and B. Kulis 2004,
// doi:10.1145/1014052.1014118.

#include <string>

#include "gssl/data/points.hpp"
#include "gssl/learn/clusterer.hpp"
#include "gssl/learn/registry.hpp"
#include "gssl/network/graph_kernel.hpp"

namespace gssl {

struct KernelKMeansOptions {
  GraphKernelOptions kernel = {};
  // An expression of graph kernels (kernel/graph_expression.hpp) in place of `kernel`; empty: none.
  // One that multiplies kernels, or raises one to a power, costs n columns for each product.
  std::string expression = {};
  int restarts = 3;      // starts; the one of most similarity counts; ≥ 1
  int max_rounds = 100;  // of Lloyd for each start; ≥ 1

  void validate() const;  // throws ErrorCode::usage: option, value, rule
};

class KernelKMeansClusterer final : public Clusterer {
 public:
  explicit KernelKMeansClusterer(KernelKMeansOptions options = {});

  // Throws as GraphKernel does, too. Outcome iteration_limit: the best start was still moving.
  // Generator streams used: two for each start.
  Partition cluster(const Graph& graph, int k, const RunContext& run = {}) const override;

  // That of spectral clustering with L.
  int suggest_count(const Graph& graph, int most, const RunContext& run = {}) const override;

 private:
  KernelKMeansOptions options_;
};

// The same on rows under a kernel of points, "gaussian(beta=0.5)", "auto" or another of
// kernel_method.hpp; `linear` is plain k-means. options.kernel is not looked at. K_vv is exact, and
// no entry of the kernel is kept: n² of them for each round. Clusters are numbered by their first
// row. Throws ErrorCode::usage unless 1 ≤ k ≤ rows, and on a kernel that is none of points.
Partition cluster_points(const std::string& kernel, const Points& points, int k,
                         const KernelKMeansOptions& options = {}, const RunContext& run = {});

LearnerEntry kernel_k_means_entry();

}  // namespace gssl
