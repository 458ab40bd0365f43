#pragma once
// Progress of a whole that is made of parts, so that its share only grows.
//
//   for (int k = 0; k < classes; ++k)
//     fit_one(k, part_of(run, "p-laplacian", k, classes));   // says k/classes … (k+1)/classes
//   solver->solve(b, x, silent(run));                          // one of many steps: says nothing

#include <algorithm>
#include <string>

#include "gssl/core/run_context.hpp"

namespace gssl {

// The same run, of which nobody is told how far it is.
inline RunContext silent(const RunContext& run) {
  RunContext part = run;
  part.progress = nullptr;
  return part;
}

// The run of part `index` of `count`, or of the share from `index` to `index + width` of it: tells
// of its own progress as that of the whole, under the name of the whole. Refers to `run`.
inline RunContext part_of(const RunContext& run, const std::string& stage, double index,
                          double count, double width = 1.0) {
  RunContext part = run;
  if (run.progress)
    part.progress = [&run, stage, index, count, width](std::string_view, double fraction) {
      run.report_progress(stage, (index + width * std::clamp(fraction, 0.0, 1.0)) / count);
    };
  return part;
}

}  // namespace gssl
