#pragma once
// The kernels that make_kernel() makes. Internal: not installed.

#include <string>
#include <vector>

#include "gssl/learn/kernel.hpp"
#include "kernel/kernel_term.hpp"

namespace gssl::detail {

class ExpressionKernel final : public Kernel {
 public:
  explicit ExpressionKernel(KernelTerm term) : term_(std::move(term)) {}
  const KernelTerm& term() const { return term_; }

  std::string spec() const override { return to_text(term_); }
  Block block(const Points& a, const Points& b, const RunContext& run) const override;
  std::vector<double> diagonal(const Points& a, const RunContext& run) const override;

 private:
  KernelTerm term_;
};

}  // namespace gssl::detail
