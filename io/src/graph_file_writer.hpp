#pragma once
// The sections of a binary graph file from rows that come in order, so that they need not all be in
// memory together.
//
//   GraphFileWriter file(out, {.compress = true});
//   file.add_rows(offsets, neighbors);                   // any number of times
//   file.finish(all_offsets, weights, names, stats);

#include <cstdint>
#include <functional>
#include <span>

#include "gssl/graph/compressed_graph.hpp"
#include "gssl/io/binary_graph.hpp"
#include "section_writer.hpp"

namespace gssl::detail {

// What decides how weights are stored.
struct WeightTally {
  bool unit = true;    // all are 1
  bool floats = true;  // each is a float exactly
  double min = 1.0;
  double max = 1.0;
  bool empty = true;

  void add(std::span<const double> weights);
};

// The weights of all arcs in order, piece by piece.
struct WeightSource {
  WeightTally tally;
  std::function<void(const std::function<void(std::span<const double>)>&)> visit;
};

class GraphFileWriter {
 public:
  GraphFileWriter(OutputFile& out, const BinaryWriteOptions& options);

  // Rows that follow those before: row r is neighbors[offsets[r] − offsets[0] …).
  void add_rows(std::span<const EdgeIndex> offsets, std::span<const VertexId> neighbors);

  // `offsets` are those of all rows.
  void finish(std::span<const EdgeIndex> offsets, const WeightSource& weights,
              const VertexNames& names, const InputStats& stats);

 private:
  void write_weights(const WeightSource& weights);
  void write_names(const VertexNames& names, BinaryHeader& header);

  SectionWriter file_;
  bool compress_;
  RowCompressor rows_;
};

}  // namespace gssl::detail
