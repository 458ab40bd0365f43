#include <array>
#include <cmath>
#include <string>
#include <utility>

#include "gssl/core/error.hpp"
#include "gssl/core/number_text.hpp"
#include "gssl/solve/linear_solver.hpp"

namespace gssl {
namespace {

constexpr std::array<std::pair<SolverKind, std::string_view>, 7> names{
    {{SolverKind::automatic, "automatic"},
     {SolverKind::cholesky, "cholesky"},
     {SolverKind::approximate_cholesky, "approximate-cholesky"},
     {SolverKind::multigrid, "multigrid"},
     {SolverKind::conjugate_gradient, "cg"},
     {SolverKind::consensus, "consensus"},
     {SolverKind::asynchronous_consensus, "async-consensus"}}};

}  // namespace

std::string_view to_string(SolverKind kind) {
  for (const auto& [known, name] : names)
    if (known == kind) return name;
  return "automatic";
}

std::vector<std::string> solver_kind_names() {
  std::vector<std::string> list;
  list.reserve(names.size());
  for (const auto& entry : names) list.emplace_back(entry.second);
  return list;
}

SolverKind parse_solver_kind(std::string_view name) {
  std::string list;
  for (const auto& [kind, known] : names) {
    if (known == name) return kind;
    list += (list.empty() ? "" : ", ") + std::string(known);
  }
  throw Error(ErrorCode::usage, "solver '" + std::string(name) + "': must be one of " + list);
}

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
