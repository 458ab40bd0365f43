#pragma once
// The nearest point of another component, over a k-d tree whose boxes know when all of their points
// are in one component. (March, Ram and Gray 2010, doi:10.1145/1835804.1835882, for one point at a
// time.)

#include <cstdint>
#include <span>
#include <vector>

#include "../distance_edges.hpp"
#include "row_space.hpp"

namespace gssl::knn {

class ForeignSearch {
 public:
  // `rows` must outlive it. O(n log n · columns) time, 2 to 4 · n · columns bytes.
  explicit ForeignSearch(const RowSpace& rows);

  // Which component each row is in, from now on.
  void set_components(std::span<const VertexId> component);

  // The least edge from `row` to another component that is less than `bound`, or `bound`. Adds the
  // distances it computed to `distances`.
  DistanceEdge search(VertexId row, const DistanceEdge& bound, std::int64_t& distances) const;

  // Rows in the order of the tree: near ones follow one another.
  const std::vector<VertexId>& order() const { return order_; }

 private:
  static constexpr std::size_t leaf_rows = 16;
  struct Node {
    std::size_t begin = 0;  // in order_
    std::size_t end = 0;
    std::size_t right = 0;           // the left child follows its parent; 0: a leaf
    VertexId component = no_vertex;  // of all its rows; no_vertex: of several
  };
  struct Query;

  std::size_t make(std::size_t begin, std::size_t end);
  const double* low(std::size_t node) const { return boxes_.data() + 2 * node * columns_; }
  const double* high(std::size_t node) const { return low(node) + columns_; }

  const RowSpace& rows_;
  std::size_t columns_;
  std::vector<VertexId> order_;
  std::vector<Node> nodes_;    // parents before children
  std::vector<double> boxes_;  // lowest and highest value in each column, of each node
  std::span<const VertexId> component_;
};

}  // namespace gssl::knn
