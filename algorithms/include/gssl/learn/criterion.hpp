#pragma once
// The criteria by which the next vertex to label is asked for, and their options. What each computes
// and costs: evaluate/active.hpp, which asks.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gssl/core/named.hpp"
#include "gssl/core/options.hpp"
#include "gssl/solve/linear_solver.hpp"

namespace gssl {

struct LearnerEntry;

enum class Criterion {
  random,
  least_confident,
  margin,
  entropy,
  norm,
  v_opt,
  sigma_opt,
  model_change,
  model_change_v_opt
};
template <>
inline constexpr auto names_of<Criterion> = enum_names<Criterion>(
    "criterion", {"random", "least-confident", "margin", "entropy", "norm", "v-opt", "sigma-opt",
                  "model-change", "model-change-v-opt"});

// "random", "least-confident", …
std::string_view to_string(Criterion criterion);
std::vector<std::string> criterion_names();

// Whether the criterion reads the scores of a fit; whether it reads the covariance.
bool uses_scores(Criterion criterion);
bool uses_covariance(Criterion criterion);

struct AskOptions {
  static constexpr std::int64_t automatic_rank = -1;

  Criterion criterion = Criterion::v_opt;
  // Eigenpairs that stand for C, or 0: all of C, by solves. automatic_rank: 0 up to 4,000
  // candidates (with unreached_first = false those that are reached at the start, if any) or where
  // labels are to be exact (noise = 0), else 100. ≥ −1
  std::int64_t rank = automatic_rank;
  // γ² in units of 1/(mean weighted degree), so that scaling all weights changes nothing; 0: labels
  // are exact, which eigenpairs cannot do. Nothing: 0 by solves, 0.01 by eigenpairs.
  // 0 or [1e-100, 1e100]
  std::optional<double> noise = {};
  bool unreached_first = true;  // else they come after every reached candidate
  SolverKind solver = SolverKind::automatic;
  double tolerance = 1e-10;  // of solves; eigenpairs have 1e-6. (0, 1)

  void validate() const;  // throws ErrorCode::usage: option, value, rule
};

// The options of a criterion's SPEC, NAME[:key=value,…]: rank, noise, unreached, solver, tolerance.
OptionTable criterion_options();
AskOptions parse_criterion(std::string_view spec);  // throws ErrorCode::usage
// All of them, for the registry.
std::vector<LearnerEntry> criterion_entries();

}  // namespace gssl
