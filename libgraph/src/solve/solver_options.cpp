#include <string>

#include "gssl/core/error.hpp"
#include "gssl/core/number_text.hpp"
#include "gssl/solve/linear_solver.hpp"

namespace gssl {
std::string_view to_string(SolverKind kind) { return names_of<SolverKind>.name(kind); }

std::vector<std::string> solver_kind_names() { return names_of<SolverKind>.all(); }

SolverKind parse_solver_kind(std::string_view name) { return names_of<SolverKind>.value(name); }

void SolverOptions::validate() const {
  if (!(tolerance > 0.0 && tolerance < 1.0))
    throw Error(ErrorCode::usage, "tolerance " + to_text(tolerance) + ": must be in (0, 1)");
  if (max_iterations < 0)
    throw Error(ErrorCode::usage,
                "max_iterations " + std::to_string(max_iterations) + ": must be >= 0");
  if (columns < 0)
    throw Error(ErrorCode::usage, "columns " + std::to_string(columns) + ": must be >= 0");
  if (updates < 0)
    throw Error(ErrorCode::usage, "updates " + std::to_string(updates) + ": must be >= 0");
}

}  // namespace gssl
