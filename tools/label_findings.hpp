#pragma once
// What `gssl label` found, told to a person, to the summary and on a page to look at.
//
//   warn_of_stray_shares(session, options, problem, learner, fit);
//   write_label_page(session, options, problem, learner, fit, out);
//   return tell_findings(session, options, problem, learner, fit);   // the exit status

#include "gssl/io/output_file.hpp"
#include "label_points.hpp"

namespace gssl::tool {

// Shares that no one expects, and what to do about them. Shares that were asked for are met, or the
// fit says why not.
void warn_of_stray_shares(Session& session, const LabelOptions& options, const LabelInput& problem,
                          const MadeLearner& learner, const Fit& fit);

// Counts, warnings of the fit and agreement with the truth. Returns the exit status: 1 where the
// fit stopped before its tolerance, or --strict finds vertices without a label, else 0.
int tell_findings(Session& session, const LabelOptions& options, const LabelInput& problem,
                  const MadeLearner& learner, const Fit& fit);

// The page of --report.
void write_label_page(Session& session, const LabelOptions& options, const LabelInput& problem,
                      const MadeLearner& learner, const Fit& fit, OutputFile& out);

}  // namespace gssl::tool
