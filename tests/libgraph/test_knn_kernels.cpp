// The vector loops of every processor level that this machine can run, against plain loops. Whole
// numbers make floats exact, so they must agree to the bit.
#include <algorithm>
#include <array>
#include <limits>

#include "graph/knn/rows/distance_kernels.hpp"
#include "point_clouds.hpp"
#include "support/catch.hpp"

namespace {

using namespace gssl;
using namespace gssl::knn;

constexpr float infinity = std::numeric_limits<float>::infinity();

struct Panels {
  std::int64_t columns;
  std::vector<float> a, b, boxes;

  explicit Panels(std::int64_t d)
      : columns(d),
        a(test::as_floats(test::grid_values(d * lanes, 20, 1))),
        b(test::as_floats(test::grid_values(d * lanes, 20, 2))),
        boxes(test::as_floats(test::grid_values(2 * d * lanes, 10, 3))) {
    for (std::int64_t i = 0; i < d * lanes; ++i) boxes[std::size_t(d * lanes + i)] += 10;
  }
  float at(const std::vector<float>& panel, std::int64_t c, int p) const {
    return panel[std::size_t(c * lanes + p)];
  }
  float distance(const std::vector<float>& x, int i, const std::vector<float>& y, int j,
                 Norm norm) const {
    float sum = 0;
    for (std::int64_t c = 0; c < columns; ++c) {
      const float t = at(x, c, i) - at(y, c, j);
      sum += norm == Norm::l2 ? t * t : std::abs(t);
    }
    return sum;
  }
  // From point p of a to a box.
  float gap(int p, int box, Norm norm) const {
    float sum = 0;
    for (std::int64_t c = 0; c < columns; ++c) {
      const float low = at(boxes, c, box), high = at(boxes, columns + c, box), x = at(a, c, p);
      const float t = std::max({0.0F, low - x, x - high});
      sum += norm == Norm::l2 ? t * t : t;
    }
    return sum;
  }
};

constexpr int box = 7;  // that leaf_hits() looks at

int wrong_box_bounds(const DistanceKernels& kernels, const Panels& panels, Norm norm) {
  const std::int64_t d = panels.columns;
  std::vector<float> point;
  for (std::int64_t c = 0; c < d; ++c) point.push_back(panels.at(panels.a, c, 5));
  std::array<float, lanes> bound;
  kernels.box_bounds(panels.boxes.data(), point.data(), point.data(), d, bound.data());
  int wrong = 0;
  for (int b = 0; b < lanes; ++b) wrong += bound[std::size_t(b)] != panels.gap(5, b, norm);
  return wrong;
}

int wrong_leaf_hits(const DistanceKernels& kernels, const Panels& panels, const LeafPair& leaf,
                    std::span<const float> radius, Norm norm) {
  std::uint32_t hits[lanes] = {};
  const std::uint32_t found = kernels.leaf_hits(leaf, hits);
  int wrong = 0;
  for (int q = 0; q < lanes; ++q) {
    const float reach = radius[std::size_t(q)] + 0.5F;
    const float limit = norm == Norm::l2 ? reach * reach : reach;
    std::uint32_t expected = 0;
    for (int p = 0; p < lanes; ++p)
      if (!(panels.distance(panels.a, q, panels.b, p, norm) > limit)) expected |= 1U << p;
    if (panels.gap(q, box, norm) > limit) expected = 0;
    wrong += ((found >> q) & 1U) != (expected != 0 ? 1U : 0U);
    wrong += expected != 0 && hits[q] != expected;
  }
  return wrong;
}

int wrong_leaf_order(const DistanceKernels& kernels, const Panels& panels, const LeafPair& leaf,
                     Norm norm) {
  float distance[lanes];
  std::int32_t order[lanes];
  kernels.leaf_order(leaf, 3, distance, order);
  std::uint32_t seen = 0;
  int wrong = 0;
  for (int i = 0; i < lanes; ++i) {
    const float exact = panels.distance(panels.a, 3, panels.b, order[i], norm);
    seen |= 1U << order[i];
    wrong += !(std::abs(distance[order[i]] - exact) <= exact * 0x1p-18F + 1e-40F);
    wrong += i > 0 && !(distance[order[i - 1]] < distance[order[i]]);
  }
  return wrong + (seen != ~0U ? 1 : 0);
}

// N(x) = ‖x‖² makes the bound the distance itself.
int wrong_panel_hits(const DistanceKernels& kernels, const Panels& panels, float typical,
                     Norm norm) {
  std::array<float, lanes> norm_a = {}, norm_b = {}, limit = {}, zero = {};
  const std::vector<float> origin(panels.a.size(), 0.0F);
  for (int i = 0; i < lanes; ++i) {
    if (norm == Norm::l2) {
      norm_a[std::size_t(i)] = panels.distance(panels.a, i, origin, 0, norm);
      norm_b[std::size_t(i)] = panels.distance(panels.b, i, origin, 0, norm);
    }
    limit[std::size_t(i)] = i == 31 ? infinity : typical * float(i) / 40.0F;
  }
  std::uint32_t hits[lanes] = {};
  const std::uint32_t rows = kernels.panel_hits(
      {panels.a.data(), panels.b.data(), norm_a.data(), norm_b.data(), limit.data(), zero.data(),
       norm == Norm::l2 ? -2.0F : 1.0F, panels.columns},
      hits);
  int wrong = 0;
  for (int r = 0; r < lanes; ++r) {
    std::uint32_t expected = 0;
    for (int c = 0; c < lanes; ++c)
      if (!(panels.distance(panels.a, r, panels.b, c, norm) > limit[std::size_t(r)]))
        expected |= 1U << c;
    wrong += hits[r] != expected || ((rows >> r) & 1U) != (expected != 0 ? 1U : 0U);
  }
  return wrong;
}

TEST_CASE("every kernel agrees with plain loops on every processor level") {
  for (const Norm norm : {Norm::l1, Norm::l2})
    for (const std::int64_t d : {0, 1, 3, 8, 17, 100}) {
      const Panels panels(d);
      const float typical = panels.distance(panels.a, 0, panels.b, 0, norm);
      std::array<float, lanes> radius;
      for (int i = 0; i < lanes; ++i)
        radius[std::size_t(i)] =
            i % 9 == 0 ? infinity
                       : (norm == Norm::l2 ? std::sqrt(typical) : typical) * float(i) / 32.0F;
      const LeafPair leaf = {
          panels.a.data(), radius.data(), panels.b.data(), panels.boxes.data(), box, 0.5F, d};
      int level = 0;
      for (const DistanceKernels& kernels : runnable_kernels(norm)) {
        CAPTURE(int(norm), d, level++);
        CHECK(wrong_box_bounds(kernels, panels, norm) == 0);
        CHECK(wrong_leaf_hits(kernels, panels, leaf, radius, norm) == 0);
        CHECK(wrong_leaf_order(kernels, panels, leaf, norm) == 0);
        CHECK(wrong_panel_hits(kernels, panels, typical, norm) == 0);
      }
    }
}

}  // namespace
