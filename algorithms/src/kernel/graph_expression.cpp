#include "gssl/kernel/graph_expression.hpp"

#include <utility>

#include "kernel/kernel_term.hpp"
#include "kernel/vertex_kernel.hpp"

namespace gssl {

struct GraphKernelExpression::State {
  std::string spec;
  detail::VertexKernel kernel;
};

GraphKernelExpression::GraphKernelExpression(std::shared_ptr<const Graph> graph,
                                             std::string_view expression, const RunContext& run) {
  const detail::KernelTerm term =
      detail::parse_kernel_term(expression, detail::KernelItems::vertices);
  state_ = std::make_unique<State>(
      State{detail::to_text(term), detail::VertexKernel(std::move(graph), term, run)});
}
GraphKernelExpression::~GraphKernelExpression() = default;
GraphKernelExpression::GraphKernelExpression(GraphKernelExpression&&) noexcept = default;
GraphKernelExpression& GraphKernelExpression::operator=(GraphKernelExpression&&) noexcept = default;

void GraphKernelExpression::check(std::string_view expression) {
  detail::parse_kernel_term(expression, detail::KernelItems::vertices);
}

std::string GraphKernelExpression::spec() const { return state_->spec; }
VertexId GraphKernelExpression::size() const { return state_->kernel.size(); }
bool GraphKernelExpression::is_entrywise() const { return state_->kernel.is_entrywise(); }
double GraphKernelExpression::tolerance() const { return state_->kernel.tolerance(); }

KernelProduct GraphKernelExpression::product(const Block& x, const RunContext& run) const {
  return state_->kernel.product(x, run);
}
KernelProduct GraphKernelExpression::columns(const std::vector<VertexId>& vertices,
                                             const RunContext& run) const {
  return state_->kernel.columns(vertices, run);
}
std::vector<double> GraphKernelExpression::diagonal(const RunContext& run) const {
  return state_->kernel.diagonal(run);
}

}  // namespace gssl
