#include "foreign_graphs.hpp"

#include <algorithm>
#include <array>

#include "fields.hpp"
#include "gssl/core/number_text.hpp"

namespace gssl::detail {
namespace {

using namespace std::string_view_literals;

constexpr std::size_t looked_at = 4096;  // bytes from the start that decide

// Node-link files of any kind become "u<TAB>v<TAB>weight".
std::string with_networkx(const std::string& read) {
  return "convert it with python3 -c \"import networkx as nx; nx.write_weighted_edgelist(" + read +
         ", 'FILE.tsv', delimiter='\\t')\"";
}

std::string lower(std::string_view text) {
  std::string out(text);
  std::ranges::transform(out, out.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return out;
}

bool starts_with_word(std::string_view line, std::string_view word) {
  return line.starts_with(word) && (line.size() == word.size() ||
                                    " \t[{\""sv.find(line[word.size()]) != std::string_view::npos);
}

ForeignGraph markup(std::string_view text) {
  if (text.find("<graphml") != std::string_view::npos)
    return {"a GraphML file", with_networkx("nx.read_graphml('FILE')")};
  if (text.find("<gexf") != std::string_view::npos)
    return {"a GEXF file", with_networkx("nx.read_gexf('FILE')")};
  return {};
}

// "graph [", after a line or two of who made it.
bool is_gml(std::string_view text) {
  while (!text.empty()) {
    const std::string_view line = trimmed(take_line(text));
    if (is_skipped(line) || starts_with_word(line, "creator") || starts_with_word(line, "version"))
      continue;
    if (!starts_with_word(line, "graph")) return false;
    const std::string_view rest = trimmed(line.substr("graph"sv.size()));
    return (rest.empty() ? trimmed(take_line(text)) : rest).starts_with('[');
  }
  return false;
}

// "digraph G {".
bool is_dot(std::string_view text) {
  const std::size_t brace = text.find('{');
  if (brace == std::string_view::npos) return false;
  std::string_view head = trimmed(text.substr(0, brace));
  if (starts_with_word(head, "strict")) head = trimmed(head.substr("strict"sv.size()));
  const bool named = starts_with_word(head, "graph") || starts_with_word(head, "digraph");
  return named && head.find('\n') == std::string_view::npos;
}

bool is_pajek(std::string_view text) {
  while (!text.empty()) {
    const std::string_view line = trimmed(take_line(text));
    if (line.empty() || line.front() == '%') continue;
    return starts_with_word(line, "*vertices") || starts_with_word(line, "*network");
  }
  return false;
}

// Lines "c …", and then "p KIND VERTICES EDGES".
bool is_dimacs(std::string_view text) {
  while (!text.empty()) {
    const std::string_view line = trimmed(take_line(text));
    if (line.empty() || starts_with_word(line, "c")) continue;
    FieldSplitter words(Separator::blanks, FieldSplitter::Empty::allowed);
    if (line.find('"') != std::string_view::npos || words.split(line, "", 1) != 4) return false;
    return words[0] == "p" && !parse_number<double>(words[1]) &&
           parse_number<std::int64_t>(words[2]) && parse_number<std::int64_t>(words[3]);
  }
  return false;
}

}  // namespace

ForeignGraph foreign_graph(std::string_view text) {
  text = text.substr(0, looked_at);
  if (text.starts_with("\x93NUMPY"sv)) {
    return {"a NumPy array, which holds points",
            "join them with 'gssl build FILE --knn 10 -o graph.tsv'"};
  }
  if (text.starts_with("PK\3\4"sv) || text.starts_with("PK\5\6"sv)) {
    return {"a zip archive or .npz",
            "join points of a .npz with 'gssl build FILE --knn 10 -o graph.tsv'; convert a sparse "
            "matrix with python3 -c \"import scipy.io, scipy.sparse; scipy.io.mmwrite('FILE.mtx', "
            "scipy.sparse.load_npz('FILE'))\""};
  }
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos) return {};
  const std::string small = lower(text.substr(begin));
  if (small.front() == '<') return markup(small);
  if (is_gml(small)) return {"a GML file", with_networkx("nx.read_gml('FILE', label='id')")};
  if (is_pajek(small)) return {"a Pajek file", with_networkx("nx.read_pajek('FILE')")};
  if (is_dot(small))
    return {"a DOT file of Graphviz", with_networkx("nx.nx_pydot.read_dot('FILE')")};
  if (is_dimacs(small)) {
    return {
        "a DIMACS file",
        "take its edges, as in awk '$1==\"e\" || $1==\"a\" {print $2, $3, $4}' FILE | gssl … -"};
  }
  const std::size_t next = small.find_first_not_of(" \t\r\n", 1);
  if (small.front() == '{' && next != std::string::npos && small[next] == '"') {
    return {"JSON",
            "convert it with python3 -c \"import json, networkx as nx; "
            "nx.write_weighted_edgelist(nx.node_link_graph(json.load(open('FILE'))), "
            "'FILE.tsv', delimiter='\\t')\""};
  }
  return {};
}

}  // namespace gssl::detail
