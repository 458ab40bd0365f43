// DOT, the language of Graphviz, by descent into its statements. An edge between groups of nodes
// joins each of the one with each of the other; "weight" is the weight of an edge, and may be set
// for all edges of a group that follow. In a strict graph two nodes have one edge, and the last
// weight that is said of it stands.
#include <algorithm>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "dot_tokens.hpp"
#include "edge_collector.hpp"
#include "fields.hpp"
#include "passed_over.hpp"

namespace gssl::detail {
namespace {

constexpr int most_nested_groups = 64;
// Groups of nodes may promise far more edges than the file has bytes.
constexpr std::size_t edges_always = std::size_t{1} << 22;
constexpr std::size_t edges_per_byte = 4;

class DotReader {
 public:
  DotReader(const TextSource& source, const ReadOptions& options, const RunContext& run,
            GraphFile& file)
      : source_(source),
        run_(run),
        file_(file),
        tokens_(source.text(), source.name()),
        edges_(options),
        edges_left_(edges_always + edges_per_byte * source.text().size()) {}

  void read() {
    strict_ = tokens_.peek().is_keyword("strict");
    if (strict_) tokens_.next();
    const DotToken kind = tokens_.next();
    directed_ = kind.is_keyword("digraph");
    if (!directed_ && !kind.is_keyword("graph"))
      tokens_.fail("'" + shown(kind.text) + "'; expected 'graph' or 'digraph'");
    if (tokens_.peek().is_id()) tokens_.next();
    expect("{");
    read_statements(1, 1.0);
    if (tokens_.next().kind != DotKind::end)
      tokens_.fail("text after the graph; put each graph into a file of its own");
    if (directed_) file_.stats.notes.emplace_back(arcs_note);
    passed_over_.tell(file_.stats.notes);
    for (const auto& [ends, weight] : only_edges_) edges_.add(ends.first, ends.second, weight);
    file_.stats.lines = tokens_.line();
    edges_.finish(source_, run_, file_);
  }

 private:
  using Nodes = std::vector<VertexId>;

  void expect(std::string_view sign) {
    const DotToken token = tokens_.next();
    if (token.is_sign(sign)) return;
    tokens_.fail((token.kind == DotKind::end ? "the file ends" : "'" + shown(token.text) + "'") +
                 std::string("; expected '").append(sign).append("'"));
  }

  // Up to the closing brace; the nodes named in between.
  Nodes read_statements(int depth, double weight) {
    if (depth > most_nested_groups)
      tokens_.fail("groups in groups deeper than " + std::to_string(most_nested_groups));
    Nodes all;
    while (!tokens_.peek().is_sign("}")) {
      look_around();
      if (tokens_.peek().is_sign(";")) {
        tokens_.next();
        continue;
      }
      read_statement(depth, weight, all);
    }
    tokens_.next();
    if (depth == 1) return {};
    // A node named twice is in its group once.
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
  }

  void read_statement(int depth, double& weight, Nodes& all) {
    const bool defaults = tokens_.peek().is_keyword("graph") || tokens_.peek().is_keyword("node");
    if (defaults || tokens_.peek().is_keyword("edge")) {
      tokens_.next();
      weight = read_attributes(!defaults).value_or(weight);
      return;
    }
    Nodes left = read_end(depth, weight);
    if (tokens_.peek().is_sign("=")) {  // an attribute of the graph or group
      if (left.size() != 1) tokens_.fail("'=' after a group; expected an edge or ';'");
      tokens_.next();
      return read_value();
    }
    std::vector<Nodes> chain;
    chain.push_back(take_end(std::move(left)));
    while (tokens_.peek().is_sign("--") || tokens_.peek().is_sign("->")) {
      tokens_.next();
      chain.push_back(take_end(read_end(depth, weight)));
    }
    const std::optional<double> own = read_attributes(chain.size() > 1);
    for (std::size_t i = 0; i + 1 < chain.size(); ++i) join(chain[i], chain[i + 1], own, weight);
    for (const Nodes& nodes : chain) all.insert(all.end(), nodes.begin(), nodes.end());
  }

