#include "foreign_graphs.hpp"

#include "fields.hpp"

namespace gssl::detail {

using namespace std::string_view_literals;

ForeignGraph foreign_graph(std::string_view text) {
  constexpr std::size_t looked_at = 4096;
  text = text.substr(0, looked_at);
  if (text.starts_with("\x93NUMPY"sv)) {
    return {"a NumPy array, which holds points",
            "join them with 'gssl build FILE --knn 10 -o graph.tsv'"};
  }
  if (text.starts_with("PK\3\4"sv) || text.starts_with("PK\5\6"sv)) {
    return {"a zip archive or a .npz of points",
            "join points of a .npz with 'gssl build FILE --knn 10 -o graph.tsv'; unpack an archive "
            "with 'unzip FILE' and give one of its files"};
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
  return {};
}

}  // namespace gssl::detail
