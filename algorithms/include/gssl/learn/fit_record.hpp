#pragma once
// A fit as a record, to be stored and taken back with the same bits: what a checkpoint holds at the
// end, and what a later run starts from.
//
//   gssl::Record record = gssl::to_record(fit);
//   gssl::Fit again = gssl::fit_from(record);
//
// O(nK) in time and memory; the scores of a record that is moved in are not copied.

#include "gssl/data/record.hpp"
#include "gssl/learn/learner.hpp"

namespace gssl {

Record to_record(const Fit& fit);

// Throws ErrorCode::bad_data where the record holds no fit, or lists that do not fit together.
Fit fit_from(Record record);

// A report of a solve, as "NAME/…".
void put_report(const std::string& name, const SolveReport& report, Record& record);
SolveReport report_from(const std::string& name, const Record& record);

}  // namespace gssl
