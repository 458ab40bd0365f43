// GML (Himsolt, GML: a portable graph file format, University of Passau, 1997): keys and values,
// where a value is a number, a "text" or a list in brackets. Nodes have an integer id; keys that
// are not known are passed over.
#include <algorithm>
#include <optional>

#include "edge_collector.hpp"
#include "fields.hpp"
#include "gssl/core/number_text.hpp"
#include "node_table.hpp"
#include "passed_over.hpp"
#include "xml_text.hpp"

namespace gssl::detail {
namespace {

constexpr int most_nested_lists = 64;

enum class TokenKind { end, word, text, open, close };

struct Token {
  TokenKind kind = TokenKind::end;
  std::string_view text;  // of a word, or between quotes
};

class GmlTokens {
 public:
  GmlTokens(std::string_view text, const std::string& file) : rest_(text), file_(file) {}

  Token next() {
    skip_blanks();
    if (rest_.empty()) return {};
    const char c = rest_.front();
    if (c == '[' || c == ']') {
      const std::string_view text = take(1);
      return {c == '[' ? TokenKind::open : TokenKind::close, text};
    }
    if (c == '"') return quoted();
    const std::size_t end = std::min(rest_.find_first_of(" \t\r\n[]\"#"), rest_.size());
    if (end == 0 || c == '\0') fail("binary data or a stray character; expected a key or a value");
    return {TokenKind::word, take(end)};
  }

  std::int64_t line() const { return line_; }
  std::size_t left() const { return rest_.size(); }
  [[noreturn]] void fail(const std::string& message) const { bad_line(file_, line_, message); }

 private:
  std::string_view take(std::size_t size) {
    const std::string_view text = rest_.substr(0, size);
    line_ += std::count(text.begin(), text.end(), '\n');
    rest_.remove_prefix(size);
    return text;
  }

  // Blanks, and lines that start with '#'.
  void skip_blanks() {
    for (;;) {
      take(std::min(rest_.find_first_not_of(" \t\r\n"), rest_.size()));
      if (!rest_.starts_with('#')) return;
      take(std::min(rest_.find('\n'), rest_.size()));
    }
  }

  Token quoted() {
    const std::size_t end = rest_.find('"', 1);
    if (end == std::string_view::npos) fail("a text that does not end; expected a closing \"");
    const std::string_view text = take(end + 1);
    return {TokenKind::text, text.substr(1, end - 1)};
  }

  std::string_view rest_;
  const std::string& file_;
  std::int64_t line_ = 1;
};

class GmlReader {
 public:
  GmlReader(const TextSource& source, const ReadOptions& options, const RunContext& run,
            GraphFile& file)
      : source_(source),
        run_(run),
        file_(file),
        tokens_(source.text(), source.name()),
        nodes_(source.name()),
        edges_(options) {}

  void read() {
    bool found = false;
    for (Token key = tokens_.next(); key.kind != TokenKind::end; key = tokens_.next()) {
      const Token value = value_of(key);
      if (value.kind != TokenKind::open) continue;
      if (!equal_ignoring_case(key.text, "graph")) {
        skip_list();
        continue;
      }
      if (found) tokens_.fail("a second graph; put each into a file of its own");
      found = true;
      read_graph_list();
    }
    if (!found) bad_line(source_.name(), 1, "no 'graph [ … ]'; expected one");
    if (directed_) file_.stats.notes.emplace_back(arcs_note);
    passed_over_.tell(file_.stats.notes);
    file_.names = std::move(nodes_).finish(file_.stats.notes);
    file_.stats.lines = tokens_.line();
    edges_.finish(source_, run_, file_);
  }

 private:
  Token value_of(const Token& key) {
    if (key.kind != TokenKind::word) tokens_.fail("'" + shown(key.text) + "'; expected a key");
    const Token value = tokens_.next();
    if (value.kind == TokenKind::end || value.kind == TokenKind::close)
      tokens_.fail("key '" + shown(key.text) +
                   "' without a value; the file is cut short or damaged");
    return value;
  }

