#pragma once
// Numbers to text and back, without locale: shortest decimals that read back to the same double.

#include <charconv>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gssl {

inline void append_text(double value, std::string& text) {
  char buffer[32];
  text.append(buffer, std::to_chars(buffer, buffer + sizeof buffer, value).ptr);
}

inline std::string to_text(double value) {
  std::string text;
  append_text(value, text);
  return text;
}

// "0.2;0.8": the numbers of one option.
inline std::string list_text(const std::vector<double>& numbers) {
  std::string text;
  for (const double number : numbers) text += (text.empty() ? "" : ";") + to_text(number);
  return text;
}

// Three significant digits, for sentences.
inline std::string to_brief_text(double value) {
  char buffer[32];
  const auto [end, error] =
      std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::general, 3);
  return error == std::errc{} ? std::string(buffer, end) : std::string();
}

// The whole of `text` as a number, or nothing. Accepts a leading '+'; does not skip blanks.
template <class Number>
std::optional<Number> parse_number(std::string_view text) {
  if (text.size() > 1 && text.front() == '+' && text[1] != '-') text.remove_prefix(1);
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace gssl
