#include "gssl/graph/point_graph.hpp"

#include <string>
#include <utility>

#include "gssl/core/error.hpp"
#include "gssl/graph/graph_union.hpp"
#include "gssl/graph/knn_graph.hpp"
#include "gssl/graph/shortest_paths.hpp"

namespace gssl {

namespace {

// The union of the parts, made one after the other.
class Parts {
 public:
  Parts(const Points& points, const PointGraphOptions& options, const RunContext& run)
      : points_(points), options_(options), run_(run) {}

  DistanceGraph unite_all(PointGraph& built) {
    if (options_.knn > 0) add_knn(built);
    if (options_.epsilon >= 0.0) add_ball(built);
    if (options_.spanning_tree) add_tree(built);
    if (options_.root != no_vertex) graph_ = shortest_path_tree(graph_, options_.root, run_);
    return std::move(graph_);
  }

 private:
  void unite_with(DistanceGraph graph) {
    graph_ = first_ ? std::move(graph) : unite(graph_, graph);
    first_ = false;
  }

  void add_knn(PointGraph& built) {
    lists_ = knn_lists(points_, options_.knn, options_.search, run_);
    built.knn = lists_->report;
    unite_with(neighbor_graph(*lists_, options_.mutual, run_));
  }

  void add_ball(PointGraph& built) {
    const EpsilonOptions ball{.metric = options_.search.metric, .max_edges = options_.max_edges};
    unite_with(epsilon_distances(points_, options_.epsilon, ball, run_, &built.epsilon.emplace()));
  }

  void add_tree(PointGraph& built) {
    const bool exact = lists_ && lists_->report.exact();
    unite_with(metric_spanning_tree(points_, options_.search, run_, &built.spanning_tree.emplace(),
                                    exact ? &*lists_ : nullptr));
  }

  const Points& points_;
  const PointGraphOptions& options_;
  const RunContext& run_;
  std::optional<KnnLists> lists_;
  DistanceGraph graph_;
  bool first_ = true;
};

}  // namespace

void PointGraphOptions::validate() const {
  const auto refuse = [](const std::string& what) { throw Error(ErrorCode::usage, what); };
  if (knn < 0) refuse("point graph: knn " + std::to_string(knn) + ": must be >= 0");
  if (knn == 0 && !(epsilon >= 0.0) && !spanning_tree)
    refuse("point graph: nothing says how points are joined: set knn, epsilon or spanning_tree");
  search.validate();
  weights.validate();
}

PointGraph point_graph(const Points& points, const PointGraphOptions& options,
                       const RunContext& run) {
  options.validate();
  if (options.root != no_vertex && (options.root < 0 || options.root >= points.rows()))
    throw Error(ErrorCode::bad_data, "point graph: root " + std::to_string(options.root) +
                                         ": there are " + std::to_string(points.rows()) +
                                         " points");
  PointGraph built;
  DistanceGraph distances = Parts(points, options, run).unite_all(built);
  if (options.weights.kind == WeightKind::self_tuning) built.local_scale = distances.local_scale;
  WeightedGraph weighted = weigh(std::move(distances), options.weights);
  built.graph = std::move(weighted.graph);
  built.weights = std::move(weighted.report);
  return built;
}

}  // namespace gssl
