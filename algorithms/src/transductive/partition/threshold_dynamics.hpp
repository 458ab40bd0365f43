#pragma once
// Threshold dynamics (the MBO scheme) on memberships: diffuse, then give every vertex to the class
// of its largest value, until nothing changes. Shared by poisson-mbo, volume-mbo and
// modularity-mbo. Internal: not installed.
//
// With a diffusion x → A x + q, A symmetric and positive semidefinite, a step maximizes the
// linearization of −E(x) = ½⟨x, Ax⟩ + ⟨x, q⟩, which lies below it, so E never rises and, there
// being finitely many partitions, the dynamics end.
//
// Volumes V_k of the classes are held by prices: a vertex goes to the class of largest value −
// price, which is the best assignment there is for the volumes it gives (linear programming
// duality). When a step leaves a volume off by more than the slack, new prices are found by
// minimizing
//
//   ε Σ_v log Σ_k exp((value_vk − p_k)/ε) + Σ_k p_k V_k
//
// by Newton's method for decreasing ε: strictly convex up to a constant, so that prices depend on
// neither the order of vertices nor that of classes. Between changes of price E + Σ_k p_k vol_k
// never rises. After 20 changes in a component its volumes may be off by a tenth, and after 40 it
// stays as it is, without a fixed point: the dynamics end here too, and say how.
//
// A vertex whose best classes are equal to 1e-9 belongs to each of them in equal parts: an answer
// that depended on the order of vertices or classes would be worth nothing.
//
// O(nK) for a step beside the diffusion, about 30 passes of O(nK²) for new prices.

#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "gssl/learn/learner.hpp"
#include "support/unfinished.hpp"
#include "transductive/support/label_groups.hpp"

namespace gssl::detail {

using Diffusion = std::function<void(const Block& x, Block& value)>;  // value = A x + q

struct ThresholdOptions {
  std::string_view learner;  // begins a message
  std::int64_t max_iterations = 500;
  double slack = 0.01;                            // a volume may be off by slack·V_k + 1 vertices
  double progress_from = 0.0, progress_to = 1.0;  // what share of the learner's work this is
};

struct ClassPartition {
  Block membership;  // n×K: 1 for the class of a vertex, 0 otherwise; equal parts on a tie
  Block value;       // A·membership + q
  std::vector<std::vector<double>> energy;  // E of each group after each step, the start first
  std::vector<double> volume_error;  // for each group with volumes: max_k |vol_k − V_k| / n
  std::int64_t steps = 0;
  std::int64_t price_changes = 0;
  bool fixed_point = false;
};

// `start`: memberships. `offset`: q. `volumes`: groups × K vertices, or empty for free volumes; a
// class with volume 0 gets no vertex but those fixed in it. `fixed[v]`: the row of v never changes.
// Throws ErrorCode::cancelled or ErrorCode::time_limit if the run is stopped: a partition that has not
// come to rest decides nothing.
ClassPartition threshold_dynamics(const LabelGroups& groups, const Diffusion& diffuse,
                                  const Block& offset, Block start, const Block& volumes,
                                  const std::vector<char>& fixed, const ThresholdOptions& options,
                                  const RunContext& run);

// The best assignment for given values, free or with volumes: the threshold of one step.
Block assign(const LabelGroups& groups, const Block& value, const Block& volumes,
             const std::vector<char>& fixed, const Block& start, const RunContext& run);

// Σ_v weight_v x(v, k) over these vertices, for each class k; weights of all vertices, or none: 1.
std::vector<double> class_volumes(const Block& x, std::span<const VertexId> vertices, int threads,
                                  const std::vector<double>& weight = {});

// Vertices of each class that `mass` asks of each group; no rows for MassRule::none.
Block volumes_for(const LabelGroups& groups, MassRule mass, const std::vector<double>& priors);

// Memberships in the cells around the labels (shortest paths over lengths 1/w), at prices that meet
// the volumes; given vertices in their class.
Block cells_around_labels(const Graph& graph, const LabelGroups& groups, const LabeledSet& labeled,
                          const Block& volumes, const RunContext& run);

// The fit of a partition. Scores are two thirds the partition, one third the shares of the classes
// in what diffuses to the vertex: the decision is the partition's and the confidence, from 2/3 to
// 1, how well the neighborhood agrees. Hard labels are certain.
Fit fit_partition(const LabelGroups& groups, const ClassPartition& partition,
                  const LabeledSet& labeled, GivenLabels given, Report report, int threads);

// Fills outcome, steps and sentence of the report and adds the certificates `energy` (of each step)
// and, with volumes, `volume_error` (of each component).
void report_partition(const ClassPartition& partition, Report& report);

}  // namespace gssl::detail
