#pragma once
// How many of the true neighbors have been found, told by a random sample of rows whose true
// neighbors are searched for among all.

#include "panel_search.hpp"

namespace gssl::knn {

struct Recall {
  double mean = 1.0;
  double error = 0.0;  // standard error of the mean; 0 when all rows are in the sample
};

class RecallSample {
 public:
  // Finds the exact k-th distance of up to `most` random rows; what their lists hold bounds how far
  // to look. O(most · n · columns).
  RecallSample(const PanelSearch& search, VertexId most, const RunContext& run);

  // The share of true neighbors in the lists of these rows. One that is as near as the k-th is
  // true.
  Recall of(const PanelSearch& search) const;

  VertexId size() const { return static_cast<VertexId>(positions_.size()); }

 private:
  void search_exactly(const PanelSearch& search, VertexId begin, VertexId end,
                      const RunContext& run);

  std::vector<VertexId> positions_;  // in the tree, ascending
  std::vector<double> last_key_;     // of the k-th neighbor
};

}  // namespace gssl::knn
