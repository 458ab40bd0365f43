#include "gssl/io/convert_graph.hpp"

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "block_walker.hpp"
#include "byte_stream.hpp"
#include "edge_dialect.hpp"
#include "edge_naming.hpp"
#include "edge_walker.hpp"
#include "foreign_files.hpp"
#include "graph_file_writer.hpp"
#include "graph_format_table.hpp"
#include "gssl/core/error.hpp"
#include "gssl/core/machine.hpp"
#include "gssl/core/spill_file.hpp"
#include "gssl/graph/spilling_graph_builder.hpp"
#include "read_ahead.hpp"
#include "sniff_table.hpp"
#include "standard_input.hpp"
#include "text_source.hpp"

namespace gssl {
namespace {

using detail::ByteStream;

constexpr std::size_t piece_bytes = std::size_t{1} << 22;
// What the edges, and names that are no more, always have.
constexpr std::size_t least_room = std::size_t{1} << 24;

// The text of a stream in pieces that end at a line end. A file is read, and unpacked, on a thread of
// its own while the piece before is worked on.
class LinePieces {
 public:
  LinePieces(ByteStream& stream, bool beside) : stream_(stream) {
    if (beside)
      ahead_ = detail::ReadAhead::start([this](std::span<char> room) { return read(room); });
  }

  // Valid until the next call; empty at the end.
  std::string_view next() {
    text_.erase(0, given_);
    given_ = 0;
    while (given_ == 0 && !ended_) {
      const std::size_t wanted = text_.size() + piece_bytes;
      while (text_.size() < wanted && !ended_) add_bytes();
      given_ = ended_ ? text_.size() : text_.rfind('\n') + 1;  // 0: a line longer than a piece
    }
    return std::string_view(text_).substr(0, given_);
  }

  std::int64_t stored_bytes() const { return stored_.load(); }  // up to this piece, or some more

 private:
  static constexpr std::size_t read_bytes = std::size_t{1} << 18;

  std::size_t read(std::span<char> room) {
    const std::size_t got = stream_.read(room);
    stored_.store(stream_.stored_bytes());
    return got;
  }

  void add_bytes() {
    const std::size_t before = text_.size();
    if (ahead_) {
      text_ += ahead_->next();
    } else {
      text_.resize(before + read_bytes);
      text_.resize(before + read(std::span(text_).subspan(before)));
    }
    ended_ = text_.size() == before;
  }

  ByteStream& stream_;
  std::string text_;
  std::size_t given_ = 0;
  bool ended_ = false;
  std::atomic<std::int64_t> stored_{0};
  std::unique_ptr<detail::ReadAhead> ahead_;  // last: its thread uses the others
};

// The weights of rows that come one after the other, on disk from the first that is not 1.
class WeightSpool {
 public:
  void add(const RowBlock& rows) {
    if (!rows.weights.empty() && !file_) begin();
    if (file_ && rows.weights.empty())
      append_ones(rows.neighbors.size());
    else if (file_)
      append(rows.weights);
    count_ += rows.neighbors.size();
  }

  detail::WeightSource source() const {
    return {tally_, [this](const auto& body) {
              std::vector<double> piece;
              for (std::uint64_t at = 0; at < count_; at += piece.size()) {
                piece.resize(std::min<std::uint64_t>(some, count_ - at));
                file_->read(at * sizeof(double), std::span<double>(piece));
                body(piece);
              }
            }};
  }

 private:
  static constexpr std::uint64_t some = 1 << 16;

  void begin() {
    file_ = std::make_unique<SpillFile>();
    append_ones(count_);
  }
  void append(std::span<const double> weights) {
    tally_.add(weights);
    file_->append(weights);
  }
  void append_ones(std::uint64_t left) {
    const std::vector<double> ones(std::min(left, some), 1.0);
    for (; left > 0; left -= std::min(left, some))
      append(std::span(ones).first(std::min(left, some)));
  }

  std::unique_ptr<SpillFile> file_;
  std::uint64_t count_ = 0;
  detail::WeightTally tally_;
};

// An edge list on its way into a binary graph.
class EdgeListConversion {
 public:
  EdgeListConversion(const std::string& in, const ReadOptions& read, const RunContext& run)
      : in_(in), read_(read), run_(run) {}

  ConvertedGraph convert(OutputFile& out, const BinaryWriteOptions& write) {
    if (!walk(true)) {
      if (!is_file(in_))
        throw Error(ErrorCode::bad_data,
                    "<stdin>: its first line may be a header or an edge, and a pipe is read once; "
                    "leave a header out, or give a file");
      walk(false);
    }
    return write_rows(out, write);
  }

  static bool is_file(const std::string& path) {
    std::error_code ignored;
    return path != "-" && std::filesystem::is_regular_file(path, ignored);
  }

