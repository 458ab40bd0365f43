// Packed files that a thread unpacks while they are parsed, against plain files and one thread.
#include <pthread.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <string>
#include <utility>
#include <vector>

#include "gssl/core/rng.hpp"
#include "gssl/io/cell_reader.hpp"
#include "gssl/io/label_reader.hpp"
#include "gssl/io/line_stream.hpp"
#include "gssl/io/points_reader.hpp"
#include "io_support.hpp"
#include "read_ahead.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"
#include "text_source.hpp"

using namespace gssl;
using namespace gssl::test;
using Catch::Contains;
using gssl::detail::ReadAhead;
using gssl::detail::TextSource;

namespace {

constexpr std::array packed_thread_counts = {1, 2, 4};

// Of several blocks.
const std::string& edge_text() {
  static const std::string text = random_edges(3000, 100000, true, "", 5);
  return text;
}

std::vector<std::pair<std::string, std::string>> packed_by_all(const std::string& text) {
  return {{"gz", gzip(text)}, {"zst", zstd(text)}, {"xz", xz(text)}, {"bz2", bzip2(text)}};
}

// What reading throws, or "".
std::string graph_error(const std::string& path, const RunContext& run) {
  const auto error = error_of([&] { read_graph(path, {}, run); });
  return error ? std::to_string(exit_status(error->code())) + " " + error->what() : "";
}

bool have_equal_names(const GraphFile& a, const GraphFile& b) {
  if (a.names.size() != b.names.size()) return false;
  for (VertexId v = 0; v < a.names.size(); ++v)
    if (a.names.name(v) != b.names.name(v)) return false;
  return true;
}

// Threads cannot be started while one lives: there is no room for stacks as large.
class NoNewThreads {
 public:
  NoNewThreads() {
    REQUIRE(pthread_getattr_default_np(&before_) == 0);
    pthread_attr_t huge = before_;
    REQUIRE(pthread_attr_setstacksize(&huge, std::size_t{1} << 47) == 0);
    REQUIRE(pthread_setattr_default_np(&huge) == 0);
  }
  ~NoNewThreads() {
    pthread_setattr_default_np(&before_);
    pthread_attr_destroy(&before_);
  }
  NoNewThreads(const NoNewThreads&) = delete;
  NoNewThreads& operator=(const NoNewThreads&) = delete;

 private:
  pthread_attr_t before_{};
};

// Gives `left` bytes, some at a time, and then ends or throws.
struct Letters {
  std::size_t left;
  bool fails = false;
  std::size_t given = 0;

