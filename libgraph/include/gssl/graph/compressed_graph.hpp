#pragma once
// A graph whose rows are kept as gaps: 1 to 3 bytes an arc where Graph takes 4, and 2.4 bytes a
// vertex where it takes 8.
//
// A row is a string of numbers of 7 bits a byte, the last byte below 128: its degree, the
// first neighbor less the row's own vertex (zigzag: 0, −1, 1, −2 … as 0, 1, 2, 3 …), and for each
// further neighbor its distance to the one before less 1. Neighbors near each other take 1 byte,
// so vertices should be numbered by place or by first appearance along the edges. To walk a row
// costs 0.3 ns an arc at 1 byte an arc to 2 ns at 3 (a product with plain rows: 1.2 ns an arc).
//
// For work that sweeps over rows: components, degrees, label propagation. What factors, eliminates
// or samples takes expand(), a Graph of 8 bytes a vertex and 4 an arc.
//
//   const gssl::CompressedGraph small = gssl::CompressedGraph::of(graph);
//   small.visit_row(u, [&](VertexId v, double w) { ... });
//   gssl::Components c = gssl::connected_components(small);
//
// Weights stand in the order of the arcs, as doubles, as floats, or not at all (all 1). The arrays
// are held by a shared owner, as those of Graph: a copy is O(1).

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "gssl/core/run_context.hpp"
#include "gssl/graph/components.hpp"
#include "gssl/graph/graph.hpp"

namespace gssl {

// Where 64 rows begin: the byte and the arc of the first. Where they take 2^16 bytes or more,
// `byte` is the place of their first start in `far`, with the top bit set.
struct RowAnchor {
  std::uint64_t byte = 0;
  std::uint64_t arc = 0;
};

// The arrays of a compressed graph, wherever they are held.
struct CompressedRows {
  VertexId vertex_count = 0;
  EdgeIndex arc_count = 0;
  std::span<const std::uint8_t> bytes;
  std::span<const RowAnchor> anchors;   // one for each 64 rows begun
  std::span<const std::uint16_t> near;  // of each row: its byte less that of its anchor
  std::span<const std::uint64_t> far;   // of each row of the long groups: its byte
  std::span<const double> weights;      // of each arc; empty where floats are given, or all are 1
  std::span<const float> float_weights;
};

class CompressedGraph {
 public:
  static constexpr VertexId rows_per_anchor = 64;

  CompressedGraph() = default;

  // Arrays that `owner` holds and that never change. Throws ErrorCode::bad_data "rows: …" if one
  // does not fit the others, a row does not end where the next begins, or its neighbors are not
  // ascending vertices other than its own. O(bytes), on the threads of `run`. That both rows of
  // an edge name it is not checked.
  CompressedGraph(std::shared_ptr<const void> owner, const CompressedRows& rows,
                  const RunContext& run = {});

  // Weights as floats where each is one exactly. O(n + m).
  static CompressedGraph of(const Graph& graph);

  VertexId vertex_count() const { return rows_.vertex_count; }
  EdgeIndex edge_count() const { return rows_.arc_count / 2; }
  bool has_unit_weights() const { return rows_.weights.empty() && rows_.float_weights.empty(); }
  const CompressedRows& rows() const { return rows_; }
  std::size_t memory_bytes() const;

  // O(1).
  EdgeIndex degree(VertexId v) const {
    const std::uint8_t* at = row_bytes(v);
    return static_cast<EdgeIndex>(take_number(at));
  }

  // Calls body(neighbor, weight) along row v. O(degree), and with weights the degrees of up to 63
  // rows before it; sweep() takes rows in order and is spared that.
  template <class Body>
  void visit_row(VertexId v, Body&& body) const {
    decode(v, has_unit_weights() ? 0 : first_arc(v), body);
  }

  // Calls row(v, visit) for v = first … last − 1, where visit(body) calls body(neighbor, weight).
  template <class Row>
  void sweep(VertexId first, VertexId last, Row&& row) const {
    if (first >= last) return;
    EdgeIndex arc = has_unit_weights() ? 0 : first_arc(first);
    for (VertexId v = first; v < last; ++v) {
      row(v, [&](auto&& body) { decode(v, arc, body); });
      if (!has_unit_weights()) arc += degree(v);
    }
  }

