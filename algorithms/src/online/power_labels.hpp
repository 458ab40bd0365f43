#pragma once
// The labeling of least p-energy Σ w_ij |u_i − u_j|^p, 1 < p < 2, that agrees with the labels
// revealed so far. No formula of rank one holds for it: a piece of the graph (connected without
// passing a label) is solved when one of its vertices is asked and a label came since. A label that
// the labeling had already changes nothing. Internal: not installed.

#include <memory>
#include <vector>

#include "gssl/core/index.hpp"
#include "gssl/core/run_context.hpp"
#include "gssl/graph/graph.hpp"
#include "online/label_interpolation.hpp"

namespace gssl::detail {

class PowerLabels final : public LabelInterpolation {
 public:
  PowerLabels(std::shared_ptr<const Graph> graph, std::int64_t columns, double p, double tolerance,
              const RunContext& run);
  PowerLabels(std::shared_ptr<const Graph> graph, std::int64_t columns, double p, double tolerance,
              const Record& record, const RunContext& run);

  void look_at(VertexId v) override;
  std::span<const double> value() const override { return value_; }
  bool is_labeled(VertexId v) const override { return labeled_[index(v)]; }
  std::span<const double> label(VertexId v) const override { return u_.row(v); }
  void reveal(VertexId v, std::span<const double> value) override;
  std::int64_t count() const override { return static_cast<std::int64_t>(vertex_.size()); }
  void prove(OnlineReport& report, bool two_classes) const override;
  void save(Record& record) const override;

 private:
  // The unlabeled vertices that v reaches without passing a label.
  std::vector<VertexId> piece_of(VertexId v) const;
  void solve_piece(VertexId v);
  void solve_between(std::span<const VertexId> piece, std::span<const VertexId> ends,
                     const Graph& part, std::span<const VertexId> number);

  std::shared_ptr<const Graph> graph_;
  double p_, tolerance_;
  RunContext run_;
  std::vector<VertexId> vertex_;  // labeled, in order
  std::vector<bool> labeled_;
  std::vector<bool> solved_;  // u_ is right at this unlabeled vertex
  Block u_;
  double gap_ = 0.0;  // the largest of the solves
  std::vector<double> value_;
};

}  // namespace gssl::detail
