#pragma once
// The network while vertices leave it. Rows of the graph are never changed: an entry is dead when
// the vertex at its other end is gone. Edges made on the way lie in a pool, in one singly linked
// list for each vertex, where dead entries are skipped the same way; so a removal touches nothing
// but the removed vertex and its neighbors. A vertex's list is walked once when it leaves, plus now
// and then while it has few neighbors, to merge parallel edges.
//
// Where the graph falls into ranges with short borders, each range's vertices are removed by a
// thread of its own, up to those on a border; what is left then goes one after the other.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "exact_elimination.hpp"
#include "gssl/core/index.hpp"

namespace gssl::solve {

class EliminationNetwork {
 public:
  explicit EliminationNetwork(NetworkRows rows);

  // Removes all vertices of degree ≤ 2, and rounds of independent ones of degree ≤ most_neighbors
  // while a round removes a fair share. A range that makes more than `room` halves of edges for
  // each entry of its rows is left to the end.
  StagedSteps run(int threads, double room = enough_room);

  bool alive(VertexId v) const { return state_[index(v)].alive; }
  // What is left, on the vertices of `kept` in that order. The network is used up by it.
  NetworkRows reduced(const std::vector<VertexId>& kept, int threads) &&;

 private:
  friend class RangeElimination;

  static constexpr double enough_room = 1.5;  // what is not used is never touched

  struct State {
    bool alive : 1 = true;
    bool queued : 1 = false;
    bool listed : 1 = false;    // the live part of its row was moved to its list
    bool unmerged : 1 = false;  // its list may hold parallel entries, or its degree be wrong
  };
  struct Half {
    double weight;
    VertexId to;
    std::uint32_t next;  // in the pool, or end_of_list
  };
  // Room for halves in the pool.
  struct Room {
    std::uint32_t unused;  // from here …
    std::uint32_t limit;   // … to here nothing was made yet
    std::uint32_t freed;   // first of a list of entries that are no longer in use
  };

  static constexpr std::uint32_t end_of_list = ~0u;

  // A row of what is left, beyond the diagonal: what the list of r adds to the row of the graph.
  struct Entry {
    VertexId column;
    double weight;
  };
  template <class Body>
  void visit_right_of(VertexId v, const std::vector<VertexId>& row_of, std::vector<Entry>& scratch,
                      Body&& body) const;

  std::shared_ptr<const Graph> graph_;
  std::vector<double> ground_;
  std::vector<VertexId> degree_;     // neighbors, counting some parallel entries twice
  std::vector<std::uint32_t> head_;  // first entry of each list
  std::vector<State> state_;
  std::vector<std::uint32_t> slot_;  // scratch: where a neighbor was seen, else unseen
  std::unique_ptr<Half[]> pool_;
  std::size_t pool_size_ = 0;
};

}  // namespace gssl::solve
