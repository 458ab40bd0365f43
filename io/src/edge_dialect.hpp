#pragma once
// How the lines of one edge list are written, told by its first lines.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fields.hpp"
#include "gssl/io/graph_reader.hpp"
#include "layer_table.hpp"

namespace gssl::detail {

struct Dialect {
  Separator separator = Separator::blanks;
  char decimal = '.';
  std::size_t fields = 2;  // of every data line
  std::size_t u = 0;       // which of them these are, from 0
  std::size_t v = 1;
  std::optional<std::size_t> weight = {};
  std::optional<std::size_t> layer = {};  // multiplied in by what `layers` says
  LayerTable* layers = nullptr;           // not owned
  bool fits = true;                       // the first data line has the fields wanted
  bool plain = true;  // "u v" or "u v weight" and nothing else: the fast ways may be tried
  bool columns_told = false;
  bool bipartite = false;
  bool properties = false;      // lines end as networkx writes them: u v {'weight': 2.0}
  std::int64_t first_line = 0;  // the first data line; the header if there is one
  bool header = false;
  bool doubtful_header = false;  // its words could be ids: "u v", or "a b 1O" before "b c 2"
  std::array<std::string, 2> header_words;
  std::string header_note;  // to be said if it stands; empty where its words alone make it one
  // What the second line of a KONECT file says, and the reader checks: lines of edges, vertices.
  std::optional<std::int64_t> promised_edges = {};
  std::optional<std::int64_t> promised_vertices = {};
};

// The part of a line "u v {…}" before its properties; all of it where it has none.
std::string_view before_properties(std::string_view line);

// `text` starts after the lines that are to be skipped. What a KONECT header says is obeyed and
// added to `notes`. Throws as sniff_table(), and ErrorCode::usage if --columns are not 2 or 3.
Dialect sniff_dialect(std::string_view text, const std::string& file, const ReadOptions& read,
                      std::vector<std::string>& notes);

}  // namespace gssl::detail
