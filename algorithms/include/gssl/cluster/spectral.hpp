#pragma once
// Spectral clustering: vertices become rows of the smallest eigenvectors of a Laplacian, or of the
// leading ones of the adjacency matrix W, and rows that lie together become a cluster.
//
//   variant            matrix      rows                       relaxes
//   ratio_cut          L           as they are                ratio cut
//   shi_malik          L_rw        as they are                normalized cut
//   ng_jordan_weiss    L_sym       scaled to length 1*        normalized cut
//   score              W           ratios v_j/v_1, j = 2 … k, cut off at ±log n: they do not depend
//                                  on degrees where blocks do not (Jin 2015); k by |λ|
//   * for k_means; the decision of cluster_qr does not depend on lengths
//
//   assignment   for       how
//   automatic    any k     sweep_cut for two clusters of a component, cluster_qr for more; k_means
//                          for score
//   k_means      any k     Lloyd with k-means++ starts
//   cluster_qr   any k     a column-pivoted QR picks k vertices far apart, a rotation turns the
//                          rows towards the axes, the largest entry decides; nothing random; not
//                          for score
//   sign_cut     2         sign of the second eigenvector
//   gap_cut      2         its largest gap that leaves a tenth of the vertices on either side
//   sweep_cut    2         of all thresholds the one of least ratio cut (ratio_cut) or ncut
//
// Regularization joins every vertex to one extra vertex with weight τ = regularize × the mean
// weighted degree, and drops that vertex afterwards: dangling bits of a sparse graph with uneven
// degrees then no longer look like clusters (Amini, Chen, Bickel and Levina 2013,
// doi:10.1214/13-AOS1138, add τ/n to every entry of W, which is the same for small eigenvalues).
//
// Disconnected graphs, without regularization, are split into components first. With k ≤ c
// components these are packed whole into k clusters, the largest first into the lightest; else the
// k smallest pairs of all components say how many clusters each of them gets (score: one each, and
// the other pairs of largest |λ|).
//
//   gssl::SpectralClusterer clusterer({.variant = gssl::SpectralVariant::shi_malik});
//   gssl::Partition p = clusterer.cluster(graph, 12, run);
//
// Cost: the k eigenpairs (linalg/spectrum.hpp; of W by Lanczos) and O(n k²). Certificates:
// eigenvalues, residuals. Sources: U. von Luxburg 2007, doi:10.1007/s11222-007-9033-z; J. Shi and
// J. Malik 2000, doi:10.1109/34.868688; A. Ng, M. Jordan and Y. Weiss, NIPS 2001; A. Damle, V.
// Minden and L. Ying 2019, doi:10.1093/imaiai/iay008; J. Jin 2015, doi:10.1214/14-AOS1265.

#include "gssl/learn/clusterer.hpp"
#include "gssl/learn/registry.hpp"
#include "gssl/linalg/spectrum.hpp"

namespace gssl {

enum class SpectralVariant { ratio_cut, shi_malik, ng_jordan_weiss, score };
enum class SpectralAssignment { automatic, k_means, cluster_qr, sign_cut, gap_cut, sweep_cut };

struct SpectralOptions {
  SpectralVariant variant = SpectralVariant::shi_malik;
  SpectralAssignment assignment = SpectralAssignment::automatic;
  double regularize = 0.0;  // τ over the mean weighted degree; ≥ 0, finite; 0 with score
  int restarts = 10;        // of k_means; ≥ 1
  double tolerance = 1e-6;  // of the eigenpairs, as in SpectrumOptions
  SpectrumMethod method = SpectrumMethod::automatic;  // nothing else with score

  void validate() const;  // throws ErrorCode::usage: option, value, rule
};

class SpectralClusterer final : public Clusterer {
 public:
  explicit SpectralClusterer(SpectralOptions options = {});

  // Throws ErrorCode::usage also if the assignment makes two clusters and a component needs more.
  Partition cluster(const Graph& graph, int k, const RunContext& run = {}) const override;

  // The k ≥ 2 with the widest gap between eigenvalues k and k + 1, among the first most + 1 pairs;
  // no less than the components, or `most` if there are more. 1 for a graph of one vertex.
  int suggest_count(const Graph& graph, int most, const RunContext& run = {}) const override;

 private:
  SpectralOptions options_;
};

LearnerEntry spectral_entry();

}  // namespace gssl
