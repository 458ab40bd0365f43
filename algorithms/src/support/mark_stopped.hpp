#pragma once
// What a report of several solves says when the run ended between two of them: those that are done
// may all have converged, the work has not. Internal: not installed.

#include "gssl/core/report.hpp"

namespace gssl::detail {

inline void mark_stopped(Ending& report, Outcome why) {
  if (report.outcome == Outcome::converged)
    report.sentence = (report.used.empty() ? "" : report.used + ": ") +
                      (why == Outcome::time_limit ? "the time limit ended it" : "cancelled") +
                      " before all was solved";
  report.outcome = worse(report.outcome, why);
}

}  // namespace gssl::detail
