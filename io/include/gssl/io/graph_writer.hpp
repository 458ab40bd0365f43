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
//   gssl::OutputFile out("graph.mtx");
//   gssl::write_graph(out, graph, names, gssl::GraphFormat::matrix_market);
//   out.commit();

#include "gssl/io/graph_reader.hpp"
#include "gssl/io/output_file.hpp"
#include "gssl/io/table_writer.hpp"

namespace gssl {

// METIS takes integer weights only: ErrorCode::bad_data otherwise. Returns the number of isolated
// vertices. `table` picks TSV or CSV for edge lists.
std::int64_t write_graph(OutputFile& out, const Graph& graph, const VertexNames& names,
                         GraphFormat format, TableFormat table = TableFormat::tsv);

}  // namespace gssl
