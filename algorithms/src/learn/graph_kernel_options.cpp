// Names and options of the kernels of a graph.

#include "gssl/learn/graph_kernel_options.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "gssl/core/error.hpp"
#include "gssl/core/option_binding.hpp"
#include "gssl/learn/registry.hpp"

namespace gssl {
namespace {

struct AboutKernel {
  const char* summary;
  const char* reference;
};

AboutKernel about_kernel(KernelKind kind) {
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

// The options that this kernel has.
OptionBinding<GraphKernelOptions> binding_of(KernelKind kind) {
  OptionBinding<GraphKernelOptions> bound{std::string(to_string(kind))};
  if (kind == KernelKind::regularized)
    bound.real(&GraphKernelOptions::epsilon, "epsilon",
               {.low = 0.0, .low_open = true, .high_open = true}, "what is added to the diagonal");
  if (kind == KernelKind::diffusion)
    bound.real(&GraphKernelOptions::time, "time", {.low = 0.0, .high_open = true}, "t of exp(-tL)");
  if (kind == KernelKind::von_neumann)
    bound.real(&GraphKernelOptions::alpha, "alpha", {.low = 0.0, .high_open = true},
               "weight of one more step; 0: half of what is allowed");
  if (kind == KernelKind::walk)
    bound
        .integer(&GraphKernelOptions::steps, "steps", {.low = 1, .high = 1'000'000},
                 "p of (aI - L)^p")
        .real(&GraphKernelOptions::shift, "shift", {.low = 0.0, .high_open = true},
              "a of it; 0: the least allowed");
  bound.flag(&GraphKernelOptions::normalized, "normalized",
             "L_sym and D^-1/2 W D^-1/2 in place of L and W");
  if (kind != KernelKind::walk)
    bound.real(&GraphKernelOptions::tolerance, "tolerance",
               {.low = 0.0, .high = 1.0, .low_open = true, .high_open = true},
               kind == KernelKind::diffusion ? "error of the polynomial"
                                             : "relative residual of the solves");
  return bound;
}

}  // namespace

std::string_view to_string(KernelKind kind) { return names_of<KernelKind>.name(kind); }

std::vector<std::string> kernel_names() { return names_of<KernelKind>.all(); }

OptionTable kernel_options(KernelKind kind) { return binding_of(kind).table(); }

GraphKernelOptions kernel_from(std::string_view name, const OptionValues& values,
                               std::string_view owner) {
  const KernelKind kind = names_of<KernelKind>.value(name);
  const OptionBinding<GraphKernelOptions> bound = binding_of(kind);
  const OptionTable& own = bound.table();
  const auto is_own = [&](const std::string& option) {
    return std::ranges::find(own.specs(), option, &OptionSpec::name) != own.specs().end();
  };
  for (const std::string& other : names_of<KernelKind>.all()) {
    const OptionTable table = kernel_options(names_of<KernelKind>.value(other));
    for (const OptionSpec& spec : table.specs())
      if (!is_own(spec.name) && values.changed(spec.name))
        throw Error(ErrorCode::usage, std::string(owner) + ": option " + spec.name + ": the " +
                                          std::string(name) + " kernel has none");
  }
  GraphKernelOptions options = bound.from(values);
  options.kind = kind;
  options.validate();
  return options;
}

GraphKernelOptions parse_kernel(std::string_view spec) {
  const auto [name, assignments] = split_spec(spec);
  return kernel_from(
      name, kernel_options(names_of<KernelKind>.value(name)).parse(assignments, name), name);
}

std::vector<LearnerEntry> graph_kernel_entries() {
  std::vector<LearnerEntry> entries;
  for (const std::string& name : names_of<KernelKind>.all()) {
    const AboutKernel about = about_kernel(names_of<KernelKind>.value(name));
    LearnerEntry entry;
    entry.name = name;
    entry.summary = about.summary;
    entry.reference = about.reference;
    entry.options = kernel_options(names_of<KernelKind>.value(name));
    entry.make_graph_kernel = [name](const OptionValues& values) {
      return kernel_from(name, values, name);
    };
    entries.push_back(std::move(entry));
  }
  return entries;
}

}  // namespace gssl
