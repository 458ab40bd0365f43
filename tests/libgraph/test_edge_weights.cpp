#include <cmath>
#include <limits>

#include "gssl/graph/edge_weights.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

namespace {

using namespace gssl;

// 0 −d01− 1 −d12− 2
DistanceGraph path(double d01, double d12, std::vector<double> local_scale = {}) {
  return {{0, 1, 3, 4}, {1, 0, 2, 1}, {d01, d01, d12, d12}, std::move(local_scale)};
}

WeightedGraph weighed(const DistanceGraph& g, WeightKind kind, double scale = 0.0) {
  return weigh(g, {.kind = kind, .scale = scale});
}

TEST_CASE("weights follow their formulas with a given scale") {
  const DistanceGraph g = path(1.0, 2.0, {1.0, 2.0, 4.0});
  CHECK(weighed(g, WeightKind::unit).graph.has_unit_weights());
  const auto check = [&](WeightKind kind, double near, double far) {
    const WeightedGraph w = weighed(g, kind, 0.5);
    CHECK(w.graph.weight(0, 1) == Approx(near).epsilon(1e-14));
    CHECK(w.graph.weight(2, 1) == Approx(far).epsilon(1e-14));
    CHECK((w.report.scale == 0.5 && w.report.rule == "given"));
  };
  check(WeightKind::gaussian, std::exp(-0.5), std::exp(-2.0));
  check(WeightKind::exponential, std::exp(-0.5), std::exp(-1.0));
  check(WeightKind::inverse, 0.5, 0.25);
  check(WeightKind::self_tuning, std::exp(-0.5 / 2.0), std::exp(-0.5 * 4.0 / 8.0));
}

TEST_CASE("the default scale comes from the local scales, or from the edges") {
  const DistanceGraph local = path(1.0, 2.0, {1.0, 2.0, 4.0});
  CHECK(weighed(local, WeightKind::gaussian).report.scale == Approx(3.0 / 21.0));
  CHECK(weighed(local, WeightKind::exponential).report.scale == Approx(3.0 / 7.0));
  CHECK(weighed(local, WeightKind::inverse).report.scale == 1.0);
  CHECK(weighed(local, WeightKind::self_tuning).report.scale == 1.0);
  CHECK_THAT(weighed(local, WeightKind::gaussian).report.rule, Catch::Contains("k-th neighbor"));
  const DistanceGraph edges = path(1.0, 2.0);
  CHECK(weighed(edges, WeightKind::gaussian).report.scale == Approx(2.0 / 5.0));
  CHECK(weighed(edges, WeightKind::exponential).report.scale == Approx(2.0 / 3.0));
  // Largest distance in each row: 1, 2, 2.
  const Graph tuned = weighed(edges, WeightKind::self_tuning).graph;
  CHECK(tuned.weight(0, 1) == Approx(std::exp(-0.5)));
  CHECK(tuned.weight(1, 2) == Approx(std::exp(-1.0)));
}

TEST_CASE("an underflowing weight keeps its edge and is counted") {
  for (const WeightKind kind : {WeightKind::gaussian, WeightKind::exponential}) {
    const WeightedGraph w = weighed(path(1.0, 1e4), kind, 1.0);
    CHECK(w.graph.edge_count() == 2);
    CHECK(w.graph.weight(1, 2) == std::numeric_limits<double>::min());
    CHECK(w.report.underflowed == 1);
  }
  CHECK(weighed(path(1.0, 1e-309), WeightKind::inverse).report.overflowed == 1);
  CHECK(weighed(path(1e300, 1e300), WeightKind::gaussian, 1.0).report.underflowed == 2);
}

TEST_CASE("equal points have weights and are counted") {
  const DistanceGraph g = path(0.0, 2.0, {0.0, 2.0, 4.0});
  CHECK(weighed(g, WeightKind::gaussian).graph.weight(0, 1) == 1.0);
  CHECK(weighed(g, WeightKind::gaussian).report.zero_distances == 1);
  CHECK(weighed(g, WeightKind::inverse).graph.weight(0, 1) == 0.5);
  const WeightedGraph tuned = weighed(g, WeightKind::self_tuning);
  CHECK(tuned.report.zero_scales == 1);
  CHECK(tuned.graph.weight(0, 1) == 1.0);
  const DistanceGraph equal = path(0.0, 0.0, {0.0, 0.0, 0.0});
  for (const WeightKind kind : {WeightKind::gaussian, WeightKind::exponential, WeightKind::inverse,
                                WeightKind::self_tuning}) {
    const WeightedGraph w = weighed(equal, kind);
    CHECK((w.graph.has_unit_weights() && w.report.scale == 1.0));
  }
}

TEST_CASE("distances at the borders of double give weights") {
  for (const double d : {1e-320, 1e-200, 1e200, 1e308})
    for (const WeightKind kind : {WeightKind::gaussian, WeightKind::exponential,
                                  WeightKind::inverse, WeightKind::self_tuning})
      CHECK_NOTHROW(weighed(path(d, d / 2, {d, d, d}), kind));
  CHECK(weigh({}, {}).graph.vertex_count() == 0);
}

TEST_CASE("wrong scales and names are refused") {
  for (const double scale : {-1.0, double{NAN}, double{INFINITY}}) {
    const auto error = test::error_of([&] { weigh({}, {.scale = scale}); });
    REQUIRE(error);
    CHECK(error->code() == ErrorCode::usage);
  }
  CHECK(weight_kind_named("self-tuning") == WeightKind::self_tuning);
  CHECK(test::error_of([] { weight_kind_named("heat"); }));
}

}  // namespace
