// Kernel methods on the vertices of a graph: the same numbers as over the kernel's matrix, and what
// they are good for.

#include <algorithm>
#include <cmath>

#include "algorithms/fixtures.hpp"
#include "gssl/batch/kernel_ridge.hpp"
#include "gssl/batch/svm.hpp"
#include "gssl/kernel/kernel_pca.hpp"
#include "gssl/learn/registry.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

using namespace gssl;
using namespace gssl::test;

TEST_CASE("the Gram matrix of vertices is that of the graph kernel", "[kernel-graph]") {
  const auto graph = std::make_shared<const Graph>(random_graph(40, 60, 3));
  for (const char* spec : {"pseudoinverse", "regularized:epsilon=0.5", "diffusion:time=0.7",
                           "von-neumann", "walk:steps=3"}) {
    const GraphKernel kernel(graph, parse_kernel(spec));
    const std::vector<VertexId> vertices = {5, 0, 39, 17};
    const Block whole = gram_of_vertices(kernel, vertices, {})->whole();
    const Block columns = kernel.columns(vertices).values;
    for (std::int64_t i = 0; i < 4; ++i)
      for (std::int64_t j = 0; j < 4; ++j)
        CHECK(whole(i, j) ==
              Approx(columns(vertices[static_cast<std::size_t>(i)], j)).margin(1e-9));
    const std::vector<std::int32_t> some = {2, 0};
    const Block part = gram_of_vertices(kernel, vertices, {})->select(some)->whole();
    CHECK(part(0, 1) == whole(2, 0));
  }
}

TEST_CASE("kernel ridge on a graph is the closed form over the kernel's matrix", "[kernel-graph]") {
  const Graph graph = random_graph(30, 50, 4);
  const LabeledSet labeled = LabeledSet::targets({1, 7, 12, 20}, {0.5, -1.0, 2.0, 0.0});
  const Fit fit =
      KernelRidgeLearner({.kernel = "regularized(epsilon=0.5)", .lambda = 0.3, .bias = false})
          .fit(graph, labeled, on_threads(1));
  // (K_ℓℓ + λI) c = y by elimination, f = K c.
  const GraphKernel kernel(std::make_shared<const Graph>(graph),
                           parse_kernel("regularized:epsilon=0.5"));
  const Block k = kernel.columns(labeled.vertices()).values;
  double a[4][5];
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < 4; ++j)
      a[i][j] = k(labeled.vertices()[static_cast<std::size_t>(i)], j) + (i == j ? 0.3 : 0.0);
    a[i][4] = labeled.target_of()[static_cast<std::size_t>(i)];
  }
  for (int p = 0; p < 4; ++p)
    for (int i = 0; i < 4; ++i) {
      if (i == p) continue;
      const double factor = a[i][p] / a[p][p];
      for (int j = 0; j < 5; ++j) a[i][j] -= factor * a[p][j];
    }
  for (VertexId v = 0; v < 30; ++v) {
    double f = 0.0;
    for (int i = 0; i < 4; ++i) f += k(v, i) * a[i][4] / a[i][i];
    const auto given = std::ranges::find(labeled.vertices(), v);
    if (given != labeled.vertices().end())  // hard labels: a given value stays as it is
      f = labeled.target_of()[static_cast<std::size_t>(given - labeled.vertices().begin())];
    CHECK(fit.scores.values(v, 0) == Approx(f).margin(1e-8));
  }
}

TEST_CASE("kernel methods label two cliques by one label each, under every graph kernel",
          "[kernel-graph]") {
  // Vertices 0 … 5 and 6 … 11, all joined within, one edge between.
  std::vector<Edge> edges = {{5, 6}};
  for (VertexId u = 0; u < 12; ++u)
    for (VertexId v = u + 1; v < 12; ++v)
      if (u / 6 == v / 6) edges.push_back({u, v});
  const Graph graph = graph_from_edges(12, edges);
  const LabeledSet labeled = classes({0, 11}, {0, 1}, 2);
  std::vector<std::string> kernels = kernel_names();
  kernels.emplace_back("auto");
  kernels.emplace_back("diffusion(time=0.5,normalized)");
  for (const std::string& kernel : kernels)
    for (const char* learner : {"svm", "kernel-ridge", "kernel-perceptron"}) {
      CAPTURE(kernel, learner);
      const MadeLearner made = builtin_learners().make(std::string(learner) + ":kernel=" + kernel);
      const Fit fit = made.transductive().fit(graph, labeled, on_threads(1));
      for (VertexId v = 0; v < 12; ++v)
        CHECK(fit.decision[static_cast<std::size_t>(v)] == (v < 6 ? 0 : 1));
    }
}

