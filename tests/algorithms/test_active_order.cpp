// Which vertex is asked first, what comes last, ties, and what is refused.

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <set>

#include "algorithms/active_support.hpp"
#include "gssl/graph/generators.hpp"
#include "support/catch.hpp"

using namespace gssl;
using namespace gssl::test;

TEST_CASE("components without a label come first, the largest first, by their central vertex") {
  // path 0-1-2, star around 3 with leaves 4…8, alone 9, and path 10-11-12-13 that has a label
  const Graph graph = graph_from_edges(
      14, {{0, 1}, {1, 2}, {3, 4}, {3, 5}, {3, 6}, {3, 7}, {3, 8}, {10, 11}, {11, 12}, {12, 13}});
  const auto first = ask(graph, {10}, 5, with_criterion(Criterion::v_opt));
  CHECK(vertices_of(first) == std::vector<VertexId>{3, 1, 9, 13, 0});
  CHECK(first[0].score == 6.0);
  CHECK(first[1].score == 3.0);
  CHECK(first[2].score == 1.0);
  CHECK((first[0].unreached && first[2].unreached && !first[3].unreached));
  AskOptions last = with_criterion(Criterion::v_opt);
  last.unreached_first = false;
  CHECK(vertices_of(ask(graph, {10}, 5, last)) == std::vector<VertexId>{13, 11, 12, 3, 1});
  // the most central of those that may be asked
  const std::vector<VertexId> some{5, 6, 0, 12};
  CHECK(vertices_of(ask(graph, {10}, 9, with_criterion(Criterion::v_opt), nullptr, some)) ==
        std::vector<VertexId>{5, 0, 12, 6});
}

