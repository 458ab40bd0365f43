#pragma once
// What the option `kernel` of a kernel method says. Internal: not installed.

#include <memory>
#include <span>
#include <string>

#include "gssl/data/points.hpp"
#include "kernel/expression_kernel.hpp"
#include "kernel/kernel_term.hpp"

namespace gssl::detail {

// The text of the kernel inside center(…), and whether it stands there.
struct KernelText {
  std::string kernel;
  bool centered = false;
};
KernelText without_centering(const std::string& text);

// Whether a kernel of graphs is named in it.
bool is_graph_kernel(const std::string& text);

// Whether it is made of kernels of strings alone.
bool is_string_kernel(const KernelTerm& term);

// Throws ErrorCode::usage where the text is neither "auto" nor a kernel of points or of a graph,
// centered or not.
void check_kernel(const std::string& learner, const std::string& text);
// `weights` of the rows (empty: 1 each) count where the kernel is chosen from the points. Throws
// ErrorCode::usage where it is one of the other kind.
std::shared_ptr<const ExpressionKernel> kernel_on_points(const std::string& learner,
                                                         const std::string& text,
                                                         const Points& points,
                                                         std::span<const double> weights);
KernelTerm kernel_on_graph(const std::string& learner, const std::string& text);

}  // namespace gssl::detail
