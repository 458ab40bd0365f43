#include <algorithm>
#include <atomic>
#include <catch2/catch.hpp>
#include <cmath>
#include <numbers>
#include <numeric>

#include "gssl/core/index.hpp"
#include "gssl/core/rng.hpp"
#include "gssl/graph/generators.hpp"
#include "gssl/graph/graph_builder.hpp"
#include "libgraph/solver_support.hpp"
#include "solve/method/cg/conjugate_gradient.hpp"
#include "solve/method/sampled/approximate_cholesky.hpp"
#include "solve/method/sampled/sampled_elimination.hpp"
#include "solve/order/renumbering.hpp"
#include "support/support.hpp"

namespace {

using namespace gssl;
using namespace gssl::solve;
using gssl::test::on_threads;
using gssl::test::weighted;

std::vector<double> ground_at(VertexId n, VertexId v, double conductance) {
  std::vector<double> ground(index(n), 0.0);
  ground[index(v)] = conductance;
  return ground;
}

// L D Lᵀ, written out.
std::vector<double> multiplied(const SampledFactor& factor, VertexId n) {
  REQUIRE(factor.within.empty());
  const SampledColumns& columns = factor.rest;
  std::vector<double> dense(index(n) * index(n), 0.0);
  for (std::size_t k = 0; k < columns.order.size(); ++k) {
    std::vector<double> column(index(n), 0.0);
    column[index(columns.order[k])] = 1.0;
    for (std::int64_t e = columns.start[k]; e < columns.start[k + 1]; ++e)
      column[index(columns.row[index(e)])] =
          -static_cast<double>(columns.weight[index(e)]) / columns.pivot[k];
    for (std::size_t i = 0; i < column.size(); ++i)
      for (std::size_t j = 0; j < column.size(); ++j)
        dense[i * index(n) + j] += factor.unit * columns.pivot[k] * column[i] * column[j];
  }
  return dense;
}

std::vector<double> dense_matrix(const GroundedLaplacian& a) {
  const auto n = index(a.size());
  std::vector<double> dense(n * n, 0.0);
  for (VertexId v = 0; v < a.size(); ++v) {
    dense[index(v) * n + index(v)] = a.diagonal()[index(v)];
    a.graph().visit_row(v, [&](VertexId u, double w) { dense[index(v) * n + index(u)] = -w; });
  }
  return dense;
}

std::int64_t iterations(const GroundedLaplacian& a, std::uint64_t seed) {
  const auto system = std::make_shared<const GroundedLaplacian>(a);
  const auto solver =
      make_conjugate_gradient(system, make_approximate_cholesky(*system, seed, 2), 1000);
  Rng rng(seed, 2);
  // A random answer, so that a weak ground does not put it beyond double precision.
  Block b, x(a.size(), 1);
  for (std::int64_t v = 0; v < x.rows(); ++v) x(v, 0) = rng.normal();
  a.apply(x, b);
  double norm = 0.0;
  for (std::int64_t v = 0; v < b.rows(); ++v) norm += b(v, 0) * b(v, 0);
  x = Block(a.size(), 1);
  RunContext run;
  run.threads = 1;
  const InnerResult result = solver->solve(b, x, {1e-8 * std::sqrt(norm)}, run);
  CHECK(result.outcome == Outcome::converged);
  return result.iterations;
}

}  // namespace

TEST_CASE("a forest is factored exactly") {
  Rng rng(5);
  const GroundedLaplacian a(weighted(random_tree(300, rng), 4.0, rng), ground_at(300, 41, 0.3));
  const std::vector<double> exact = dense_matrix(a);
  const std::vector<double> found = multiplied(eliminate_by_sampling(a, 9, 1), 300);
  double worst = 0.0;
  for (VertexId i = 0; i < 300; ++i)
    for (VertexId j = 0; j < 300; ++j)
      worst = std::max(
          worst, std::abs(found[index(i) * 300 + index(j)] - exact[index(i) * 300 + index(j)]) /
                     std::sqrt(a.diagonal()[index(i)] * a.diagonal()[index(j)]));
  CHECK(worst <= 1e-5);
}

