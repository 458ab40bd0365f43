// Effective resistances beside peers in the same run, processor seconds of one thread.
//
// Peers: CHOLMOD's factor with its best of AMD and METIS and a scalar Takahashi recursion over its
// columns, for all edges and the diagonal; CHOLMOD solves of 20 pairs at a time. The peer of knn20
// and rmat18 (random projections with one-vector multigrid, 293 s on the first) is not in Debian.

#include <cholmod.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "gssl/core/index.hpp"
#include "gssl/core/peak_memory.hpp"
#include "gssl/graph/components.hpp"
#include "gssl/graph/generators.hpp"
#include "gssl/graph/knn_graph.hpp"
#include "gssl/network/effective_resistance.hpp"
#include "harness/measure.hpp"
#include "harness/program.hpp"

namespace {

using namespace gssl;
using bench::Program;
using bench::Results;
using bench::Stopwatch;

double peak_megabytes() { return static_cast<double>(peak_memory_bytes()) / (1024.0 * 1024.0); }

Graph moons(VertexId n) {
  Rng rng(1);
  const PlanePoints plane = two_moons(n, 0.1, rng);
  std::vector<double> values;
  for (VertexId v = 0; v < n; ++v) {
    values.push_back(plane.x[index(v)]);
    values.push_back(plane.y[index(v)]);
  }
  // Gaussian weights of far points are so small that CHOLMOD meets a pivot that is not positive.
  return knn_graph(Points::dense(n, 2, std::move(values)), 10,
                   {.weights = {.kind = WeightKind::unit}})
      .graph;
}

// Ten gaussians in 20 dimensions.
Graph mixture(VertexId n) {
  Rng rng(1);
  std::vector<double> centers(200), values;
  for (double& c : centers) c = rng.normal();
  for (VertexId v = 0; v < n; ++v) {
    const std::size_t k = 20 * rng.below(10);
    for (std::size_t j = 0; j < 20; ++j) values.push_back(centers[k + j] + rng.normal());
  }
  return knn_graph(Points::dense(n, 20, std::move(values)), 10).graph;
}

// The Laplacian grounded at the first vertex of each component, factored by CHOLMOD.
class Peer {
 public:
  Peer(const Graph& graph, int ordering) : graph_(graph) {
    cholmod_l_start(&common_);
    common_.nmethods = 1;
    common_.method[0].ordering = ordering;
    common_.postorder = 1;
    const auto n = index(graph.vertex_count());
    cholmod_sparse* a = cholmod_l_allocate_sparse(n, n, n + index(graph.edge_count()), 1, 1, -1,
                                                  CHOLMOD_REAL, &common_);
    auto* start = static_cast<SuiteSparse_long*>(a->p);
    auto* row = static_cast<SuiteSparse_long*>(a->i);
    auto* value = static_cast<double*>(a->x);
    SuiteSparse_long next = 0;
    const Components components = connected_components(graph);
    std::vector<double> ground(n, 0.0);
    std::vector<char> grounded(index(components.count), 0);
    for (std::size_t v = 0; v < n; ++v)
      if (std::exchange(grounded[index(components.of[v])], 1) == 0) ground[v] = 1.0;
    for (VertexId v = 0; v < graph.vertex_count(); ++v) {
      start[v] = next;
      row[next] = v;
      value[next++] = graph.weighted_degree(v) + ground[index(v)];
      graph.visit_row(v, [&](VertexId u, double w) {
        if (u < v) return;
        row[next] = u;
        value[next++] = -w;
      });
    }
    start[n] = next;
    factor_ = cholmod_l_analyze(a, &common_);
    cholmod_l_factorize(a, factor_, &common_);
    cholmod_l_free_sparse(&a, &common_);
  }
  ~Peer() {
    cholmod_l_free_factor(&factor_, &common_);
    cholmod_l_finish(&common_);
  }
  Peer(const Peer&) = delete;
  Peer& operator=(const Peer&) = delete;

