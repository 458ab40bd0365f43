// Eigenpairs against dense matrices, against outside values, and against what theory says.

#include <algorithm>
#include <atomic>
#include <cmath>
#include <memory>
#include <numbers>
#include <numeric>

#include "factor/float_factor.hpp"
#include "gssl/core/dense.hpp"
#include "gssl/graph/components.hpp"
#include "gssl/graph/generators.hpp"
#include "gssl/graph/graph_builder.hpp"
#include "gssl/linalg/spectrum.hpp"
#include "spectrum/block_lanczos.hpp"
#include "spectrum_support.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

using namespace gssl;
using namespace gssl::test;

namespace {

constexpr SpectrumMethod methods[] = {SpectrumMethod::automatic, SpectrumMethod::dense,
                                      SpectrumMethod::lanczos, SpectrumMethod::inversion,
                                      SpectrumMethod::spectra};

struct Case {
  std::string name;
  Graph graph;
};

std::vector<Case> small_graphs() {
  std::vector<Case> list;
  Rng rng(7);
  list.push_back({"single vertex", path_graph(1)});
  list.push_back({"no edges", graph_from_edges(4, {})});
  list.push_back({"one edge", path_graph(2)});
  list.push_back({"path", path_graph(30)});
  list.push_back({"star", star_graph(40)});
  list.push_back({"complete", complete_graph(30)});
  list.push_back({"cycle", cycle_graph(36)});
  list.push_back({"grid", grid_graph(6, 6)});
  list.push_back({"tree", random_tree(60, rng)});
  list.push_back({"barbell", barbell_graph(10, 5)});
  list.push_back(
      {"weighted", with_log_uniform_weights(erdos_renyi_graph(50, 0.1, rng), 1e-4, 1e4, rng)});
  list.push_back({"parts", erdos_renyi_graph(60, 0.03, rng)});
  return list;
}

}  // namespace

TEST_CASE("every method finds the eigenvalues of the dense matrix, copies included") {
  Rng rng(3);
  std::vector<Case> list = small_graphs();
  // Large enough for the iterations.
  list.push_back({"large star", star_graph(400)});
  list.push_back({"large complete", complete_graph(300)});
  list.push_back({"large grid", grid_graph(18, 18)});
  list.push_back(
      {"torus", [] {
         std::vector<Edge> edges;  // 7³, each eigenvalue 6-fold or more
         const auto at = [](int x, int y, int z) {
           return static_cast<VertexId>((x % 7 * 7 + y % 7) * 7 + z % 7);
         };
         for (int x = 0; x < 7; ++x)
           for (int y = 0; y < 7; ++y)
             for (int z = 0; z < 7; ++z)
               for (const VertexId v : {at(x + 1, y, z), at(x, y + 1, z), at(x, y, z + 1)})
                 edges.push_back({at(x, y, z), v});
         return graph_from_edges(343, edges);
       }()});
  list.push_back({"sparse random", erdos_renyi_graph(350, 0.012, rng)});
  list.push_back({"blocks", stochastic_block_model({100, 100, 100}, 0.1, 0.003, rng)});
  list.push_back({"contrast", with_log_uniform_weights(grid_graph(20, 20), 1e-4, 1e4, rng)});
  list.push_back({"bipartite", [] {
                    std::vector<Edge> edges;
                    for (VertexId u = 0; u < 12; ++u)
                      for (VertexId v = 12; v < 300; ++v)
                        if ((u * v) % 5 < 2) edges.push_back({u, v});
                    return graph_from_edges(300, edges);
                  }()});
  for (const Case& c : list) {
    for (const LaplacianKind kind : kinds) {
      const std::vector<double> truth = dense_values(c.graph, kind);
      const double size = std::max(1.0, truth.back());
      for (const SpectrumMethod method : methods) {
        CAPTURE(c.name, static_cast<int>(kind), to_string(method));
        const Spectrum s = smallest_eigenpairs(
            c.graph, {.count = 12, .kind = kind, .method = method}, on_threads(1));
        INFO(s.sentence);
        CHECK(s.outcome == Outcome::converged);
        REQUIRE(s.values.size() == std::min<std::size_t>(12, truth.size()));
        double worst = 0.0;
        for (std::size_t j = 0; j < s.values.size(); ++j)
          worst = std::max(worst, std::abs(s.values[j] - truth[j]));
        CHECK(worst < 1e-8 * size);
        check_pairs(c.graph, kind, s);
      }
    }
  }
}

