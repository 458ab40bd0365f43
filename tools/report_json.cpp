#include "report_json.hpp"

#include "gssl/io/summary.hpp"

namespace gssl::tool {

std::string report_json(const Report& report) {
  Summary summary;
  summary.set("outcome", report.converged() ? "complete" : "incomplete");
  summary.add_solver(solve_report(report));
  for (const Certificate& certificate : report.certificates) summary.add_certificate(certificate);
  if (report.score_error) summary.set("score_error", *report.score_error);
  summary.set("seconds.setup", report.setup_seconds);
  summary.set("seconds.solve", report.solve_seconds);
  summary.set("warnings", report.warnings);
  return summary.json();
}

}  // namespace gssl::tool
