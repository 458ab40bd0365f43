#pragma once
// Swept conjugate gradients of up to float_lanes columns in floats, refined in doubles: x and b − Ax
// are doubles on the system itself, and the floats solve for what is left. When a residual has
// fallen by a few digits, its steps are added to x and it is replaced by the true one; directions
// stay, so that this costs no more steps than doubles throughout do (van der Vorst and Ye 2000,
// doi:10.1137/S1064827599353865). A column whose true residual does not follow has stalled, and is
// for doubles. Each measurement also lifts the components of the graph to the height that their
// ground asks for, which floats lose in rounding where it is weak.
//
//   RefinedSweeps sweeps(system, split, b, x, targets, error, first, width);
//   while (!sweeps.done()) sweeps.step(false);
//   sweeps.flush();                      // into x
//   … sweeps.stalled() …
//
// Memory: for each row 320 bytes, and a double for each column. One thread.

#include <cstdint>
#include <vector>

#include "cg_columns.hpp"
#include "conjugate_gradient.hpp"
#include "float_split.hpp"
#include "gssl/core/block.hpp"
#include "gssl/data/record.hpp"
#include "gssl/linalg/grounded_laplacian.hpp"

namespace gssl::solve {

class RefinedSweeps {
 public:
  // Columns [first, first + width) of b, from the guess in x; 1 ≤ width ≤ float_lanes. All must
  // outlive it. `error` gets the estimated ‖error‖_A of each column.
  RefinedSweeps(const GroundedLaplacian& system, const FloatSplit& split, const Block& b, Block& x,
                const std::vector<double>& targets, std::vector<double>& error, std::int64_t first,
                std::int64_t width);

  // No column is at work.
  bool done() const;
  bool any_broken() const { return false; }  // but stalled()
  // Of all columns at work; `replace`: by the true residual at its end, whatever it is.
  void step(bool replace);
  // Hands x back: of each column what it is, unless its guess was nearer.
  void flush();

  // Leaves the columns at work to doubles; flush() is next.
  void give_up();
  // Columns of b that doubles have to go on with.
  const std::vector<std::int64_t>& stalled() const { return stalled_; }
  // Largest norm/target of the columns at work.
  double worst() const;
  // Of the last step of the first column at work.
  void append_coefficients(CgCoefficients& to) const;

  // What it is between two steps; one that takes it back goes on with the same bits. Throws
  // ErrorCode::bad_data on a record that is not of such columns.
  Record state() const;
  void put_back(const Record& record);

 private:
  struct Column {
    double target = 0.0;
    double goal = 0.0;                   // of ‖b − Ax‖, at which it is measured
    double scale = 1.0;                  // of b, in the floats: a power of two
    double unit = 1.0;                   // ‖b − Ax‖ over ‖r‖ of the floats
    double norm = 0.0;                   // ‖b − Ax‖, as believed
    double measured = 0.0, begun = 0.0;  // ‖b − Ax‖ when it was last measured, and at first
    double rz = 0.0;                     // rᵀPr of the floats
    double alpha = 0.0;
    double beta = 0.0;
    double pending = 0.0;  // alpha of a step that x has yet to take
    double digits = 5.2;   // by which ‖b − Ax‖ falls in floats before it is measured
    double at_work = 1.0;  // or 0
    double drifted = 0.0;  // or 1
    double stages = 0.0;   // how often it was measured and went on
    std::vector<double> gains = {};  // by how much each step lowered ‖error‖²_A
  };
  static ColumnNumbers<Column> numbers();

  std::int64_t rows() const { return split_.size(); }
  std::vector<double> measure_residuals();
  void load_residuals();
  void level(std::vector<double>& norms);
  void add_steps();
  void replace_residuals();
  void leave(std::size_t k);
  void leave_all();
  void judge(std::size_t k, double norm);
  bool is_due() const;
  LaneFactors factors(double Column::*number) const;

  const GroundedLaplacian& system_;
  const FloatSplit& split_;
  const Block& b_;
  Block& x_out_;
  std::vector<double>& error_;
  std::int64_t first_;
  std::vector<Column> columns_;
  Block x_;  // by vertices
  FloatColumns floats_;
  std::vector<std::int64_t> stalled_;
};

}  // namespace gssl::solve
