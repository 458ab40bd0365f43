#include "growth.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <map>

#include "graphs.hpp"

namespace gssl::bench {
namespace {

// Sets the size that gives about so many edges.
using Resize = std::function<void(GraphSizes&, double edges)>;

const std::map<std::string, Resize>& resizes() {
  const auto side = [](double power, double share) {
    return static_cast<VertexId>(std::round(std::pow(share, power)));
  };
  const Resize plane = [side](GraphSizes& sizes, double edges) {
    sizes.grid_side = side(1.0 / 2.0, edges / 2.0);
  };
  static const std::map<std::string, Resize> table{
      {"grid2d", plane},
      {"grid2dw", plane},
      {"grid3d", [side](GraphSizes& sizes,
                        double edges) { sizes.grid3d_side = side(1.0 / 3.0, edges / 3.0); }},
      {"rmat19",
       [](GraphSizes& sizes, double edges) {
         sizes.rmat_scale = static_cast<int>(std::round(std::log2(edges / 16.0)));
       }},
      {"knn3", [](GraphSizes& sizes,
                  double edges) { sizes.knn_points = static_cast<VertexId>(edges / 5.8); }},
      {"roadlike", [side](GraphSizes& sizes, double edges) {
         sizes.road_side = side(1.0 / 2.0, edges / 2.9);
       }}};
  return table;
}

}  // namespace

bool can_grow(const std::string& graph) { return resizes().contains(graph); }

nlohmann::json growth(const GrowthOptions& options) {
  std::printf("%-9s %10s %10s %9s %9s %8s %8s %7s  %s\n", "graph", "vertices", "edges", "total",
              "cpu", "us/edge", "B/edge", "growth", "chosen");
  nlohmann::json rows = nlohmann::json::array();
  for (const std::string& name : options.graphs) {
    double first = 0.0;
    for (double edges = 1e6; edges < 1.1 * options.most_edges; edges *= std::sqrt(10.0)) {
      GraphSizes sizes;
      sizes.seed = options.seed;
      resizes().at(name)(sizes, edges);
      Graph graph = make_graph(name, sizes);
      const VertexId vertices = graph.vertex_count();
      const Problem problem = make_problem(name, graph, options.labels, 1, options.seed);
      graph = Graph();
      const Row row = race_ours(problem, SolverKind::automatic, 1, options.race);
      const double each = 1e6 * row.cpu_seconds / problem.edges;
      if (first == 0.0) first = each;
      const std::string chosen = row.note.substr(0, row.note.find(','));
      std::printf("%-9s %10d %10.0f %9.2f %9.2f %8.3f %8.0f %7.2f  %s: %s\n", name.c_str(),
                  vertices, problem.edges, row.total_seconds, row.cpu_seconds, each,
                  row.bytes_per_edge, each / first, row.status.c_str(), chosen.c_str());
      std::fflush(stdout);
      nlohmann::json entry = row;
      entry["edges"] = problem.edges;
      entry["microseconds_per_edge"] = each;
      entry["growth"] = each / first;
      rows.push_back(entry);
    }
  }
  return {{"growth", rows}};
}

}  // namespace gssl::bench
