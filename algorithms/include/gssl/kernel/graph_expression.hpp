#pragma once
// An expression of kernels of one graph, with their options in brackets: sums, entrywise products,
// powers, normalization and numbers ≥ 0.
//
//   gssl::GraphKernelExpression k(graph, "normalize(diffusion(time=2))+0.1*pseudoinverse", run);
//   gssl::Block columns = k.columns({3, 7}, run).values;
//
// A number is that constant for two vertices of one component and 0 for others, so that no
// expression joins two components. A column costs a column of each kernel in it; a product with a
// vector one product of each, but for an entrywise expression, which takes a column for each entry
// that is not 0. normalize(K) computes the diagonal of K: by a factorization where graph_kernel.hpp
// has it, else by a column for each vertex.

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "gssl/network/graph_kernel.hpp"

namespace gssl {

class GraphKernelExpression {
 public:
  // Throws ErrorCode::usage "kernel '…': position 10: …", and as GraphKernel.
  GraphKernelExpression(std::shared_ptr<const Graph> graph, std::string_view expression,
                        const RunContext& run = {});
  ~GraphKernelExpression();
  GraphKernelExpression(GraphKernelExpression&&) noexcept;
  GraphKernelExpression& operator=(GraphKernelExpression&&) noexcept;

  // Throws ErrorCode::usage unless the text is an expression of graph kernels.
  static void check(std::string_view expression);

  std::string spec() const;  // every option spelled out
  VertexId size() const;
  // Whether kernels are multiplied by each other or raised to a power.
  bool is_entrywise() const;
  double tolerance() const;  // the largest of the kernels in it

  // As of GraphKernel.
  KernelProduct product(const Block& x, const RunContext& run = {}) const;
  KernelProduct columns(const std::vector<VertexId>& vertices, const RunContext& run = {}) const;
  // K_vv of all vertices. Throws ErrorCode::cancelled or ErrorCode::time_limit.
  std::vector<double> diagonal(const RunContext& run = {}) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace gssl
