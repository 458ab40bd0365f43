#include "learn/model_names.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "gssl/core/index.hpp"
#include "gssl/core/number_text.hpp"

namespace gssl::detail {

namespace {

// The same part of each of several models.
struct PartOfMembers {
  std::vector<std::vector<ModelCell>> cells;
  std::vector<ModelPart> parts;
  std::vector<std::int64_t> end;  // of the rows up to each member

  void add(std::vector<ModelCell> told, ModelPart part) {
    end.push_back((end.empty() ? 0 : end.back()) + part.rows);
    cells.push_back(std::move(told));
    parts.push_back(std::move(part));
  }
  std::vector<ModelCell> row(std::int64_t r) const {
    const auto member = std::ranges::upper_bound(end, r) - end.begin();
    const std::int64_t first = member == 0 ? 0 : end[index(member - 1)];
    std::vector<ModelCell> all = cells[index(member)];
    std::ranges::move(parts[index(member)].row(r - first), std::back_inserter(all));
    return all;
  }
};

// Linear functions of columns, or of kernel values: a column of weights and a constant for each.
struct Functions {
  std::vector<std::string> columns;
  std::vector<std::string> classes;
  Block weights;
  std::vector<double> bias;

  // Function by function, the constant first. One function of classes is of the last of them.
  std::vector<ModelCell> row(std::int64_t r) const {
    const std::int64_t each = weights.rows() + 1, function = r / each, c = r % each - 1;
    std::vector<ModelCell> cells;
    if (!classes.empty())
      cells.emplace_back(bias.size() == 1 ? classes.back() : classes[index(function)]);
    cells.emplace_back(c < 0 ? std::string("(bias)") : columns[index(c)]);
    cells.emplace_back(c < 0 ? bias[index(function)] : weights(c, function));
    return cells;
  }
};

std::string values_text(const Points& points, std::int64_t row) {
  std::string text;
  points.visit_row(static_cast<VertexId>(row), [&](std::int64_t c, double x) {
    if (x == 0.0) return;
    text += (text.empty() ? "" : " ") + std::to_string(c + 1) + ":" + to_text(x);
  });
  return text;
}

}  // namespace

std::vector<std::string> numbered_names(std::int64_t count) {
  std::vector<std::string> names;
  names.reserve(index(count));
  for (std::int64_t c = 1; c <= count; ++c) names.push_back(std::to_string(c));
  return names;
}

ModelPart coefficients_part(const ModelNames& names, Block weights, std::vector<double> bias) {
  const std::int64_t pairs = std::ssize(bias);
  const auto told = std::make_shared<const Functions>(
      Functions{names.columns, names.classes, std::move(weights), std::move(bias)});
  ModelPart part{.name = "coefficients",
                 .headings = {"class", "column", "coefficient"},
                 .rows = (told->weights.rows() + 1) * pairs,
                 .row = [told](std::int64_t r) { return told->row(r); }};
  if (names.classes.empty()) part.headings.erase(part.headings.begin());
  return part;
}

ModelPart support_part(std::vector<std::string> outputs, const Points& items, Block coefficients,
                       std::vector<double> bias) {
  ModelPart part{.name = "support-vectors", .headings = {"vector"}, .rows = items.rows() + 1};
  std::ranges::move(outputs, std::back_inserter(part.headings));
  part.headings.emplace_back("values");
  const auto told = std::make_shared<const Functions>(
      Functions{{}, {}, std::move(coefficients), std::move(bias)});
  part.row = [told, &items](std::int64_t r) {
    std::vector<ModelCell> cells = {r == 0 ? std::string("bias") : std::to_string(r)};
    for (std::int64_t o = 0; o < told->weights.columns(); ++o)
      cells.emplace_back((r == 0 ? told->bias[index(o)] : told->weights(r - 1, o)) + 0.0);  // no −0
    cells.emplace_back(r == 0 ? std::string() : values_text(items, r - 1));
    return cells;
  };
  return part;
}

void JoinedParts::add(std::vector<ModelCell> cells, std::vector<ModelPart> parts) {
  members_.push_back({std::move(cells), std::move(parts)});
}

std::vector<ModelPart> JoinedParts::take() {
  std::vector<ModelPart> all;
  if (members_.empty()) return all;
  for (const ModelPart& first : members_.front().parts) {
    const auto joined = std::make_shared<PartOfMembers>();
    for (const Member& member : members_) {
      const auto same = std::ranges::find(member.parts, first.name, &ModelPart::name);
      if (same != member.parts.end()) joined->add(member.cells, *same);
    }
    if (joined->parts.size() != members_.size()) continue;
    ModelPart part{.name = first.name, .headings = headings_, .rows = joined->end.back()};
    std::ranges::copy(first.headings, std::back_inserter(part.headings));
    part.row = [joined](std::int64_t r) { return joined->row(r); };
    all.push_back(std::move(part));
  }
  return all;
}

}  // namespace gssl::detail
