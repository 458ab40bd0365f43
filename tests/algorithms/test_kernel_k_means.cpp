// Kernel k-means against distances from the whole kernel matrix.

#include <algorithm>
#include <cmath>
#include <numeric>

#include "algorithms/fixtures.hpp"
#include "gssl/cluster/kernel_k_means.hpp"
#include "gssl/graph/generators.hpp"
#include "gssl/learn/registry.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

using namespace gssl;
using namespace gssl::test;

namespace {

// Squared distances of all vertices to the means of all clusters, from the definition.
std::vector<std::vector<double>> distances(const Block& k, const Partition& p) {
  const std::size_t n = p.cluster_of.size();
  std::vector<std::vector<double>> found(n);
  for (std::size_t v = 0; v < n; ++v) {
    for (int c = 0; c < p.count; ++c) {
      double size = 0.0, to = 0.0, within = 0.0;
      for (std::size_t u = 0; u < n; ++u) {
        if (p.cluster_of[u] != c) continue;
        size += 1.0;
        to += k(static_cast<std::int64_t>(v), static_cast<std::int64_t>(u));
        for (std::size_t w = 0; w < n; ++w)
          if (p.cluster_of[w] == c)
            within += k(static_cast<std::int64_t>(u), static_cast<std::int64_t>(w));
      }
      const auto row = static_cast<std::int64_t>(v);
      found[v].push_back(k(row, row) - 2.0 * to / size + within / (size * size));
    }
  }
  return found;
}

Block whole_kernel(const Graph& graph, const GraphKernelOptions& options) {
  std::vector<VertexId> all(static_cast<std::size_t>(graph.vertex_count()));
  std::iota(all.begin(), all.end(), 0);
  return GraphKernel(std::make_shared<const Graph>(graph), options, on_threads(1))
      .columns(all, on_threads(1))
      .values;
}

}  // namespace

TEST_CASE("kernel k-means ends where every vertex is nearest to the mean of its own cluster") {
  const Graph graph = random_graph(60, 90, 7);
  for (const std::string& name : kernel_names()) {
    for (const bool normalized : {false, true}) {
      CAPTURE(name, normalized);
      GraphKernelOptions kernel = parse_kernel(name);
      kernel.normalized = normalized;
      const KernelKMeansClusterer clusterer({.kernel = kernel});
      const Partition p = clusterer.cluster(graph, 5, on_threads(1));
      REQUIRE(p.report.converged());
      REQUIRE(p.count == 5);
      const Block k = whole_kernel(graph, kernel);
      const auto d = distances(k, p);
      double trace = 0.0, inertia = 0.0;
      for (std::size_t v = 0; v < d.size(); ++v) {
        const auto row = static_cast<std::int64_t>(v);
        const double own = d[v][static_cast<std::size_t>(p.cluster_of[v])];
        trace += k(row, row);
        inertia += own;
        CHECK(own <= *std::ranges::min_element(d[v]) + 1e-8 * k(row, row));
      }
      // The similarity is what the inertia leaves of the trace, and never falls.
      const std::vector<double>& similarity = p.report.certificates.front().values;
      CHECK(similarity.back() == Approx(trace - inertia).epsilon(1e-8));
      for (std::size_t i = 1; i < similarity.size(); ++i)
        CHECK(similarity[i] >= similarity[i - 1] * (1.0 - 1e-10));
    }
  }
}

TEST_CASE("kernel k-means finds cliques and components, at any number of threads") {
  const auto clusterer = std::move(made("kernel-k-means:time=2").clusterer_learner);
  const Partition cliques = clusterer->cluster(two_cliques(12), 2, on_threads(1));
  for (VertexId v = 0; v < 24; ++v)
    CHECK(cliques.cluster_of[static_cast<std::size_t>(v)] == v / 12);
  const Graph parts = random_graph(60, 200, 3, 3);  // part of v is v mod 3
  const Partition p = clusterer->cluster(parts, 3, on_threads(1));
  for (VertexId v = 0; v < 60; ++v) CHECK(p.cluster_of[static_cast<std::size_t>(v)] == v % 3);

  const Graph blocks = grid_graph(90, 70);
  const Partition one = clusterer->cluster(blocks, 4, on_threads(1));
  const Partition four = clusterer->cluster(blocks, 4, on_threads(4));
  CHECK(one.cluster_of == four.cluster_of);
  CHECK(one.report.certificates.front().values == four.report.certificates.front().values);
}

