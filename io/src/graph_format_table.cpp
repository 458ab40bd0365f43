#include "graph_format_table.hpp"

#include <algorithm>

#include "fields.hpp"
#include "foreign_files.hpp"
#include "graph_sniffing.hpp"
#include "gssl/core/error.hpp"
#include "gssl/io/binary_graph.hpp"

namespace gssl::detail {
namespace {

constexpr std::array formats = {
    GraphFormatEntry{GraphFormat::edge_list, "edge-list", {}, nullptr, read_edge_list, true},
    GraphFormatEntry{GraphFormat::matrix_market,
                     "matrix-market",
                     {".mtx"},
                     is_matrix_market,
                     read_matrix_market,
                     true},
    GraphFormatEntry{GraphFormat::metis, "metis", {".graph", ".metis"}, nullptr, read_metis},
    GraphFormatEntry{
        GraphFormat::binary, "binary", {".gssl"}, starts_as_binary_graph, read_binary_graph},
    GraphFormatEntry{GraphFormat::graphml, "graphml", {".graphml"}, is_graphml, read_graphml},
    GraphFormatEntry{GraphFormat::gexf, "gexf", {".gexf"}, is_gexf, read_gexf},
    GraphFormatEntry{GraphFormat::gml, "gml", {".gml"}, is_gml, read_gml},
    GraphFormatEntry{GraphFormat::pajek, "pajek", {".net", ".paj"}, is_pajek, read_pajek},
    GraphFormatEntry{
        GraphFormat::dimacs, "dimacs", {".dimacs", ".col", ".max"}, is_dimacs, read_dimacs},
    GraphFormatEntry{GraphFormat::dot, "dot", {".dot", ".gv"}, is_dot, read_dot},
    GraphFormatEntry{GraphFormat::galois, "galois", {".gr"}, is_galois, read_galois},
    GraphFormatEntry{GraphFormat::npz, "npz", {}, is_sparse_npz, read_sparse_npz},
    GraphFormatEntry{GraphFormat::triples, "triples", {".nt"}, is_n_triples, read_triples},
    GraphFormatEntry{GraphFormat::ogb, "ogb", {}, nullptr, nullptr},
};

bool has_extension(std::string_view path, std::string_view extension) {
  return path.size() > extension.size() &&
         equal_ignoring_case(path.substr(path.size() - extension.size()), extension);
}

// WebGraph's graphs have the extension of METIS, and are bits.
void refuse_webgraph(std::string_view text, std::string_view path) {
  constexpr std::size_t looked_at = 4096;
  if (!is_binary(text.substr(0, looked_at))) return;
  throw Error(ErrorCode::bad_data,
              std::string(path) +
                  ": is binary, as graphs of WebGraph (BVGraph) are; expected a METIS file; write "
                  "its arcs with 'java it.unimi.dsi.webgraph.ArcListASCIIGraph -g BVGraph BASENAME "
                  "edges.txt'");
}

}  // namespace

std::span<const GraphFormatEntry> graph_format_table() { return formats; }

const GraphFormatEntry& entry_of(GraphFormat format) {
  const auto* found = std::ranges::find(formats, format, &GraphFormatEntry::format);
  GSSL_ASSERT(found != formats.end());
  return *found;
}

const GraphFormatEntry& sniff_graph_format(std::string_view text, std::string_view path) {
  for (const GraphFormatEntry& entry : formats) {
    if (entry.looks_like != nullptr && entry.looks_like(text)) return entry;
  }
  refuse_foreign(text, std::string(path), Wanted::graph);
  for (const std::string_view packed : {".gz", ".zst", ".xz", ".bz2"}) {
    if (has_extension(path, packed)) path.remove_suffix(packed.size());
  }
  for (const GraphFormatEntry& entry : formats) {
    for (const std::string_view extension : entry.extensions) {
      if (extension.empty() || !has_extension(path, extension)) continue;
      if (entry.format == GraphFormat::metis) refuse_webgraph(text, path);
      return entry;
    }
  }
  return entry_of(GraphFormat::edge_list);
}

}  // namespace gssl::detail
