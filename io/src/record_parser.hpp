#pragma once
// A record file whose text is there already. Internal: not installed.

#include <string>
#include <string_view>

#include "gssl/io/record_file.hpp"
#include "text_source.hpp"

namespace gssl::detail {

// Whether the text begins as a record does.
bool is_record(std::string_view text);

// `kind` as in read_record(). Throws ErrorCode::bad_data.
RecordFile parse_record(const TextSource& source, const std::string& kind);

}  // namespace gssl::detail