  // Takahashi's recursion column by column; leaves the selected inverse in the factor's pattern.
  std::vector<double> all_edges() {
    cholmod_l_change_factor(CHOLMOD_REAL, 0, 0, 1, 1, factor_, &common_);
    const auto n = static_cast<SuiteSparse_long>(factor_->n);
    const auto* p = static_cast<const SuiteSparse_long*>(factor_->p);
    const auto* rows = static_cast<const SuiteSparse_long*>(factor_->i);
    const auto* l = static_cast<const double*>(factor_->x);
    const auto* order = static_cast<const SuiteSparse_long*>(factor_->Perm);
    std::vector<double> z(index(p[n])), sum(index(n), 0.0), column(index(n), 0.0);
    for (SuiteSparse_long j = n - 1; j >= 0; --j) {
      for (SuiteSparse_long e = p[j] + 1; e < p[j + 1]; ++e) column[index(rows[e])] = l[e];
      for (SuiteSparse_long e = p[j] + 1; e < p[j + 1]; ++e) {
        const SuiteSparse_long k = rows[e];
        sum[index(k)] += l[e] * z[index(p[k])];
        double own = 0.0;
        for (SuiteSparse_long f = p[k] + 1; f < p[k + 1]; ++f) {
          const SuiteSparse_long r = rows[f];
          if (column[index(r)] == 0.0) continue;  // not a row of column j
          sum[index(r)] += l[e] * z[index(f)];
          own += column[index(r)] * z[index(f)];
        }
        sum[index(k)] += own;
      }
      double diagonal = 1.0 / l[p[j]];
      for (SuiteSparse_long e = p[j] + 1; e < p[j + 1]; ++e) {
        z[index(e)] = -sum[index(rows[e])];
        diagonal -= l[e] * z[index(e)];
      }
      z[index(p[j])] = diagonal;
      for (SuiteSparse_long e = p[j] + 1; e < p[j + 1]; ++e) {
        column[index(rows[e])] = 0.0;
        sum[index(rows[e])] = 0.0;
      }
    }
    std::vector<SuiteSparse_long> position(index(n));
    for (SuiteSparse_long k = 0; k < n; ++k) position[index(order[k])] = k;
    std::vector<double> found;
    for (const auto& [u, v] : edge_pairs(graph_)) {
      const auto [low, high] = std::minmax(position[index(u)], position[index(v)]);
      const auto* place = std::lower_bound(rows + p[low], rows + p[low + 1], high);
      found.push_back(z[index(p[low])] + z[index(p[high])] - 2.0 * z[index(place - rows)]);
    }
    return found;
  }

  // 20 right-hand sides at a time.
  std::vector<double> pairs(const std::vector<VertexPair>& pairs) {
    const auto n = index(graph_.vertex_count());
    std::vector<double> found;
    for (std::size_t first = 0; first < pairs.size(); first += 20) {
      const std::size_t width = std::min<std::size_t>(20, pairs.size() - first);
      cholmod_dense* b = cholmod_l_zeros(n, width, CHOLMOD_REAL, &common_);
      auto* values = static_cast<double*>(b->x);
      for (std::size_t j = 0; j < width; ++j) {
        values[j * n + index(pairs[first + j].u)] = 1.0;
        values[j * n + index(pairs[first + j].v)] = -1.0;
      }
      cholmod_dense* x = cholmod_l_solve(CHOLMOD_A, factor_, b, &common_);
      const auto* solved = static_cast<const double*>(x->x);
      for (std::size_t j = 0; j < width; ++j)
        found.push_back(solved[j * n + index(pairs[first + j].u)] -
                        solved[j * n + index(pairs[first + j].v)]);
      cholmod_l_free_dense(&b, &common_);
      cholmod_l_free_dense(&x, &common_);
    }
    return found;
  }

 private:
  const Graph& graph_;
  cholmod_common common_;
  cholmod_factor* factor_ = nullptr;
};

double worst_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double worst = a.size() == b.size() ? 0.0 : HUGE_VAL;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
    if (std::isfinite(a[i]) && a[i] > 0.0)
      worst = std::max(worst, std::isfinite(b[i]) ? std::abs(a[i] / b[i] - 1.0) : HUGE_VAL);
  return worst;
}

// Prints what was computed twice and by how much the two differ, relative.
void show_difference(const char* what, double difference) {
  std::printf("    %s: the two differ by %.1e\n", what, difference);
}