TEST_CASE("eigenvalues of grids, paths and cubes are those of the formulas") {
  const auto path = [](int n, int j) { return 2.0 - 2.0 * std::cos(std::numbers::pi * j / n); };
  std::vector<double> grid;
  for (int i = 0; i < 80; ++i)
    for (int j = 0; j < 80; ++j) grid.push_back(path(80, i) + path(80, j));
  std::sort(grid.begin(), grid.end());
  for (const SpectrumMethod method : {SpectrumMethod::lanczos, SpectrumMethod::inversion}) {
    CAPTURE(to_string(method));
    const Spectrum s = smallest_eigenpairs(
        grid_graph(80, 80), {.count = 15, .kind = LaplacianKind::combinatorial, .method = method},
        on_threads(1));
    CHECK(s.outcome == Outcome::converged);
    for (std::size_t j = 0; j < 15; ++j) CHECK(std::abs(s.values[j] - grid[j]) < 1e-6 * grid[14]);
  }

  // The cube of dimension 11: 2j with binomial multiplicity, 1 + 11 copies before the next.
  std::vector<Edge> edges;
  for (VertexId v = 0; v < 2048; ++v)
    for (int bit = 0; bit < 11; ++bit)
      if ((v & (1 << bit)) == 0) edges.push_back({v, v | (1 << bit)});
  const Spectrum cube =
      smallest_eigenpairs(graph_from_edges(2048, edges),
                          {.count = 14, .kind = LaplacianKind::combinatorial}, on_threads(1));
  CHECK(cube.outcome == Outcome::converged);
  for (std::size_t j = 1; j < 12; ++j) CHECK(cube.values[j] == Approx(2.0).epsilon(1e-9));
  for (std::size_t j = 12; j < 14; ++j) CHECK(cube.values[j] == Approx(4.0).epsilon(1e-9));

  const Spectrum path_pairs = smallest_eigenpairs(
      path_graph(3000), {.count = 5, .kind = LaplacianKind::combinatorial}, on_threads(1));
  for (int j = 1; j < 5; ++j) {
    CHECK(path_pairs.values[static_cast<std::size_t>(j)] == Approx(path(3000, j)).epsilon(1e-6));
    // cos(πj(v + ½)/n)·√(2/n), with the sign that makes its first largest entry positive
    double worst = 0.0;
    for (VertexId v = 0; v < 3000; ++v)
      worst = std::max(worst, std::abs(path_pairs.vectors(v, j) -
                                       std::sqrt(2.0 / 3000) *
                                           std::cos(std::numbers::pi * j * (v + 0.5) / 3000)));
    CHECK(worst < 1e-4);
  }
}

TEST_CASE("the null vectors are exact, one for each component, in order") {
  // 0-1-2, 3 alone, 4-5
  const Graph graph = graph_from_edges(6, {{0, 1}, {1, 2, 2.0}, {4, 5}});
  const Spectrum s = smallest_eigenpairs(graph, {.count = 4}, on_threads(1));
  CHECK(s.component_count == 3);
  CHECK(s.zero_count == 3);
  CHECK(s.component_of == std::vector<VertexId>{0, 1, 2, 0});
  CHECK(s.values[0] == 0.0);
  CHECK(s.values[3] == Approx(1.0));  // a path of 3 is bipartite: 0, 1, 2
  CHECK(s.vectors(1, 0) == Approx(std::sqrt(0.5)));
  CHECK(s.vectors(3, 1) == 1.0);
  CHECK(s.vectors(4, 2) == Approx(std::sqrt(0.5)));
  const Spectrum two = smallest_eigenpairs(graph, {.count = 2}, on_threads(1));
  CHECK(two.zero_count == 2);
  CHECK(two.values == std::vector<double>{0.0, 0.0});
  CHECK(smallest_eigenpairs(graph, {.count = 99}, on_threads(1)).values.size() == 6);
  CHECK(smallest_eigenpairs(Graph(), {.count = 3}, on_threads(1)).values.empty());
}

