// METIS adjacency files (Karypis, METIS 5 manual, section 4.1): a head line "n m [fmt [ncon]]",
// then one line for each vertex. Every edge stands on the lines of both its ends; only the first of
// the two is placed, and a last walk checks the other against it.
#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "fields.hpp"
#include "graph_formats.hpp"
#include "gssl/core/number_text.hpp"
#include "name_comments.hpp"

namespace gssl::detail {
namespace {

constexpr std::int64_t most_constraints = 1000;

struct MetisHead {
  VertexId size = 0;
  std::int64_t edges = 0;
  std::int64_t skipped = 0;  // numbers before the neighbors on each line: vertex size and weights
  bool weighted = false;
  std::int64_t lines = 0;
  NameComments names;
  std::string_view body;
};

std::string_view take_word(std::string_view& line) {
  line = trimmed(line);
  const std::size_t end = line.find_first_of(" \t");
  const std::string_view word = line.substr(0, end);
  line.remove_prefix(word.size());
  return word;
}

std::int64_t parse_head_number(std::string_view word, const char* what, std::int64_t most,
                               const std::string& file, std::int64_t line) {
  const std::optional<std::int64_t> value = parse_number<std::int64_t>(word);
  if (!value || *value < 0 || *value > most) {
    bad_line(file, line,
             std::string(what) + " '" + shown(word) +
                 "'; expected the head line 'vertices edges [format [constraints]]'");
  }
  return *value;
}

MetisHead parse_head(std::string_view text, const std::string& file) {
  MetisHead head;
  std::string_view line;
  do {
    if (text.empty()) {
      bad_line(file, std::max<std::int64_t>(head.lines, 1),
               "no head line; expected 'vertices edges'");
    }
    line = take_line(text);
    ++head.lines;
    if (line.starts_with('%')) head.names.take(line, file, head.lines);
    line = trimmed(line);
  } while (line.empty() || line.front() == '%');
  head.size = static_cast<VertexId>(parse_head_number(take_word(line), "number of vertices",
                                                      std::numeric_limits<VertexId>::max(), file,
                                                      head.lines));
  head.edges = parse_head_number(take_word(line), "number of edges",
                                 std::numeric_limits<std::int64_t>::max(), file, head.lines);
  const std::string_view format = take_word(line);
  if (format.size() > 3 || format.find_first_not_of("01") != std::string_view::npos) {
    bad_line(file, head.lines,
             "format '" + shown(format) + "'; expected up to three digits 0 or 1");
  }
  const auto flag = [&](std::size_t from_right) {
    return format.size() > from_right && format[format.size() - 1 - from_right] == '1';
  };
  const std::string_view constraints = take_word(line);
  const std::int64_t weights = constraints.empty()
                                   ? 1
                                   : parse_head_number(constraints, "number of constraints",
                                                       most_constraints, file, head.lines);
  if (!take_word(line).empty())
    bad_line(file, head.lines, "more than four numbers on the head line");
  head.weighted = flag(0);
  head.skipped = (flag(1) ? weights : 0) + (flag(2) ? 1 : 0);
  // Each vertex has a line, so that memory follows the bytes of the file.
  if (static_cast<std::uint64_t>(head.size) > text.size() + 1) {
    bad_line(file, head.lines,
             std::to_string(head.size) + " vertices on the head line; " +
                 std::to_string(text.size()) +
                 " bytes follow, too few for a line each; the file is cut short");
  }
  head.body = text;
  return head;
}

// Calls entry(u, v, weight, line) for every neighbor v on the line of u, and row(u, line) after
// each line; returns the number of the line after the last.
template <class Entry, class Row>
std::int64_t walk_rows(const MetisHead& head, const std::string& file, Entry&& entry, Row&& row) {
  std::string_view text = head.body;
  std::int64_t number = head.lines + 1;
  VertexId u = 0;
  for (; !text.empty(); ++number) {
    std::string_view line = trimmed(take_line(text));
    if (line.starts_with('%')) continue;
    if (u == head.size) {
      if (line.empty()) continue;
      bad_line(file, number,
               "a line after the last vertex; the head line says " + std::to_string(head.size) +
                   " vertices");
    }
    for (std::int64_t i = 0; i < head.skipped; ++i) {
      const std::string_view word = take_word(line);
      if (!parse_number<double>(word)) {
        bad_line(file, number, "vertex weight or size '" + shown(word) + "'; expected a number");
      }
    }
    while (!line.empty()) {
      const std::string_view word = take_word(line);
      const std::optional<std::int64_t> neighbor = parse_number<std::int64_t>(word);
      if (!neighbor || *neighbor < 1 || *neighbor > head.size) {
        bad_line(file, number,
                 "neighbor " + shown(word) + "; expected an integer from 1 to " +
                     std::to_string(head.size));
      }
      double weight = 1.0;
      if (head.weighted) {
        const std::string_view weight_text = take_word(line);
        if (weight_text.empty()) {
          bad_line(file, number,
                   "neighbor " + shown(word) + " has no weight; the format asks for one");
        }
        weight = parse_weight(weight_text, file, number);
      }
      line = trimmed(line);
      entry(u, static_cast<VertexId>(*neighbor - 1), weight, number);
    }
    row(u, number);
    ++u;
  }
  if (u != head.size) {
    bad_line(file, number - 1,
             std::to_string(u) + " vertex lines; the head line says " + std::to_string(head.size) +
                 "; the file is cut short");
  }
  return number;
}

// "3", by its place as the file has it, and " (ada)" after it where it has a name.
std::string place_and_name(const VertexNames& names, VertexId v) {
  std::string text = std::to_string(v + 1);
  const std::string name = names.name(v);
  return name == text ? text : text + " (" + shown(name) + ")";
}

// Every entry is in the graph with its weight, and no row has more or fewer.
void check_both_sides(const MetisHead& head, const std::string& file, const VertexNames& names,
                      const Graph& graph) {
  EdgeIndex found = 0;
  walk_rows(
      head, file,
      [&](VertexId u, VertexId v, double weight, std::int64_t line) {
        if (u == v || weight == 0) return;
        ++found;
        if (graph.weight(u, v) != weight) {
          bad_line(file, line,
                   "edge " + place_and_name(names, u) + " " + place_and_name(names, v) +
                       " is repeated, or differs on the line of vertex " + std::to_string(v + 1) +
                       "; expected it once on both, alike");
        }
      },
      [&](VertexId u, std::int64_t line) {
        if (std::exchange(found, 0) != graph.degree(u)) {
          bad_line(file, line,
                   "vertex " + place_and_name(names, u) + " has " +
                       std::to_string(graph.degree(u)) +
                       " edges by the lines of its neighbors; list every edge once on "
                       "the lines of both ends");
        }
      });
}

}  // namespace

void read_metis(const TextSource& source, const ReadOptions&, const RunContext& run,
                GraphFile& file) {
  const std::string& name = source.name();
  MetisHead head = parse_head(source.text(), name);
  file.stats.names_given = !head.names.empty();
  file.names = std::move(head.names).names(head.size, name);
  std::int64_t entries = 0;
  std::int64_t loops = 0;
  std::int64_t zeros = 0;
  bool weighted = false;
  check_progress(run, 0.0);
  GraphBuilder builder(head.size, {.duplicates = DuplicatePolicy::sum});
  const std::int64_t end = walk_rows(
      head, name,
      [&](VertexId u, VertexId v, double weight, std::int64_t) {
        entries += u != v ? 1 : 0;
        loops += u == v ? 1 : 0;
        zeros += u < v && weight == 0 ? 1 : 0;
        weighted = weighted || (weight != 0 && weight != 1);
        if (u <= v && weight != 0) builder.count(u, v);
      },
      [](VertexId, std::int64_t) {});
  if (entries % 2 != 0 || (entries / 2 != head.edges && entries / 2 + loops != head.edges)) {
    bad_line(name, head.lines,
             std::to_string(head.edges) + " edges on the head line; " + std::to_string(entries) +
                 " neighbors are listed, expected twice the edges");
  }
  const std::vector<Chunk> whole = {{head.body, head.lines + 1}};
  file.graph = place_edges(builder, weighted, DuplicatePolicy::sum, file.names, whole, source, run,
                           [&](const Chunk&, auto& visit) {
                             walk_rows(
                                 head, name,
                                 [&](VertexId u, VertexId v, double weight, std::int64_t) {
                                   if (u <= v && weight != 0) visit(u, v, weight);
                                 },
                                 [](VertexId, std::int64_t) {});
                           });
  check_both_sides(head, name, file.names, file.graph);
  file.stats.lines = end - 1;
  take_counts(builder.counts(), zeros, file.stats);
}

}  // namespace gssl::detail
