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
// regularized(normalized=true,epsilon=0.01). On a graph each component is learned alone, and scores
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
  std::string name_;
  std::string kernel_;
  TargetKind targets_;
};

// Models that a KernelMethod saved.
std::unique_ptr<Model> load_kernel_model(const std::string& learner, const Record& record);

}  // namespace gssl