  // Calls take(key, value) for each pair of a list that is open, up to its end. Lists in it that
  // take() does not read are passed over.
  template <class Take>
  void each_pair(Take&& take) {
    for (;;) {
      const Token key = tokens_.next();
      if (key.kind == TokenKind::close) return;
      if (key.kind == TokenKind::end)
        tokens_.fail("a list that does not end; expected ']'; the file is cut short");
      const Token value = value_of(key);
      if (!take(key, value) && value.kind == TokenKind::open) skip_list();
    }
  }

  // To the end of a list that is open, with those in it.
  void skip_list() {
    for (int depth = 1; depth > 0;) {
      const Token token = tokens_.next();
      if (token.kind == TokenKind::end)
        tokens_.fail("a list that does not end; expected ']'; the file is cut short");
      if (token.kind == TokenKind::open && ++depth > most_nested_lists)
        tokens_.fail("lists in lists deeper than " + std::to_string(most_nested_lists));
      if (token.kind == TokenKind::close) --depth;
    }
  }

  void read_graph_list() {
    std::int64_t items = 0;
    const auto all = static_cast<double>(source_.text().size());
    each_pair([&](const Token& key, const Token& value) {
      if ((++items & 0xFFFF) == 0)
        check_progress(run_, 1.0 - static_cast<double>(tokens_.left()) / all);
      if (equal_ignoring_case(key.text, "directed")) directed_ = value.text == "1";
      if (value.kind != TokenKind::open) return false;
      if (equal_ignoring_case(key.text, "node")) return read_node(), true;
      if (equal_ignoring_case(key.text, "edge")) return read_edge(), true;
      return false;
    });
  }

  std::string_view id(const Token& value, const char* what) const {
    if (value.kind == TokenKind::word && parse_number<std::int64_t>(value.text)) return value.text;
    tokens_.fail(std::string(what) + " '" + shown(value.text) + "'; expected an integer");
  }

  void read_node() {
    const std::int64_t line = tokens_.line();
    std::optional<std::string_view> node, name, label;
    each_pair([&](const Token& key, const Token& value) {
      if (value.kind == TokenKind::open) {
        passed_over_.see(key.text);
        return false;
      }
      if (equal_ignoring_case(key.text, "id"))
        node = id(value, "id");
      else if (equal_ignoring_case(key.text, "name"))
        name = value.text;
      else if (equal_ignoring_case(key.text, "label"))
        label = value.text;
      else
        passed_over_.see(key.text);
      return true;
    });
    if (!node) bad_line(source_.name(), line, "a node without an id; expected 'id INTEGER'");
    const VertexId v = nodes_.declare(*node, line);
    if (name) nodes_.set_name(v, decoded_text(*name));
    if (label) nodes_.set_label(v, decoded_text(*label));
  }

  void read_edge() {
    const std::int64_t line = tokens_.line();
    std::optional<std::string_view> source, target;
    std::optional<double> weight, value_weight;
    each_pair([&](const Token& key, const Token& value) {
      if (value.kind == TokenKind::open) {
        passed_over_.see(key.text);
        return false;
      }
      const auto number = [&] { return parse_weight(value.text, source_.name(), tokens_.line()); };
      if (equal_ignoring_case(key.text, "source"))
        source = id(value, "source");
      else if (equal_ignoring_case(key.text, "target"))
        target = id(value, "target");
      else if (equal_ignoring_case(key.text, "weight"))
        weight = number();
      else if (equal_ignoring_case(key.text, "value") && parse_number<double>(value.text))
        value_weight = number();
      else
        passed_over_.see(key.text);
      return true;
    });
    if (!source || !target)
      bad_line(source_.name(), line, "an edge without 'source' or 'target'; expected both");
    const VertexId u = nodes_.refer(*source, line), v = nodes_.refer(*target, line);
    const double own = weight.value_or(value_weight.value_or(1.0));
    directed_ ? edges_.add(u, v, own) : edges_.add_undirected(u, v, own);
  }

  const TextSource& source_;
  const RunContext& run_;
  GraphFile& file_;
  GmlTokens tokens_;
  NodeTable nodes_;
  EdgeCollector edges_;
  PassedOver passed_over_;
  bool directed_ = false;
};

}  // namespace

void read_gml(const TextSource& source, const ReadOptions& options, const RunContext& run,
              GraphFile& file) {
  GmlReader(source, options, run, file).read();
}

}  // namespace gssl::detail