  std::size_t operator()(std::span<char> room) {
    const std::size_t some = std::min({room.size(), left, std::size_t{70'001}});
    if (some == 0 && fails) throw Error(ErrorCode::bad_data, "letters: damaged");
    for (std::size_t i = 0; i < some; ++i) room[i] = static_cast<char>('a' + (given + i) % 23);
    given += some;
    left -= some;
    return some;
  }
};

bool are_letters(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i)
    if (text[i] != static_cast<char>('a' + i % 23)) return false;
  return true;
}

}  // namespace

TEST_CASE("A thread that reads ahead gives all bytes, then the end or the error", "[packed]") {
  constexpr std::size_t block = ReadAhead::block_bytes;
  for (const std::size_t size : {std::size_t{0}, std::size_t{1}, block - 1, block, 9 * block + 5}) {
    for (const bool fails : {false, true}) {
      INFO(size << " bytes");
      const auto ahead = ReadAhead::start(Letters{size, fails});
      if (!ahead) {
        WARN("skipped: addresses are limited");
        return;
      }
      std::string text;
      const auto error = error_of([&] {
        for (auto part = ahead->next(); !part.empty(); part = ahead->next()) text += part;
      });
      CHECK(text.size() == size);
      CHECK(are_letters(text));
      CHECK(error.has_value() == fails);
      CHECK_FALSE(ahead->ready());
      if (fails)
        CHECK_THROWS_AS(ahead->next(), Error);
      else
        CHECK(ahead->next().empty());
    }
  }
}

TEST_CASE("A thread that reads ahead of an endless input ends with its object", "[packed]") {
  for (int blocks = 0; blocks < 6; ++blocks) {
    const auto ahead = ReadAhead::start([](std::span<char> room) {
      std::ranges::fill(room, 'x');
      return room.size();
    });
    if (!ahead) return;
    for (int i = 0; i < blocks; ++i) CHECK(ahead->next().size() == ReadAhead::block_bytes);
  }
}

TEST_CASE("Packed edges give the graph of the plain file on any number of threads", "[packed]") {
  const TemporaryDirectory dir;
  const GraphFile plain = read_graph(dir.file("plain", edge_text()), {}, on_threads(1));
  for (const auto& [name, bytes] : packed_by_all(edge_text())) {
    const std::string path = dir.file(name, bytes);
    for (const int threads : packed_thread_counts) {
      INFO(name << " on " << threads << " threads");
      const GraphFile file = read_graph(path, {}, on_threads(threads));
      CHECK(file.graph == plain.graph);
      CHECK(have_equal_names(file, plain));
      CHECK(file.stats.lines == plain.stats.lines);
      CHECK(file.stats.edges_given == plain.stats.edges_given);
      CHECK(file.stats.duplicates_merged == plain.stats.duplicates_merged);
      CHECK(file.stats.bytes == static_cast<std::int64_t>(bytes.size()));
      CHECK(file.stats.compression != "none");
    }
  }
}

TEST_CASE("Packed edge lists of all kinds are read in pieces as they are whole", "[packed]") {
  const TemporaryDirectory dir;
  const std::string words = random_edges(3000, 100000, false, "name-", 6);
  std::string quoted;  // every line goes the patient way
  for (std::string_view rest = edge_text(); !rest.empty();) {
    const std::size_t end = rest.find('\n');
    quoted += "\"" + std::string(rest.substr(0, end)).replace(rest.find(' '), 1, "\" ") + "\r\n";
    rest.remove_prefix(end + 1);
  }
  const std::string comments = "% bip unweighted\n" + std::string(3 << 20, '#') + "\n";
  ReadOptions skipping;
  skipping.table.skip_lines = 60'000;
  ReadOptions two_kinds;
  two_kinds.bipartite = true;
  const std::vector<std::pair<std::string, ReadOptions>> cases = {
      {words, {}},
      {quoted, {}},
      {"\xEF\xBB\xBF" + words + "name-1 last", {}},
      {"a b\n" + words, {}},            // a header, or an edge
      {"a b\n" + words + "a c\n", {}},  // an edge, as the end shows
      {comments + words, {}},
      {edge_text(), skipping},
      {edge_text(), two_kinds}};
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const auto& [text, options] = cases[i];
    const GraphFile plain = read_graph(dir.file("plain", text), options, on_threads(1));
    const std::string path = dir.file("packed", gzip(text));
    for (const int threads : packed_thread_counts) {
      INFO("case " << i << " on " << threads << " threads");
      const GraphFile file = read_graph(path, options, on_threads(threads));
      CHECK(file.graph == plain.graph);
      CHECK(have_equal_names(file, plain));
      CHECK(file.stats.lines == plain.stats.lines);
      CHECK(file.stats.notes == plain.stats.notes);
    }
  }
}

TEST_CASE("Packed matrices, points and cells are those of plain files", "[packed]") {
  const TemporaryDirectory dir;
  gssl::Rng rng(4);
  constexpr int rows = 120'000;
  std::string matrix = "%%MatrixMarket matrix coordinate pattern general\n% a comment\n900 900 " +
                       std::to_string(rows) + "\n";
  std::string table = "x\ty\tname\n", sparse, cells;
  for (int i = 0; i < rows; ++i) {
    const auto number = [&] { return std::to_string(rng.below(900) + 1); };
    matrix += number() + " " + number() + "\n";
    if (rng.below(1000) == 0) table += "# 1\t2\tno\n";
    table += number() + "." + number() + "\t-" + number() + "e-2\trow-" + number() + "\n";
    sparse += (rng.below(2) == 0 ? "a 1:" : "b 3:") + number() + " 7:" + number() + "\n";
    cells += std::to_string(i) + " " + number() + " " + number() + "\n";
  }
  const GraphFile graph = read_graph(dir.file("m", matrix), {}, on_threads(1));
  const PointsReadOptions named{.label_column = "name"};
  const PointsFile points = read_points(dir.file("t", table), named, on_threads(1));
  const PointsFile svm = read_points(dir.file("s", sparse), {}, on_threads(1));
  const CellFile given = read_cells(dir.file("c", cells), on_threads(1));
  const auto dense = [](const PointsFile& file) {
    return std::vector(file.points.doubles().begin(), file.points.doubles().end());
  };
  for (const int threads : packed_thread_counts) {
    INFO(threads << " threads");
    const RunContext run = on_threads(threads);
    const GraphFile packed_graph = read_graph(dir.file("m.gz", gzip(matrix)), {}, run);
    CHECK(packed_graph.graph == graph.graph);
    CHECK(packed_graph.stats.lines == graph.stats.lines);
    const PointsFile packed_points = read_points(dir.file("t.zst", zstd(table)), named, run);
    CHECK(dense(packed_points) == dense(points));
    CHECK(packed_points.labels == points.labels);
    CHECK(packed_points.column_names == points.column_names);
    CHECK(packed_points.stats.lines == points.stats.lines);
    CHECK(packed_points.stats.notes == points.stats.notes);
    const PointsFile packed_svm = read_points(dir.file("s.gz", gzip(sparse)), {}, run);
    CHECK(packed_svm.points.rows() == svm.points.rows());
    CHECK(packed_svm.points.value(rows - 1, 6) == svm.points.value(rows - 1, 6));
    CHECK(packed_svm.labels == svm.labels);
    const CellFile packed_cells = read_cells(dir.file("c.bz2", bzip2(cells)), run);
    CHECK(packed_cells.row == given.row);
    CHECK(packed_cells.column == given.column);
    CHECK(packed_cells.value == given.value);
    CHECK(packed_cells.stats.lines == given.stats.lines);
  }
}

TEST_CASE("Packed labels are those of plain files, as lists and as gssl label writes them",
          "[packed]") {
  const TemporaryDirectory dir;
  gssl::Rng rng(10);
  constexpr int rows = 150'000;
  std::string list = "# labels\n", written = "node\tlabel\tconfidence\tstatus\n";
  for (int i = 0; i < rows; ++i) {
    const std::string row = std::to_string(i) + "\t" + std::to_string(rng.below(100)) + " %";
    list += row + "\n";
    written += row + "\t0." + std::to_string(rng.below(1000)) +
               (rng.below(9) == 0 ? "\ttied\n" : "\tinferred\n");
  }
  for (const std::string& text : {list, written}) {
    VertexNames names = VertexNames::numbered(rows + 1);
    const LabelReadOptions ignoring{.unknown = UnknownLabels::ignore};
    const LabelFile plain = read_labels(dir.file("plain", text), names, ignoring);
    for (const int threads : packed_thread_counts) {
      const LabelFile file = read_labels(dir.file("packed", gzip(text)), names,
                                         {.unknown = UnknownLabels::ignore, .threads = threads});
      CHECK(file.vertices == plain.vertices);
      CHECK(file.labels == plain.labels);
      CHECK(file.line_of == plain.line_of);
      CHECK(file.undecided == plain.undecided);
      CHECK(file.stats.lines == plain.stats.lines);
    }
  }
}

TEST_CASE("A packed table of one column has the rows and notes of a plain one", "[packed]") {
  const TemporaryDirectory dir;
  gssl::Rng rng(9);
  constexpr int rows = 300'000;
  std::string table = "1\n";
  for (int i = 1; i < rows; ++i) table += "\n" + std::to_string(rng.below(1'000'000)) + "\n";
  const std::string note = std::to_string(rows - 1) + " blank lines";
  for (const std::string& path : {dir.file("plain", table), dir.file("packed", gzip(table))}) {
    for (const int threads : packed_thread_counts) {
      const PointsFile file = read_points(path, {}, on_threads(threads));
      CHECK(file.points.rows() == rows);
      REQUIRE(file.stats.notes.size() == 1);
      CHECK_THAT(file.stats.notes.front(), Contains(note));
    }
  }
}

TEST_CASE("Members end to end, padding and nothing at all are read on any threads", "[packed]") {
  const TemporaryDirectory dir;
  const std::string first = edge_text().substr(0, edge_text().find('\n', 700'000) + 1);
  const std::string rest = edge_text().substr(first.size());
  const GraphFile plain = read_graph(dir.file("plain", edge_text()), {}, on_threads(1));
  const std::array joined = {gzip(first) + gzip("") + gzip(rest) + std::string(512, '\0'),
                             zstd(first) + zstd(rest), xz(first) + xz(rest),
                             bzip2(first) + bzip2(rest)};
  for (const int threads : packed_thread_counts) {
    for (const std::string& bytes : joined)
      CHECK(read_graph(dir.file("joined", bytes), {}, on_threads(threads)).graph == plain.graph);
    CHECK(TextSource::open(dir.file("empty", gzip("")), 0, threads).text().empty());
    CHECK(TextSource::open(dir.file("nothing", ""), 0, threads).text().empty());
  }
}

TEST_CASE("Damage is told as with one thread, whatever a reader says of the text", "[packed]") {
  const TemporaryDirectory dir;
  for (const auto& [name, whole] : packed_by_all(edge_text())) {
    std::vector<std::string> damaged = {whole.substr(0, whole.size() / 2),
                                        whole.substr(0, whole.size() - 1)};
    for (const std::size_t at : {whole.size() / 4, whole.size() / 2, whole.size() - 6}) {
      damaged.push_back(whole);
      damaged.back()[at] = static_cast<char>(damaged.back()[at] ^ 0x55);
    }
    for (std::size_t i = 0; i < damaged.size(); ++i) {
      const std::string path = dir.file(name, damaged[i]);
      const std::string expected = graph_error(path, on_threads(1));
      if (i < 2) CHECK_THAT(expected, Contains("ends early"));
      for (const int threads : {2, 4}) {
        INFO(name << ", damage " << i << ", " << threads << " threads");
        CHECK(graph_error(path, on_threads(threads)) == expected);
      }
    }
  }
  // A line that is refused, in a file that is cut.
  const std::string bad = gzip("1 2 3 4 5\n" + edge_text());
  const std::string cut = dir.file("cut", bad.substr(0, bad.size() - 100));
  for (const int threads : packed_thread_counts)
    CHECK_THAT(graph_error(cut, on_threads(threads)), Contains("ends early"));
}

TEST_CASE("A line that is refused ends the reading with its number", "[packed]") {
  const TemporaryDirectory dir;
  const std::string lines = std::to_string(std::ranges::count(edge_text(), '\n') + 1);
  const std::string first = dir.file("first", gzip("1 2 3 4 5\n" + edge_text()));
  const std::string last = dir.file("last", gzip(edge_text() + "1 2 three\n"));
  for (const int threads : packed_thread_counts) {
    INFO(threads << " threads");
    CHECK_THAT(graph_error(first, on_threads(threads)), Contains("first:1: "));
    CHECK_THAT(graph_error(last, on_threads(threads)), Contains("last:" + lines + ": "));
  }
}

TEST_CASE("A run that is stopped leaves a packed file at once", "[packed]") {
  const TemporaryDirectory dir;
  const std::string path = dir.file("packed", gzip(edge_text()));
  const std::atomic<bool> cancel = true;
  for (const int threads : packed_thread_counts) {
    RunContext run = on_threads(threads);
    run.cancel = &cancel;
    const auto error = error_of([&] { read_graph(path, {}, run); });
    REQUIRE(error);
    CHECK(error->code() == ErrorCode::cancelled);
    const TextSource unread = TextSource::open(path, 0, threads);
    const bool thread_is_to_be_had = ReadAhead::start(Letters{1}) != nullptr;
    CHECK(unread.is_unpacking() == (threads > 1 && thread_is_to_be_had));
  }
}

TEST_CASE("A packed text above the memory limit is refused with what it needs", "[packed]") {
  const TemporaryDirectory dir;
  gssl::Rng rng(8);
  std::string text;
  for (int i = 0; i < 4'300'000; ++i) {
    text += static_cast<char>('0' + rng.below(10));
    text += ' ';
    text += static_cast<char>('0' + rng.below(10));
    text += '\n';
  }
  const std::string path = dir.file("packed", zstd(text));
  std::string expected;
  for (const int threads : packed_thread_counts) {
    RunContext run = on_threads(threads);
    run.memory_limit = std::size_t{72} << 20;
    const std::string found = graph_error(path, run);
    CHECK_THAT(found, Contains("memory"));
    if (threads == 1) expected = found;
    CHECK(found == expected);
    run.memory_limit = std::size_t{1} << 30;
    CHECK(graph_error(path, run).empty());
  }
}

TEST_CASE("Lines of a packed file come as in turns, and may be left", "[packed]") {
  const TemporaryDirectory dir;
  const std::string whole = gzip(edge_text());
  const std::string path = dir.file("whole", whole);
  const std::string cut = dir.file("cut", whole.substr(0, whole.size() / 2));
  const auto lines_of = [](const std::string& file, int threads) {
    std::string text;
    LineStream lines(file, on_threads(threads));
    const auto error = error_of([&] {
      while (const auto line = lines.next()) (text += *line) += '\n';
    });
    return text + (error ? error->what() : "");
  };
  CHECK(lines_of(path, 1) == edge_text());
  CHECK_THAT(lines_of(cut, 1), Contains("ends early"));
  for (const int threads : {2, 4}) {
    CHECK(lines_of(path, threads) == edge_text());
    CHECK(lines_of(cut, threads) == lines_of(cut, 1));
    LineStream left(path, on_threads(threads));
    CHECK(left.next());
    LineStream unread(path, on_threads(threads));
  }
}

TEST_CASE("Where no thread can be started a packed file is read in turns", "[packed]") {
  const TemporaryDirectory dir;
  const std::string path = dir.file("packed", gzip(edge_text()));
  const NoNewThreads none;
  CHECK(ReadAhead::start(Letters{5}) == nullptr);
  const TextSource source = TextSource::open(path, 0, 2);
  CHECK_FALSE(source.is_unpacking());
  CHECK(source.text() == edge_text());
  LineStream lines(path, on_threads(2));
  std::size_t bytes = 0;
  while (const auto line = lines.next()) bytes += line->size() + 1;
  CHECK(bytes == edge_text().size());
}
