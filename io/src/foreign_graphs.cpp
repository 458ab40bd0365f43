#include "foreign_graphs.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "fields.hpp"

namespace gssl::detail {

using namespace std::string_view_literals;

namespace {

constexpr std::size_t looked_at = 4096;  // bytes from the start that decide

struct Beginning {
  std::string_view text;  // in small letters
  const char* kind;
  const char* remedy;
};

constexpr const char* by_networkx_graph6 =
    "convert it with python3 -c \"import networkx as nx; "
    "nx.write_edgelist(nx.read_graph6('FILE'), 'FILE.tsv', data=False)\"";
constexpr const char* by_networkx_sparse6 =
    "convert it with python3 -c \"import networkx as nx; "
    "nx.write_edgelist(nx.read_sparse6('FILE'), 'FILE.tsv', data=False)\"";
constexpr const char* by_gephi = "open it in Gephi and export it as GEXF or GraphML";

constexpr std::array beginnings = {
    Beginning{">>graph6<<", "a graph6 file", by_networkx_graph6},
    Beginning{">>sparse6<<", "a sparse6 file", by_networkx_sparse6},
    Beginning{"nodedef>", "a GDF graph", by_gephi},
    Beginning{"*node data", "a VNA graph", by_gephi},
    Beginning{"dl n", "a UCINET DL graph", by_gephi},
    Beginning{"dl\n", "a UCINET DL graph", by_gephi},
    Beginning{"leda.graph", "a LEDA graph",
              "convert it with python3 -c \"import networkx as nx; "
              "nx.write_edgelist(nx.read_leda('FILE'), 'FILE.tsv', data=False)\""},
};

bool begins(std::string_view text, std::string_view small) {
  return text.size() >= small.size() && equal_ignoring_case(text.substr(0, small.size()), small);
}

// igraph's large graph layout: "# u", then a line "v" or "v weight" for each neighbor. Told by a
// vertex that stands behind a '#' and, elsewhere, at the beginning of a line.
bool is_lgl(std::string_view text) {
  std::vector<std::string_view> heads, neighbors;
  while (!text.empty()) {
    const std::string_view line = trimmed(take_line(text));
    const std::size_t blank = line.find_first_of(" \t");
    const std::string_view first = line.substr(0, blank);
    const std::string_view rest =
        blank == std::string_view::npos ? std::string_view() : trimmed(line.substr(blank));
    if (rest.find_first_of(" \t,;") != std::string_view::npos) return false;
    if (first == "#" && !rest.empty()) heads.push_back(rest);
    if (!line.empty() && line.front() != '#') neighbors.push_back(first);
    if (!neighbors.empty() && heads.empty()) return false;
  }
  return heads.size() > 1 && std::ranges::any_of(heads, [&](std::string_view head) {
           return std::ranges::find(neighbors, head) != neighbors.end();
         });
}

// networkx' adjacency list over several lines: "u DEGREE", then a line "v {…}" for each neighbor.
bool is_multiline_adjacency(std::string_view text) {
  while (!text.empty()) {
    const std::string_view line = trimmed(take_line(text));
    if (line.empty() || line.front() == '#') continue;
    const std::size_t brace = line.find(" {");
    if (brace == std::string_view::npos || !line.ends_with('}')) continue;
    const std::string_view properties = line.substr(brace + 1);
    return (properties == "{}" || properties.starts_with("{'")) &&
           line.substr(0, brace).find_first_of(" \t,;{") == std::string_view::npos;
  }
  return false;
}

}  // namespace

ForeignGraph foreign_graph(std::string_view text) {
  text = text.substr(0, looked_at);
  if (text.starts_with("\x93NUMPY"sv)) {
    return {"a NumPy array, which holds points", "join them to a graph", Remedy::build_graph};
  }
  if (text.starts_with("PK\3\4"sv) || text.starts_with("PK\5\6"sv)) {
    return {
        "a zip archive or a .npz of points",
        "unpack an archive with 'unzip FILE' and give one of its files; join points of a .npz to "
        "a graph",
        Remedy::build_graph};
  }
  if (text.starts_with("#BVGraph"sv) || text.find("graphclass=") != std::string_view::npos) {
    return {"the head of a graph of WebGraph (BVGraph)",
            "write its arcs with 'java it.unimi.dsi.webgraph.ArcListASCIIGraph -g BVGraph BASENAME "
            "edges.txt'"};
  }
  const std::string_view data = trimmed(text);
  if (data.starts_with('{') && trimmed(data.substr(1)).starts_with('"')) {
    return {"JSON",
            "convert it with python3 -c \"import json, networkx as nx; "
            "nx.write_weighted_edgelist(nx.node_link_graph(json.load(open('FILE'))), "
            "'FILE.tsv', delimiter='\\t')\""};
  }
  for (const Beginning& one : beginnings)
    if (begins(data, one.text)) return {one.kind, one.remedy};
  // A part of the last line may look like another thing.
  const std::string_view lines = text.substr(0, text.rfind('\n') + 1);
  if (is_lgl(lines))
    return {"a graph of igraph's large graph layout (LGL)",
            "convert it with python3 -c \"import igraph; "
            "igraph.Graph.Read_Lgl('FILE').write_ncol('FILE.tsv', names='name', "
            "weights='weight')\""};
  if (is_multiline_adjacency(lines))
    return {"an adjacency list of networkx over several lines",
            "convert it with python3 -c \"import networkx as nx; "
            "nx.write_edgelist(nx.read_multiline_adjlist('FILE'), 'FILE.tsv')\""};
  return {};
}

}  // namespace gssl::detail
