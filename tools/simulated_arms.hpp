#pragma once
// Losses in [0, 1] of arms that are drawn anew in every trial.
//
//   SimulatedArms arms("bernoulli:means=0.2/0.5,trials=1000", seed);
//   std::vector<double> losses = arms.next();
//
// bernoulli  1 with chance mean, else 0
// gaussian   normal with that mean and the deviation sd, held in [0, 1]

#include <cstdint>
#include <string>
#include <vector>

#include "gssl/core/rng.hpp"

namespace gssl::tool {

class SimulatedArms {
 public:
  // Throws ErrorCode::usage on an unknown name or option.
  SimulatedArms(const std::string& spec, std::uint64_t seed);

  std::int64_t trials() const { return trials_; }
  // Means of the losses as they are, held in [0, 1].
  std::vector<double> means() const;
  std::vector<double> next();

 private:
  bool gaussian_ = false;
  std::vector<double> means_;
  double sd_ = 0.0;
  std::int64_t trials_ = 0;
  Rng rng_;
};

}  // namespace gssl::tool
