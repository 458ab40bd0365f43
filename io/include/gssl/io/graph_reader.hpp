#pragma once
// Any graph file to a Graph with names: sniffed by content, decompressed on the way.
//
//   gssl::GraphFile file = gssl::read_graph("edges.txt.gz", {}, run);
//   file.graph;  file.names;  file.stats.duplicates_merged;
//
// Formats:
//   edge list      "u v [w]" by blanks, tabs, commas or semicolons, with a decimal point or comma,
//                  as the first 100 lines together tell or TableOptions says; "quoted ids" with
//                  doubled quotes; # and % comment lines; optional header (two words such as
//                  "source target", or a third field that is a word above a column of numbers). All
//                  lines have the same number of fields. An edge of weight 0 is no edge, but names
//                  its vertices. A comment "#gssl-vertex<TAB>NAME", as our writer makes it, names a
//                  vertex. A first line "% bip …", "% asym …" or "% sym …" (KONECT) is obeyed: two
//                  kinds of vertices, arcs, edges; a fourth column, the time, is passed over.
//   Matrix Market  coordinate; real, integer, pattern; symmetric or general; by its banner or .mtx
//                  Comments "%gssl-vertex<TAB>NAME" before the size line, as our writer makes
//                  them, name the vertices in order; else they are called 1 … n.
//   METIS          by the extension .graph or .metis (before .gz, .zst, .xz, .bz2) or by
//                  ReadOptions::format only: its content looks like an edge list. Edge weights may
//                  be any numbers > 0; names as in Matrix Market.
//   GraphML, GEXF, GML, DOT   nodes by name, else by label, else by id (DOT: by id); edges by their
//                  attribute weight, else 1. Nested graphs are one graph.
//   Pajek          .net: vertices by the names of their lines; *Arcs, *Edges, lists and matrices.
//   DIMACS         p max, p edge, p col and p sp; the terminals of p max are GraphFile::sources
//                  and sinks.
//   Galois         binary .gr, versions 1 and 2; vertices 0, 1, ….
//   SciPy .npz     sparse matrices csr, csc, coo and bsr; square unless `bipartite`; 0, 1, ….
//   triples        N-Triples, or "subject predicate object" where format says so.
//   OGB            the folder of a node-property set of the Open Graph Benchmark, with
//                  raw/edge.csv.gz; vertices 0, 1, ….
//   binary         by its mark; mapped, checked and used where it is: see binary_graph.hpp
// Content decides, then the extension; ReadOptions::format overrides both. A number of vertices
// that a head declares is believed up to 16 for each byte of the file, or 2^20. Where the file says
// that its edges are arcs, InputStats::notes says that they are taken as edges.
// gzip, zstd, xz and bzip2 by their magic number, also on pipes; "-" is standard input. A plain
// file is memory-mapped and its pages are let go as they are used; anything else is held as text while it
// is parsed. Edge lists and Matrix Market are walked once, and their edges are kept as pairs of
// vertices (8 bytes, 16 if weighted) until their rows are laid out; METIS is walked twice.
// The peak is below 3 times graph and names where edges stand once or in both directions. Vertices
// are numbered by first appearance (edge list) or by index (the others). Throws
// ErrorCode::cannot_open, ErrorCode::io_failure (read error) and ErrorCode::bad_data (as
// "FILE:LINE: found; expected; how to fix"; packed data that is damaged or ends early).

#include <cstdint>
#include <string>
#include <vector>

#include "gssl/core/run_context.hpp"
#include "gssl/graph/graph.hpp"
#include "gssl/graph/graph_builder.hpp"
#include "gssl/graph/vertex_names.hpp"
#include "gssl/io/table_options.hpp"

namespace gssl {

enum class GraphFormat {
  automatic,
  edge_list,
  matrix_market,
  metis,
  binary,
  graphml,
  gexf,
  gml,
  pajek,
  dimacs,
  dot,
  galois,
  npz,
  triples,
  ogb
};

// "edge-list", "matrix-market", …, "automatic"; parse throws ErrorCode::usage.
const char* to_string(GraphFormat format);
std::vector<std::string> graph_format_names();  // those that are read, "automatic" first
GraphFormat parse_graph_format(const std::string& name);
DuplicatePolicy parse_duplicate_policy(const std::string& name);  // sum|max|first|error
OppositeArcs parse_opposite_arcs(const std::string& name);        // sum|max|mean|error

// Edges may be of several layers: kinds of relations, predicates. The weight of an edge is
// multiplied by that of its layer; 0 leaves the layer out.
struct LayerWeight {
  std::string layer;
  double weight = 1.0;
};
// "cites=1,knows=0.3"; throws ErrorCode::usage.
std::vector<LayerWeight> parse_layer_weights(const std::string& text);

struct ReadOptions {
  GraphFormat format = GraphFormat::automatic;
  DuplicatePolicy duplicates = DuplicatePolicy::sum;
  OppositeArcs opposite = OppositeArcs::automatic;
  // The two columns of an edge list, or the rows and columns of a matrix, are vertices of two kinds
  // with ids of their own: "u:ID" and "v:ID". So with the KONECT header "% bip". A matrix may then
  // be rectangular. ErrorCode::usage with METIS.
  bool bipartite = false;
  TableOptions table = {};  // of an edge list; ErrorCode::usage with other formats
  // The last column of an edge list of 3 or 4, the sections of Pajek and the predicates of triples
  // are layers with these weights; one without a weight is ErrorCode::bad_data with the names of
  // all. ErrorCode::usage with other formats. Empty: an edge list has no layers, and elsewhere all
  // weigh 1.
  std::vector<LayerWeight> layers = {};
};

// What was read and what was dropped or merged: nothing is repaired in silence.
struct InputStats {
  std::string path;
  std::string format;       // "edge-list", …
  std::string compression;  // "none", "gzip", "zstd", "xz", "bzip2"
  std::int64_t bytes = 0;   // as stored
  std::int64_t lines = 0;   // of text
  std::string crc32;        // of the stored bytes, 8 hex digits
  bool of_edges = false;    // whether the file holds edges, so that the counts below are of it
  std::int64_t edges_given = 0;
  std::int64_t self_loops_dropped = 0;
  std::int64_t duplicates_merged = 0;
  std::int64_t reversed_merged = 0;
  std::int64_t opposite_differ =
      0;  // of these, edges whose two directions have weights of their own
  std::int64_t zero_weights_dropped = 0;
  bool names_given = true;         // not so where vertices are called 1 … n by their place
  std::vector<std::string> notes;  // how the file says itself that it is to be taken
};

struct GraphFile {
  Graph graph;
  VertexNames names;
  InputStats stats;
  std::vector<VertexId> sources = {};  // terminals that a DIMACS file of maximum flow names
  std::vector<VertexId> sinks = {};
};

// `path` may be a folder of the Open Graph Benchmark.
GraphFile read_graph(const std::string& path, const ReadOptions& options = {},
                     const RunContext& run = {});

}  // namespace gssl
