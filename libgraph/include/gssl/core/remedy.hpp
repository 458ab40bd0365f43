#pragma once
// Which options of the library help where an error is thrown. The message of the error says in
// words what to do; each front end adds what it calls the option: "--columns" at the command line,
// "columns=" in Python.
//
//   throw Error(ErrorCode::usage, "column 3 is given twice", Remedy::columns);
//   throw Error(ErrorCode::bad_data, "is it a label or an id?",
//               Remedy::label_column | Remedy::id_column);

#include <cstdint>

namespace gssl {

enum class Remedy {
  // A learner of another kind, in the order of LearnerKind.
  transductive,
  points_learner,
  inductive,
  online,
  clusterer,
  completer,
  criterion,
  kernel,
  graph_kernel,
  // What learners are given.
  evaluate,
  points,
  knn,
  calibrate,
  epsilon,
  plugin,
  regression,
  // How tables are read.
  input_format,
  delimiter,
  decimal,
  skip_lines,
  columns,
  header,
  no_header,
  label_column,
  weight_column,
  id_column,
  label_columns,
  categorical,
  missing,
  skip_errors,
  scores,
  // How graphs are read.
  bipartite,
  layer_weights,
  build_graph,
};
inline constexpr int remedy_count = static_cast<int>(Remedy::build_graph) + 1;

class Remedies {
 public:
  constexpr Remedies() = default;
  constexpr Remedies(Remedy one)  // NOLINT(google-explicit-constructor): a set of one
      : bits_(std::uint64_t{1} << static_cast<unsigned>(one)) {}
  constexpr bool has(Remedy one) const noexcept { return (bits_ & Remedies(one).bits_) != 0; }
  constexpr Remedies& operator|=(Remedies more) noexcept {
    bits_ |= more.bits_;
    return *this;
  }

 private:
  std::uint64_t bits_ = 0;
};
static_assert(remedy_count <= 64);

constexpr Remedies operator|(Remedies a, Remedies b) noexcept { return a |= b; }
constexpr Remedies operator|(Remedy a, Remedies b) noexcept { return b |= a; }

}  // namespace gssl
