#pragma once
// A graph to a file: edge list ("u v weight" with a header, each edge once, in vertex order),
// Matrix Market (symmetric coordinate, lower triangle), METIS or binary (binary_graph.hpp). write → read gives the same graph.
//
// An edge list has no room for isolated vertices, and its readers number vertices by first
// appearance. So a vertex that would be lost, or would appear out of turn, is announced by a
// comment line
// "#gssl-vertex<TAB>NAME", which our reader honours and others skip. Ids that hold the separator, a
// quote, a blank at either end or a comment sign in front are quoted, with quotes doubled; an id
// with a line end is ErrorCode::bad_data.
//
// Matrix Market and METIS number vertices from 1. Where that is not their names, a comment line
// "%gssl-vertex<TAB>NAME" for each vertex, in order and before the line of sizes, keeps them; in
// NAME a backslash, a control character and a blank at either end are written as \xHH.
//
// GraphML, GEXF, GML and DOT hold what is known of the vertices beside them, for networkx, igraph,
// Gephi, Cytoscape, yEd and Graphviz: write_graph_with_columns(). Vertices are nodes n0, n1, … with
// the attributes name and label, which are their ids as strings (DOT: the node is called by its id);
// edges have the attribute weight unless all are 1. Where columns x and y are there, they are places
// in the square from 0 to 1000, and GEXF and DOT are told so in their own words; the choice "class",
// else "cluster", else "side" decides the color. GraphML and DOT are written by the Boost Graph Library.
//
//   gssl::OutputFile out("graph.mtx");
//   gssl::write_graph(out, graph, names, gssl::GraphFormat::matrix_market);
//   out.commit();

#include "gssl/io/graph_reader.hpp"
#include "gssl/io/output_file.hpp"
#include "gssl/io/result_columns.hpp"
#include "gssl/io/table_writer.hpp"

namespace gssl {

// METIS takes integer weights only: ErrorCode::bad_data otherwise. Returns the number of isolated
// vertices. `table` picks TSV or CSV for edge lists.
std::int64_t write_graph(OutputFile& out, const Graph& graph, const VertexNames& names,
                         GraphFormat format, TableFormat table = TableFormat::tsv);

// Whether the format is written, and whether it has room for columns.
bool can_write(GraphFormat format);
bool holds_columns(GraphFormat format);

// By extension (".graphml", in small letters); automatic if no format that is written has it.
GraphFormat written_format(const std::string& extension);

// Precondition: holds_columns(format), and columns and names for the vertices of the graph. Returns
// the number of characters that the format cannot hold and that are U+FFFD instead: control
// characters and bytes that are no UTF-8; in DOT also backslashes before a quote or an end.
std::int64_t write_graph_with_columns(OutputFile& out, const Graph& graph, const VertexNames& names,
                                      const ResultColumns& columns, GraphFormat format);

// What the file will not hold of this graph, a sentence each: "42 isolated vertices stand in
// comments only", "names stand in comments only", "the columns class and status are left out".
std::vector<std::string> losses(const Graph& graph, const VertexNames& names,
                                const ResultColumns& columns, GraphFormat format);

}  // namespace gssl
