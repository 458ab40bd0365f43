// Acquisition scores against dense retraining, batches against asking again, and the edge cases.

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <numeric>
#include <set>

#include "algorithms/fixtures.hpp"
#include "gssl/evaluate/active.hpp"
#include "gssl/graph/components.hpp"
#include "gssl/graph/generators.hpp"
#include "gssl/transductive/harmonic.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

using namespace gssl;
using namespace gssl::test;

namespace {

AskOptions with(Criterion criterion, std::int64_t rank = 0, double noise = 0.0) {
  return {.criterion = criterion, .rank = rank, .noise = noise};
}

std::vector<Question> ask(const Graph& graph, const std::vector<VertexId>& labeled, int count,
                          const AskOptions& options, const Scores* scores = nullptr,
                          Asker::Candidates candidates = std::nullopt, int threads = 2) {
  const RunContext run = on_threads(threads);
  return Asker(graph, labeled, candidates, options, run).next(count, scores, run);
}

std::vector<VertexId> vertices_of(const std::vector<Question>& questions) {
  std::vector<VertexId> vertices;
  for (const Question& q : questions) vertices.push_back(q.vertex);
  return vertices;
}

std::vector<VertexId> first_labels(VertexId n, std::size_t count, std::uint64_t seed) {
  std::vector<VertexId> vertices = shuffled_order(n, seed);
  vertices.resize(count);
  return vertices;
}

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

Fit harmonic_fit(const Graph& graph, const std::vector<VertexId>& labeled, int class_count) {
  std::vector<int> class_of;
  for (std::size_t i = 0; i < labeled.size(); ++i)
    class_of.push_back(static_cast<int>(i) % class_count);
  return HarmonicLearner().fit(graph, classes(labeled, class_of, class_count), on_threads(1));
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
        CHECK(score_of(graph, labeled, v, with(Criterion::v_opt, 0, noise)) ==
              Approx(gain_v).epsilon(1e-7));
        CHECK(score_of(graph, labeled, v, with(Criterion::sigma_opt, 0, noise)) ==
              Approx(gain_sigma).epsilon(1e-7));
        best_v = std::max(best_v, gain_v);
        best_sigma = std::max(best_sigma, gain_sigma);
      }
      CHECK(ask(graph, labeled, 1, with(Criterion::v_opt, 0, noise))[0].score ==
            Approx(best_v).epsilon(1e-7));
      CHECK(ask(graph, labeled, 1, with(Criterion::sigma_opt, 0, noise))[0].score ==
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
      CHECK(score_of(graph, labeled, v, with(Criterion::model_change), &fit.scores) ==
            Approx(std::sqrt(change)).epsilon(1e-6).margin(1e-9));
    }
  }
}

