// GEXF, Gephi's exchange format, versions 1.1 to 1.3 (https://gexf.net), as a stream. Of nodes the
// id and the label are taken, of edges source, target and weight: their own, or an attribute
// declared with the title "weight".
#include <optional>

#include "edge_collector.hpp"
#include "fields.hpp"
#include "node_table.hpp"
#include "passed_over.hpp"
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
      directed_by_default_ = attributes.find("defaultedgetype") == "directed";
    } else if (element == "attributes") {
      of_edges_ = attributes.find("class") == "edge";
    } else if (element == "attribute") {
      declare_attribute(attributes, line);
    } else if (element == "default") {
      capturing_ = in_weight_;
      text_.clear();
    } else if (element == "node") {
      const VertexId v =
          nodes_.declare(attributes.required("id", element, source_.name(), line), line);
      if (const auto label = attributes.find("label")) nodes_.set_label(v, *label);
    } else if (element == "edge") {
      begin_edge(attributes, line);
    } else if (element == "attvalue" && edge_ && !edge_->weight) {
      // "for" is called "id" in version 1.1.
      const auto key = attributes.find("for") ? attributes.find("for") : attributes.find("id");
      if (key && !weight_key_.empty() && *key == weight_key_)
        edge_->weight = weight(attributes.required("value", element, source_.name(), line), line);
    }
  }
  void text(std::string_view piece) override {
    if (capturing_) text_ += piece;
  }
  void end(std::string_view element, std::int64_t line) override {
    if (element == "default" && capturing_) {
      default_weight_ = weight(text_, line);
      capturing_ = false;
    } else if (element == "attribute") {
      in_weight_ = false;
    } else if (element == "edge" && edge_) {
      const auto& [u, v, directed, own] = *edge_;
      const double weight = own.value_or(default_weight_);
      directed ? edges_.add_arc(u, v, weight) : edges_.add_undirected(u, v, weight);
      edge_.reset();
    }
  }

  void finish(const RunContext& run) {
    if (!any_graph_) bad_line(source_.name(), 1, "no element <graph>; expected one");
    if (directed_) file_.stats.notes.emplace_back(arcs_note);
    passed_over_.tell(file_.stats.notes);
    file_.names = std::move(nodes_).finish(file_.stats.notes);
    edges_.finish(source_, run, file_);
  }

 private:
  struct Edge {
    VertexId u, v;
    bool directed;
    std::optional<double> weight;
  };

  void declare_attribute(const XmlAttributes& attributes, std::int64_t line) {
    const std::string_view title = attributes.find("title").value_or("");
    in_weight_ = of_edges_ && equal_ignoring_case(title, "weight");
    if (in_weight_)
      weight_key_ = attributes.required("id", "attribute", source_.name(), line);
    else if (!title.empty())
      passed_over_.see(title);
  }

  double weight(std::string_view text, std::int64_t line) const {
    return parse_weight(trimmed(text), source_.name(), line);
  }

  void begin_edge(const XmlAttributes& attributes, std::int64_t line) {
    const VertexId u =
        nodes_.refer(attributes.required("source", "edge", source_.name(), line), line);
    const VertexId v =
        nodes_.refer(attributes.required("target", "edge", source_.name(), line), line);
    const auto type = attributes.find("type");
    const bool directed = type ? *type == "directed" : directed_by_default_;
    directed_ = directed_ || directed;
    edge_ = Edge{u, v, directed, {}};
    if (const auto own = attributes.find("weight")) edge_->weight = weight(*own, line);
  }

  const TextSource& source_;
  GraphFile& file_;
  NodeTable nodes_;
  EdgeCollector edges_;
  PassedOver passed_over_;
  std::optional<Edge> edge_;  // the <edge> we are in
  std::string weight_key_;    // id of the attribute of edges called weight
  bool in_weight_ = false;    // its <attribute> is where we are
  bool capturing_ = false;    // its <default>
  std::string text_;
  double default_weight_ = 1.0;
  bool of_edges_ = false;  // the <attributes> we are in
  bool any_graph_ = false;
  bool directed_by_default_ = false;
  bool directed_ = false;  // of any edge
};

}  // namespace

void read_gexf(const TextSource& source, const ReadOptions& options, const RunContext& run,
               GraphFile& file) {
  GexfReader reader(source, options, file);
  file.stats.lines = stream_xml(source, run, reader);
  reader.finish(run);
}

}  // namespace gssl::detail