TEST_CASE("more pairs than many small components have zeros") {
  // Component c is a path c, c + 500, c + 1000 with both weights 1 + c/100: 0, that, three times
  // that.
  constexpr VertexId count = 500;
  std::vector<Edge> edges;
  std::vector<double> truth(count, 0.0);
  for (VertexId c = 0; c < count; ++c) {
    const double w = 1.0 + c / 100.0;
    edges.push_back({c, c + count, w});
    edges.push_back({c + count, c + 2 * count, w});
    truth.push_back(w);
    truth.push_back(3.0 * w);
  }
  std::sort(truth.begin(), truth.end());
  const Graph graph = graph_from_edges(3 * count, edges);
  const Spectrum s = smallest_eigenpairs(
      graph, {.count = 900, .kind = LaplacianKind::combinatorial}, on_threads(1));
  CHECK(s.outcome == Outcome::converged);
  CHECK(s.zero_count == count);
  REQUIRE(s.values.size() == 900);
  double worst = 0.0, elsewhere = 0.0;
  for (std::size_t j = 0; j < 900; ++j) {
    worst = std::max({worst, std::abs(s.values[j] - truth[j]), s.residuals[j]});
    for (VertexId v = 0; v < 3 * count; ++v)
      if (v % count != s.component_of[j])
        elsewhere = std::max(elsewhere, std::abs(s.vectors(v, static_cast<std::int64_t>(j))));
  }
  CHECK(worst < 1e-12);
  CHECK(elsewhere == 0.0);
}

TEST_CASE("inversion by the iterative solver finds what inversion by a factor finds") {
  const auto graph = std::make_shared<const Graph>(grid_graph(9, 10, 11));
  const solve::ConnectedLaplacian laplacian(graph, LaplacianKind::symmetric);
  std::string used;
  const auto inverse = solve::make_iterative_inverse(laplacian, 0.0, 1e-9, on_threads(1), used);
  CHECK_FALSE(used.empty());
  const solve::RitzPairs pairs =
      solve::smallest_pairs(laplacian, *inverse, {.wanted = 9}, on_threads(1));
  CHECK(pairs.outcome == Outcome::converged);
  const Spectrum s = smallest_eigenpairs(*graph, {.count = 10, .method = SpectrumMethod::inversion},
                                         on_threads(1));
  for (std::size_t j = 0; j < 9; ++j)
    CHECK(pairs.values[j] == Approx(s.values[j + 1]).epsilon(1e-7));

  // One digit is too few: the residuals miss, and the run ends and says so.
  const auto coarse = solve::make_iterative_inverse(laplacian, 0.0, 0.3, on_threads(1), used);
  const solve::RitzPairs missed = solve::smallest_pairs(
      laplacian, *coarse, {.wanted = 9, .tolerance = 1e-9, .max_steps = 60}, on_threads(1));
  const bool good = std::all_of(missed.residuals.begin(), missed.residuals.end(),
                                [](double r) { return r <= 1e-9; });
  CHECK(good == (missed.outcome == Outcome::converged));
}

TEST_CASE("eigenpairs are the same bytes on one thread and on four") {
  Rng rng(9);
  const Graph graph = random_geometric_graph(9000, 0.02, rng);
  for (const SpectrumMethod method : {SpectrumMethod::lanczos, SpectrumMethod::inversion}) {
    const SpectrumOptions options{.count = 8, .method = method};
    const Spectrum one = smallest_eigenpairs(graph, options, on_threads(1));
    const Spectrum four = smallest_eigenpairs(graph, options, on_threads(4));
    CHECK(one.outcome == Outcome::converged);
    CHECK(one.values == four.values);
    CHECK(one.vectors == four.vectors);
    CHECK(one.residuals == four.residuals);
  }
}

TEST_CASE("a stopped run returns pairs with their true residuals and says so") {
  const Graph graph = grid_graph(60, 60);
  std::atomic<bool> cancel = true;
  RunContext run = on_threads(1);
  run.cancel = &cancel;
  const Spectrum s =
      smallest_eigenpairs(graph, {.count = 6, .method = SpectrumMethod::lanczos}, run);
  CHECK(s.outcome == Outcome::cancelled);
  check_pairs(graph, LaplacianKind::symmetric, s);
  run.cancel = nullptr;
  run.deadline = RunContext::Clock::now();
  CHECK(smallest_eigenpairs(graph, {.count = 6}, run).outcome == Outcome::time_limit);
}

