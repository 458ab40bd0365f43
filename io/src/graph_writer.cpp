#include "gssl/io/graph_writer.hpp"

#include <algorithm>
#include <cmath>

#include "fields.hpp"
#include "gssl/core/error.hpp"
#include "gssl/core/number_text.hpp"
#include "gssl/io/binary_graph.hpp"
#include "name_comments.hpp"
#include "quoting.hpp"

namespace gssl {
namespace {

// Writes edges row by row. A reader numbers vertices by first appearance, so a vertex that would
// not appear in its turn is announced by a mark before it.
class EdgeListWriter {
 public:
  EdgeListWriter(OutputFile& out, const Graph& graph, const VertexNames& names, char separator)
      : out_(out), graph_(graph), names_(names), separator_(separator) {}

  void write() {
    write_head();
    for (VertexId u = 0; u < graph_.vertex_count(); ++u) {
      announce_up_to(u);
      graph_.visit_row(u, [&](VertexId v, double weight) {
        if (v > u) write_edge(u, v, weight);
      });
      if (next_ == u) announce_up_to(u + 1);
      out_.write(line_);
      line_.clear();
    }
  }

 private:
  void write_head() {
    // "u v" alone could be an edge when vertices have these names.
    const bool plain = !graph_.has_unit_weights() ||
                       (names_.find("u") == no_vertex && names_.find("v") == no_vertex);
    line_ += plain ? "u" : "source";
    line_ += separator_;
    line_ += plain ? "v" : "target";
    if (!graph_.has_unit_weights()) line_ += separator_ + std::string("weight");
    line_ += '\n';
  }

  void announce_up_to(VertexId end) {
    for (; next_ < end; ++next_) {
      line_ += detail::vertex_mark;
      append_name(next_, '\t');
      line_ += '\n';
    }
  }

  void write_edge(VertexId u, VertexId v, double weight) {
    // The line itself lets u and then v appear.
    if (v > (next_ == u ? u + 1 : next_)) announce_up_to(v);
    next_ = std::max(next_, v + 1);
    append_name(u, separator_);
    line_ += separator_;
    append_name(v, separator_);
    if (!graph_.has_unit_weights()) {
      line_ += separator_;
      line_ += to_text(weight);
    }
    line_ += '\n';
  }

  void append_name(VertexId v, char separator) {
    name_.clear();
    names_.append_name(v, name_);
    if (name_.find('\n') != std::string::npos) {
      throw Error(ErrorCode::bad_data, "vertex id '" + detail::shown(name_) +
                                           "' holds a line end; an edge list cannot; rename it");
    }
    detail::append_cell(name_, separator, line_);
  }

  OutputFile& out_;
  const Graph& graph_;
  const VertexNames& names_;
  char separator_;
  VertexId next_ = 0;  // all vertices before it have appeared
  std::string line_;
  std::string name_;
};

// For formats that number vertices from 1; nothing where that is their names.
void write_name_comments(OutputFile& out, const VertexNames& names) {
  if (detail::numbered_from_one(names)) return;
  constexpr std::size_t some = std::size_t{1} << 16;
  std::string lines;
  std::string name;
  for (VertexId v = 0; v < names.size(); ++v) {
    name.clear();
    names.append_name(v, name);
    detail::append_name_comment(name, lines);
    if (lines.size() < some && v + 1 < names.size()) continue;
    out.write(lines);
    lines.clear();
  }
}

void write_matrix_market(OutputFile& out, const Graph& graph, const VertexNames& names) {
  const bool unit = graph.has_unit_weights();
  out.write(std::string("%%MatrixMarket matrix coordinate ") + (unit ? "pattern" : "real") +
            " symmetric\n");
  write_name_comments(out, names);
  std::string line = std::to_string(graph.vertex_count()) + " " +
                     std::to_string(graph.vertex_count()) + " " +
                     std::to_string(graph.edge_count()) + "\n";
  for (VertexId u = 0; u < graph.vertex_count(); ++u) {
    graph.visit_row(u, [&](VertexId v, double weight) {
      if (v > u) return;
      line.append(std::to_string(u + 1)).append(1, ' ').append(std::to_string(v + 1));
      if (!unit) line.append(1, ' ').append(to_text(weight));
      line += '\n';
    });
    out.write(line);
    line.clear();
  }
  out.write(line);
}

void write_metis(OutputFile& out, const Graph& graph, const VertexNames& names) {
  constexpr double largest_exact = 9007199254740992.0;  // 2^53
  const bool unit = graph.has_unit_weights();
  write_name_comments(out, names);
  std::string line = std::to_string(graph.vertex_count()) + " " +
                     std::to_string(graph.edge_count()) + (unit ? "\n" : " 1\n");
  for (VertexId u = 0; u < graph.vertex_count(); ++u) {
    const char* space = "";
    graph.visit_row(u, [&](VertexId v, double weight) {
      line.append(space).append(std::to_string(v + 1));
      space = " ";
      if (unit) return;
      if (weight != std::floor(weight) || weight > largest_exact) {
        throw Error(ErrorCode::bad_data, "METIS takes integer weights; edge " +
                                             detail::shown(names.name(u)) + " " +
                                             detail::shown(names.name(v)) + " has " +
                                             to_text(weight) + "; use another format");
      }
      line.append(1, ' ').append(std::to_string(static_cast<std::int64_t>(weight)));
    });
    line += '\n';
    out.write(line);
    line.clear();
  }
  out.write(line);
}

}  // namespace

std::int64_t write_graph(OutputFile& out, const Graph& graph, const VertexNames& names,
                         GraphFormat format, TableFormat table) {
  if (names.size() != graph.vertex_count())
    throw Error(ErrorCode::usage, std::to_string(names.size()) + " names for " +
                                      std::to_string(graph.vertex_count()) +
                                      " vertices: must be one for each");
  switch (format) {
    case GraphFormat::matrix_market: write_matrix_market(out, graph, names); break;
    case GraphFormat::metis: write_metis(out, graph, names); break;
    case GraphFormat::binary: write_binary_graph(out, graph, names); break;
    default:
      if (table == TableFormat::jsonl) {
        throw Error(ErrorCode::usage, "an edge list is written as tsv or csv, not jsonl");
      }
      EdgeListWriter(out, graph, names, table == TableFormat::csv ? ',' : '\t').write();
  }
  std::int64_t isolated = 0;
  for (VertexId v = 0; v < graph.vertex_count(); ++v) isolated += graph.degree(v) == 0 ? 1 : 0;
  return isolated;
}

}  // namespace gssl
