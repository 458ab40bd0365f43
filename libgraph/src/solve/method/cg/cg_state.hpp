#pragma once
// What conjugate gradients are between two steps, as a Record: x, r and p of the columns at work,
// what each column knows of itself, and x of those that have left. A group that takes it back goes
// on with the same bits.
//
//   Record record = CgState<Real>::of(iteration);
//   CgState<Real>::put_back(record, iteration);

#include <vector>

#include "cg_iteration.hpp"
#include "solve/method/kept_steps.hpp"

namespace gssl::solve {

template <class Real>
struct CgState {
  using Group = Iteration<Real>;
  using Column = typename Group::ColumnState;

  static Record of(const Group& group) {
    Record record;
    record.put("columns", std::vector<std::int64_t>(group.column_));
    record.put("x", at_work(group, group.x_));
    record.put("r", at_work(group, group.r_));
    record.put("p", at_work(group, group.p_));
    put_columns(record, group.state_, numbers());
    put_left(group, record);
    record.put("any_broken", std::int64_t{group.any_broken_});
    return record;
  }

  // Precondition: `group` was made of the same columns. Throws ErrorCode::bad_data on a record that
  // is not of such a group.
  static void put_back(const Record& record, Group& group) {
    group.column_ = record.long_integers("columns");
    group.columns_ = std::ssize(group.column_);
    const std::int64_t length = group.rows() * group.columns_;
    take(record, "x", length, group.x_);
    take(record, "r", length, group.r_);
    take(record, "p", length, group.p_);
    group.state_.assign(group.column_.size(), {});
    take_columns(record, group.state_, numbers());
    take_left(record, group);
    group.any_broken_ = record.integer("any_broken") != 0;
  }

 private:
  static ColumnNumbers<Column> numbers() {
    return {{"target", &Column::target},
            {"unit", &Column::unit},
            {"norm", &Column::norm},
            {"rz", &Column::rz},
            {"rz_before", &Column::rz_before},
            {"alpha", &Column::alpha},
            {"beta", &Column::beta},
            {"last_true", &Column::last_true},
            {"last_drift", &Column::last_drift}};
  }

  // Blocks keep their first shape while columns leave.
  static std::vector<double> at_work(const Group& group, const Block& block) {
    return {block.data(), block.data() + group.rows() * group.columns_};
  }
  static void take(const Record& record, const char* name, std::int64_t length, Block& block) {
    std::ranges::copy(record.reals(name, length), block.data());
  }

  static void put_left(const Group& group, Record& record) {
    std::vector<double> x, error;
    for (std::size_t i = 0; i < group.left_.size(); ++i) {
      x.insert(x.end(), group.left_x(i), group.left_x(i) + group.rows());
      error.push_back(group.error_[static_cast<std::size_t>(group.left_[i])]);
    }
    record.put("left", std::vector<std::int64_t>(group.left_));
    record.put("left_x", std::move(x));
    record.put("left_error", std::move(error));
  }
  static void take_left(const Record& record, Group& group) {
    group.left_ = record.long_integers("left");
    if (std::ssize(group.left_) + group.columns_ != group.width_)
      throw Error(ErrorCode::bad_data, "record: left: not as many columns as left");
    const std::vector<double>& error = record.reals("left_error", std::ssize(group.left_));
    const std::vector<double>& x = record.reals("left_x", std::ssize(group.left_) * group.rows());
    for (std::size_t i = 0; i < group.left_.size(); ++i) {
      std::copy_n(x.begin() + static_cast<std::ptrdiff_t>(i) * group.rows(), group.rows(),
                  group.left_x(i));
      group.error_[static_cast<std::size_t>(group.left_[i])] = error[i];
    }
  }
};

// Where a group of columns keeps its state and its result: a part of a step of the run.
struct CgPlace {
  CheckpointStep* step = nullptr;  // null: nowhere
  std::size_t part = 0;
};

// Result of a group: what was found of columns [first, first + width) of x.
inline Record finished_group(const InnerResult& result, const Block& x,
                             const std::vector<double>& error, std::int64_t first,
                             std::int64_t width) {
  Record record;
  std::vector<double> values;
  values.reserve(static_cast<std::size_t>(x.rows() * width));
  for (std::int64_t v = 0; v < x.rows(); ++v)
    for (std::int64_t k = 0; k < width; ++k) values.push_back(x(v, first + k));
  record.put("x", std::move(values));
  record.put("error", std::vector<double>(error.begin() + first, error.begin() + first + width));
  record.put("outcome", static_cast<std::int64_t>(result.outcome));
  record.put("iterations", result.iterations);
  record.put("note", std::string_view(result.note));
  return record;
}

inline InnerResult take_group(const Record& record, Block& x, std::vector<double>& error,
                              std::int64_t first, std::int64_t width) {
  const std::vector<double>& values = record.reals("x", x.rows() * width);
  for (std::int64_t v = 0; v < x.rows(); ++v)
    for (std::int64_t k = 0; k < width; ++k)
      x(v, first + k) = values[static_cast<std::size_t>(v * width + k)];
  std::ranges::copy(record.reals("error", width), error.begin() + first);
  return {.outcome = outcome_of(record.integer("outcome")),
          .iterations = record.integer("iterations"),
          .note = record.text("note")};
}

}  // namespace gssl::solve
