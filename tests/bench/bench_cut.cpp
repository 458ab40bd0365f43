// Minimum cuts beside the Boost Graph Library and igraph in the same run:
//   bench_cut [instance…] [-m METHOD | --all] [--no-peers] [--global |
//   --classes]
//
// Instances: moons100k knn100k rmat18 grid1000 moons1m, all but the last by default; each hard (100
// labeled vertices tied to the terminals) and soft (the same and a noisy capacity to one terminal
// at every vertex). Seconds are processor seconds of one thread, from the graph in memory to the
// side of every vertex; building the peer's own network counts, as it does for ours. --global: the
// global minimum cut of the same graphs, of smaller ones beside Stoer and Wagner's in Boost, and of
// one whose minimum is in the middle. --classes: min-cut with ten classes on knn10k and knn100k.

#include <malloc.h>
#include <sys/resource.h>

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/boykov_kolmogorov_max_flow.hpp>
#include <boost/graph/push_relabel_max_flow.hpp>
#include <boost/graph/stoer_wagner_min_cut.hpp>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "gssl/flow/global_min_cut.hpp"
#include "gssl/flow/max_flow.hpp"
#include "gssl/graph/components.hpp"
#include "gssl/graph/generators.hpp"
#include "gssl/graph/graph_builder.hpp"
#include "gssl/graph/knn_graph.hpp"
#include "gssl/transductive/min_cut.hpp"
#ifdef GSSL_BENCH_IGRAPH
#include <igraph.h>
#endif

