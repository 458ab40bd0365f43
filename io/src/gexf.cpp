// GEXF, Gephi's exchange format, versions 1.1 to 1.3 (https://gexf.net), as a stream. Of nodes the
// id and the label are taken, of edges source, target and weight.
#include "edge_collector.hpp"
#include "fields.hpp"
#include "node_table.hpp"
#include "xml_stream.hpp"

namespace gssl::detail {
namespace {

class GexfReader final : public XmlHandler {
 public:
  GexfReader(const TextSource& source, const ReadOptions& options, GraphFile& file)
      : source_(source), file_(file), nodes_(source.name()), edges_(options) {}

  void begin(std::string_view element, const XmlAttributes& attributes,
             std::int64_t line) override {
    if (element == "graph") {
      any_graph_ = true;
      directed_ = directed_ || attributes.find("defaultedgetype") == "directed";
    } else if (element == "node") {
      const VertexId v =
          nodes_.declare(attributes.required("id", element, source_.name(), line), line);
      if (const auto label = attributes.find("label")) nodes_.set_label(v, *label);
    } else if (element == "edge") {
      take_edge(attributes, line);
    }
  }
  void text(std::string_view) override {}
  void end(std::string_view, std::int64_t) override {}

  void finish(const RunContext& run) {
    if (!any_graph_) bad_line(source_.name(), 1, "no element <graph>; expected one");
    if (directed_) file_.stats.notes.emplace_back(arcs_note);
    file_.names = std::move(nodes_).finish(file_.stats.notes);
    edges_.finish(source_, run, file_);
  }

 private:
  void take_edge(const XmlAttributes& attributes, std::int64_t line) {
    const VertexId u =
        nodes_.refer(attributes.required("source", "edge", source_.name(), line), line);
    const VertexId v =
        nodes_.refer(attributes.required("target", "edge", source_.name(), line), line);
    const auto weight = attributes.find("weight");
    directed_ = directed_ || attributes.find("type") == "directed";
    edges_.add(u, v, weight ? parse_weight(trimmed(*weight), source_.name(), line) : 1.0);
  }

  const TextSource& source_;
  GraphFile& file_;
  NodeTable nodes_;
  EdgeCollector edges_;
  bool any_graph_ = false;
  bool directed_ = false;
};

}  // namespace

void read_gexf(const TextSource& source, const ReadOptions& options, const RunContext& run,
               GraphFile& file) {
  GexfReader reader(source, options, file);
  file.stats.lines = stream_xml(source, run, reader);
  reader.finish(run);
}

}  // namespace gssl::detail
