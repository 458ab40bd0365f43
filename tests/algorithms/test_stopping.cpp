// Whoever is told to stop, by a deadline or by a flag that another thread raises, returns soon: all
// registered learners, and the work behind the other verbs.
//
// Time is that of the processor, which a machine that others use does not lengthen.

#include <atomic>
#include <chrono>
#include <cmath>
#include <ctime>
#include <functional>
#include <memory>
#include <numeric>
#include <string>
#include <thread>

#include "algorithms/fixtures.hpp"
#include "gssl/answer/explanation.hpp"
#include "gssl/evaluate/active.hpp"
#include "gssl/flow/global_min_cut.hpp"
#include "gssl/flow/max_flow.hpp"
#include "gssl/graph/generators.hpp"
#include "gssl/learn/clusterer.hpp"
#include "gssl/learn/registry.hpp"
#include "gssl/linalg/spectrum.hpp"
#include "gssl/network/effective_resistance.hpp"
#include "gssl/network/graph_kernel.hpp"
#include "gssl/network/p_resistance.hpp"
#include "gssl/network/walks.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

using namespace gssl;
using namespace gssl::test;

namespace {

#if defined(__SANITIZE_ADDRESS__)
constexpr double slower = 10.0;
#else
constexpr double slower = 1.0;
#endif
constexpr int threads = 2;
constexpr std::chrono::milliseconds allowed{50};
// One second of each thread.
constexpr double most_seconds = slower * threads * 1.0;

double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

enum class Stop { deadline, flag };

// Calls work(run), and checks that it returned soon and threw nothing but that it was stopped.
void check_ends(const std::string& name, Stop stop,
                const std::function<void(const RunContext&)>& work) {
  std::atomic<bool> cancel{false};
  RunContext run = on_threads(threads);
  run.cancel = &cancel;
  if (stop == Stop::deadline) run.deadline = RunContext::Clock::now() + allowed;
  std::thread other;
  if (stop == Stop::flag)
    other = std::thread([&] {
      std::this_thread::sleep_for(allowed);
      cancel = true;
    });
  const double before = processor_seconds();
  const auto error = error_of([&] { work(run); });
  const double seconds = processor_seconds() - before;
  if (other.joinable()) other.join();
  INFO(name << (error ? std::string(": ") + error->what() : ""));
  CHECK(seconds <= most_seconds);
  if (error)
    CHECK(error->code() == (stop == Stop::deadline ? ErrorCode::time_limit : ErrorCode::cancelled));
}

// `count` vertices, evenly spread, in turn of each class.
LabeledSet spread_labels(VertexId n, int classes, int each) {
  std::vector<VertexId> vertices;
  std::vector<int> class_of;
  const int count = classes * each;
  for (int i = 0; i < count; ++i) {
    vertices.push_back(static_cast<VertexId>(static_cast<std::int64_t>(i) * n / count));
    class_of.push_back(i % classes);
  }
  return test::classes(vertices, class_of, classes);
}

// What is no answer says so, and nothing says that it is one which was not finished.
void check_honest(const Fit& fit) {
  REQUIRE(fit.decision.size() == fit.scores.status.size());
  std::int64_t wrong = 0;
  for (std::size_t v = 0; v < fit.decision.size(); ++v) {
    const bool none = has_no_answer(fit.scores.status[v]);
    wrong += none != (fit.decision[v] < 0);
    wrong += none && fit.confidence[v] != 0.0;
    wrong += fit.report.converged() && fit.scores.status[v] == VertexStatus::unfinished;
  }
  CHECK(wrong == 0);
}

void check_learners(const Graph& graph, const LabeledSet& labeled, Stop stop) {
  const LearnerRegistry registry = builtin_learners();
  for (const auto* entry : registry.labelers()) {
    if (!entry->make_transductive || !entry->traits.classification) continue;
    const MadeLearner learner = registry.make(entry->name);
    check_ends(entry->name, stop, [&](const RunContext& run) {
      check_honest(learner.transductive().fit(graph, labeled, run));
    });
  }
}

// Half of the edges of a social graph hang on few vertices.
Graph social_graph() {
  Rng rng(5);
  return rmat_graph(15, 12, rng);
}

// As the k nearest of points in the plane.
Graph plane_graph(VertexId n) {
  Rng rng(6);
  return random_geometric_graph(n, 1.8 / std::sqrt(static_cast<double>(n)), rng);
}

}  // namespace

TEST_CASE("every learner ends soon after a deadline on a social graph") {
  const Graph graph = social_graph();
  check_learners(graph, spread_labels(graph.vertex_count(), 3, 2), Stop::deadline);
}

