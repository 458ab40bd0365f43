#pragma once
// Given labels and found scores.
//
//   gssl::LabeledSet given = gssl::LabeledSet::classes({0, 33}, {"mr_hi", "officer"});
//   gssl::LabeledSet real  = gssl::LabeledSet::targets({0, 33}, {1.0, -1.0});

#include <string>
#include <vector>

#include "gssl/core/block.hpp"
#include "gssl/core/named.hpp"
#include "gssl/core/types.hpp"
#include "gssl/data/targets.hpp"

namespace gssl {

// Vertices with a class each, or with a real target each: rows and Targets. Vertices are distinct.
class LabeledSet {
 public:
  LabeledSet() = default;

  // label[i] is the class name of vertices[i]. Class names are sorted (bytewise; all-integer names
  // by value) and numbered from 0. Throws ErrorCode::bad_data on a vertex given twice, a negative
  // vertex, or lists of different length.
  static LabeledSet classes(std::vector<VertexId> vertices, const std::vector<std::string>& label);
  // As above with class numbers already known: 0 ≤ class_of[i] < class_names.size().
  static LabeledSet classes(std::vector<VertexId> vertices, std::vector<int> class_of,
                            std::vector<std::string> class_names);
  // Real targets; throws also on a target that is not finite.
  static LabeledSet targets(std::vector<VertexId> vertices, std::vector<double> values);

  bool is_regression() const { return targets_.is_regression(); }
  std::size_t size() const { return vertices_.size(); }
  const std::vector<VertexId>& vertices() const { return vertices_; }
  const Targets& targets() const { return targets_; }  // targets().values()[i] is of vertices()[i]
  const std::vector<int>& class_of() const { return targets_.class_of(); }
  const std::vector<double>& target_of() const { return targets_.values(); }
  const std::vector<std::string>& class_names() const { return targets_.class_names(); }
  int class_count() const { return targets_.class_count(); }

  // One row per labeled vertex: one-hot in K columns, or the target in one column.
  Block target_block() const { return targets_.block(); }

  // Throws ErrorCode::bad_data unless there is at least one label and every vertex is <
  // vertex_count.
  void check_against(VertexId vertex_count) const;

 private:
  std::vector<VertexId> vertices_;
  Targets targets_;
};

// unreached: no label in its component. tied: no one class is best here, since two or more have the
// largest score, to the last bit, or since the problem has several best answers and they disagree;
// the decision is the first of these classes. unfinished: the work ended before what it had found
// could decide here.
enum class VertexStatus : unsigned char { given, inferred, unreached, tied, unfinished };
template <>
inline constexpr auto names_of<VertexStatus> =
    enum_names<VertexStatus>("status", {"given", "inferred", "unreached", "tied", "unfinished"});

// Of the five, unreached and unfinished come without a class or a value.
constexpr bool has_no_answer(VertexStatus status) {
  return status == VertexStatus::unreached || status == VertexStatus::unfinished;
}

// "given", "inferred", "unreached", "tied", "unfinished"
std::string_view to_string(VertexStatus status);

// n×K scores (K classes in the order of class_names, or the one column of a regression). O(nK), the
// same for any number of threads.
struct Scores {
  Block values;
  std::vector<VertexStatus> status;

  // Column of the largest score of each vertex, the lowest on a tie; −1 where unreached or
  // unfinished.
  std::vector<int> decide(int threads = 1) const;
  // For K ≥ 2 columns s₁/Σ max(s, 0), clamped to [0, 1], where s₁ is the largest score; 0 if the
  // sum is 0. For one column 1. Always 1 where given, 0 where unreached or unfinished, and 0.5
  // where tied.
  std::vector<double> confidence(int threads = 1) const;
};

namespace detail {
// As Scores::decide() and Scores::confidence(), of one row.
int decided_class(VertexStatus status, std::span<const double> row);
double confidence_of(VertexStatus status, std::span<const double> row);
}  // namespace detail

}  // namespace gssl
