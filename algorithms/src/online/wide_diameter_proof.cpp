#include "online/wide_diameter_proof.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "gssl/core/index.hpp"
#include "gssl/flow/max_flow.hpp"
#include "gssl/graph/components.hpp"
#include "gssl/graph/graph_builder.hpp"
#include "gssl/network/wide_diameter.hpp"
#include "online/label_interpolation.hpp"

namespace gssl::detail {
namespace {

constexpr VertexId most_vertices_of_proof = 300;
// Steps of the flows between all pairs, of which 10⁹ take up to a second: of the components once,
// of parts whenever labels have changed them.
constexpr double most_component_work = 1e9, most_part_work = 1e8;

// The vertices on the side of the positive labels, by the smallest cut.
std::vector<bool> smallest_cut(const Graph& graph, std::span<const VertexId> labeled,
                               const std::vector<bool>& positive, const RunContext& run) {
  constexpr double infinite = std::numeric_limits<double>::infinity();
  std::vector<double> source(index(graph.vertex_count()), 0.0), sink(source);
  for (std::size_t i = 0; i < labeled.size(); ++i)
    (positive[i] ? source : sink)[index(labeled[i])] = infinite;
  MaxFlow problem(graph, source, sink);
  problem.solve(run);
  run.throw_if_stopped("wide diameter", "before the smallest cut was found");
  const auto in_source = problem.source_side(CutSide::smallest_source);
  std::vector<bool> side(source.size());
  for (std::size_t v = 0; v < side.size(); ++v) side[v] = in_source[v] != 0;
  return side;
}

// For a pair of vertices as many paths as the least degree, at most.
double flow_work(const Graph& graph) {
  auto least = std::numeric_limits<double>::infinity();
  for (VertexId v = 0; v < graph.vertex_count(); ++v)
    least = std::min(least, static_cast<double>(graph.neighbors(v).size()));
  const auto n = static_cast<double>(graph.vertex_count());
  return n * n * (least + 1.0) * static_cast<double>(graph.edge_count());
}

Graph without_cut(const Graph& graph, const std::vector<bool>& side, double& cut) {
  GraphBuilder builder(graph.vertex_count());
  cut = 0.0;
  for (VertexId v = 0; v < graph.vertex_count(); ++v)
    graph.visit_row(v, [&](VertexId u, double weight) {
      if (u <= v) return;
      if (side[index(u)] == side[index(v)])
        builder.add(v, u, weight);
      else
        cut += weight;
    });
  return std::move(builder).finish(1);
}

}  // namespace

bool WideDiameterProof::is_small() const {
  return graph_->vertex_count() >= 1 && graph_->vertex_count() <= most_vertices_of_proof;
}

WideDiameterProof::Parts WideDiameterProof::parts_of(const Graph& graph, double most_work) const {
  const Components components = connected_components(graph);
  const ComponentGraphs graphs(graph, components);
  Parts parts{.known = true, .count = static_cast<double>(components.count)};
  double work = 0.0;
  for (VertexId k = 0; k < components.count; ++k) work += flow_work(graphs[k].graph);
  if (work > most_work) return {.known = true, .count = no_count};
  for (VertexId k = 0; k < components.count; ++k) {
    const ComponentGraph part = graphs[k];
    if (part.graph.vertex_count() < 2) continue;
    const WideDiameter here = wide_diameter(part.graph, run_);
    const auto paths = static_cast<double>(here.paths), length = static_cast<double>(here.length);
    parts.paths = parts.paths == 0.0 ? paths : std::min(parts.paths, paths);
    parts.length = std::max(parts.length, length);
  }
  return parts;
}

const WideDiameterProof::Parts& WideDiameterProof::whole() {
  if (!whole_.known) whole_ = parts_of(*graph_, most_component_work);
  return whole_;
}

double WideDiameterProof::least_weight() const {
  double least = std::numeric_limits<double>::infinity();
  for (VertexId v = 0; v < graph_->vertex_count(); ++v)
    graph_->visit_row(v, [&](VertexId, double weight) { least = std::min(least, weight); });
  return least;
}

void WideDiameterProof::add_seminorm(OnlineReport& report, double p,
                                     std::span<const VertexId> labeled,
                                     const std::vector<bool>& positive) {
  if (!is_small()) return;
  const std::vector<bool> side = smallest_cut(*graph_, labeled, positive, run_);
  double cut = 0.0;
  const Graph sides = without_cut(*graph_, side, cut);
  if (!same_side_.known || side_ != side) {
    same_side_ = parts_of(sides, most_part_work);
    side_ = side;
  }
  const double least = least_weight();
  const auto add = [&](const Parts& parts, const char* of) {
    if (parts.count == no_count) return;
    double bound = parts.count;
    if (cut > 0.0 && parts.paths > 0.0)
      bound += 4.0 *
               std::pow(cut * std::pow(parts.length, p - 1.0) / (parts.paths * least), 2.0 / p) /
               (p - 1.0);
    report.add_bound(bound * (1.0 + bound_rounding),
                     std::string("c + 4(ΦΔ^(p−1)/k)^(2/p)/(p − 1): wide diameter of ") + of);
  };
  add(whole(), "the components");
  if (cut > 0.0) add(same_side_, "the parts without the cut edges");
  report.certificates.push_back({"cut", {cut}});
}

std::optional<double> WideDiameterProof::largest_resistance() {
  if (!is_small() || whole().count != 1.0) return std::nullopt;
  if (whole_.paths == 0.0) return 0.0;
  return whole_.length / (whole_.paths * least_weight());
}

}  // namespace gssl::detail
