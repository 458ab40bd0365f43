// Edge lists. The first walk names the vertices and checks every line; the walks of the builder
// then only look names up, on all threads, so they cannot fail.
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstring>
#include <optional>

#include "fields.hpp"
#include "graph_formats.hpp"
#include "gssl/core/error.hpp"
#include "gssl/core/number_text.hpp"

namespace gssl::detail {
namespace {

constexpr std::size_t chunk_bytes = std::size_t{1} << 22;

// How the data lines of one file are written.
struct Dialect {
  Separator separator = Separator::blanks;
  std::size_t fields = 2;       // of every data line
  std::int64_t first_line = 0;  // the first data line; the header if there is one
  bool header = false;
  bool doubtful_header = false;  // two one-letter words that could be ids: "u v"
  std::array<std::string, 2> header_words;
};

// A canonical unsigned decimal that surely fits 64 bits; the position after it, or nullptr.
inline const char* take_integer(const char* at, const char* end, std::uint64_t& value) {
  constexpr std::ptrdiff_t safe_digits = 19;
  const char* const begin = at;
  std::uint64_t number = 0;
  for (; at != end; ++at) {
    const auto digit = static_cast<unsigned char>(*at - '0');
    if (digit > 9) break;
    number = number * 10 + digit;
  }
  const std::ptrdiff_t digits = at - begin;
  if (digits == 0 || digits > safe_digits || (*begin == '0' && digits > 1)) return nullptr;
  value = number;
  return at;
}

// Calls sink.edge(u, v, w), with ids as integers or as text, and sink.vertex(name).
template <class Sink>
class Walker {
 public:
  Walker(const Dialect& dialect, const std::string& file, Sink& sink)
      : dialect_(dialect), file_(file), sink_(sink), fields_(dialect.separator) {}

  // Walks whole lines, the first of which is `line`; returns the number of the line after them.
  std::int64_t walk(std::string_view text, std::int64_t line) {
    const char* at = text.data();
    const char* const end = at + text.size();
    for (; at != end; ++line) {
      if (const char* next = integer_line(at, end)) {
        at = next;
        continue;
      }
      const auto* stop = static_cast<const char*>(std::memchr(at, '\n', end - at));
      any_line(trimmed({at, static_cast<std::size_t>((stop ? stop : end) - at)}), line);
      at = stop ? stop + 1 : end;
    }
    return line;
  }

 private:
  bool separates(char c) const {
    return c == static_cast<char>(dialect_.separator) ||
           (c == '\t' && dialect_.separator == Separator::blanks);
  }

  // The fast way: "digits separator digits [separator weight] newline" and nothing else. Returns
  // the next line, or nullptr with nothing done.
  const char* integer_line(const char* at, const char* end) {
    std::uint64_t u = 0;
    std::uint64_t v = 0;
    double weight = 1.0;
    at = take_integer(at, end, u);
    if (at == nullptr || at == end || !separates(*at)) return nullptr;
    at = take_integer(at + 1, end, v);
    if (at == nullptr || at == end) return nullptr;
    if (dialect_.fields == 3) {
      if (!separates(*at)) return nullptr;
      const auto [stop, error] = std::from_chars(at + 1, end, weight);
      if (error != std::errc{} || !std::isfinite(weight) || weight < 0) return nullptr;
      at = stop;
    }
    if (at != end && *at == '\r') ++at;
    if (at == end || *at != '\n') return nullptr;
    sink_.edge(u, v, weight);
    return at + 1;
  }

  void any_line(std::string_view line, std::int64_t number) {
    if (is_skipped(line)) {
      if (line.starts_with(vertex_mark) && parse_vertex_line(line, file_, number, name_)) {
        sink_.vertex(name_);
      }
      return;
    }
    if (dialect_.header && number == dialect_.first_line) return;
    if (line.find('\0') != std::string_view::npos) {
      bad_line(file_, number,
               "binary data (a zero byte); expected text lines 'u v [weight]'; "
               "check the file or give its format");
    }
    const std::size_t count = fields_.split(line, file_, number);
    if (count != dialect_.fields || (count != 2 && count != 3)) wrong_count(line, number, count);
    const double weight = count == 3 ? parse_weight(fields_[2], file_, number) : 1.0;
    sink_.edge(fields_[0], fields_[1], weight);
  }

