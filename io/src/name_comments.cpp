#include "name_comments.hpp"

#include <optional>
#include <utility>

#include "fields.hpp"

namespace gssl::detail {
namespace {

constexpr std::string_view mark = "%gssl-vertex";

bool is_control(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte < 0x20 || byte == 0x7F;
}

std::optional<int> hexadecimal(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return std::nullopt;
}

// The name that append_name_comment() wrote so, or nothing.
std::optional<std::string> unescaped(std::string_view text) {
  std::string name;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\') {
      name += text[i];
      continue;
    }
    if (text.size() - i < 4 || text[i + 1] != 'x') return std::nullopt;
    const auto high = hexadecimal(text[i + 2]);
    const auto low = hexadecimal(text[i + 3]);
    if (!high || !low) return std::nullopt;
    name += static_cast<char>(*high * 16 + *low);
    i += 3;
  }
  return name;
}

}  // namespace

void append_name_comment(std::string_view name, std::string& out) {
  out += mark;
  out += '\t';
  for (std::size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    const bool end_blank = c == ' ' && (i == 0 || i + 1 == name.size());
    if (c != '\\' && !is_control(c) && !end_blank) {
      out += c;
      continue;
    }
    constexpr char digits[] = "0123456789abcdef";
    out += "\\x";
    out += digits[static_cast<unsigned char>(c) >> 4];
    out += digits[static_cast<unsigned char>(c) & 15];
  }
  out += '\n';
}

void NameComments::take(std::string_view line, const std::string& file, std::int64_t number) {
  if (!line.starts_with(mark)) return;
  line.remove_prefix(mark.size());
  if (!line.empty() && line.front() != '\t') return;
  const std::string_view text = trimmed(line);
  const std::optional<std::string> name = unescaped(text);
  if (!name) {
    bad_line(file, number,
             "name '" + shown(text) +
                 "' has a backslash; expected \\x and two hexadecimal digits "
                 "after it, \\x5c for the backslash itself");
  }
  const VertexId expected = names_.size();
  if (names_.insert(*name) != expected) {
    bad_line(file, number, "vertex name '" + shown(*name) + "' is given again; keep one");
  }
  last_line_ = number;
}

VertexNames NameComments::names(VertexId count, const std::string& file) && {
  if (empty()) return VertexNames::numbered(count, 1);
  if (names_.size() != count) {
    bad_line(file, last_line_,
             std::to_string(names_.size()) + " names of vertices by " + std::string(mark) +
                 "; there are " + std::to_string(count) + " vertices; name all or none");
  }
  return std::move(names_);
}

bool numbered_from_one(const VertexNames& names) {
  std::string name;
  for (VertexId v = 0; v < names.size(); ++v) {
    name.clear();
    names.append_name(v, name);
    if (name != std::to_string(static_cast<std::int64_t>(v) + 1)) return false;
  }
  return true;
}

}  // namespace gssl::detail
