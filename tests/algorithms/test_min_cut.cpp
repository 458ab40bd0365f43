// The learner min-cut against all labelings tried, and on graphs whose cut is seen by eye.

#include <algorithm>
#include <cmath>
#include <set>

#include "algorithms/certificates.hpp"
#include "algorithms/fixtures.hpp"
#include "gssl/graph/generators.hpp"
#include "gssl/graph/knn_graph.hpp"
#include "gssl/transductive/min_cut.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

using namespace gssl;
using namespace gssl::test;

namespace {

// The number certified under `name`, or −1.

struct Best {
  double cost = HUGE_VAL;
  std::vector<std::set<int>> choices;  // classes each vertex has in some best labeling
};

double cost_of(const Graph& graph, const std::vector<int>& label) {
  double cost = 0.0;
  for (VertexId u = 0; u < graph.vertex_count(); ++u)
    graph.visit_row(u, [&](VertexId v, double w) {
      if (u < v && label[std::size_t(u)] != label[std::size_t(v)]) cost += w;
    });
  return cost;
}

// Every labeling that keeps the given ones, tried; with `soft` > 0 the others too, at that price.
Best try_all(const Graph& graph, const LabeledSet& labeled, double soft) {
  const auto n = static_cast<std::size_t>(graph.vertex_count());
  const int classes = labeled.class_count();
  Best best;
  std::vector<int> label(n, 0);
  for (bool more = true; more;) {
    double cost = 0.0;
    bool allowed = true;
    for (std::size_t i = 0; i < labeled.size(); ++i)
      if (label[std::size_t(labeled.vertices()[i])] != labeled.class_of()[i]) {
        cost += soft;
        allowed = allowed && soft > 0.0;
      }
    if (allowed) {
      cost += cost_of(graph, label);
      if (cost < best.cost - 1e-9) best = {cost, std::vector<std::set<int>>(n)};
      if (cost < best.cost + 1e-9)
        for (std::size_t v = 0; v < n; ++v) best.choices[v].insert(label[v]);
    }
    std::size_t digit = 0;
    while (digit < n && ++label[digit] == classes) label[digit++] = 0;
    more = digit < n;
  }
  return best;
}

// The classes that vertices begin … end − 1 may have after one class has taken any set of them at
// no cost; nothing if one can gain. Every set is tried.
std::vector<std::set<int>> free_choices(const Graph& graph, const std::vector<int>& label,
                                        VertexId begin, VertexId end, int classes) {
  const double cost = cost_of(graph, label);
  std::vector<std::set<int>> may;
  for (const int k : label) may.push_back({k});
  for (int k = 0; k < classes; ++k)
    for (std::uint32_t set = 1; set < (1U << unsigned(end - begin)); ++set) {
      std::vector<int> moved = label;
      for (VertexId v = begin; v < end; ++v)
        if (((set >> unsigned(v - begin)) & 1U) != 0) moved[std::size_t(v)] = k;
      const double after = cost_of(graph, moved);
      if (after < cost) return {};
      for (std::size_t v = 0; v < moved.size() && after == cost; ++v) may[v].insert(moved[v]);
    }
  return may;
}

Graph whole_numbers(const Graph& graph) {
  std::vector<Edge> edges;
  for (VertexId u = 0; u < graph.vertex_count(); ++u)
    graph.visit_row(u, [&](VertexId v, double w) {
      if (u < v) edges.push_back({u, v, std::ceil(2.0 * w)});
    });
  return graph_from_edges(graph.vertex_count(), edges);
}

}  // namespace

TEST_CASE("two classes are cut as by trying all labelings, ties included") {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    CAPTURE(seed);
    const VertexId n = 5 + static_cast<VertexId>(seed % 7);
    const Graph graph = whole_numbers(random_graph(n, static_cast<int>(seed % 13), seed));
    const LabeledSet labeled = classes({0, n - 1, 2}, {0, 1, static_cast<int>(seed % 2)}, 2);
    for (const double soft : {0.0, 2.0}) {
      const Fit fit = MinCutLearner({.soft = soft}).fit(graph, labeled, on_threads(1));
      const Best best = try_all(graph, labeled, soft);
      CHECK(certified(fit, "cut") == best.cost);
      CHECK(certified(fit, "flow") == best.cost);
      for (VertexId v = 0; v < n; ++v) {
        const std::set<int>& choices = best.choices[std::size_t(v)];
        const double first = choices.size() == 2 ? 0.5 : choices.count(0) == 1 ? 1.0 : 0.0;
        CHECK(fit.scores.values(v, 0) == first);
        CHECK(fit.scores.values(v, 1) == 1.0 - first);
        if (fit.scores.status[std::size_t(v)] == VertexStatus::given) continue;
        CHECK((fit.scores.status[std::size_t(v)] == VertexStatus::tied) == (choices.size() == 2));
        CHECK(fit.confidence[std::size_t(v)] == (choices.size() == 2 ? 0.5 : 1.0));
      }
    }
  }
}

