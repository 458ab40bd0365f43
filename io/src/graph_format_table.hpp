#pragma once
// Every format of graphs that is read: its name, its extensions, how its content is told and which
// function reads it. A new format is one line of this table.

#include <array>
#include <span>
#include <string_view>

#include "graph_formats.hpp"

namespace gssl::detail {

struct GraphFormatEntry {
  GraphFormat format;
  const char* name;                            // as --input-format takes it
  std::array<std::string_view, 4> extensions;  // in small letters; empty ones are none
  bool (*looks_like)(std::string_view text);   // nullptr: content does not tell it
  void (*read)(const TextSource& source, const ReadOptions& options, const RunContext& run,
               GraphFile& file);  // nullptr: a folder
  bool in_pieces = false;         // of the text, each of which it hands to HeldTextRoom
};

std::span<const GraphFormatEntry> graph_format_table();

// Precondition: not GraphFormat::automatic.
const GraphFormatEntry& entry_of(GraphFormat format);

// By content, else by the extension before that of a compression, else an edge list. Throws
// ErrorCode::bad_data for files of other programs that no reader here takes.
const GraphFormatEntry& sniff_graph_format(std::string_view text, std::string_view path);

}  // namespace gssl::detail
