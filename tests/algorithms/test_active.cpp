// Acquisition scores against dense retraining, and batches against asking again.

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "algorithms/active_support.hpp"
#include "gssl/graph/components.hpp"
#include "gssl/graph/generators.hpp"
#include "support/catch.hpp"

using namespace gssl;
using namespace gssl::test;

namespace {

// Covariance of all vertices by dense inversion: labels have variance γ², or none, in which case
// their rows are 0.
Block dense_covariance(const Graph& graph, const std::vector<VertexId>& labeled, double variance) {
  const VertexId n = graph.vertex_count();
  auto a = dense_adjacency(graph);
  Block b(n, n);
  for (std::size_t u = 0; u < a.size(); ++u) {
    const double degree = std::accumulate(a[u].begin(), a[u].end(), 0.0);
    for (double& w : a[u]) w = -w;
    a[u][u] = degree;
    b(static_cast<VertexId>(u), static_cast<VertexId>(u)) = 1.0;
  }
  for (const VertexId v : labeled) {
    const auto at = static_cast<std::size_t>(v);
    if (variance > 0.0) {
      a[at][at] += 1.0 / variance;
      continue;
    }
    for (std::size_t u = 0; u < a.size(); ++u) a[u][at] = a[at][u] = 0.0;
    a[at][at] = 1.0;
    std::ranges::fill(b.row(v), 0.0);
  }
  return dense_solve(std::move(a), std::move(b));
}

double trace(const Block& c) {
  double sum = 0.0;
  for (std::int64_t v = 0; v < c.rows(); ++v) sum += c(v, v);
  return sum;
}

double total(const Block& c) { return std::accumulate(c.values().begin(), c.values().end(), 0.0); }

double mean_degree(const Graph& graph) {
  double sum = 0.0;
  for (VertexId v = 0; v < graph.vertex_count(); ++v) sum += graph.weighted_degree(v);
  return sum / graph.vertex_count();
}

// Every candidate's score: the whole ranking of a fresh asker, one candidate at a time.
double score_of(const Graph& graph, const std::vector<VertexId>& labeled, VertexId v,
                const AskOptions& options, const Scores* scores = nullptr) {
  const std::vector<VertexId> only{v};
  const auto questions = ask(graph, labeled, 1, options, scores, only);
  REQUIRE(questions.size() == 1);
  REQUIRE(questions[0].vertex == v);
  return questions[0].score;
}

}  // namespace

TEST_CASE("V-opt and sigma-opt are what dense retraining with one more label gains") {
  for (const double noise : {0.0, 0.3}) {
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
      const VertexId n = 24 + static_cast<VertexId>(seed);
      const Graph graph = random_graph(n, 30, seed);
      const std::vector<VertexId> labeled = first_labels(n, 3, seed);
      const double variance = noise / mean_degree(graph);
      const Block before = dense_covariance(graph, labeled, variance);
      double best_v = 0.0;
      double best_sigma = 0.0;
      for (VertexId v = 0; v < n; ++v) {
        if (std::ranges::find(labeled, v) != labeled.end()) continue;
        std::vector<VertexId> more = labeled;
        more.push_back(v);
        const Block after = dense_covariance(graph, more, variance);
        const double gain_v = trace(before) - trace(after);
        const double gain_sigma = total(before) - total(after);
        INFO("noise " << noise << ", seed " << seed << ", vertex " << v);
        CHECK(score_of(graph, labeled, v, with_criterion(Criterion::v_opt, 0, noise)) ==
              Approx(gain_v).epsilon(1e-7));
        CHECK(score_of(graph, labeled, v, with_criterion(Criterion::sigma_opt, 0, noise)) ==
              Approx(gain_sigma).epsilon(1e-7));
        best_v = std::max(best_v, gain_v);
        best_sigma = std::max(best_sigma, gain_sigma);
      }
      CHECK(ask(graph, labeled, 1, with_criterion(Criterion::v_opt, 0, noise))[0].score ==
            Approx(best_v).epsilon(1e-7));
      CHECK(ask(graph, labeled, 1, with_criterion(Criterion::sigma_opt, 0, noise))[0].score ==
            Approx(best_sigma).epsilon(1e-7));
    }
  }
}

