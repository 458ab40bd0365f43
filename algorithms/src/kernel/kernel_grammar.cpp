#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

#include "gssl/core/error.hpp"
#include "gssl/core/number_text.hpp"
#include "gssl/core/option_binding.hpp"
#include "gssl/core/suggestion.hpp"
#include "gssl/learn/kernel.hpp"
#include "gssl/learn/registry.hpp"
#include "gssl/network/graph_kernel.hpp"
#include "kernel/kernel_term.hpp"
#include "kernel/row_map.hpp"

namespace gssl {
namespace detail {
namespace {

using Kind = KernelTerm::Kind;

struct Leaf {
  std::string name;
  Kind kind;
  OptionBinding<KernelTerm> options;
  const char* summary;
};

constexpr double largest = 1e100;

OptionBinding<KernelTerm> of(const std::string& name) {
  return OptionBinding<KernelTerm>("kernel " + name);
}

const std::vector<Leaf>& leaves() {
  using Term = KernelTerm;
  const RealRange positive = {.low = 0.0, .high = largest};
  static const std::vector<Leaf> all = {
      {"linear", Kind::linear, of("linear"), "x·t"},
      {"polynomial", Kind::polynomial,
       of("polynomial")
           .real(&Term::offset, "a", positive, "a of (a + s·x·t)^r")
           .integer(&Term::degree, "r", {1, 100}, "r of (a + s·x·t)^r")
           .real(&Term::scale, "s", positive, "s of (a + s·x·t)^r"),
       "(a + s·x·t)^r"},
      {"series", Kind::series,
       of("series")
           .real(&Term::scale, "a", positive, "a of Σ (a·x·t)^i / i!")
           .integer(&Term::degree, "r", {1, 100}, "its last power"),
       "Σ (a·x·t)^i / i! over i ≤ r"},
      {"exponential", Kind::exponential,
       of("exponential").real(&Term::scale, "a", positive, "a of exp(a·x·t)"), "exp(a·x·t)"},
      {"gaussian", Kind::gaussian,
       of("gaussian").real(&Term::scale, "beta", positive, "beta of exp(−beta·‖x−t‖²)"),
       "exp(−beta·‖x−t‖²)"},
      {"anova", Kind::anova, of("anova"), "∏ (1 + x_i t_i): all products of distinct columns"},
      {"min", Kind::min, of("min"), "Σ min(x_i, t_i), for rows ≥ 0"},
      {"set", Kind::set, of("set"), "2^|A∩B|, for rows of 0 and 1"},
      {"spectrum", Kind::spectrum,
       of("spectrum").integer(&Term::degree, "length", {1, 1000}, "symbols of a substring"),
       "substrings that two rows share"},
      {"path-tree", Kind::path_tree,
       of("path-tree").integer(&Term::degree, "size", {1, 1 << 30}, "length of the path"),
       "places of a path, by the binary tree over it"},
  };
  return all;
}

// Sums of products of powers of NAME, NAME(key=value,…), numbers and brackets.
class Parser {
 public:
  Parser(std::string_view text, KernelItems items) : text_(text), items_(items) {}

  KernelTerm parse() {
    KernelTerm term = sum();
    if (at_ < text_.size())
      fail(at_, quoted(at_) + ": expected + or * or the end" +
                    (text_[at_] == '-' ? "; a difference of kernels is not a kernel" : ""));
    return term;
  }

 private:
  [[noreturn]] void fail(std::size_t position, const std::string& what) const {
    throw Error(ErrorCode::usage, "kernel '" + std::string(text_) + "': position " +
                                      std::to_string(position + 1) + ": " + what);
  }
  std::string quoted(std::size_t position) const {
    if (position >= text_.size()) return "the end";
    return "'" + std::string(text_.substr(position, 1)) + "'";
  }

  void skip_blanks() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }
  bool take(char c) {
    skip_blanks();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    skip_blanks();
    return true;
  }
  void expect(char c) {
    if (!take(c)) fail(at_, quoted(at_) + ": expected '" + std::string(1, c) + "'");
  }