TEST_CASE("the expectation of the sampled factor is the matrix") {
  Rng rng(7);
  constexpr VertexId n = 7;
  constexpr int samples = 25'000;
  std::vector<double> ground(n, 0.0);
  ground[1] = 0.4;
  ground[5] = 1.3;
  const GroundedLaplacian a(weighted(complete_graph(n), 1.0, rng), ground);
  std::vector<double> mean(n * n, 0.0), square(n * n, 0.0);
  for (int s = 0; s < samples; ++s) {
    const std::vector<double> one = multiplied(eliminate_by_sampling(a, index(s), 1), n);
    for (std::size_t i = 0; i < mean.size(); ++i) {
      mean[i] += one[i] / samples;
      square[i] += one[i] * one[i] / samples;
    }
  }
  const std::vector<double> exact = dense_matrix(a);
  for (std::size_t i = 0; i < mean.size(); ++i) {
    const double deviation = std::sqrt(std::max(0.0, square[i] - mean[i] * mean[i]) / samples);
    INFO("entry " << i);
    CHECK(std::abs(mean[i] - exact[i]) <= 5.0 * deviation + 1e-6 * std::abs(exact[i]));
  }
}

TEST_CASE("iterations grow slowly with the size, whatever the weights") {
  Rng rng(11);
  for (const double decades : {0.0, 4.0, 8.0})
    for (const VertexId side : {30, 100, 250}) {
      const VertexId n = side * side;
      const GroundedLaplacian a(weighted(grid_graph(side, side), decades, rng),
                                ground_at(n, n / 3, 1.0));
      INFO("side " << side << ", decades " << decades);
      CHECK(iterations(a, 1) <= 60);
    }
}

TEST_CASE("a ground of 1e-12 is felt: constants are not lost in the rounding") {
  Rng rng(12);
  const VertexId side = 200, n = side * side;
  const Graph mesh = weighted(grid_graph(side, side), 1.0, rng);
  const GroundedLaplacian a(mesh, ground_at(n, n / 3, 1e-12));
  CHECK(make_approximate_cholesky(a, 1, 1)->needs_double());
  CHECK_FALSE(make_approximate_cholesky({mesh, ground_at(n, n / 3, 1.0)}, 1, 1)->needs_double());
  CHECK(iterations(a, 1) <= 60);
}

TEST_CASE("odd networks are factored too") {
  Rng rng(13);
  const auto finite = [](const GroundedLaplacian& a) {
    const auto factor = make_approximate_cholesky(a, 1, 1);
    const auto positive = [&]<class Real>(Real one) {
      std::vector<Real> r(index(a.size()), one), z(r.size()), scratch;
      factor->apply(r.data(), z.data(), 1, 1, scratch);
      return std::ranges::all_of(z, [](Real value) { return std::isfinite(value) && value > 0; });
    };
    return factor->needs_double() ? positive(1.0) : positive(1.0f);
  };
  CHECK(finite({star_graph(2000), ground_at(2000, 0, 1.0)}));
  CHECK(finite({path_graph(1), {2.0}}));
  CHECK(finite({graph_from_edges(5, {}), {1, 2, 3, 4, 5}}));
  CHECK(finite({barbell_graph(40, 30), ground_at(109, 3, 1e-12)}));
  CHECK(finite({weighted(star_graph(500), 30.0, rng), ground_at(500, 7, 1e-20)}));
}

