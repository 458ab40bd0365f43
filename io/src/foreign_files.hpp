#pragma once
// Files that no reader here takes, told by how they begin: a person who hands over a Parquet file,
// a workbook or a web page is told what it is and which command makes a readable file of it.
//
//   refuse_foreign(source.text(), source.name(), Wanted::table);

#include <string>
#include <string_view>

namespace gssl::detail {

// What the reader expects, which decides how a message ends.
enum class Wanted { table, labels, graph };

// Throws ErrorCode::bad_data "FILE: is KIND; expected …; how to convert it" if `text` begins like
// one of the kinds known here. O(1).
void refuse_foreign(std::string_view text, const std::string& name, Wanted wanted);

// The same for a zip archive that holds no arrays: a workbook, or files that want unpacking.
// `members` are the names in it, one a line.
[[noreturn]] void refuse_archive(std::string_view members, const std::string& name);

// Whether there is a byte that text does not have: a zero byte, or another control character than
// tab, line end, form feed and escape.
bool is_binary(std::string_view text);

// Throws ErrorCode::bad_data "FILE:LINE: binary data …" if the first bytes of `text` are not text.
void refuse_binary(std::string_view text, const std::string& name, Wanted wanted);

}  // namespace gssl::detail
