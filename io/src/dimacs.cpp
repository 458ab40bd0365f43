// DIMACS files of maximum flow ("p max"), coloring ("p edge", "p col") and shortest paths ("p sp");
// formats: Johnson and McGeoch, Network Flows and Matching, 1993; the 9th DIMACS challenge, 2006.
#include <limits>

#include "declared_size.hpp"
#include "edge_collector.hpp"
#include "word_lines.hpp"

namespace gssl::detail {
namespace {

class DimacsReader {
 public:
  DimacsReader(const TextSource& source, const ReadOptions& options, const RunContext& run,
               GraphFile& file)
      : source_(source), run_(run), file_(file), lines_(source, run, "c"), edges_(options) {}

  void read() {
    while (lines_.next()) take_line();
    if (size_ < 0)
      bad_line(source_.name(), 1, "no line 'p KIND VERTICES EDGES'; expected it first");
    if (seen_ != promised_)
      lines_.fail(std::to_string(seen_) + " edges; the line 'p' says " + std::to_string(promised_) +
                  "; the file is cut short or its line 'p' is wrong");
    if (arcs_) file_.stats.notes.emplace_back(arcs_note);
    file_.stats.names_given = false;
    file_.stats.lines = lines_.number();
    file_.names = VertexNames::numbered(size_, 1);
    edges_.finish(source_, run_, file_);
  }

 private:
  void take_line() {
    const char kind = lines_[0].size() == 1 ? lines_[0].front() : '?';
    if (kind == 'p') return take_problem();
    if (size_ < 0)
      lines_.fail("'" + shown(lines_.line()) + "' before the line 'p KIND VERTICES EDGES'");
    switch (kind) {
      case 'e':
      case 'a': take_edge(kind == 'a'); break;
      case 'n': take_node(); break;
      case 'd':
      case 'v':
      case 'x': break;  // how the graph was generated
      default: lines_.fail("a line of kind '" + shown(lines_[0]) + "'; expected c, p, n, a or e");
    }
  }

  void take_problem() {
    if (size_ >= 0) lines_.fail("a second line 'p'; expected one");
    if (lines_.count() != 4) lines_.fail("expected 'p KIND VERTICES EDGES'");
    constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
    const std::int64_t n = lines_.integer(2, "number of vertices", 0, most);
    promised_ = lines_.integer(3, "number of edges", 0, most);
    const std::string rule =
        declared_too_many(static_cast<std::uint64_t>(n), source_.text().size());
    if (!rule.empty()) lines_.fail(rule);
    size_ = static_cast<VertexId>(n);
    flow_ = lines_[1] == "max";
  }

  VertexId vertex(std::size_t i) const {
    return static_cast<VertexId>(lines_.integer(i, "vertex", 1, size_) - 1);
  }

  void take_edge(bool arc) {
    if (lines_.count() != 3 && lines_.count() != 4)
      lines_.fail("expected '" + shown(lines_[0]) + " u v' or '" + shown(lines_[0]) +
                  " u v weight'");
    arcs_ = arcs_ || arc;
    ++seen_;
    edges_.add(vertex(1), vertex(2), lines_.count() == 4 ? lines_.weight(3) : 1.0);
  }

  // "n ID s" and "n ID t" of maximum flow; other problems give vertices a value.
  void take_node() {
    const VertexId v = vertex(1);
    if (!flow_) return;
    if (lines_.count() != 3 || (lines_[2] != "s" && lines_[2] != "t"))
      lines_.fail("expected 'n VERTEX s' or 'n VERTEX t'");
    (lines_[2] == "s" ? file_.sources : file_.sinks).push_back(v);
  }

  const TextSource& source_;
  const RunContext& run_;
  GraphFile& file_;
  WordLines lines_;
  EdgeCollector edges_;
  VertexId size_ = -1;
  std::int64_t promised_ = 0;
  std::int64_t seen_ = 0;
  bool flow_ = false;
  bool arcs_ = false;
};

}  // namespace

void read_dimacs(const TextSource& source, const ReadOptions& options, const RunContext& run,
                 GraphFile& file) {
  DimacsReader(source, options, run, file).read();
}

}  // namespace gssl::detail
