#pragma once
// What the fuzzers run on one input; the ordinary tests replay the corpus through the same
// functions. Any outcome but a graph, labels, points or a gssl::Error of the input's fault is a bug
// and throws.

#include <string_view>

namespace gssl::fuzz {

// By content, and as every format of graphs that is read.
void graph_bytes(std::string_view bytes);
// A binary graph, as it is and with its checksums made right.
void binary_graph_bytes(std::string_view bytes);
void label_bytes(std::string_view bytes);
void points_bytes(std::string_view bytes);
void table_bytes(std::string_view bytes);  // with every separator and decimal mark told
// A zip archive of arrays, as points, as points with labels, and as labels.
void npz_bytes(std::string_view bytes);
// gzip, zstd, xz and bzip2, whatever the magic says; what unpacks is read as packed text again.
void stream_bytes(std::string_view bytes);

}  // namespace gssl::fuzz
