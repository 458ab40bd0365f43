#pragma once
// Removes vertices of an elimination_network.hpp: those of one range of consecutive vertices that
// are not on its border, or, after that was done for all ranges, any. A vertex that is not on the
// border has no neighbor outside, and never gets one, so that different ranges share nothing.

#include <cstdint>
#include <limits>
#include <vector>

#include "elimination_network.hpp"
#include "gssl/core/index.hpp"
#include "solve/order/locality_ranges.hpp"

namespace gssl::solve {

class RangeElimination {
 public:
  using Room = EliminationNetwork::Room;
  static constexpr std::uint32_t unseen = ~0u;

  // Of range r. Makes no more of the pool than `room`, and ends early without, unless the range is
  // the only one.
  RangeElimination(EliminationNetwork& network, const LocalityRanges& ranges, std::size_t r,
                   Room room);
  // Of all vertices, after the ranges; `rooms` is what these left.
  RangeElimination(EliminationNetwork& network, std::vector<Room> rooms);

  // Returns the room that was not used.
  Room run(EliminationSteps& steps);

 private:
  using Half = EliminationNetwork::Half;
  using State = EliminationNetwork::State;

  // The neighbors of a vertex with merged weights; `entries` says of how many parallel entries
  // each.
  struct Gathered {
    int count = 0;
    VertexId neighbor[most_neighbors] = {};
    double weight[most_neighbors] = {};
    int entries[most_neighbors] = {};
    bool add(VertexId u, double w);
  };

  static constexpr std::uint32_t end_of_list = EliminationNetwork::end_of_list;
  // Added to degrees on the border: these are never small.
  static constexpr VertexId border = std::numeric_limits<VertexId>::max() / 2;
  // Halves that one removal may make: two for each edge between its neighbors.
  static constexpr std::uint32_t most_made = most_neighbors * (most_neighbors - 1) + 2;

  void take_arrays();
  bool alive(VertexId v) const { return state_[index(v)].alive; }
  bool has_room(std::int64_t halves = 0) const {
    return grows_ || room_.limit - room_.unused >= most_made + halves;
  }
  template <class Body>
  void visit(VertexId v, Body&& body) const;
  bool gather(VertexId v, Gathered& found) const;
  // Returns the pivot; the edges between its neighbors are still to be added.
  double remove(VertexId v, const Gathered& found, EliminationSteps& steps);
  void eliminate(VertexId v, const Gathered& found, EliminationSteps& steps);
  void remove_chain(VertexId v, EliminationSteps& steps);
  void add_edge(VertexId u, VertexId v, double weight);
  void push(VertexId v, VertexId to, double weight);
  std::uint32_t make_half(VertexId to, double weight, std::uint32_t next);
  void free_half(std::uint32_t i);
  void more_room();
  void enqueue_if_small(VertexId v);
  void drain(EliminationSteps& steps);
  VertexId remove_independent(EliminationSteps& steps);
  void recount_all();
  // Moves row and list of v into one list without dead or parallel entries; without room for the
  // row it may stay as it is.
  void compact(VertexId v);
  // Number of different live neighbors of v; merges parallel entries of its list only.
  VertexId recount(VertexId v);

  EliminationNetwork& network_;
  VertexId begin_, end_;
  VertexId left_;  // vertices to remove or to keep
  bool grows_;     // the pool, when it is full
  Room room_;
  std::vector<Room> more_rooms_;
  const Graph* graph_;  // these are the network's
  double* ground_;
  VertexId* degree_;
  std::uint32_t* head_;
  State* state_;
  std::uint32_t* slot_;
  Half* pool_;
  std::vector<VertexId> queue_;  // a stack of vertices with degree_ ≤ 2
  std::vector<bool> touched_this_round_;
  std::vector<VertexId> touched_;  // scratch: which slots to clear
};

}  // namespace gssl::solve
