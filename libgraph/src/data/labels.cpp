#include "gssl/data/labels.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

#include "gssl/core/error.hpp"
#include "gssl/core/index.hpp"
#include "gssl/core/number_text.hpp"
#include "gssl/core/parallel.hpp"

namespace gssl {

namespace {

[[noreturn]] void refuse_label(const std::string& what) {
  throw Error(ErrorCode::bad_data, "labels: " + what);
}

// Whether no vertex is negative or there twice; false also where a bit for each vertex up to the
// largest would be much.
bool are_apart(const std::vector<VertexId>& vertices) {
  constexpr std::size_t most_bits = 256;  // for each that is given
  if (vertices.empty()) return true;
  const auto [least, largest] = std::ranges::minmax(vertices);
  if (least < 0 || index(largest) / most_bits > vertices.size()) return false;
  std::vector<bool> seen(index(largest) + 1);
  for (const VertexId v : vertices) {
    if (seen[index(v)]) return false;
    seen[index(v)] = true;
  }
  return true;
}

void check_vertices(const std::vector<VertexId>& vertices, std::size_t labels) {
  if (vertices.size() != labels)
    refuse_label(std::to_string(vertices.size()) + " vertices but " + std::to_string(labels) +
                 " labels; give one each");
  if (are_apart(vertices)) return;
  std::vector<VertexId> sorted = vertices;
  std::sort(sorted.begin(), sorted.end());
  if (!sorted.empty() && sorted.front() < 0)
    refuse_label("vertex " + std::to_string(sorted.front()) + ": must be >= 0");
  const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
  if (twice != sorted.end())
    refuse_label("vertex " + std::to_string(*twice) + " is given twice; keep one label for it");
}

}  // namespace

LabeledSet LabeledSet::classes(std::vector<VertexId> vertices,
                               const std::vector<std::string>& label) {
  check_vertices(vertices, label.size());
  LabeledSet set;
  set.targets_ = Targets::classes(label);
  set.vertices_ = std::move(vertices);
  return set;
}

LabeledSet LabeledSet::classes(std::vector<VertexId> vertices, std::vector<int> class_of,
                               std::vector<std::string> class_names) {
  check_vertices(vertices, class_of.size());
  const int count = static_cast<int>(class_names.size());
  for (std::size_t i = 0; i < class_of.size(); ++i)
    if (class_of[i] < 0 || class_of[i] >= count)
      refuse_label("vertex " + std::to_string(vertices[i]) + ": class " +
                   std::to_string(class_of[i]) + ": must be in [0, " + std::to_string(count) + ")");
  LabeledSet set;
  set.vertices_ = std::move(vertices);
  set.targets_ = Targets::classes(std::move(class_of), std::move(class_names));
  return set;
}

LabeledSet LabeledSet::targets(std::vector<VertexId> vertices, std::vector<double> values) {
  check_vertices(vertices, values.size());
  for (std::size_t i = 0; i < values.size(); ++i)
    if (!std::isfinite(values[i]))
      refuse_label("vertex " + std::to_string(vertices[i]) + ": target " + to_text(values[i]) +
                   ": must be finite");
  LabeledSet set;
  set.vertices_ = std::move(vertices);
  set.targets_ = Targets::reals(std::move(values));
  return set;
}

void LabeledSet::check_against(VertexId vertex_count) const {
  if (vertices_.empty()) refuse_label("none given; at least one is needed");
  for (const VertexId v : vertices_)
    if (v >= vertex_count)
      refuse_label("vertex " + std::to_string(v) + " is not in the graph, which has " +
                   std::to_string(vertex_count) + " vertices");
}

std::string_view to_string(VertexStatus status) { return names_of<VertexStatus>.name(status); }

int detail::decided_class(VertexStatus status, std::span<const double> row) {
  if (has_no_answer(status) || row.empty()) return -1;
  return static_cast<int>(std::ranges::max_element(row) - row.begin());
}

double detail::confidence_of(VertexStatus status, std::span<const double> row) {
  if (has_no_answer(status)) return 0.0;
  if (status == VertexStatus::given || row.size() == 1) return 1.0;
  if (status == VertexStatus::tied) return 0.5;
  double largest = 0.0, sum = 0.0;
  for (const double score : row) {
    largest = std::max(largest, score);
    sum += std::max(score, 0.0);
  }
  return sum > 0.0 ? std::min(1.0, largest / sum) : 0.0;
}

std::vector<int> Scores::decide(int threads) const {
  std::vector<int> decided(status.size());
  parallel_blocks(std::ssize(status), threads, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t v = begin; v < end; ++v)
      decided[index(v)] = detail::decided_class(status[index(v)], values.row(v));
  });
  return decided;
}

std::vector<double> Scores::confidence(int threads) const {
  std::vector<double> found(status.size(), 0.0);
  parallel_blocks(std::ssize(status), threads, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t v = begin; v < end; ++v)
      found[index(v)] = detail::confidence_of(status[index(v)], values.row(v));
  });
  return found;
}

}  // namespace gssl