TEST_CASE("one seed, one factor; a column alone is the column among others, on any thread count") {
  Rng rng(17);
  const VertexId n = 900;
  const GroundedLaplacian a(weighted(grid_graph(30, 30), 2.0, rng), ground_at(n, 4, 1.0));
  const auto factor = make_approximate_cholesky(a, 6, 1);
  const auto again = make_approximate_cholesky(a, 6, 1);
  const auto other = make_approximate_cholesky(a, 7, 1);
  for (const std::int64_t columns : {1, 3, 8, 9, 17}) {
    std::vector<float> r(index(n * columns)), z(r.size()), same(r.size()), different(r.size()),
        scratch;
    for (float& value : r) value = static_cast<float>(rng.normal());
    factor->apply(r.data(), z.data(), columns, 1, scratch);
    again->apply(r.data(), same.data(), columns, 2, scratch);
    other->apply(r.data(), different.data(), columns, 1, scratch);
    CHECK(z == same);
    CHECK(z != different);
    for (std::int64_t c = 0; c < columns; ++c) {
      std::vector<float> column(index(n)), alone(index(n));
      for (VertexId v = 0; v < n; ++v) column[index(v)] = r[index(v * columns + c)];
      factor->apply(column.data(), alone.data(), 1, 1, scratch);
      VertexId wrong = 0;
      for (VertexId v = 0; v < n; ++v) wrong += alone[index(v)] != z[index(v * columns + c)];
      CHECK(wrong == 0);
    }
  }
}

namespace {

// Points of the unit square in order of their first coordinate, joined to those near by.
Graph strip_of_points(VertexId n, Rng& rng) {
  std::vector<std::pair<double, double>> points(index(n));
  for (auto& [x, y] : points) x = rng.uniform(), y = rng.uniform();
  std::ranges::sort(points);
  const double radius = std::sqrt(10.0 / (std::numbers::pi * n));  // ten neighbors in the mean
  std::vector<Edge> edges;
  for (VertexId u = 0; u < n; ++u) {
    if (u > 0) edges.push_back({u - 1, u, 1e-3});
    for (VertexId v = u + 1; v < n && points[index(v)].first - points[index(u)].first <= radius;
         ++v)
      if (const double dy = points[index(v)].second - points[index(u)].second,
          dx = points[index(v)].first - points[index(u)].first;
          v > u + 1 && dx * dx + dy * dy <= radius * radius)
        edges.push_back({u, v, std::exp(-(dx * dx + dy * dy) / (radius * radius))});
  }
  return graph_from_edges(n, edges);
}

bool same_columns(const SampledColumns& a, const SampledColumns& b) {
  return a.order == b.order && a.pivot == b.pivot && a.start == b.start && a.row == b.row &&
         a.weight == b.weight;
}

// Every row is eliminated once, after all rows it has entries of, and a range has no others.
void check_structure(const SampledFactor& factor, VertexId n) {
  std::vector<bool> gone(index(n), false);
  std::int64_t wrong = 0;
  const auto check = [&](const SampledColumns& columns, VertexId first, VertexId end) {
    for (std::size_t k = 0; k < columns.order.size(); ++k) {
      wrong += gone[index(columns.order[k])];
      gone[index(columns.order[k])] = true;
      wrong += !(columns.pivot[k] > 0.0);
      for (std::int64_t e = columns.start[k]; e < columns.start[k + 1]; ++e) {
        const VertexId row = columns.row[index(e)];
        wrong +=
            row < first || row >= end || gone[index(row)] || !(columns.weight[index(e)] > 0.0f);
      }
    }
  };
  for (std::size_t r = 0; r < factor.within.size(); ++r)
    check(factor.within[r], factor.first[r],
          r + 1 < factor.within.size() ? factor.first[r + 1] : n);
  check(factor.rest, 0, n);
  CHECK(wrong == 0);
  CHECK(std::ranges::count(gone, false) == 0);
}

}  // namespace

