#include "kernel/dual_report.hpp"

#include <algorithm>
#include <utility>

#include "gssl/core/number_text.hpp"

namespace gssl::detail {

DualReport::DualReport(Report& report) : report_(report) {
  report_.requested = report_.used = "working set";
}

void DualReport::push(const char* name, double value) {
  const auto known = std::ranges::find(report_.certificates, name, &Certificate::name);
  if (known == report_.certificates.end())
    report_.certificates.push_back({name, {value}});
  else
    known->values.push_back(value);
}

void DualReport::add(const DualSolution& dual, double primal, std::int64_t support_vectors,
                     std::int64_t bound_vectors, double rows) {
  push("objective", dual.objective);
  push("primal_objective", primal);
  push("duality_gap", primal + dual.objective);
  push("kkt_violation", dual.violation);
  push("support_vectors", static_cast<double>(support_vectors));
  push("bound_vectors", static_cast<double>(bound_vectors));
  if (rows > 0.0) push("leave_one_out_bound", static_cast<double>(support_vectors) / rows);
  Ending& how = report_;
  how.outcome = worse(how.outcome, dual.outcome);
  steps_ += dual.steps;
  rows_computed_ += dual.rows_computed;
  how.iterations += dual.steps;
  violation_ = std::max(violation_, dual.violation);
  single_precision_ = single_precision_ || dual.single_precision;
  polished_ = polished_ || dual.polished;
}

void DualReport::finish() {
  Ending& how = report_;
  how.sentence = std::to_string(how.iterations) + " steps on " + std::to_string(rows_computed_) +
                 " rows of the kernel" + (single_precision_ ? " in single precision" : "") +
                 (polished_ ? ", the last digits by a linear system" : "") +
                 ", optimality violated by at most " + to_brief_text(violation_) + ": " +
                 std::string(to_string(how.outcome));
}

}  // namespace gssl::detail