  KernelTerm sum() {
    Nesting level(*this);
    return list(Kind::sum, '+', [&] { return product(); });
  }
  KernelTerm product() {
    return list(Kind::product, '*', [&] { return power(); });
  }
  template <class Next>
  KernelTerm list(Kind kind, char joint, Next&& next) {
    KernelTerm first = next();
    if (!take(joint)) return first;
    KernelTerm all{.kind = kind};
    all.terms.push_back(std::move(first));
    do all.terms.push_back(next());
    while (take(joint));
    return all;
  }

  KernelTerm power() {
    KernelTerm base = single();
    if (!take('^')) return base;
    const std::size_t begin = at_;
    const std::optional<double> number = read_number();
    if (!number || *number < 1.0 || *number > 100.0 || *number != std::floor(*number))
      fail(begin, quoted(begin) + ": a power must be an integer in 1 … 100");
    KernelTerm raised{.kind = Kind::power, .degree = static_cast<int>(*number)};
    raised.terms.push_back(std::move(base));
    return raised;
  }

  KernelTerm single() {
    skip_blanks();
    const std::size_t begin = at_;
    if (take('(')) {
      KernelTerm inner = sum();
      expect(')');
      return inner;
    }
    if (const std::optional<double> number = read_number()) {
      if (!(*number >= 0.0) || *number > largest)
        fail(begin, "a number must be in [0, 1e100], so that the kernel stays positive");
      return {.kind = Kind::constant, .scale = *number};
    }
    return named();
  }

  std::optional<double> read_number() {
    if (at_ >= text_.size() || !(std::isdigit(static_cast<unsigned char>(text_[at_])) != 0 ||
                                 text_[at_] == '.' || text_[at_] == '-'))
      return std::nullopt;
    double value = 0.0;
    const auto [end, error] =
        std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
    if (error != std::errc{}) fail(at_, quoted(at_) + ": expected a kernel or a number");
    at_ = static_cast<std::size_t>(end - text_.data());
    return value;
  }

  KernelTerm named() {
    const std::size_t begin = at_;
    while (at_ < text_.size() &&
           ((text_[at_] >= 'a' && text_[at_] <= 'z') || text_[at_] == '-' || text_[at_] == '_'))
      ++at_;
    const std::string_view name = text_.substr(begin, at_ - begin);
    if (name.empty()) fail(begin, quoted(begin) + ": expected a kernel, a number or '('");
    if (name == "normalize") return normalized();
    if (name == "center")
      fail(begin, "center(K) is of a method, not of two rows: it must be the whole of its kernel");
    if (items_ == KernelItems::vertices) return of_graph(begin, name);
    if (name == "map" || name == "columns") return mapped(name == "columns");
    if (name == "linear" && text_.substr(at_).starts_with("(matrix")) return form();
    const auto leaf = std::ranges::find(leaves(), name, &Leaf::name);
    if (leaf == leaves().end()) refuse(begin, name);
    const auto parse = [&](std::string_view options) { return leaf->options.parse(options); };
    KernelTerm term = take('(') ? with_options(name, parse) : parse("");
    term.kind = leaf->kind;
    return term;
  }

  [[noreturn]] void refuse(std::size_t begin, std::string_view name) const {
    std::vector<std::string> names = kernel_names();
    names.insert(names.end(), {"normalize", "map", "columns"});
    for (const Leaf& leaf : leaves()) names.push_back(leaf.name);
    if (items_ == KernelItems::vertices && std::ranges::count(names, name) > 0)
      fail(begin, "kernel " + std::string(name) + " is of points: others here are of a graph");
    fail(begin, "no kernel '" + std::string(name) + "': " + suggestion(name, names));
  }

