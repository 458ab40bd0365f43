#pragma once
// Public libraries for the same tasks; nothing where one is not installed.

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "../harness/measure.hpp"

using gssl::bench::Seconds;

// x: row-major. Those of 3, 8 and 20 columns.
std::optional<Seconds> nanoflann_lists(const std::vector<float>& x, int d, int k, int threads);
std::optional<Seconds> nanoflann_ball(const std::vector<float>& x, int d, double epsilon,
                                      int threads);  // 3 columns
std::optional<Seconds> faiss_lists(const std::vector<float>& x, int d, int k, int threads);
// scikit-learn in a python3 that has it: the times are its own, with the points in its memory.
std::optional<Seconds> scikit_lists(const std::vector<float>& x, int d, int k, int threads);
// Builds, and searches with a wider and wider beam until enough(found, beam): the time of building
// and of the last search. `found`: k rows a point, in no order.
std::optional<Seconds> hnswlib_lists(
    const std::vector<float>& x, int d, int k, int threads,
    const std::function<bool(const std::vector<std::uint32_t>&, int)>& enough);

struct TreePeer {
  Seconds time;
  double length = 0.0;
};
// The minimum spanning tree, on one thread.
std::optional<TreePeer> mlpack_tree(const std::vector<float>& x, int d);
// Written here, as no program has it: Borůvka whose every round is the matrix product of all points
// by all.
TreePeer boruvka_tree(const std::vector<float>& x, int d, int threads);