TEST_CASE("equal weights that are no whole numbers tie as whole ones do") {
  for (const double w : {0.1, 0.7, 1e-9, 3.3e12}) {
    CAPTURE(w);
    // 0 ─ 1 ─ 2 ─ 3 ─ 4: three edges of weight w, but between 1 and 2 as three paths of w/3
    const Graph graph = graph_from_edges(8, {{0, 1, w},
                                             {1, 5, w / 3},
                                             {1, 6, w / 3},
                                             {1, 7, w / 3},
                                             {5, 2, w / 3},
                                             {6, 2, w / 3},
                                             {7, 2, w / 3},
                                             {2, 3, w},
                                             {3, 4, w}});
    const Fit fit = MinCutLearner().fit(graph, classes({0, 4}, {0, 1}, 2), on_threads(1));
    for (const VertexId v : {1, 2, 3, 5, 6, 7})
      CHECK(fit.scores.status[std::size_t(v)] == VertexStatus::tied);
  }
}

TEST_CASE("more classes: within the bound, above the lower bound, often the optimum") {
  int optimal = 0, runs = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    CAPTURE(seed);
    const VertexId n = 7 + static_cast<VertexId>(seed % 3);
    const Graph graph = random_graph(n, 14, seed);
    const LabeledSet labeled = classes({0, 3, n - 1}, {0, 1, 2}, 3);
    const Best all = try_all(graph, labeled, 0.0);
    const double best = all.cost;
    const Fit fit = MinCutLearner().fit(graph, labeled, on_threads(1));
    const Fit isolating =
        MinCutLearner({.classes = MulticlassCut::isolating}).fit(graph, labeled, on_threads(1));
    const double cut = certified(fit, "cut");
    std::vector<int> label = fit.decision;
    CHECK(cut == Approx(cost_of(graph, label)).epsilon(1e-12));
    CHECK(certified(isolating, "cut") == Approx(certified(fit, "isolating_cut")));
    CHECK(certified(fit, "bound") == Approx(4.0 / 3.0));
    CHECK(certified(fit, "lower_bound") <= best * (1.0 + 1e-12));
    CHECK(cut >= best * (1.0 - 1e-12));
    CHECK(cut <= certified(isolating, "cut") * (1.0 + 1e-12));
    CHECK(certified(isolating, "cut") <= best * 4.0 / 3.0 * (1.0 + 1e-12));
    int several = 0;
    for (const auto& choices : all.choices) several += choices.size() > 1 ? 1 : 0;
    CHECK(certified(fit, "undecided") >= several);
    CHECK(certified(fit, "undecided") <= n - 3);
    for (VertexId v = 0; v < n && cut <= best * (1.0 + 1e-12); ++v)
      if (fit.scores.status[std::size_t(v)] == VertexStatus::tied)
        CHECK(all.choices[std::size_t(v)].size() > 1);
    ++runs;
    if (cut <= best * (1.0 + 1e-12)) ++optimal;
  }
  CHECK(10 * optimal >= 9 * runs);
}

TEST_CASE("more classes: no class gains by taking a set, and ties are sets taken for free") {
  int tied = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    CAPTURE(seed);
    const VertexId n = 8 + static_cast<VertexId>(seed % 4);
    const Graph graph = whole_numbers(random_graph(n, static_cast<int>(seed % 20), seed));
    const LabeledSet labeled = classes({0, 1, n - 2, n - 1}, {0, 1, 2, 3}, 4);
    const Fit fit = MinCutLearner().fit(graph, labeled, on_threads(1));
    std::vector<std::set<int>> told(static_cast<std::size_t>(n));
    for (VertexId v = 0; v < n; ++v)
      for (int k = 0; k < 4; ++k)
        if (fit.scores.values(v, k) > 0.0) told[std::size_t(v)].insert(k);
    for (const auto& choices : told) tied += choices.size() > 1 ? 1 : 0;
    // Which of the choices made up the labeling that was found is not told: some do.
    bool found = false;
    std::vector<int> label(static_cast<std::size_t>(n));
    const auto choose = [&](auto&& self, VertexId v) -> void {
      if (found) return;
      if (v < n) {
        for (const int k : told[std::size_t(v)]) {
          label[std::size_t(v)] = k;
          self(self, v + 1);
        }
      } else if (cost_of(graph, label) == certified(fit, "cut")) {
        found = free_choices(graph, label, 2, n - 2, 4) == told;
      }
    };
    choose(choose, 0);
    CHECK(found);
  }
  CHECK(tied > 20);
}

TEST_CASE("a vertex that three classes hold alike is tied between them") {
  const Graph graph = graph_from_edges(5, {{0, 1, 0.3}, {0, 2, 0.3}, {0, 3, 0.3}, {0, 4, 0.3}});
  const Fit fit = MinCutLearner().fit(graph, classes({1, 2, 3}, {0, 1, 2}, 3), on_threads(1));
  for (const VertexId v : {0, 4}) {
    CHECK(fit.scores.status[std::size_t(v)] == VertexStatus::tied);
    for (int k = 0; k < 3; ++k) CHECK(fit.scores.values(v, k) == Approx(1.0 / 3.0));
  }
  CHECK(certified(fit, "cut") == Approx(0.6));
}

