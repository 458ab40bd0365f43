#pragma once
// The words of DOT, the language of Graphviz (https://graphviz.org/doc/info/lang.html): ids, texts
// in quotes, texts of HTML, and signs; comments are left out.
//
//   DotTokens tokens(text, "g.dot");
//   DotToken token = tokens.next();       // kind end after the last
//   tokens.fail("expected '{'");          // throws "g.dot:LINE: expected '{'"

#include <cstdint>
#include <string>
#include <string_view>

namespace gssl::detail {

enum class DotKind { end, word, text, sign };

struct DotToken {
  DotKind kind = DotKind::end;
  std::string text;  // unquoted; of a sign: { } [ ] ; , = : -- ->

  bool is_id() const { return kind == DotKind::word || kind == DotKind::text; }
  bool is_sign(std::string_view sign) const { return kind == DotKind::sign && text == sign; }
  bool is_keyword(std::string_view keyword) const;  // a word, in any case of letters
};

class DotTokens {
 public:
  DotTokens(std::string_view text, const std::string& file) : text_(text), file_(file) {}

  const DotToken& peek();
  DotToken next();
  std::int64_t line() const { return line_; }
  std::size_t position() const { return at_; }
  [[noreturn]] void fail(const std::string& message) const;

 private:
  DotToken read();
  bool here(std::string_view word) const { return text_.substr(at_).starts_with(word); }
  void skip_blanks();
  void advance(std::size_t to);
  DotToken quoted();
  std::string one_quoted();
  DotToken html();

  std::string_view text_;
  const std::string& file_;
  std::size_t at_ = 0;
  std::int64_t line_ = 1;
  DotToken waiting_;
  bool has_waiting_ = false;
};

}  // namespace gssl::detail
