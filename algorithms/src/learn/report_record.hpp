#pragma once
// The parts of a Report that a model keeps, as a Record. Internal: not installed.

#include <string>
#include <vector>

#include "gssl/core/report.hpp"
#include "gssl/data/record.hpp"

namespace gssl::detail {

// Throws ErrorCode::bad_data unless it is the spelling of one.
Outcome outcome_named(const std::string& name);

Record certificates_record(const std::vector<Certificate>& certificates);
std::vector<Certificate> certificates_of(const Record& record);

}  // namespace gssl::detail