void race(Results& results, const Graph& graph) {
  RunContext run;
  run.threads = 1;
  std::printf("%d vertices, %lld edges\n", graph.vertex_count(),
              static_cast<long long>(graph.edge_count()));
  Stopwatch watch;
  const auto edges = edge_resistances(graph, {}, run).values;
  const double ours_edges = watch.elapsed().cpu;
  watch = Stopwatch();
  const auto diagonal = pseudoinverse_diagonal(graph, {}, run).values;
  results.value("diagonal", watch.elapsed().cpu, "s");
  results.value("peak", peak_megabytes(), "MB");
  Rng rng(7);
  std::vector<VertexPair> pairs;
  const auto n = static_cast<std::uint64_t>(graph.vertex_count());
  for (int i = 0; i < 1000; ++i)
    pairs.push_back({static_cast<VertexId>(rng.below(n)), static_cast<VertexId>(rng.below(n))});
  watch = Stopwatch();
  const auto found =
      pair_resistances(graph, pairs, {.method = ResistanceMethod::factor}, run).values;
  const double ours_pairs = watch.elapsed().cpu;

  double peer_edges = HUGE_VAL, peer_pairs = HUGE_VAL;
  std::vector<double> their_edges, their_pairs;
  for (const int ordering : {CHOLMOD_AMD, CHOLMOD_METIS}) {
    watch = Stopwatch();
    Peer peer(graph, ordering);
    const double factored = watch.elapsed().cpu;
    watch = Stopwatch();
    their_pairs = peer.pairs(pairs);
    peer_pairs = std::min(peer_pairs, factored + watch.elapsed().cpu);
    watch = Stopwatch();
    their_edges = peer.all_edges();
    peer_edges = std::min(peer_edges, factored + watch.elapsed().cpu);
  }
  results.beside("all edges", "CHOLMOD", ours_edges, peer_edges);
  show_difference("all edges", worst_difference(edges, their_edges));
  results.beside("1000 pairs", "CHOLMOD", ours_pairs, peer_pairs);
  show_difference("1000 pairs", worst_difference(found, their_pairs));
}

// Some edges are solved for to see how far off the sketch is.
void race_sketch(Results& results, const Graph& graph) {
  RunContext run;
  run.threads = 1;
  std::printf("%d vertices, %lld edges\n", graph.vertex_count(),
              static_cast<long long>(graph.edge_count()));
  const Stopwatch watch;
  const ResistanceAnswer answer = edge_resistances(graph, {.epsilon = 0.1}, run);
  results.value("all edges within 10 %", watch.elapsed().cpu, "s");
  std::printf("    %s\n", answer.report.sentence.c_str());
  for (const Certificate& c : answer.report.certificates)
    std::printf("    %s %.6g\n", c.name.c_str(), c.values.at(0));
  const auto edges = edge_pairs(graph);
  std::vector<VertexPair> some;
  std::vector<double> sketched;
  Rng rng(7);
  for (int i = 0; i < 50; ++i) {
    const auto e = static_cast<std::size_t>(rng.below(edges.size()));
    some.push_back(edges[e]);
    sketched.push_back(answer.values[e]);
  }
  const auto solved = pair_resistances(graph, some, {.method = ResistanceMethod::solves}, run);
  results.value("largest error of 50 edges", worst_difference(sketched, solved.values), "");
  results.value("peak", peak_megabytes(), "MB");
}

Graph largest_component(const Graph& graph) {
  const Components c = connected_components(graph);
  const auto largest = std::max_element(c.sizes.begin(), c.sizes.end()) - c.sizes.begin();
  return component_graph(graph, c, static_cast<VertexId>(largest)).graph;
}

}  // namespace

int main(int argc, char** argv) {
  Program program("bench_resistance",
                  "Effective resistances beside CHOLMOD with Takahashi's recursion, one thread");
  using enum Program::Runs;
  const auto exact = [&](const char* name, const char* about, auto make, Program::Runs runs) {
    program.add(
        name, about, [make](Results& results) { race(results, make()); }, runs);
  };
  exact(
      "moons100k", "10-NN graph of two moons, 100k points", [] { return moons(100'000); },
      by_default);
  exact(
      "grid316", "plane grid, 100k vertices", [] { return grid_graph(316, 316); }, by_default);
  exact(
      "grid100", "plane grid, 10k vertices", [] { return grid_graph(100, 100); }, when_named);
  exact(
      "moons1m", "the moons, 1M points", [] { return moons(1'000'000); }, when_named);
  exact(
      "grid1000", "plane grid, 1M vertices", [] { return grid_graph(1000, 1000); }, when_named);
  program.add(
      "knn20", "10-NN graph in 20 dimensions, 100k points, within 10 %",
      [](Results& results) { race_sketch(results, mixture(100'000)); }, when_named);
  program.add(
      "rmat18", "largest component of RMAT 18, within 10 %",
      [](Results& results) {
        Rng rng(1);
        race_sketch(results, largest_component(rmat_graph(18, 16, rng)));
      },
      when_named);
  return program.run(argc, argv);
}