TEST_CASE("a class cut off with nothing but its given vertices is told, and class ties cure it") {
  // Two blobs of 100 well-mixed points each; one label each is cheapest cut off alone.
  Rng rng(4);
  const Graph graph = stochastic_block_model({100, 100}, 0.3, 0.03, rng);
  const LabeledSet labeled = classes({3, 150}, {0, 1}, 2);
  std::vector<int> truth(200, 0);
  std::fill(truth.begin() + 100, truth.end(), 1);
  const std::vector<VertexId> all = identity_order(200);
  const Fit bare = MinCutLearner().fit(graph, labeled, on_threads(1));
  REQUIRE(bare.report.warnings.size() == 1);
  CHECK(bare.report.warnings.front().find("mass=cmn") != std::string::npos);
  CHECK(accuracy(bare.decision, truth, all) < 0.6);
  for (const MinCutOptions& cure :
       {MinCutOptions{.mass = MassRule::cmn}, MinCutOptions{.mass = MassRule::cmn, .strength = 0.2},
        MinCutOptions{.soft = 5.0, .mass = MassRule::priors, .priors = {0.5, 0.5}}}) {
    const Fit fit = MinCutLearner(cure).fit(graph, labeled, on_threads(1));
    CHECK(fit.report.warnings.empty());
    CHECK(accuracy(fit.decision, truth, all) >= 0.99);
    CHECK(certified(fit, "flow") == Approx(certified(fit, "cut")).epsilon(1e-12));
  }
}

TEST_CASE("two moons with a few labels are told apart without a mistake to speak of") {
  Rng rng(1);
  const PlanePoints plane = two_moons(2000, 0.1, rng);
  std::vector<double> values;
  for (std::size_t i = 0; i < plane.x.size(); ++i) {
    values.push_back(plane.x[i]);
    values.push_back(plane.y[i]);
  }
  const Graph graph = knn_graph(Points::dense(2000, 2, std::move(values)), 10).graph;
  const LabeledSet labeled = classes({100, 500, 900, 1100, 1500, 1900}, {0, 0, 0, 1, 1, 1}, 2);
  const Fit fit = MinCutLearner().fit(graph, labeled, on_threads(1));
  CHECK(accuracy(fit.decision, plane.class_of, identity_order(2000)) > 0.99);
}

TEST_CASE("digits: ten classes with class ties do better than harmonic, and are certified") {
  std::vector<Edge> edges;
  for (const auto& row : read_numbers(source_path("datasets/digits/edges.tsv")))
    if (row.size() == 3) edges.push_back({VertexId(row[0]), VertexId(row[1]), row[2]});
  const Graph graph = graph_from_edges(1797, edges);
  std::vector<VertexId> given, asked = identity_order(1797);
  std::vector<int> digit, truth;
  for (const auto& row : read_numbers(source_path("datasets/digits/labels.tsv")))
    if (row.size() == 2) {
      given.push_back(VertexId(row[0]));
      digit.push_back(int(row[1]));
      std::erase(asked, given.back());
    }
  for (const auto& row : read_numbers(source_path("datasets/digits/truth.tsv")))
    if (row.size() == 2) truth.push_back(int(row[1]));
  REQUIRE(truth.size() == 1797);
  const LabeledSet labeled = classes(given, digit, 10);
  const Fit fit = MinCutLearner({.mass = MassRule::cmn}).fit(graph, labeled, on_threads(1));
  CHECK(accuracy(fit.decision, truth, asked) >
        accuracy(HarmonicLearner().fit(graph, labeled, on_threads(1)).decision, truth, asked));
  CHECK(certified(fit, "lower_bound") <= certified(fit, "cut"));
  CHECK(certified(fit, "cut") <= 1.05 * certified(fit, "lower_bound"));
  CHECK(certified(fit, "cut") < certified(fit, "isolating_cut"));
}

TEST_CASE("options of min-cut are checked") {
  CHECK(error_of([] { MinCutLearner({.soft = -1.0}); }));
  CHECK(error_of([] { MinCutLearner({.strength = 0.0}); }));
  CHECK(error_of([] { MinCutLearner({.mass = MassRule::priors}); }));
  CHECK(error_of([] { MinCutLearner({.priors = {1.0}}); }));
  const LearnerRegistry registry = builtin_learners();
  for (const char* spec : {"min-cut:classes=best", "min-cut:method=dinic", "min-cut:soft=-1",
                           "min-cut:mass=priors,priors=a;b"}) {
    const auto error = error_of([&] { registry.make(spec); });
    REQUIRE(error);
    CHECK(error->code() == ErrorCode::usage);
  }
  const auto wrong = error_of([] {
    MinCutLearner({.mass = MassRule::priors, .priors = {1.0}})
        .fit(path_graph(3), classes({0, 2}, {0, 1}, 2), on_threads(1));
  });
  REQUIRE(wrong);
  CHECK(wrong->code() == ErrorCode::usage);
}
