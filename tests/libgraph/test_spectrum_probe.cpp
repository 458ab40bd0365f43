// What a few Lanczos steps see of a spectrum.

#include <cmath>
#include <memory>
#include <numbers>

#include "gssl/graph/generators.hpp"
#include "spectrum/spectrum_probe.hpp"
#include "support/catch.hpp"

using namespace gssl;

TEST_CASE("a probe that goes on sees what one in one go does, and soon sees where a grid begins") {
  const Graph grid = grid_graph(80, 80);
  const solve::ConnectedLaplacian laplacian(std::make_shared<const Graph>(grid),
                                            LaplacianKind::combinatorial);
  RunContext run;
  run.threads = 2;
  solve::SpectrumProbe whole(laplacian, run), parts(laplacian, run);
  whole.advance(30);
  parts.advance(10);
  const auto early = parts.estimate();
  CHECK(early.nodes.size() == 10);
  parts.advance(30);
  const auto late = parts.estimate();
  CHECK(late.nodes.size() == 30);
  CHECK(late.nodes == whole.estimate().nodes);
  CHECK(late.counts == whole.estimate().counts);
  // The 40th eigenvalue by Weyl's law, λ = 4π·40/n.
  const double weyl = 4.0 * std::numbers::pi * 40.0 / 6400.0;
  CHECK(early.value_at(40.0) == Approx(weyl).epsilon(0.5));
  CHECK(late.value_at(40.0) == Approx(weyl).epsilon(0.5));
}
