#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <numeric>
#include <optional>
#include <thread>

#include "crc32_parts.hpp"
#include "gssl/core/rng.hpp"
#include "gssl/io/input_file.hpp"
#include "io_support.hpp"
#include "line_blocks.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"
#include "text_source.hpp"

using namespace gssl;
using namespace gssl::test;
using Catch::Contains;
using gssl::detail::TextSource;

TEST_CASE("Plain and packed files of one text give one graph", "[formats]") {
  TemporaryDirectory directory;
  const std::string text = random_edges(300, 100000, true, "", 5);
  const RunContext run;
  const GraphFile plain = read_graph(directory.file("a.txt", text), {}, run);
  const GraphFile gz = read_graph(directory.file("a.bin", gzip(text)), {}, run);
  const GraphFile zst = read_graph(directory.file("b.bin", zstd(text)), {}, run);
  const GraphFile lzma = read_graph(directory.file("c.bin", xz(text)), {}, run);
  const GraphFile bz = read_graph(directory.file("d.bin", bzip2(text)), {}, run);
  CHECK(plain.graph == lzma.graph);
  CHECK(plain.graph == bz.graph);
  CHECK(lzma.stats.compression == "xz");
  CHECK(bz.stats.compression == "bzip2");
  CHECK(plain.graph == gz.graph);
  CHECK(plain.graph == zst.graph);
  CHECK(plain.stats.compression == "none");
  CHECK(gz.stats.compression == "gzip");
  CHECK(zst.stats.compression == "zstd");
  CHECK(gz.stats.bytes == static_cast<std::int64_t>(gzip(text).size()));
}

TEST_CASE("Members and frames end to end are one text", "[formats]") {
  CHECK(read_text(xz("1 2\n") + xz("2 3\n")).graph.edge_count() == 2);
  CHECK(read_text(bzip2("1 2\n") + bzip2("2 3\n")).graph.edge_count() == 2);
  CHECK(read_text(gzip("1 2\n") + gzip("2 3\n")).graph.edge_count() == 2);
  CHECK(read_text(zstd("1 2\n") + zstd("2 3\n")).graph.edge_count() == 2);
  CHECK(read_text(gzip("1 2\n") + std::string(10, '\0')).graph.edge_count() == 1);
}

TEST_CASE("What follows the data of gzip and is not gzip is told of; zeros of tapes are none") {
  const auto error = error_of([] { read_text(gzip("1 2\n2 3\n") + "4 5\n"); });
  REQUIRE(error);
  CHECK(error->code() == ErrorCode::bad_data);
  CHECK_THAT(error->what(), Contains("bytes that are not gzip follow the gzip data"));
  CHECK(read_text(gzip("1 2\n2 3\n") + std::string(512, '\0')).graph.vertex_count() == 3);
}

TEST_CASE("Packed text that fills the buffer to its last byte is whole", "[formats]") {
  const std::string text = "1 2\n#" + std::string((std::size_t{1} << 20) - 6, 'x') + "\n";
  for (const std::string& packed : {gzip(text), zstd(text), xz(text), bzip2(text)})
    CHECK(detail::TextSource::from_memory(packed, "x").text() == text);
}

TEST_CASE("Truncated or damaged compressed files are bad data", "[formats]") {
  const std::string text = random_edges(300, 3000, false, "", 5);
  for (const std::string& whole : {gzip(text), zstd(text), xz(text), bzip2(text)}) {
    for (const std::size_t length : {std::size_t{7}, whole.size() / 2, whole.size() - 1}) {
      const auto error = error_of([&] { read_text(whole.substr(0, length)); });
      REQUIRE(error);
      CHECK(error->code() == ErrorCode::bad_data);
      CHECK_THAT(error->what(), Contains("ends early"));
    }
    std::string damaged = whole;
    damaged[damaged.size() / 2] = static_cast<char>(damaged[damaged.size() / 2] ^ 0x55);
    const auto error = error_of([&] { read_text(damaged); });
    REQUIRE(error);
    CHECK(error->code() == ErrorCode::bad_data);
  }
}

