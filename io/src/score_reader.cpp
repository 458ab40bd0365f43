#include "gssl/io/score_reader.hpp"

#include <atomic>
#include <cmath>
#include <optional>

#include "fields.hpp"
#include "foreign_files.hpp"
#include "graph_formats.hpp"
#include "gssl/core/error.hpp"
#include "gssl/core/machine.hpp"
#include "gssl/core/number_text.hpp"
#include "gssl/core/parallel.hpp"
#include "table_layout.hpp"
#include "text_source.hpp"

namespace gssl {
namespace {

using namespace detail;

class ScoreTable {
 public:
  ScoreTable(const TextSource& source, const VertexNames& names, std::size_t most_held)
      : source_(source), names_(names), most_held_(most_held) {
    start_stats(source, "scores", file_.stats);
  }

  ScoreFile read(int threads) {
    std::string_view text = source_.text();
    while (!separator_ && !text.empty()) {
      const std::string_view line = trimmed(take_line(text));
      ++file_.stats.lines;
      if (!is_skipped(line)) take_header(line);
    }
    if (!separator_) bad_line(source_.name(), 1, "nothing in it; expected a header 'node CLASS …'");
    std::vector<Chunk> chunks;
    file_.stats.lines += cut_and_count(text, file_.stats.lines + 1, threads, chunks);
    take_rows(chunks, threads);
    if (file_.unknown > file_.rows)
      throw Error(ErrorCode::bad_data,
                  source_.name() + ": " + std::to_string(file_.unknown) + " of " +
                      std::to_string(file_.unknown + file_.rows) +
                      " vertices are not in the graph: it is of another graph; take the scores of "
                      "this one");
    return std::move(file_);
  }

 private:
  struct Counts {
    std::int64_t rows = 0;
    std::int64_t unknown = 0;
    void operator+=(const Counts& more) {
      rows += more.rows;
      unknown += more.unknown;
    }
  };

  void take_header(std::string_view line) {
    const std::int64_t number = file_.stats.lines;
    if (is_binary(line))
      bad_line(source_.name(), number, "binary data; expected scores of vertices", Remedy::scores);
    if (line.front() == '{')
      bad_line(source_.name(), number,
               "JSON lines; expected a table with a header 'node CLASS …': write the scores as tsv "
               "or csv, or give a checkpoint",
               Remedy::scores);
    separator_ = sniff_separator(line);
    FieldSplitter fields(*separator_, FieldSplitter::Empty::allowed);
    const std::size_t count = fields.split(line, source_.name(), number);
    if (count < 2 || fields[0] != "node")
      bad_line(source_.name(), number,
               "'" + shown(line) + "'; expected a header 'node CLASS …' of scores of vertices",
               Remedy::scores);
    for (std::size_t i = 1; i < count; ++i) file_.columns.emplace_back(fields[i]);
    const double bytes = static_cast<double>(sizeof(double)) * names_.size() *
                         static_cast<double>(file_.columns.size());
    if (most_held_ > 0 && bytes > static_cast<double>(most_held_))
      throw MemoryError("reading " + source_.name(), static_cast<std::size_t>(bytes), most_held_);
    file_.scores = Block(names_.size(), std::ssize(file_.columns));
  }

  // Which of two rows of a vertex is the second, and which of two errors the first, one thread tells.
  void take_rows(const std::vector<Chunk>& chunks, int threads) {
    Counts counts;
    try {
      counts = rows_of(chunks, threads);
    } catch (const Error&) {
      if (threads <= 1) throw;
      counts = rows_of(chunks, 1);
    }
    file_.rows = counts.rows;
    file_.unknown = counts.unknown;
  }

  Counts rows_of(const std::vector<Chunk>& chunks, int threads) {
    seen_.assign(static_cast<std::size_t>(names_.size()), 0);
    return blocked_sum(
        std::ssize(chunks), threads,
        [&](std::int64_t i, std::int64_t) {
          const Chunk& chunk = chunks[static_cast<std::size_t>(i)];
          const Counts counts = rows_of(chunk);
          source_.release(chunk.text);
          return counts;
        },
        1);
  }

  Counts rows_of(const Chunk& chunk) {
    FieldSplitter fields(*separator_, FieldSplitter::Empty::allowed);
    Counts counts;
    std::int64_t number = chunk.first_line;
    for (std::string_view text = chunk.text; !text.empty(); ++number) {
      const std::string_view line = trimmed(take_line(text));
      if (is_skipped(line)) continue;
      const bool known = take_row(line, number, fields);
      ++(known ? counts.rows : counts.unknown);
    }
    return counts;
  }

  // Whether its vertex is in the graph.
  bool take_row(std::string_view line, std::int64_t number, FieldSplitter& fields) {
    const std::size_t count = fields.split(line, source_.name(), number);
    if (count != file_.columns.size() + 1)
      bad_line(source_.name(), number,
               std::to_string(count) + " fields; expected " +
                   std::to_string(file_.columns.size() + 1) + " as in the header");
    const VertexId v = names_.find(fields[0]);
    if (v == no_vertex) return false;
    const std::atomic_ref<std::uint8_t> seen(seen_[static_cast<std::size_t>(v)]);
    if (seen.exchange(1, std::memory_order_relaxed) != 0)
      bad_line(source_.name(), number,
               "'" + shown(fields[0]) + "' has a row before; expected one for each vertex");
    const std::span<double> row = file_.scores.row(v);
    for (std::size_t k = 0; k < row.size(); ++k) {
      const auto value = parse_number<double>(fields[k + 1]);
      if (!value || !std::isfinite(*value))
        bad_line(source_.name(), number,
                 "'" + shown(fields[k + 1]) +
                     "'; expected a finite number, as in a table of all scores");
      row[k] = *value;
    }
    return true;
  }

  const TextSource& source_;
  const VertexNames& names_;
  const std::size_t most_held_;
  std::optional<Separator> separator_;
  std::vector<std::uint8_t> seen_;  // by vertex
  ScoreFile file_;
};

}  // namespace

ScoreFile read_scores(const std::string& path, const VertexNames& names, std::size_t most_held,
                      int threads) {
  const TextSource source = TextSource::open(path, most_held);
  return source.read_whole([&] { return ScoreTable(source, names, most_held).read(threads); });
}

}  // namespace gssl
