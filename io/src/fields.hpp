#pragma once
// Lines and fields: the syntax that edge lists, labels and priors share.
//
// Fields are separated by a comma, a tab, a semicolon, another character that is told, or runs of
// blanks. Which it is, sniff_table.hpp finds for tables; the first data line for lists of labels.
// A "quoted field" may hold the separator, and a quote when doubled. Blanks around a field are not
// part of it. Lines that are blank or start with # or % are not data.

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gssl/core/remedy.hpp"

namespace gssl::detail {

// Throws ErrorCode::bad_data "FILE:LINE: message".
[[noreturn]] void bad_line(const std::string& file, std::int64_t line, const std::string& message,
                           Remedies remedies = {});

// `text` cut to a readable length with unprintable bytes escaped, for messages.
std::string shown(std::string_view text);

std::string_view trimmed(std::string_view text);
// Without blanks and the end of a line at its ends; tabs stay, since a field beside one may be empty.
std::string_view trimmed_but_tabs(std::string_view text);
bool equal_ignoring_case(std::string_view text, std::string_view lower_case);

// Takes the next line off the front of `rest`, without its end.
std::string_view take_line(std::string_view& rest);

// Blank, or a comment. Precondition: `line` is trimmed.
inline bool is_skipped(std::string_view line) {
  return line.empty() || line.front() == '#' || line.front() == '%';
}

// The character itself; others than these are told by TableOptions::delimiter.
enum class Separator : char { blanks = ' ', tab = '\t', comma = ',', semicolon = ';' };

// A comma or else a tab outside quotes decides; blanks otherwise.
Separator sniff_separator(std::string_view line);
// The same where each line has several fields: a semicolon decides if nothing else separates. Where
// there are to be `least` fields, the first of tab, comma and semicolon that makes so many.
Separator sniff_list_separator(std::string_view line, std::size_t least = 0);
std::string to_string(Separator separator);  // "commas"
// How many stand between separators outside quotes. Precondition: `line` is trimmed.
std::size_t fields_between(std::string_view line, Separator separator);

// Splits one line at a time; the fields point into the line or into this object.
class FieldSplitter {
 public:
  enum class Empty { refused, allowed };  // fields without quotes and text

  explicit FieldSplitter(Separator separator, Empty empty = Empty::refused)
      : separator_(separator), empty_(empty) {}

  // Number of fields of a trimmed line. A broken quotation throws as bad_line(file, number, …).
  std::size_t split(std::string_view line, const std::string& file, std::int64_t number);
  std::string_view operator[](std::size_t i) const { return fields_[i]; }
  Separator separator() const { return separator_; }

  // Whether field i of `line`, which was split last, stood in quotes.
  bool was_quoted(std::size_t i, std::string_view line) const;

 private:
  Separator separator_;
  Empty empty_;
  std::vector<std::string_view> fields_;
  std::deque<std::string> unquoted_;  // never moved, since fields point to them
};

// The whole of `text` as a number with this decimal mark, '.' or ',', or nothing.
std::optional<double> parse_decimal(std::string_view text, char mark);

// A weight: finite and > 0, or 0, which the caller drops. Anything else throws as bad_line().
double parse_weight(std::string_view text, const std::string& file, std::int64_t line,
                    char decimal = '.');

// The name in a "#gssl-vertex<TAB>NAME" line, with which our writer keeps isolated vertices and the
// order of the others; false if `line` is not one.
inline constexpr std::string_view vertex_mark = "#gssl-vertex\t";
bool parse_vertex_line(std::string_view line, const std::string& file, std::int64_t number,
                       std::string& name);

// Whether a column of vertices may be called so: "source", "u", "node1", …; in any case of letters.
bool is_header_word(std::string_view text);

}  // namespace gssl::detail
