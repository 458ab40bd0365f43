#include "gssl/data/labels.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <unordered_map>

#include "gssl/core/error.hpp"
#include "gssl/core/number_text.hpp"

namespace gssl {

namespace {

[[noreturn]] void refuse(const std::string& what) {
  throw Error(ErrorCode::bad_data, "labels: " + what);
}

void check_vertices(const std::vector<VertexId>& vertices, std::size_t labels) {
  if (vertices.size() != labels)
    refuse(std::to_string(vertices.size()) + " vertices but " + std::to_string(labels) +
           " labels; give one each");
  std::vector<VertexId> sorted = vertices;
  std::sort(sorted.begin(), sorted.end());
  if (!sorted.empty() && sorted.front() < 0)
    refuse("vertex " + std::to_string(sorted.front()) + ": must be >= 0");
  const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
  if (twice != sorted.end())
    refuse("vertex " + std::to_string(*twice) + " is given twice; keep one label for it");
}

// By value when every name is an integer of 64 bits, else bytewise. Equal values spelled
// differently
// ("1", "01") stay apart, in byte order.
void sort_class_names(std::vector<std::string>& names) {
  const bool all_integers = std::all_of(names.begin(), names.end(), [](const std::string& name) {
    return parse_number<std::int64_t>(name).has_value();
  });
  if (!all_integers) {
    std::sort(names.begin(), names.end());
    return;
  }
  std::sort(names.begin(), names.end(), [](const std::string& a, const std::string& b) {
    const auto x = *parse_number<std::int64_t>(a);
    const auto y = *parse_number<std::int64_t>(b);
    return x != y ? x < y : a < b;
  });
}

}  // namespace

LabeledSet LabeledSet::classes(std::vector<VertexId> vertices,
                               const std::vector<std::string>& label) {
  check_vertices(vertices, label.size());
  std::unordered_map<std::string, int> number;
  for (const auto& name : label) number.emplace(name, 0);
  LabeledSet set;
  for (const auto& [name, unused] : number) set.class_names_.push_back(name);
  sort_class_names(set.class_names_);
  for (std::size_t k = 0; k < set.class_names_.size(); ++k)
    number[set.class_names_[k]] = static_cast<int>(k);
  set.class_of_.reserve(label.size());
  for (const auto& name : label) set.class_of_.push_back(number[name]);
  set.vertices_ = std::move(vertices);
  return set;
}

LabeledSet LabeledSet::classes(std::vector<VertexId> vertices, std::vector<int> class_of,
                               std::vector<std::string> class_names) {
  check_vertices(vertices, class_of.size());
  const int count = static_cast<int>(class_names.size());
  for (std::size_t i = 0; i < class_of.size(); ++i)
    if (class_of[i] < 0 || class_of[i] >= count)
      refuse("vertex " + std::to_string(vertices[i]) + ": class " + std::to_string(class_of[i]) +
             ": must be in [0, " + std::to_string(count) + ")");
  LabeledSet set;
  set.vertices_ = std::move(vertices);
  set.class_of_ = std::move(class_of);
  set.class_names_ = std::move(class_names);
  return set;
}

LabeledSet LabeledSet::targets(std::vector<VertexId> vertices, std::vector<double> values) {
  check_vertices(vertices, values.size());
  for (std::size_t i = 0; i < values.size(); ++i)
    if (!std::isfinite(values[i]))
      refuse("vertex " + std::to_string(vertices[i]) + ": target " + to_text(values[i]) +
             ": must be finite");
  LabeledSet set;
  set.regression_ = true;
  set.vertices_ = std::move(vertices);
  set.targets_ = std::move(values);
  return set;
}

Block LabeledSet::target_block() const {
  const auto rows = static_cast<std::int64_t>(size());
  Block block(rows, regression_ ? 1 : class_count());
  for (std::int64_t i = 0; i < rows; ++i) {
    const auto at = static_cast<std::size_t>(i);
    if (regression_)
      block(i, 0) = targets_[at];
    else
      block(i, class_of_[at]) = 1.0;
  }
  return block;
}

void LabeledSet::check_against(VertexId vertex_count) const {
  if (vertices_.empty()) refuse("none given; at least one is needed");
  for (const VertexId v : vertices_)
    if (v >= vertex_count)
      refuse("vertex " + std::to_string(v) + " is not in the graph, which has " +
             std::to_string(vertex_count) + " vertices");
}

const char* to_string(VertexStatus status) {
  switch (status) {
    case VertexStatus::given: return "given";
    case VertexStatus::inferred: return "inferred";
    case VertexStatus::unreached: return "unreached";
    case VertexStatus::tied: return "tied";
    case VertexStatus::unfinished: return "unfinished";
  }
  return "unreached";
}

std::vector<int> Scores::decide() const {
  std::vector<int> decided(status.size(), -1);
  for (std::size_t v = 0; v < status.size(); ++v) {
    const auto row = values.row(static_cast<std::int64_t>(v));
    if (has_no_answer(status[v]) || row.empty()) continue;
    decided[v] = static_cast<int>(std::max_element(row.begin(), row.end()) - row.begin());
  }
  return decided;
}

std::vector<double> Scores::confidence() const {
  std::vector<double> found(status.size(), 0.0);
  for (std::size_t v = 0; v < status.size(); ++v) {
    if (has_no_answer(status[v])) continue;
    const auto row = values.row(static_cast<std::int64_t>(v));
    if (status[v] == VertexStatus::given || row.size() == 1) {
      found[v] = 1.0;
      continue;
    }
    if (status[v] == VertexStatus::tied) {
      found[v] = 0.5;
      continue;
    }
    double largest = 0.0, sum = 0.0;
    for (const double score : row) {
      largest = std::max(largest, score);
      sum += std::max(score, 0.0);
    }
    if (sum > 0.0) found[v] = std::min(1.0, largest / sum);
  }
  return found;
}

}  // namespace gssl
