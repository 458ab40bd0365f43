// Matrix Market coordinate matrices as graphs (Boisvert, Pozo and Remington, NISTIR 5935, 1996):
// square, real, integer or pattern, symmetric or general. Entry (i, j) is the edge {i, j}, or of
// row i and column j where these are vertices of two kinds. One walk hands the edges to the
// builder, as in edge_list.cpp.
#include <cstring>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "fields.hpp"
#include "graph_formats.hpp"
#include "gssl/core/number_text.hpp"
#include "in_order.hpp"
#include "integer_text.hpp"
#include "line_blocks.hpp"
#include "name_comments.hpp"

namespace gssl::detail {
namespace {

struct MatrixMarketHead {
  bool pattern = false;
  bool symmetric = false;
  std::uint64_t rows = 0;
  std::uint64_t columns = 0;
  std::int64_t entries = 0;
  std::int64_t lines = 0;  // up to and with the size line
  std::size_t bytes = 0;   // as far
  NameComments names;
};

std::int64_t parse_size(std::string_view text, const std::string& file, std::int64_t line) {
  const std::optional<std::int64_t> value = parse_number<std::int64_t>(text);
  if (!value || *value < 0) {
    bad_line(file, line, "size " + shown(text) + "; expected 'rows columns entries' as integers");
  }
  return *value;
}

MatrixMarketHead parse_head(std::string_view text, const std::string& file, bool bipartite) {
  MatrixMarketHead head;
  const std::size_t given = text.size();
  FieldSplitter fields(Separator::blanks);
  std::string_view line = trimmed(take_line(text));
  head.lines = 1;
  // Only four words after the banner matter, so the banner is taken off first.
  constexpr std::string_view banner = "%%matrixmarket";
  const bool right = equal_ignoring_case(line.substr(0, banner.size()), banner);
  const auto is = [&](std::size_t i, std::string_view word) {
    return equal_ignoring_case(fields[i], word);
  };
  if (!right || fields.split(trimmed(line.substr(banner.size())), file, 1) != 4) {
    bad_line(file, 1,
             std::string("'").append(shown(line)) +
                 "'; expected '%%MatrixMarket matrix coordinate real|integer|pattern "
                 "symmetric|general'");
  }
  if (!is(0, "matrix") || !is(1, "coordinate") ||
      !(is(2, "real") || is(2, "integer") || is(2, "pattern")) ||
      !(is(3, "symmetric") || is(3, "general"))) {
    bad_line(file, 1,
             std::string("'").append(shown(line)) +
                 "' is not a kind of matrix that can be a graph; expected 'matrix "
                 "coordinate real|integer|pattern symmetric|general'; convert it");
  }
  head.pattern = is(2, "pattern");
  head.symmetric = is(3, "symmetric");
  do {
    if (text.empty()) bad_line(file, head.lines, "no size line; expected 'rows columns entries'");
    line = take_line(text);
    ++head.lines;
    if (line.starts_with('%')) head.names.take(line, file, head.lines);
    line = trimmed(line);
  } while (is_skipped(line));
  if (fields.split(line, file, head.lines) != 3) {
    bad_line(file, head.lines, "size line '" + shown(line) + "'; expected 'rows columns entries'");
  }
  const std::int64_t rows = parse_size(fields[0], file, head.lines);
  const std::int64_t columns = parse_size(fields[1], file, head.lines);
  head.entries = parse_size(fields[2], file, head.lines);
  if (bipartite ? head.symmetric : rows != columns) {
    bad_line(file, head.lines,
             std::to_string(rows) + " rows and " + std::to_string(columns) + " columns" +
                 (bipartite ? " that are symmetric; rows and columns are the same vertices: do not "
                              "read it as bipartite"
                            : "; expected a square matrix, or one that is read as bipartite"),
             Remedy::bipartite);
  }
  constexpr std::int64_t most = std::numeric_limits<VertexId>::max();
  if (rows > most || columns > most || (bipartite && rows + columns > most)) {
    bad_line(file, head.lines,
             std::to_string(rows) + " rows and " + std::to_string(columns) +
                 " columns; at most 2147483647 vertices are possible");
  }
  head.rows = static_cast<std::uint64_t>(rows);
  head.columns = static_cast<std::uint64_t>(columns);
  head.bytes = given - text.size();
  return head;
}

const char* after_blanks(const char* at, const char* end) {
  while (at != end && (*at == ' ' || *at == '\t')) ++at;
  return at;
}

// The entries of a few lines, one thread's work while another's are added to the graph.
struct EntryBlock {
  std::vector<VertexId> ends;   // two of each entry whose weight is not 0
  std::vector<double> weights;  // as many as entries
  std::int64_t entries = 0;
  std::string_view text;
  std::int64_t lines = 0;
  std::string_view rest;  // from the first line on that goes no fast way