TEST_CASE("A pipe is sniffed and read like a file") {
  TemporaryDirectory directory;
  const std::string path = (directory.path() / "pipe").string();
  REQUIRE(::mkfifo(path.c_str(), 0600) == 0);
  const std::string text = random_edges(300, 20000, false, "", 5);
  for (const std::string& bytes : {text, gzip(text), zstd(text), xz(text), bzip2(text)}) {
    std::thread writer([&] { write_file(path, bytes); });
    std::optional<GraphFile> file;
    const auto error = error_of([&] { file = read_graph(path, {}, RunContext{}); });
    writer.join();
    REQUIRE(!error);
    CHECK(file->graph == read_text(text).graph);
    CHECK(file->stats.bytes == static_cast<std::int64_t>(bytes.size()));
  }
}

TEST_CASE("The checksum is the CRC-32 of the stored bytes") {
  TemporaryDirectory directory;
  CHECK(read_text("123456789 2\n").stats.crc32.size() == 8);
  CHECK(detail::TextSource::from_memory("123456789", "x").crc32() == "cbf43926");
  CHECK(detail::TextSource::open(directory.file("x", "123456789")).crc32() == "cbf43926");
}

TEST_CASE("Parts summed in any order, again or not at all give the checksum of the whole") {
  Rng rng(21);
  std::string text(100000, '\0');
  for (char& c : text) c = static_cast<char>(rng.below(256));
  const auto expected = static_cast<std::uint32_t>(
      ::crc32(0, reinterpret_cast<const Bytef*>(text.data()), static_cast<uInt>(text.size())));
  for (int trial = 0; trial < 20; ++trial) {
    std::vector<std::string_view> parts;
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t size = std::min<std::size_t>(rng.below(9000), text.size() - at);
      const std::string_view part = std::string_view(text).substr(at, size);
      if (rng.below(4) > 0) parts.push_back(part);
      if (rng.below(4) == 0) parts.push_back(part);
      at += size;
    }
    std::shuffle(parts.begin(), parts.end(), rng);
    detail::Crc32Parts sum(text, 2);
    const auto take_half = [&](std::size_t first) {
      for (std::size_t i = first; i < parts.size(); i += 2) sum.take(parts[i]);
    };
    std::thread beside([&] { take_half(1); });
    take_half(0);
    beside.join();
    std::size_t read = 0;
    CHECK(sum.whole([&](std::string_view gap) { read += gap.size(); }) == expected);
    CHECK(read < text.size());
    read = 0;
    CHECK(sum.whole([&](std::string_view gap) { read += gap.size(); }) == expected);
    CHECK(read == 0);
  }
}

TEST_CASE("The checksum of a graph is that of its file, whoever reads it on how many threads") {
  TemporaryDirectory directory;
  std::string entries;
  for (int i = 1; i < 60000; ++i) entries += std::to_string(i) + " " + std::to_string(i + 1) + "\n";
  const std::string matrix =
      "%%MatrixMarket matrix coordinate pattern symmetric\n60000 60000 59999\n" + entries;
  // The words of the first line are ids further down: it is read again.
  const std::string doubtful = "a b\n" + entries + "a 7\nb 9\n";
  const std::string layers = "u v layer\n1 2 x\n2 3 y\n";
  ReadOptions of_layers;
  of_layers.layers = {{"x", 1.0}, {"y", 2.0}};
  for (const int threads : {1, 2, 3}) {
    RunContext run;
    run.threads = threads;
    const auto check = [&](const std::string& text, const ReadOptions& options) {
      const std::string path = directory.file("x", text);
      CHECK(read_graph(path, options, run).stats.crc32 == TextSource::open(path).crc32());
      CHECK(read_graph(directory.file("x.gz", gzip(text)), options, run).stats.crc32 ==
            TextSource::from_memory(gzip(text), "x").crc32());
    };
    check("\xEF\xBB\xBF" + entries, {});
    check("# of two columns\n" + entries + "7 9", {});  // without an end of line
    check(matrix, {});
    check(doubtful, {});
    check(layers, of_layers);
  }
}

