// Partitions by hand, against slow twins, and on graphs whose classes are known; reference
// eigenvalues of ../shared.

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "algorithms/fixtures.hpp"
#include "gssl/cluster/cut_objectives.hpp"
#include "gssl/cluster/k_means.hpp"
#include "gssl/cluster/spectral.hpp"
#include "gssl/core/dense.hpp"
#include "gssl/evaluate/partition_agreement.hpp"
#include "gssl/graph/generators.hpp"
#include "gssl/graph/graph_builder.hpp"
#include "gssl/learn/clusterer.hpp"
#include "gssl/linalg/spectrum.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

using namespace gssl;
using namespace gssl::test;

namespace {

std::vector<int> classes_of_component(const std::string& name) {
  const std::vector<int> all =
      shared_integers("data/graphs/" + name + "/plain/" + name + ".labels.txt");
  std::vector<int> kept;
  for (const int v : shared_integers("reference/graphs/" + name + ".lcc_ids.txt"))
    kept.push_back(all.at(static_cast<std::size_t>(v)));
  return kept;
}

double nmi_of(const std::string& spec, const Graph& graph, int k, const std::vector<int>& truth) {
  const Partition p = made(spec).clusterer().cluster(graph, k, on_threads(1));
  CHECK(p.report.converged());
  return partition_agreement(p.cluster_of, truth).nmi;
}

// Mistakes under the better of the two ways to name two clusters.
int mistakes(const std::vector<int>& a, const std::vector<int>& b) {
  int wrong = 0;
  for (std::size_t i = 0; i < a.size(); ++i) wrong += a[i] != b[i] ? 1 : 0;
  return std::min(wrong, static_cast<int>(a.size()) - wrong);
}

std::vector<int> random_partition(VertexId n, int k, std::uint64_t seed) {
  Rng rng(seed);
  std::vector<int> p;
  for (VertexId v = 0; v < n; ++v)
    p.push_back(static_cast<int>(rng.below(static_cast<std::uint64_t>(k))));
  return p;
}

}  // namespace

TEST_CASE("eigenvalues and Fiedler vectors of the shared graphs equal scipy's", "[large]") {
  for (const std::string name : {"karate", "dolphins", "polbooks", "football", "news_2cl_1",
                                 "news_3cl_1_0.1", "eu-core", "polblogs", "yeast_ppi"}) {
    const auto graph = shared_largest_component(name);
    if (!graph) {
      WARN("skipped: ../shared is absent");
      return;
    }
    CAPTURE(name);
    const std::string stem = "reference/graphs/" + name;
    for (const LaplacianKind kind : {LaplacianKind::combinatorial, LaplacianKind::symmetric}) {
      const bool normalized = kind == LaplacianKind::symmetric;
      const Block expected = shared_block(
          stem + (normalized ? ".normalized_laplacian" : ".laplacian") + "_eigenvalues.csv");
      for (const SpectrumMethod method :
           {SpectrumMethod::automatic, SpectrumMethod::lanczos, SpectrumMethod::inversion}) {
        if (method != SpectrumMethod::automatic && name != "polblogs" && name != "news_2cl_1")
          continue;
        const Spectrum s = smallest_eigenpairs(
            *graph, {.count = 10, .kind = kind, .tolerance = 1e-8, .method = method},
            on_threads(1));
        CAPTURE(normalized, s.sentence);
        CHECK(s.outcome == Outcome::converged);
        double worst = 0.0;
        for (std::size_t j = 0; j < 10; ++j)
          worst =
              std::max(worst, std::abs(s.values[j] - expected(static_cast<std::int64_t>(j), 0)));
        CHECK(worst < 1e-9);
        if (normalized) continue;
        const Block fiedler = shared_block(stem + ".fiedler_vector.csv");
        double plus = 0.0, minus = 0.0;
        for (VertexId v = 0; v < graph->vertex_count(); ++v) {
          plus = std::max(plus, std::abs(s.vectors(v, 1) - fiedler(v, 0)));
          minus = std::max(minus, std::abs(s.vectors(v, 1) + fiedler(v, 0)));
        }
        CHECK(std::min(plus, minus) < 1e-6);
      }
    }
  }
}

