#pragma once
// Graph formats told by how their files begin. Each looks at the first 4096 bytes, but for zip
// archives, whose table of contents stands at their end.

#include <string_view>

namespace gssl::detail {

bool is_matrix_market(std::string_view text);  // its banner
bool is_graphml(std::string_view text);        // <graphml
bool is_gexf(std::string_view text);           // <gexf
bool is_gml(std::string_view text);            // graph [
bool is_pajek(std::string_view text);          // *Vertices
bool is_dimacs(std::string_view text);         // p KIND VERTICES EDGES
bool is_dot(std::string_view text);            // graph {, digraph NAME {
bool is_galois(std::string_view text);         // a version and sizes that fit the file
bool is_sparse_npz(std::string_view text);     // arrays format and shape
bool is_n_triples(std::string_view text);      // <s> <p> <o> .

}  // namespace gssl::detail
