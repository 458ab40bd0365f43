#pragma once
// One walk over the lines of an edge list: the fast ways first, and the patient way, which also
// says what is wrong, for all other lines.

#include <array>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "commented_data.hpp"
#include "edge_dialect.hpp"
#include "fields.hpp"
#include "integer_text.hpp"

namespace gssl::detail {

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

  // The first lines of `text`, while they go a fast way: ids that are all integers, if `integers`,
  // then words. Counts them in `lines` and returns the text from the first other line on. The first
  // line must not be a header.
  std::string_view walk_fast(std::string_view text, std::int64_t& lines, bool integers) {
    lines = 0;
    if (!dialect_.plain) return text;
    const char* at = text.data();
    const char* const end = at + text.size();
    const auto walk_by = [&](auto&& take_line) {
      while (at != end) {
        const char* const next = take_line();
        if (next == nullptr) return;
        at = next;
        ++lines;
      }
    };
    if (integers) walk_by([&] { return integer_line(at, end); });
    walk_by([&] { return word_line(at, end); });
    return {at, static_cast<std::size_t>(end - at)};
  }

  // Comments that look like edges, as far as lines were walked by walk().
  const CommentedData& commented() const { return commented_; }

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
      } else if (!line.empty() && number > dialect_.first_line) {
        commented_.see(line, number, dialect_.separator, dialect_.fields);
      }
      return;
    }
    if (dialect_.header && number == dialect_.first_line) return;
    if (line.find('\0') != std::string_view::npos) {
      bad_line(file_, number,
               "binary data (a zero byte); expected text lines 'u v [weight]'; "
               "check the file or give its format");
    }
    if (dialect_.properties) return edge_with_properties(line, number);
    const std::size_t count = fields_.split(line, file_, number);
    if (count != dialect_.fields || !dialect_.fits) wrong_count(line, number, count);
    if (dialect_.columns_told) check_columns(number);
    double weight = dialect_.weight
                        ? parse_weight(fields_[*dialect_.weight], file_, number, dialect_.decimal)
                        : 1.0;
    if (dialect_.layer) weight *= dialect_.layers->weight(fields_[*dialect_.layer], file_);
    sink_.passing_edge(fields_[dialect_.u], fields_[dialect_.v], weight);
  }

  // "u v {'weight': 2.0, …}"; the weight is 1 where none is told.
  void edge_with_properties(std::string_view line, std::int64_t number) {
    const std::string_view ends = before_properties(line);
    if (ends.size() == line.size() || fields_.split(ends, file_, number) != 2)
      bad_line(file_, number,
               "'" + shown(line) + "'; expected u v {…}, as on the first line; mend the line");
    std::string_view rest = line.substr(ends.size());
    double weight = 1.0;
    for (const std::string_view key : {"'weight':", "\"weight\":"}) {
      const std::size_t at = rest.find(key);
      if (at == std::string_view::npos) continue;
      rest.remove_prefix(at + key.size());
      weight = parse_weight(trimmed(rest.substr(0, rest.find_first_of(",}"))), file_, number, '.');
      break;
    }
    sink_.passing_edge(fields_[0], fields_[1], weight);
  }

  // Only the columns told must hold something.
  void check_columns(std::int64_t number) const {
    for (const std::size_t column : {dialect_.u, dialect_.v, dialect_.weight.value_or(dialect_.u)})
      if (fields_[column].empty())
        bad_line(file_, number,
                 "column " + std::to_string(column + 1) +
                     " is empty; expected a value; fill the "
                     "gap, or take other columns",
                 Remedy::columns);
  }

  [[noreturn]] void wrong_count(std::string_view line, std::int64_t number, std::size_t count) {
    std::string message =
        std::to_string(count) + (count == 1 ? " field in '" : " fields in '") + shown(line) + "'; ";
    Remedies remedies;
    const std::string separated = " separated by " + to_string(dialect_.separator);
    if (dialect_.fits) {
      message += "expected " + std::to_string(dialect_.fields) + separated + ", as on line " +
                 std::to_string(dialect_.first_line) + "; give every line the same fields";
    } else if (dialect_.columns_told) {
      message += "the columns told are more" + separated;
      remedies = Remedy::columns;
    } else if (dialect_.layer) {
      message +=
          "expected 'u v layer' or 'u v weight layer'" + separated + ", as layers have weights";
      remedies = Remedy::layer_weights;
    } else if (count > 3) {
      message += "column 4 is '" + shown(fields_[3]) + "'; expected 'u v' or 'u v weight'" +
                 separated + "; tell the columns to take, as 1,2,3";
      remedies = Remedy::columns;
      if (dialect_.separator == Separator::comma && count == 4 &&
          fields_[3].find_first_not_of("0123456789") == std::string_view::npos) {
        message += "; if '" + shown(fields_[2]) + "," + shown(fields_[3]) +
                   "' is one number, separate the fields by another character";
      }
    } else {
      message += "expected 'u v' or 'u v weight'" + separated;
      if (count == 1 && line.find('|') != std::string_view::npos) {
        message += "; where | separates, say so";
        remedies = Remedy::delimiter;
      }
    }
    bad_line(file_, number, message, remedies);
  }

  const Dialect& dialect_;
  const std::string& file_;
  Sink& sink_;
  FieldSplitter fields_;
  std::array<bool, 256> plain_;
  CommentedData commented_;
  std::string name_;
};

}  // namespace gssl::detail