TEST_CASE("cut objectives of a hand-checked partition") {
  // 0-1 (2), 1-2 (1), 2-3 (4), 3-0 (3): clusters {0, 1} and {2, 3} are cut at weight 4
  const Graph graph = graph_from_edges(4, {{0, 1, 2.0}, {1, 2, 1.0}, {2, 3, 4.0}, {0, 3, 3.0}});
  const CutObjectives o = cut_objectives(graph, std::vector<int>{0, 0, 1, 1}, 2);
  CHECK(o.cut == Approx(4.0));
  CHECK(o.ratio_cut == Approx(4.0));            // 4/2 + 4/2
  CHECK(o.ncut == Approx(4.0 / 8 + 4.0 / 12));  // volumes 8 and 12
  CHECK(o.conductance == Approx(0.5));          // 4 / min(8, 12)
  CHECK(o.modularity == Approx(2.0 / 10 - 0.16 + 4.0 / 10 - 0.36));
  const CutObjectives one = cut_objectives(graph, std::vector<int>{0, 0, 0, 0}, 1);
  CHECK(one.cut == 0.0);
  CHECK(one.modularity == Approx(0.0));
  CHECK(cut_objectives(graph_from_edges(2, {}), std::vector<int>{0, 1}, 2).modularity == 0.0);
  CHECK(error_of([&] { cut_objectives(graph, std::vector<int>{0, 1}, 2); }));
  CHECK(error_of([&] { cut_objectives(graph, std::vector<int>{0, 1, 2, 0}, 2); }));
}

TEST_CASE("cut objectives equal sums over all pairs of vertices") {
  const Graph graph = random_graph(30, 60, 4);
  const std::vector<int> p = random_partition(30, 4, 9);
  std::vector<double> volume(4, 0.0), size(4, 0.0), leaving(4, 0.0);
  double cut = 0.0, modularity = 0.0, total = 0.0;
  for (VertexId u = 0; u < 30; ++u) total += graph.weighted_degree(u);
  for (VertexId u = 0; u < 30; ++u) {
    const auto a = static_cast<std::size_t>(p[static_cast<std::size_t>(u)]);
    size[a] += 1.0;
    volume[a] += graph.weighted_degree(u);
    for (VertexId v = 0; v < 30; ++v) {
      const bool same = p[static_cast<std::size_t>(u)] == p[static_cast<std::size_t>(v)];
      const double w = graph.weight(u, v);
      if (!same) leaving[a] += w;
      if (!same && u < v) cut += w;
      // Newman: 1/2w Σ over ordered pairs of the same cluster of w_uv − d_u d_v/2w
      if (same)
        modularity += (w - graph.weighted_degree(u) * graph.weighted_degree(v) / total) / total;
    }
  }
  double ratio = 0.0, ncut = 0.0;
  for (std::size_t c = 0; c < 4; ++c) {
    ratio += leaving[c] / size[c];
    ncut += leaving[c] / volume[c];
  }
  const CutObjectives o = cut_objectives(graph, p, 4);
  CHECK(o.cut == Approx(cut));
  CHECK(o.ratio_cut == Approx(ratio));
  CHECK(o.ncut == Approx(ncut));
  CHECK(o.modularity == Approx(modularity));
}

TEST_CASE("cut objectives of weights whose sum no double holds are refused") {
  const std::vector<int> cluster_of{0, 0, 1, 1};
  for (const std::vector<Edge>& edges : {std::vector<Edge>{{0, 1, 1.7e308}, {1, 2, 1.7e308}},
                                         std::vector<Edge>{{0, 1, 1.7e308}, {2, 3, 1.7e308}}}) {
    const auto error = error_of([&] { cut_objectives(graph_from_edges(4, edges), cluster_of, 2); });
    REQUIRE(error);
    CHECK(error->code() == ErrorCode::bad_data);
    CHECK(std::string(error->what()).find("scale the weights down") != std::string::npos);
  }
  CHECK(cut_objectives(graph_from_edges(4, {{0, 1, 1e307}, {2, 3, 1e307}}), cluster_of, 2)
            .modularity == Approx(0.5));
}