TEST_CASE("uncertainty by hand") {
  // 0 - 1 - 2 - 3 - 4 with the ends given: vertex 1 has (3/4, 1/4), vertex 2 is in the middle
  const Graph graph = path_graph(5);
  const Fit fit = harmonic_fit(graph, {0, 4}, 2);
  const auto score = [&](Criterion c, VertexId v) {
    return score_of(graph, {0, 4}, v, with(c), &fit.scores);
  };
  CHECK(score(Criterion::least_confident, 1) == Approx(0.25));
  CHECK(score(Criterion::margin, 1) == Approx(0.5));
  CHECK(score(Criterion::entropy, 2) == Approx(1.0));
  CHECK(score(Criterion::entropy, 1) ==
        Approx(-(0.75 * std::log(0.75) + 0.25 * std::log(0.25)) / std::log(2.0)));
  CHECK(score(Criterion::norm, 2) == Approx(1.0 - std::sqrt(0.5)));
  for (const Criterion c :
       {Criterion::least_confident, Criterion::margin, Criterion::entropy, Criterion::norm}) {
    const auto questions = ask(graph, {0, 4}, 9, with(c), &fit.scores);
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
      const auto exact = ask(graph, labeled, 12, with(c, 0, 0.05), &fit.scores);
      const auto low_rank = ask(graph, labeled, 12, with(c, n, 0.05), &fit.scores);
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
      const AskOptions options = with(c, s.rank, s.noise);
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
  Asker rounds(graph, labeled, std::nullopt, with(Criterion::v_opt), run);
  std::vector<VertexId> found;
  for (int round = 0; round < 6; ++round)
    for (const Question& q : rounds.next(3, nullptr, run)) found.push_back(q.vertex);
  CHECK(found == vertices_of(ask(graph, labeled, 18, with(Criterion::v_opt))));
  CHECK(std::set<VertexId>(found.begin(), found.end()).size() == found.size());
  CHECK(rounds.remaining() == 49 - 18);
  CHECK(rounds.report().converged());
}

TEST_CASE("components without a label come first, the largest first, by their central vertex") {
  // path 0-1-2, star around 3 with leaves 4…8, alone 9, and path 10-11-12-13 that has a label
  const Graph graph = graph_from_edges(
      14, {{0, 1}, {1, 2}, {3, 4}, {3, 5}, {3, 6}, {3, 7}, {3, 8}, {10, 11}, {11, 12}, {12, 13}});
  const auto first = ask(graph, {10}, 5, with(Criterion::v_opt));
  CHECK(vertices_of(first) == std::vector<VertexId>{3, 1, 9, 13, 0});
  CHECK(first[0].score == 6.0);
  CHECK(first[1].score == 3.0);
  CHECK(first[2].score == 1.0);
  CHECK((first[0].unreached && first[2].unreached && !first[3].unreached));
  AskOptions last = with(Criterion::v_opt);
  last.unreached_first = false;
  CHECK(vertices_of(ask(graph, {10}, 5, last)) == std::vector<VertexId>{13, 11, 12, 3, 1});
  // the most central of those that may be asked
  const std::vector<VertexId> some{5, 6, 0, 12};
  CHECK(vertices_of(ask(graph, {10}, 9, with(Criterion::v_opt), nullptr, some)) ==
        std::vector<VertexId>{5, 0, 12, 6});
}

TEST_CASE("what comes last is asked to the end") {
  // path 0-1-2 with a label at 0, path 3-…-8, pair 9-10, and 11 alone
  const Graph graph =
      graph_from_edges(12, {{0, 1}, {1, 2}, {3, 4}, {4, 5}, {5, 6}, {6, 7}, {7, 8}, {9, 10}});
  const std::vector<VertexId> labeled{0};
  for (AskOptions options : {with(Criterion::v_opt), with(Criterion::sigma_opt, 0, 0.1),
                             with(Criterion::v_opt, 4, 0.1)}) {
    options.unreached_first = false;
    const std::vector<Question> batch = ask(graph, labeled, 99, options);
    INFO(to_string(options.criterion) << ", rank " << options.rank);
    CHECK(std::set<VertexId>{1, 2} == std::set<VertexId>{batch.at(0).vertex, batch.at(1).vertex});
    CHECK(batch.at(2).unreached);
    CHECK(std::ranges::count_if(batch, [](const Question& q) { return q.unreached; }) == 3);
    std::vector<VertexId> all = vertices_of(batch);
    // the rest as if all before had been given
    const std::vector<VertexId> rest(all.begin() + 5, all.end());
    std::vector<VertexId> known(all.begin(), all.begin() + 5);
    known.push_back(0);
    CHECK(rest == vertices_of(ask(graph, known, 99, options)));
    std::ranges::sort(all);
    CHECK(all == std::vector<VertexId>{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11});
  }
}

TEST_CASE("the central vertex leaves the least variance of all") {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const Graph graph = random_graph(30, 25, seed, 2);
    const Components components = connected_components(graph);
    const auto questions = ask(graph, {}, 2, with(Criterion::sigma_opt));
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

TEST_CASE("a vertex that hangs by almost nothing is asked first, and breaks no eigenpairs") {
  std::vector<Edge> edges{{17, 300, 1e-22}};
  const Graph grid = grid_graph(20, 15);
  for (VertexId u = 0; u < 300; ++u)
    for (const VertexId v : grid.neighbors(u))
      if (u < v) edges.push_back({u, v});
  const auto questions =
      ask(graph_from_edges(301, edges), {0}, 3, with(Criterion::v_opt, 10, 0.01));
  REQUIRE(questions.size() == 3);
  CHECK(questions[0].vertex == 300);
  for (const Question& q : questions) CHECK(std::isfinite(q.score));
}

TEST_CASE("with no label, no class, one class or no candidate there is a clear answer") {
  const Graph graph = cycle_graph(6);
  CHECK(vertices_of(ask(graph, {}, 2, with(Criterion::v_opt))) == std::vector<VertexId>{0, 3});
  const Fit one_class = harmonic_fit(graph, {2, 4}, 1);
  const auto certain = ask(graph, {2, 4}, 3, with(Criterion::entropy), &one_class.scores);
  CHECK(vertices_of(certain) == std::vector<VertexId>{0, 1, 3});
  for (const Question& q : certain) CHECK(q.score == 0.0);
  CHECK(ask(graph, {0, 1, 2, 3, 4, 5}, 4, with(Criterion::v_opt)).empty());
  CHECK(ask(Graph(), {}, 4, with(Criterion::v_opt)).empty());
  CHECK(ask(graph, {0}, 0, with(Criterion::v_opt)).empty());
  CHECK(ask(graph, {0}, 99, with(Criterion::v_opt)).size() == 5);
  CHECK(ask(graph, {0}, 9, with(Criterion::v_opt), nullptr, std::vector<VertexId>{}).empty());
  // scores say nothing of a component that was unreached when they were made
  const Graph two = graph_from_edges(4, {{0, 1}, {2, 3}});
  const Fit fit = harmonic_fit(two, {0}, 1);
  CHECK(vertices_of(ask(two, {0}, 9, with(Criterion::margin), &fit.scores)) ==
        std::vector<VertexId>{2, 1});
}

TEST_CASE("on a star with its center known the leaves tie, and the lowest is asked") {
  const auto questions = ask(star_graph(6), {0}, 5, with(Criterion::v_opt));
  CHECK(vertices_of(questions) == std::vector<VertexId>{1, 2, 3, 4, 5});
  for (const Question& q : questions) CHECK(q.score == Approx(1.0));
}

TEST_CASE("random asks every candidate once, in an order of the seed") {
  const Graph graph = path_graph(20);
  const auto order = vertices_of(ask(graph, {3}, 99, with(Criterion::random)));
  CHECK(std::set<VertexId>(order.begin(), order.end()).size() == 19);
  CHECK(order == vertices_of(ask(graph, {3}, 99, with(Criterion::random))));
  RunContext other = on_threads(1);
  other.seed = 2;
  const std::vector<VertexId> labeled{3};
  CHECK(order != vertices_of(Asker(graph, labeled, std::nullopt, with(Criterion::random), other)
                                 .next(99, nullptr, other)));
}

TEST_CASE("scaling all weights, and the number of threads, change no question") {
  struct Setting {
    VertexId n;
    AskOptions options;
  };
  for (const Setting& s : {Setting{5000, with(Criterion::v_opt, 0, 0.1)},
                           Setting{600, with(Criterion::sigma_opt, 12, 0.1)}}) {
    const Graph graph = random_graph(s.n, 2 * s.n, 6);
    std::vector<VertexId> labeled = first_labels(s.n, 66, 1);
    const std::vector<VertexId> candidates(labeled.begin() + 6, labeled.end());
    labeled.resize(6);
    INFO("rank " << s.options.rank);
    const auto one = ask(graph, labeled, 6, s.options, nullptr, candidates, 1);
    const auto four = ask(graph, labeled, 6, s.options, nullptr, candidates, 4);
    REQUIRE(one.size() == 6);
    CHECK(vertices_of(one) == vertices_of(four));
    for (std::size_t i = 0; i < one.size(); ++i) CHECK(one[i].score == four[i].score);
    const Graph scaled = renamed(graph, identity_order(s.n), 1024.0);
    CHECK(vertices_of(ask(scaled, labeled, 6, s.options, nullptr, candidates)) == vertices_of(one));
  }
}

TEST_CASE("criteria are read from text, and wrong ones are refused") {
  const AskOptions options = parse_criterion("sigma-opt:rank=50,noise=0.2,unreached=last");
  CHECK(options.criterion == Criterion::sigma_opt);
  CHECK(options.rank == 50);
  CHECK(options.noise == 0.2);
  CHECK_FALSE(parse_criterion("v-opt:rank=5").noise.has_value());
  CHECK_FALSE(options.unreached_first);
  for (const std::string& name : criterion_names())
    CHECK(to_string(parse_criterion(name).criterion) == name);
  for (const char* wrong :
       {"", "vopt", "v-opt:rank=-2", "v-opt:rank=5,noise=0", "v-opt:noise=-1", "v-opt:noise=inf",
        "v-opt:noise=1e308", "v-opt:noise=1e-320", "v-opt:unreached=never", "margin:colour=red"}) {
    INFO(wrong);
    CHECK(error_of([&] { parse_criterion(wrong); })->code() == ErrorCode::usage);
  }
  const Graph graph = path_graph(4);
  const auto code = [&](const std::vector<VertexId>& labeled, const std::vector<VertexId>& of,
                        const AskOptions& asked) {
    return error_of([&] { ask(graph, labeled, 1, asked, nullptr, of); })->code();
  };
  CHECK(code({0}, {7}, with(Criterion::v_opt)) == ErrorCode::bad_data);
  CHECK(code({0, 0}, {1}, with(Criterion::v_opt)) == ErrorCode::bad_data);
  CHECK(code({0}, {1, 1}, with(Criterion::v_opt)) == ErrorCode::bad_data);
  CHECK(code({0}, {1}, with(Criterion::margin)) == ErrorCode::usage);
}

TEST_CASE("scores of another graph are refused") {
  const Graph graph = path_graph(4);
  const Scores small{.values = Block(3, 2), .status = std::vector(3, VertexStatus::inferred)};
  const Scores short_rows{.values = Block(3, 2), .status = std::vector(4, VertexStatus::inferred)};
  const Scores no_rows{.values = {}, .status = std::vector(4, VertexStatus::inferred)};
  for (const Scores* wrong : {&small, &short_rows, &no_rows})
    CHECK(error_of([&] { ask(graph, {0}, 1, with(Criterion::margin), wrong); })->code() ==
          ErrorCode::bad_data);
  // where nothing is reached no row is looked at
  const Scores unreached{.values = {}, .status = std::vector(4, VertexStatus::unreached)};
  CHECK(ask(graph, {}, 9, with(Criterion::margin), &unreached).size() == 1);
}

TEST_CASE("more eigenpairs than vertices are all of them, and any allowed noise gives numbers") {
  const Graph graph = random_graph(30, 25, 4, 2);
  const auto largest = std::numeric_limits<std::int64_t>::max();
  CHECK(vertices_of(ask(graph, {0}, 3, with(Criterion::v_opt, 30, 0.1))) ==
        vertices_of(ask(graph, {0}, 3, with(Criterion::v_opt, largest, 0.1))));
  for (const double noise : {1e-100, 1e100})
    for (const Question& q : ask(graph, {0, 29}, 3, with(Criterion::v_opt, 0, noise)))
      CHECK(std::isfinite(q.score));
  for (const Question& q : ask(graph, {0, 29}, 3, with(Criterion::v_opt, 30, 1e100)))
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

TEST_CASE("a stopped run asks nothing and says so") {
  const std::atomic<bool> stop{true};
  RunContext run = on_threads(1);
  run.cancel = &stop;
  const std::vector<VertexId> labeled{0};
  const Graph graph = path_graph(9);
  Asker asker(graph, labeled, std::nullopt, with(Criterion::v_opt), run);
  CHECK(asker.next(3, nullptr, run).empty());
  CHECK(asker.report().solver.outcome == Outcome::cancelled);
  // also where the eigenpairs are there already
  std::atomic<bool> later{false};
  run.cancel = &later;
  Asker cut(graph, labeled, std::nullopt, with(Criterion::v_opt, 3, 0.1), run);
  CHECK(cut.next(1, nullptr, run).size() == 1);
  CHECK(cut.report().converged());
  later = true;
  CHECK(cut.next(1, nullptr, run).empty());
  CHECK(cut.report().solver.outcome == Outcome::cancelled);
  // and in the middle of a covariance of many eigenpairs
  std::vector<Edge> edges;
  std::vector<VertexId> many;
  for (VertexId v = 0; v < 3000; v += 2) {
    edges.push_back({v, v + 1});
    many.push_back(v);
  }
  const Graph pairs = graph_from_edges(3000, edges);
  RunContext late = on_threads(1);
  late.deadline = RunContext::Clock::now() + std::chrono::milliseconds(600);
  Asker slow(pairs, many, std::nullopt, with(Criterion::v_opt, 100, 0.1), late);
  CHECK(slow.next(1, nullptr, late).empty());
  CHECK(slow.report().solver.outcome == Outcome::time_limit);
}
