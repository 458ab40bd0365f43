#pragma once
// A function Σ a_i K(x_i, ·) that grows a row at a time. Internal: not installed.
//
//   KernelExpansion f("gaussian(beta=0.5)", 100);   // at most 100 rows, the oldest go first
//   f.hold("kernel-perceptron", instance);
//   double score = f.score(run);                    // of the row held
//   f.add(1.0);                                     // that row, with coefficient 1
//
// Rows are dense, or sparse and of growing width. O(rows·d) a score.

#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "gssl/core/run_context.hpp"
#include "gssl/data/points.hpp"
#include "gssl/data/record.hpp"
#include "gssl/learn/kernel.hpp"
#include "gssl/learn/online.hpp"
#include "online/hypothesis.hpp"
#include "online/linear_row.hpp"

namespace gssl::detail {

class KernelExpansion {
 public:
  // budget 0: any number of rows. Throws ErrorCode::usage as make_kernel().
  KernelExpansion(const std::string& kernel, std::int64_t budget, HypothesisForm form,
                  std::uint64_t seed);
  // The columns that are known before the first row.
  void widen(std::int64_t width) {
    width_.resize(static_cast<std::size_t>(width), 0.0);
    checked_.set_width(width);
  }

  // Keeps the row of a trial. Throws as LinearRow::hold(), and ErrorCode::bad_data on a dense row
  // after sparse ones, or a sparse row after dense ones.
  void hold(const char* learner, const Instance& instance);
  double score(const RunContext& run);
  // K(x_i, x) of each row kept, x the row held.
  std::vector<double> products(const RunContext& run) const;
  // K(x, x) of the row held.
  double square() const;
  void add(double coefficient);
  // Ends the trial of the row held, added or not.
  void end_trial();

  std::int64_t rows() const { return static_cast<std::int64_t>(coefficients_.size()); }
  std::int64_t dropped() const { return dropped_; }
  // Of each row kept: as f is, and as the hypothesis to leave has it.
  std::vector<double> last() const { return {coefficients_.begin(), coefficients_.end()}; }
  std::vector<double> left() const;
  // ‖Σ a_i K(x_i, ·)‖² over the rows kept.
  double norm_square(const std::vector<double>& a, const RunContext& run) const;

  void save(Record& record) const;
  void resume(const Record& record);
  // Of all that f was, what the form says is left.
  std::unique_ptr<Model> model(const char* learner) const;

 private:
  struct Row {
    std::vector<double> values;
    std::vector<std::int32_t> columns;
  };
  Points points_of(const std::deque<Row>& rows) const;
  // How much of each row's coefficient the hypothesis to leave has; of rows past them nothing.
  std::vector<double> shares() const;

  std::shared_ptr<const Kernel> kernel_;
  std::int64_t budget_;
  LinearRow checked_;
  Row held_;
  enum class Kind { dense, sparse, unknown };  // unknown: no row had an entry
  Kind kind_ = Kind::unknown;
  std::vector<double> width_;  // as many as there are columns
  std::deque<Row> rows_;
  std::deque<double> coefficients_;
  HypothesisChoice choice_;
  std::vector<std::int64_t> born_;  // the trials before the row was added, for the mean
  std::int64_t taken_ = 0;          // rows of the hypothesis put aside: the first ones
  bool added_ = false;              // in this trial
  std::int64_t dropped_ = 0;
  Points support_;  // the rows, of support_.columns() columns
};

// Throws ErrorCode::usage for a form other than `last` beside a budget, which forgets what f was.
void check_form(const char* learner, HypothesisForm form, std::int64_t budget);

std::unique_ptr<Model> load_kernel_model(const Record& record);

}  // namespace gssl::detail