  [[noreturn]] void wrong_count(std::string_view line, std::int64_t number, std::size_t count) {
    const std::string found =
        std::to_string(count) + (count == 1 ? " field in '" : " fields in '") + shown(line) + "'; ";
    if (dialect_.fields != 2 && dialect_.fields != 3) {
      bad_line(
          file_, number,
          found + "expected 'u v' or 'u v weight' separated by " + to_string(dialect_.separator));
    }
    bad_line(file_, number,
             found + "expected " + std::to_string(dialect_.fields) + " separated by " +
                 to_string(dialect_.separator) + ", as on line " +
                 std::to_string(dialect_.first_line) + "; give every line the same fields");
  }

  const Dialect& dialect_;
  const std::string& file_;
  Sink& sink_;
  FieldSplitter fields_;
  std::string name_;
};

// First walk: numbers vertices by first appearance and counts their edges.
struct Naming {
  VertexNames& names;
  GraphBuilder builder;
  VertexId known = 0;  // vertices the builder has room for
  std::int64_t zeros = 0;
  bool weighted = false;

  Naming(VertexNames& all, DuplicatePolicy duplicates)
      : names(all), builder(0, {.duplicates = duplicates}) {}

  template <class Id>
  void edge(Id u_name, Id v_name, double weight) {
    const VertexId u = names.insert(u_name);
    const VertexId v = names.insert(v_name);
    if (std::max(u, v) >= known) make_room();
    if (weight == 0) {
      ++zeros;
      return;
    }
    weighted = weighted || weight != 1;
    builder.count(u, v);
  }
  void vertex(std::string_view name) {
    names.insert(name);
    make_room();
  }
  void make_room() {
    known = names.size();
    builder.grow(known);
  }
};

// Second walk: known names to vertices.
template <class Visit>
struct Placing {
  const VertexNames& names;
  Visit& visit;

  template <class Id>
  void edge(Id u, Id v, double weight) {
    if (weight != 0) visit(names.find(u), names.find(v), weight);
  }
  void vertex(std::string_view) {}
};

bool is_header_word(std::string_view text) {
  static constexpr std::array words = {
      "source", "target", "src",   "dst",     "from",    "to",     "u",    "v",     "w",
      "node",   "node1",  "node2", "node_1",  "node_2",  "vertex", "id1",  "id2",   "id_1",
      "id_2",   "start",  "end",   "vertex1", "vertex2", "head",   "tail", "weight"};
  return std::any_of(words.begin(), words.end(),
                     [&](const char* word) { return equal_ignoring_case(text, word); });
}

bool is_number(std::string_view text) { return parse_number<double>(text).has_value(); }

// Reads the first data line, and the second if the first may be a header.
Dialect sniff_dialect(std::string_view text, const std::string& file) {
  Dialect dialect;
  std::string_view line;
  std::int64_t number = 0;
  const auto next = [&] {
    while (!text.empty()) {
      line = trimmed(take_line(text));
      ++number;
      if (!is_skipped(line)) return true;
    }
    return false;
  };
  if (!next()) return dialect;
  dialect.first_line = number;
  dialect.separator = sniff_separator(line);
  FieldSplitter first(dialect.separator);
  dialect.fields = first.split(line, file, number);
  if (dialect.fields != 2 && dialect.fields != 3) return dialect;
  const bool third_is_word = dialect.fields == 3 && !is_number(first[2]);
  if (is_header_word(first[0]) && is_header_word(first[1]) &&
      (dialect.fields == 2 || third_is_word)) {
    dialect.header = true;
    dialect.doubtful_header = dialect.fields == 2 && first[0].size() == 1 && first[1].size() == 1;
    dialect.header_words = {std::string(first[0]), std::string(first[1])};
  } else if (third_is_word && next()) {
    FieldSplitter second(dialect.separator);
    dialect.header = second.split(line, file, number) == 3 && is_number(second[2]);
  }
  return dialect;
}

// The lines of an edge that DuplicatePolicy::error refuses. The graph given was built by `first`:
// in it every edge has the weight of its first line.
class RepeatFinder {
 public:
  RepeatFinder(const GraphFile& file, const Dialect& dialect)
      : file_(file), dialect_(dialect), seen_(file.graph.neighbor_array().size(), false) {}

  [[noreturn]] void raise(std::string_view text, const std::string& name) {
    walk(text, name);
    const std::int64_t second = line_;
    const std::string ends = shown(file_.names.name(u_)) + " " + shown(file_.names.name(v_));
    wanted_ = std::minmax(u_, v_);
    walk(text, name);
    bad_line(name, second,
             "edge " + ends + " given again or with another weight; line " + std::to_string(line_) +
                 " has it first; remove one, or choose how duplicates are merged");
  }

