#pragma once
// The searches behind knn_lists. Each fills the lists of all rows, and all but descent_search fill
// in the same.

#include <atomic>
#include <limits>
#include <string>

#include "graph/knn/rows/row_space.hpp"
#include "gssl/core/error.hpp"
#include "gssl/graph/knn_lists.hpp"

namespace gssl::knn {

class Projection;

// The k nearest so far of one row, ascending by (key, id). Empty places hold infinity and the
// largest id, which every row comes before.
struct NeighborList {
  double* keys;
  VertexId* ids;
  int k;

  void clear() const {
    std::fill_n(keys, k, std::numeric_limits<double>::infinity());
    std::fill_n(ids, k, std::numeric_limits<VertexId>::max());
  }
  double last_key() const { return keys[k - 1]; }

  // Takes the candidate if it belongs among the k; whether it did.
  bool offer(double key, VertexId id) const {
    int at = k - 1;
    if (keys[at] < key || (keys[at] == key && ids[at] < id)) return false;
    for (; at > 0 && (keys[at - 1] > key || (keys[at - 1] == key && ids[at - 1] > id)); --at) {
      keys[at] = keys[at - 1];
      ids[at] = ids[at - 1];
    }
    keys[at] = key;
    ids[at] = id;
    return true;
  }
};

inline NeighborList list_of(KnnLists& lists, VertexId i) {
  const std::int64_t at = std::int64_t{i} * lists.k;
  return {lists.distances.data() + at, lists.neighbors.data() + at, lists.k};
}

inline void stop_if_asked(const RunContext& run) {
  run.throw_if_stopped("k-nn", "before all neighbors were found");
}

// Fill lists.neighbors, lists.distances and the counts of lists.report. Precondition: 1 ≤ lists.k <
// rows. Throw ErrorCode::cancelled or ErrorCode::time_limit when stopped.
// Of queries among rows if given (then lists.k ≤ rows), else of the rows among themselves.
void tree_search(const RowSpace& rows, const RowSpace* queries, KnnLists& lists,
                 const RunContext& run);
void block_search(const RowSpace& rows, const Projection* projection, KnnLists& lists,
                  const RunContext& run);  // no projection: nullptr
// Fills in report.recall and its company too. Returns why an exact search is the cheaper way to the
// recall, and then the lists are exact, as by block_search; nothing if the recall has been reached.
// Where `only`, it goes on until it is.
std::string descent_search(const RowSpace& rows, const Projection* projection, double recall,
                           bool only, KnnLists& lists, const RunContext& run);
// Queries as for the tree. Of these, columns that one side lacks are 0 there.
void inverted_search(const Points& points, const Points* queries, Metric metric, KnnLists& lists,
                     const RunContext& run);

}  // namespace gssl::knn
