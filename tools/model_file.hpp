#pragma once
// Files of models, as the verbs read them.

#include <string>

#include "gssl/io/record_file.hpp"
#include "gssl/learn/trained_model.hpp"
#include "session.hpp"

namespace gssl::tool {

// Throws what read_record() and TrainedModel::from_record() do, naming the file.
TrainedModel read_model(const Session& session, const std::string& path);

// Rows "property value" of a model, or of a session as far as it is known.
void write_record_info(Session& session, OutputFile& out, const RecordFile& file,
                       const std::string& path);

// A part of a model (ModelPart) as a table, by its name. Throws ErrorCode::usage where the file has
// no such part.
void write_model_part(Session& session, OutputFile& out, const RecordFile& file,
                      const std::string& path, const std::string& wanted);

}  // namespace gssl::tool
