// Names and options of the kernels of graph_kernel.hpp.

#include <algorithm>
#include <string>
#include <utility>

#include "gssl/core/error.hpp"
#include "gssl/core/named.hpp"
#include "gssl/learn/registry.hpp"
#include "gssl/network/graph_kernel.hpp"

namespace gssl {
namespace {

constexpr auto kernels = enum_names<KernelKind>(
    "kernel", {"pseudoinverse", "regularized", "diffusion", "von-neumann", "walk"});

struct About {
  const char* summary;
  const char* reference;
};

About about_kernel(KernelKind kind) {
  switch (kind) {
    case KernelKind::pseudoinverse:
      return {"L⁺, of which resistances are made",
              "M. Herbster, M. Pontil, L. Wainer. Online learning over graphs. ICML 2005, "
              "doi:10.1145/1102351.1102390"};
    case KernelKind::regularized:
      return {"(L + epsilon I)⁻¹",
              "A. Smola, R. Kondor. Kernels and regularization on graphs. COLT 2003, "
              "doi:10.1007/978-3-540-45167-9_12"};
    case KernelKind::diffusion:
      return {"exp(-time L), the heat that is left after a time",
              "R. Kondor, J. Lafferty. Diffusion kernels on graphs and other discrete structures. "
              "ICML 2002, 315-322"};
    case KernelKind::von_neumann:
      return {"(I - alpha W)⁻¹, walks of all lengths",
              "J. Kandola, J. Shawe-Taylor, N. Cristianini. Learning semantic similarity. NIPS "
              "2003"};
    case KernelKind::walk:
      return {"(a I - L)^steps, walks of one length",
              "A. Smola, R. Kondor. Kernels and regularization on graphs. COLT 2003, "
              "doi:10.1007/978-3-540-45167-9_12"};
  }
  return {"", ""};
}

}  // namespace

std::string_view to_string(KernelKind kind) { return kernels.name(kind); }

std::vector<std::string> kernel_names() { return kernels.all(); }

OptionTable kernel_options(KernelKind kind) {
  OptionTable table;
  if (kind == KernelKind::regularized)
    table.real("epsilon", 1.0, {.low = 0.0, .low_open = true, .high_open = true},
               "what is added to the diagonal");
  if (kind == KernelKind::diffusion)
    table.real("time", 1.0, {.low = 0.0, .high_open = true}, "t of exp(-tL)");
  if (kind == KernelKind::von_neumann)
    table.real("alpha", 0.0, {.low = 0.0, .high_open = true},
               "weight of one more step; 0: half of what is allowed");
  if (kind == KernelKind::walk) {
    table.integer("steps", 2, {.low = 1, .high = 1'000'000}, "p of (aI - L)^p")
        .real("shift", 0.0, {.low = 0.0, .high_open = true}, "a of it; 0: the least allowed");
  }
  table.flag("normalized", false, "L_sym and D^-1/2 W D^-1/2 in place of L and W");
  if (kind != KernelKind::walk)
    table.real("tolerance", 1e-10, {.low = 0.0, .high = 1.0, .low_open = true, .high_open = true},
               kind == KernelKind::diffusion ? "error of the polynomial"
                                             : "relative residual of the solves");
  return table;
}

GraphKernelOptions kernel_from(std::string_view name, const OptionValues& values,
                               std::string_view owner) {
  GraphKernelOptions options;
  options.kind = kernels.value(name);
  const OptionTable own = kernel_options(options.kind);
  const auto is_own = [&](const std::string& option) {
    return std::ranges::find(own.specs(), option, &OptionSpec::name) != own.specs().end();
  };
  for (const std::string& other : kernels.all()) {
    const OptionTable table = kernel_options(kernels.value(other));
    for (const OptionSpec& spec : table.specs())
      if (!is_own(spec.name) && values.changed(spec.name))
        throw Error(ErrorCode::usage, std::string(owner) + ": option " + spec.name + ": the " +
                                          std::string(name) + " kernel has none");
  }
  switch (options.kind) {
    case KernelKind::pseudoinverse: break;
    case KernelKind::regularized: options.epsilon = values.real("epsilon"); break;
    case KernelKind::diffusion: options.time = values.real("time"); break;
    case KernelKind::von_neumann: options.alpha = values.real("alpha"); break;
    case KernelKind::walk:
      options.steps = static_cast<int>(values.integer("steps"));
      options.shift = values.real("shift");
      break;
  }
  options.normalized = values.flag("normalized");
  if (options.kind != KernelKind::walk) options.tolerance = values.real("tolerance");
  options.validate();
  return options;
}

GraphKernelOptions parse_kernel(std::string_view spec) {
  const auto [name, assignments] = split_spec(spec);
  return kernel_from(name, kernel_options(kernels.value(name)).parse(assignments, name), name);
}

std::vector<LearnerEntry> graph_kernel_entries() {
  std::vector<LearnerEntry> entries;
  for (const std::string& name : kernels.all()) {
    const About about = about_kernel(kernels.value(name));
    LearnerEntry entry;
    entry.name = name;
    entry.summary = about.summary;
    entry.reference = about.reference;
    entry.options = kernel_options(kernels.value(name));
    entry.make_graph_kernel = [name](const OptionValues& values) {
      return kernel_from(name, values, name);
    };
    entries.push_back(std::move(entry));
  }
  return entries;
}

}  // namespace gssl