TEST_CASE("restarts are for k-means alone, and a spec reads what it echoes") {
  for (const char* spec :
       {"spectral:restarts=4", "spectral:assign=sign,restarts=4",
        "spectral:assign=cluster-qr,restarts=4", "spectral:variant=score,assign=gap,restarts=4"}) {
    INFO(spec);
    const auto error = error_of([&] { made(spec); });
    REQUIRE(error);
    CHECK(error->code() == ErrorCode::usage);
    CHECK(std::string(error->what()).find("restarts") != std::string::npos);
  }
  for (const char* spec : {"spectral:assign=k-means,restarts=4", "spectral:assign=sign",
                           "spectral:variant=score,restarts=4", "spectral:restarts=10"}) {
    const std::string echo = made(spec).spec;
    CHECK(made(echo).spec == echo);
  }
}

TEST_CASE("weights of any size are cut where it costs least") {
  // 0 –w– 1 –1/w– 2 –1– 3: the cut in the middle costs less than 1/w, all others 1 or more
  for (const double w : {1e6, 1e16, 1e24}) {
    const Graph graph = graph_from_edges(4, {{0, 1, w}, {1, 2, 1.0 / w}, {2, 3, 1.0}});
    for (const char* spec :
         {"spectral", "spectral:variant=ng-jordan-weiss", "spectral:assign=sign",
          "spectral:variant=ng-jordan-weiss,assign=k-means", "spectral:assign=cluster-qr"}) {
      INFO(spec << ", " << w);
      CHECK(made(spec).clusterer().cluster(graph, 2, on_threads(1)).cluster_of ==
            std::vector<int>{0, 0, 1, 1});
    }
  }
}

TEST_CASE("NMI and ARI of hand-checked partitions") {
  const std::vector<int> a{0, 0, 1, 1};
  CHECK(partition_agreement(a, std::vector<int>{5, 5, 2, 2}).nmi == Approx(1.0));
  CHECK(partition_agreement(a, std::vector<int>{5, 5, 2, 2}).ari == Approx(1.0));
  CHECK(partition_agreement(a, std::vector<int>{0, 1, 0, 1}).nmi == Approx(0.0).margin(1e-12));
  CHECK(partition_agreement(a, std::vector<int>{0, 1, 0, 1}).ari == Approx(-0.5));
  // scikit-learn's documentation: ARI 0.57, and NMI of the same pair 0.8
  CHECK(partition_agreement(a, std::vector<int>{0, 0, 1, 2}).ari == Approx(4.0 / 7));
  CHECK(partition_agreement(a, std::vector<int>{0, 0, 1, 2}).nmi == Approx(0.8));
  CHECK(partition_agreement(std::vector<int>{1, 1}, std::vector<int>{2, 2}).nmi == 1.0);
  CHECK(partition_agreement({}, {}).ari == 1.0);
  CHECK(error_of([&] { partition_agreement(a, std::vector<int>{0}); }));
}

