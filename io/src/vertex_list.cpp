#include "gssl/io/vertex_list.hpp"

#include "array_file.hpp"
#include "fields.hpp"
#include "graph_formats.hpp"
#include "label_format.hpp"
#include "list_lines.hpp"
#include "text_source.hpp"
#include "unknown_ids.hpp"

namespace gssl {

VertexListFile read_vertex_list(const std::string& path, const VertexNames& names,
                                std::size_t most_held) {
  const detail::ArrayPath from(path);
  const detail::TextSource source = detail::TextSource::open(from.file, most_held);
  return source.read_whole([&] { return detail::parse_vertex_list(source, names, from.member); });
}

VertexListFile detail::parse_vertex_list(const TextSource& source, const VertexNames& names,
                                         const std::string& member) {
  VertexListFile file;
  UnknownIds unknown;
  std::int64_t read = 0;
  start_stats(source, "vertices", file.stats);
  std::vector<bool> seen(static_cast<std::size_t>(names.size()), false);
  const auto take = [&](VertexId v, std::string_view id, std::int64_t number) {
    ++read;
    if (v == no_vertex) return unknown.add(id, number);
    if (seen[static_cast<std::size_t>(v)]) {
      ++file.duplicates_merged;
      return;
    }
    seen[static_cast<std::size_t>(v)] = true;
    file.vertices.push_back(v);
  };
  if (const auto ids = read_array(source, member, 1, file.stats)) {
    for (const std::string& id : *ids) take(names.find(id), id, 0);
  } else {
    bool table = false;  // with a header, and columns after the first
    const auto is_header = [](std::string_view word) {
      return equal_ignoring_case(word, "node") || equal_ignoring_case(word, "vertex");
    };
    file.stats.lines = walk_list_lines(
        source, "of one vertex id",
        [&](const FieldSplitter& fields, std::size_t count, std::string_view line,
            std::int64_t number, bool first) {
          const VertexId v = names.find(fields[0]);
          const bool header = first && is_header(fields[0]) && (v == no_vertex || count > 1);
          table = table || (header && count > 1);
          if (header) return;
          // Of a list a semicolon may be part of an id.
          const VertexId whole =
              line.find_first_of(" \t,\"") == line.npos ? names.find(line) : no_vertex;
          if (whole != no_vertex && !table) return take(whole, line, number);
          if (count != 1 && !table)
            bad_line(
                source.name(), number,
                "'" + shown(line) + "'; expected one vertex id; quote an id that holds blanks");
          take(v, fields[0], number);
        });
  }
  unknown.check(source.name(), read, "ids", "");
  return file;
}

}  // namespace gssl