  void clear() {
    ends.clear();
    weights.clear();
    entries = 0;
  }
};

// Walks the entries of pieces of text and calls sink(i, j, weight) for each, indices from 0.
template <class Sink>
class EntryWalker {
 public:
  EntryWalker(const MatrixMarketHead& head, const std::string& file, Sink& sink)
      : head_(head), file_(file), sink_(sink) {}

  // Whole lines, the first of which is `line`; returns the number of the line after them.
  std::int64_t walk(std::string_view text, std::int64_t line) {
    const char* at = text.data();
    const char* const end = at + text.size();
    for (; at != end; ++line) {
      if (const char* next = plain_line(at, end)) {
        at = next;
        continue;
      }
      const auto* stop = static_cast<const char*>(std::memchr(at, '\n', end - at));
      any_line(trimmed({at, static_cast<std::size_t>((stop ? stop : end) - at)}), line);
      at = stop ? stop + 1 : end;
    }
    return line;
  }

  // The first lines of `text`, while they go the fast way: counted in `lines`. The text after them.
  std::string_view walk_fast(std::string_view text, std::int64_t& lines) {
    const char* at = text.data();
    const char* const end = at + text.size();
    for (lines = 0; at != end; ++lines) {
      const char* const next = plain_line(at, end);
      if (next == nullptr) break;
      at = next;
    }
    return {at, static_cast<std::size_t>(end - at)};
  }

 private:
  // The fast way: "i j [weight]" within range. The next line, or nullptr with nothing done.
  const char* plain_line(const char* at, const char* end) {
    std::uint64_t i = 0;
    std::uint64_t j = 0;
    double weight = 1.0;
    at = take_integer(after_blanks(at, end), end, i);
    if (at == nullptr || at == end || (*at != ' ' && *at != '\t')) return nullptr;
    at = take_integer(after_blanks(at, end), end, j);
    if (at == nullptr || i - 1 >= head_.rows || j - 1 >= head_.columns) return nullptr;
    if (!head_.pattern) {
      if (at == end || (*at != ' ' && *at != '\t')) return nullptr;
      at = take_weight(after_blanks(at, end), end, weight);
      if (at == nullptr) return nullptr;
    }
    at = after_blanks(at, end);
    if (at != end && *at == '\r') ++at;
    if (at == end || *at != '\n') return nullptr;
    sink_(static_cast<VertexId>(i - 1), static_cast<VertexId>(j - 1), weight);
    return at + 1;
  }

  void any_line(std::string_view line, std::int64_t number) {
    if (is_skipped(line)) return;
    const std::size_t count = fields_.split(line, file_, number);
    if (count != (head_.pattern ? 2U : 3U)) {
      bad_line(file_, number,
               std::to_string(count) + " fields in '" + shown(line) + "'; expected " +
                   (head_.pattern ? "'i j'" : "'i j weight'"));
    }
    const VertexId i = index(fields_[0], head_.rows, number);
    const VertexId j = index(fields_[1], head_.columns, number);
    sink_(i, j, head_.pattern ? 1.0 : parse_weight(fields_[2], file_, number));
  }

  VertexId index(std::string_view field, std::uint64_t size, std::int64_t number) const {
    const std::optional<std::int64_t> value = parse_number<std::int64_t>(field);
    if (!value || *value < 1 || static_cast<std::uint64_t>(*value) > size) {
      bad_line(file_, number,
               "index " + shown(field) + "; expected an integer from 1 to " + std::to_string(size));
    }
    return static_cast<VertexId>(*value - 1);
  }