TEST_CASE("every learner ends soon after a flag was raised, with two hundred classes") {
  const Graph graph = plane_graph(20'000);
  check_learners(graph, spread_labels(graph.vertex_count(), 200, 2), Stop::flag);
}

TEST_CASE("a learner on points ends soon after a deadline") {
  constexpr std::int64_t rows = 20'000, columns = 30;
  Rng rng(8);
  std::vector<double> values(rows * columns);
  for (double& value : values) value = rng.normal();
  const Points points = Points::dense(rows, columns, std::move(values));
  const LabeledSet labeled = spread_labels(rows, 20, 2);
  const LearnerRegistry registry = builtin_learners();
  for (const auto* entry : registry.labelers()) {
    if (!entry->make_on_points) continue;
    const MadeLearner learner = registry.make(entry->name);
    check_ends(entry->name, Stop::deadline, [&](const RunContext& run) {
      check_honest(learner.points_learner->fit(points, labeled, run));
    });
  }
}

namespace {

using Work = std::pair<std::string, std::function<void(const RunContext&)>>;

// Resistances and walks; the graph outlives what is returned.
std::vector<Work> network_works(const Graph& graph) {
  const VertexId n = graph.vertex_count();
  std::vector<VertexPair> pairs;
  for (VertexId v = 1; v < 2'000; ++v) pairs.push_back({v, static_cast<VertexId>(n - v)});
  return {
      {"pairs",
       [&graph, n, pairs](const RunContext& run) { pair_resistances(graph, pairs, {}, run); }},
      {"pairs by a factor",
       [&graph, n, pairs](const RunContext& run) {
         pair_resistances(graph, pairs, {.method = ResistanceMethod::factor}, run);
       }},
      {"pairs by a sketch",
       [&graph, n, pairs](const RunContext& run) {
         pair_resistances(graph, pairs, {.method = ResistanceMethod::sketch, .epsilon = 0.1}, run);
       }},
      {"edges", [&graph, n, pairs](const RunContext& run) { edge_resistances(graph, {}, run); }},
      {"edges by a sketch",
       [&graph, n, pairs](const RunContext& run) {
         edge_resistances(graph, {.epsilon = 0.1}, run);
       }},
      {"from a vertex",
       [&graph, n, pairs](const RunContext& run) { resistances_from(graph, 0, {}, run); }},
      {"diagonal",
       [&graph, n, pairs](const RunContext& run) { pseudoinverse_diagonal(graph, {}, run); }},
      {"p-resistance",
       [&graph, n, pairs](const RunContext& run) { p_resistance(graph, 0, n - 1, {}, run); }},
      {"hitting times",
       [&graph, n, pairs](const RunContext& run) { hitting_times(graph, {0}, {}, run); }},
      {"absorption",
       [&graph, n, pairs](const RunContext& run) {
         absorption_probabilities(graph, {0, n - 1}, {}, run);
       }},
  };
}

// Kernels, spectra, clusters, cuts and explanations.
std::vector<Work> other_works(const std::shared_ptr<const Graph>& graph,
                              const LabeledSet& labeled) {
  const VertexId n = graph->vertex_count();
  return {
      {"kernel",
       [graph, n, &labeled](const RunContext& run) {
         GraphKernel(graph, {}, run).columns({0, 1, 2, 3}, run);
       }},
      {"diffusion kernel",
       [graph, n, &labeled](const RunContext& run) {
         GraphKernel(graph, {.kind = KernelKind::diffusion, .time = 1000.0}, run)
             .columns({0, 1, 2, 3}, run);
       }},
      {"spectrum", [graph, n, &labeled](
                       const RunContext& run) { smallest_eigenpairs(*graph, {.count = 20}, run); }},
      {"spectral",
       [graph, n, &labeled](const RunContext& run) {
         made("spectral").clusterer().cluster(*graph, 10, run);
       }},
      {"score",
       [graph, n, &labeled](const RunContext& run) {
         made("spectral:variant=score").clusterer().cluster(*graph, 10, run);
       }},
      {"kernel-k-means",
       [graph, n, &labeled](const RunContext& run) {
         made("kernel-k-means").clusterer().cluster(*graph, 10, run);
       }},
      {"cut",
       [graph, n, &labeled](const RunContext& run) {
         std::vector<double> source(static_cast<std::size_t>(n), 0.0), sink = source;
         for (std::size_t v = 0; v < 50; ++v) source[v] = sink[sink.size() - 1 - v] = 1e6;
         MaxFlow(*graph, source, sink).solve(run);
       }},
      {"global cut", [graph, n, &labeled](const RunContext& run) { global_min_cut(*graph, run); }},
      {"explain",
       [graph, n, &labeled](const RunContext& run) {
         std::vector<VertexId> all_vertices(static_cast<std::size_t>(n));
         std::iota(all_vertices.begin(), all_vertices.end(), VertexId{0});
         explain(*graph, labeled, all_vertices, {}, run);
       }},
      {"suspects",
       [graph, n, &labeled](const RunContext& run) { leave_one_out(*graph, labeled, {}, run); }},
  };
}

}  // namespace

TEST_CASE("the work behind every other verb ends soon after a deadline") {
  for (const bool social : {true, false}) {
    const auto graph = std::make_shared<const Graph>(social ? social_graph() : plane_graph(40'000));
    const VertexId n = graph->vertex_count();
    const LabeledSet labeled = spread_labels(n, 3, 20);
    std::vector<Work> all = network_works(*graph);
    for (Work& work : other_works(graph, labeled)) all.push_back(std::move(work));
    for (const auto& [name, work] : all)
      check_ends(name + (social ? " on a social graph" : " in the plane"), Stop::deadline, work);
    for (const Criterion criterion : {Criterion::v_opt, Criterion::sigma_opt}) {
      check_ends("ask", Stop::deadline, [&](const RunContext& run) {
        Asker asker(*graph, labeled.vertices(), {}, {.criterion = criterion}, run);
        asker.next(3, nullptr, run);
      });
    }
  }
}
