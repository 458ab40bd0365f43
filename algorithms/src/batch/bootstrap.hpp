#pragma once
// Rows drawn with replacement, as counts: a row of weight w is drawn as w rows would be.

#include <vector>

#include "gssl/core/rng.hpp"
#include "gssl/data/dataset.hpp"

namespace gssl::detail {

class Bootstrap {
 public:
  // Draws `share` times as many rows as there are: as the sum of the weights where all are whole
  // numbers, else as the rows of positive weight; at least one.
  Bootstrap(const Dataset& data, double share);

  // How often each row is drawn. O(draws), a logarithm more with weights.
  std::vector<double> draw(Rng& rng) const;

 private:
  std::size_t rows_;
  std::int64_t draws_ = 1;
  std::vector<double> sums_;  // of the weights up to each row; empty: all 1
};

}  // namespace gssl::detail
