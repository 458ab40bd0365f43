#pragma once
// What solves the system that is left. SolverKind is what was asked for, SolveReport::used the
// text of this.

#include <string_view>

namespace gssl::solve {

enum class SolverMethod {
  elimination,  // nothing is left
  cholesky,
  approximate_cholesky,
  multigrid,
  conjugate_gradient,
  consensus,
  asynchronous_consensus
};

std::string_view to_string(SolverMethod method);  // "elimination", or as of the kind

}  // namespace gssl::solve
