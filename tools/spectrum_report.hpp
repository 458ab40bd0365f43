#pragma once
// What verbs that compute eigenpairs say about them.

#include <string>

#include "gssl/linalg/spectrum.hpp"
#include "session.hpp"

namespace gssl::tool {

// Certificates and the sentence into the summary and to the person. Returns the exit status: 1 if a
// residual is not good. Throws ErrorCode::cancelled if a signal stopped the run.
int report_spectrum(Session& session, const Spectrum& spectrum, const std::string& laplacian);

}  // namespace gssl::tool
