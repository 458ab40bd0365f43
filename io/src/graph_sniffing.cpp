#include "graph_sniffing.hpp"

#include <algorithm>
#include <string>

#include "fields.hpp"
#include "galois_head.hpp"
#include "gssl/core/error.hpp"
#include "gssl/core/number_text.hpp"
#include "zip_archive.hpp"

namespace gssl::detail {
namespace {

using namespace std::string_view_literals;

constexpr std::size_t looked_at = 4096;  // bytes from the start that decide
constexpr std::string_view blank = " \t\r\n";

// The start of the text in small letters, without blanks in front.
std::string start_of(std::string_view text) {
  text = text.substr(0, looked_at);
  text.remove_prefix(std::min(text.find_first_not_of(blank), text.size()));
  std::string out(text);
  std::ranges::transform(out, out.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return out;
}

bool starts_with_word(std::string_view line, std::string_view word) {
  return line.starts_with(word) && (line.size() == word.size() ||
                                    " \t[{\"/"sv.find(line[word.size()]) != std::string_view::npos);
}

bool has_element(std::string_view text, std::string_view element) {
  const std::string start = start_of(text);
  return start.starts_with('<') && start.find(element) != std::string::npos;
}

// Takes blanks and the comments of C and of shells off the front.
std::string_view without_comments(std::string_view text) {
  for (;;) {
    text.remove_prefix(std::min(text.find_first_not_of(blank), text.size()));
    std::string_view end;
    if (text.starts_with("//"sv) || text.starts_with('#')) end = "\n";
    if (text.starts_with("/*"sv)) end = "*/";
    if (end.empty()) return text;
    const std::size_t at = text.find(end);
    text.remove_prefix(at == std::string_view::npos ? text.size() : at + end.size());
  }
}

}  // namespace

bool is_matrix_market(std::string_view text) {
  constexpr std::string_view banner = "%%matrixmarket";
  return equal_ignoring_case(text.substr(0, banner.size()), banner);
}

bool is_graphml(std::string_view text) { return has_element(text, "<graphml"); }
bool is_gexf(std::string_view text) { return has_element(text, "<gexf"); }

// "graph [", after a line or two of who made it.
bool is_gml(std::string_view text) {
  const std::string start = start_of(text);
  std::string_view rest = start;
  while (!rest.empty()) {
    const std::string_view line = trimmed(take_line(rest));
    if (is_skipped(line) || starts_with_word(line, "creator") ||
        starts_with_word(line, "version") || starts_with_word(line, "comment"))
      continue;
    if (!starts_with_word(line, "graph")) return false;
    const std::string_view after = trimmed(line.substr("graph"sv.size()));
    return (after.empty() ? trimmed(take_line(rest)) : after).starts_with('[');
  }
  return false;
}

// "digraph G {".
bool is_dot(std::string_view text) {
  const std::string start = start_of(text);
  std::string_view rest = without_comments(start);
  const std::size_t brace = rest.find('{');
  if (brace == std::string_view::npos) return false;
  std::string_view head = trimmed(rest.substr(0, brace));
  if (starts_with_word(head, "strict")) head = trimmed(head.substr("strict"sv.size()));
  const bool named = starts_with_word(head, "graph") || starts_with_word(head, "digraph");
  return named && head.find('\n') == std::string_view::npos;
}

bool is_pajek(std::string_view text) {
  const std::string start = start_of(text);
  std::string_view rest = start;
  while (!rest.empty()) {
    const std::string_view line = trimmed(take_line(rest));
    if (line.empty() || line.front() == '%') continue;
    return starts_with_word(line, "*vertices") || starts_with_word(line, "*network");
  }
  return false;
}

// Lines "c …", and then "p KIND VERTICES EDGES".
bool is_dimacs(std::string_view text) {
  const std::string start = start_of(text);
  std::string_view rest = start;
  while (!rest.empty()) {
    const std::string_view line = trimmed(take_line(rest));
    if (line.empty() || starts_with_word(line, "c")) continue;
    FieldSplitter words(Separator::blanks, FieldSplitter::Empty::allowed);
    if (line.find('"') != std::string_view::npos || words.split(line, "", 1) != 4) return false;
    return words[0] == "p" && !parse_number<double>(words[1]) &&
           parse_number<std::int64_t>(words[2]) && parse_number<std::int64_t>(words[3]);
  }
  return false;
}

bool is_galois(std::string_view text) { return galois_head(text).has_value(); }

bool is_sparse_npz(std::string_view text) {
  if (!text.starts_with("PK\3\4"sv)) return false;
  try {
    const std::string name;
    const std::vector<ZipMember> members = ZipArchive(text, name).members();
    const auto has = [&](std::string_view wanted) {
      return std::ranges::find(members, wanted, &ZipMember::name) != members.end();
    };
    return has("format") && has("shape");
  } catch (const Error&) {
    return false;  // the reader of points says what is wrong with it
  }
}

bool is_n_triples(std::string_view text) {
  std::string_view rest = text.substr(0, looked_at);
  while (!rest.empty()) {
    const std::string_view line = trimmed(take_line(rest));
    if (line.empty() || line.front() == '#') continue;
    const bool subject = line.starts_with('<') || line.starts_with("_:"sv);
    const std::size_t predicate = line.find_first_of(" \t");
    return subject && predicate != std::string_view::npos &&
           trimmed(line.substr(predicate)).starts_with('<') && line.ends_with('.') &&
           line.find('>') != std::string_view::npos;
  }
  return false;
}

}  // namespace gssl::detail
