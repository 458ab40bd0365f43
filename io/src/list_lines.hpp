#pragma once
// The data lines of a list (labels, pairs, cells), split into fields: blank lines and comments are
// left out, binary data is refused, and the first line tells the separator.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "commented_data.hpp"
#include "fields.hpp"
#include "foreign_files.hpp"
#include "gssl/core/run_context.hpp"
#include "text_source.hpp"

namespace gssl::detail {

// Calls take(line) for every line of the text, which does not outlive the call. Pages of a mapped
// file are let go of behind it.
template <class Take>
void walk_lines(const TextSource& source, Take&& take) {
  constexpr std::size_t some = std::size_t{1} << 22;  // bytes
  TextPieces pieces(source);
  for (std::string_view text = pieces.next(); !text.empty(); text = pieces.next()) {
    std::string_view read = text;
    while (!text.empty()) {
      take(take_line(text));
      if (read.size() - text.size() < some && !text.empty()) continue;
      source.release(read.substr(0, read.size() - text.size()));
      read = text;
    }
  }
}

// Calls take(fields, count, line, number, is_first) for every data line, which has `count` fields
// that do not outlive the call; `expected` says in messages what they are. `least`: of a table, the
// fields that there are at least; those at its ends may be empty. Returns the number of lines. Throws
// ErrorCode::bad_data as "FILE:LINE: found; expected", and as RunContext::throw_if_stopped().
// `commented` gets the comments behind the first data line.
template <class Take>
std::int64_t walk_list_lines(const TextSource& source, const char* expected, Take&& take,
                             const RunContext& run = {},
                             FieldSplitter::Empty empty = FieldSplitter::Empty::refused,
                             std::size_t least = 0, CommentedData* commented = nullptr) {
  std::optional<FieldSplitter> fields;
  std::size_t usual = 0;  // fields of the first line
  std::int64_t number = 0;
  walk_lines(source, [&](std::string_view all) {
    std::string_view line = trimmed(all);
    if (++number % 4096 == 0) run.throw_if_stopped("reading", "before the file was read");
    if (is_skipped(line)) {
      if (commented != nullptr && fields && !line.empty())
        commented->see(line, number, fields->separator(), usual);
      return;
    }
    if (is_binary(line))
      bad_line(source.name(), number, std::string("binary data; expected lines ") + expected);
    const bool first = !fields;
    if (first) fields.emplace(sniff_list_separator(line, least), empty);
    if (least > 0 && fields->separator() == Separator::tab) line = trimmed_but_tabs(all);
    const std::size_t count = fields->split(line, source.name(), number);
    if (first) usual = count;
    take(*fields, count, line, number, first);
  });
  return number;
}

}  // namespace gssl::detail