TEST_CASE("what comes last is asked to the end") {
  // path 0-1-2 with a label at 0, path 3-…-8, pair 9-10, and 11 alone
  const Graph graph =
      graph_from_edges(12, {{0, 1}, {1, 2}, {3, 4}, {4, 5}, {5, 6}, {6, 7}, {7, 8}, {9, 10}});
  const std::vector<VertexId> labeled{0};
  for (AskOptions options :
       {with_criterion(Criterion::v_opt), with_criterion(Criterion::sigma_opt, 0, 0.1),
        with_criterion(Criterion::v_opt, 4, 0.1)}) {
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

TEST_CASE("a vertex that hangs by almost nothing is asked first, and breaks no eigenpairs") {
  std::vector<Edge> edges{{17, 300, 1e-22}};
  const Graph grid = grid_graph(20, 15);
  for (VertexId u = 0; u < 300; ++u)
    for (const VertexId v : grid.neighbors(u))
      if (u < v) edges.push_back({u, v});
  const auto questions =
      ask(graph_from_edges(301, edges), {0}, 3, with_criterion(Criterion::v_opt, 10, 0.01));
  REQUIRE(questions.size() == 3);
  CHECK(questions[0].vertex == 300);
  for (const Question& q : questions) CHECK(std::isfinite(q.score));
}

TEST_CASE("with no label, no class, one class or no candidate there is a clear answer") {
  const Graph graph = cycle_graph(6);
  CHECK(vertices_of(ask(graph, {}, 2, with_criterion(Criterion::v_opt))) ==
        std::vector<VertexId>{0, 3});
  const Fit one_class = harmonic_fit(graph, {2, 4}, 1);
  const auto certain = ask(graph, {2, 4}, 3, with_criterion(Criterion::entropy), &one_class.scores);
  CHECK(vertices_of(certain) == std::vector<VertexId>{0, 1, 3});
  for (const Question& q : certain) CHECK(q.score == 0.0);
  CHECK(ask(graph, {0, 1, 2, 3, 4, 5}, 4, with_criterion(Criterion::v_opt)).empty());
  CHECK(ask(Graph(), {}, 4, with_criterion(Criterion::v_opt)).empty());
  CHECK(ask(graph, {0}, 0, with_criterion(Criterion::v_opt)).empty());
  CHECK(ask(graph, {0}, 99, with_criterion(Criterion::v_opt)).size() == 5);
  CHECK(ask(graph, {0}, 9, with_criterion(Criterion::v_opt), nullptr, std::vector<VertexId>{})
            .empty());
  // scores say nothing of a component that was unreached when they were made
  const Graph two = graph_from_edges(4, {{0, 1}, {2, 3}});
  const Fit fit = harmonic_fit(two, {0}, 1);
  CHECK(vertices_of(ask(two, {0}, 9, with_criterion(Criterion::margin), &fit.scores)) ==
        std::vector<VertexId>{2, 1});
}

TEST_CASE("on a star with its center known the leaves tie, and the lowest is asked") {
  const auto questions = ask(star_graph(6), {0}, 5, with_criterion(Criterion::v_opt));
  CHECK(vertices_of(questions) == std::vector<VertexId>{1, 2, 3, 4, 5});
  for (const Question& q : questions) CHECK(q.score == Approx(1.0));
}

TEST_CASE("random asks every candidate once, in an order of the seed") {
  const Graph graph = path_graph(20);
  const auto order = vertices_of(ask(graph, {3}, 99, with_criterion(Criterion::random)));
  CHECK(std::set<VertexId>(order.begin(), order.end()).size() == 19);
  CHECK(order == vertices_of(ask(graph, {3}, 99, with_criterion(Criterion::random))));
  RunContext other = on_threads(1);
  other.seed = 2;
  const std::vector<VertexId> labeled{3};
  CHECK(order !=
        vertices_of(Asker(graph, labeled, std::nullopt, with_criterion(Criterion::random), other)
                        .next(99, nullptr, other)));
}

TEST_CASE("scaling all weights, and the number of threads, change no question") {
  struct Setting {
    VertexId n;
    AskOptions options;
  };
  for (const Setting& s : {Setting{5000, with_criterion(Criterion::v_opt, 0, 0.1)},
                           Setting{600, with_criterion(Criterion::sigma_opt, 12, 0.1)}}) {
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
  CHECK(code({0}, {7}, with_criterion(Criterion::v_opt)) == ErrorCode::bad_data);
  CHECK(code({0, 0}, {1}, with_criterion(Criterion::v_opt)) == ErrorCode::bad_data);
  CHECK(code({0}, {1, 1}, with_criterion(Criterion::v_opt)) == ErrorCode::bad_data);
  CHECK(code({0}, {1}, with_criterion(Criterion::margin)) == ErrorCode::usage);
}

TEST_CASE("scores of another graph are refused") {
  const Graph graph = path_graph(4);
  const Scores small{.values = Block(3, 2), .status = std::vector(3, VertexStatus::inferred)};
  const Scores short_rows{.values = Block(3, 2), .status = std::vector(4, VertexStatus::inferred)};
  const Scores no_rows{.values = {}, .status = std::vector(4, VertexStatus::inferred)};
  for (const Scores* wrong : {&small, &short_rows, &no_rows})
    CHECK(error_of([&] { ask(graph, {0}, 1, with_criterion(Criterion::margin), wrong); })->code() ==
          ErrorCode::bad_data);
  // where nothing is reached no row is looked at
  const Scores unreached{.values = {}, .status = std::vector(4, VertexStatus::unreached)};
  CHECK(ask(graph, {}, 9, with_criterion(Criterion::margin), &unreached).size() == 1);
}

TEST_CASE("a stopped run asks nothing and says so") {
  const std::atomic<bool> stop{true};
  RunContext run = on_threads(1);
  run.cancel = &stop;
  const std::vector<VertexId> labeled{0};
  const Graph graph = path_graph(9);
  Asker asker(graph, labeled, std::nullopt, with_criterion(Criterion::v_opt), run);
  CHECK(asker.next(3, nullptr, run).empty());
  CHECK(asker.report().outcome == Outcome::cancelled);
  // also where the eigenpairs are there already
  std::atomic<bool> later{false};
  run.cancel = &later;
  Asker cut(graph, labeled, std::nullopt, with_criterion(Criterion::v_opt, 3, 0.1), run);
  CHECK(cut.next(1, nullptr, run).size() == 1);
  CHECK(cut.report().converged());
  later = true;
  CHECK(cut.next(1, nullptr, run).empty());
  CHECK(cut.report().outcome == Outcome::cancelled);
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
  Asker slow(pairs, many, std::nullopt, with_criterion(Criterion::v_opt, 100, 0.1), late);
  CHECK(slow.next(1, nullptr, late).empty());
  CHECK(slow.report().outcome == Outcome::time_limit);
}