TEST_CASE("Blocks of lines are those of a cut at once, in whatever order they are asked for") {
  Rng rng(22);
  std::string text;
  for (int i = 0; i < 2000; ++i)
    text += std::string(rng.below(rng.below(9) == 0 ? 900 : 30), 'x') + "\n";
  for (const bool ended : {true, false}) {
    if (!ended) text += "the last one";
    for (const std::size_t size : {1, 100, 5000, 1000000}) {
      detail::LineBlocks blocks(text, size);
      std::vector<std::int64_t> order(static_cast<std::size_t>(blocks.most()));
      std::iota(order.begin(), order.end(), 0);
      std::shuffle(order.begin(), order.end(), rng);
      std::vector<std::string_view> cut(order.size());
      for (const std::int64_t i : order) cut[static_cast<std::size_t>(i)] = blocks[i];
      std::string whole;
      bool right = true;
      for (const std::string_view lines : cut) {
        whole += lines;
        const bool last = whole.size() == text.size();
        right = right && (last || (lines.size() > size && lines.ends_with('\n')));
      }
      CHECK(right);
      CHECK(whole == text);
    }
  }
}

TEST_CASE("What cannot be opened says so") {
  TemporaryDirectory directory;
  for (const std::string& path :
       {(directory.path() / "absent").string(), directory.path().string()}) {
    const auto error = error_of([&] { read_graph(path, {}, RunContext{}); });
    REQUIRE(error);
    CHECK(error->code() == ErrorCode::cannot_open);
    CHECK_THAT(error->what(), Contains(path));
  }
}

TEST_CASE("Releasing pages of a mapped file leaves its text readable") {
  TemporaryDirectory directory;
  const std::string text = random_edges(300, 50000, false, "", 5);
  const auto source = detail::TextSource::open(directory.file("x", text));
  source.release(source.text());
  CHECK(source.text() == text);
}

TEST_CASE("A file that becomes shorter while it is read is an I/O error of its reader") {
  struct sigaction before = {}, action = {};
  action.sa_sigaction = [](int, siginfo_t* info, void*) {
    if (!replace_lost_input(info->si_addr)) std::signal(SIGBUS, SIG_DFL);
  };
  action.sa_flags = SA_SIGINFO;
  REQUIRE(::sigaction(SIGBUS, &action, &before) == 0);
  TemporaryDirectory directory;
  const std::string path = directory.file("a.txt", std::string(100'000, 'x'));
  const TextSource source = TextSource::open(path);
  const TextSource other = TextSource::open(directory.file("b.txt", std::string(100'000, 'y')));
  const auto count_of = [](char letter) {
    return [letter](const TextSource& from) {
      return from.read_whole([&] { return std::ranges::count(from.text(), letter); });
    };
  };
  CHECK(count_of('x')(source) == 100'000);
  std::filesystem::resize_file(path, 10);
  for (int twice = 0; twice < 2; ++twice) {
    std::int64_t seen = 0;
    const auto error = error_of([&] { seen += count_of('x')(source); });
    CHECK(seen == 0);
    REQUIRE(error);
    CHECK(error->code() == ErrorCode::io_failure);
    CHECK_THAT(error->what(), Contains("a.txt"));
  }
  const auto error = error_of([&] {
    source.read_whole([&]() -> int { throw Error(ErrorCode::bad_data, "a zero byte"); });
  });
  REQUIRE(error);
  CHECK(error->code() == ErrorCode::io_failure);
  CHECK(count_of('y')(other) == 100'000);
  int nothing = 0;
  CHECK_FALSE(replace_lost_input(&nothing));
  ::sigaction(SIGBUS, &before, nullptr);
}

TEST_CASE("More files than can be mapped at once are read all the same") {
  TemporaryDirectory directory;
  std::vector<TextSource> sources;
  for (int i = 0; i < 40; ++i)
    sources.push_back(TextSource::open(directory.file("f" + std::to_string(i), std::to_string(i))));
  for (int i = 0; i < 40; ++i)
    CHECK(sources[static_cast<std::size_t>(i)].text() == std::to_string(i));
}