  template <class Id>
  void edge(Id u_name, Id v_name, double weight) {
    u_ = file_.names.find(u_name);
    v_ = file_.names.find(v_name);
    if (u_ == v_ || weight == 0) return;
    if (wanted_.first != no_vertex) {
      found_ = std::pair<VertexId, VertexId>(std::minmax(u_, v_)) == wanted_;
      return;
    }
    const auto row = file_.graph.neighbors(u_);
    const EdgeIndex entry =
        file_.graph.row_begin(u_) + (std::lower_bound(row.begin(), row.end(), v_) - row.begin());
    auto seen = seen_[static_cast<std::size_t>(entry)];
    found_ = seen || file_.graph.weight_at(entry) != weight;
    seen = true;
  }
  void vertex(std::string_view) {}

 private:
  // Line by line until found_.
  void walk(std::string_view text, const std::string& name) {
    found_ = false;
    Walker<RepeatFinder> walker(dialect_, name, *this);
    for (line_ = 0; !text.empty() && !found_;) {
      const std::size_t end = text.find('\n');
      const std::size_t length = end == std::string_view::npos ? text.size() : end + 1;
      walker.walk(text.substr(0, length), ++line_);
      text.remove_prefix(length);
    }
  }

  const GraphFile& file_;
  const Dialect& dialect_;
  std::vector<bool> seen_;
  std::pair<VertexId, VertexId> wanted_ = {no_vertex, no_vertex};
  VertexId u_ = no_vertex;
  VertexId v_ = no_vertex;
  std::int64_t line_ = 0;
  bool found_ = false;
};

// Names all vertices, numbers the chunks' lines, and returns the number of lines.
std::int64_t name_vertices(const Dialect& dialect, const TextSource& source, const RunContext& run,
                           std::vector<Chunk>& chunks, Naming& naming) {
  Walker<Naming> walker(dialect, source.name(), naming);
  std::int64_t line = 1;
  for (std::size_t i = 0; i < chunks.size(); ++i) {
    check_progress(run, 0.5 * static_cast<double>(i) / static_cast<double>(chunks.size()));
    chunks[i].first_line = line;
    line = walker.walk(chunks[i].text, line);
    source.release(chunks[i].text);
  }
  return line - 1;
}

}  // namespace

void read_edge_list(const TextSource& source, const ReadOptions& options, const RunContext& run,
                    GraphFile& file) {
  Dialect dialect = sniff_dialect(source.text(), source.name());
  std::vector<Chunk> chunks = cut_at_lines(source.text(), chunk_bytes);
  bool placing_edges = false;
  const auto build = [&](DuplicatePolicy duplicates) {
    file.names = VertexNames();
    Naming naming(file.names, duplicates);
    file.stats.lines = name_vertices(dialect, source, run, chunks, naming);
    if (dialect.doubtful_header && (file.names.find(dialect.header_words[0]) != no_vertex ||
                                    file.names.find(dialect.header_words[1]) != no_vertex)) {
      return false;
    }
    placing_edges = true;
    file.graph =
        place_edges(naming.builder, naming.weighted, duplicates, chunks, source, run,
                    [&](const Chunk& chunk, auto& visit) {
                      Placing<std::remove_reference_t<decltype(visit)>> placing{file.names, visit};
                      Walker<decltype(placing)>(dialect, source.name(), placing)
                          .walk(chunk.text, chunk.first_line);
                    });
    take_counts(naming.builder.counts(), naming.zeros, file.stats);
    return true;
  };
  const auto build_with_header = [&](DuplicatePolicy duplicates) {
    if (build(duplicates)) return;
    // The words of the header are ids further down, so it is an edge.
    dialect.header = false;
    dialect.doubtful_header = false;
    build(duplicates);
  };
  if (options.duplicates != DuplicatePolicy::error) {
    build_with_header(options.duplicates);
    return;
  }
  try {
    build_with_header(DuplicatePolicy::error);
  } catch (const Error& error) {
    // Only a finished first walk leaves no bad line but a repeated edge.
    if (error.code() != ErrorCode::bad_data || !placing_edges) throw;
    build(DuplicatePolicy::first);
    RepeatFinder(file, dialect).raise(source.text(), source.name());
  }
}

}  // namespace gssl::detail