TEST_CASE("a run stopped before its basis is wide enough returns the pairs it has", "[large]") {
  const Graph graph = grid_graph(110, 100);
  for (const bool by_deadline : {false, true}) {
    CAPTURE(by_deadline);
    std::atomic<bool> cancel = false;
    RunContext run = on_threads(1);
    run.cancel = &cancel;
    int steps = 0;
    run.progress = [&](std::string_view stage, double) {
      if (stage != "eigenpairs" || ++steps != 30) return;
      if (by_deadline)
        run.deadline = RunContext::Clock::now();
      else
        cancel = true;
    };
    const Spectrum s =
        smallest_eigenpairs(graph, {.count = 240, .method = SpectrumMethod::inversion}, run);
    CHECK(s.outcome == (by_deadline ? Outcome::time_limit : Outcome::cancelled));
    CHECK(s.values.size() <= 121);  // 30 blocks of four, and the zero
    CHECK(s.values.size() > (by_deadline ? 120 : 20));
    CHECK(s.values[1] == Approx((1.0 - std::cos(std::numbers::pi / 110)) / 2.0).epsilon(0.02));
    check_residuals(graph, LaplacianKind::symmetric, s);
    std::ptrdiff_t good = 0;
    for (std::size_t j = 0; j < s.values.size(); ++j)
      good += s.residuals[j] <= std::min(1e-6, std::max(s.values[j] / 100.0, 2e-13));
    CHECK(good > 1);
    CHECK(s.sentence.find(", " + std::to_string(good) + " within the tolerance") !=
          std::string::npos);
  }
}

TEST_CASE("a basis whose turn is cancelled says that it is of no use") {
  const Block locked(3000, 1, 1.0 / std::sqrt(3000.0));
  solve::KrylovBasis basis(locked, 4, solve::Orthogonality::sparing);
  std::atomic<bool> cancel = false;
  RunContext run = on_threads(2);
  run.cancel = &cancel;
  Block block = solve::random_block(3000, 4, run, 1);
  basis.orthogonalize(block, 2);
  std::uint64_t stream = 2;
  basis.orthonormalize(block, 0.0, run, stream);
  basis.append(block);
  Block swap(4, 4);
  for (int i = 0; i < 4; ++i) swap(i, 3 - i) = 1.0;
  REQUIRE(basis.rotate(swap, run));
  for (int j = 0; j < 4; ++j) CHECK(basis.last()(7, j) == block(7, 3 - j));
  cancel = true;
  CHECK_FALSE(basis.rotate(swap, run));
}

TEST_CASE("the products planned for a polynomial are about those that many pairs take") {
  Rng rng(1);
  const Graph all = rmat_graph(13, 16, rng);
  const Components components = connected_components(all);
  const auto largest = std::ranges::max_element(components.sizes) - components.sizes.begin();
  const Graph graph = component_graph(all, components, static_cast<VertexId>(largest)).graph;
  for (const int count : {10, 50, 100}) {
    const Spectrum s = smallest_eigenpairs(graph, {.count = count}, on_threads(1));
    INFO(s.sentence);
    CHECK(s.outcome == Outcome::converged);
    REQUIRE(s.used == "lanczos");
    const auto number_after = [&](const std::string& words) {
      const std::size_t at = s.sentence.find(words);
      REQUIRE(at != std::string::npos);
      return std::stod(s.sentence.substr(at + words.size()));
    };
    const double planned = number_after("would take about ");
    const double products = static_cast<double>(s.steps) * number_after("polynomial of degree ");
    CHECK(products < 1.5 * planned);
    CHECK(planned < 1.5 * products);
  }
}