  KernelTerm of_graph(std::size_t begin, std::string_view name) {
    if (std::ranges::count(kernel_names(), name) == 0) refuse(begin, name);
    KernelTerm term{.kind = Kind::graph};
    const auto parse = [&](std::string_view options) {
      term.graph = std::string(name).append(":").append(options);
      parse_kernel(term.graph);
      return term;
    };
    return take('(') ? with_options(name, parse) : parse("");
  }

  KernelTerm normalized() {
    expect('(');
    KernelTerm term{.kind = Kind::normalize};
    term.terms.push_back(sum());
    expect(')');
    return term;
  }

  KernelTerm mapped(bool by_columns) {
    expect('(');
    KernelTerm term{.kind = Kind::mapped};
    if (by_columns)
      term.columns = column_list();
    else
      term.matrix = matrix();
    expect(',');
    term.inner.push_back(sum());
    expect(')');
    return term;
  }

  KernelTerm form() {
    expect('(');
    at_ += std::string_view("matrix").size();
    expect('=');
    const std::size_t begin = at_;
    KernelTerm term{.kind = Kind::form, .matrix = matrix()};
    if (const std::string wrong = not_a_kernel(term.matrix); !wrong.empty()) fail(begin, wrong);
    expect(')');
    return term;
  }

  // [1 2; 3 4]: rows by semicolons.
  Block matrix() {
    expect('[');
    std::vector<double> values;
    std::int64_t rows = 1, columns = 0, here = 0;
    const auto end_row = [&](std::size_t position) {
      if (rows > 1 && here != columns)
        fail(position, "a row of " + std::to_string(here) + " numbers: the first has " +
                           std::to_string(columns));
      columns = here;
      here = 0;
    };
    while (true) {
      skip_blanks();
      const std::size_t begin = at_;
      if (take(']')) break;
      if (take(';')) {
        end_row(begin);
        ++rows;
        continue;
      }
      const std::optional<double> number = read_number();
      if (!number || !(std::abs(*number) <= largest))
        fail(begin, quoted(begin) + ": expected a number, ';' or ']'");
      values.push_back(*number);
      ++here;
    }
    end_row(at_ - 1);
    if (values.empty()) fail(at_ - 1, "the matrix is empty");
    return {rows, columns, std::move(values)};
  }

  // 1-3;7: columns from 1.
  std::vector<std::int32_t> column_list() {
    std::vector<std::int32_t> all;
    do {
      skip_blanks();
      const std::size_t begin = at_;
      const int first = column_number();
      const int last = take('-') ? column_number() : first;
      if (last < first || (!all.empty() && first <= all.back() + 1))
        fail(begin, "columns must be in ascending order, such as 1-3;7");
      for (int c = first; c <= last; ++c) all.push_back(c - 1);
    } while (take(';'));
    return all;
  }
  int column_number() {
    skip_blanks();
    const std::size_t begin = at_;
    int number = 0;
    const auto [end, error] =
        std::from_chars(text_.data() + at_, text_.data() + text_.size(), number);
    if (error != std::errc{} || number < 1 || number > 10'000'000)
      fail(begin, quoted(begin) + ": expected the number of a column, from 1");
    at_ = static_cast<std::size_t>(end - text_.data());
    return number;
  }

  // Up to the bracket, each assignment alone first, so that its place is known.
  template <class Parse>
  KernelTerm with_options(std::string_view name, Parse&& parse) {
    const std::size_t begin = at_;
    const std::size_t end = text_.find_first_of("()", begin);
    if (end == std::string_view::npos || text_[end] != ')')
      fail(std::min(end, text_.size()),
           quoted(end) + ": expected ')' after the options of " + std::string(name));
    const auto parse_part = [&](std::size_t from, std::size_t to) {
      try {
        std::string assignments(text_.substr(from, to - from));
        std::erase(assignments, ' ');
        return parse(assignments);
      } catch (const Error& error) {
        fail(from, error.what());
      }
    };
    for (std::size_t from = begin; from < end;) {
      const std::size_t to = std::min(text_.find(',', from), end);
      parse_part(from, to);
      from = to + 1;
    }
    KernelTerm term = parse_part(begin, end);
    at_ = end;
    expect(')');
    return term;
  }

