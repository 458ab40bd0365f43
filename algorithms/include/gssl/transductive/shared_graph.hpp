#pragma once
// What fits of many label sets on one graph have in common: a factor, the preparation of a solver, and
// the potentials of unit currents at the vertices that ever get a label.
//
//   const gssl::SharedGraph shared(graph, {.labeled = vertices, .columns = 4000}, run);
//   for (const gssl::LabeledSet& labeled : label_sets)
//     gssl::Fit fit = gssl::fit_on(learner, shared, labeled, run);    // as learner.fit(graph, …)
//
// With G the pseudoinverse of the Laplacian, the harmonic scores of any labels are constants plus G
// times the currents that the labels send, and these currents solve a system as small as the labels
// are many; in Poisson learning they are known. Column v of G is solved once, for all label sets that
// v is in.
//
// Cost: one exact factor and a column for each vertex that is labeled in any set, where that is
// expected to be less than the columns that fits apart would solve; then O(n·labels·classes) for each
// fit. Where the factor or the columns (8n bytes each) would cost more, solvers alone are shared.

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gssl/core/block.hpp"
#include "gssl/graph/components.hpp"
#include "gssl/learn/learner.hpp"
#include "gssl/solve/linear_solver.hpp"

namespace gssl {

struct SharedGraphOptions {
  std::vector<VertexId> labeled = {};  // vertices that are in some label set; may repeat
  double columns = 0.0;  // right-hand sides that the fits of one learner solve apart; ≥ 0
};

// Columns of the inverse of A (of its pseudoinverse where a component has no ground) at some vertices.
class UnitPotentials {
 public:
  // Nothing where factor and columns are expected to take more than `most_seconds` on one core, do
  // not fit the memory of the run, or the run was stopped. `vertices` may repeat.
  static std::unique_ptr<const UnitPotentials> solve(
      std::shared_ptr<const GroundedLaplacian> system, std::vector<VertexId> vertices,
      double most_seconds, const RunContext& run);

  VertexId rows() const { return static_cast<VertexId>(place_.size()); }
  bool has(VertexId v) const { return place_[static_cast<std::size_t>(v)] >= 0; }
  // The potentials of all vertices where a unit current enters at v: 0 outside the component of v.
  // Precondition: has(v).
  std::span<const double> of(VertexId v) const {
    const auto n = place_.size();
    return {values_.data() + n * static_cast<std::size_t>(place_[static_cast<std::size_t>(v)]), n};
  }

 private:
  explicit UnitPotentials(std::vector<VertexId> place) : place_(std::move(place)) {}

  std::vector<VertexId> place_;  // vertex → column, −1: none
  std::vector<double> values_;   // column by column
};

class SharedGraph {
 public:
  // The graph must outlive it. Returns early, with nothing shared, once the run is to stop.
  SharedGraph(const Graph& graph, SharedGraphOptions options, const RunContext& run = {});

  const Graph& graph() const { return graph_; }
  const Components& components() const { return components_; }
  // Of the Laplacian; null where they do not pay.
  const UnitPotentials* potentials() const { return laplacian_->potentials.get(); }

  // The potentials X, n×c, with A X = current at the labels and 0 elsewhere, for the Laplacian, where
  // they are known but for a constant in each component, or for another system: `make` is called when
  // its name is first used, and not again. By potentials that are there, else by a solver that was
  // prepared once. Several threads may ask at once.
  Block solve(const LabeledSet& labeled, const Block& current, const SolverOptions& options,
              const RunContext& run, Report& report) const;
  Block solve(const std::string& name, const std::function<GroundedLaplacian()>& make,
              const LabeledSet& labeled, const Block& current, const SolverOptions& options,
              const RunContext& run, Report& report) const;

 private:
  struct System {
    std::shared_ptr<const GroundedLaplacian> matrix;
    std::unique_ptr<const UnitPotentials> potentials;
    std::map<std::string, std::shared_ptr<const LinearSolver>> solvers;  // by their options
  };

  std::shared_ptr<System> prepare(GroundedLaplacian matrix) const;
  std::shared_ptr<const LinearSolver> solver(System& system, SolverOptions options) const;
  Block solve_in(System& system, const LabeledSet& labeled, const Block& current,
                 const SolverOptions& options, const RunContext& run, Report& report) const;

  const Graph& graph_;
  SharedGraphOptions options_;
  RunContext run_;  // preparations draw from its seed, whichever fit asks for them first
  Components components_;
  std::shared_ptr<System> laplacian_;
  mutable std::mutex mutex_;
  mutable std::map<std::string, std::shared_ptr<System>> systems_;
};

// A learner whose fits can share.
class SharingLearner {
 public:
  virtual ~SharingLearner() = default;
  // What fit(shared.graph(), labeled, run) gives, within its tolerance; nothing where this fit has to
  // be made apart.
  virtual std::optional<Fit> fit_on(const SharedGraph& shared, const LabeledSet& labeled,
                                    const RunContext& run) const = 0;
};

// By what is shared if the learner can, else apart. `learner` is the one that shares, not one that
// checks it. Throws as TransductiveLearner::fit().
Fit fit_on(const TransductiveLearner& learner, const SharedGraph& shared, const LabeledSet& labeled,
           const RunContext& run = {});

}  // namespace gssl