TEST_CASE("a basis hands out the blocks it has left behind before new memory is taken") {
  const RunContext run = on_threads(1);
  const Block locked(3000, 1, 1.0 / std::sqrt(3000.0));
  solve::KrylovBasis basis(locked, 4, solve::Orthogonality::sparing);
  std::uint64_t stream = 9;
  for (int b = 0; b < 3; ++b) {
    Block block = solve::random_block(3000, 4, run, stream++);
    basis.orthogonalize(block, 1);
    basis.orthonormalize(block, 0.0, run, stream);
    basis.append(std::move(block));
  }
  const std::vector<const double*> places = {basis.block(1).data(), basis.block(2).data()};
  CHECK(basis.spare().rows() == 0);
  Block keep(12, 4);
  for (int i = 0; i < 4; ++i) keep(2 * i, i) = 1.0;
  REQUIRE(basis.rotate(keep, run));
  CHECK(basis.columns() == 4);
  for (const double* place : places) {
    Block block = basis.spare();
    CHECK(block.data() == place);
    block = basis.last();  // as operators do
    CHECK(block.data() == place);
  }
  CHECK(basis.spare().rows() == 0);
}

TEST_CASE("spectrum options are checked and methods have names") {
  for (const SpectrumOptions& wrong :
       {SpectrumOptions{.count = 0}, SpectrumOptions{.tolerance = 0.0},
        SpectrumOptions{.tolerance = std::nan("")}, SpectrumOptions{.tolerance = 1.0}}) {
    const auto error = error_of([&] { smallest_eigenpairs(path_graph(3), wrong, on_threads(1)); });
    REQUIRE(error);
    CHECK(error->code() == ErrorCode::usage);
  }
  for (const std::string& name : spectrum_method_names())
    CHECK(to_string(parse_spectrum_method(name)) == name);
  CHECK(error_of([] { parse_spectrum_method("magic"); }));
}

TEST_CASE("a factor of floats solves to their digits and leaves constants alone") {
  Rng rng(5);
  std::vector<Edge> edges;
  const auto weight = [&] { return std::pow(10.0, 4.0 * rng.uniform()); };
  const auto before = [&](VertexId v) {
    return static_cast<VertexId>(rng.below(static_cast<std::uint64_t>(v)));
  };
  for (VertexId v = 1; v < 600; ++v)
    for (int i = 0; i < 3; ++i) edges.push_back({before(v), v, weight()});
  const Graph graph = graph_from_edges(600, edges);
  const auto exact = make_network_factor(graph, {});
  const auto inverse =
      solve::make_float_factor(graph, *solve::analyze_network(graph, no_vertex), {});
  for (const std::int64_t columns : {1, 4, 7}) {
    Block b(600, columns), x;
    for (std::int64_t i = 0; i < 600 * columns; ++i) b.data()[i] = rng.normal();
    exact->solve(b, x, {});
    Block y = b;
    inverse->solve(y, {});
    double worst = 0.0, largest = 0.0;
    for (std::int64_t i = 0; i < 600 * columns; ++i) {
      worst = std::max(worst, std::abs(x.data()[i] - y.data()[i]));
      largest = std::max(largest, std::abs(x.data()[i]));
    }
    CHECK(worst < 1e-5 * largest);
    CHECK(worst > 0.0);
  }
}

TEST_CASE("eigenpairs of a path whose vertices lie scattered over the memory") {
  constexpr VertexId n = 80'000;
  std::vector<VertexId> place(n);
  std::iota(place.begin(), place.end(), VertexId{0});
  Rng rng(3);
  shuffle(place, rng);
  std::vector<Edge> edges;
  for (std::size_t i = 1; i < place.size(); ++i) edges.push_back({place[i - 1], place[i], 1.0});
  const Spectrum s =
      smallest_eigenpairs(graph_from_edges(n, edges),
                          {.count = 4, .kind = LaplacianKind::combinatorial}, on_threads(2));
  CHECK(s.outcome == Outcome::converged);
  for (int k = 1; k < 4; ++k) {
    const double half = std::sin(k * std::numbers::pi / (2.0 * n));
    CHECK(s.values[static_cast<std::size_t>(k)] == Approx(4.0 * half * half).epsilon(1e-6));
    // The k-th vector is a cosine along the path.
    const double first = s.vectors(place[0], k), last = s.vectors(place[n - 1], k);
    CHECK(first == Approx(k % 2 == 0 ? last : -last).epsilon(1e-3));
    CHECK(std::abs(first) == Approx(std::sqrt(2.0 / n)).epsilon(1e-3));
  }
}
