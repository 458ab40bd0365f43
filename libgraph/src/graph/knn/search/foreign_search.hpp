#pragma once
// The nearest point of another component, for many points at once.
//
// The points that ask are packed 32 to a panel, near ones together, and each panel walks a k-d tree
// that knows which of its boxes lie in one component. (March, Ram and Gray 2010,
// doi:10.1145/1835804.1835882, with panels for their query nodes.) Points of one component share
// the length of the shortest edge found out of it: what is longer is of no use to any of them.

#include <cstdint>
#include <span>
#include <vector>

#include "graph/knn/tree/leaf_pairs.hpp"
#include "graph/support/distance_edges.hpp"
#include "gssl/core/run_context.hpp"

namespace gssl::knn {

class ForeignSearch {
 public:
  // `rows` must outlive it. O(n log n) time, 4 bytes a value, as much again while it is made.
  ForeignSearch(const RowSpace& rows, int threads);

  // Which component each row is in, from now on: any row of it, for all of them the same.
  void set_components(std::span<const VertexId> component);

  // What is known of the edges from a row to other components: the least of them, if it is known,
  // and that no other is shorter than the radius.
  struct Found {
    DistanceEdge edge;
    double radius = 0.0;
  };

  // Of each of the `wanted` rows. least[c] is a length: edges out of component c that are longer
  // are not looked for, nor those longer than one that is found. The least edge out of a component
  // whose rows are all wanted is among those found, unless it is longer than least[c]. Adds the
  // distances computed to `distances`. The least of all is the same at any thread count, but not
  // what is found besides.
  std::vector<Found> search(std::span<const VertexId> wanted, std::span<const double> least,
                            const RunContext& run, std::int64_t& distances) const;

 private:
  class Walk;

  const std::vector<VertexId>& order() const { return leaves_.tree().order(); }

  const RowSpace& rows_;
  LeafPairs leaves_;
  std::vector<VertexId> position_;                     // of each row
  std::vector<VertexId> component_;                    // by position, whole leaves
  std::vector<std::vector<VertexId>> node_component_;  // by level; no_vertex: several
};

}  // namespace gssl::knn
