#pragma once
// The harmonic extension of labels that are revealed one after another, on graphs whose factor would
// not fit: its values are kept, and a label changes those around its vertex. Internal: not installed.
//
// With the labeled vertices S grounded, A = L_FF and d the degrees, a value vector whose residual is
// |r_u| ≤ ε d_u everywhere is nowhere further from the extension than
//
//   |error_v| ≤ ε h_v,   h = A⁻¹d: the expected steps of a walk from v to S
//
// since A⁻¹ has no negative entry. More labels only make h smaller, so that an old h stays a bound;
// it is found anew when the labels of a component have doubled, and any h with A h ≥ d is one.
//
// A label at v leaves residuals at the neighbors of v alone. A region is grown around what is too
// large, A δ = r is solved on it by conjugate gradients with δ = 0 outside, and what that leaves at
// its rim says whether to grow on: time by the region, which is small once labels are near. Values
// are within `tolerance` of the extension; where that does not decide between two classes, the
// component is solved until it does, or until they are tied (VertexStream::tie).
//
//   LocalLabels labels(graph, 1, 1e-6, run);
//   labels.look_at(v);            // labels.value()[0]
//   labels.reveal(v, {{1.0}});

#include <memory>
#include <span>
#include <vector>

#include "gssl/core/index.hpp"
#include "gssl/core/run_context.hpp"
#include "gssl/graph/components.hpp"
#include "gssl/graph/graph.hpp"
#include "online/label_interpolation.hpp"
#include "online/region_system.hpp"

namespace gssl::detail {

class LocalLabels final : public LabelInterpolation {
 public:
  // Throws as throw_if_stopped(), which reveal() and look_at() do too.
  LocalLabels(std::shared_ptr<const Graph> graph, std::int64_t columns, double tolerance,
              const RunContext& run);
  // The same with what save() wrote; goes on with the same bits.
  LocalLabels(std::shared_ptr<const Graph> graph, std::int64_t columns, double tolerance,
              const Record& record, const RunContext& run);

  void look_at(VertexId v) override;
  std::span<const double> value() const override { return value_; }
  // No value() is further from that of the extension than this.
  double error() const { return look_error_; }

  bool is_labeled(VertexId v) const override { return labeled_[index(v)]; }
  std::span<const double> label(VertexId v) const override { return w_.row(v); }
  void reveal(VertexId v, std::span<const double> value) override;
  std::int64_t count() const override { return static_cast<std::int64_t>(vertex_.size()); }

  void prove(OnlineReport& report, bool two_classes) const override;
  void save(Record& record) const override;

 private:
  // Of a component: its labels, how many there were when h was found, the largest h, and ε.
  struct Part {
    std::int64_t labels = 0;
    std::int64_t labels_of_steps = 0;
    double most_steps = 0.0;
    double epsilon = 0.0;
  };

  Part& part_of(VertexId v) { return parts_[index(components_.of[index(v)])]; }
  const Part& part_of(VertexId v) const { return parts_[index(components_.of[index(v)])]; }
  std::vector<VertexId> free_around(VertexId v) const;
  double error_at(VertexId v) const;
  bool is_decided(double error) const;
  void settle(std::vector<VertexId> from, double target, Part& part);
  void refine(VertexId v);
  void find_steps(VertexId v);
  bool solve_region(double target);
  double residual(VertexId u, std::int64_t k) const;
  double residual_ratio(VertexId u) const;

  std::shared_ptr<const Graph> graph_;
  double tolerance_;
  RunContext run_;
  Components components_;
  std::vector<Part> parts_;       // by component
  std::vector<double> degree_;    // Σ of the weights
  std::vector<VertexId> vertex_;  // labeled, in order
  std::vector<bool> labeled_;
  Block w_;
  std::vector<double> steps_;  // at least h
  RegionSystem region_;
  std::vector<double> value_;
  double look_error_ = 0.0;  // of value_
  bool look_refined_ = false;
  double largest_error_ = 0.0;  // of a value that was predicted with
  std::int64_t largest_region_ = 0, refinements_ = 0;
  double region_rows_ = 0.0;  // of all labels together
};

}  // namespace gssl::detail
