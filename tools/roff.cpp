#include "roff.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <ctime>

#include "gssl/core/number_text.hpp"

namespace gssl::tool {
namespace {

// Bytes above 127 pass: man(1) reads UTF-8.
std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else if (c == '\'') {
      out += "\\(aq";
    } else if (c == '`') {
      out += "\\(ga";
    } else if (c == '^') {
      out += "\\(ha";
    } else if (c == '~') {
      out += "\\(ti";
    } else {
      out += c;
    }
  }
  return out;
}

// A line of text; one that begins with a dot is no request.
std::string line_of(std::string_view text) {
  const std::string out = escaped(text);
  return (out.starts_with('.') ? "\\&" : "") + out + "\n";
}

// A paragraph in one line, in which lists without blanks (a|b|c, x,y,z) may be broken.
std::string filled(std::string_view text) {
  std::string out;
  const std::string line = line_of(text);
  for (std::size_t i = 0; i < line.size(); ++i) {
    out += line[i];
    const bool ends_part = line[i] == '|' || line[i] == ',' || line[i] == '/' || line[i] == '=';
    if (ends_part && line[i + 1] != ' ' && line[i + 1] != '\n') out += "\\:";
  }
  return out;
}

// An argument of a macro.
std::string argument(std::string_view text) {
  std::string out;
  for (const char c : escaped(text)) {
    if (c == '"') {
      out += "\\(dq";
    } else {
      out += c;
    }
  }
  return '"' + out + '"';
}

// "2026-11-23", or "" where no one has set a date.
std::string date() {
  const char* epoch = std::getenv("SOURCE_DATE_EPOCH");
  const auto seconds = parse_number<double>(epoch == nullptr ? "" : epoch);
  if (!seconds || *seconds < 0 || *seconds > 4e9) return {};
  const std::time_t time = static_cast<std::time_t>(*seconds);
  std::tm parts{};
  gmtime_r(&time, &parts);
  return fmt::format("{:04}-{:02}-{:02}", parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday);
}

}  // namespace

RoffPage::RoffPage(std::string_view name, int section, std::string_view brief) {
  text_ = fmt::format(".TH {} {} {} {} {}\n", argument(name), section, argument(date()),
                      argument("gssl " GSSL_VERSION), argument("gssl manual"));
  // Neither hyphenated nor spread out: both spoil names and ranges.
  text_ += ".nh\n.ad l\n";
  heading("NAME");
  text_ += escaped(name) + " \\- " + escaped(brief) + "\n";
}

void RoffPage::heading(std::string_view text) { text_ += ".SH " + argument(text) + "\n"; }

void RoffPage::subheading(std::string_view text) { text_ += ".SS " + argument(text) + "\n"; }

// A heading begins a paragraph of itself.
void RoffPage::begin_paragraph() {
  const std::size_t last = text_.rfind('\n', text_.size() - 2) + 1;
  if (!text_.substr(last).starts_with(".S")) text_ += ".PP\n";
}

void RoffPage::paragraph(std::string_view text) {
  begin_paragraph();
  text_ += filled(text);
}

void RoffPage::definition(std::string_view term, std::string_view text) {
  text_ += ".TP\n.B " + argument(term) + "\n" + filled(text);
}

void RoffPage::command(std::string_view text) {
  begin_paragraph();
  text_ += ".B " + argument(text) + "\n";
}

void RoffPage::verbatim(std::string_view lines) {
  begin_paragraph();
  text_ += ".in +4n\n.nf\n";
  while (!lines.empty()) {
    const std::size_t end = std::min(lines.find('\n'), lines.size());
    text_ += line_of(lines.substr(0, end));
    lines.remove_prefix(std::min(end + 1, lines.size()));
  }
  text_ += ".fi\n.in\n";
}

void RoffPage::blocks(const std::vector<TextBlock>& blocks) {
  using Kind = TextBlock::Kind;
  for (const TextBlock& block : blocks) {
    if (block.kind == Kind::heading) subheading(block.text);
    if (block.kind == Kind::paragraph) paragraph(block.text);
    if (block.kind == Kind::definition) definition(block.term, block.text);
    if (block.kind == Kind::verbatim) verbatim(block.text);
  }
}

}  // namespace gssl::tool
