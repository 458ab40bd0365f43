#pragma once
// Spectral clusters of a graph on several ranks, and what they cost.
//
//   DistributedPartition p = spectral_clusters(input, 10, 1e-6, kind, run, ranks);   // collective
//   p.cluster_of[v];                                     // own row v, 0 … count−1
//   CutObjectives o = cut_objectives(input.graph, p.cluster_of, p.count, ranks);
//
// Rows of the k smallest eigenvectors of the random-walk Laplacian (Shi and Malik), divided as
// cluster_qr of gssl/cluster/spectral.hpp: a column-pivoted QR picks k vertices far apart, the
// nearest rotation turns the rows to the axes, the largest entry decides. With k components or more
// these are packed whole, the largest first into the lightest cluster; then every rank holds their
// sizes. Clusters are numbered by their first vertices.

#include <vector>

#include "distributed_spectrum.hpp"
#include "gssl/cluster/cut_objectives.hpp"

namespace gssl::mpi {

struct DistributedPartition {
  std::vector<int> cluster_of;
  int count = 0;
  Report report;  // certificates: eigenvalues, residuals
};

DistributedPartition spectral_clusters(const DistributedInput& input, int k, double tolerance,
                                       Preconditioning kind, const RunContext& run,
                                       const Communicator& ranks);

CutObjectives cut_objectives(const DistributedGraph& graph, const std::vector<int>& cluster_of,
                             int count, const Communicator& ranks);

}  // namespace gssl::mpi