TEST_CASE("model change is how far the harmonic scores move if the decision is confirmed") {
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    const VertexId n = 30;
    const Graph graph = random_graph(n, 40, seed);
    const std::vector<VertexId> labeled = first_labels(n, 6, seed);
    const Fit fit = harmonic_fit(graph, labeled, 3);
    for (VertexId v = 0; v < n; ++v) {
      if (fit.scores.status[static_cast<std::size_t>(v)] == VertexStatus::given) continue;
      std::vector<VertexId> more = labeled;
      more.push_back(v);
      std::vector<int> class_of{0, 1, 2, 0, 1, 2, fit.decision[static_cast<std::size_t>(v)]};
      const Fit next = HarmonicLearner().fit(graph, classes(more, class_of, 3), on_threads(1));
      double change = 0.0;
      for (std::size_t i = 0; i < fit.scores.values.values().size(); ++i) {
        const double d = next.scores.values.values()[i] - fit.scores.values.values()[i];
        change += d * d;
      }
      CHECK(score_of(graph, labeled, v, with_criterion(Criterion::model_change), &fit.scores) ==
            Approx(std::sqrt(change)).epsilon(1e-6).margin(1e-9));
    }
  }
}

TEST_CASE("uncertainty by hand") {
  // 0 - 1 - 2 - 3 - 4 with the ends given: vertex 1 has (3/4, 1/4), vertex 2 is in the middle
  const Graph graph = path_graph(5);
  const Fit fit = harmonic_fit(graph, {0, 4}, 2);
  const auto score = [&](Criterion c, VertexId v) {
    return score_of(graph, {0, 4}, v, with_criterion(c), &fit.scores);
  };
  CHECK(score(Criterion::least_confident, 1) == Approx(0.25));
  CHECK(score(Criterion::margin, 1) == Approx(0.5));
  CHECK(score(Criterion::entropy, 2) == Approx(1.0));
  CHECK(score(Criterion::entropy, 1) ==
        Approx(-(0.75 * std::log(0.75) + 0.25 * std::log(0.25)) / std::log(2.0)));
  CHECK(score(Criterion::norm, 2) == Approx(1.0 - std::sqrt(0.5)));
  for (const Criterion c :
       {Criterion::least_confident, Criterion::margin, Criterion::entropy, Criterion::norm}) {
    const auto questions = ask(graph, {0, 4}, 9, with_criterion(c), &fit.scores);
    CHECK(vertices_of(questions) == std::vector<VertexId>{2, 1, 3});  // 1 and 3 tie
  }
}

TEST_CASE("all eigenpairs give what solves give") {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    const int parts = seed == 3 ? 2 : 1;
    const VertexId n = 40;
    const Graph graph = random_graph(n, 50, seed, parts);
    const std::vector<VertexId> labeled = first_labels(n, 8, seed);
    const Fit fit = harmonic_fit(graph, labeled, 3);
    for (const Criterion c : {Criterion::v_opt, Criterion::sigma_opt, Criterion::model_change,
                              Criterion::model_change_v_opt}) {
      const auto exact = ask(graph, labeled, 12, with_criterion(c, 0, 0.05), &fit.scores);
      const auto low_rank = ask(graph, labeled, 12, with_criterion(c, n, 0.05), &fit.scores);
      INFO(to_string(c) << ", seed " << seed);
      REQUIRE(low_rank.size() == exact.size());
      CHECK(vertices_of(low_rank) == vertices_of(exact));
      for (std::size_t i = 0; i < exact.size(); ++i)
        CHECK(low_rank[i].score == Approx(exact[i].score).epsilon(1e-6));
    }
  }
}

TEST_CASE("a batch is what asking again after each choice gives") {
  const VertexId n = 60;
  const Graph graph = random_graph(n, 80, 5, 2);
  const std::vector<VertexId> labeled = first_labels(n, 5, 9);
  const Fit fit = harmonic_fit(graph, labeled, 2);
  struct Setting {
    std::int64_t rank;
    double noise;
  };
  for (const Setting& s : {Setting{0, 0.0}, Setting{0, 0.2}, Setting{15, 0.2}}) {
    for (const Criterion c : {Criterion::v_opt, Criterion::sigma_opt, Criterion::model_change,
                              Criterion::model_change_v_opt}) {
      const AskOptions options = with_criterion(c, s.rank, s.noise);
      const auto batch = ask(graph, labeled, 8, options, &fit.scores);
      REQUIRE(batch.size() == 8);
      std::vector<VertexId> known = labeled;
      for (const Question& q : batch) {
        const auto again = ask(graph, known, 1, options, &fit.scores);
        INFO(to_string(c) << ", rank " << s.rank << ", after " << known.size());
        CHECK(again[0].vertex == q.vertex);
        CHECK(again[0].score == Approx(q.score).epsilon(1e-6));
        known.push_back(q.vertex);
      }
    }
  }
}

