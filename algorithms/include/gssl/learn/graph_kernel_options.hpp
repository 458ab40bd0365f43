#pragma once
// The kernels of a graph by name, and their options. What each is and costs:
// network/graph_kernel.hpp, which makes them.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "gssl/core/named.hpp"
#include "gssl/core/options.hpp"

namespace gssl {

struct LearnerEntry;

enum class KernelKind { pseudoinverse, regularized, diffusion, von_neumann, walk };
template <>
inline constexpr auto names_of<KernelKind> = enum_names<KernelKind>(
    "kernel", {"pseudoinverse", "regularized", "diffusion", "von-neumann", "walk"});

std::string_view to_string(KernelKind kind);  // "pseudoinverse", "regularized", …
std::vector<std::string> kernel_names();

struct GraphKernelOptions {
  KernelKind kind = KernelKind::pseudoinverse;
  bool normalized = false;
  double epsilon = 1.0;  // of regularized; finite, > 0
  double time = 1.0;     // t of diffusion; finite, ≥ 0
  // Of von_neumann, > 0 and less than 1/ρ(W), the spectral radius; 0: half of 1/(largest degree),
  // or ½ for the normalized one. Above 1/(largest degree) that is proven by powers of αW on the
  // way.
  double alpha = 0.0;
  int steps = 2;             // p of walk; ≥ 1
  double shift = 0.0;        // a of walk; 0: the least allowed
  double tolerance = 1e-10;  // relative residual of solves, error of diffusion; (0, 1)
  std::int64_t most_products = 1'000'000;  // with L, for one diffusion; > 0

  void validate() const;  // throws ErrorCode::usage: option, value, rule
};

// The options of a kernel's SPEC, NAME[:key=value,…].
OptionTable kernel_options(KernelKind kind);
GraphKernelOptions parse_kernel(std::string_view spec);  // throws ErrorCode::usage
// From values of a table that holds the options of this kernel among others. Throws
// ErrorCode::usage, naming `owner`, if one that only other kernels have is not at its default.
GraphKernelOptions kernel_from(std::string_view name, const OptionValues& values,
                               std::string_view owner);

// All of them, for the registry.
std::vector<LearnerEntry> graph_kernel_entries();

}  // namespace gssl