  const MatrixMarketHead& head_;
  const std::string& file_;
  Sink& sink_;
  FieldSplitter fields_{Separator::blanks};
};

// "u:1", …, "v:1", …: rows, then columns.
VertexNames two_kinds(const MatrixMarketHead& head) {
  VertexNames names;
  const auto add = [&](const char* prefix, std::uint64_t count) {
    for (std::uint64_t i = 1; i <= count; ++i) names.insert(prefix + std::to_string(i));
  };
  add(left_prefix, head.rows);
  add(right_prefix, head.columns);
  return names;
}

struct EntryCounts {
  std::int64_t entries = 0;
  std::int64_t zeros = 0;
  std::int64_t lines = 0;  // of the whole file
};

// Hands the edges to the builder: lines are parsed on all threads, and added in their order.
EntryCounts add_entries(const MatrixMarketHead& head, VertexId first_column,
                        const TextSource& source, const RunContext& run, GraphBuilder& builder) {
  EntryCounts counts;
  const auto take = [&](VertexId i, VertexId j, double weight) {
    ++counts.entries;
    if (weight == 0) {
      ++counts.zeros;
    } else {
      builder.add(i, j + first_column, weight);
    }
  };
  EntryWalker walker(head, source.name(), take);
  std::int64_t line = head.lines + 1;
  std::int64_t blocks = 0;  // of the pieces before
  OrderedWork<EntryBlock> work(run.thread_count());
  PassedText passed(source);
  HeldTextRoom room(source, run);
  room.take(source.head().substr(0, head.bytes));
  TextPieces pieces(source, head.bytes);
  for (std::string_view piece = pieces.next(); !piece.empty(); piece = pieces.next()) {
    room.take(piece);
    LineBlocks lines(piece, block_bytes(piece.size()));
    work.run(
        lines.most(),
        [&](std::int64_t i, EntryBlock& block) {
          block.clear();
          block.text = lines[i];
          source.sum(block.text);
          const auto keep = [&](VertexId row, VertexId column, double weight) {
            ++block.entries;
            if (weight == 0) return;
            block.ends.push_back(row);
            block.ends.push_back(column + first_column);
            if (!head.pattern) block.weights.push_back(weight);
          };
          EntryWalker fast(head, source.name(), keep);
          block.rest = fast.walk_fast(block.text, block.lines);
        },
        [&](std::int64_t i, EntryBlock& block) {
          check_block_progress(run, blocks + i, pieces.share_before(block.text.data()));
          counts.entries += block.entries;
          counts.zeros += block.entries - static_cast<std::int64_t>(block.ends.size() / 2);
          builder.add(block.ends, block.weights);
          line = walker.walk(block.rest, line + block.lines);
          passed.add(block.text);
        });
    blocks += lines.most();
  }
  counts.lines = line - 1;
  return counts;
}

}  // namespace

void read_matrix_market(const TextSource& source, const ReadOptions& options, const RunContext& run,
                        GraphFile& file) {
  MatrixMarketHead head = parse_head(source.head(), source.name(), options.bipartite);
  const auto first_column = static_cast<VertexId>(options.bipartite ? head.rows : 0);
  const auto size = static_cast<VertexId>(head.columns) + first_column;
  file.stats.names_given = !head.names.empty() || options.bipartite;
  file.names = head.names.empty() && options.bipartite
                   ? two_kinds(head)
                   : std::move(head.names).names(size, source.name());
  GraphBuilder builder(size, {.duplicates = options.duplicates, .opposite = options.opposite});
  const EntryCounts counts = add_entries(head, first_column, source, run, builder);
  if (counts.entries != head.entries) {
    bad_line(source.name(), counts.lines,
             std::to_string(counts.entries) + " entries; the size line says " +
                 std::to_string(head.entries) +
                 "; the file is cut short or its size line is wrong");
  }
  check_progress(run, 1.0);
  file.graph = finish_graph(builder, file.names, source, run);
  file.stats.lines = counts.lines;
  take_counts(builder.counts(), counts.zeros, file.stats);
}

}  // namespace gssl::detail
