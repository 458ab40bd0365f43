// Pajek networks (Batagelj and Mrvar, Pajek – Analysis and Visualization of Large Networks, 2004,
// doi:10.1007/978-3-642-18638-7_4): "*Vertices n", a line "id "name" …" for those that have one,
// then sections of lines of edges. Numbers count from 1; words and their case are as they come.
#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "declared_size.hpp"
#include "edge_collector.hpp"
#include "layer_table.hpp"
#include "word_lines.hpp"

namespace gssl::detail {
namespace {

enum class Section { none, vertices, pairs, lists, matrix, skipped };

class PajekReader {
 public:
  PajekReader(const TextSource& source, const ReadOptions& options, const RunContext& run,
              GraphFile& file)
      : source_(source),
        run_(run),
        file_(file),
        lines_(source, run, "%"),
        edges_(options),
        layers_(options.layers) {}

  void read() {
    while (lines_.next()) {
      if (lines_.line().front() == '*') {
        begin_section();
        continue;
      }
      switch (section_) {
        case Section::none: lines_.fail("expected '*Vertices n' first");
        case Section::vertices: take_vertex(); break;
        case Section::pairs: take_pair(); break;
        case Section::lists: take_list(); break;
        case Section::matrix: take_row(); break;
        case Section::skipped: break;
      }
    }
    check_matrix();
    if (size_ < 0) bad_line(source_.name(), 1, "no '*Vertices n'; expected it first");
    if (layers_.given()) layers_.check(source_.name());
    if (arcs_) file_.stats.notes.emplace_back(arcs_note);
    file_.names = names();
    file_.stats.lines = lines_.number();
    edges_.finish(source_, run_, file_);
  }

 private:
  bool is(std::string_view word) const { return equal_ignoring_case(lines_[0], word); }

  void begin_section() {
    check_matrix();
    layer_ = "";
    if (is("*network")) {
      if (size_ >= 0) lines_.fail("a second network; put each into a file of its own");
      section_ = Section::skipped;
    } else if (is("*vertices")) {
      begin_vertices();
    } else if (is("*arcs") || is("*arcslist") || is("*edges") || is("*edgeslist")) {
      begin_edges();
    } else if (is("*matrix")) {
      need_vertices();
      section_ = Section::matrix;
      is_arcs_ = arcs_ = first_kind_ == size_;
    } else {
      section_ = Section::skipped;
      file_.stats.notes.push_back("its section '" + shown(lines_[0]) + "' is passed over");
    }
  }

  void begin_vertices() {
    if (size_ >= 0) lines_.fail("'*Vertices' a second time; put each network into its own file");
    const std::int64_t n =
        lines_.integer(1, "number of vertices", 0, std::numeric_limits<std::int64_t>::max());
    const std::string rule =
        declared_too_many(static_cast<std::uint64_t>(n), source_.text().size());
    if (!rule.empty()) lines_.fail(rule);
    size_ = static_cast<VertexId>(n);
    first_kind_ = size_;
    if (lines_.count() > 2)
      first_kind_ = static_cast<VertexId>(lines_.integer(2, "vertices of the first kind", 0, n));
    section_ = Section::vertices;
  }

  // "*Arcs :2 "cites"": the layer is called by its name, else by its number.
  void begin_edges() {
    need_vertices();
    is_arcs_ = is("*arcs") || is("*arcslist");
    arcs_ = arcs_ || is_arcs_;
    section_ = is("*arcslist") || is("*edgeslist") ? Section::lists : Section::pairs;
    if (lines_.count() < 2 || !lines_[1].starts_with(':')) return;
    layer_ = lines_.count() > 2 ? lines_[2] : lines_[1].substr(1);
  }

  void need_vertices() const {
    if (size_ < 0) lines_.fail("edges before '*Vertices n'; expected it first");
  }

  VertexId vertex(std::size_t i) const {
    return static_cast<VertexId>(lines_.integer(i, "vertex", 1, size_) - 1);
  }

  void take_vertex() {
    const auto v = static_cast<std::size_t>(vertex(0));
    if (lines_.count() < 2) return;
    if (called_.empty()) called_.resize(static_cast<std::size_t>(size_));
    if (!called_[v].empty()) lines_.fail("vertex " + shown(lines_[0]) + " is there again");
    called_[v] = lines_[1];
  }

  void add(VertexId u, VertexId v, double weight) {
    if (layers_.given()) {
      const double of_layer = layers_.weight(layer_, source_.name());
      if (!is_arcs_ && u > v) std::swap(u, v);
      return edges_.add(u, v, weight * of_layer, layers_.last());
    }
    is_arcs_ ? edges_.add_arc(u, v, weight) : edges_.add_undirected(u, v, weight);
  }

  void take_pair() {
    if (lines_.count() < 2) lines_.fail("one word; expected 'u v' or 'u v weight'");
    // Words past the weight say how the edge is drawn, and may stand in its place.
    const bool weighted = lines_.count() > 2 && parse_number<double>(lines_[2]);
    add(vertex(0), vertex(1), weighted ? lines_.weight(2) : 1.0);
  }

  void take_list() {
    if (lines_.count() < 2) lines_.fail("one word; expected 'u v …'");
    const VertexId u = vertex(0);
    for (std::size_t i = 1; i < lines_.count(); ++i) add(u, vertex(i), 1.0);
  }

  // Of a network with two kinds of vertices: a row for each of the first, a column for each other.
  void take_row() {
    const VertexId first = first_kind_ < size_ ? first_kind_ : 0;
    const VertexId columns = size_ - first;
    if (row_ == first_kind_) lines_.fail("more rows than '*Vertices' says");
    if (lines_.count() != static_cast<std::size_t>(columns))
      lines_.fail(std::to_string(lines_.count()) + " numbers in a row of the matrix; expected " +
                  std::to_string(columns));
    for (VertexId c = 0; c < columns; ++c) {
      const double weight = lines_.weight(static_cast<std::size_t>(c));
      if (weight > 0) add(row_, first + c, weight);
    }
    ++row_;
  }

  void check_matrix() {
    const VertexId rows = std::exchange(row_, 0);
    if (section_ == Section::matrix && rows != first_kind_)
      lines_.fail("the matrix ends after " + std::to_string(rows) + " rows; expected " +
                  std::to_string(first_kind_) + "; the file is cut short");
  }

  // Those of the lines; a vertex without one is called by its number.
  VertexNames names() {
    file_.stats.names_given = !called_.empty();
    if (called_.empty()) return VertexNames::numbered(size_, 1);
    VertexNames names;
    for (VertexId v = 0; v < size_; ++v) {
      const std::string& own = called_[static_cast<std::size_t>(v)];
      const std::string name = own.empty() ? std::to_string(v + 1) : own;
      if (names.insert(name) == v) continue;
      file_.stats.notes.push_back("two vertices are called '" + shown(name) +
                                  "', so that all are called by their numbers");
      return VertexNames::numbered(size_, 1);
    }
    return names;
  }

  const TextSource& source_;
  const RunContext& run_;
  GraphFile& file_;
  WordLines lines_;
  EdgeCollector edges_;
  LayerTable layers_;
  Section section_ = Section::none;
  VertexId size_ = -1;
  VertexId first_kind_ = 0;
  VertexId row_ = 0;
  bool arcs_ = false;     // of any section
  bool is_arcs_ = false;  // of this one
  std::string layer_;
  std::vector<std::string> called_;
};

}  // namespace

void read_pajek(const TextSource& source, const ReadOptions& options, const RunContext& run,
                GraphFile& file) {
  PajekReader(source, options, run, file).read();
}

}  // namespace gssl::detail
