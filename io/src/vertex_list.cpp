#include "gssl/io/vertex_list.hpp"

#include <optional>

#include "fields.hpp"
#include "graph_formats.hpp"
#include "label_format.hpp"
#include "text_source.hpp"

namespace gssl {

VertexListFile read_vertex_list(const std::string& path, const VertexNames& names) {
  return detail::parse_vertex_list(detail::TextSource::open(path), names);
}

VertexListFile detail::parse_vertex_list(const TextSource& source, const VertexNames& names) {
  VertexListFile file;
  start_stats(source, "vertices", file.stats);
  std::vector<bool> seen(static_cast<std::size_t>(names.size()), false);
  std::string_view text = source.text();
  std::optional<FieldSplitter> fields;
  while (!text.empty()) {
    const std::string_view line = trimmed(take_line(text));
    ++file.stats.lines;
    if (is_skipped(line)) continue;
    const std::int64_t number = file.stats.lines;
    if (line.find('\0') != std::string_view::npos)
      bad_line(source.name(), number, "binary data (a zero byte); expected one vertex id");
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
      bad_line(source.name(), number,
               "vertex " + shown((*fields)[0]) + " is not in the graph; fix the id");
    }
    if (seen[static_cast<std::size_t>(v)]) {
      ++file.duplicates_merged;
      continue;
    }
    seen[static_cast<std::size_t>(v)] = true;
    file.vertices.push_back(v);
  }
  return file;
}

}  // namespace gssl