TEST_CASE("kernel k-means at its borders: one cluster, all vertices, no edges, limits") {
  const Graph graph = random_graph(20, 25, 5);
  const auto clusterer = std::move(made("kernel-k-means").clusterer_learner);
  CHECK(clusterer->cluster(graph, 1, on_threads(1)).count == 1);
  CHECK(clusterer->cluster(graph, 20, on_threads(1)).count == 20);
  CHECK(clusterer->cluster(graph_from_edges(4, {}), 3, on_threads(1)).count == 3);
  // L⁺ of a graph without edges is 0: every distance is.
  CHECK(made("kernel-k-means:kernel=pseudoinverse")
            .clusterer()
            .cluster(graph_from_edges(4, {}), 2, on_threads(1))
            .count == 2);
  for (const int k : {0, 21}) CHECK(error_of([&] { clusterer->cluster(graph, k, on_threads(1)); }));
  const Partition short_run =
      made("kernel-k-means:rounds=1,restarts=1").clusterer().cluster(graph, 4, on_threads(1));
  CHECK(short_run.report.certificates.front().values.size() == 1);
  RunContext late = on_threads(1);
  late.deadline = RunContext::Clock::now();
  CHECK(clusterer->cluster(graph, 4, late).report.outcome == Outcome::time_limit);
  // Products that miss their tolerance are what the outcome is about.
  const Partition rough = made("kernel-k-means:kernel=pseudoinverse,tolerance=1e-30,restarts=1")
                              .clusterer()
                              .cluster(graph, 2, on_threads(1));
  CHECK_FALSE(rough.report.converged());
  REQUIRE(rough.report.warnings.size() == 1);
  CHECK(rough.report.warnings.front().find("residual") != std::string::npos);
  CHECK(error_of([] { made("kernel-k-means:kernel=diffusion,steps=3"); }));
  CHECK(error_of([] { made("kernel-k-means:kernel=heat"); }));
  const std::string spec = made("kernel-k-means:kernel=walk,steps=3").spec;
  CHECK(made(spec).spec == spec);
  CHECK(error_of([] { made("kernel-k-means:restarts=0"); }));
  CHECK(error_of([] { KernelKMeansClusterer({.max_rounds = 0}); }));
  CHECK(clusterer->suggest_count(two_cliques(12), 6, on_threads(1)) == 2);
}

TEST_CASE("kernel k-means takes an expression of graph kernels", "[kernel-k-means]") {
  const LearnerRegistry registry = builtin_learners();
  // Three cliques in a chain.
  std::vector<Edge> edges;
  for (VertexId k = 0; k < 3; ++k)
    for (VertexId i = 0; i < 6; ++i)
      for (VertexId j = 0; j < i; ++j) edges.push_back({6 * k + i, 6 * k + j});
  edges.push_back({0, 6});
  edges.push_back({7, 12});
  const Graph graph = graph_from_edges(18, edges);
  const auto clusters = [&](const std::string& options) {
    return registry.make("kernel-k-means:" + options).clusterer().cluster(graph, 3).cluster_of;
  };
  const std::vector<int> plain = clusters("kernel=diffusion,time=1");
  for (const char* kernel :
       {"kernel=diffusion(time=1)", "kernel=3*diffusion(time=1)+0.2", "kernel=diffusion(time=1)^2",
        "kernel=normalize(diffusion(time=1)+0.1*pseudoinverse)"})
    CHECK(clusters(kernel) == plain);
  for (const char* wrong : {"kernel=linear", "kernel=diffusion(time=1),time=2", "kernel=2*"})
    CHECK(error_of([&] { clusters(wrong); })->code() == ErrorCode::usage);
}
