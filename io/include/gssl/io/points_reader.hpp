#pragma once
// Any table of feature vectors to Points: sniffed by content, decompressed on the way.
//
//   gssl::PointsFile file = gssl::read_points("iris.csv", {.label_column = "class"}, run);
//   file.points;  file.names;  file.labels;
//   gssl::read_points("train.npz:X", {.label_column = "y"}, run);
//
// Formats:
//   table   a row a line, numbers by commas, tabs, semicolons or blanks, with a decimal point or
//           comma, as the first lines together tell or TableOptions says; "quoted fields" with
//           doubled quotes; # and % comment lines. One column may hold labels and one ids, told by
//           its name in the header or by its number from 1. The first line is a header if none of
//           its features is a number, or a column is told by name. Doubles.
//   npy     NumPy, versions 1 to 3: floats of 2, 4 and 8 bytes, integers and booleans, either byte
//           order, C or Fortran order. A second and further axes are columns; one axis, one column.
//   npz     NumPy, stored or deflated: the array X, or else the first; "FILE.npz:NAME" takes NAME.
//           The label column is the name of another array, a number or text for each row. A
//           sparse matrix that SciPy saved (csr, csc, coo, bsr) is sparse rows of doubles.
//   libsvm  "label index:value …", indices from 1 and ascending; the labels may be missing
//           altogether. Sparse rows, but dense ones where these take no more memory. Doubles.
//   idx     as MNIST has it: bytes, integers or floats, big-endian. Further axes are columns.
// Binary numbers of up to 2 bytes and floats of 4 become floats, which is exact; all others the
// nearest doubles. gzip and zstd by their magic number, also on pipes; "-" is standard input.
//
// Rows are named by the id column or by their number from 0. Every value must be finite. Throws
// ErrorCode::cannot_open, ErrorCode::io_failure (read error), ErrorCode::usage (a column asked of a
// format that has none) and ErrorCode::bad_data as "FILE:LINE: found; expected; how to fix",
// without a line where the format has none; so for packed data that is damaged or ends early, and
// for files of other kinds (Parquet, HDF5, xz, …), which are named. Memory: the text and twice the
// values.

#include <functional>
#include <string>
#include <vector>

#include "gssl/core/named.hpp"
#include "gssl/data/points.hpp"
#include "gssl/graph/vertex_names.hpp"
#include "gssl/io/graph_reader.hpp"
#include "gssl/io/missing_labels.hpp"
#include "gssl/io/table_options.hpp"

namespace gssl {

enum class PointsFormat { automatic, table, npy, npz, libsvm, idx };
template <>
inline constexpr auto names_of<PointsFormat> = enum_names<PointsFormat>(
    "points format", {"automatic", "table", "npy", "npz", "libsvm", "idx"});

// "table", "npy", …; parse throws ErrorCode::usage.
std::string_view to_string(PointsFormat format);
PointsFormat parse_points_format(const std::string& name);

enum class TableHeader { automatic, yes, no };
template <>
inline constexpr auto names_of<TableHeader> = enum_names<TableHeader>("header",
                                                                      {"automatic", "yes", "no"});
TableHeader parse_table_header(const std::string& name);  // automatic|yes|no

struct PointsReadOptions {
  PointsFormat format = PointsFormat::automatic;
  TableHeader header = TableHeader::automatic;
  std::string label_column =
      {};                      // name or number from 1; for npz the name of an array; empty: none
  std::string id_column = {};  // name or number from 1, tables only; empty: none
  MissingMarks missing = {};   // labels that say there is none
  // Of points like others that were read: a file with as many feature columns need not have the
  // label column. −1: not known.
  std::int64_t feature_columns = -1;
  bool label_optional = false;  // a table without that column has no labels
  TableOptions table = {};      // of a table; ErrorCode::usage with other formats
  // Of a table: sees the fields of the first line, which may be a header, and may then change
  // label_column and id_column.
  std::function<void(const std::vector<std::string>& fields, PointsReadOptions& options)> adapt =
      {};
};

struct PointsFile {
  Points points;
  VertexNames names;  // of rows
  // Of rows, as written, "" where a row has none; empty if there are no labels at all.
  std::vector<std::string> labels;
  MissingCount missing;                   // of the rows that have none
  std::vector<std::string> column_names;  // of the features, if a header has them
  InputStats stats;                       // no edges
};

// The file that is opened for `path`: without ":NAME" if it has one.
std::string points_file_path(const std::string& path);

PointsFile read_points(const std::string& path, const PointsReadOptions& options = {},
                       const RunContext& run = {});

}  // namespace gssl
