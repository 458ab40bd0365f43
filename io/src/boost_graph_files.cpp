// GraphML and DOT by the writers of the Boost Graph Library.
#include <boost/graph/graphml.hpp>
#include <boost/graph/graphviz.hpp>
#include <functional>
#include <map>
#include <vector>

#include "boost_properties.hpp"
#include "graph_writers.hpp"
#include "gssl/core/number_text.hpp"
#include "gssl/graph/bgl.hpp"
#include "output_buffer.hpp"
#include "xml_text.hpp"

namespace gssl::detail {

// The id of a vertex in DOT, in quotes. With a type of its own, it is written by the function below,
// which write_graphviz() finds by its argument, and not by Boost's, which takes a regular expression
// to see whether quotes are needed.
struct DotId {
  const std::string& text;
};
const std::string& escape_dot_string(const DotId& id) { return id.text; }

class DotIds {
 public:
  explicit DotIds(std::vector<std::string> texts) : texts_(std::move(texts)) {}
  friend DotId get(const DotIds& ids, VertexId v) {
    return {ids.texts_[static_cast<std::size_t>(v)]};
  }

 private:
  std::vector<std::string> texts_;
};

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

// `text` in quotes.
std::string dot_quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"') out += '\\';
    out += c;
  }
  return out += '"';
}

// Numbers without an exponent are words of DOT.
std::string dot_number(const std::string& text) {
  const bool word = text.find_first_not_of("-0123456789.") == std::string::npos;
  return word ? text : dot_quoted(text);
}

// Attributes of vertices or edges as write_graphviz() takes them. Boost's own, with properties whose
// types are known when the program runs, asks a regular expression about every text.
template <class Key>
class DotAttributes {
 public:
  // text(key) is what stands behind "name=", with its quotes.
  void add(std::string name, std::function<std::string(Key)> text) {
    named_.emplace(std::move(name), std::move(text));
  }
  void operator()(std::ostream& out, const Key& key) const {
    const char* before = " [";
    for (const auto& [name, text] : named_) {
      out << before << name << '=' << text(key);
      before = ", ";
    }
    if (!named_.empty()) out << ']';
  }

 private:
  std::map<std::string, std::function<std::string(Key)>> named_;
};

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
  std::vector<std::string> ids;
  ids.reserve(static_cast<std::size_t>(graph.vertex_count()));
  for (VertexId v = 0; v < graph.vertex_count(); ++v)
    ids.push_back(dot_quoted(dot_text(names.name(v), replaced)));
  DotAttributes<BglVertex> of_vertex;
  const std::vector<std::string> words = plain_words(columns);
  for (std::size_t i = 0; i < words.size(); ++i) {
    of_vertex.add(words[i], [&column = columns.columns()[i]](BglVertex v) {
      std::int64_t ignored = 0;
      return dot_quoted(dot_text(column.text(v), ignored));
    });
  }
  const ResultColumn* x = columns.find("x");
  const ResultColumn* y = columns.find("y");
  if (x != nullptr && y != nullptr)
    of_vertex.add("pos",
                  [x, y](BglVertex v) { return dot_quoted(x->text(v) + "," + y->text(v) + "!"); });
  if (const ResultColumn::Choice* choice = coloring(columns)) {
    of_vertex.add("style", [](BglVertex) { return std::string("filled"); });
    of_vertex.add("fillcolor", [choice](BglVertex v) {
      return dot_quoted(class_color(choice->of[static_cast<std::size_t>(v)]).hexadecimal());
    });
  }
  DotAttributes<BglEdgeOf> of_edge;
  if (!graph.has_unit_weights())
    of_edge.add("weight", [&](const BglEdgeOf& edge) {
      return dot_number(to_text(graph.weight_at(edge.entry)));
    });
  OutputBuffer buffer(out);
  std::ostream stream(&buffer);
  stream.exceptions(std::ios::badbit);  // what the file throws passes on
  boost::write_graphviz(stream, graph, of_vertex, of_edge, boost::default_writer(),
                        DotIds(std::move(ids)));
  buffer.finish();
  return replaced;
}

}  // namespace gssl::detail
