#pragma once
// A method that is written once over a Gram matrix: from points it gives a model for any rows, from
// a graph and some labels, under a kernel of the graph, labels for all vertices.
//
//   gssl::SvmLearner svm({.kernel = "gaussian(beta=0.5)"});
//   svm.fit(data, run);                        // Trained
//   gssl::SvmLearner on_graph({.kernel = "diffusion(time=2)"});
//   on_graph.fit(graph, labeled, run);         // Fit
//
// What the option `kernel` may say: an expression of kernel.hpp; a kernel of graph_kernel.hpp with
// its options in brackets, "regularized(epsilon=0.1,normalized)"; or "auto": for points
// gaussian(beta) with beta = 1/(columns · variance of all cells), for graphs
// regularized(normalized=true,epsilon=0.01); or center(K) of one of these (centering.hpp), over the
// items of each fit. On a graph each component is learned alone, and scores
// are shares (expansion.hpp). Cost on a graph: a column of the kernel for each label, and one for
// each output.

#include <span>
#include <string>

#include "gssl/kernel/expansion.hpp"
#include "gssl/kernel/gram.hpp"
#include "gssl/learn/inductive.hpp"
#include "gssl/learn/learner.hpp"
#include "gssl/learn/registry.hpp"

namespace gssl {

class KernelMethod : public InductiveLearner, public TransductiveLearner {
 public:
  // Throws ErrorCode::usage where the kernel is one of graphs, ErrorCode::bad_data where it refuses
  // the rows.
  Trained fit(const Dataset& data, const RunContext& run = {}) const override;

  // Whether the kernel is made of spectrum alone.
  bool reads_strings() const override;

  // The kernel of points as make_kernel() reads it, where it does not depend on the rows that are
  // learned from; empty where it does (auto, center(K)) or is one of graphs.
  std::string fixed_kernel() const;
  // Throws ErrorCode::usage where the learner is not of such targets.
  void check_targets(const Targets& targets) const;
  // Scores of the items `test` by what was learned from the items `training`, as Model::scores()
  // gives them, where the Gram matrix of all items under that kernel is there already: fits that
  // differ in rows or options share it. targets[i] is of training[i]. The same numbers as fit() but
  // for rounding.
  Block held_out_scores(const std::shared_ptr<const GramMatrix>& gram,
                        std::span<const std::int32_t> training, const Targets& targets,
                        std::span<const std::int32_t> test, const RunContext& run,
                        Report& report) const;

  // Throws ErrorCode::usage where the kernel is one of points.
  Fit fit(const Graph& graph, const LabeledSet& labeled, const RunContext& run = {}) const override;

 protected:
  enum class TargetKind { classes, reals, both };

  // Throws ErrorCode::usage on a kernel that is none.
  KernelMethod(std::string name, std::string kernel, TargetKind targets);

  // `weights` are > 0, one for each item. The report is joined by what proves the answer.
  virtual Expansion expand(const Gram& gram, const Targets& targets,
                           std::span<const double> weights, const RunContext& run,
                           Report& report) const = 0;

 private:
  // What expand() gives over the centered Gram matrix, as a function of the kernel itself.
  Expansion learned(const Gram& gram, const Targets& targets, std::span<const double> weights,
                    bool with_centering, const RunContext& run, Report& report) const;

  std::string name_;
  std::string kernel_;
  TargetKind targets_;
};

// Models that a KernelMethod saved.
std::unique_ptr<Model> load_kernel_model(const std::string& learner, const Record& record);

}  // namespace gssl
