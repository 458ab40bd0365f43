#pragma once
// The network while vertices leave it. Rows of the graph are never changed: an entry is dead when
// the vertex at its other end is gone. Edges made on the way lie in a pool, in one singly linked
// list for each vertex, where dead entries are skipped the same way; so a removal touches nothing
// but the removed vertex and its neighbors. A vertex's list is walked once when it leaves, plus now
// and then while it has few neighbors, to merge parallel edges.

#include <cstdint>
#include <vector>

#include "elimination.hpp"

namespace gssl::solve {

class EliminationNetwork {
 public:
  explicit EliminationNetwork(NetworkRows rows);

  // Removes all vertices of degree ≤ 2, and rounds of independent ones of degree ≤ most_neighbors
  // while a round removes a fair share.
  void run(EliminationSteps& steps);

  bool alive(VertexId v) const { return state_[index(v)].alive; }
  // What is left, on the vertices of `kept` in that order. The network is used up by it.
  NetworkRows reduced(const std::vector<VertexId>& kept, int threads) &&;

 private:
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
  // The neighbors of a vertex with merged weights; `entries` says of how many parallel entries
  // each.
  struct Gathered {
    int count = 0;
    VertexId neighbor[most_neighbors] = {};
    double weight[most_neighbors] = {};
    int entries[most_neighbors] = {};
    bool add(VertexId u, double w);
  };

  static constexpr std::uint32_t end_of_list = ~0u;

  static std::size_t index(std::int64_t v) { return static_cast<std::size_t>(v); }
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
  void enqueue_if_small(VertexId v);
  void drain(EliminationSteps& steps);
  VertexId remove_independent(EliminationSteps& steps);
  void recount_all();
  // Moves row and list of v into one list without dead or parallel entries.
  void compact(VertexId v);
  // A row of what is left, beyond the diagonal: what the list of r adds to the row of the graph.
  struct Entry {
    VertexId column;
    double weight;
  };
  template <class Body>
  void visit_reduced_row(VertexId v, const std::vector<VertexId>& row_of,
                         std::vector<Entry>& scratch, Body&& body) const;
  // Number of different live neighbors of v; merges parallel entries of its list only.
  VertexId recount(VertexId v);

  std::shared_ptr<const Graph> graph_;
  std::vector<double> ground_;
  std::vector<VertexId> degree_;     // neighbors, counting some parallel entries twice
  std::vector<std::uint32_t> head_;  // first entry of each list
  std::vector<State> state_;
  std::vector<Half> pool_;
  std::uint32_t free_;           // first of a list of entries of the pool that are not in use
  std::vector<VertexId> queue_;  // a stack of vertices with degree_ ≤ 2
  std::vector<bool> touched_this_round_;
  std::vector<std::uint32_t> slot_;  // scratch: where a neighbor was seen, else unseen
  std::vector<VertexId> touched_;    // scratch: which slots to clear
};

}  // namespace gssl::solve
