#pragma once
// One function for each format that holds columns, and what they share. Each returns the number of
// characters replaced.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "gssl/io/graph_writer.hpp"

namespace gssl::detail {

std::int64_t write_graphml(OutputFile& out, const Graph& graph, const VertexNames& names,
                           const ResultColumns& columns);
std::int64_t write_dot(OutputFile& out, const Graph& graph, const VertexNames& names,
                       const ResultColumns& columns);
std::int64_t write_gexf(OutputFile& out, const Graph& graph, const VertexNames& names,
                        const ResultColumns& columns);
std::int64_t write_gml(OutputFile& out, const Graph& graph, const VertexNames& names,
                       const ResultColumns& columns);

// Red, green and blue of class k, eight that are told apart by eyes that see few colors (Okabe and
// Ito, Color Universal Design, 2008); gray for none.
struct Color {
  int red, green, blue;
  std::string hexadecimal() const;  // "#0072b2"
};
Color class_color(int k);

// The choice that colors the vertices: "class", "cluster" or "side"; null if none is there.
const ResultColumn::Choice* coloring(const ResultColumns& columns);

// Names of columns that are words of letters, digits and underscores, all different.
std::vector<std::string> plain_words(const ResultColumns& columns);

// `text` with U+FFFD for what is no UTF-8 and for control characters; counts them.
std::string clean_text(std::string_view text, std::int64_t& replaced);

}  // namespace gssl::detail
