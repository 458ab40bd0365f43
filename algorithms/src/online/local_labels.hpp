#pragma once
// The harmonic extension of labels that are revealed one after another, on graphs whose factor
// would not fit: its values are kept only as well as the next prediction needs them. Internal: not
// installed.
//
// With the labeled vertices S grounded, A = L_FF and d the degrees, values whose residual is
// |r_u| ≤ ε d_u everywhere are nowhere further from the extension than
//
//   |error_v| ≤ ε h_v,   h = A⁻¹d: the expected steps of a walk from v to S
//
// since A⁻¹ has no negative entry. More labels only make h smaller, so that an old h stays a bound,
// and any h with A h ≥ d is one.
//
// New labels wait. Where w is the extension of the others, that of all differs from it by the
// harmonic function that is y_s − w_s at each s that waits and 0 at the others: by no more than the
// largest of those, nor less than the smallest. As long as that leaves the class of an asked vertex
// as it is, which it does where labels are foreseen, a trial takes no time at all.
//
// For a vertex whose class that does not prove, the labels that wait are taken in: they leave
// residuals at their neighbors, which are pushed on to where they are small (RelaxedValues), so
// that values are off by some 10⁻¹. If that does not prove it, h is found anew if labels have
// doubled, and then the component is solved by conjugate gradients until the class is proved or
// tied (VertexStream::tie). How far values may be off follows from what pushing and solving have
// cost, in entries of rows. All of that is exact as far as classes go, which depend on the labels
// alone.
//
//   LocalLabels labels(graph, 1, 1e-6, run);
//   labels.look_at(v);            // labels.value()[0]
//   labels.reveal(v, {{1.0}});

#include <memory>
#include <span>
#include <vector>

#include "gssl/core/index.hpp"
#include "gssl/core/run_context.hpp"
#include "gssl/graph/graph.hpp"
#include "online/free_system.hpp"
#include "online/grouped_graph.hpp"
#include "online/label_interpolation.hpp"
#include "online/relaxed_values.hpp"

namespace gssl::detail {

class LocalLabels final : public LabelInterpolation {
 public:
  // `tolerance`: of the values whose energy is reported. look_at() throws as throw_if_stopped(),
  // and the labels are then as they were; reveal() does not.
  LocalLabels(const std::shared_ptr<const Graph>& graph, std::int64_t columns, double tolerance,
              const RunContext& run);
  LocalLabels(const LocalLabels&) = delete;
  LocalLabels& operator=(const LocalLabels&) = delete;
  // The same with what save() wrote; goes on with the same bits.
  LocalLabels(const std::shared_ptr<const Graph>& graph, std::int64_t columns, double tolerance,
              const Record& record, const RunContext& run);

  void look_at(VertexId v) override;
  std::span<const double> value() const override { return value_; }
  // By how much that of the extension may be above and below value().
  double above() const { return above_; }
  double below() const { return below_; }
  // Whether that proves the class; if not, its values are tied.
  bool is_proved() const;

  bool is_labeled(VertexId v) const override { return holds(grouped_.number(v)); }
  std::span<const double> label(VertexId v) const override { return given(grouped_.number(v)); }
  void reveal(VertexId v, std::span<const double> value) override;
  std::int64_t count() const override { return static_cast<std::int64_t>(vertex_.size()); }

  void prove(OnlineReport& report, bool two_classes) const override;
  void save(Record& record) const override;

 private:
  // Of a component.
  struct Part {
    std::int64_t labels = 0;
    std::int64_t labels_of_steps = 0;  // when h was found
    double most_steps = 0.0, mean_steps = 0.0;
    double epsilon = 0.0;      // no ratio of a residual is larger
    std::int64_t relaxed = 0;  // vertices relaxed since residuals were computed
    bool given_up = false;     // pushing was, so that epsilon is large
    std::vector<VertexId> waiting;
    double least = 0.0, most = 0.0;  // of what values of those that wait differ by, and 0
  };
  // Vertices are those of grouped_ from here on.
  bool holds(VertexId v) const { return label_of_[index(v)] >= 0; }
  std::span<const double> given(VertexId v) const {
    return {label_values_.data() + index(label_of_[index(v)]) * value_.size(), value_.size()};
  }
  Part& part_of(VertexId v) { return parts_[index(grouped_.component(v))]; }
  const Part& part_of(VertexId v) const { return parts_[index(grouped_.component(v))]; }
  std::vector<VertexId> vertices_of(VertexId component) const;
  std::vector<VertexId> free_of(VertexId component) const;
  double error_at(VertexId v) const;
  bool look(VertexId v);
  void refine(VertexId v, std::span<const VertexId> free);
  void solve(std::span<const VertexId> free, double target, VertexId watched, double lasting);
  void find_steps(std::span<const VertexId> free, Part& part);
  bool lacks_steps(std::span<const VertexId> free, double& least);
  void take_in(Part& part, std::span<const VertexId> vertices);
  void measure(VertexId v, Part& part) const;
  void weigh_slack();
  RelaxedValues settled() const;

  GroupedGraph grouped_;
  const Graph& graph_;  // of grouped_
  double tolerance_;
  RunContext run_;
  std::vector<Part> parts_;             // by component
  std::vector<double> degree_;          // Σ of the weights
  std::vector<VertexId> vertex_;        // labeled, in order
  std::vector<double> label_values_;    // a row for each of them
  std::vector<std::int32_t> label_of_;  // vertex → its place among them, or −1
  RelaxedValues values_;
  std::vector<double> steps_;  // at least h
  FreeSystem system_;
  std::vector<double> x_, r_;  // room for a solve

  double slack_;  // what values may be off by
  double push_work_ = 0.0, solve_work_ = 0.0;

  std::vector<double> value_;  // of the vertex looked at
  double above_ = 0.0, below_ = 0.0;

  std::int64_t takings_ = 0, solves_ = 0, tied_ = 0;
};

}  // namespace gssl::detail