TEST_CASE("k-means finds far groups, its inertia never rises, and threads change nothing") {
  Rng rng(2);
  Block rows(6000, 3);
  std::vector<int> truth;
  for (std::int64_t i = 0; i < rows.rows(); ++i) {
    truth.push_back(static_cast<int>(i % 5));
    for (std::int64_t j = 0; j < 3; ++j)
      rows(i, j) = rng.normal() + 12.0 * static_cast<double>((i % 5) * (j + 1) % 4 + (i % 5));
  }
  const KMeans found = k_means(rows, {.clusters = 5}, on_threads(1));
  CHECK(found.outcome == Outcome::converged);
  CHECK(partition_agreement(found.cluster_of, truth).ari > 0.99);
  const KMeans hard = k_means(rows, {.clusters = 40, .restarts = 2}, on_threads(1));
  for (std::size_t i = 1; i < hard.inertia_by_round.size(); ++i)
    CHECK(hard.inertia_by_round[i] <= hard.inertia_by_round[i - 1] * (1.0 + 1e-14));
  const KMeans four = k_means(rows, {.clusters = 40, .restarts = 2}, on_threads(4));
  CHECK(four.cluster_of == hard.cluster_of);
  CHECK(four.centers == hard.centers);
  CHECK(four.inertia == hard.inertia);
  // The inertia is that of the partition, whose every row is at its nearest center.
  double inertia = 0.0;
  for (std::int64_t i = 0; i < rows.rows(); ++i) {
    double nearest = std::numeric_limits<double>::infinity();
    for (std::int64_t c = 0; c < 40; ++c) {
      double d = 0.0;
      for (std::int64_t j = 0; j < 3; ++j) d += std::pow(rows(i, j) - hard.centers(c, j), 2);
      nearest = std::min(nearest, d);
    }
    inertia += nearest;
  }
  CHECK(inertia == Approx(hard.inertia).epsilon(1e-12));
  RunContext late = on_threads(1);
  late.deadline = RunContext::Clock::now();
  CHECK(k_means(rows, {.clusters = 40}, late).outcome == Outcome::time_limit);
  // Two distinct rows, three clusters; one row; too many clusters.
  Block twice(4, 1);
  twice(2, 0) = twice(3, 0) = 1.0;
  CHECK(k_means(twice, {.clusters = 3}, on_threads(1)).inertia == 0.0);
  CHECK(k_means(Block(1, 2), {.clusters = 1}, on_threads(1)).cluster_of == std::vector<int>{0});
  CHECK(error_of([] { k_means(Block(1, 2), {.clusters = 2}, on_threads(1)); }));
  CHECK(error_of([] { k_means(Block(3, 2), {.clusters = 0}, on_threads(1)); }));
  for (const double wrong : {std::nan(""), std::numeric_limits<double>::infinity()}) {
    Block bad(3, 2);
    bad(1, 1) = wrong;
    CHECK(error_of([&] { k_means(bad, {.clusters = 2}, on_threads(1)); })->code() ==
          ErrorCode::bad_data);
  }
}

TEST_CASE("two components, cliques on a bridge and planted blocks are found exactly") {
  const std::vector<std::string> variants = {"ratio-cut", "shi-malik", "ng-jordan-weiss", "score"};
  const std::vector<std::string> assignments = {"automatic", "k-means", "cluster-qr",
                                                "sign",      "gap",     "sweep"};
  const Graph parts = random_graph(60, 60, 11, 2);  // part of v is v mod 2
  const Graph cliques = two_cliques(12);
  for (const std::string& variant : variants) {
    for (const std::string& assign : assignments) {
      if (variant == "score" && assign == "cluster-qr") continue;
      const std::string spec = "spectral:variant=" + variant + ",assign=" + assign;
      CAPTURE(spec);
      const auto clusterer = std::move(made(spec).clusterer_learner);
      const Partition two = clusterer->cluster(parts, 2, on_threads(1));
      for (VertexId v = 0; v < 60; ++v) CHECK(two.cluster_of[static_cast<std::size_t>(v)] == v % 2);
      const Partition halves = clusterer->cluster(cliques, 2, on_threads(1));
      for (VertexId v = 0; v < 24; ++v)
        CHECK(halves.cluster_of[static_cast<std::size_t>(v)] == v / 12);
      CHECK(cut_objectives(cliques, halves.cluster_of, 2).cut == 1.0);
      // The largest component is cut in two, the vertices without an edge stay alone.
      std::vector<Edge> edges;
      for (VertexId u = 0; u < 24; ++u)
        for (const VertexId v : cliques.neighbors(u))
          if (u < v) edges.push_back({u, v});
      const Partition more = clusterer->cluster(graph_from_edges(26, edges), 4, on_threads(1));
      CHECK(more.count == 4);
      CHECK(more.cluster_of[0] == more.cluster_of[11]);
      CHECK(more.cluster_of[0] != more.cluster_of[23]);
      CHECK(more.cluster_of[24] != more.cluster_of[25]);
    }
    Rng rng(4);
    const Graph blocks = stochastic_block_model({100, 100, 100, 100}, 0.3, 0.01, rng);
    std::vector<int> truth;
    for (int v = 0; v < 400; ++v) truth.push_back(v / 100);
    for (const std::string assign : {"k-means", variant == "score" ? "automatic" : "cluster-qr"})
      CHECK(nmi_of("spectral:variant=" + variant + ",assign=" + assign, blocks, 4, truth) > 0.99);
    CHECK(
        made("spectral:variant=" + variant).clusterer().suggest_count(blocks, 20, on_threads(1)) ==
        4);
  }
}

