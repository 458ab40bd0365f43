#pragma once
// What tests of learners on a stream of vertices share.

#include <memory>
#include <string>
#include <vector>

#include "algorithms/certificates.hpp"
#include "algorithms/fixtures.hpp"
#include "gssl/graph/components.hpp"
#include "gssl/learn/online.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

namespace gssl::test {

inline OnlineSetting vertex_setting(Graph graph, int classes = 2) {
  OnlineSetting setting;
  for (int k = 0; k < classes; ++k) setting.class_names.push_back("c" + std::to_string(k));
  setting.graph = std::make_shared<const Graph>(std::move(graph));
  return setting;
}

struct VertexRun {
  std::vector<int> mistake_trials;
  OnlineReport report;
};

inline VertexRun play(OnlineSession& session, const std::vector<VertexId>& order,
                      const std::vector<int>& label) {
  VertexRun run;
  for (std::size_t t = 0; t < order.size(); ++t) {
    session.predict({.first = order[t]});
    const int truth = label[static_cast<std::size_t>(order[t])];
    if (session.update({.value = static_cast<double>(truth)}) != 0.0)
      run.mistake_trials.push_back(static_cast<int>(t));
  }
  run.report = session.report();
  return run;
}

// w_v of the harmonic extension of the rows y(shown[v]), solved from scratch, for shown[v] ≥ 0; 0 in
// a component without labels.
inline Block extension_from_scratch(const Graph& graph, const std::vector<int>& shown,
                                    const Block& y) {
  const VertexId n = graph.vertex_count();
  const Components parts = connected_components(graph);
  std::vector<bool> reached(static_cast<std::size_t>(parts.count), false);
  for (VertexId v = 0; v < n; ++v)
    if (shown[v] >= 0) reached[static_cast<std::size_t>(parts.of[v])] = true;
  std::vector<std::vector<double>> a(static_cast<std::size_t>(n),
                                     std::vector<double>(static_cast<std::size_t>(n), 0.0));
  Block b(n, y.columns());
  for (VertexId v = 0; v < n; ++v) {
    const auto row = static_cast<std::size_t>(v);
    if (shown[row] >= 0 || !reached[static_cast<std::size_t>(parts.of[row])]) {
      a[row][row] = 1.0;
      if (shown[row] >= 0)
        for (std::int64_t k = 0; k < y.columns(); ++k) b(v, k) = y(shown[row], k);
      continue;
    }
    graph.visit_row(v, [&](VertexId u, double w) {
      a[row][row] += w;
      a[row][static_cast<std::size_t>(u)] -= w;
    });
  }
  return dense_solve(a, b);
}

// A stream of ../shared/reference/online: label 0 is the positive class, as in its online.json.
struct SharedStream {
  Graph graph;
  std::vector<VertexId> order;
  std::vector<int> label;
};

inline std::optional<SharedStream> shared_stream(const std::string& graph,
                                                 const std::string& stream) {
  auto part = shared_largest_component(graph);
  if (!part) return std::nullopt;
  const std::string stem = "reference/online/online_" + stream;
  const std::vector<int> ids = shared_integers(stem + ".lcc_ids.txt");
  const std::vector<int> labels =
      shared_integers("data/graphs/" + graph + "/plain/" + graph + ".labels.txt");
  SharedStream found{*std::move(part), shared_integers(stem + ".order.txt"), {}};
  for (const int id : ids) found.label.push_back(labels[static_cast<std::size_t>(id)] == 0 ? 1 : 0);
  return found;
}

}  // namespace gssl::test
