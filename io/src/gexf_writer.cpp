// GEXF 1.2draft, which Gephi, networkx 2 and later read alike; places and colors in the words of
// its extension viz.
#include "graph_writers.hpp"
#include "gssl/core/number_text.hpp"
#include "xml_text.hpp"

namespace gssl::detail {
namespace {

class GexfWriter {
 public:
  GexfWriter(OutputFile& out, const Graph& graph, const VertexNames& names,
             const ResultColumns& columns)
      : out_(out),
        graph_(graph),
        names_(names),
        columns_(columns),
        x_(columns.find("x")),
        y_(columns.find("y")),
        coloring_(coloring(columns)) {}

  std::int64_t write() {
    text_ =
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        "<gexf xmlns=\"http://www.gexf.net/1.2draft\" "
        "xmlns:viz=\"http://www.gexf.net/1.2draft/viz\" version=\"1.2\">\n"
        "  <graph mode=\"static\" defaultedgetype=\"undirected\">\n";
    write_attributes();
    text_ += "    <nodes>\n";
    for (VertexId v = 0; v < graph_.vertex_count(); ++v) write_node(v);
    text_ += "    </nodes>\n    <edges>\n";
    for (VertexId u = 0; u < graph_.vertex_count(); ++u) write_edges(u);
    text_ += "    </edges>\n  </graph>\n</gexf>\n";
    out_.write(text_);
    return replaced_;
  }

 private:
  static constexpr std::size_t most_held = std::size_t{1} << 16;

  void hand_over() {
    if (text_.size() < most_held) return;
    out_.write(text_);
    text_.clear();
  }

  void attribute(const char* name, std::string_view value) {
    text_.append(" ").append(name).append("=\"");
    append_xml_text(value, text_);
    text_ += '"';
  }

  void write_attributes() {
    if (columns_.empty()) return;
    text_ += "    <attributes class=\"node\">\n";
    int id = 0;
    for (const ResultColumn& column : columns_.columns()) {
      text_ += "      <attribute";
      attribute("id", std::to_string(id++));
      attribute("title", column.name);
      attribute("type", column.type());
      text_ += "/>\n";
    }
    text_ += "    </attributes>\n";
  }

  void write_node(VertexId v) {
    text_ += "      <node";
    attribute("id", "n" + std::to_string(v));
    text_ += " label=\"";
    replaced_ += static_cast<std::int64_t>(append_xml_text(names_.name(v), text_));
    text_ += '"';
    if (columns_.empty()) {
      text_ += "/>\n";
    } else {
      text_ += ">\n";
      write_values(v);
      write_looks(v);
      text_ += "      </node>\n";
    }
    hand_over();
  }

  void write_values(VertexId v) {
    text_ += "        <attvalues>";
    int id = 0;
    for (const ResultColumn& column : columns_.columns()) {
      text_ += "<attvalue";
      attribute("for", std::to_string(id++));
      attribute("value", column.text(v));
      text_ += "/>";
    }
    text_ += "</attvalues>\n";
  }

  void write_looks(VertexId v) {
    if (coloring_ != nullptr) {
      const Color color = class_color(coloring_->of[static_cast<std::size_t>(v)]);
      text_ += "        <viz:color";
      attribute("r", std::to_string(color.red));
      attribute("g", std::to_string(color.green));
      attribute("b", std::to_string(color.blue));
      text_ += "/>\n";
    }
    if (x_ == nullptr || y_ == nullptr) return;
    text_ += "        <viz:position";
    attribute("x", x_->text(v));
    attribute("y", y_->text(v));
    text_ += " z=\"0\"/>\n";
  }

  void write_edges(VertexId u) {
    graph_.visit_row(u, [&](VertexId v, double weight) {
      if (v < u) return;
      text_ += "      <edge";
      attribute("id", std::to_string(edge_++));
      attribute("source", "n" + std::to_string(u));
      attribute("target", "n" + std::to_string(v));
      if (!graph_.has_unit_weights()) attribute("weight", to_text(weight));
      text_ += "/>\n";
    });
    hand_over();
  }

  OutputFile& out_;
  const Graph& graph_;
  const VertexNames& names_;
  const ResultColumns& columns_;
  const ResultColumn* x_;
  const ResultColumn* y_;
  const ResultColumn::Choice* coloring_;
  std::string text_;
  std::int64_t replaced_ = 0;
  std::int64_t edge_ = 0;
};

}  // namespace

std::int64_t write_gexf(OutputFile& out, const Graph& graph, const VertexNames& names,
                        const ResultColumns& columns) {
  return GexfWriter(out, graph, names, columns).write();
}

}  // namespace gssl::detail
