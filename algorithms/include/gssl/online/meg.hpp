#pragma once
// Matrix exponentiated gradient: the cells of a matrix of two classes, asked one by one, predicted
// from the cells seen and from what is known of rows and columns (side information).
//
//   gssl::MegLearner learner({.margin = 0.5}, gssl::graph_side(friends, run), gssl::no_side());
//   auto session = learner.start({.width = 50, .width2 = 80, .class_names = {"-", "+"}}, run);
//   session->predict({.first = 3, .second = 7});      // row 3, column 7
//   session->update({.value = 1});
//
// With x the pair of row and column, x·x' = M(i,i')/2R_M + N(j,j')/2R_N for kernels M, N of largest
// diagonals R, W = exp(ln(λ/(m+n))·I + η Σ ±xxᵀ) over the cells of the updates, and
// ȳ = xᵀWx − 1, the prediction is the sign of ȳ − Y, Y uniform in (−γ, γ); a trial with
// y·ȳ ≤ γ is an update. `conservative`: Y = 0, and only mistakes are updates, with η = γ.
// W is never formed: docs/online_graph.md says how, and costs are those of a rank-one change of r
// eigenpairs, r the number of updates or less.
//
// Proved in expectation, for every matrix U of max-norm at most 1/γ whose quasi-dimension for M, N
// is at most λ, in T trials: mistakes ≤ those of U + 4√(2(λ/γ²) ln(m+n) T), certificate
// "regret_bound" (M. Herbster, S. Pasteris, L. Tse, NeurIPS 2020). For a (k, l)-biclustered U =
// R U* Cᵀ a λ that is enough is block_quasi_dimension().
//
// Bound of the run, for any η and λ, by the steps of that proof: U of quasi-dimension D that errs
// on E trials, Δ = D ln(D (m+n)/λ) + λ − D, S = e^η − 1 − η, and N updates:
//   mean mistakes ≤ E + (Δ/η + (1 + γ)·N·S/η)/(2γ)
//   conservative: mistakes ≤ (Δ + 2ηγE)/(ηγ − S), where ηγ > S
// second_look() takes for U the constant matrices, the row and the column majorities, as far as D
// is known: m + n without sides, 2 in place of m (n) where U is constant along a side that is a
// graph or a path-tree. Without the second look U = 0, which errs on half of the trials, D as of
// constants but doubled.

#include <optional>
#include <vector>

#include "gssl/learn/registry.hpp"
#include "gssl/online/side_information.hpp"

namespace gssl {

enum class Side { none, graph, path_tree };

struct MegOptions {
  double margin = 0.5;            // γ; (0, 1]
  double quasi_dimension = 0.0;   // λ; ≥ 1, or 0: rows + columns, that of any U without side
  double rate = 0.0;              // η; 0: √(λ ln(m+n)/(2T)), or γ where conservative
  bool conservative = false;      // update on mistakes only, and draw nothing
  Side row_side = Side::none;     // graph: setting.graph, of rows; path_tree: rows are times
  Side column_side = Side::none;  // the same of columns
  std::int64_t horizon = 0;  // T; 0: setting.horizon. Not needed where conservative or rate > 0

  void validate() const;  // throws ErrorCode::usage: option, value, rule
};

class MegLearner final : public OnlineLearner {
 public:
  explicit MegLearner(MegOptions options = {});
  // With kernels that the caller has; row_side and column_side are not looked at.
  MegLearner(MegOptions options, SideInformation rows, SideInformation columns);

  InstanceKind instance_kind() const override { return InstanceKind::cell; }
  // Throws ErrorCode::usage unless there are two classes, both widths, a horizon or a rate, and the
  // graph that a side asks for.
  std::unique_ptr<OnlineSession> start(const OnlineSetting& setting,
                                       const RunContext& run = {}) const override;
  std::unique_ptr<OnlineSession> resume(const OnlineSetting& setting, const Record& record,
                                        const RunContext& run = {}) const override;

 private:
  MegOptions options_;
  std::optional<SideInformation> rows_, columns_;
};

// A λ that is enough for every matrix whose rows are in k blocks and columns in l, when the sides
// are those graphs': 2 tr(RᵀMR) R_M + 2 tr(CᵀNC) R_N + 2k + 2l, where tr(RᵀMR) is the weight of
// the edges between blocks, counted from both ends, and Σ (share of a block)²·2/R_M. Graphs must be
// connected. Throws ErrorCode::usage unless every vertex has a block, from 0.
double block_quasi_dimension(const Graph& row_graph, const std::vector<int>& row_block,
                             const Graph& column_graph, const std::vector<int>& column_block,
                             const RunContext& run = {});

LearnerEntry meg_entry();

}  // namespace gssl