namespace {

// Two components, 0 … 4 and 5 … 7.
Graph weighted_rings() {
  return graph_from_edges(8, {{0, 1, 1.0},
                              {1, 2, 2.0},
                              {2, 3, 0.5},
                              {3, 4, 1.5},
                              {4, 0, 1.0},
                              {1, 4, 0.25},
                              {5, 6, 1.0},
                              {6, 7, 3.0}});
}

// Answers at vertices 1, 2, 4 and 6, and the two largest eigenvalues of the centered kernel, by
// scipy.linalg.expm, pinvh and numpy.linalg.
struct Composed {
  const char* kernel;
  double answers[4];
  double eigenvalues[2];
};
const Composed composed_kernels[] = {
    {"diffusion(time=1)+0.5*pseudoinverse",
     {0.101627332661, -0.0224854837639, -0.23551642872, 0.394421672322},
     {1.0, 0.697863686801}},
    {"regularized(epsilon=0.5)*diffusion(time=2)",
     {-0.00574952330983, -0.0442877251638, -0.11933813551, 0.438162800723},
     {0.578702827936, 0.229080774807}},
    {"(1+diffusion(time=0.5))^2",
     {-0.0088521232714, -0.183598951272, -0.301831979492, 0.575190453827},
     {6.12267343455, 1.38938077518}},
    {"normalize(pseudoinverse)",
     {0.385078915045, 0.211795224124, -0.179605907924, -1.59090967525},
     {2.33125758292, 2.14936608281}},
    {"2*normalize(diffusion(time=0.3)+regularized(epsilon=0.5))+0.1",
     {0.0288097482784, -0.13543681616, -0.26858159557, 0.624765274535},
     {4.79877613653, 2.08884146114}},
    {"normalize(diffusion(time=1)^2)*3*pseudoinverse",
     {0.0482950984231, 0.024225877085, -0.133478115333, -0.231790909226},
     {1.55649213957, 1.55225212058}}};

}  // namespace

TEST_CASE("composed kernels of a graph are those of the matrices that scipy gives",
          "[kernel-graph]") {
  const Graph graph = weighted_rings();
  const LabeledSet labeled = LabeledSet::targets({0, 3, 5, 7}, {0.5, -1.0, 2.0, 0.25});
  constexpr VertexId asked[] = {1, 2, 4, 6};
  for (const Composed& expected : composed_kernels) {
    CAPTURE(expected.kernel);
    const KernelRidgeLearner learner({.kernel = expected.kernel, .lambda = 0.3, .bias = false});
    const Fit fit = learner.fit(graph, labeled, on_threads(1));
    for (int i = 0; i < 4; ++i)
      CHECK(fit.scores.values(asked[i], 0) == Approx(expected.answers[i]).margin(1e-9));
    CHECK(learner.fit(graph, labeled, on_threads(4)).scores.values == fit.scores.values);
    const KernelPca pca = kernel_pca_of_graph(expected.kernel, graph, {.dimensions = 2});
    for (std::size_t i = 0; i < 2; ++i)
      CHECK(pca.eigenvalues.at(i) == Approx(expected.eigenvalues[i]).epsilon(1e-9));
  }
}

TEST_CASE("normalization leaves 0 where a vertex stands alone", "[kernel-graph]") {
  const Graph graph = graph_from_edges(3, {{0, 1}});
  const Fit fit = KernelRidgeLearner({.kernel = "normalize(pseudoinverse)", .bias = false})
                      .fit(graph, LabeledSet::targets({0}, {1.0}));
  CHECK(fit.scores.values(1, 0) == Approx(-0.5));  // lambda = 1
  CHECK(fit.scores.values(2, 0) == 0.0);
}

TEST_CASE("kernels of points and of a graph are not mixed", "[kernel-graph]") {
  for (const char* kernel :
       {"diffusion+gaussian", "linear*walk", "normalize(diffusion)+columns(1,linear)", "diffusion+",
        "diffusion(time=1)-walk", "2*diffusion(tim=1)"}) {
    CAPTURE(kernel);
    CHECK(error_of([&] { SvmLearner({.kernel = kernel}); })->code() == ErrorCode::usage);
  }
}

TEST_CASE("a kernel of the wrong kind is said", "[kernel-graph]") {
  const Graph graph = random_graph(10, 10, 5);
  const LabeledSet labeled = classes({0, 5}, {0, 1}, 2);
  CHECK_THROWS_WITH(SvmLearner({.kernel = "gaussian(beta=1)"}).fit(graph, labeled),
                    Catch::Matchers::Contains("svm: kernel gaussian(beta=1) is of points: on a "
                                              "graph take one of pseudoinverse"));
  CHECK_THROWS_WITH(SvmLearner({.kernel = "diffusion(time=-1)"}),
                    Catch::Matchers::Contains("time"));
  CHECK_THROWS_WITH(SvmLearner({.kernel = "diffusion(time=1"}),
                    Catch::Matchers::Contains("position 17: the end: expected ')'"));
}
