// GraphML and DOT by the writers of the Boost Graph Library.
#include <boost/graph/graphml.hpp>
#include <boost/graph/graphviz.hpp>

#include "boost_properties.hpp"
#include "graph_writers.hpp"
#include "gssl/core/number_text.hpp"
#include "gssl/graph/bgl.hpp"
#include "output_buffer.hpp"
#include "xml_text.hpp"

namespace gssl::detail {
namespace {

using BglVertex = boost::graph_traits<Graph>::vertex_descriptor;
using BglEdgeOf = boost::graph_traits<Graph>::edge_descriptor;

const std::type_info& type_of(const ResultColumn& column) {
  const std::string_view type = column.type();
  if (type == "double") return typeid(double);
  if (type == "long") return typeid(long);
  return type == "boolean" ? typeid(bool) : typeid(std::string);
}

void add_weight(boost::dynamic_properties& properties, const Graph& graph) {
  if (graph.has_unit_weights()) return;
  add_property<BglEdgeOf>(properties, "weight", typeid(double), [&](const BglEdgeOf& edge) {
    return to_text(graph.weight_at(edge.entry));
  });
}

// A name as DOT holds it in quotes: a backslash before a quote or at the end would be taken for
// what protects that quote.
std::string dot_text(std::string_view text, std::int64_t& replaced) {
  std::string clean = clean_text(text, replaced);
  std::string out;
  for (std::size_t i = 0; i < clean.size(); ++i) {
    const bool before_quote = i + 1 == clean.size() || clean[i + 1] == '"';
    if (clean[i] == '\\' && (before_quote || clean[i + 1] == '\\')) {
      out += "\xEF\xBF\xBD";
      ++replaced;
    } else {
      out += clean[i];
    }
  }
  return out;
}

// What tells Boost to quote: words such as "node" and "graph" mean something to DOT.
std::string quoted_by_boost(std::string text) { return OutputBuffer::dropped + std::move(text); }

}  // namespace

std::int64_t write_graphml(OutputFile& out, const Graph& graph, const VertexNames& names,
                           const ResultColumns& columns) {
  std::int64_t replaced = 0;
  boost::dynamic_properties properties;
  const auto name = [&](BglVertex v) { return clean_text(names.name(v), replaced); };
  // The same text, counted once.
  const auto label = [&](BglVertex v) {
    std::int64_t ignored = 0;
    return clean_text(names.name(v), ignored);
  };
  add_property<BglVertex>(properties, "name", typeid(std::string), name);
  add_property<BglVertex>(properties, "label", typeid(std::string), label);
  for (const ResultColumn& column : columns.columns()) {
    std::string key;  // Boost writes names of attributes as they are
    append_xml_text(column.name, key);
    add_property<BglVertex>(properties, key, type_of(column), [&](BglVertex v) {
      std::int64_t ignored = 0;
      return clean_text(column.text(v), ignored);
    });
  }
  add_weight(properties, graph);
  OutputBuffer buffer(out);
  std::ostream stream(&buffer);
  stream.exceptions(std::ios::badbit);  // what the file throws passes on
  boost::write_graphml(stream, graph, get(boost::vertex_index, graph), properties, true);
  buffer.finish();
  return replaced;
}

std::int64_t write_dot(OutputFile& out, const Graph& graph, const VertexNames& names,
                       const ResultColumns& columns) {
  std::int64_t replaced = 0;
  boost::dynamic_properties properties;
  // Called for each vertex and for both ends of each edge, so that the first walk counts.
  VertexId counted = 0;
  add_property<BglVertex>(properties, "node_id", typeid(std::string), [&](BglVertex v) {
    std::int64_t ignored = 0;
    const bool first = v == counted;
    if (first) ++counted;
    return quoted_by_boost(dot_text(names.name(v), first ? replaced : ignored));
  });
  const std::vector<std::string> words = plain_words(columns);
  for (std::size_t i = 0; i < words.size(); ++i) {
    const ResultColumn& column = columns.columns()[i];
    add_property<BglVertex>(properties, words[i], type_of(column), [&](BglVertex v) {
      std::int64_t ignored = 0;
      return quoted_by_boost(dot_text(column.text(v), ignored));
    });
  }
  const ResultColumn* x = columns.find("x");
  const ResultColumn* y = columns.find("y");
  if (x != nullptr && y != nullptr)
    add_property<BglVertex>(properties, "pos", typeid(std::string), [x, y](BglVertex v) {
      return quoted_by_boost(x->text(v) + "," + y->text(v) + "!");
    });
  if (const ResultColumn::Choice* choice = coloring(columns)) {
    add_property<BglVertex>(properties, "style", typeid(std::string),
                            [](BglVertex) { return std::string("filled"); });
    add_property<BglVertex>(properties, "fillcolor", typeid(std::string), [choice](BglVertex v) {
      return quoted_by_boost(class_color(choice->of[static_cast<std::size_t>(v)]).hexadecimal());
    });
  }
  add_weight(properties, graph);
  OutputBuffer buffer(out);
  std::ostream stream(&buffer);
  stream.exceptions(std::ios::badbit);  // what the file throws passes on
  boost::write_graphviz_dp(stream, graph, properties, "node_id");
  buffer.finish();
  return replaced;
}

}  // namespace gssl::detail
