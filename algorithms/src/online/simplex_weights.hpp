#pragma once
// Weights ≥ 0 of sum 1 under steps that change a few of them and are then projected back: after a
// step y the nearest point of the simplex is max(y_i − δ, 0) with the one δ for which these add up
// to 1, so that a shift that all share stands for the coordinates that the step left alone. Those
// that are 0 are one group, and what came back from 0 together stays one until it is touched.
//
//   SimplexWeights w(n);
//   w.step(columns, values, -0.1);      // w ← projection of w − 0.1·x
//   double first = w.weight(0);
//   w.end_trial();                      // their sum over the trials, too
//   std::vector<double> sums = w.sums();
//
// O(non-zeros·log n) a step, in the mean: each weight that falls to 0 was raised before. (J. Duchi,
// S. Shalev-Shwartz, Y. Singer, T. Chandra, ICML 2008, doi:10.1145/1390156.1390191, whose tree has
// no groups.) O(1) a trial for the sums: while a node stands for itself its weight adds up to
// value·trials less the sum of the shifts. Internal: not installed.

#include <cstdint>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "gssl/data/record.hpp"
#include "online/compensated_sum.hpp"

namespace gssl::detail {

class SimplexWeights {
 public:
  explicit SimplexWeights(std::int64_t size);
  // Throws ErrorCode::bad_data where save() did not write it.
  explicit SimplexWeights(const Record& record);

  std::int64_t size() const { return size_; }
  // Changes no bit of what save() writes; of a way that was gone before O(1) in the mean.
  double weight(std::int32_t i);
  std::vector<double> all() const;  // O(n)
  // Makes the way to the sum of i short, for a trial that has asked for its weight.
  void shorten(std::int32_t i);

  // w ← projection of w + by·x. Columns ascend and are below size(). Whether a weight changed:
  // those that the step left alone go all one way, so that one of the others goes against them.
  bool step(std::span<const std::int32_t> columns, std::span<const double> x, double by);
  void end_trial();
  // Of each weight: Σ over the trials that have ended. O(n).
  std::vector<double> sums() const;

  void save(Record& record) const;

 private:
  std::int32_t root_of(std::int32_t node);
  // What root's weight would have added up to if its value had been the same in all trials.
  double total(std::int32_t root) const;
  double sum_of(std::int32_t i);
  void leave_group(std::int32_t i);
  void enter(std::int32_t i, double value);
  void fall_to_zero(std::int32_t node);
  void lower(double sum);
  void raise(double sum);
  void renew();

  // Nodes: the coordinates, then groups. A coordinate or group is in the group parent_[node], or
  // stands for itself. Of one that stands for itself: value_ − shift_ is the weight of each of its
  // count_ coordinates, but that of zero_ is 0.
  std::int64_t size_;
  std::vector<std::int32_t> parent_;
  // Some node on the way from a node to the last, which root_of() brings nearer to it: what rest_
  // adds up to over parent_ stays as it is. Only coordinates leave a group, and none is in one.
  std::vector<std::int32_t> jump_;
  std::vector<double> value_;
  std::vector<std::int32_t> count_;
  // Of a coordinate: Σ over its chain of rest_, and total() of the last, is the sum of its weights.
  std::vector<double> rest_;
  std::int32_t zero_ = 0;
  double shift_ = 0.0;
  double sum_ = 1.0;           // of the weights, with what rounding does to it
  std::int64_t positive_ = 0;  // coordinates that are not 0
  std::int64_t steps_ = 0;     // since all was counted anew
  std::int64_t trials_ = 0;    // since then
  CompensatedSum shifts_;      // Σ of shift_ over these
  std::set<std::pair<double, std::int32_t>> ordered_;  // value_ and node of those above 0
  std::vector<std::pair<double, std::int32_t>> below_;  // of a step: coordinates that it put at ≤ 0
  std::vector<double> before_;                          // of a step: weights of its columns
  std::vector<std::int32_t> way_;                       // of shorten()
};

}  // namespace gssl::detail