TEST_CASE("a graph cut into ranges is factored to the same bytes on any thread count") {
  Rng rng(41);
  const auto check = [&](const Graph& graph, std::size_t ranges) {
    const VertexId n = graph.vertex_count();
    std::vector<double> ground(index(n), 0.0);
    for (VertexId v = 0; v < n; v += 2) ground[index(v)] = 0.01;
    const GroundedLaplacian a(graph, ground);
    const SampledFactor one = eliminate_by_sampling(a, 3, 1);
    CHECK(one.within.size() == ranges);
    check_structure(one, n);
    std::vector<float> r(index(5 * n)), z(r.size()), same(r.size()), scratch;
    for (float& value : r) value = static_cast<float>(rng.normal());
    const auto factored = make_approximate_cholesky(a, 3, 2);
    factored->apply(r.data(), z.data(), 5, 1, scratch);
    for (const int threads : {2, 3}) {
      const SampledFactor other = eliminate_by_sampling(a, 3, threads);
      REQUIRE(other.within.size() == ranges);
      for (std::size_t i = 0; i < ranges; ++i) CHECK(same_columns(one.within[i], other.within[i]));
      CHECK(same_columns(one.rest, other.rest));
      factored->apply(r.data(), same.data(), 5, threads, scratch);
      CHECK(z == same);
    }
  };
  check(weighted(grid_graph(400, 200), 2.0, rng), 8);
  check(strip_of_points(30'000, rng), 4);
  std::vector<Edge> pairs;
  for (VertexId v = 0; v < 200'000; v += 2) pairs.push_back({v, v + 1, 2.0});
  check(graph_from_edges(200'000, pairs), 8);
  check(path_graph(200'000), 8);
  // With no range of their own.
  check(star_graph(80'000), 0);
  std::vector<Edge> random;
  for (int e = 0; e < 90'000; ++e) {
    const auto u = static_cast<VertexId>(rng.below(25'000)),
               v = static_cast<VertexId>(rng.below(25'000));
    if (u != v) random.push_back({u, v, 1.0});
  }
  for (VertexId v = 0; v < 25'000; v += 2) random.push_back({v, v + 1, 1.0});
  check(graph_from_edges(25'000, random), 0);
}

TEST_CASE("a path cut into ranges is factored exactly") {
  Rng rng(47);
  const VertexId n = 200'000;
  const GroundedLaplacian a(weighted(path_graph(n), 4.0, rng), ground_at(n, n / 3, 0.3));
  const SampledFactor factor = eliminate_by_sampling(a, 1, 2);
  REQUIRE(factor.within.size() == 8);
  Block x(n, 1), y(n, 1), exact;
  for (VertexId v = 0; v < n; ++v) x(v, 0) = rng.normal();
  const auto multiply = [&](const SampledColumns& columns) {
    for (std::size_t k = 0; k < columns.order.size(); ++k) {
      double t = x(columns.order[k], 0);
      const auto each_entry = [&](auto&& body) {
        for (std::int64_t e = columns.start[k]; e < columns.start[k + 1]; ++e)
          body(columns.row[index(e)],
               static_cast<double>(columns.weight[index(e)]) / columns.pivot[k]);
      };
      each_entry([&](VertexId row, double share) { t -= share * x(row, 0); });
      t *= factor.unit * columns.pivot[k];
      y(columns.order[k], 0) += t;
      each_entry([&](VertexId row, double share) { y(row, 0) -= share * t; });
    }
  };
  for (const SampledColumns& columns : factor.within) multiply(columns);
  multiply(factor.rest);
  a.apply(x, exact);
  double worst = 0.0;
  for (VertexId v = 0; v < n; ++v)
    worst = std::max(worst, std::abs(y(v, 0) - exact(v, 0)) / a.diagonal()[index(v)]);
  CHECK(worst <= 1e-4);
}

TEST_CASE("a cut into ranges costs few iterations") {
  // As many as half the graph, which is not cut, takes: and a few more.
  Rng rng(43);
  const auto check = [&](const GroundedLaplacian& whole, const GroundedLaplacian& small) {
    CHECK(eliminate_by_sampling(whole, 1, 2).within.size() > 1);
    CHECK(eliminate_by_sampling(small, 1, 2).within.empty());
    CHECK(5 * iterations(whole, 1) <= 6 * iterations(small, 1));
  };
  for (const double decades : {0.0, 6.0})
    check({weighted(grid_graph(250, 200), decades, rng), ground_at(50'000, 7'000, 1.0)},
          {weighted(grid_graph(199, 164), decades, rng), ground_at(199 * 164, 5'000, 1.0)});
  check({strip_of_points(60'000, rng), ground_at(60'000, 7'000, 1.0)},
        {strip_of_points(14'000, rng), ground_at(14'000, 2'000, 1.0)});
}

TEST_CASE("an elimination in ranges that is stopped at once has no preconditioner") {
  const GroundedLaplacian system(grid_graph(250, 200), ground_at(50'000, 7'000, 1.0));
  const std::atomic<bool> cancel{true};
  RunContext run = on_threads(2);
  run.cancel = &cancel;
  CHECK(make_approximate_cholesky(system, 1, 2, run) == nullptr);
}

TEST_CASE("renumbering puts a shuffled mesh in order and leaves the rest alone") {
  Rng rng(19);
  const VertexId side = 400, n = side * side;
  const Graph mesh = grid_graph(side, side);
  std::vector<VertexId> name(index(n));
  std::iota(name.begin(), name.end(), 0);
  shuffle(name, rng);
  std::vector<Edge> edges;
  for (VertexId u = 0; u < n; ++u)
    for (const VertexId v : mesh.neighbors(u))
      if (u < v) edges.push_back({name[index(u)], name[index(v)], 1.0 + rng.uniform()});
  for (VertexId v = 2; v < 60; ++v)  // a long row
    edges.push_back({name[0], name[index(v)], 1.0 + rng.uniform()});
  std::vector<double> ground(index(n));
  for (double& g : ground) g = rng.uniform();
  const auto shuffled =
      std::make_shared<const GroundedLaplacian>(graph_from_edges(n, edges), ground);

  Renumbering order(shuffled->graph());
  REQUIRE(order.changed());
  const SharedSystem renumbered = order.system(shuffled);
  std::vector<bool> seen(index(n), false);
  EdgeIndex far = 0, wrong = 0;
  for (VertexId r = 0; r < n; ++r) {
    const VertexId v = order.vertex(r);
    wrong += seen[index(v)] || renumbered->ground()[index(r)] != ground[index(v)] ||
             renumbered->graph().degree(r) != shuffled->graph().degree(v);
    seen[index(v)] = true;
    renumbered->graph().visit_row(r, [&](VertexId s, double w) {
      wrong += shuffled->graph().weight(v, order.vertex(s)) != w;
      far += std::abs(s - r) > 4 * side;
    });
  }
  CHECK(wrong == 0);
  CHECK(far == 0);
  const SharedSystem again = order.system(shuffled);  // no longer made beside the order
  CHECK(std::ranges::equal(again->graph().offset_array(), renumbered->graph().offset_array()));
  CHECK(std::ranges::equal(again->graph().neighbor_array(), renumbered->graph().neighbor_array()));
  CHECK(std::ranges::equal(again->graph().weight_array(), renumbered->graph().weight_array()));

  CHECK_FALSE(Renumbering(mesh).changed());
  // Planes 34,225 vertices apart: a third of the edges is far, and the order good all the same.
  CHECK_FALSE(Renumbering(grid_graph(8, 185, 185)).changed());
  std::vector<Edge> random;
  for (int e = 0; e < 800'000; ++e) {
    const auto u = static_cast<VertexId>(rng.below(index(n))),
               v = static_cast<VertexId>(rng.below(index(n)));
    if (u != v) random.push_back({u, v, 1.0});
  }
  CHECK_FALSE(Renumbering(graph_from_edges(n, random)).changed());
}

TEST_CASE("scattered vertices are renumbered also where breadth-first levels are wide", "[large]") {
  // Forty thousand legs of a spider: a level is further from the next than a far edge reaches.
  const VertexId legs = 40'000, n = 1 + 25 * legs;
  Rng rng(5);
  std::vector<VertexId> name(index(n));
  std::iota(name.begin(), name.end(), 0);
  shuffle(name, rng);
  std::vector<Edge> edges;
  for (VertexId v = 1; v < n; ++v)
    edges.push_back({name[index(v)], name[index(std::max(0, v - legs))], 1.0});
  CHECK(Renumbering(graph_from_edges(n, edges)).changed());
}
