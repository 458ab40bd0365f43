#include "spectrum_report.hpp"

#include "gssl/core/error.hpp"

namespace gssl::tool {

int report_spectrum(Session& session, const Spectrum& spectrum, const std::string& laplacian) {
  if (spectrum.outcome == Outcome::cancelled)
    throw Error(ErrorCode::cancelled, "stopped by a signal");
  session.summary.set("components", static_cast<std::int64_t>(spectrum.component_count));
  session.summary.set("spectrum.laplacian", laplacian);
  session.summary.set("spectrum.requested", spectrum.requested);
  session.summary.set("spectrum.used", spectrum.used);
  session.summary.set("spectrum.zeros", static_cast<std::int64_t>(spectrum.zero_count));
  session.summary.set("spectrum.block_steps", spectrum.steps);
  session.summary.set("spectrum.outcome", to_string(spectrum.outcome));
  session.summary.set("spectrum.sentence", spectrum.sentence);
  session.summary.add_certificate({"eigenvalues", spectrum.values});
  session.summary.add_certificate({"residuals", spectrum.residuals});
  session.say("spectrum: " + spectrum.sentence);
  if (spectrum.outcome == Outcome::converged) return 0;
  session.warn("not every eigenpair asked for is within the tolerance: see the residuals");
  return 1;
}

}  // namespace gssl::tool
