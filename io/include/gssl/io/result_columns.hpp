#pragma once
// What is known of each vertex (class, confidence, cluster, place in a drawing, …) as columns, which
// the writers of graphs put beside the vertices.
//
//   gssl::ResultColumns columns(graph.vertex_count());
//   columns.add_choice("class", labeled.class_names(), fit.decision);   // −1: none
//   columns.add_numbers("confidence", fit.confidence);
//   gssl::write_graph_with_columns(out, graph, names, columns, gssl::GraphFormat::graphml);

#include <cstdint>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "gssl/core/types.hpp"

namespace gssl {

struct ResultColumn {
  // One of a few words for each vertex, by number; a negative number is no word and written "?".
  struct Choice {
    std::vector<std::string> words;
    std::vector<int> of;
  };
  std::string name;
  std::variant<Choice, std::vector<double>, std::vector<std::int64_t>, std::vector<bool>> values;

  // "string", "double", "long" or "boolean", as GraphML and GEXF call them.
  const char* type() const;
  // The value of a vertex as text: shortest decimals that read back, "true" and "false".
  std::string text(VertexId v) const;
};

class ResultColumns {
 public:
  explicit ResultColumns(VertexId vertex_count) : size_(vertex_count) {}

  // Each throws ErrorCode::usage unless there is a value for every vertex and the name is new and
  // none of those that the writers use themselves: name, label and weight.
  void add_choice(std::string name, std::vector<std::string> words, std::vector<int> of);
  void add_numbers(std::string name, std::vector<double> values);
  void add_integers(std::string name, std::vector<std::int64_t> values);
  void add_flags(std::string name, std::vector<bool> values);

  VertexId vertex_count() const { return size_; }
  bool empty() const { return columns_.empty(); }
  std::span<const ResultColumn> columns() const { return columns_; }
  const ResultColumn* find(const std::string& name) const;  // null if there is none

 private:
  void add(ResultColumn column, std::size_t values);

  VertexId size_;
  std::vector<ResultColumn> columns_;
};

}  // namespace gssl