  // The same graph in plain rows. O(n + m).
  Graph expand(const RunContext& run = {}) const;

 private:
  static std::uint64_t take_number(const std::uint8_t*& at) {
    std::uint64_t value = *at & 127U;
    for (unsigned shift = 7; (*at++ & 128U) != 0; shift += 7)
      value |= static_cast<std::uint64_t>(*at & 127U) << shift;
    return value;
  }

  const std::uint8_t* row_bytes(VertexId v) const {
    constexpr std::uint64_t top = std::uint64_t{1} << 63;
    const auto row = static_cast<std::size_t>(v);
    const std::uint64_t anchor = rows_.anchors[row / rows_per_anchor].byte;
    const std::uint64_t byte = (anchor & top) == 0
                                   ? anchor + rows_.near[row]
                                   : rows_.far[(anchor & ~top) + row % rows_per_anchor];
    return rows_.bytes.data() + byte;
  }

  EdgeIndex first_arc(VertexId v) const {
    EdgeIndex arc =
        static_cast<EdgeIndex>(rows_.anchors[static_cast<std::size_t>(v / rows_per_anchor)].arc);
    for (VertexId u = v / rows_per_anchor * rows_per_anchor; u < v; ++u) arc += degree(u);
    return arc;
  }

  double weight_at(EdgeIndex arc) const {
    const auto at = static_cast<std::size_t>(arc);
    if (!rows_.float_weights.empty()) return rows_.float_weights[at];
    return rows_.weights.empty() ? 1.0 : rows_.weights[at];
  }

  template <class Body>
  void decode(VertexId v, EdgeIndex arc, Body&& body) const {
    const std::uint8_t* at = row_bytes(v);
    std::uint64_t left = take_number(at);
    if (left == 0) return;
    const std::uint64_t zigzag = take_number(at);
    const auto step =
        static_cast<std::int64_t>(zigzag >> 1U) ^ -static_cast<std::int64_t>(zigzag & 1U);
    auto u = static_cast<VertexId>(v + step);
    body(u, weight_at(arc));
    while (--left > 0) {
      u += static_cast<VertexId>(take_number(at)) + 1;
      body(u, weight_at(++arc));
    }
  }

  void check(const RunContext& run) const;
  void check_group(std::size_t group) const;

  CompressedRows rows_;
  std::shared_ptr<const void> owner_;
};

// By sweeps that hand the smaller label on, with pointers followed to their end between them
// (Shiloach and Vishkin's hooking, doi:10.1016/0196-6774(82)90008-6): O((n + m) log n) at worst,
// two or three sweeps usually; 4 bytes a vertex beside the result. Throws ErrorCode::cancelled and
// ErrorCode::time_limit.
Components connected_components(const CompressedGraph& graph, const RunContext& run = {});

// Makes the arrays of a compressed graph, row by row.
//
//   gssl::RowCompressor rows;
//   for (each row) rows.add(neighbors);
//   file.append(rows.bytes()); rows.clear_bytes();     // at any time
//   rows.finish();
class RowCompressor {
 public:
  // The next row: ascending neighbors other than itself.
  void add(std::span<const VertexId> neighbors);
  void finish();  // after the last row

  // What add() made since clear_bytes().
  const std::vector<std::uint8_t>& bytes() const { return bytes_; }
  void clear_bytes();

  VertexId vertex_count() const { return vertex_count_; }
  EdgeIndex arc_count() const { return arc_count_; }
  // Complete after finish().
  std::span<const RowAnchor> anchors() const { return anchors_; }
  std::span<const std::uint16_t> near() const { return near_; }
  std::span<const std::uint64_t> far() const { return far_; }

 private:
  void put(std::uint64_t number);
  void close_group();

  VertexId vertex_count_ = 0;
  EdgeIndex arc_count_ = 0;
  std::uint64_t byte_count_ = 0;  // of all rows
  std::uint64_t group_arc_ = 0;
  std::vector<std::uint64_t> starts_;  // of the rows of the group that is open
  std::vector<std::uint8_t> bytes_;
  std::vector<RowAnchor> anchors_;
  std::vector<std::uint16_t> near_;
  std::vector<std::uint64_t> far_;
};

}  // namespace gssl