  struct Nesting {
    explicit Nesting(Parser& p) : parser(p) {
      if (++p.depth_ > 100) p.fail(p.at_, "brackets are nested too deep");
    }
    ~Nesting() { --parser.depth_; }
    Nesting(const Nesting&) = delete;
    Nesting& operator=(const Nesting&) = delete;
    Parser& parser;
  };

  std::string_view text_;
  KernelItems items_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

std::string to_text(const Block& matrix) {
  std::string text = "[";
  for (std::int64_t r = 0; r < matrix.rows(); ++r) {
    if (r > 0) text += ';';
    for (std::int64_t c = 0; c < matrix.columns(); ++c)
      text += (c > 0 ? " " : "") + gssl::to_text(matrix(r, c));
  }
  return text + "]";
}

// "1-3;7" of 0, 1, 2, 6.
std::string to_text(const std::vector<std::int32_t>& columns) {
  std::string text;
  for (std::size_t i = 0; i < columns.size();) {
    std::size_t last = i;
    while (last + 1 < columns.size() && columns[last + 1] == columns[last] + 1) ++last;
    text += (text.empty() ? "" : ";") + std::to_string(columns[i] + 1);
    if (last > i) text += "-" + std::to_string(columns[last] + 1);
    i = last + 1;
  }
  return text;
}

std::string joined(const KernelTerm& term, char joint) {
  std::string text;
  for (const KernelTerm& inner : term.terms) {
    const bool bracketed = inner.kind == Kind::sum || inner.kind == term.kind;
    text += (text.empty() ? "" : std::string(1, joint)) +
            (bracketed ? "(" + to_text(inner) + ")" : to_text(inner));
  }
  return text;
}

}  // namespace

KernelTerm parse_kernel_term(std::string_view expression, KernelItems items) {
  return Parser(expression, items).parse();
}

std::string to_text(const KernelTerm& term) {
  switch (term.kind) {
    case Kind::constant: return gssl::to_text(term.scale);
    case Kind::sum: return joined(term, '+');
    case Kind::product: return joined(term, '*');
    case Kind::normalize: return "normalize(" + to_text(term.terms[0]) + ")";
    case Kind::form: return "linear(matrix=" + to_text(term.matrix) + ")";
    case Kind::mapped:
      return (term.columns.empty() ? "map(" + to_text(term.matrix)
                                   : "columns(" + to_text(term.columns)) +
             "," + to_text(term.inner[0]) + ")";
    case Kind::graph: {
      const auto [name, options] = split_spec(term.graph);
      return std::string(name) + (options.empty() ? "" : "(" + std::string(options) + ")");
    }
    case Kind::power: return "(" + to_text(term.terms[0]) + ")^" + std::to_string(term.degree);
    default: break;
  }
  const auto leaf = std::ranges::find(leaves(), term.kind, &Leaf::kind);
  const std::string options = leaf->options.echo(term);
  return leaf->name + (options.empty() ? "" : "(" + options + ")");
}

}  // namespace detail

std::vector<LearnerEntry> kernel_entries() {
  std::vector<LearnerEntry> entries;
  for (const detail::Leaf& leaf : detail::leaves()) {
    LearnerEntry entry;
    entry.name = leaf.name;
    entry.summary = leaf.summary;
    entry.reference =
        "J. Shawe-Taylor, N. Cristianini. Kernel methods for pattern analysis. 2004, "
        "doi:10.1017/CBO9780511809682";
    entry.options = leaf.options.table();
    entry.make_kernel = [name = leaf.name](const OptionValues& values) {
      std::string expression = name;
      if (const std::string options = values.echo(); !options.empty())
        expression.append("(").append(options).append(")");
      return make_kernel(expression);
    };
    entries.push_back(std::move(entry));
  }
  return entries;
}

}  // namespace gssl