namespace {

using namespace gssl;

double processor_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

struct Instance {
  Graph graph;
  std::vector<double> source, sink;
};

struct Labeled {
  Graph graph;
  std::vector<int> class_of;  // two classes
  std::vector<int> blob_of;   // ten, where there are ten
};

// Weights and capacities are whole numbers of thousandths, so that every program cuts the same.
double whole(double value) { return std::max(1.0, std::round(1000.0 * value)); }

Graph with_whole_weights(const Graph& graph) {
  std::vector<double> weights;
  for (std::size_t e = 0; e < graph.neighbor_array().size(); ++e)
    weights.push_back(whole(graph.weight_at(static_cast<EdgeIndex>(e))));
  return Graph({graph.offset_array().begin(), graph.offset_array().end()},
               {graph.neighbor_array().begin(), graph.neighbor_array().end()}, std::move(weights));
}

Labeled moons(VertexId n) {
  Rng rng(1);
  const PlanePoints plane = two_moons(n, 0.15, rng);
  std::vector<double> values;
  for (std::size_t i = 0; i < plane.x.size(); ++i) {
    values.push_back(plane.x[i]);
    values.push_back(plane.y[i]);
  }
  return {knn_graph(Points::dense(n, 2, std::move(values)), 10).graph, plane.class_of, {}};
}

// Ten unit gaussians in 20 dimensions; classes are halves of the blobs.
Labeled blobs(VertexId n) {
  constexpr int d = 20;
  Rng rng(1);
  std::vector<double> center, values;
  for (int i = 0; i < 10 * d; ++i) center.push_back(rng.normal());
  Labeled made;
  for (VertexId i = 0; i < n; ++i) {
    const auto blob = static_cast<int>(rng.below(10));
    for (int j = 0; j < d; ++j)
      values.push_back(center[static_cast<std::size_t>(blob * d + j)] + rng.normal());
    made.class_of.push_back(blob % 2);
    made.blob_of.push_back(blob);
  }
  made.graph = knn_graph(Points::dense(n, d, std::move(values)), 10).graph;
  return made;
}

Labeled grid(VertexId side) {
  Rng rng(1);
  const Graph plain = grid_graph(side, side);
  Labeled made;
  std::vector<Edge> edges;
  for (VertexId u = 0; u < plain.vertex_count(); ++u) {
    made.class_of.push_back(u % side < side / 2 ? 0 : 1);
    for (const VertexId v : plain.neighbors(u))
      if (u < v) edges.push_back({u, v, 0.1 + 0.9 * rng.uniform()});
  }
  made.graph = graph_from_edges(plain.vertex_count(), edges);
  return made;
}

Labeled rmat(int scale) {
  Rng rng(1);
  const Graph whole_graph = rmat_graph(scale, 16, rng);
  const Components components = connected_components(whole_graph);
  std::vector<VertexId> number(components.of.size(), no_vertex);
  const VertexId largest = components.largest_size();
  VertexId n = 0;
  for (std::size_t v = 0; v < number.size(); ++v)
    if (components.sizes[static_cast<std::size_t>(components.of[v])] == largest) number[v] = n++;
  std::vector<Edge> edges;
  Labeled made;
  for (VertexId u = 0; u < whole_graph.vertex_count(); ++u) {
    if (number[static_cast<std::size_t>(u)] == no_vertex) continue;
    made.class_of.push_back(static_cast<int>(rng.below(2)));
    for (const VertexId v : whole_graph.neighbors(u))
      if (u < v)
        edges.push_back(
            {number[static_cast<std::size_t>(u)], number[static_cast<std::size_t>(v)], 1.0});
  }
  made.graph = graph_from_edges(n, edges);
  return made;
}

// Two clusters of half the vertices each, 12 random edges a vertex, and 1000 edges between them.
Labeled bridged(VertexId n) {
  Rng rng(1);
  std::vector<Edge> edges;
  const VertexId half = n / 2;
  const auto pick = [&](VertexId from) {
    return from + static_cast<VertexId>(rng.below(static_cast<std::uint64_t>(half)));
  };
  for (VertexId v = 0; v < 2 * half; ++v)
    for (int k = 0; k < 12; ++k)
      edges.push_back({v, pick(v < half ? 0 : half), 0.5 + rng.uniform()});
  for (int k = 0; k < 1000; ++k) edges.push_back({pick(0), pick(half), 0.001});
  return {graph_from_edges(2 * half, edges), {0}, {}};
}

Instance with_terminals(const Labeled& labeled, bool soft) {
  Instance made{with_whole_weights(labeled.graph), {}, {}};
  const VertexId n = made.graph.vertex_count();
  made.source.assign(static_cast<std::size_t>(n), 0.0);
  made.sink = made.source;
  Rng rng(2);
  double mean_degree = 0.0;
  for (VertexId v = 0; v < n; ++v) mean_degree += made.graph.weighted_degree(v);
  mean_degree /= static_cast<double>(n);
  if (soft) {
    for (VertexId v = 0; v < n; ++v) {
      const double truth = labeled.class_of[static_cast<std::size_t>(v)] == 0 ? 1.0 : -1.0;
      const double lean = std::round(mean_degree * (0.1 * truth + 0.2 * rng.normal()));
      (lean > 0.0 ? made.source : made.sink)[static_cast<std::size_t>(v)] = std::abs(lean);
    }
  }
  int wanted[2] = {50, 50};
  while (wanted[0] + wanted[1] > 0) {
    const auto v = static_cast<std::size_t>(rng.below(static_cast<std::uint64_t>(n)));
    const int k = labeled.class_of[v];
    if (wanted[k] == 0) continue;
    --wanted[k];
    const double all = made.graph.weighted_degree(static_cast<VertexId>(v)) + 1.0;
    made.source[v] = k == 0 ? all : 0.0;
    made.sink[v] = k == 0 ? 0.0 : all;
  }
  return made;
}

// A flow network of the Boost Graph Library: one arc each way with its capacity, which are each
// other's reverse (pairs = false), or a pair of arcs for each direction, one of capacity 0, as
// push_relabel wants it.
using Traits = boost::adjacency_list_traits<boost::vecS, boost::vecS, boost::directedS>;
using Network = boost::adjacency_list<
    boost::vecS, boost::vecS, boost::directedS,
    boost::property<
        boost::vertex_color_t, boost::default_color_type,
        boost::property<boost::vertex_distance_t, long,
                        boost::property<boost::vertex_predecessor_t, Traits::edge_descriptor>>>,
    boost::property<
        boost::edge_capacity_t, double,
        boost::property<boost::edge_residual_capacity_t, double,
                        boost::property<boost::edge_reverse_t, Traits::edge_descriptor>>>>;

Network boost_network(const Instance& instance, bool pairs) {
  const VertexId n = instance.graph.vertex_count();
  Network network(static_cast<std::size_t>(n) + 2);
  auto capacity = get(boost::edge_capacity, network);
  auto reverse = get(boost::edge_reverse, network);
  const auto join = [&](std::size_t u, std::size_t v, double there, double back) {
    const auto a = add_edge(u, v, network).first, b = add_edge(v, u, network).first;
    capacity[a] = there;
    capacity[b] = back;
    reverse[a] = b;
    reverse[b] = a;
  };
  for (VertexId u = 0; u < n; ++u) {
    const auto from = static_cast<std::size_t>(u);
    instance.graph.visit_row(u, [&](VertexId v, double w) {
      if (pairs) {
        join(from, static_cast<std::size_t>(v), w, 0.0);
      } else if (u < v) {
        join(from, static_cast<std::size_t>(v), w, w);
      }
    });
    if (instance.source[from] > 0.0)
      join(static_cast<std::size_t>(n), from, instance.source[from], 0.0);
    if (instance.sink[from] > 0.0)
      join(from, static_cast<std::size_t>(n) + 1, instance.sink[from], 0.0);
  }
  return network;
}

struct Measured {
  double seconds = 0.0;
  double value = 0.0;
  double bytes = 0.0;
};

double heap_bytes() {
  const auto info = mallinfo2();
  return static_cast<double>(info.uordblks) + static_cast<double>(info.hblkhd);
}

Measured boost_seconds(const Instance& instance, bool push_relabel) {
  const double before = heap_bytes();
  const double start = processor_seconds();
  Network network = boost_network(instance, push_relabel);
  const auto n = static_cast<std::size_t>(instance.graph.vertex_count());
  Measured found;
  found.value = push_relabel ? boost::push_relabel_max_flow(network, n, n + 1)
                             : boost::boykov_kolmogorov_max_flow(network, n, n + 1);
  found.seconds = processor_seconds() - start;
  found.bytes = heap_bytes() - before;
  return found;
}

#ifdef GSSL_BENCH_IGRAPH
Measured igraph_seconds(const Instance& instance) {
  const double before = heap_bytes();
  const double start = processor_seconds();
  const VertexId n = instance.graph.vertex_count();
  igraph_vector_int_t ends;
  igraph_vector_t capacity;
  igraph_vector_int_init(&ends, 0);
  igraph_vector_init(&capacity, 0);
  const auto join = [&](VertexId u, VertexId v, double c) {
    igraph_vector_int_push_back(&ends, u);
    igraph_vector_int_push_back(&ends, v);
    igraph_vector_push_back(&capacity, c);
  };
  for (VertexId u = 0; u < n; ++u) {
    instance.graph.visit_row(u, [&](VertexId v, double w) { join(u, v, w); });
    const auto at = static_cast<std::size_t>(u);
    if (instance.source[at] > 0.0) join(n, u, instance.source[at]);
    if (instance.sink[at] > 0.0) join(u, n + 1, instance.sink[at]);
  }
  igraph_t graph;
  igraph_create(&graph, &ends, n + 2, IGRAPH_DIRECTED);
  Measured found;
  igraph_maxflow_value(&graph, &found.value, n, n + 1, &capacity, nullptr);
  found.seconds = processor_seconds() - start;
  found.bytes = heap_bytes() - before;
  igraph_destroy(&graph);
  igraph_vector_destroy(&capacity);
  igraph_vector_int_destroy(&ends);
  return found;
}
#endif

// Ten classes, ten labels each: expansion in units of one cold cut, which is a tenth of the
// isolating cuts.
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
    double seconds[2] = {}, harmonic = processor_seconds();
    if (mass != MassRule::none) HarmonicLearner({.mass = mass}).fit(labeled.graph, set, run);
    harmonic = processor_seconds() - harmonic;
    Fit fit;
    for (const MulticlassCut classes : {MulticlassCut::isolating, MulticlassCut::expansion}) {
      const double start = processor_seconds();
      fit = MinCutLearner({.mass = mass, .classes = classes, .method = method})
                .fit(labeled.graph, set, run);
      seconds[classes == MulticlassCut::expansion ? 1 : 0] =
          processor_seconds() - start - (mass == MassRule::none ? 0.0 : harmonic);
    }
    std::int64_t right = 0;
    for (std::size_t v = 0; v < fit.decision.size(); ++v)
      right += fit.decision[v] == labeled.blob_of[v] ? 1 : 0;
    const double cold = seconds[0] / 10.0;
    std::printf("%-8s mass=%-5s cold cut %.3f s, expansion %.3f s = %.1f cold; %s; accuracy %.4f\n",
                name.c_str(), mass == MassRule::none ? "none" : "cmn", cold,
                seconds[1] - seconds[0], (seconds[1] - seconds[0]) / cold,
                fit.report.solver.sentence.c_str(),
                static_cast<double>(right) / static_cast<double>(fit.decision.size()));
    std::fflush(stdout);
  }
}

