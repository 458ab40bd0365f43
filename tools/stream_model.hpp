#pragma once
// What a stream of rows left, as a model that gssl predict reads.
//
//   check_leaves_model(made);                                    // before a trial
//   write_record(out, "model", stream_model(session, made, loop).to_record());

#include "gssl/learn/trained_model.hpp"
#include "trial_loop.hpp"

namespace gssl::tool {

// Throws ErrorCode::usage unless the learner leaves a model for new rows.
void check_leaves_model(const MadeLearner& made);

// Columns are those of the stream, by name where it has a header. Precondition: a trial came.
TrainedModel stream_model(const Session& session, const MadeLearner& made, const TrialLoop& loop,
                          const std::string& label_column);

}  // namespace gssl::tool
