#include "label_groups.hpp"

#include <cmath>

#include "gssl/graph/components.hpp"
#include "gssl/linalg/laplacian.hpp"
#include "support/largest.hpp"

namespace gssl::detail {

LabelGroups::LabelGroups(const Graph& graph, const LabeledSet& labeled, int threads)
    : degree_(weighted_degrees(graph, threads)) {
  const Components components = connected_components(graph);
  std::vector<int> group(static_cast<std::size_t>(components.count), -1);
  const auto component = [&](VertexId v) {
    return static_cast<std::size_t>(components.of[static_cast<std::size_t>(v)]);
  };
  for (const VertexId v : labeled.vertices()) group[component(v)] = 0;
  int groups = 0;
  offset_.push_back(0);
  for (std::size_t c = 0; c < group.size(); ++c) {
    if (group[c] < 0) continue;
    group[c] = groups++;
    offset_.push_back(offset_.back() + static_cast<std::size_t>(components.sizes[c]));
  }
  of_.resize(components.of.size());
  member_.resize(offset_.back());
  std::vector<std::size_t> next(offset_.begin(), offset_.end() - 1);
  for (std::size_t v = 0; v < of_.size(); ++v) {
    of_[v] = group[component(static_cast<VertexId>(v))];
    if (of_[v] < 0)
      unreached_.push_back(static_cast<VertexId>(v));
    else
      member_[next[index(of_[v])]++] = static_cast<VertexId>(v);
  }
  labels_ = Block(groups, labeled.class_count());
  label_total_.assign(index(groups), 0.0);
  for (std::size_t i = 0; i < labeled.size(); ++i) {
    const int g = of(labeled.vertices()[i]);
    label_total_[index(g)] += 1.0;
    if (!labeled.is_regression()) labels_(g, labeled.class_of()[i]) += 1.0;
  }
  for (int g = 0; g < groups; ++g) {
    const auto degree = [&](VertexId v) { return degree_[static_cast<std::size_t>(v)]; };
    const double sum = sum_over(g, threads, degree);
    const double size = static_cast<double>(members(g).size());
    mean_degree_.push_back(sum > 0.0 ? sum / size : 1.0);
    const double largest =
        sum_over(g, threads, [&](VertexId v) { return Largest{degree(v)}; }).value;
    largest_degree_.push_back(largest > 0.0 ? largest : 1.0);
  }
}

Block LabelGroups::proportions(MassRule mass, const std::vector<double>& priors) const {
  Block q(labels_.rows(), labels_.columns());
  for (int g = 0; g < count(); ++g) {
    double sum = 0.0;
    for (std::int64_t k = 0; k < q.columns(); ++k) {
      if (mass == MassRule::priors && has_class(g, static_cast<int>(k)))
        q(g, k) = priors[static_cast<std::size_t>(k)];
      sum += q(g, k);
    }
    for (std::int64_t k = 0; k < q.columns(); ++k)
      q(g, k) = sum > 0.0 ? q(g, k) / sum : labels_(g, k) / label_count(g);
  }
  return q;
}

std::int64_t positive_shares(const LabelGroups& groups, Block& potentials, int threads) {
  std::int64_t alike = 0;
  for (int g = 0; g < groups.count(); ++g) {
    const auto largest = groups.sum_over(g, threads, [&](VertexId v) {
      Largest row;
      for (const double value : potentials.row(v)) row.value = std::max(row.value, std::abs(value));
      return row;
    });
    const double threshold = 1e-9 * largest.value;
    // Rows are written while they are counted: each belongs to one vertex.
    alike += groups.sum_over(g, threads, [&](VertexId v) {
      const std::span<double> row = potentials.row(v);
      double sum = 0.0;
      double present = 0.0;
      for (std::size_t k = 0; k < row.size(); ++k) {
        const bool has = groups.has_class(g, static_cast<int>(k));
        present += has;
        row[k] = has && row[k] > threshold ? row[k] : 0.0;
        sum += row[k];
      }
      for (std::size_t k = 0; k < row.size(); ++k) {
        if (sum > 0.0)
          row[k] = std::min(1.0, row[k] / sum);
        else
          row[k] = groups.has_class(g, static_cast<int>(k)) ? 1.0 / present : 0.0;
      }
      return std::int64_t{sum > 0.0 ? 0 : 1};
    });
  }
  return alike;
}

}  // namespace gssl::detail
