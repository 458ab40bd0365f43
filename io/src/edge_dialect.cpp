#include "edge_dialect.hpp"

#include <algorithm>
#include <utility>

#include "gssl/core/error.hpp"
#include "gssl/core/number_text.hpp"
#include "sniff_table.hpp"

namespace gssl::detail {
namespace {

// Which fields are u, v, the weight and the layer, which is the last where edges have layers.
void choose_columns(Dialect& dialect, const std::vector<int>& columns, bool layers) {
  dialect.columns_told = !columns.empty();
  if (!dialect.columns_told && layers) {
    dialect.fits = dialect.fields == 3 || dialect.fields == 4;
    dialect.layer = dialect.fields - 1;
    if (dialect.fields == 4) dialect.weight = 2;
    dialect.plain = false;
    return;
  }
  if (!dialect.columns_told) {
    dialect.fits = dialect.fields == 2 || dialect.fields == 3;
    if (dialect.fields == 3) dialect.weight = 2;
    dialect.plain = dialect.fits && (!dialect.weight || dialect.decimal == '.');
    return;
  }
  const std::size_t most = layers ? 4 : 3;
  if (columns.size() + 1 != most && columns.size() != most) {
    throw Error(
        ErrorCode::usage,
        std::string("columns: an edge list has ") +
            (layers ? "3 or 4 where layers have weights, 'u v layer' or 'u v weight layer'; "
                    : "2 or 3, 'u v' or 'u v weight'; ") +
            std::to_string(columns.size()) + " are given",
        layers ? Remedy::columns | Remedy::layer_weights : Remedies(Remedy::columns));
  }
  const auto at = [&](std::size_t i) { return static_cast<std::size_t>(columns[i] - 1); };
  dialect.u = at(0);
  dialect.v = at(1);
  if (columns.size() == (layers ? 4 : 3)) dialect.weight = at(2);
  if (layers) dialect.layer = at(columns.size() - 1);
  dialect.fits =
      static_cast<std::size_t>(*std::max_element(columns.begin(), columns.end())) <= dialect.fields;
  dialect.plain = false;
}

// The first line of a file of the KONECT collection: "% asym positive" (Kunegis, KONECT – The
// Koblenz Network Collection, 2013, doi:10.1145/2487788.2488173).
enum class KonectHead { edges, arcs, two_kinds };

std::optional<KonectHead> konect_head(std::string_view text, const std::string& file) {
  const std::string_view line = trimmed(take_line(text));
  if (!line.starts_with('%')) return std::nullopt;
  FieldSplitter words(Separator::blanks, FieldSplitter::Empty::allowed);
  if (line.find('"') != std::string_view::npos || words.split(trimmed(line.substr(1)), "", 1) < 2)
    return std::nullopt;
  static constexpr std::array weights = {"unweighted",    "positive",    "posweighted",
                                         "signed",        "multisigned", "weighted",
                                         "multiweighted", "dynamic",     "multiposweighted"};
  if (std::find(weights.begin(), weights.end(), words[1]) == weights.end()) return std::nullopt;
  if (words[1].ends_with("signed"))
    bad_line(file, 1,
             "a signed network, whose weights may be negative; take those that are not, as in "
             "awk '$3 > 0' FILE | gssl … -");
  if (words[0] == "sym") return KonectHead::edges;
  if (words[0] == "asym") return KonectHead::arcs;
  if (words[0] == "bip") return KonectHead::two_kinds;
  return std::nullopt;
}

// The second line, "% EDGES VERTICES VERTICES", where it is there.
void take_promises(std::string_view text, bool two_kinds, Dialect& dialect) {
  take_line(text);
  const std::string_view line = trimmed(take_line(text));
  if (!line.starts_with('%') || line.find('"') != std::string_view::npos) return;
  FieldSplitter words(Separator::blanks, FieldSplitter::Empty::allowed);
  const std::size_t count = words.split(trimmed(line.substr(1)), "", 1);
  std::vector<std::int64_t> numbers;
  for (std::size_t i = 0; i < count; ++i) {
    const auto number = parse_number<std::int64_t>(words[i]);
    if (!number || *number < 0) return;
    numbers.push_back(*number);
  }
  if (numbers.empty() || numbers.size() > 3) return;
  dialect.promised_edges = numbers[0];
  if (numbers.size() != 3) return;
  const auto [left, right] = std::pair(numbers[1], numbers[2]);
  constexpr std::int64_t most = std::int64_t{1} << 40;
  if (left < most && right < most)
    dialect.promised_vertices = two_kinds ? left + right : std::max(left, right);
}

// Two kinds of vertices for "% bip", and the fourth column, which is a time, passed over.
void obey(KonectHead head, std::string_view text, bool layers, TableOptions& options,
          Dialect& dialect, std::vector<std::string>& notes) {
  if (head == KonectHead::two_kinds && !dialect.bipartite) {
    dialect.bipartite = true;
    notes.emplace_back(
        "the file says '% bip': its two columns are two kinds of vertices, called u:ID and v:ID");
  }
  if (head == KonectHead::arcs) {
    notes.emplace_back("the file says '% asym': its arcs are taken as edges");
  }
  if (options.given() || layers) return;
  while (!text.empty()) {
    const std::string_view line = trimmed(take_line(text));
    if (is_skipped(line)) continue;
    FieldSplitter fields(Separator::blanks);
    if (line.find('"') != std::string_view::npos || fields.split(line, "", 1) != 4) return;
    options.columns = {1, 2, 3};
    notes.emplace_back("column 4, the time, is passed over");
    return;
  }
}

// What separates the ends of edges if the first line of data ends in properties, as networkx'
// write_edgelist writes them.
std::optional<Separator> separator_before_properties(std::string_view text) {
  std::optional<Separator> found;
  std::string_view line;
  while (is_skipped(line) && !text.empty()) line = trimmed(take_line(text));
  const std::string_view ends = before_properties(line);
  if (is_skipped(line) || ends.size() == line.size() || ends.find('"') != std::string_view::npos)
    return found;
  Separator separator = Separator::blanks;
  for (const Separator other : {Separator::comma, Separator::semicolon, Separator::tab})
    if (line[line.find('{') - 1] == static_cast<char>(other)) separator = other;
  const FieldSplitter::Empty empty = FieldSplitter::Empty::allowed;
  if (FieldSplitter(separator, empty).split(ends, "", 1) == 2) found = separator;
  return found;
}

// Whether people call so what is no weight.
bool names_no_weight(std::string_view word) {
  static constexpr std::array words = {"time", "timestamp", "ts",        "date",  "datetime",
                                       "year", "month",     "day",       "type",  "kind",
                                       "id",   "edge_id",   "edgeid",    "label", "class",
                                       "key",  "relation",  "predicate", "layer", "color"};
  return std::ranges::any_of(words,
                             [&](const char* one) { return equal_ignoring_case(word, one); });
}

// Whether the words of a first line without a weight are plainly those of columns: such as headers
// have, or words over ids that are numbers on the next line, not both of a single letter.
bool names_columns(const FieldSplitter& first, const FieldSplitter& second,
                   const Dialect& dialect) {
  if (first[dialect.u].size() == 1 && first[dialect.v].size() == 1) return false;
  const auto is_number = [](std::string_view text) { return parse_decimal(text, '.').has_value(); };
  const auto names = [&](std::size_t column) {
    return is_header_word(first[column]) ||
           (is_number(second[column]) && !is_number(first[column]));
  };
  return names(dialect.u) && names(dialect.v);
}

// Throws if columns 2 and 3 are called as the two ends of an edge are, behind a column of row numbers
// or keys.
void refuse_column_before_ends(const FieldSplitter& first, const std::string& file,
                               std::int64_t line, const Dialect& dialect) {
  const auto is_end = [&](std::size_t column) {
    const std::string_view word = first[column];
    return word.size() > 1 && is_header_word(word) && !equal_ignoring_case(word, "weight");
  };
  if (dialect.columns_told || !dialect.weight || is_header_word(first[dialect.u])) return;
  if (!is_end(dialect.v) || !is_end(*dialect.weight)) return;
  bad_line(file, line,
           "columns 2 and 3 are called '" + shown(first[dialect.v]) + "' and '" +
               shown(first[*dialect.weight]) +
               "' as the two ends of edges, but columns 1 and 2 would be these and column 3 the "
               "weight; tell which columns are meant, as 2,3",
           Remedy::columns);
}

}  // namespace

std::string_view before_properties(std::string_view line) {
  const std::size_t brace = line.find('{');
  if (brace == std::string_view::npos || brace == 0 || !line.ends_with('}')) return line;
  if (std::string_view(" \t,;").find(line[brace - 1]) == std::string_view::npos) return line;
  return trimmed(line.substr(0, brace - 1));
}

bool ends_in_properties(std::string_view text, Dialect& dialect, std::vector<std::string>& notes) {
  const std::optional<Separator> separator = separator_before_properties(text);
  if (!separator) return false;
  dialect.properties = true;
  dialect.separator = *separator;
  dialect.plain = false;
  notes.emplace_back("lines end in properties {…}: of these the weight is read, 1 where none is");
  return true;
}

void note_of_no_weight(std::string_view word, std::vector<std::string>& notes) {
  if (names_no_weight(word))
    notes.push_back("column 3, '" + shown(word) +
                    "', is taken for the weight; if it is none, take columns 1,2 alone");
}

// Reads the first lines for the separator and the mark, the first data line for the fields, and the
// second if the first may be a header.
Dialect sniff_dialect(std::string_view text, const std::string& file, const ReadOptions& read,
                      std::vector<std::string>& notes) {
  Dialect dialect;
  TableOptions options = read.table;
  dialect.bipartite = read.bipartite;
  if (const std::optional<KonectHead> head = konect_head(text, file)) {
    take_promises(text, *head == KonectHead::two_kinds, dialect);
    obey(*head, text, !read.layers.empty(), options, dialect, notes);
  }
  const bool may_end_in_properties = !options.given() && read.layers.empty();
  if (may_end_in_properties && ends_in_properties(text, dialect, notes)) return dialect;
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
  choose_columns(dialect, options.columns, !read.layers.empty());
  if (!dialect.fits) return dialect;
  const auto weighs = [&](const FieldSplitter& fields) {
    return parse_decimal(fields[*dialect.weight], dialect.decimal).has_value();
  };
  const bool weight_is_word = dialect.weight && !weighs(first);
  if (weight_is_word) refuse_column_before_ends(first, file, number, dialect);
  const std::string_view u = first[dialect.u];
  const std::string_view v = first[dialect.v];
  if (is_header_word(u) && is_header_word(v) && (!dialect.weight || weight_is_word)) {
    dialect.header = true;
    dialect.doubtful_header = !dialect.weight && u.size() == 1 && v.size() == 1;
    dialect.header_words = {std::string(u), std::string(v)};
    if (dialect.weight && !dialect.columns_told) note_of_no_weight(first[*dialect.weight], notes);
  } else if ((!dialect.weight || weight_is_word) && next()) {
    FieldSplitter second(dialect.separator, FieldSplitter::Empty::allowed);
    if (second.split(line, file, number) != dialect.fields) return dialect;
    const bool over_ids = names_columns(first, second, dialect);
    dialect.header = weight_is_word ? weighs(second) : over_ids;
    dialect.doubtful_header = dialect.header && !(weight_is_word && over_ids);
    if (!dialect.doubtful_header) return dialect;
    dialect.header_words = {std::string(u), std::string(v)};
    dialect.header_note = "line " + std::to_string(dialect.first_line) + " is taken for a header, ";
    dialect.header_note += weight_is_word ? "since '" + shown(first[*dialect.weight]) +
                                                "' is no weight; if it is an edge, mend it"
                                          : "since '" + shown(u) + "' and '" + shown(v) +
                                                "' stand over numbers and are no ids further down";
  }
  return dialect;
}

}  // namespace gssl::detail
