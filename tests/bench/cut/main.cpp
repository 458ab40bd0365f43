// Minimum cuts beside the Boost Graph Library and igraph in the same run. Seconds are processor
// seconds of one thread, from the graph in memory to the side of every vertex; building the peer's
// own network counts, as it does for ours.

#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "../harness/measure.hpp"
#include "../harness/program.hpp"
#include "gssl/flow/global_min_cut.hpp"
#include "gssl/flow/max_flow.hpp"
#include "gssl/transductive/min_cut.hpp"
#include "instances.hpp"
#include "peers.hpp"

namespace {

using namespace gssl;
using namespace gssl::bench;

// One class against the others by a fresh flow, both sides read: the mean over the classes.
double cold_cut_seconds(const Graph& graph, const LabeledSet& labeled, FlowMethod method,
                        const RunContext& run) {
  const Stopwatch watch;
  for (int k = 0; k < labeled.class_count(); ++k) {
    std::vector<double> source(static_cast<std::size_t>(graph.vertex_count()), 0.0), sink = source;
    for (std::size_t i = 0; i < labeled.size(); ++i)
      (labeled.class_of()[i] == k ? source
                                  : sink)[static_cast<std::size_t>(labeled.vertices()[i])] =
          HUGE_VAL;
    MaxFlow problem(graph, source, sink, {.method = method});
    problem.solve(run);
    problem.source_side(CutSide::smallest_source);
    problem.source_side(CutSide::largest_source);
  }
  return watch.elapsed().cpu / labeled.class_count();
}

// Ten classes, ten labels each: all of min-cut, and expansion alone, in units of one cold cut.
void ten_classes(Results& results, const Labeled& labeled, FlowMethod method) {
  Rng rng(3);
  std::vector<VertexId> given;
  std::vector<int> class_of;
  std::vector<std::string> names;
  for (int k = 0; k < 10; ++k) {
    names.push_back(std::to_string(k));
    for (int wanted = 10; wanted > 0;) {
      const auto v = static_cast<VertexId>(rng.below(labeled.blob_of.size()));
      if (labeled.blob_of[static_cast<std::size_t>(v)] != k ||
          std::count(given.begin(), given.end(), v) > 0)
        continue;
      given.push_back(v);
      class_of.push_back(k);
      --wanted;
    }
  }
  const LabeledSet set = LabeledSet::classes(given, class_of, names);
  for (const MassRule mass : {MassRule::none, MassRule::cmn}) {
    RunContext run;
    run.threads = 1;
    // The best of five each, in turns: the machine is not the same from one second to the next.
    double harmonic = HUGE_VAL, isolating = HUGE_VAL, all = HUGE_VAL, cold = HUGE_VAL;
    Fit fit;
    for (int round = 0; round < 5; ++round) {
      const auto fastest = [](double& best, auto&& work) {
        const Stopwatch watch;
        work();
        best = std::min(best, watch.elapsed().cpu);
      };
      const auto cut = [&](MulticlassCut classes) {
        fit = MinCutLearner({.mass = mass, .classes = classes, .method = method})
                  .fit(labeled.graph, set, run);
      };
      fastest(harmonic, [&] {
        if (mass != MassRule::none) HarmonicLearner({.mass = mass}).fit(labeled.graph, set, run);
      });
      fastest(isolating, [&] { cut(MulticlassCut::isolating); });
      fastest(all, [&] { cut(MulticlassCut::expansion); });
      cold = std::min(cold, cold_cut_seconds(labeled.graph, set, method, run));
    }
    isolating -= harmonic;
    all -= harmonic;
    std::int64_t right = 0;
    for (std::size_t v = 0; v < fit.decision.size(); ++v)
      right += fit.decision[v] == labeled.blob_of[v] ? 1 : 0;
    const std::string rule = mass == MassRule::none ? "mass=none" : "mass=cmn";
    results.beside(rule, "a cold cut", all, cold);
    results.beside(rule + ", expansion", "a cold cut", all - isolating, cold);
    std::printf("    %s; accuracy %.4f\n", fit.report.sentence.c_str(),
                static_cast<double>(right) / static_cast<double>(fit.decision.size()));
  }
}

void global_cut(Results& results, const Graph& graph, bool peers) {
  GlobalMinCut found;
  double seconds = HUGE_VAL;
  for (int run = 0; run < 3; ++run) {  // the best of three: small ones are over in milliseconds
    const Stopwatch watch;
    found = global_min_cut(graph, {});
    seconds = std::min(seconds, watch.elapsed().cpu);
  }
  std::printf("%d vertices, %lld edges: value %.9g, side %td, %lld rounds\n", graph.vertex_count(),
              static_cast<long long>(graph.edge_count()), found.value,
              std::count(found.side.begin(), found.side.end(), 1),
              static_cast<long long>(found.rounds));
  if (!peers) return results.value("global cut", seconds, "s");
  const Measured theirs = boost_stoer_wagner(graph);
  results.beside("global cut", "Boost stoer_wagner", seconds, theirs.seconds);
  if (theirs.value != found.value) std::printf("    DIFFERS: %.9g\n", theirs.value);
}

Measured our_seconds(const bench::Instance& instance, FlowMethod method) {
  RunContext run;
  run.threads = 1;
  const MemoryMeter memory;
  const Stopwatch watch;
  MaxFlow problem(instance.graph, instance.source, instance.sink, {.method = method});
  const MaxFlowReport report = problem.solve(run);
  const auto side = problem.source_side(CutSide::smallest_source);
  Measured found;
  found.seconds = watch.elapsed().cpu;
  found.value = report.flow;
  found.bytes = memory.peak_growth_bytes();
  const auto inside = std::count(side.begin(), side.end(), 1);
  std::printf("    %s %.3f s, flow %.0f, cut %.0f, side %td, %.1f B/edge; %s\n",
              std::string(to_string(report.used)).c_str(), found.seconds, report.flow, report.cut,
              inside, found.bytes / static_cast<double>(instance.graph.edge_count()),
              report.sentence.c_str());
  return found;
}

void race(Results& results, const Labeled& labeled, const std::vector<FlowMethod>& methods, bool bk,
          bool push_relabel, [[maybe_unused]] bool igraph) {
  for (const bool soft : {false, true}) {
    const bench::Instance instance = with_terminals(labeled, soft);
    const std::string figure = soft ? "soft" : "hard";
    const auto edges = static_cast<double>(instance.graph.edge_count());
    std::printf("%s: %d vertices, %.0f edges\n", figure.c_str(), instance.graph.vertex_count(),
                edges);
    Measured ours;
    for (const FlowMethod method : methods) ours = our_seconds(instance, method);
    const auto beside = [&](const char* peer, const Measured& theirs) {
      results.beside(figure, peer, ours.seconds, theirs.seconds);
      std::printf("    flow %.0f, %.0f B/edge%s\n", theirs.value, theirs.bytes / edges,
                  theirs.value == ours.value ? "" : "   DIFFERS");
    };
    if (!push_relabel) results.value(figure, ours.seconds, "s");
    if (bk) beside("Boost Boykov-Kolmogorov", boost_boykov_kolmogorov(instance));
    if (push_relabel) beside("Boost push_relabel", boost_push_relabel(instance));
#ifdef GSSL_BENCH_IGRAPH
    if (igraph) beside("igraph", igraph_max_flow(instance));
#else
    results.absent("igraph", "libigraph-dev");
#endif
  }
}

}  // namespace

