#include "gssl/io/vertex_list.hpp"

#include <optional>

#include "fields.hpp"
#include "foreign_files.hpp"
#include "graph_formats.hpp"
#include "label_format.hpp"
#include "text_source.hpp"
#include "unknown_ids.hpp"

namespace gssl {

VertexListFile read_vertex_list(const std::string& path, const VertexNames& names) {
  const detail::TextSource source = detail::TextSource::open(path);
  return source.read_whole([&] { return detail::parse_vertex_list(source, names); });
}

VertexListFile detail::parse_vertex_list(const TextSource& source, const VertexNames& names) {
  VertexListFile file;
  UnknownIds unknown;
  std::int64_t found = 0;
  start_stats(source, "vertices", file.stats);
  std::vector<bool> seen(static_cast<std::size_t>(names.size()), false);
  std::string_view text = source.text();
  std::optional<FieldSplitter> fields;
  while (!text.empty()) {
    const std::string_view line = trimmed(take_line(text));
    ++file.stats.lines;
    if (is_skipped(line)) continue;
    const std::int64_t number = file.stats.lines;
    if (is_binary(line)) {
      bad_line(source.name(), number, "binary data; expected one vertex id");
    }
    const bool first = !fields;
    if (first) fields.emplace(sniff_separator(line));
    if (fields->split(line, source.name(), number) != 1) {
      bad_line(source.name(), number,
               "'" + shown(line) + "'; expected one vertex id; quote an id that holds blanks");
    }
    const VertexId v = names.find((*fields)[0]);
    if (v == no_vertex) {
      if (first && (equal_ignoring_case((*fields)[0], "node") ||
                    equal_ignoring_case((*fields)[0], "vertex")))
        continue;
      unknown.add((*fields)[0], number);
      continue;
    }
    ++found;
    if (seen[static_cast<std::size_t>(v)]) {
      ++file.duplicates_merged;
      continue;
    }
    seen[static_cast<std::size_t>(v)] = true;
    file.vertices.push_back(v);
  }
  unknown.check(source.name(), found + unknown.count(), "ids", "");
  return file;
}

}  // namespace gssl