 private:
  // False if the header that was assumed names vertices, so that it is an edge.
  bool walk(bool header_allowed) {
    stats_ = {};
    names_ = {};
    builder_ = std::make_unique<SpillingGraphBuilder>(
        GraphBuilderOptions{read_.duplicates, read_.opposite}, run_.memory_limit);
    ByteStream stream(in_, run_);
    LinePieces pieces(stream, is_file(in_) && run_.thread_count() > 1);
    std::string_view text = detail::without_text_mark(pieces.next(), stream.name());
    if (read_.format == GraphFormat::automatic)
      detail::refuse_foreign(text, stream.name(), detail::Wanted::graph);
    text = detail::without_lines(text, read_.table.skip_lines);
    detail::Dialect dialect = detail::sniff_dialect(text, stream.name(), read_, stats_.notes);
    if (!header_allowed) {
      dialect.header = dialect.doubtful_header = false;
      dialect.header_note.clear();
    }
    if (!dialect.header_note.empty()) stats_.notes.push_back(dialect.header_note);
    detail::Naming naming(names_, *builder_);
    std::int64_t line = read_.table.skip_lines + 1;
    std::size_t walked = 0;
    const auto each_piece = [&](auto&& walk) {
      for (; !text.empty(); text = pieces.next()) {
        walk();
        walked += text.size();
        keep_to_limit(pieces.stored_bytes(), walked);
        // Sorting is the other half. Of a pipe nobody knows: −1.
        detail::check_progress(run_,
                               is_file(in_) ? 0.5 * share_read(pieces.stored_bytes(), 0.0) : -1.0);
      }
    };
    if (dialect.bipartite) {
      detail::TwoKinds kinds(naming);
      detail::Walker walker(dialect, stream.name(), kinds);
      each_piece([&] { line = walker.walk(text, line); });
    } else {
      detail::BlockWalker walker(dialect, stream.name(), names_, naming, run_.thread_count(),
                                 detail::NameTables::old_first, line);
      each_piece([&] { walker.walk(text); });
      line = walker.next_line();
      walker.commented().tell(stats_.notes);
    }
    naming.flush();
    stats_.lines = line - 1;
    run_.throw_if_stopped("reading", "before the file was read");
    stats_.path = stream.name();
    stats_.format = to_string(GraphFormat::edge_list);
    stats_.compression = stream.compression();
    stats_.bytes = stream.stored_bytes();
    stats_.crc32 = stream.crc32();
    zeros_ = naming.zeros();
    return !dialect.doubtful_header || (names_.find(dialect.header_words[0]) == no_vertex &&
                                        names_.find(dialect.header_words[1]) == no_vertex);
  }

  // Of the limit, the edges get what the names leave. Throws MemoryError where names are more than
  // that.
  void keep_to_limit(std::int64_t bytes_read, std::size_t walked) {
    if (run_.memory_limit == 0) return;
    const std::size_t names = names_.memory_bytes();
    const std::size_t needed = conversion_least(names, names_.size());
    if (needed > std::max(run_.memory_limit, least_room)) {
      constexpr double least_share = 0.5;  // of a pipe nobody knows
      // Some of what was read is not walked through yet.
      const auto text = static_cast<double>(walked);
      const double share = share_read(bytes_read, least_share) * text /
                           (text + static_cast<double>(detail::ReadAhead::held_bytes));
      throw MemoryError("converting " + in_,
                        static_cast<std::size_t>(static_cast<double>(needed) / share),
                        run_.memory_limit);
    }
    builder_->set_limit(conversion_room(run_.memory_limit, names, names_.size()));
  }

  double share_read(std::int64_t bytes, double of_a_pipe) const {
    if (!is_file(in_)) return of_a_pipe;
    const auto size = static_cast<double>(std::filesystem::file_size(in_));
    return size > 0.0 ? std::min(1.0, static_cast<double>(bytes) / size) : 1.0;
  }

