#pragma once
// An expression of kernels of one graph: sums, entrywise products and powers, normalization, and
// numbers. Internal: not installed.
//
// A number is that constant for two vertices of one component and 0 for others, so that no
// expression joins two components.

#include <memory>
#include <optional>
#include <vector>

#include "gssl/core/block.hpp"
#include "gssl/core/run_context.hpp"
#include "gssl/graph/components.hpp"
#include "gssl/graph/graph.hpp"
#include "gssl/kernel/gram.hpp"
#include "gssl/network/graph_kernel.hpp"
#include "kernel/kernel_term.hpp"

namespace gssl::detail {

class VertexKernel {
 public:
  // `term` as parse_kernel_term() gives it for vertices. Prepares the solvers; where something is
  // normalized its diagonal is computed, by a factorization or else by a column for each vertex.
  // Throws as GraphKernel, and ErrorCode::cancelled or ErrorCode::time_limit within a diagonal.
  VertexKernel(std::shared_ptr<const Graph> graph, const KernelTerm& term,
               const RunContext& run = {});

  VertexId size() const { return graph_->vertex_count(); }
  // Whether two kernels are multiplied or one is raised to a power, so that no product with a
  // vector is made of products of its parts.
  bool is_entrywise() const { return entrywise_; }
  // The largest of the kernels in it.
  double tolerance() const { return tolerance_; }

  // K x for n×c. For an entrywise expression by a column for each row of x that is not 0.
  KernelProduct product(const Block& x, const RunContext& run) const;
  // Columns of K, one for each vertex given; n×c.
  KernelProduct columns(const std::vector<VertexId>& vertices, const RunContext& run) const;
  // K_vv of all vertices. Throws ErrorCode::cancelled or ErrorCode::time_limit.
  std::vector<double> diagonal(const RunContext& run) const { return diagonal(*root_, run); }

 private:
  struct Node {
    KernelTerm::Kind kind;
    double scale = 0.0;  // of a constant
    int degree = 1;      // of a power
    std::optional<GraphKernel> kernel = {};
    std::vector<Node> terms = {};
    std::vector<double> inverse_roots = {};  // 1/√K_vv of what is normalized; 0 where K_vv is 0
  };

  Node prepared(const KernelTerm& term, const RunContext& run);
  Block product(const Node& node, const Block& x, Report& report, const RunContext& run) const;
  Block product_of_columns(const Node& node, const Block& x, Report& report,
                           const RunContext& run) const;
  Block columns(const Node& node, const std::vector<VertexId>& vertices, Report& report,
                const RunContext& run) const;
  std::vector<double> diagonal(const Node& node, const RunContext& run) const;

  std::shared_ptr<const Graph> graph_;
  Components components_;
  bool entrywise_ = false;
  double tolerance_ = 0.0;
  std::optional<Node> root_;
};

// As gram_of_vertices() of gram.hpp.
std::unique_ptr<Gram> gram_of_vertices(const VertexKernel& kernel,
                                       const std::vector<VertexId>& vertices, const RunContext& run,
                                       Report* report = nullptr);

}  // namespace gssl::detail
