#pragma once
// Arrays (npy, npz, idx) where lists of text are wanted, too: labels, vertices, pairs, shares.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gssl/io/graph_reader.hpp"
#include "text_source.hpp"

namespace gssl::detail {

// The elements of an array of so many columns, row by row, as text; nothing for a file of text, as
// its first bytes tell. `member` is what follows "FILE.npz:". Throws ErrorCode::bad_data on an
// array of another shape, ErrorCode::usage on a member of a file that has none.
std::optional<std::vector<std::string>> read_array(const TextSource& source,
                                                   const std::string& member, std::int64_t columns,
                                                   InputStats& stats);

// The file of "FILE.npz:NAME", and NAME.
struct ArrayPath {
  std::string file;
  std::string member;

  explicit ArrayPath(const std::string& path);
};

}  // namespace gssl::detail
