#include "kernel/expression_kernel.hpp"

#include <numeric>

#include "kernel/kernel_tiles.hpp"

namespace gssl {

namespace detail {

Block ExpressionKernel::block(const Points& a, const Points& b, const RunContext& run) const {
  const KernelTiles<double> tiles(term_, a, b, run);
  Block entries(a.rows(), b.rows());
  std::vector<std::int32_t> all(static_cast<std::size_t>(a.rows()));
  std::iota(all.begin(), all.end(), 0);
  tiles.rows(all, {}, entries.data(), entries.columns(), run);
  return entries;
}

std::vector<double> ExpressionKernel::diagonal(const Points& a, const RunContext& run) const {
  return KernelTiles<double>::diagonal(term_, a, run);
}

}  // namespace detail

std::shared_ptr<const Kernel> make_kernel(std::string_view expression) {
  return std::make_shared<detail::ExpressionKernel>(detail::parse_kernel_term(expression));
}

}  // namespace gssl
