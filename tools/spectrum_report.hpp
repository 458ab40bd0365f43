#pragma once
// What verbs that compute eigenpairs say about them, and the names of Laplacians.

#include <string>

#include "gssl/linalg/spectrum.hpp"
#include "session.hpp"

namespace gssl::tool {

// combinatorial, symmetric or random-walk; throws ErrorCode::usage listing them.
LaplacianKind parse_laplacian_kind(const std::string& name);

// Certificates and the sentence into the summary and to the person. Returns the exit status: 1 if a
// residual is not good. Throws ErrorCode::cancelled if a signal stopped the run.
int report_spectrum(Session& session, const Spectrum& spectrum, const std::string& laplacian);

}  // namespace gssl::tool
