#pragma once
// Kernel principal components: the directions of most variance in the space of a kernel, of rows or
// of the vertices of a graph. With K° the centered Gram matrix (centering.hpp) and (λ, v) its
// largest eigenpairs, item i has the coordinate √λ·v_i, and any row x the coordinate
// Σ_i v_i K°(x_i, x)/√λ.
//
//   gssl::KernelPca pca = gssl::kernel_pca_of_points("gaussian(beta=0.5)", points, {}, run);
//   pca.coordinates;                        // items × dimensions
//   pca.project(others, run);               // of other rows, in the same directions
//   gssl::KernelPca of_graph = gssl::kernel_pca_of_graph("diffusion(time=2)", graph, {}, run);
//
// `linear` gives principal component analysis. Points: n² entries of the kernel, 8n² bytes, and
// about 40 to 100 products with them; up to 500 items all eigenpairs, O(n³). Graphs: as many
// products with the graph kernel, 8n bytes a product kept. The same bytes at any thread count: the
// largest coordinate of each direction is positive. Source: B. Schölkopf, A. Smola, K.-R. Müller
// 1998, doi:10.1162/089976698300017467.

#include <memory>
#include <string>
#include <vector>

#include "gssl/core/block.hpp"
#include "gssl/core/report.hpp"
#include "gssl/core/run_context.hpp"
#include "gssl/data/points.hpp"
#include "gssl/graph/graph.hpp"
#include "gssl/learn/kernel.hpp"

namespace gssl {

struct KernelPcaOptions {
  int dimensions = 2;  // ≥ 1

  void validate() const;  // throws ErrorCode::usage: option, value, rule
};

struct KernelPca {
  Block coordinates;                // items × dimensions; fewer where λ ends before
  std::vector<double> eigenvalues;  // λ of each dimension, descending, > 0
  double total = 0.0;               // trace of K°: the variance of all dimensions; −1: not known
  Report report;                    // certificate `residual`: ‖K°v − λv‖/λ₁ of each

  // Of points only: what other rows are projected by.
  std::shared_ptr<const Kernel> kernel;
  Points items;
  Block coefficients;        // over the kernel itself
  std::vector<double> bias;  // of each dimension

  // A row for each of the points. Throws ErrorCode::usage on one of a graph, ErrorCode::bad_data
  // where the columns differ.
  Block project(const Points& points, const RunContext& run = {}) const;
};

// `kernel` as kernel_method.hpp has it for points, "auto" included. Throws ErrorCode::usage on
// another, ErrorCode::bad_data without rows or where a kernel refuses them.
KernelPca kernel_pca_of_points(const std::string& kernel, const Points& points,
                               const KernelPcaOptions& options = {}, const RunContext& run = {});
// The same for the kernels of a graph.
KernelPca kernel_pca_of_graph(const std::string& kernel, const Graph& graph,
                              const KernelPcaOptions& options = {}, const RunContext& run = {});

}  // namespace gssl
