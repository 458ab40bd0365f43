// GraphML (Brandes et al., GraphML Progress Report, 2002, doi:10.1007/3-540-45848-4_59) as a
// stream. Of the data of nodes and edges the attributes "name", "label" and "weight" are taken.
#include <map>
#include <optional>
#include <vector>

#include "edge_collector.hpp"
#include "fields.hpp"
#include "node_table.hpp"
#include "passed_over.hpp"
#include "xml_stream.hpp"

namespace gssl::detail {
namespace {

enum class Meaning { none, node_name, node_label, edge_weight };

// What an attribute of this name means to us.
Meaning meaning_of(std::string_view owner, std::string_view name) {
  const bool any = owner == "all";
  if ((any || owner == "edge") && equal_ignoring_case(name, "weight")) return Meaning::edge_weight;
  if (!any && owner != "node") return Meaning::none;
  if (equal_ignoring_case(name, "name")) return Meaning::node_name;
  return equal_ignoring_case(name, "label") ? Meaning::node_label : Meaning::none;
}

class GraphmlReader final : public XmlHandler {
 public:
  GraphmlReader(const TextSource& source, const ReadOptions& options, GraphFile& file)
      : source_(source), file_(file), nodes_(source.name()), edges_(options) {}

  void begin(std::string_view element, const XmlAttributes& attributes,
             std::int64_t line) override {
    if (element == "key") {
      begin_key(attributes, line);
    } else if (element == "default") {
      capturing_ = key_ == Meaning::edge_weight;
      text_.clear();
    } else if (element == "graph") {
      if (any_graph_ && directed_by_default_.empty())
        bad_line(
            source_.name(), line,
            "a second graph; expected one; keep one, or join them by a program such as networkx");
      any_graph_ = true;
      directed_by_default_.push_back(attributes.find("edgedefault") == "directed");
    } else if (element == "node") {
      node_ = nodes_.declare(attributes.required("id", element, source_.name(), line), line);
      edge_.reset();
    } else if (element == "edge") {
      begin_edge(attributes, line);
    } else if (element == "data") {
      begin_data(attributes, line);
    } else if (element == "hyperedge") {
      bad_line(source_.name(), line,
               "a hyperedge; only edges of two nodes are read; join its nodes by edges");
    }
  }

  void text(std::string_view piece) override {
    if (capturing_) text_ += piece;
  }

  void end(std::string_view element, std::int64_t line) override {
    if (element == "default") {
      if (capturing_) default_weight_ = weight(line);
      capturing_ = false;
    } else if (element == "key") {
      key_ = Meaning::none;
    } else if (element == "data") {
      end_data(line);
    } else if (element == "edge" && edge_) {
      const double own = edge_->weight.value_or(default_weight_);
      edge_->directed ? edges_.add_arc(edge_->u, edge_->v, own)
                      : edges_.add_undirected(edge_->u, edge_->v, own);
      edge_.reset();
    } else if (element == "node") {
      node_ = no_vertex;
    } else if (element == "graph") {
      directed_by_default_.pop_back();
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

  void begin_key(const XmlAttributes& attributes, std::int64_t line) {
    const std::string_view id = attributes.required("id", "key", source_.name(), line);
    const std::string_view name = attributes.find("attr.name").value_or(id);
    key_ = meaning_of(attributes.find("for").value_or("all"), name);
    // An attribute that is for all means its name to nodes and its weight to edges.
    if (key_ != Meaning::none)
      keys_[std::string(id)] = key_;
    else
      passed_over_.see(name);
  }

  void begin_edge(const XmlAttributes& attributes, std::int64_t line) {
    const VertexId u =
        nodes_.refer(attributes.required("source", "edge", source_.name(), line), line);
    const VertexId v =
        nodes_.refer(attributes.required("target", "edge", source_.name(), line), line);
    const auto own = attributes.find("directed");
    const bool directed =
        own ? *own == "true" : !directed_by_default_.empty() && directed_by_default_.back();
    directed_ = directed_ || directed;
    edge_ = Edge{u, v, directed, {}};
  }

  void begin_data(const XmlAttributes& attributes, std::int64_t line) {
    const auto key = keys_.find(attributes.required("key", "data", source_.name(), line));
    data_ = key == keys_.end() ? Meaning::none : key->second;
    const bool of_edge = data_ == Meaning::edge_weight;
    if (of_edge ? !edge_.has_value() : edge_.has_value() || node_ == no_vertex)
      data_ = Meaning::none;
    capturing_ = data_ != Meaning::none;
    text_.clear();
  }

  void end_data(std::int64_t line) {
    if (!capturing_) return;
    capturing_ = false;
    switch (data_) {
      case Meaning::edge_weight: edge_->weight = weight(line); break;
      case Meaning::node_name: nodes_.set_name(node_, text_); break;
      case Meaning::node_label: nodes_.set_label(node_, text_); break;
      case Meaning::none: break;
    }
  }

  double weight(std::int64_t line) const {
    return parse_weight(trimmed(text_), source_.name(), line);
  }

  const TextSource& source_;
  GraphFile& file_;
  NodeTable nodes_;
  EdgeCollector edges_;
  PassedOver passed_over_;
  std::map<std::string, Meaning, std::less<>> keys_;
  Meaning key_ = Meaning::none;   // of the <key> we are in
  Meaning data_ = Meaning::none;  // of the <data> we are in
  VertexId node_ = no_vertex;     // of the <node> we are in
  std::optional<Edge> edge_;      // the <edge> we are in
  bool capturing_ = false;
  bool any_graph_ = false;
  std::vector<bool> directed_by_default_;  // of the <graph> we are in, and those around it
  bool directed_ = false;                  // of any edge
  double default_weight_ = 1.0;
  std::string text_;
};

}  // namespace

void read_graphml(const TextSource& source, const ReadOptions& options, const RunContext& run,
                  GraphFile& file) {
  GraphmlReader reader(source, options, file);
  file.stats.lines = stream_xml(source, run, reader);
  reader.finish(run);
}

}  // namespace gssl::detail
