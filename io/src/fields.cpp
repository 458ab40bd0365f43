#include "fields.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <functional>

#include "gssl/core/error.hpp"
#include "gssl/core/number_text.hpp"

namespace gssl::detail {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

template <class IsEnd>
std::string_view without_ends(std::string_view text, IsEnd&& is_end) {
  while (!text.empty() && is_end(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_end(text.back())) text.remove_suffix(1);
  return text;
}

}  // namespace

std::size_t fields_between(std::string_view line, Separator separator) {
  std::size_t fields = 1;
  bool quoted = false, after_blank = false;
  for (const char c : line) {
    if (c == '"') quoted = !quoted;
    const bool blank = is_blank(c);
    const bool separates =
        separator == Separator::blanks ? blank && !after_blank : c == static_cast<char>(separator);
    if (!quoted && separates) ++fields;
    after_blank = blank;
  }
  return fields;
}

void bad_line(const std::string& file, std::int64_t line, const std::string& message,
              Remedies remedies) {
  throw Error(ErrorCode::bad_data, file + ":" + std::to_string(line) + ": " + message, remedies);
}

std::string shown(std::string_view text) {
  constexpr std::size_t longest = 60;
  std::string out;
  for (const char c : text.substr(0, longest)) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte != 0x7F) {
      out += c;
    } else {
      constexpr char digits[] = "0123456789abcdef";
      out += "\\x";
      out += digits[byte >> 4];
      out += digits[byte & 15];
    }
  }
  if (text.size() > longest) out += "...";
  return out;
}

std::string_view trimmed(std::string_view text) { return without_ends(text, is_blank); }

std::string_view trimmed_but_tabs(std::string_view text) {
  return without_ends(text, [](char c) { return c != '\t' && is_blank(c); });
}

bool equal_ignoring_case(std::string_view text, std::string_view lower_case) {
  return std::equal(text.begin(), text.end(), lower_case.begin(), lower_case.end(),
                    [](char a, char b) { return (a >= 'A' && a <= 'Z' ? a - 'A' + 'a' : a) == b; });
}

std::string_view take_line(std::string_view& rest) {
  const std::size_t end = rest.find('\n');
  std::string_view line = rest.substr(0, end);
  rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  return line;
}

Separator sniff_separator(std::string_view line) {
  bool quoted = false;
  bool tab = false;
  for (const char c : line) {
    if (c == '"') quoted = !quoted;
    if (quoted) continue;
    if (c == ',') return Separator::comma;
    tab = tab || c == '\t';
  }
  return tab ? Separator::tab : Separator::blanks;
}

Separator sniff_list_separator(std::string_view line, std::size_t least) {
  if (least > 1) {
    for (const Separator one : {Separator::tab, Separator::comma, Separator::semicolon})
      if (fields_between(line, one) >= least) return one;
  }
  const Separator separator = sniff_separator(line);
  if (separator != Separator::blanks) return separator;
  bool quoted = false;
  bool semicolon = false;
  for (const char c : line) {
    if (c == '"') quoted = !quoted;
    if (!quoted && c == ' ') return Separator::blanks;
    semicolon = semicolon || (!quoted && c == ';');
  }
  return semicolon ? Separator::semicolon : Separator::blanks;
}

std::string to_string(Separator separator) {
  switch (separator) {
    case Separator::blanks: return "blanks";
    case Separator::tab: return "tabs";
    case Separator::comma: return "commas";
    case Separator::semicolon: return "semicolons";
  }
  return {'\'', static_cast<char>(separator), '\''};
}

bool FieldSplitter::was_quoted(std::size_t i, std::string_view line) const {
  const char* const at = fields_[i].data();
  return std::less<>()(at, line.data()) || std::less<>()(line.data() + line.size(), at);
}

