#pragma once
// Cells of a matrix: lines "row column value", as ratings are kept.
//
//   gssl::CellFile file = gssl::read_cells("ratings.csv");
//   file.row[i];  file.rows.name(file.row[i]);
//   gssl::CellPairFile asked = gssl::read_cell_pairs("ask.tsv", file.rows, file.columns);
//
// The syntax rules of an edge list: blanks, tabs, commas or semicolons, comment lines, quoted ids,
// gzip, zstd, "-". Rows and columns are numbered by first appearance, apart from each other: row 7
// and column 7 have nothing in common. Fields after the third (the time of a rating) are not read.
// A first line whose third field is no number is a header.

#include <cstdint>
#include <string>
#include <vector>

#include "gssl/core/run_context.hpp"
#include "gssl/graph/vertex_names.hpp"
#include "gssl/io/graph_reader.hpp"

namespace gssl {

struct CellFile {
  VertexNames rows;
  VertexNames columns;
  // Of each cell, in file order.
  std::vector<VertexId> row;
  std::vector<VertexId> column;
  std::vector<double> value;
  std::int64_t duplicates_merged = 0;  // lines that gave a cell again, with the same value
  InputStats stats;
};

// Throws ErrorCode::bad_data "FILE:LINE: …" on a line of fewer than three fields, a value that is
// not a finite number, and a cell that has two values; ErrorCode::cannot_open and
// ErrorCode::io_failure; and as RunContext::throw_if_stopped().
CellFile read_cells(const std::string& path, const RunContext& run = {});

struct CellPairFile {
  std::vector<VertexId> row;
  std::vector<VertexId> column;
  InputStats stats;
};

// Lines "row column" (more is not read) of rows and columns that are known; a first line of two
// unknown names is a header. Throws as above, and ErrorCode::bad_data on an unknown name.
CellPairFile read_cell_pairs(const std::string& path, const VertexNames& rows,
                             const VertexNames& columns, const RunContext& run = {});

}  // namespace gssl
