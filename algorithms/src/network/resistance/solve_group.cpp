#include "solve_group.hpp"

#include <cmath>

#include "gssl/core/machine.hpp"

namespace gssl::detail {
namespace {

// Bytes beside the solver's own. The system shares the arrays of the graph.
double blocks_bytes(const NetworkSize& size, std::int64_t width) {
  return block_column * size.rows * static_cast<double>(width) + system_bytes(size) -
         graph_bytes(size);
}

}  // namespace

double group_bytes(const NetworkSize& size, std::int64_t width) {
  return blocks_bytes(size, width) +
         solver_memory(size, SolverKind::automatic).bytes(static_cast<double>(width)).high;
}

SolveGroup fitting_group(const Graph& graph, const SolverOptions& options, double bytes,
                         const RunContext& run) {
  const NetworkSize size(graph);
  SolveGroup group{.options = options, .run = run};
  double taken = 0.0, need = 0.0;
  const auto fits_so = [&](SolverKind kind, bool eliminate) {
    group.options.kind = kind;
    group.options.eliminate = eliminate;
    const SolverMemory solver = solver_memory(size, kind, eliminate);
    for (group.width = 16; group.width > 0; group.width /= 2) {
      taken = bytes + blocks_bytes(size, group.width);
      need = taken + solver.bytes(static_cast<double>(group.width)).high;
      if (fits(run, need)) return true;
    }
    return false;
  };
  if (!fits_so(SolverKind::automatic, true) && !fits_so(SolverKind::automatic, false) &&
      !fits_so(SolverKind::conjugate_gradient, false))
    throw MemoryError("resistances by solves", static_cast<std::size_t>(std::ceil(need)),
                      run.memory_limit);
  group.run = with_taken(run, taken);
  return group;
}

}  // namespace gssl::detail