std::size_t FieldSplitter::split(std::string_view line, const std::string& file,
                                 std::int64_t number) {
  const char separator = static_cast<char>(separator_);
  const bool runs = separator_ == Separator::blanks;
  const auto ends_field = [&](char c) { return runs ? is_blank(c) : c == separator; };
  fields_.clear();
  std::size_t quoted = 0;
  std::size_t at = 0;
  for (;;) {
    while (at < line.size() && is_blank(line[at]) && (runs || line[at] != separator)) ++at;
    if (runs && at == line.size()) return fields_.size();
    if (at < line.size() && line[at] == '"') {
      if (quoted == unquoted_.size()) unquoted_.emplace_back();
      std::string& text = unquoted_[quoted++];
      text.clear();
      for (++at;; ++at) {
        if (at == line.size()) {
          bad_line(file, number,
                   "a quoted field does not end; expected a closing \" on its line; "
                   "close it, or double a quote that is part of an id");
        }
        if (line[at] == '"' && (++at == line.size() || line[at] != '"')) break;
        text += line[at];
      }
      fields_.push_back(text);
      while (at < line.size() && is_blank(line[at]) && !ends_field(line[at])) ++at;
      if (at < line.size() && !ends_field(line[at])) {
        bad_line(file, number,
                 "text after a closing quote: " + shown(line.substr(at)) +
                     "; expected a separator; double a quote that is part of an id");
      }
    } else {
      const std::size_t begin = at;
      while (at < line.size() && !ends_field(line[at])) ++at;
      fields_.push_back(trimmed(line.substr(begin, at - begin)));
      if (fields_.back().empty() && empty_ == Empty::refused) {
        bad_line(file, number,
                 "field " + std::to_string(fields_.size()) +
                     " is empty; expected a value; write \"\" for an empty id");
      }
    }
    if (at >= line.size()) return fields_.size();
    ++at;
  }
}

std::optional<double> parse_decimal(std::string_view text, char mark) {
  if (mark == '.') return parse_number<double>(text);
  if (text.find('.') != std::string_view::npos) return std::nullopt;
  const std::size_t comma = text.find(',');
  if (comma == std::string_view::npos) return parse_number<double>(text);
  std::string pointed(text);
  pointed[comma] = '.';
  return parse_number<double>(pointed);
}

double parse_weight(std::string_view text, const std::string& file, std::int64_t line,
                    char decimal) {
  const std::optional<double> value = parse_decimal(text, decimal);
  const auto refuse = [&](const std::string& rule, Remedies remedies = {}) {
    bad_line(file, line, "weight " + shown(text) + "; " + rule, remedies);
  };
  if (!value) {
    double ignored = 0.0;
    const std::string_view digits = text.substr(text.starts_with('+') ? 1 : 0);
    const auto error = std::from_chars(digits.data(), digits.data() + digits.size(), ignored).ec;
    if (error == std::errc::result_out_of_range)
      refuse("out of the range of a double; rescale the weights");
    if (parse_decimal(text, decimal == '.' ? ',' : '.')) {
      refuse(std::string("expected a decimal ") + (decimal == '.' ? "point" : "comma") +
                 "; tell the mark, or mend the line",
             Remedy::decimal);
    }
    refuse("expected a number > 0; fix the field or its separator");
  }
  if (std::isnan(*value)) refuse("not a number; must be > 0; remove the edge or fix the weight");
  if (std::isinf(*value)) refuse("must be finite; remove the edge or fix the weight");
  if (*value < 0) refuse("must be > 0; remove the edge or fix the weight");
  return *value;
}

bool parse_vertex_line(std::string_view line, const std::string& file, std::int64_t number,
                       std::string& name) {
  if (!line.starts_with(vertex_mark)) return false;
  const std::string_view text = trimmed(line.substr(vertex_mark.size()));
  FieldSplitter fields(Separator::tab);
  if (fields.split(text, file, number) != 1) {
    bad_line(file, number, "several fields after #gssl-vertex; expected one id");
  }
  name = fields[0];
  return true;
}

bool is_header_word(std::string_view text) {
  static constexpr std::array words = {
      "source", "target", "src",   "dst",     "from",    "to",     "u",    "v",     "w",
      "node",   "node1",  "node2", "node_1",  "node_2",  "vertex", "id1",  "id2",   "id_1",
      "id_2",   "start",  "end",   "vertex1", "vertex2", "head",   "tail", "weight"};
  return std::any_of(words.begin(), words.end(),
                     [&](const char* word) { return equal_ignoring_case(text, word); });
}

}  // namespace gssl::detail
