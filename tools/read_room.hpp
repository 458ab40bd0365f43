#pragma once
// Whether a graph of text can be read at all, told from the size of the file and its first lines,
// before any of it is in memory.
//
//   refuse_too_large(session, path);

#include <string>

#include "session.hpp"

namespace gssl::tool {

// Throws MemoryError where even the edges, as pairs and as rows, are more than the run may take.
// Looks at plain files of text alone; what is packed, piped or binary passes.
void refuse_too_large(const Session& session, const std::string& path);

}  // namespace gssl::tool
