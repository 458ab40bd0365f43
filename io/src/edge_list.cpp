// Edge lists. One walk checks every line, names the vertices and hands the edges to the builder as
// pairs of vertices: to keep 8 bytes an edge is cheaper than to parse and look up every id again.
#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <span>

#include "fields.hpp"
#include "graph_formats.hpp"
#include "gssl/core/error.hpp"
#include "gssl/core/number_text.hpp"
#include "integer_text.hpp"
#include "sniff_table.hpp"

namespace gssl::detail {
namespace {

constexpr std::size_t chunk_bytes = std::size_t{1} << 22;

// How the data lines of one file are written.
struct Dialect {
  Separator separator = Separator::blanks;
  char decimal = '.';
  std::size_t fields = 2;  // of every data line
  std::size_t u = 0;       // which of them these are, from 0
  std::size_t v = 1;
  std::optional<std::size_t> weight = {};
  bool fits = true;   // the first data line has the fields wanted
  bool plain = true;  // "u v" or "u v weight" and nothing else: the fast ways may be tried
  bool columns_told = false;
  std::int64_t first_line = 0;  // the first data line; the header if there is one
  bool header = false;
  bool doubtful_header = false;  // two one-letter words that could be ids: "u v"
  std::array<std::string, 2> header_words;
};

// The characters of an id that stands for itself where `separator` separates.
constexpr std::array<bool, 256> plain_characters(Separator separator) {
  std::array<bool, 256> plain{};
  plain.fill(true);
  for (const char c : {'\0', '\t', '\n', '\r', ' ', '"', ',', static_cast<char>(separator)})
    plain[static_cast<unsigned char>(c)] = false;
  return plain;
}

// Calls sink.edge(u, v, w), with ids as integers or as text, sink.passing_edge(u, v, w), whose ids
// do not outlive the call, and sink.vertex(name).
template <class Sink>
class Walker {
 public:
  Walker(const Dialect& dialect, const std::string& file, Sink& sink)
      : dialect_(dialect),
        file_(file),
        sink_(sink),
        fields_(dialect.separator, dialect.columns_told ? FieldSplitter::Empty::allowed
                                                        : FieldSplitter::Empty::refused),
        plain_(plain_characters(dialect.separator)) {}

