#pragma once
// The inner loops of the exact search, in floats, 32 points at a time. A panel is 32 points, column
// by column: coordinate c of point p at [c·32 + p]. A box pack is 32 boxes: low end of box b in
// column c at [c·32 + b], high end at [(d + c)·32 + b].
//
// Coordinates are finite (FloatFrame); radius, error, norm and limit may be infinite where that
// means "near", so no NaN arises.
//
// One source, compiled for several x86-64 levels and chosen at run time; other processors have the
// one their compiler makes.

#include <cstdint>
#include <vector>

#include "float_frame.hpp"

namespace gssl::knn {

struct LeafPair {
  const float* queries;  // panel
  const float* radius;   // of each query: its reach plus its own error
  const float* points;   // panel
  const float* boxes;    // pack that holds the box of `points` …
  int box;               // … in this lane
  float error;           // largest of `points`
  std::int64_t columns;
};

struct PanelPair {
  const float* a;  // panels
  const float* b;
  const float* norm_a;  // what each point adds to the bound
  const float* norm_b;
  const float* limit_a;  // bounds above both limits are of no use
  const float* limit_b;
  float factor;  // of the product or sum
  std::int64_t columns;
};

struct DistanceKernels {
  // bound[b]: no point of box b is nearer to a point between low and high; squared for l2.
  void (*box_bounds)(const float* pack, const float* low, const float* high, std::int64_t columns,
                     float* bound);
  // hits[q]: bit p is set unless the float distance of query q and point p is beyond radius +
  // error. Returns the queries with any.
  std::uint32_t (*leaf_hits)(const LeafPair& pair, std::uint32_t* hits);
  // Squared (for l2) float distances of query q to all 32 points, each at most 2⁻¹⁸ of itself too
  // small, and the points in their order. No two are equal: the point's number is in the last bits.
  void (*leaf_order)(const LeafPair& pair, int q, float* distance, std::int32_t* order);
  // hits[r]: bit c is set unless norm_a[r] + norm_b[c] + factor·s > max(limit_a[r], limit_b[c]),
  // where s is Σ a·b for l2 and Σ|a − b| for l1. Returns the rows with any.
  std::uint32_t (*panel_hits)(const PanelPair& pair, std::uint32_t* hits);
};

// Those that this processor can run, the fastest first. Any of them give the same neighbors.
std::vector<DistanceKernels> runnable_kernels(Norm norm);

// The fastest.
const DistanceKernels& kernels_for(Norm norm);

}  // namespace gssl::knn
