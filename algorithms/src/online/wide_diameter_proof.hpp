#pragma once
// The bounds of online learners on a graph that are made of wide diameters: computed for small
// graphs when they are asked for first, and kept. Internal: not installed.
//
//   WideDiameterProof proof(graph, run);
//   proof.add_seminorm(report, 1.5, vertices, signs);

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "gssl/core/run_context.hpp"
#include "gssl/graph/graph.hpp"
#include "gssl/learn/online.hpp"

namespace gssl::detail {

class WideDiameterProof {
 public:
  WideDiameterProof(std::shared_ptr<const Graph> graph, const RunContext& run)
      : graph_(std::move(graph)), run_(run) {}

  // Of minimum p-seminorm interpolation, for two classes: c + 4(ΦΔ^(p−1)/k)^(2/p)/(p − 1) for the
  // labeling of least cut Φ that agrees with the labels. Throws as throw_if_stopped().
  void add_seminorm(OnlineReport& report, double p, std::span<const VertexId> labeled,
                    const std::vector<bool>& positive);
  // Δ/(k·least weight), which no entry L⁺_vv exceeds; nothing where the graph is not connected.
  std::optional<double> largest_resistance();

 private:
  static constexpr double no_count = -1.0;
  // Parts of which each has `paths` paths of `length` edges between any two of its vertices.
  struct Parts {
    bool known = false;
    double count = 0.0;  // no_count: it would take too long to find them
    double paths = 0.0, length = 0.0;
  };
  bool is_small() const;
  Parts parts_of(const Graph& graph, double most_work) const;
  const Parts& whole();
  double least_weight() const;

  std::shared_ptr<const Graph> graph_;
  RunContext run_;
  Parts whole_;
  Parts same_side_;  // of the graph without the edges between the sides
  std::vector<bool> side_;
};

}  // namespace gssl::detail
