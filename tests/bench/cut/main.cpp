// Minimum cuts beside the Boost Graph Library and igraph in the same run:
//   bench_cut [instance…] [-m METHOD | --all] [--no-peers] [--global | --classes]
//
// Instances: moons100k knn100k rmat18 grid1000 moons1m, all but the last by default; each hard (100
// labeled vertices tied to the terminals) and soft (the same and a noisy capacity to one terminal
// at every vertex). Seconds are processor seconds of one thread, from the graph in memory to the
// side of every vertex; building the peer's own network counts, as it does for ours. --global: the
// global minimum cut of the same graphs, of smaller ones beside Stoer and Wagner's in Boost, and of
// one whose minimum is in the middle. --classes: min-cut with ten classes on knn10k and knn100k.

#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "../solver/measure.hpp"
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
void ten_classes(const std::string& name, const Labeled& labeled, FlowMethod method) {
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
    std::printf(
        "%-8s mass=%-5s cold cut %.3f s, all %.3f s = %.1f cold, expansion %.3f s = %.1f "
        "cold; %s; accuracy %.4f\n",
        name.c_str(), mass == MassRule::none ? "none" : "cmn", cold, all, all / cold,
        all - isolating, (all - isolating) / cold, fit.report.solver.sentence.c_str(),
        static_cast<double>(right) / static_cast<double>(fit.decision.size()));
    std::fflush(stdout);
  }
}

void global_cuts(const std::string& name, const Graph& graph, bool peers) {
  GlobalMinCut found;
  double seconds = HUGE_VAL;
  for (int run = 0; run < 3; ++run) {  // the best of three: small ones are over in milliseconds
    const Stopwatch watch;
    found = global_min_cut(graph, {});
    seconds = std::min(seconds, watch.elapsed().cpu);
  }
  std::printf("%-10s %8d vertices %8lld edges   ours %.4f s   value %.9g   side %td   %lld rounds",
              name.c_str(), graph.vertex_count(), static_cast<long long>(graph.edge_count()),
              seconds, found.value, std::count(found.side.begin(), found.side.end(), 1),
              static_cast<long long>(found.rounds));
  if (peers) {
    const Measured theirs = boost_stoer_wagner(graph);
    std::printf("   Boost stoer_wagner %.2f s, value %.9g", theirs.seconds, theirs.value);
  }
  std::printf("\n");
  std::fflush(stdout);
}

Measured our_seconds(const Instance& instance, FlowMethod method) {
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
  std::printf("  %-20s %8.3f s   flow %.0f cut %.0f   side %td   %.1f B/edge   %s\n",
              std::string(to_string(report.used)).c_str(), found.seconds, report.flow, report.cut,
              inside, found.bytes / static_cast<double>(instance.graph.edge_count()),
              report.sentence.c_str());
  return found;
}

void show(const char* name, const Measured& peer, const Measured& ours, double edges) {
  std::printf("  %-20s %8.3f s   flow %.0f   ours/it %.2f   %.0f B/edge%s\n", name, peer.seconds,
              peer.value, ours.seconds / peer.seconds, peer.bytes / edges,
              peer.value == ours.value ? "" : "   DIFFERS");
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  bool no_peers = false, global = false, classes = false;
  std::vector<FlowMethod> methods = {FlowMethod::automatic};
  std::vector<std::string> names;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "-m" && i + 1 < argc)
      methods = {parse_flow_method(argv[++i])};
    else if (word == "--all")
      methods = {FlowMethod::incremental_search, FlowMethod::push_relabel};
    else if (word.starts_with("--"))
      (word == "--no-peers" ? no_peers : word == "--global" ? global : classes) = true;
    else
      names.push_back(word);
  }
  if (names.empty() && global)
    names = {"moons10k", "knn10k", "rmat14",    "moons100k",
             "knn100k",  "rmat18", "grid1000u", "bridged"};
  if (names.empty() && classes) names = {"knn10k", "knn100k"};
  if (names.empty()) names = {"moons100k", "knn100k", "rmat18", "grid1000"};
  for (const std::string& name : names) {
    const Labeled labeled = labeled_graph(name);
    if (global) {
      global_cuts(name, labeled.graph, !no_peers && labeled.graph.vertex_count() <= 20000);
      continue;
    }
    if (classes) {
      ten_classes(name, labeled, methods.front());
      continue;
    }
    for (const bool soft : {false, true}) {
      const Instance instance = with_terminals(labeled, soft);
      const auto edges = static_cast<double>(instance.graph.edge_count());
      std::printf("%s %s: %d vertices, %.0f edges\n", name.c_str(), soft ? "soft" : "hard",
                  instance.graph.vertex_count(), edges);
      Measured ours;
      for (const FlowMethod method : methods) ours = our_seconds(instance, method);
      std::fflush(stdout);
      if (no_peers) continue;
      if (name != "rmat18" && name != "moons1m")  // Boykov–Kolmogorov takes minutes there
        show("Boost BK", boost_boykov_kolmogorov(instance), ours, edges);
      if (name == "moons1m") continue;
      show("Boost push_relabel", boost_push_relabel(instance), ours, edges);
#ifdef GSSL_BENCH_IGRAPH
      if (name != "grid1000" || !soft) show("igraph", igraph_max_flow(instance), ours, edges);
#endif
    }
  }
}