TEST_CASE("the sweep cut is the best of all thresholds") {
  const Graph graph = random_graph(50, 80, 21);
  for (const SpectralVariant variant : {SpectralVariant::ratio_cut, SpectralVariant::shi_malik}) {
    const Partition p =
        SpectralClusterer({.variant = variant, .assignment = SpectralAssignment::sweep_cut})
            .cluster(graph, 2, on_threads(1));
    const bool ratio = variant == SpectralVariant::ratio_cut;
    const Spectrum s = smallest_eigenpairs(
        graph,
        {.count = 2, .kind = ratio ? LaplacianKind::combinatorial : LaplacianKind::random_walk},
        on_threads(1));
    double least = std::numeric_limits<double>::infinity();
    for (VertexId t = 0; t < 50; ++t) {
      std::vector<int> side;
      for (VertexId v = 0; v < 50; ++v) side.push_back(s.vectors(v, 1) > s.vectors(t, 1) ? 1 : 0);
      if (*std::max_element(side.begin(), side.end()) == 0) continue;
      const CutObjectives o = cut_objectives(graph, side, 2);
      least = std::min(least, ratio ? o.ratio_cut : o.ncut);
    }
    const CutObjectives o = cut_objectives(graph, p.cluster_of, 2);
    CHECK((ratio ? o.ratio_cut : o.ncut) == Approx(least));
  }
}

TEST_CASE("clusters of the shared graphs agree with their classes as published") {
  const auto football = shared_largest_component("football");
  if (!football) {
    WARN("skipped: ../shared is absent");
    return;
  }
  CHECK(nmi_of("spectral", *football, 12, classes_of_component("football")) >= 0.93);
  // scikit-learn's cluster_qr on the same graphs
  CHECK(nmi_of("spectral:assign=cluster-qr", *shared_largest_component("dolphins"), 2,
               classes_of_component("dolphins")) == Approx(0.8888359488640799).epsilon(1e-9));
  CHECK(nmi_of("spectral", *shared_largest_component("polbooks"), 3,
               classes_of_component("polbooks")) == Approx(0.5342105719481998).epsilon(1e-9));
  // Both communities of karate, all 34 members.
  CHECK(nmi_of("spectral", *shared_largest_component("karate"), 2,
               classes_of_component("karate")) == Approx(1.0));
  CHECK(nmi_of("spectral:variant=ratio-cut,assign=sign", *shared_largest_component("karate"), 2,
               classes_of_component("karate")) == Approx(0.8364981174679549).epsilon(1e-9));

  const Graph polblogs = *shared_largest_component("polblogs");
  const std::vector<int> truth = classes_of_component("polblogs");
  const auto clusterer = std::move(made("spectral:regularize=1").clusterer_learner);
  CHECK(mistakes(clusterer->cluster(polblogs, 2, on_threads(1)).cluster_of, truth) <= 64);
  // Jin (2015): 58.
  const auto score = std::move(made("spectral:variant=score").clusterer_learner);
  CHECK(mistakes(score->cluster(polblogs, 2, on_threads(1)).cluster_of, truth) <= 58);
}

