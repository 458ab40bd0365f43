#pragma once
// Names of vertices in formats that only number them: Matrix Market and METIS.
//
// Each vertex has a comment line "%gssl-vertex<TAB>NAME", all of them in the order of the vertices
// and before the line of sizes; other programs pass over them. In NAME a backslash, a control
// character and a blank at either end stand as \xHH, two hexadecimal digits; all else is as it is.
// A file without such lines calls its vertices 1, 2, ….
//
//   NameComments comments;
//   comments.take(line, file, number);                   // each comment line
//   file.names = std::move(comments).names(n, file);

#include <cstdint>
#include <string>
#include <string_view>

#include "gssl/graph/vertex_names.hpp"

namespace gssl::detail {

// Appends the comment line of one vertex.
void append_name_comment(std::string_view name, std::string& out);

class NameComments {
 public:
  // `line` is a comment, untrimmed at its end. Throws ErrorCode::bad_data as bad_line() if the name
  // was there before or is badly written.
  void take(std::string_view line, const std::string& file, std::int64_t number);

  bool empty() const { return names_.size() == 0; }

  // Names of all `count` vertices. Throws ErrorCode::bad_data if some have a name and others not.
  VertexNames names(VertexId count, const std::string& file) &&;

 private:
  VertexNames names_;
  std::int64_t last_line_ = 1;
};

// Whether vertex v is called v + 1, so that no comments are needed.
bool numbered_from_one(const VertexNames& names);

}  // namespace gssl::detail
