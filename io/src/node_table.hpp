#pragma once
// The nodes of formats that give each an id of the file's own and perhaps a name and a label:
// GraphML, GEXF, GML. Vertices are called by their names where every node has one and no two are
// alike, else by their labels on the same terms, else by their ids. An edge may come before its
// nodes.
//
//   NodeTable nodes(source.name());
//   VertexId v = nodes.declare("n0", line);
//   nodes.set_name(v, "alice");
//   edges.add(nodes.refer("n0", line), nodes.refer("n1", line), 1.0);
//   file.names = std::move(nodes).finish(file.stats.notes);

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "gssl/graph/vertex_names.hpp"

namespace gssl::detail {

class NodeTable {
 public:
  explicit NodeTable(const std::string& file) : file_(file) {}

  // Throws ErrorCode::bad_data if the node was declared before.
  VertexId declare(std::string_view id, std::int64_t line);
  // The end of an edge.
  VertexId refer(std::string_view id, std::int64_t line);
  void set_name(VertexId v, std::string_view name) { names_.set(v, name); }
  void set_label(VertexId v, std::string_view label) { labels_.set(v, label); }

  VertexId size() const { return ids_.size(); }

  // Throws ErrorCode::bad_data if an edge named a node that is nowhere declared. A note says which
  // of the three were not taken, and why.
  VertexNames finish(std::vector<std::string>& notes) &&;

 private:
  // What some nodes are called; empty where none is.
  struct Texts {
    std::vector<std::string> of;
    void set(VertexId v, std::string_view text);
  };
  // The names, or none and why.
  bool take(const Texts& texts, const char* kind, std::vector<std::string>& notes,
            VertexNames& names) const;

  const std::string& file_;
  VertexNames ids_;
  std::vector<std::int64_t> declared_;  // line of each, 0: not yet
  std::vector<std::int64_t> referred_;  // line of the first edge of a node not declared by then
  Texts names_;
  Texts labels_;
};

}  // namespace gssl::detail
