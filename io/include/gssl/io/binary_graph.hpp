#pragma once
// The binary graph file, .gssl: a graph with its names as the arrays that the library works on, so
// that to open it is to map it into memory.
//
//   gssl::OutputFile out("web.gssl");
//   gssl::write_binary_graph(out, graph, names);
//   out.commit();
//   const gssl::BinaryGraph file = gssl::BinaryGraph::open("web.gssl");   // below a millisecond
//   file.facts().vertices;   file.names().find("alice");
//   gssl::Graph graph = file.graph(run);                    // over the mapped rows, checked
//
// Layout, in the byte order of the machine that wrote it:
//   4 KiB      header: mark, byte order, version, sizes, counts of what was dropped and merged when
//              the file was made, and a table of sections; its last 4 bytes are its CRC-32C
//   sections   arrays, each at a multiple of 4096 bytes: offsets (int64 × (n + 1)) and neighbors
//              (int32 × arcs), or compressed rows with their anchors (compressed_graph.hpp); weights
//              (absent where all are 1; float64; in compressed files float32 if each is one
//              exactly); names (none if v is called first + v; uint64; or text) with a hash table
//   last       CRC-32C of each 2^20 bytes of each section
// Bytes: 8 a vertex and 4 an arc, 12 with weights; names 14 a vertex for numbers. Compressed: 1 to 3
// an arc and 2.4 a vertex.
//
// Who trusts what. open() believes nothing: mark, byte order, version, checksum of the header,
// length, sections within the file, and the checksum of the checksums are compared; some 20 µs.
// check(), which graph() and compressed() call once, compares every block's checksum and that every
// offset, vertex and weight is in range, in one pass on all threads: a quarter of the time of one
// product with the matrix, a fiftieth of reading the text. So no index that a damaged file holds is
// used. verify() compares every rule of Graph as well; converting does that, and `gssl info
// --verify`. What is refused is ErrorCode::bad_data "FILE: found; expected; remedy".
//
// A file that becomes shorter while it is mapped: until check() is over, ErrorCode::io_failure in
// programs that handle SIGBUS as input_file.hpp says; later the program must end, for which
// is_input_in_use() tells such an address. Files are never changed in place by gssl: a new one takes
// the old one's name.

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "gssl/core/run_context.hpp"
#include "gssl/graph/compressed_graph.hpp"
#include "gssl/graph/graph.hpp"
#include "gssl/graph/vertex_names.hpp"
#include "gssl/io/graph_reader.hpp"
#include "gssl/io/output_file.hpp"

namespace gssl {

struct BinaryWriteOptions {
  bool compress = false;  // gaps in place of neighbors, and floats in place of exact weights
};

// `stats` is what reading the graph dropped and merged, to be told again by those who read the file.
// Throws ErrorCode::usage unless there is a name for each vertex, and ErrorCode::cannot_create for
// an output that is no file: the header is written last. O(n + m).
void write_binary_graph(OutputFile& out, const Graph& graph, const VertexNames& names,
                        const BinaryWriteOptions& options = {}, const InputStats& stats = {});

// What the header says.
struct BinaryGraphFacts {
  VertexId vertices = 0;
  EdgeIndex edges = 0;
  VertexId isolated = 0;
  EdgeIndex degree_min = 0;
  EdgeIndex degree_max = 0;
  bool compressed = false;
  std::string weights;  // "unit", "float64", "float32"
  double weight_min = 1.0;
  double weight_max = 1.0;
  std::string names;    // "numbered", "numbers", "text"
  std::string version;  // of the format, "1.0"
  std::string writer;   // the version of gssl that wrote it
};

class BinaryGraph {
 public:
  // Throws ErrorCode::cannot_open, ErrorCode::io_failure and ErrorCode::bad_data. O(1).
  static BinaryGraph open(const std::string& path);
  // Of a copy of the bytes; `name` is for messages.
  static BinaryGraph from_memory(std::string_view bytes, std::string name);

  const BinaryGraphFacts& facts() const;
  InputStats stats() const;   // crc32 is that of the header, which covers the checksums of all else
  VertexNames names() const;  // looked up in the file

  // Throws ErrorCode::bad_data; once it did not, calls return at once. O(bytes).
  void check(const RunContext& run = {}) const;
  // The same and that rows are ascending without self-loops, that both rows of an edge hold it with
  // one weight (by sums of hashes), and that each name is found. O(bytes).
  void verify(const RunContext& run = {}) const;

  // Plain rows where they are in the file, compressed ones expanded. Calls check().
  Graph graph(const RunContext& run = {}) const;
  // Nothing unless facts().compressed. Calls check().
  std::optional<CompressedGraph> compressed(const RunContext& run = {}) const;

  // All as read_graph() gives it.
  GraphFile read(const RunContext& run = {}) const;

 private:
  class Opened;
  explicit BinaryGraph(std::shared_ptr<const Opened> opened) : opened_(std::move(opened)) {}
  std::shared_ptr<const Opened> opened_;
};

// Whether these bytes, or the regular file at `path`, begin as a binary graph does. False where the
// file cannot be read.
bool starts_as_binary_graph(std::string_view bytes);
bool is_binary_graph(const std::string& path);
// The same, unless another format is told; as read_graph() decides. Throws ErrorCode::usage if it is
// one and options say how an edge list is written.
bool is_binary_graph(const std::string& path, const ReadOptions& options);

}  // namespace gssl
