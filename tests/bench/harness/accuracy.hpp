#pragma once
// The share right, in percent, of the vertices with a truth that are not given; an unreached one is
// wrong. In both lists −1 stands for none.
//
//   bench::accuracy(truth, labeled, fit)

#include <vector>

#include "gssl/evaluate/metrics.hpp"
#include "gssl/learn/learner.hpp"

namespace gssl::bench {

inline double accuracy(const std::vector<int>& truth, const LabeledSet& labeled, const Fit& fit) {
  std::vector<char> given(truth.size(), 0);
  for (const VertexId v : labeled.vertices()) given[static_cast<std::size_t>(v)] = 1;
  Confusion found(labeled.class_count());
  for (std::size_t v = 0; v < truth.size(); ++v)
    if (given[v] == 0 && truth[v] >= 0) found.add(truth[v], fit.decision[v]);
  return 100.0 * found.accuracy();
}

}  // namespace gssl::bench
