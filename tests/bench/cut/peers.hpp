#pragma once
// Cuts by the Boost Graph Library and igraph. Seconds are processor seconds of one thread; building
// the peer's own network counts.

#include "instances.hpp"

namespace gssl::bench {

struct Measured {
  double seconds = 0.0;
  double value = 0.0;  // of the flow or cut
  double bytes = 0.0;  // peak of resident memory above what was there before
};

Measured boost_push_relabel(const Instance& instance);
Measured boost_boykov_kolmogorov(const Instance& instance);
Measured boost_stoer_wagner(const Graph& graph);
#ifdef GSSL_BENCH_IGRAPH
Measured igraph_max_flow(const Instance& instance);
#endif

}  // namespace gssl::bench
