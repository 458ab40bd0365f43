#pragma once
// No output may be an input, no two outputs may be one file, and standard input is read once.
// Inputs that are missing are found before the long work.
//
// "-" is standard input or output, and /dev/stdout the same output; files are the same when their
// device and inode are, so links and shell redirections count. Devices such as /dev/null may be
// shared.

#include <string>
#include <vector>

namespace gssl::tool {

// Throws ErrorCode::usage naming the two that clash. Empty paths are skipped.
void check_paths(const std::vector<std::string>& inputs, const std::vector<std::string>& outputs);

// Throws ErrorCode::cannot_open naming the first that cannot be read, without opening it: a pipe
// loses nothing. Empty paths and "-" are skipped.
void check_readable(const std::vector<std::string>& inputs);

}  // namespace gssl::tool
