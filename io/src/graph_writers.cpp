#include "graph_writers.hpp"

#include <algorithm>
#include <array>

#include "graph_format_table.hpp"
#include "gssl/core/error.hpp"
#include "name_comments.hpp"
#include "utf8.hpp"

namespace gssl {
namespace detail {

Color class_color(int k) {
  static constexpr std::array<Color, 8> colors = {{{0, 114, 178},
                                                   {230, 159, 0},
                                                   {0, 158, 115},
                                                   {204, 121, 167},
                                                   {86, 180, 233},
                                                   {213, 94, 0},
                                                   {240, 228, 66},
                                                   {60, 60, 60}}};
  if (k < 0) return {190, 190, 190};
  return colors[static_cast<std::size_t>(k) % colors.size()];
}

std::string Color::hexadecimal() const {
  constexpr char digits[] = "0123456789abcdef";
  std::string text = "#";
  for (const int part : {red, green, blue}) {
    text += digits[part / 16];
    text += digits[part % 16];
  }
  return text;
}

const ResultColumn::Choice* coloring(const ResultColumns& columns) {
  for (const char* name : {"class", "cluster", "side"}) {
    const ResultColumn* column = columns.find(name);
    if (column == nullptr) continue;
    if (const auto* choice = std::get_if<ResultColumn::Choice>(&column->values)) return choice;
  }
  return nullptr;
}

std::vector<std::string> plain_words(const ResultColumns& columns) {
  std::vector<std::string> words;
  for (const ResultColumn& column : columns.columns()) {
    std::string word;
    for (const char c : column.name) {
      const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
      const bool digit = c >= '0' && c <= '9';
      word += letter || (digit && !word.empty()) ? c : '_';
    }
    const std::string first = word;
    for (int next = 2; std::ranges::find(words, word) != words.end(); ++next)
      word = first + "_" + std::to_string(next);
    words.push_back(word);
  }
  return words;
}

std::string clean_text(std::string_view text, std::int64_t& replaced) {
  std::string clean;
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    const bool control = static_cast<unsigned char>(text.front()) < 0x20 || text.front() == 0x7F;
    if (length == 0 || control) {
      clean += "\xEF\xBF\xBD";
      ++replaced;
    } else {
      clean += text.substr(0, length);
    }
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return clean;
}

}  // namespace detail

namespace {

using Writer = std::int64_t (*)(OutputFile&, const Graph&, const VertexNames&,
                                const ResultColumns&);
constexpr std::array<std::pair<GraphFormat, Writer>, 4> with_columns = {
    {{GraphFormat::graphml, detail::write_graphml},
     {GraphFormat::gexf, detail::write_gexf},
     {GraphFormat::dot, detail::write_dot},
     {GraphFormat::gml, detail::write_gml}}};

}  // namespace

bool holds_columns(GraphFormat format) {
  return std::ranges::any_of(with_columns, [&](const auto& one) { return one.first == format; });
}

bool can_write(GraphFormat format) {
  return format == GraphFormat::edge_list || format == GraphFormat::matrix_market ||
         format == GraphFormat::metis || format == GraphFormat::binary || holds_columns(format);
}

GraphFormat written_format(const std::string& extension) {
  for (const detail::GraphFormatEntry& entry : detail::graph_format_table()) {
    if (!can_write(entry.format) || extension.empty()) continue;
    if (std::ranges::find(entry.extensions, extension) != entry.extensions.end())
      return entry.format;
  }
  return GraphFormat::automatic;
}

std::int64_t write_graph_with_columns(OutputFile& out, const Graph& graph, const VertexNames& names,
                                      const ResultColumns& columns, GraphFormat format) {
  if (names.size() != graph.vertex_count() || columns.vertex_count() != graph.vertex_count())
    throw Error(ErrorCode::usage, "names and columns must have one value for each of the " +
                                      std::to_string(graph.vertex_count()) + " vertices");
  for (const auto& [written, write] : with_columns)
    if (written == format) return write(out, graph, names, columns);
  throw Error(ErrorCode::usage, std::string(to_string(format)) +
                                    " has no room for columns; write GraphML, GEXF, GML "
                                    "or DOT");
}

std::vector<std::string> losses(const Graph& graph, const VertexNames& names,
                                const ResultColumns& columns, GraphFormat format) {
  std::vector<std::string> lost;
  std::int64_t isolated = 0;
  for (VertexId v = 0; v < graph.vertex_count(); ++v) isolated += graph.degree(v) == 0 ? 1 : 0;
  if (format == GraphFormat::edge_list && isolated > 0)
    lost.push_back(std::to_string(isolated) +
                   " isolated vertices stand in comments only: an edge list cannot hold them");
  const bool numbers = format == GraphFormat::matrix_market || format == GraphFormat::metis;
  if (numbers && !detail::numbered_from_one(names))
    lost.emplace_back("names of vertices stand in comments only: other programs see 1, 2, …");
  if (!columns.empty() && !holds_columns(format)) {
    std::string list;
    for (const ResultColumn& column : columns.columns())
      list += (list.empty() ? "" : ", ") + column.name;
    lost.push_back("what is known of the vertices is left out: " + list);
  }
  if (format == GraphFormat::gml || format == GraphFormat::dot) {
    const std::vector<std::string> words = detail::plain_words(columns);
    std::string renamed;
    for (std::size_t i = 0; i < words.size(); ++i)
      if (words[i] != columns.columns()[i].name)
        renamed +=
            (renamed.empty() ? "'" : ", '") + columns.columns()[i].name + "' is called " + words[i];
    if (!renamed.empty())
      lost.push_back((format == GraphFormat::gml ? "keys of GML" : "attributes of DOT") +
                     std::string(" are letters, digits and '_': column ") + renamed);
  }
  return lost;
}

}  // namespace gssl
