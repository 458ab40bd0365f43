#pragma once
// Panels introduce one another: a neighbor of a neighbor is likely to be a neighbor (NN-descent:
// Dong, Moses and Li 2011, doi:10.1145/1963405.1963487), and is looked for with the other 31 rows
// of its panel. At first each panel meets those with the nearest centers. In a round, each row
// votes for the panels of its neighbors' neighbors, and its panel meets those with the most votes
// that it has not met. Where
// nothing is left to vote for, rows that a third one lists both, or that both list a third one,
// bring further panels together; neighbors that list only one another's hubs are found so.
//
// A tile of 1024 bounds costs less than the bookkeeping of the few pairs in it that a plain
// NN-descent would have tried, and finds more.

#include <vector>

#include "panel_search.hpp"

namespace gssl::knn {

class PanelDescent {
 public:
  explicit PanelDescent(PanelSearch& search);

  // Each panel meets itself and the `count` panels with the nearest centers.
  void meet_near_centers(int count, const RunContext& run);
  // Each panel meets up to `most` others that neighbors of neighbors are in.
  void meet_by_votes(std::size_t most, const RunContext& run);
  // The same for rows that have a neighbor in common, or are neighbors of one row. Adds 24 bytes a
  // row for as long as it runs.
  void meet_by_common_neighbors(std::size_t most, const RunContext& run);

  // All pairs of panels in reach that have not met and of which one is in the first `blocks` blocks
  // of a shuffled order: with all blocks the lists are exact. Not fewer blocks than before.
  void meet_rest(std::int64_t blocks, const RunContext& run);

  std::int64_t pairs() const { return pairs_; }  // of panels that have met

 private:
  using Panel = std::int32_t;
  bool have_met(Panel a, Panel b) const;
  // ballot(panel, vote) calls vote(row) once for each vote of a panel, for the panel of that row.
  template <class Ballot>
  void meet_voted(std::size_t most, const Ballot& ballot, const RunContext& run);
  // Meets those of wishes[p] with p that it has not met.
  void meet(std::vector<std::vector<Panel>> wishes, const RunContext& run);

  PanelSearch& search_;
  std::vector<VertexId> position_;       // of each row
  std::vector<std::vector<Panel>> met_;  // by each panel: those up to itself, ascending
  std::vector<std::uint8_t> open_;       // panels that have not met all that they voted for
  std::int64_t pairs_ = 0;
  std::int64_t complete_ = 0;  // blocks whose panels have met all in reach
};

}  // namespace gssl::knn
