#include "dot_tokens.hpp"

#include <algorithm>
#include <utility>

#include "fields.hpp"

namespace gssl::detail {
namespace {

bool is_id_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '.' || static_cast<unsigned char>(c) >= 0x80;
}

}  // namespace

bool DotToken::is_keyword(std::string_view keyword) const {
  return kind == DotKind::word && equal_ignoring_case(text, keyword);
}

void DotTokens::fail(const std::string& message) const { bad_line(file_, line_, message); }

const DotToken& DotTokens::peek() {
  if (!has_waiting_) waiting_ = read();
  has_waiting_ = true;
  return waiting_;
}

DotToken DotTokens::next() {
  if (!has_waiting_) return read();
  has_waiting_ = false;
  return std::move(waiting_);
}

void DotTokens::advance(std::size_t to) {
  const auto place = [&](std::size_t i) { return text_.begin() + static_cast<std::ptrdiff_t>(i); };
  line_ += std::count(place(at_), place(to), '\n');
  at_ = to;
}

void DotTokens::skip_blanks() {
  for (;;) {
    advance(std::min(text_.find_first_not_of(" \t\r\n\f\v", at_), text_.size()));
    const bool preprocessed = here("#") && (at_ == 0 || text_[at_ - 1] == '\n');
    if (here("//") || preprocessed) {
      advance(std::min(text_.find('\n', at_), text_.size()));
    } else if (here("/*")) {
      const std::size_t end = text_.find("*/", at_ + 2);
      if (end == std::string_view::npos) fail("a comment that does not end; expected */");
      advance(end + 2);
    } else {
      return;
    }
  }
}

// A backslash keeps its place but before a quote, which it protects, and a line end, which goes.
std::string DotTokens::one_quoted() {
  std::string text;
  std::size_t end = at_ + 1;
  for (; end < text_.size() && text_[end] != '"'; ++end) {
    const char after = end + 1 < text_.size() ? text_[end + 1] : '\0';
    if (text_[end] == '\\' && (after == '"' || after == '\n')) {
      ++end;
      if (after == '\n') continue;
    } else if (text_[end] == '\\' && after == '\\') {
      text += '\\';
      ++end;
    }
    text += text_[end];
  }
  if (end == text_.size()) fail("a text that does not end; expected a closing \"");
  advance(end + 1);
  return text;
}

// "a" + "b" is one text.
DotToken DotTokens::quoted() {
  DotToken token{DotKind::text, one_quoted()};
  for (;;) {
    skip_blanks();
    if (!here("+")) return token;
    ++at_;
    skip_blanks();
    if (!here("\"")) fail("'+' after a text; expected another text in quotes");
    token.text += one_quoted();
  }
}

// "<b>name</b>" in angle brackets, with them.
DotToken DotTokens::html() {
  std::size_t end = at_;
  std::int64_t depth = 0;
  do {
    if (end == text_.size()) fail("a text of HTML that does not end; expected '>'");
    if (text_[end] == '<') ++depth;
    if (text_[end] == '>') --depth;
    ++end;
  } while (depth > 0);
  DotToken token{DotKind::text, std::string(text_.substr(at_, end - at_))};
  advance(end);
  return token;
}

DotToken DotTokens::read() {
  skip_blanks();
  if (at_ == text_.size()) return {};
  const char c = text_[at_];
  if (c == '"') return quoted();
  if (c == '<') return html();
  for (const std::string_view sign : {"--", "->", "{", "}", "[", "]", ";", ",", "=", ":"}) {
    if (!here(sign)) continue;
    at_ += sign.size();
    return {DotKind::sign, std::string(sign)};
  }
  std::size_t end = c == '-' ? at_ + 1 : at_;
  while (end < text_.size() && is_id_character(text_[end])) ++end;
  // igraph writes 1e+300 without quotes.
  const bool number = c == '-' || c == '.' || (c >= '0' && c <= '9');
  const bool exponent = number && end > at_ && (text_[end - 1] == 'e' || text_[end - 1] == 'E');
  if (exponent && end < text_.size() && (text_[end] == '+' || text_[end] == '-'))
    for (++end; end < text_.size() && text_[end] >= '0' && text_[end] <= '9';) ++end;
  if (end == at_ || (c == '-' && end == at_ + 1))
    fail("'" + shown(text_.substr(at_, 1)) + "' is no part of DOT; put it into quotes");
  DotToken token{DotKind::word, std::string(text_.substr(at_, end - at_))};
  at_ = end;
  return token;
}

}  // namespace gssl::detail