TEST_CASE("a session in rounds asks what one batch asks") {
  const Graph graph = random_graph(50, 60, 4, 3);
  const RunContext run = on_threads(1);
  const std::vector<VertexId> labeled{0};
  Asker rounds(graph, labeled, std::nullopt, with_criterion(Criterion::v_opt), run);
  std::vector<VertexId> found;
  for (int round = 0; round < 6; ++round)
    for (const Question& q : rounds.next(3, nullptr, run)) found.push_back(q.vertex);
  CHECK(found == vertices_of(ask(graph, labeled, 18, with_criterion(Criterion::v_opt))));
  CHECK(std::set<VertexId>(found.begin(), found.end()).size() == found.size());
  CHECK(rounds.remaining() == 49 - 18);
  CHECK(rounds.report().converged());
}

TEST_CASE("the central vertex leaves the least variance of all") {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const Graph graph = random_graph(30, 25, seed, 2);
    const Components components = connected_components(graph);
    const auto questions = ask(graph, {}, 2, with_criterion(Criterion::sigma_opt));
    for (const Question& q : questions) {
      const VertexId k = components.of[static_cast<std::size_t>(q.vertex)];
      const auto variance_after = [&](VertexId v) {  // the other component is tied down anywhere
        const VertexId other =
            questions[0].vertex == q.vertex ? questions[1].vertex : questions[0].vertex;
        return trace(dense_covariance(graph, {v, other}, 0.0));
      };
      for (VertexId v = 0; v < 30; ++v)
        if (components.of[static_cast<std::size_t>(v)] == k)
          CHECK(variance_after(v) >= variance_after(q.vertex) * (1.0 - 1e-9));
    }
  }
}

TEST_CASE("more eigenpairs than vertices are all of them, and any allowed noise gives numbers") {
  const Graph graph = random_graph(30, 25, 4, 2);
  const auto largest = std::numeric_limits<std::int64_t>::max();
  CHECK(vertices_of(ask(graph, {0}, 3, with_criterion(Criterion::v_opt, 30, 0.1))) ==
        vertices_of(ask(graph, {0}, 3, with_criterion(Criterion::v_opt, largest, 0.1))));
  for (const double noise : {1e-100, 1e100})
    for (const Question& q : ask(graph, {0, 29}, 3, with_criterion(Criterion::v_opt, 0, noise)))
      CHECK(std::isfinite(q.score));
  for (const Question& q : ask(graph, {0, 29}, 3, with_criterion(Criterion::v_opt, 30, 1e100)))
    CHECK(std::isfinite(q.score));
}

TEST_CASE("what is automatic is decided by the number of candidates") {
  const RunContext run = on_threads(1);
  const Graph small = path_graph(30);
  const Graph large = grid_graph(67, 67);
  const std::vector<VertexId> labeled{0};
  const auto decided = [&](const Graph& graph, const AskOptions& options) {
    return Asker(graph, labeled, std::nullopt, options, run).options();
  };
  CHECK(decided(small, {}).rank == 0);
  CHECK(decided(small, {}).noise == 0.0);
  CHECK(decided(large, {}).rank == 100);
  CHECK(decided(large, {}).noise == 0.01);
  CHECK(decided(large, {.noise = 0.0}).rank == 0);
  CHECK(decided(small, {.rank = 7}).noise == 0.01);
  // With a path of three beside a large grid: what comes last does not count.
  std::vector<Edge> edges{{0, 1}, {1, 2}};
  for (VertexId u = 0; u < large.vertex_count(); ++u)
    for (const VertexId v : large.neighbors(u))
      if (u < v) edges.push_back({u + 3, v + 3});
  const Graph beside = graph_from_edges(large.vertex_count() + 3, edges);
  CHECK(decided(beside, {}).rank == 100);
  CHECK(decided(beside, {.unreached_first = false}).rank == 0);
  CHECK(Asker(beside, {}, std::nullopt, {.unreached_first = false}, run).options().rank == 100);
  // A grid too large for solves: its three lowest pairs all vanish in the middle.
  const auto questions = ask(large, {}, 1, {.rank = 3});
  CHECK(questions[0].unreached);
  CHECK(questions[0].vertex == 33 * 67 + 33);
}
