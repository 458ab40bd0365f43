#pragma once
// The table that `gssl label` writes, as TSV, CSV or JSON lines: columns node, label, confidence
// and status.
//
//   const WrittenForm form = sniff_written_labels(source.text());
//   if (form != WrittenForm::none) lines = walk_written_labels(source, form, row);

#include <cstdint>
#include <functional>
#include <string_view>

#include "text_source.hpp"

namespace gssl::detail {

enum class WrittenForm { none, table, json_lines };

// By the header, or by the keys of the first object.
WrittenForm sniff_written_labels(std::string_view text);

// `decided`: the status is given or inferred. Tied, unreached, unfinished and uncertain rows hold
// no answer to build on.
using WrittenRow = std::function<void(std::string_view node, std::string_view label,
                                      std::int64_t line, bool decided)>;

// Calls row(…) for every vertex; returns the number of lines. Throws ErrorCode::bad_data with the
// line of what is no such row.
std::int64_t walk_written_labels(const TextSource& source, WrittenForm form, const WrittenRow& row);

}  // namespace gssl::detail
