#pragma once
// Descriptors 0, 1 and 2 that a caller closed (`gssl … >&-`).
//
// The first file opened would take the lowest free number, and what is printed would land in it. So
// a missing descriptor is opened on /dev/null the wrong way round: reading a missing standard input
// and writing to a missing standard output fail as they should. Only standard error swallows what
// it is given, since a lost message must not end the work.

namespace gssl::tool {

// Call before anything else opens a file.
void open_missing_standard_streams();

}  // namespace gssl::tool