  // A node, with the port that its edge ends at, or a group of nodes. What may yet be the name of
  // an attribute is waiting_, and no vertex.
  Nodes read_end(int depth, double weight) {
    if (tokens_.peek().is_keyword("subgraph")) {
      tokens_.next();
      if (tokens_.peek().is_id()) tokens_.next();
      if (!tokens_.peek().is_sign("{")) tokens_.fail("a subgraph without '{'");
    }
    if (tokens_.peek().is_sign("{")) {
      tokens_.next();
      return read_statements(depth + 1, weight);
    }
    if (!tokens_.peek().is_id()) expect("}");
    waiting_ = tokens_.next().text;
    return {no_vertex};
  }

  Nodes take_end(Nodes nodes) {
    if (nodes.size() != 1 || nodes.front() != no_vertex) return nodes;
    for (int part = 0; part < 2 && tokens_.peek().is_sign(":"); ++part) {
      tokens_.next();
      read_value();
    }
    return {file_.names.insert(waiting_)};
  }

  void read_value() {
    const DotToken value = tokens_.next();
    if (!value.is_id()) tokens_.fail("'" + shown(value.text) + "'; expected a value");
  }

  // The weight that the lists in brackets say, if they do and are `of_edges`.
  std::optional<double> read_attributes(bool of_edges) {
    std::optional<double> weight;
    while (tokens_.peek().is_sign("[")) {
      tokens_.next();
      while (!tokens_.peek().is_sign("]")) {
        const DotToken name = tokens_.next();
        if (!name.is_id()) tokens_.fail("'" + shown(name.text) + "'; expected an attribute or ']'");
        DotToken value{DotKind::word, "true"};
        if (tokens_.peek().is_sign("=")) {
          tokens_.next();
          value = tokens_.next();
          if (!value.is_id()) tokens_.fail("'" + shown(value.text) + "'; expected a value");
        }
        if (of_edges && equal_ignoring_case(name.text, "weight"))
          weight = parse_weight(trimmed(value.text), source_.name(), tokens_.line());
        else
          passed_over_.see(name.text);
        if (tokens_.peek().is_sign(",") || tokens_.peek().is_sign(";")) tokens_.next();
      }
      tokens_.next();
    }
    return weight;
  }

  void join(const Nodes& left, const Nodes& right, std::optional<double> own, double weight) {
    if (!left.empty() && right.size() > edges_left_ / left.size())
      tokens_.fail("groups of " + std::to_string(left.size()) + " and " +
                   std::to_string(right.size()) +
                   " nodes are joined: far more edges than the file has bytes; name the edges");
    edges_left_ -= left.size() * right.size();
    for (const VertexId u : left) {
      for (const VertexId v : right) add(u, v, own, weight);
    }
  }

  void add(VertexId u, VertexId v, std::optional<double> own, double weight) {
    if (!directed_ && u > v) std::swap(u, v);
    if (!strict_) return edges_.add(u, v, own.value_or(weight));
    const auto [edge, is_new] = only_edges_.try_emplace(std::pair(u, v), own.value_or(weight));
    if (!is_new && own) edge->second = *own;
  }

  void look_around() {
    if (++statements_ % 65536 == 0)
      check_progress(run_, static_cast<double>(tokens_.position()) /
                               static_cast<double>(source_.text().size()));
  }

  const TextSource& source_;
  const RunContext& run_;
  GraphFile& file_;
  DotTokens tokens_;
  EdgeCollector edges_;
  std::size_t edges_left_;
  std::size_t statements_ = 0;
  std::string waiting_;
  PassedOver passed_over_;
  std::map<std::pair<VertexId, VertexId>, double> only_edges_;  // of a strict graph
  bool strict_ = false;
  bool directed_ = false;
};

}  // namespace

void read_dot(const TextSource& source, const ReadOptions& options, const RunContext& run,
              GraphFile& file) {
  DotReader(source, options, run, file).read();
}

}  // namespace gssl::detail
