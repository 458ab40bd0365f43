// Classes solved a few columns at a time on the graph itself, against the same on a copy without
// the given vertices; and the one decision kept of each vertex, against two.

#include <algorithm>
#include <optional>
#include <span>
#include <vector>

#include "algorithms/fixtures.hpp"
#include "gssl/graph/generators.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"
#include "transductive/support/harmonic_columns.hpp"

using namespace gssl;
using namespace gssl::test;

namespace {

detail::ColumnPlan blocks_of(int width, SolverKind kind) {
  detail::ColumnPlan plan;
  plan.together = false;
  plan.width = width;
  plan.options.kind = kind;
  plan.options.tolerance = 1e-12;
  plan.run = on_threads(2);
  return plan;
}

Block quarter_each() { return Block(1, 4, {0.25, 0.25, 0.25, 0.25}); }

}  // namespace

TEST_CASE("a system on the graph itself has the answers of one without the given vertices",
          "[shared-columns]") {
  // Two components with labels, one without.
  const Graph graph = random_graph(300, 200, 5, 3);
  const LabeledSet labeled = classes({0, 1, 3, 4, 6, 99, 100, 250}, {0, 1, 2, 3, 1, 0, 2, 3}, 4);
  for (const SolverKind kind :
       {SolverKind::automatic, SolverKind::conjugate_gradient, SolverKind::multigrid,
        SolverKind::approximate_cholesky, SolverKind::cholesky}) {
    for (const bool masses : {false, true}) {
      CAPTURE(to_string(kind), masses);
      const detail::MassTarget target =
          masses ? detail::MassTarget{quarter_each(), nullptr} : detail::MassTarget{};
      const auto fit = [&](detail::HarmonicColumns columns) {
        return detail::fit_harmonic_columns(std::move(columns), graph.vertex_count(), labeled,
                                            target, {.scores = true}, blocks_of(3, kind));
      };
      const Fit twin = fit(detail::hard_columns(graph, labeled));
      const Fit shared = fit(detail::shared_columns(graph, labeled));
      CHECK(shared.report.converged());
      CHECK(shared.scores.status == twin.scores.status);
      CHECK(shared.decision == twin.decision);
      CHECK(max_difference(shared.scores.values, twin.scores.values) < 1e-9);
    }
  }
}

TEST_CASE("weights too large for such a ground are copied as before", "[shared-columns]") {
  const Graph graph = renamed(path_graph(6), identity_order(6), 1e250);
  const LabeledSet labeled = classes({0, 5}, {0, 1}, 2);
  const detail::HarmonicColumns columns = detail::shared_columns(graph, labeled);
  CHECK_FALSE(columns.holds_given);
  CHECK(columns.system.size() == 4);
}

TEST_CASE("a decision by products is that of all products, and of all scores where these are 0",
          "[shared-columns]") {
  constexpr int rows = 200, count = 7;
  Rng rng(2);
  const auto drawn = [&](std::int64_t row) {  // every third row is 0 wherever its factor is not
    const double value = rng.uniform();
    return row % 3 == 0 && value < 0.6 ? 0.0 : value;
  };
  Block scores(rows, count), factor(2, count);
  for (int k = 0; k < count; ++k) factor(1, k) = k % 2 == 0 ? 0.0 : 1.0 + k;
  for (std::int64_t r = 0; r < rows; ++r)
    for (int k = 0; k < count; ++k) scores(r, k) = r % 5 == 0 && k % 2 == 1 ? 0.0 : drawn(r);
  const auto factors = [&](std::int64_t r) {
    return r % 4 == 0 ? std::span<const double>() : std::as_const(factor).row(r % 2);
  };
  detail::RunningDecision one(rows, 3), plain(rows, 3), scaled(rows, 3);
  for (int first = 0; first < count; first += 3) {
    const int width = std::min(3, count - first);
    Block part(rows, width), product(rows, width);
    for (std::int64_t r = 0; r < rows; ++r)
      for (int k = 0; k < width; ++k) {
        part(r, k) = scores(r, first + k);
        const auto of = factors(r);
        product(r, k) = of.empty() ? 0.0 : part(r, k) * of[static_cast<std::size_t>(first + k)];
      }
    one.take(part, first, 2, [&](std::int64_t r) {
      const auto of = factors(r);
      return of.empty() ? of : of.subspan(static_cast<std::size_t>(first));
    });
    plain.take(part, first, 2);
    scaled.take(product, first, 2);
  }
  int of_products = 0;
  for (std::int64_t r = 0; r < rows; ++r) {
    const bool is_scaled = scaled.sum(r) > 0.0;
    const detail::RunningDecision& twin = is_scaled ? scaled : plain;
    of_products += is_scaled;
    CHECK(one.is_scaled(r) == is_scaled);
    CHECK(one.decision(r) == twin.decision(r));
    CHECK(one.sum(r) == twin.sum(r));
    CHECK(one.confidence(r) == twin.confidence(r));
    CHECK(std::ranges::equal(one.top_classes(r), twin.top_classes(r)));
    CHECK(std::ranges::equal(one.top_scores(r), twin.top_scores(r)));
  }
  CHECK(of_products > 20);
  CHECK(of_products < rows - 20);
}
