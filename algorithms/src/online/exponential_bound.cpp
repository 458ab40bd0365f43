#include "online/exponential_bound.hpp"

#include <algorithm>
#include <cmath>

#include "online/counted_look.hpp"

namespace gssl::detail {

void prove_exponential(OnlineReport& report, const ExponentialRun& run,
                       const ExponentialComparator& u) {
  const double start = u.trace * std::log(u.trace * run.size / run.lambda) +
                       run.lambda * run.dimension / run.size - u.trace;
  const double curve = std::expm1(run.rate) - run.rate;  // S
  double bound = 0.0;
  if (run.conservative) {
    const double fall = run.rate * run.margin - curve;
    if (!(fall > 0.0)) {
      report.bound_name = "none: the rate is larger than what is proved for the margin";
      return;
    }
    bound = (start + 2.0 * run.rate * run.margin * u.errors) / fall;
  } else {
    const double steps = (1.0 + run.margin) * static_cast<double>(run.updates) * curve;
    bound = u.errors + (start + steps) / (2.0 * run.rate * run.margin);
  }
  bound *= 1.0 + look_rounding;
  if (report.bound && !(bound < *report.bound)) return;
  report.bound = bound;
  report.bound_name = (run.conservative ? "(Δ + 2ηγE)/(ηγ − S): E the loss of "
                                        : "E + (Δ + (1 + γ)NS)/(2ηγ): E the loss of ") +
                      u.name;
  report.comparator = u.errors;
  report.comparator_name = "loss of " + u.name;
}

}  // namespace gssl::detail
