#include "xml_text.hpp"

#include <array>
#include <charconv>
#include <cstdint>
#include <optional>
#include <utility>

#include "utf8.hpp"

namespace gssl::detail {
namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 5> entities = {
    {{"&", "&amp;"}, {"<", "&lt;"}, {">", "&gt;"}, {"\"", "&quot;"}, {"'", "&apos;"}}};
constexpr std::string_view replacement = "\xEF\xBF\xBD";  // U+FFFD

// The code point of "&#NNN;" or "&#xHH;".
std::optional<std::uint32_t> numbered(std::string_view entity) {
  if (!entity.starts_with("&#")) return std::nullopt;
  std::string_view digits = entity.substr(2, entity.size() - 3);
  const bool hexadecimal = digits.starts_with('x') || digits.starts_with('X');
  if (hexadecimal) digits.remove_prefix(1);
  std::uint32_t point = 0;
  const auto [end, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), point, hexadecimal ? 16 : 10);
  if (error != std::errc{} || end != digits.data() + digits.size()) return std::nullopt;
  return point;
}

// Appends what `entity`, from '&' to ';', stands for; false if it is none.
bool append_entity(std::string_view entity, std::string& out) {
  for (const auto& [character, written] : entities) {
    if (entity != written) continue;
    out += character;
    return true;
  }
  const std::optional<std::uint32_t> point = numbered(entity);
  if (point) append_utf8(*point, out);
  return point.has_value();
}

// U+FFFE and U+FFFF are UTF-8 that XML does not take.
bool is_noncharacter(std::string_view character) {
  return character == "\xEF\xBF\xBE" || character == "\xEF\xBF\xBF";
}

}  // namespace

std::size_t append_xml_text(std::string_view text, std::string& out) {
  std::size_t replaced = 0;
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    const std::string_view character = text.substr(0, length == 0 ? 1 : length);
    text.remove_prefix(character.size());
    const auto byte = static_cast<unsigned char>(character.front());
    if (length == 0 || byte < 0x20 || is_noncharacter(character)) {
      out += replacement;
      ++replaced;
      continue;
    }
    const auto* found = entities.begin();
    while (found != entities.end() && found->first != character) ++found;
    out += found == entities.end() ? character : found->second;
  }
  return replaced;
}

std::string decoded_text(std::string_view text) {
  constexpr std::size_t longest = 12;  // &#x0010FFFF;
  std::string out;
  while (!text.empty()) {
    const std::size_t begin = std::min(text.find('&'), text.size());
    out += text.substr(0, begin);
    text.remove_prefix(begin);
    const std::size_t end = text.substr(0, longest).find(';');
    if (end == std::string_view::npos || !append_entity(text.substr(0, end + 1), out)) {
      out += text.substr(0, 1);
      if (!text.empty()) text.remove_prefix(1);
    } else {
      text.remove_prefix(end + 1);
    }
  }
  return out;
}

}  // namespace gssl::detail
