#pragma once
// A set of vertices that no cut below a threshold parts, grown one vertex at a time by flows.
//
// The set is the source. The vertex next to it that is most strongly joined to it is the sink; what
// their edges do not carry is sent along shortest augmenting paths. When the threshold is reached
// no cut below it parts the sink from the set, and it joins. When no path is left, those that could
// still reach the sink are a cut, which is the new threshold if it is below it, and the sink joins
// all the same. The flow stays: it is lost nowhere outside the set, so that a path that has once
// been found around a large ring serves all sinks after it.
//
//   ProvenSet set(rows, threshold);
//   set.grow(first, most_looks, run);
//   set.members();                     // all of rows: threshold() is the global minimum cut
//
// The sequence of sinks is that of J. Hao, J. Orlin, Journal of Algorithms 17, 1994,
// doi:10.1006/jagm.1994.1043, in the order of Nagamochi, Ono and Ibaraki. O(m log n) where the
// paths are short, O(m) for each path at worst. Internal: not installed.

#include <cstdint>
#include <vector>

#include "gssl/core/run_context.hpp"
#include "merged_rows.hpp"

namespace gssl::flow {

class ProvenSet {
 public:
  // `rows` must outlive it, connected. O(m) time, 28 bytes an arc.
  ProvenSet(const MergedRows& rows, double threshold);
  ProvenSet(MergedRows&& rows, double threshold) = delete;  // would dangle

  // From one vertex until all are in or more than `most_looks` arcs have been looked at; once.
  // Throws ErrorCode::cancelled or ErrorCode::time_limit when the run is stopped.
  void grow(VertexId first, std::int64_t most_looks, const RunContext& run);

  const std::vector<VertexId>& members() const { return members_; }
  double threshold() const { return threshold_; }
  // 1 on one side of a cut of that value; empty while the threshold is the one given.
  const std::vector<unsigned char>& side() const { return side_; }

 private:
  bool prove(VertexId sink, std::int64_t most_looks, const RunContext& run);
  VertexId search(VertexId sink, const RunContext& run);
  double send(VertexId source, VertexId sink, double most);
  void take_cut();

  const MergedRows& rows_;
  double threshold_;
  // Arcs by rows of ascending heads.
  std::vector<EdgeIndex> begin_;
  std::vector<VertexId> head_;
  std::vector<EdgeIndex> mirror_;
  std::vector<double> weight_;
  std::vector<double> inward_;  // what may still flow from the head into the vertex of the row
  std::vector<unsigned char> in_;
  std::vector<VertexId> members_;
  std::vector<unsigned char> side_;
  std::vector<double> joined_;  // weight of the edges to the set
  // Of the search of the moment: those from which the sink is reached, and by which arc.
  std::vector<VertexId> reached_;
  std::vector<EdgeIndex> by_;
  std::vector<VertexId> next_;
  std::vector<std::int64_t> seen_;
  std::int64_t searches_ = 0;
  std::int64_t looks_ = 0;
  std::int64_t next_stop_ = 0;
};

}  // namespace gssl::flow
