#include "gssl/transductive/nearest_label.hpp"

#include <limits>

#include "gssl/core/option_binding.hpp"
#include "gssl/core/parallel.hpp"
#include "gssl/core/stopwatch.hpp"
#include "support/check_problem.hpp"
#include "support/finish_fit.hpp"
#include "support/vertex_status.hpp"
#include "transductive/support/inverse_distance.hpp"

namespace gssl {

namespace {

// Column k of the result holds d_k.
Block class_distances(const Graph& graph, const LabeledSet& labeled, EdgeLength length,
                      const RunContext& run) {
  std::vector<std::vector<VertexId>> members(static_cast<std::size_t>(labeled.class_count()));
  for (std::size_t i = 0; i < labeled.size(); ++i)
    members[static_cast<std::size_t>(labeled.class_of()[i])].push_back(labeled.vertices()[i]);
  Block distances(graph.vertex_count(), labeled.class_count(),
                  std::numeric_limits<double>::infinity());
  parallel_blocks(
      labeled.class_count(), run.thread_count(),
      [&](std::int64_t k, std::int64_t) {
        run.throw_if_stopped("nearest-label", "before all classes had their distances");
        const ShortestPaths found =
            shortest_paths(graph, members[static_cast<std::size_t>(k)], length, run);
        for (std::size_t v = 0; v < found.distance.size(); ++v)
          distances(static_cast<std::int64_t>(v), k) = found.distance[v];
      },
      1);
  return distances;
}

}  // namespace

NearestLabelLearner::NearestLabelLearner(NearestLabelOptions options) : options_(options) {
  options_.validate();
}

Fit NearestLabelLearner::fit(const Graph& graph, const LabeledSet& labeled,
                             const RunContext& run) const {
  detail::check_problem("nearest-label", graph, labeled, detail::Regression::supported);
  Report report;
  const Stopwatch setup;
  const VertexId n = graph.vertex_count();
  const auto unreached = detail::unreached_vertices(connected_components(graph), labeled);
  report.setup_seconds = setup.seconds();

  const Stopwatch solving;
  run.report_progress("nearest label");
  Block scores;
  if (labeled.is_regression()) {
    const ShortestPaths found = shortest_paths(graph, labeled.vertices(), options_.length, run);
    std::vector<double> target(static_cast<std::size_t>(n), 0.0);
    for (std::size_t i = 0; i < labeled.size(); ++i)
      target[static_cast<std::size_t>(labeled.vertices()[i])] = labeled.target_of()[i];
    scores = Block(n, 1);
    for (VertexId v = 0; v < n; ++v) {
      const VertexId source = found.source[static_cast<std::size_t>(v)];
      if (source != no_vertex) scores(v, 0) = target[static_cast<std::size_t>(source)];
    }
  } else {
    scores = class_distances(graph, labeled, options_.length, run);
    for (VertexId v = 0; v < n; ++v) detail::inverse_distance_shares(scores.row(v));
  }
  report.solve_seconds = solving.seconds();
  report.requested = report.used = "shortest-paths";
  report.sentence = "shortest paths: exact";

  return detail::finish_fit(std::move(scores), detail::vertex_status(n, labeled, unreached),
                            labeled, detail::GivenLabels::hard, std::move(report));
}

namespace {

const OptionBinding<NearestLabelOptions>& nearest_label_binding() {
  static const auto options = OptionBinding<NearestLabelOptions>("nearest-label")
                                  .choice(&NearestLabelOptions::length, "length",
                                          "length of an edge of weight w: 1/w, 1 or w");
  return options;
}

}  // namespace

LearnerEntry nearest_label_entry() {
  LearnerEntry entry;
  entry.name = "nearest-label";
  entry.summary = "the class of the closest given label along the graph";
  entry.reference =
      "E. W. Dijkstra. A note on two problems in connexion with graphs. Numer. Math. 1, 1959, "
      "doi:10.1007/BF01386390";
  entry.options = nearest_label_binding().table();
  entry.traits.regression = true;
  entry.make_transductive = [](const OptionValues& values) {
    return std::make_unique<NearestLabelLearner>(nearest_label_binding().from(values));
  };
  return entry;
}

}  // namespace gssl
