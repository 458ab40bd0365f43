#include "gssl/io/table_options.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

#include "gssl/core/error.hpp"
#include "gssl/core/number_text.hpp"

namespace gssl {
namespace {

constexpr int most_columns = 1 << 20;

// Signs that cannot stand in numbers, start a comment or quote a field.
constexpr std::string_view delimiters = "\t ,;|:&~^";

std::optional<int> column_number(std::string_view text) {
  const auto value = parse_number<int>(text);
  return value && *value >= 1 && *value <= most_columns ? value : std::nullopt;
}

}  // namespace

bool TableOptions::given() const {
  return delimiter != 0 || decimal != 0 || skip_lines != 0 || !columns.empty();
}

Remedies TableOptions::remedies() const {
  Remedies all;
  if (delimiter != 0) all |= Remedy::delimiter;
  if (decimal != 0) all |= Remedy::decimal;
  if (skip_lines != 0) all |= Remedy::skip_lines;
  if (!columns.empty()) all |= Remedy::columns;
  return all;
}

void TableOptions::validate() const {
  const auto refuse = [](const std::string& message, Remedy remedy) {
    throw Error(ErrorCode::usage, message, remedy);
  };
  if (delimiter != 0 && delimiters.find(delimiter) == std::string_view::npos) {
    refuse(std::string("delimiter ") + delimiter +
               ": expected tab, comma, semicolon, blank or one of | : & ~ ^",
           Remedy::delimiter);
  }
  if (decimal != 0 && decimal != '.' && decimal != ',') {
    refuse(std::string("decimal mark ") + decimal + ": expected . or ,", Remedy::decimal);
  }
  if (skip_lines < 0)
    refuse("lines to skip " + std::to_string(skip_lines) + ": must be >= 0", Remedy::skip_lines);
  std::vector<int> sorted = columns;
  std::ranges::sort(sorted);
  if (!sorted.empty() && (sorted.front() < 1 || sorted.back() > most_columns)) {
    refuse("columns: columns are numbered from 1", Remedy::columns);
  }
  const auto twice = std::ranges::adjacent_find(sorted);
  if (twice != sorted.end()) {
    refuse("columns: column " + std::to_string(*twice) + " is given twice", Remedy::columns);
  }
}

char parse_delimiter(const std::string& text) {
  constexpr std::array words = {std::pair{"tab", '\t'},  std::pair{"\\t", '\t'},
                                std::pair{"comma", ','}, std::pair{"semicolon", ';'},
                                std::pair{"blank", ' '}, std::pair{"blanks", ' '},
                                std::pair{"space", ' '}};
  for (const auto& [word, character] : words) {
    if (text == word) return character;
  }
  if (text.size() == 1 && delimiters.find(text.front()) != std::string_view::npos) {
    return text.front();
  }
  throw Error(ErrorCode::usage,
              "delimiter '" + text + "': expected tab, comma, semicolon, blank or one of | : & ~ ^",
              Remedy::delimiter);
}

char parse_decimal_mark(const std::string& text) {
  if (text == "." || text == "point") return '.';
  if (text == "," || text == "comma") return ',';
  throw Error(ErrorCode::usage, "decimal mark '" + text + "': expected . or ,", Remedy::decimal);
}

std::vector<int> parse_columns(const std::string& text) {
  const auto refuse = [&] {
    throw Error(ErrorCode::usage,
                "columns '" + text + "': expected numbers from 1 such as 2,3,4 or 1-4,7",
                Remedy::columns);
  };
  std::vector<int> columns;
  std::string_view rest = text;
  for (bool more = true; more;) {
    const std::size_t comma = rest.find(',');
    const std::string_view part = rest.substr(0, comma);
    more = comma != std::string_view::npos;
    rest.remove_prefix(more ? comma + 1 : rest.size());
    const std::size_t dash = part.find('-');
    const auto first = column_number(part.substr(0, dash));
    const auto last = dash == std::string_view::npos ? first : column_number(part.substr(dash + 1));
    if (!first || !last || *last < *first) refuse();
    for (int column = *first; column <= *last; ++column) columns.push_back(column);
    if (columns.size() > static_cast<std::size_t>(most_columns)) refuse();
  }
  return columns;
}

}  // namespace gssl