  // Walks whole lines, the first of which is `line`; returns the number of the line after them.
  std::int64_t walk(std::string_view text, std::int64_t line) {
    const char* at = text.data();
    const char* const end = at + text.size();
    for (; at != end; ++line) {
      const char* next = nullptr;
      if (dialect_.plain) next = integer_line(at, end);
      if (next == nullptr && dialect_.plain && !(dialect_.header && line == dialect_.first_line))
        next = word_line(at, end);
      if (next != nullptr) {
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

  // The fast ways: "id separator id [separator weight] newline" and nothing else. They return the
  // next line, or nullptr with nothing done.
  const char* integer_line(const char* at, const char* end) {
    std::uint64_t u = 0;
    std::uint64_t v = 0;
    at = take_integer(at, end, u);
    if (at == nullptr || at == end || !separates(*at)) return nullptr;
    at = take_integer(at + 1, end, v);
    return at == nullptr ? nullptr : rest_of_edge(u, v, at, end);
  }

  // The longest run of plain characters.
  std::string_view take_word(const char* at, const char* end) const {
    const char* stop = at;
    while (stop != end && plain_[static_cast<unsigned char>(*stop)]) ++stop;
    return {at, static_cast<std::size_t>(stop - at)};
  }

  const char* word_line(const char* at, const char* end) {
    if (*at == '#' || *at == '%') return nullptr;
    const std::string_view u = take_word(at, end);
    at += u.size();
    if (u.empty() || at == end || !separates(*at)) return nullptr;
    const std::string_view v = take_word(++at, end);
    return v.empty() ? nullptr : rest_of_edge(u, v, at + v.size(), end);
  }

  template <class Id>
  const char* rest_of_edge(Id u, Id v, const char* at, const char* end) {
    double weight = 1.0;
    if (dialect_.fields == 3) {
      if (at == end || !separates(*at)) return nullptr;
      at = take_weight(at + 1, end, weight);
      if (at == nullptr) return nullptr;
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
    if (count != dialect_.fields || !dialect_.fits) wrong_count(line, number, count);
    if (dialect_.columns_told) check_columns(number);
    const double weight =
        dialect_.weight ? parse_weight(fields_[*dialect_.weight], file_, number, dialect_.decimal)
                        : 1.0;
    sink_.passing_edge(fields_[dialect_.u], fields_[dialect_.v], weight);
  }

  // Only the columns told must hold something.
  void check_columns(std::int64_t number) const {
    for (const std::size_t column : {dialect_.u, dialect_.v, dialect_.weight.value_or(dialect_.u)})
      if (fields_[column].empty())
        bad_line(file_, number,
                 "column " + std::to_string(column + 1) +
                     " is empty; expected a value; fill the "
                     "gap, or take other --columns");
  }

  [[noreturn]] void wrong_count(std::string_view line, std::int64_t number, std::size_t count) {
    std::string message =
        std::to_string(count) + (count == 1 ? " field in '" : " fields in '") + shown(line) + "'; ";
    const std::string separated = " separated by " + to_string(dialect_.separator);
    if (dialect_.fits) {
      message += "expected " + std::to_string(dialect_.fields) + separated + ", as on line " +
                 std::to_string(dialect_.first_line) + "; give every line the same fields";
    } else if (dialect_.columns_told) {
      message += "--columns asks for more" + separated;
    } else if (count > 3) {
      message += "column 4 is '" + shown(fields_[3]) + "'; expected 'u v' or 'u v weight'" +
                 separated + "; tell the columns to take, as in --columns 1,2,3";
    } else {
      message += "expected 'u v' or 'u v weight'" + separated;
    }
    bad_line(file_, number, message);
  }

  const Dialect& dialect_;
  const std::string& file_;
  Sink& sink_;
  FieldSplitter fields_;
  std::array<bool, 256> plain_;
  std::string name_;
};

// Numbers vertices by first appearance and hands their edges to the builder, some lines at a time,
// so that the look-ups of their ids wait for memory together.
class Naming {
 public:
  Naming(VertexNames& names, GraphBuilder& builder) : names_(names), builder_(builder) {}

  void edge(std::uint64_t u, std::uint64_t v, double weight) { keep(integers_, u, v, weight); }
  void edge(std::string_view u, std::string_view v, double weight) { keep(words_, u, v, weight); }
  void passing_edge(std::string_view u, std::string_view v, double weight) {
    edge(u, v, weight);
    flush();
  }
  void vertex(std::string_view name) {
    flush();
    names_.insert(name);
  }

  // To be called after the last edge.
  void flush() {
    hand_over(integers_);
    hand_over(words_);
  }

  std::int64_t zeros() const { return zeros_; }

 private:
  static constexpr std::size_t batch = 64;
  template <class Id>
  struct Waiting {
    std::size_t edges = 0;
    std::array<Id, 2 * batch> ids;
    std::array<double, batch> weights;
  };

  template <class Id>
  void keep(Waiting<Id>& lines, Id u, Id v, double weight) {
    if (lines.edges == 0) flush();  // the others, which came first
    lines.ids[2 * lines.edges] = u;
    lines.ids[2 * lines.edges + 1] = v;
    lines.weights[lines.edges] = weight;
    if (++lines.edges == batch) hand_over(lines);
  }

  template <class Id>
  void hand_over(Waiting<Id>& lines) {
    if (lines.edges == 0) return;
    std::array<VertexId, 2 * batch> vertices;
    names_.insert(std::span<const Id>(lines.ids).first(2 * lines.edges), vertices);
    for (std::size_t i = 0; i < lines.edges; ++i) {
      if (lines.weights[i] == 0) {
        ++zeros_;
      } else {
        builder_.add(vertices[2 * i], vertices[2 * i + 1], lines.weights[i]);
      }
    }
    lines.edges = 0;
  }

  VertexNames& names_;
  GraphBuilder& builder_;
  Waiting<std::uint64_t> integers_;
  Waiting<std::string_view> words_;
  std::int64_t zeros_ = 0;
};

// Which fields are u, v and the weight.
void choose_columns(Dialect& dialect, const std::vector<int>& columns) {
  dialect.columns_told = !columns.empty();
  if (!dialect.columns_told) {
    dialect.fits = dialect.fields == 2 || dialect.fields == 3;
    if (dialect.fields == 3) dialect.weight = 2;
    dialect.plain = dialect.fits && (!dialect.weight || dialect.decimal == '.');
    return;
  }
  if (columns.size() != 2 && columns.size() != 3) {
    throw Error(ErrorCode::usage, "--columns: an edge list has 2 or 3, 'u v' or 'u v weight'; " +
                                      std::to_string(columns.size()) + " are given");
  }
  const auto at = [&](std::size_t i) { return static_cast<std::size_t>(columns[i] - 1); };
  dialect.u = at(0);
  dialect.v = at(1);
  if (columns.size() == 3) dialect.weight = at(2);
  dialect.fits =
      static_cast<std::size_t>(*std::max_element(columns.begin(), columns.end())) <= dialect.fields;
  dialect.plain = false;
}

// Reads the first lines for the separator and the mark, the first data line for the fields, and the
// second if the first may be a header.
Dialect sniff_dialect(std::string_view text, const std::string& file, const TableOptions& options) {
  Dialect dialect;
  const TableSyntax syntax =
      sniff_table(text, options.skip_lines + 1, file, TableUse::edges, options);
  dialect.separator = syntax.separator;
  dialect.decimal = syntax.decimal;
  std::string_view line;
  std::int64_t number = options.skip_lines;
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
  FieldSplitter first(dialect.separator, FieldSplitter::Empty::allowed);
  dialect.fields = first.split(line, file, number);
  choose_columns(dialect, options.columns);
  if (!dialect.fits) return dialect;
  const auto weighs = [&](const FieldSplitter& fields) {
    return parse_decimal(fields[*dialect.weight], dialect.decimal).has_value();
  };
  const bool weight_is_word = dialect.weight && !weighs(first);
  const std::string_view u = first[dialect.u];
  const std::string_view v = first[dialect.v];
  if (is_header_word(u) && is_header_word(v) && (!dialect.weight || weight_is_word)) {
    dialect.header = true;
    dialect.doubtful_header = !dialect.weight && u.size() == 1 && v.size() == 1;
    dialect.header_words = {std::string(u), std::string(v)};
  } else if (weight_is_word && next()) {
    FieldSplitter second(dialect.separator, FieldSplitter::Empty::allowed);
    dialect.header = second.split(line, file, number) == dialect.fields && weighs(second);
  }
  return dialect;
}

// The lines of an edge that DuplicatePolicy::error refuses. The graph given was built by `first`:
// in it every edge has the weight of its first line.
class RepeatFinder {
 public:
  RepeatFinder(const GraphFile& file, const Dialect& dialect)
      : file_(file), dialect_(dialect), seen_(file.graph.neighbor_array().size(), false) {}

  // `text` starts with line `first` of the file.
  [[noreturn]] void raise(std::string_view text, std::int64_t first, const std::string& name) {
    before_ = first - 1;
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
  void passing_edge(std::string_view u, std::string_view v, double weight) { edge(u, v, weight); }
  void vertex(std::string_view) {}

 private:
  // Line by line until found_.
  void walk(std::string_view text, const std::string& name) {
    found_ = false;
    Walker<RepeatFinder> walker(dialect_, name, *this);
    for (line_ = before_; !text.empty() && !found_;) {
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
  std::int64_t before_ = 0;  // lines before the text
  std::int64_t line_ = 0;
  bool found_ = false;
};

// Walks `text`, the part of the source from `line` on, and returns its last line.
std::int64_t walk_text(const Dialect& dialect, std::string_view text, std::int64_t line,
                       const TextSource& source, const RunContext& run, Naming& naming) {
  Walker<Naming> walker(dialect, source.name(), naming);
  const std::vector<Chunk> chunks = cut_at_lines(text, chunk_bytes);
  for (std::size_t i = 0; i < chunks.size(); ++i) {
    check_progress(run, static_cast<double>(i) / static_cast<double>(chunks.size()));
    line = walker.walk(chunks[i].text, line);
    source.release(chunks[i].text);
  }
  naming.flush();
  check_progress(run, 1.0);
  return line - 1;
}

}  // namespace

void read_edge_list(const TextSource& source, const ReadOptions& options, const RunContext& run,
                    GraphFile& file) {
  const std::string_view text = without_lines(source.text(), options.table.skip_lines);
  const std::int64_t first_line = options.table.skip_lines + 1;
  Dialect dialect = sniff_dialect(text, source.name(), options.table);
  bool walked = false;
  const auto build = [&](DuplicatePolicy duplicates) {
    file.names = VertexNames();
    GraphBuilder builder(0, {.duplicates = duplicates});
    Naming naming(file.names, builder);
    file.stats.lines = walk_text(dialect, text, first_line, source, run, naming);
    if (dialect.doubtful_header && (file.names.find(dialect.header_words[0]) != no_vertex ||
                                    file.names.find(dialect.header_words[1]) != no_vertex)) {
      return false;
    }
    walked = true;
    builder.grow(file.names.size());
    file.graph = finish_graph(builder, source, run);
    take_counts(builder.counts(), naming.zeros(), file.stats);
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
    // Only a finished walk leaves no bad line but a repeated edge.
    if (error.code() != ErrorCode::bad_data || !walked) throw;
    build(DuplicatePolicy::first);
    RepeatFinder(file, dialect).raise(text, first_line, source.name());
  }
}

}  // namespace gssl::detail
