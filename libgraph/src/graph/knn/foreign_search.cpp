#include "foreign_search.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace gssl::knn {

ForeignSearch::ForeignSearch(const RowSpace& rows)
    : rows_(rows),
      columns_(static_cast<std::size_t>(rows.columns())),
      order_(static_cast<std::size_t>(rows.rows())) {
  std::iota(order_.begin(), order_.end(), 0);
  if (!order_.empty()) make(0, order_.size());
}

std::size_t ForeignSearch::make(std::size_t begin, std::size_t end) {
  const std::size_t node = nodes_.size();
  nodes_.push_back({.begin = begin, .end = end});
  constexpr double infinity = std::numeric_limits<double>::infinity();
  std::vector<double> lowest(columns_, infinity), highest(columns_, -infinity);
  for (std::size_t i = begin; i < end; ++i)
    rows_.visit_row(order_[i], [&](const auto* row) {
      for (std::size_t c = 0; c < columns_; ++c) {
        lowest[c] = std::min(lowest[c], static_cast<double>(row[c]));
        highest[c] = std::max(highest[c], static_cast<double>(row[c]));
      }
    });
  boxes_.insert(boxes_.end(), lowest.begin(), lowest.end());
  boxes_.insert(boxes_.end(), highest.begin(), highest.end());
  if (end - begin <= leaf_rows) return node;
  std::size_t widest = 0;
  for (std::size_t c = 1; c < columns_; ++c)
    if (highest[c] - lowest[c] > highest[widest] - lowest[widest]) widest = c;
  const std::size_t middle = begin + (end - begin) / 2;
  if (columns_ > 0) {
    const auto at = [this](std::size_t i) {
      return order_.begin() + static_cast<std::ptrdiff_t>(i);
    };
    std::nth_element(at(begin), at(middle), at(end), [&](VertexId a, VertexId b) {
      const auto c = static_cast<std::int64_t>(widest);
      const double x = rows_.value(a, c), y = rows_.value(b, c);
      return x < y || (x == y && a < b);
    });
  }
  make(begin, middle);
  const std::size_t right = make(middle, end);
  nodes_[node].right = right;
  return node;
}

void ForeignSearch::set_components(std::span<const VertexId> component) {
  component_ = component;
  for (std::size_t i = nodes_.size(); i-- > 0;) {
    Node& node = nodes_[i];
    if (node.right != 0) {
      const VertexId left = nodes_[i + 1].component;
      node.component = left == nodes_[node.right].component ? left : no_vertex;
      continue;
    }
    const auto of = [&](std::size_t at) { return component[static_cast<std::size_t>(order_[at])]; };
    node.component = of(node.begin);
    for (std::size_t at = node.begin; at < node.end; ++at)
      if (of(at) != node.component) node.component = no_vertex;
  }
}

struct ForeignSearch::Query {
  const ForeignSearch& tree;
  VertexId row;
  VertexId home;  // component of row
  DistanceEdge best;
  std::int64_t distances = 0;

  // At most the distance from the row to any point of the box.
  double bound(std::size_t node) const {
    const double* low = tree.low(node);
    const double* high = tree.high(node);
    const bool squares = tree.rows_.norm() == Norm::l2;
    const double sum = tree.rows_.visit_row(row, [&](const auto* values) {
      double total = 0.0;
      for (std::size_t c = 0; c < tree.columns_; ++c) {
        const auto x = static_cast<double>(values[c]);
        const double gap = std::max({low[c] - x, x - high[c], 0.0});
        total += squares ? gap * gap : gap;
      }
      return total;
    });
    constexpr double slack = 1.0 - 1e-9;  // for the rounding of both sums
    return tree.rows_.distance(sum * slack);
  }

  void visit(std::size_t at, double node_bound) {
    const Node& node = tree.nodes_[at];
    if (node.component == home || node_bound > best.length) return;
    if (node.right != 0) {
      std::size_t near = at + 1, far = node.right;
      double near_bound = bound(near), far_bound = bound(far);
      if (far_bound < near_bound) {
        std::swap(near, far);
        std::swap(near_bound, far_bound);
      }
      visit(near, near_bound);
      visit(far, far_bound);
      return;
    }
    for (std::size_t i = node.begin; i < node.end; ++i) {
      const VertexId other = tree.order_[i];
      if (tree.component_[static_cast<std::size_t>(other)] == home) continue;
      ++distances;
      const double length = tree.rows_.distance(tree.rows_.key(row, other));
      best = std::min(best, distance_edge(length, row, other));
    }
  }
};

DistanceEdge ForeignSearch::search(VertexId row, const DistanceEdge& bound,
                                   std::int64_t& distances) const {
  Query query{*this, row, component_[static_cast<std::size_t>(row)], bound};
  query.visit(0, 0.0);
  distances += query.distances;
  return query.best;
}

}  // namespace gssl::knn