double boost_global_seconds(const Graph& graph, double& value) {
  using Plain =
      boost::adjacency_list<boost::vecS, boost::vecS, boost::undirectedS, boost::no_property,
                            boost::property<boost::edge_weight_t, double>>;
  const double start = processor_seconds();
  Plain network(static_cast<std::size_t>(graph.vertex_count()));
  for (VertexId u = 0; u < graph.vertex_count(); ++u)
    graph.visit_row(u, [&](VertexId v, double w) {
      if (u < v) add_edge(static_cast<std::size_t>(u), static_cast<std::size_t>(v), w, network);
    });
  value = boost::stoer_wagner_min_cut(network, get(boost::edge_weight, network));
  return processor_seconds() - start;
}

void global_cuts(const std::string& name, const Graph& graph, bool peers) {
  GlobalMinCut found;
  double seconds = HUGE_VAL;
  for (int run = 0; run < 3; ++run) {  // the best of three: small ones are over in milliseconds
    const double start = processor_seconds();
    found = global_min_cut(graph, {});
    seconds = std::min(seconds, processor_seconds() - start);
  }
  std::printf("%-10s %8d vertices %8lld edges   ours %.4f s   value %.9g   side %td   %lld rounds",
              name.c_str(), graph.vertex_count(), static_cast<long long>(graph.edge_count()),
              seconds, found.value, std::count(found.side.begin(), found.side.end(), 1),
              static_cast<long long>(found.rounds));
  if (peers) {
    double value = 0.0;
    const double theirs = boost_global_seconds(graph, value);
    std::printf("   Boost stoer_wagner %.2f s, value %.9g", theirs, value);
  }
  std::printf("\n");
  std::fflush(stdout);
}