int main(int argc, char** argv) {
  Program program("bench_cut",
                  "Minimum cuts beside the Boost Graph Library and igraph, one thread");
  bool peers = true, all = false;
  std::string method = "automatic";
  program.options().add_option("-m,--method", method, "of ours")->capture_default_str();
  program.options().add_flag("--all", all, "each of our methods; the last stands beside the peers");
  program.options().add_flag("!--no-peers", peers, "ours alone");
  const auto methods = [&] {
    if (all) return std::vector{FlowMethod::incremental_search, FlowMethod::push_relabel};
    return std::vector{parse_flow_method(method)};
  };
  using enum Program::Runs;
  // 100 labeled vertices tied to the terminals (hard), and the same with a noisy capacity to one
  // terminal at every vertex (soft).
  for (const std::string name : {"moons100k", "knn100k", "rmat18", "grid1000", "moons1m"})
    program.add(
        name, "two terminals, 100 labels: hard and soft",
        [&, name](Results& results) {
          // These take minutes there.
          const bool bk = peers && name != "rmat18" && name != "moons1m";
          const bool others = peers && name != "moons1m";
          race(results, labeled_graph(name), methods(), bk, others, others && name != "grid1000");
        },
        name == "moons1m" ? when_named : by_default);
  for (const std::string name :
       {"moons10k", "knn10k", "rmat14", "moons100k", "knn100k", "rmat18", "grid1000u", "bridged"})
    program.add(
        "global-" + name, "the global minimum cut; Stoer and Wagner's beside the small ones",
        [&, name](Results& results) {
          const Labeled labeled = labeled_graph(name);
          global_cut(results, labeled.graph, peers && labeled.graph.vertex_count() <= 20000);
        },
        when_named);
  for (const std::string name : {"knn10k", "knn100k"})
    program.add(
        "classes-" + name, "min-cut with ten classes, in units of one cold cut",
        [&, name](Results& results) {
          ten_classes(results, labeled_graph(name), methods().front());
        },
        when_named);
  return program.run(argc, argv);
}
