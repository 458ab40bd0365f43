// GML: ids are the numbers of the vertices, names stand as "label" and "name". A file of GML is
// ASCII, and other characters are entities.
#include <algorithm>

#include "graph_writers.hpp"
#include "gssl/core/number_text.hpp"
#include "utf8.hpp"
#include "xml_text.hpp"

namespace gssl::detail {
namespace {

// The code point of one character of UTF-8.
std::uint32_t code_point(std::string_view character) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(character[i]); };
  if (character.size() == 1) return byte(0);
  std::uint32_t point = byte(0) & (0x7FU >> character.size());
  for (std::size_t i = 1; i < character.size(); ++i) point = point << 6 | (byte(i) & 0x3FU);
  return point;
}

// In quotes, with entities for the quote, the ampersand and what is not ASCII.
void append_gml_text(std::string_view text, std::string& out, std::int64_t& replaced) {
  const std::string clean = clean_text(text, replaced);
  std::string_view rest = clean;
  out += '"';
  while (!rest.empty()) {
    const std::string_view character = rest.substr(0, utf8_length(rest));
    rest.remove_prefix(character.size());
    if (character == "\"") {
      out += "&quot;";
    } else if (character == "&") {
      out += "&amp;";
    } else if (character.size() > 1) {
      out.append("&#").append(std::to_string(code_point(character))).append(";");
    } else {
      out += character;
    }
  }
  out += '"';
}

// A real of GML has a point.
std::string gml_real(std::string text) {
  if (text.find('.') != std::string::npos) return text;
  return text.insert(std::min(text.find('e'), text.size()), ".0");
}

}  // namespace

std::int64_t write_gml(OutputFile& out, const Graph& graph, const VertexNames& names,
                       const ResultColumns& columns) {
  std::int64_t replaced = 0;
  std::int64_t ignored = 0;
  const std::vector<std::string> words = plain_words(columns);
  std::string text = "graph [\n  directed 0\n";
  for (VertexId v = 0; v < graph.vertex_count(); ++v) {
    text.append("  node [\n    id ").append(std::to_string(v)).append("\n    label ");
    append_gml_text(names.name(v), text, replaced);
    text += "\n    name ";
    append_gml_text(names.name(v), text, ignored);
    for (std::size_t i = 0; i < words.size(); ++i) {
      const ResultColumn& column = columns.columns()[i];
      text.append("\n    ").append(words[i]).append(" ");
      const std::string_view type = column.type();
      if (type == "double") {
        text += gml_real(column.text(v));
      } else if (type == "long") {
        text += column.text(v);
      } else if (type == "boolean") {
        text += column.text(v) == "true" ? "1" : "0";
      } else {
        append_gml_text(column.text(v), text, ignored);
      }
    }
    text += "\n  ]\n";
    out.write(text);
    text.clear();
  }
  for (VertexId u = 0; u < graph.vertex_count(); ++u) {
    graph.visit_row(u, [&](VertexId v, double weight) {
      if (v < u) return;
      text.append("  edge [\n    source ").append(std::to_string(u));
      text.append("\n    target ").append(std::to_string(v)).append("\n");
      if (!graph.has_unit_weights()) text += "    weight " + gml_real(to_text(weight)) + "\n";
      text += "  ]\n";
    });
    out.write(text);
    text.clear();
  }
  out.write(text + "]\n");
  return replaced;
}

}  // namespace gssl::detail
