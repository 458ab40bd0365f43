#pragma once
// What every second look does in the same way: counts the trials that it sees, and proves nothing
// before it saw all. Internal: not installed.

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "gssl/core/error.hpp"
#include "gssl/learn/online.hpp"
#include "online/linear_row.hpp"
#include "online/score_sketch.hpp"

namespace gssl::detail {

// What rounding may take from a bound that is made of sums and products of a run.
inline constexpr double look_rounding = 1e-9;

class CountedLook : public SecondLook {
 public:
  void see(const Instance& instance, const Revealed& outcome, std::int64_t times) final;
  void prove(OnlineReport& report) const final;

 protected:
  virtual void see_trial(const Instance& instance, const Revealed& outcome, double times) = 0;
  virtual void prove_seen(OnlineReport& report) const = 0;

 private:
  std::int64_t seen_ = 0;
};

// A linear function that a run is compared with.
struct LinearComparator {
  std::string name;  // "the last weights", …
  std::vector<double> weights;
  double bias = 0.0;

  double square() const;  // ‖w‖², the bias included
};

// The scores of linear functions, row by row.
class LinearScores {
 public:
  // All of the same width. `learner` begins messages.
  LinearScores(const char* learner, std::vector<LinearComparator> functions);

  struct Score {
    double value = 0.0;
    double slack = 0.0;  // how far rounding may have brought it
  };
  // Of each function. Throws ErrorCode::bad_data on a row that is wider than they are.
  std::span<const Score> of(const Instance& instance);

  const LinearRow& row() const { return row_; }
  const std::vector<LinearComparator>& functions() const { return functions_; }
  double norm(std::size_t i) const { return norms_[i]; }

 private:
  const char* learner_;
  std::vector<LinearComparator> functions_;
  std::vector<double> norms_;
  std::vector<double> width_;  // as many as there are columns
  LinearRow row_;
  std::vector<Score> scores_;
};

// Of a perceptron in any space.
struct PerceptronComparator {
  std::string name;
  double norm = 0.0;
  ScoreSketch margins;
};
struct AddedRows {
  double largest = 0.0;  // R²: ‖x‖² of a row that was added
  double sum = 0.0;      // Q: of all of them
};
// Adds the bounds (R‖u‖/2 + √(R²‖u‖²/4 + L))² and L + ‖u‖√Q, each for the best u and its scale;
// certificates hinge_loss and norm, of the smaller bound, and radius_square.
void prove_perceptron(OnlineReport& report, const AddedRows& added,
                      std::span<const PerceptronComparator> comparators);

// −Σ p ln p of p = |w|/Σ|w|; 0 where all are 0.
double entropy_of(std::span<const double> weights);

}  // namespace gssl::detail
