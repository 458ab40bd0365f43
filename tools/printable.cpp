#include "printable.hpp"

namespace gssl::tool {

std::string printable(std::string_view text) {
  constexpr char digits[] = "0123456789abcdef";
  std::string out;
  const auto escape = [&](char c) {
    const auto byte = static_cast<unsigned char>(c);
    out += "\\x";
    out += digits[byte >> 4];
    out += digits[byte & 15];
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const auto next = i + 1 < text.size() ? static_cast<unsigned char>(text[i + 1]) : 0U;
    const bool is_c1 = byte == 0xC2U && next >= 0x80U && next < 0xA0U;  // U+0080 to U+009F
    if (byte == '\n') {
      out += "\\n";
    } else if (byte == '\t') {
      out += "\\t";
    } else if (byte < 0x20U || byte == 0x7FU || is_c1) {
      escape(text[i]);
      if (is_c1) escape(text[++i]);
    } else {
      out += text[i];
    }
  }
  return out;
}

}  // namespace gssl::tool
