#pragma once
// Each constant of gssl/solve/cost_model.hpp halved and doubled: what that costs in the case that
// suffers most, processor seconds beside those with the constant as it is.
//
//   const bool good = vary_constants(results, {.sizes = sizes, .parts = 2});

#include <string>
#include <vector>

#include "../harness/program.hpp"
#include "graphs.hpp"

namespace gssl::bench {

struct ConstantRace {
  GraphSizes sizes;
  int columns = 10;
  int threads = 1;
  int repeats = 3;  // the fastest counts; one run is enough where it is about as fast as usual
  int part = 1;     // of `parts` processes that share the constants: every parts-th, from this one
  int parts = 1;
  std::vector<std::string> only;  // these constants; empty: all
};

// A row for each constant and direction, rows for all cases beyond the largest ratio allowed, and
// the largest ratio found. Returns whether none is beyond it. Throws ErrorCode::usage on a name
// that no constant has, and on a part beyond the parts.
bool vary_constants(Results& results, const ConstantRace& race);

}  // namespace gssl::bench