Measured our_seconds(const Instance& instance, FlowMethod method) {
  RunContext run;
  run.threads = 1;
  const double start = processor_seconds();
  MaxFlow problem(instance.graph, instance.source, instance.sink, {.method = method});
  const MaxFlowReport report = problem.solve(run);
  const auto side = problem.source_side(CutSide::smallest_source);
  Measured found;
  found.seconds = processor_seconds() - start;
  found.value = report.flow;
  found.bytes = static_cast<double>(problem.memory_bytes());
  const auto inside = std::count(side.begin(), side.end(), 1);
  std::printf("  %-20s %8.3f s   flow %.0f cut %.0f   side %td   %s\n",
              std::string(to_string(report.used)).c_str(), found.seconds, report.flow, report.cut,
              inside, report.sentence.c_str());
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
    Labeled labeled;
    if (name == "moons100k") labeled = moons(100000);
    if (name == "moons10k") labeled = moons(10000);
    if (name == "moons1m") labeled = moons(1000000);
    if (name == "knn100k") labeled = blobs(100000);
    if (name == "knn10k") labeled = blobs(10000);
    if (name == "rmat14") labeled = rmat(14);
    if (name == "rmat18") labeled = rmat(18);
    if (name == "grid1000u") labeled = {grid_graph(1000, 1000), {0}, {}};
    if (name == "bridged") labeled = bridged(100000);
    if (name == "grid1000") labeled = grid(1000);
    if (labeled.class_of.empty())
      return std::fprintf(stderr, "unknown instance %s\n", name.c_str()), 1;
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
        show("Boost BK", boost_seconds(instance, false), ours, edges);
      if (name == "moons1m") continue;
      show("Boost push_relabel", boost_seconds(instance, true), ours, edges);
#ifdef GSSL_BENCH_IGRAPH
      if (name != "grid1000" || !soft) show("igraph", igraph_seconds(instance), ours, edges);
#endif
    }
  }
}