  ConvertedGraph write_rows(OutputFile& out, const BinaryWriteOptions& write) {
    ConvertedGraph made;
    made.vertices = names_.size();
    builder_->end();  // the last edges may be those that go to disk
    made.sorted_on_disk = builder_->on_disk();
    detail::GraphFileWriter file(out, write);
    std::vector<EdgeIndex, HugeAllocator<EdgeIndex>> offsets;
    if (made.sorted_on_disk) offsets.reserve(static_cast<std::size_t>(made.vertices) + 1);
    offsets.push_back(0);
    WeightSpool spool;
    detail::WeightSource weights;
    const auto finish = [&](std::span<const EdgeIndex> all, const detail::WeightSource& source) {
      detail::take_counts(builder_->counts(), zeros_, stats_);
      made.edges = all.back() / 2;
      for (std::size_t v = 0; v + 1 < all.size(); ++v)
        made.isolated += all[v] == all[v + 1] ? 1 : 0;
      file.finish(all, source, names_, stats_);
    };
    try {
      std::move(*builder_).finish(made.vertices, run_, [&](const RowBlock& rows) {
        file.add_rows(rows.offsets, rows.neighbors);
        if (!made.sorted_on_disk) {  // all rows, and gone after this call
          weights.tally.add(rows.weights);
          weights.visit = [&](const auto& body) { body(rows.weights); };
          finish(rows.offsets, weights);
          return;
        }
        const EdgeIndex base = offsets.back();
        for (const EdgeIndex offset : rows.offsets.subspan(1)) offsets.push_back(base + offset);
        spool.add(rows);
      });
    } catch (const EdgeError& error) {
      throw Error(ErrorCode::bad_data, stats_.path + ": edge " + shown_name(error.u()) + " " +
                                           shown_name(error.v()) + ": " + error.rule());
    }
    if (made.sorted_on_disk) finish(offsets, spool.source());
    made.stats = stats_;
    return made;
  }

  std::string shown_name(VertexId v) const { return detail::shown(names_.name(v)); }

  const std::string in_;
  const ReadOptions& read_;
  const RunContext& run_;
  InputStats stats_;
  VertexNames names_;
  std::unique_ptr<SpillingGraphBuilder> builder_;
  std::int64_t zeros_ = 0;
};

// The first bytes, unpacked, of a file or of standard input, which still has them to be read.
std::string first_bytes(const std::string& path, const RunContext& run) {
  std::unique_ptr<detail::LookAtStandardInput> look;
  if (path == "-") look = std::make_unique<detail::LookAtStandardInput>();
  ByteStream stream(path, run, detail::Checksum::none);
  std::string start(detail::section_alignment, '\0');
  std::size_t held = 0;
  for (std::size_t got = 1; got > 0 && held < start.size(); held += got)
    got = stream.read(std::span(start).subspan(held));
  start.resize(held);
  return start;
}

// Of standard input. A header that may be an edge is decided by all that follows, and it cannot be
// read twice. One that the next line tells is hardly ever an edge, and a list may be too long to be
// held: convert() refuses it then.
bool may_need_second_walk(std::string_view start, const ReadOptions& read) {
  std::vector<std::string> notes;
  try {
    start = detail::without_text_mark(start.substr(0, start.rfind('\n') + 1), "<stdin>");
    const std::string_view text = detail::without_lines(start, read.table.skip_lines);
    const detail::Dialect dialect = detail::sniff_dialect(text, "<stdin>", read, notes);
    return dialect.doubtful_header && dialect.header_note.empty();
  } catch (const Error&) {
    return true;  // who reads it whole knows more
  }
}

// Told by the first bytes, where the format is not given.
bool is_streamed(const std::string& path, const ReadOptions& read, const RunContext& run) {
  if (!read.layers.empty()) return false;
  if (read.format != GraphFormat::automatic) return read.format == GraphFormat::edge_list;
  if (path != "-" && !EdgeListConversion::is_file(path)) return false;
  const std::string start = first_bytes(path, run);
  // Binary formats are told by the whole of a file.
  return !detail::is_binary(start) &&
         detail::sniff_graph_format(start, path).format == GraphFormat::edge_list &&
         (path != "-" || !may_need_second_walk(start, read));
}

}  // namespace

std::size_t conversion_least(std::size_t name_bytes, VertexId vertices) {
  constexpr std::size_t of_a_vertex = 20;
  return name_bytes + of_a_vertex * static_cast<std::size_t>(vertices);
}

std::size_t conversion_room(std::size_t memory_limit, std::size_t name_bytes, VertexId vertices) {
  const std::size_t beside = conversion_least(name_bytes, vertices);
  return std::min(memory_limit,
                  beside + least_room < memory_limit ? memory_limit - beside : least_room);
}

ConvertedGraph convert_to_binary(const std::string& in, OutputFile& out, const ReadOptions& read,
                                 const BinaryWriteOptions& write, const RunContext& run) {
  if (is_streamed(in, read, run)) return EdgeListConversion(in, read, run).convert(out, write);
  if (is_binary_graph(in, read)) BinaryGraph::open(in).verify(run);
  const GraphFile file = read_graph(in, read, run);
  write_binary_graph(out, file.graph, file.names, write, file.stats);
  ConvertedGraph made{file.stats, file.graph.vertex_count(), file.graph.edge_count(), 0, false};
  for (VertexId v = 0; v < made.vertices; ++v) made.isolated += file.graph.degree(v) == 0 ? 1 : 0;
  return made;
}

}  // namespace gssl
