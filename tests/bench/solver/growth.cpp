#include "growth.hpp"

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

std::vector<std::string> growing_graphs() {
  std::vector<std::string> names;
  for (const auto& [name, resize] : resizes()) names.push_back(name);
  return names;
}

void grow(Results& results, const std::string& graph, const Growth& how) {
  double first = 0.0;
  for (double edges = 1e6; edges < 1.1 * how.most_edges; edges *= std::sqrt(10.0)) {
    GraphSizes sizes;
    sizes.seed = how.seed;
    resizes().at(graph)(sizes, edges);
    const Problem problem = make_problem(graph, make_graph(graph, sizes), how.labels, 1, how.seed);
    const Row row = race_ours(problem, SolverKind::automatic, 1, how.race);
    std::printf("%d rows, %.0f edges: %.2f s, CPU %.2f s, %s: %s\n", problem.system->size(),
                problem.edges, row.total_seconds, row.cpu_seconds, row.status.c_str(),
                row.note.substr(0, row.note.find(',')).c_str());
    if (row.status != "solved") continue;
    const std::string size = std::to_string(std::llround(1e-3 * problem.edges)) + "k edges";
    const double each = 1e6 * row.cpu_seconds / problem.edges;
    if (first == 0.0) first = each;
    results.beside(size + ", an edge", "the smallest", each, first, "us");
    results.value(size + ", memory an edge", row.bytes_per_edge, "B");
  }
}

}  // namespace gssl::bench
