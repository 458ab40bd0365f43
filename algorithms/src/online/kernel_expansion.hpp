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
#include "gssl/kernel/kernel.hpp"
#include "gssl/learn/online.hpp"
#include "online/linear_row.hpp"

namespace gssl::detail {

class KernelExpansion {
 public:
  // budget 0: any number of rows. Throws ErrorCode::usage as make_kernel().
  KernelExpansion(const std::string& kernel, std::int64_t budget);

  // Keeps the row of a trial. Throws as LinearRow::hold().
  void hold(const char* learner, const Instance& instance);
  double score(const RunContext& run);
  // K(x, x) of the row held.
  double square() const;
  void add(double coefficient);

  std::int64_t rows() const { return static_cast<std::int64_t>(coefficients_.size()); }
  std::int64_t dropped() const { return dropped_; }

  void save(Record& record) const;
  void resume(const Record& record);
  std::unique_ptr<Model> model(const char* learner) const;

 private:
  struct Row {
    std::vector<double> values;
    std::vector<std::int32_t> columns;
  };
  Points points_of(const std::deque<Row>& rows) const;

  std::shared_ptr<const Kernel> kernel_;
  std::int64_t budget_;
  LinearRow checked_;
  Row held_;
  bool sparse_ = false;
  std::vector<double> width_;  // as many as there are columns
  std::deque<Row> rows_;
  std::deque<double> coefficients_;
  std::int64_t dropped_ = 0;
  Points support_;  // the rows, of support_.columns() columns
};

std::unique_ptr<Model> load_kernel_model(const Record& record);

}  // namespace gssl::detail