TEST_CASE("ratios of eigenvectors find blocks whose vertices have uneven degrees") {
  // An edge with probability θ_u θ_v B_uv; n > 250, so the pairs come from the iteration.
  constexpr VertexId n = 450;
  Rng rng(8);
  std::vector<double> theta;
  std::vector<int> truth;
  for (VertexId v = 0; v < n; ++v) {
    theta.push_back(0.15 + 0.85 * std::pow(rng.uniform(), 2));
    truth.push_back(v % 3);
  }
  std::vector<Edge> edges;
  Block w(n, n);
  for (VertexId u = 0; u < n; ++u) {
    for (VertexId v = u + 1; v < n; ++v) {
      const double p = theta[static_cast<std::size_t>(u)] * theta[static_cast<std::size_t>(v)] *
                       (u % 3 == v % 3 ? 0.9 : 0.1);
      if (rng.uniform() >= p) continue;
      edges.push_back({u, v});
      w(u, v) = w(v, u) = 1.0;
    }
  }
  const Graph graph = graph_from_edges(n, edges);
  const auto clusterer =
      std::move(made("spectral:variant=score,tolerance=1e-10").clusterer_learner);
  const Partition p = clusterer->cluster(graph, 3, on_threads(1));
  CHECK(p.report.used == "lanczos");
  CHECK(p.report.converged());
  CHECK(partition_agreement(p.cluster_of, truth).nmi > 0.9);
  CHECK(clusterer->cluster(graph, 3, on_threads(4)).cluster_of == p.cluster_of);
  CHECK(clusterer->suggest_count(graph, 12, on_threads(1)) == 3);
  // The slow twin: the three eigenvalues of W of largest size.
  std::vector<double> all = dense_eigen(w).values;
  std::sort(all.begin(), all.end(), [](double a, double b) { return std::abs(a) > std::abs(b); });
  for (std::size_t j = 0; j < 3; ++j) {
    CHECK(p.report.certificates.at(0).values.at(j) == Approx(all[j]).epsilon(1e-9));
    CHECK(p.report.certificates.at(1).values.at(j) <= 1e-10);
  }

  RunContext late = on_threads(1);
  late.deadline = RunContext::Clock::now();
  CHECK(clusterer->cluster(graph, 3, late).report.outcome == Outcome::time_limit);
}

TEST_CASE("ratios of eigenvectors on stars and bipartite graphs, and what they refuse") {
  const auto clusterer = std::move(made("spectral:variant=score").clusterer_learner);
  for (const VertexId leaves : {40, 400}) {
    // ±√leaves and zeros: the center against the leaves.
    const Partition p = clusterer->cluster(star_graph(leaves + 1), 2, on_threads(1));
    CHECK(p.report.converged());
    CHECK(p.count == 2);
    CHECK(std::count(p.cluster_of.begin(), p.cluster_of.end(), p.cluster_of[0]) == 1);
    CHECK(p.report.certificates.at(0).values.at(0) == Approx(std::sqrt(leaves)));
  }
  CHECK(clusterer->cluster(graph_from_edges(3, {}), 3, on_threads(1)).count == 3);
  const Graph weighted = renamed(random_graph(300, 500, 3), identity_order(300), 1e-200);
  const Partition tiny = clusterer->cluster(weighted, 4, on_threads(1));
  CHECK(tiny.report.converged());
  CHECK(tiny.cluster_of ==
        clusterer->cluster(random_graph(300, 500, 3), 4, on_threads(1)).cluster_of);
  for (const char* option : {"assign=cluster-qr", "regularize=1", "solver=dense"}) {
    const auto error = error_of([&] { made(std::string("spectral:variant=score,") + option); });
    REQUIRE(error);
    CHECK(error->code() == ErrorCode::usage);
  }
}

TEST_CASE("partitions are numbered by their first vertex, and bad requests are refused") {
  const Graph graph = random_graph(40, 40, 5);
  const auto clusterer = std::move(made("spectral:assign=k-means").clusterer_learner);
  const Partition p = clusterer->cluster(graph, 6, on_threads(1));
  int next = 0;
  for (const int c : p.cluster_of) {
    CHECK(c <= next);
    if (c == next) ++next;
  }
  CHECK(next == p.count);
  CHECK(clusterer->cluster(graph, 6, on_threads(4)).cluster_of == p.cluster_of);
  CHECK(clusterer->cluster(graph, 1, on_threads(1)).count == 1);
  CHECK(clusterer->cluster(graph, 40, on_threads(1)).count >= 38);
  const Partition packed = clusterer->cluster(random_graph(40, 20, 5, 4), 3, on_threads(1));
  CHECK(packed.count == 3);
  CHECK(packed.report.warnings.size() == 1);
  for (const int k : {0, 41}) CHECK(error_of([&] { clusterer->cluster(graph, k, on_threads(1)); }));
  CHECK(
      error_of([&] { made("spectral:assign=sign").clusterer().cluster(graph, 3, on_threads(1)); }));
  CHECK(error_of([] { made("spectrum").clusterer(); }));
  CHECK(error_of([] { made("spectral:regularize=-1"); }));
  CHECK(error_of([] { SpectralClusterer({.regularize = std::nan("")}); }));
  CHECK(clusterer->suggest_count(graph_from_edges(1, {}), 20, on_threads(1)) == 1);
}
