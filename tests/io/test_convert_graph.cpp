// Edge lists streamed into binary graphs: the same bytes whatever the memory.

#include "gssl/io/binary_graph.hpp"
#include "gssl/io/convert_graph.hpp"
#include "gssl/io/graph_writer.hpp"
#include "io_support.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

using namespace gssl;
using namespace gssl::test;
using Catch::Contains;

namespace {

struct Converted {
  ConvertedGraph made;
  std::string bytes;
};

Converted converted(const std::string& path, std::size_t limit, const ReadOptions& read = {},
                    bool compress = false, int threads = 2) {
  const TemporaryDirectory directory;
  const std::string to = (directory.path() / "g.gssl").string();
  RunContext run;
  run.memory_limit = limit;
  run.threads = threads;
  OutputFile out(to);
  Converted result;
  result.made = convert_to_binary(path, out, read, {.compress = compress}, run);
  out.commit();
  result.bytes = read_file(to);
  return result;
}

// What reading the whole file and writing it gives.
std::string in_memory(const std::string& path, const ReadOptions& read = {},
                      bool compress = false) {
  const TemporaryDirectory directory;
  const std::string to = (directory.path() / "g.gssl").string();
  const GraphFile file = read_graph(path, read);
  OutputFile out(to);
  write_binary_graph(out, file.graph, file.names, {.compress = compress}, file.stats);
  out.commit();
  return read_file(to);
}

}  // namespace

TEST_CASE("an edge list streamed with little memory is the file of one read whole", "[gssl]") {
  const TemporaryDirectory directory;
  const bool weighted = GENERATE(false, true);
  const std::string prefix = GENERATE("", "n");
  const bool compress = GENERATE(false, true);
  const std::string text = random_edges(500, 3000, weighted, prefix, 11) +
                           "#gssl-vertex\tlonely\n1 1\n" + (weighted ? "" : "2 3\n");
  const std::string fitting = weighted ? random_edges(500, 3000, true, prefix, 11) : text;
  const std::string path = directory.file("edges.txt", fitting);
  const std::string expected = in_memory(path, {}, compress);
  for (const std::size_t limit : {std::size_t{1}, std::size_t{30000}, std::size_t{0}}) {
    const Converted result = converted(path, limit, {}, compress, limit == 1 ? 1 : 2);
    CHECK(result.made.sorted_on_disk == (limit != 0));
    CHECK(result.bytes == expected);
  }
  for (const std::string& packed :
       {directory.file("e.gz", gzip(fitting)), directory.file("e.zst", zstd(fitting))}) {
    const Converted result = converted(packed, 1, {}, compress);
    CHECK(result.bytes == expected);
    CHECK(result.made.stats.compression != "none");
  }
}

TEST_CASE("a list goes to disk at any of its edges, the last ones too", "[gssl]") {
  const TemporaryDirectory directory;
  const std::string path = directory.file("edges.txt", random_edges(500, 20000, false, "", 5));
  const std::string expected = in_memory(path);
  int on_disk = 0;
  for (std::size_t limit = 100'000; limit < 900'000; limit += 12'500) {
    const Converted result = converted(path, limit);
    on_disk += result.made.sorted_on_disk ? 1 : 0;
    INFO(limit);
    REQUIRE(result.made.edges == read_graph(path).graph.edge_count());
    REQUIRE((result.bytes == expected));
  }
  CHECK(on_disk > 10);
  CHECK(on_disk < 60);
}

TEST_CASE("what a stream dropped and merged is counted as by the reader", "[gssl]") {
  const TemporaryDirectory directory;
  const std::string path =
      directory.file("e.csv", "a,b,1\nb,a,2\na,b,3\nc,c,1\nc,d,0\n# x\nd,e,1\n");
  const GraphFile file = read_graph(path);
  for (const std::size_t limit : {std::size_t{1}, std::size_t{0}}) {
    const ConvertedGraph made = converted(path, limit).made;
    CHECK(made.vertices == file.graph.vertex_count());
    CHECK(made.edges == file.graph.edge_count());
    CHECK(made.isolated == 1);
    CHECK(made.stats.edges_given == file.stats.edges_given);
    CHECK(made.stats.self_loops_dropped == file.stats.self_loops_dropped);
    CHECK(made.stats.duplicates_merged == file.stats.duplicates_merged);
    CHECK(made.stats.reversed_merged == file.stats.reversed_merged);
    CHECK(made.stats.opposite_differ == file.stats.opposite_differ);
    CHECK(made.stats.zero_weights_dropped == file.stats.zero_weights_dropped);
    CHECK(made.stats.lines == file.stats.lines);
    CHECK(made.stats.crc32 == file.stats.crc32);
    CHECK(made.stats.bytes == file.stats.bytes);
  }
}

TEST_CASE("headers, KONECT files, skipped lines and byte-order marks are as in memory", "[gssl]") {
  const TemporaryDirectory directory;
  for (const char* text :
       {"u v\n1 2\n2 3\n", "u v\nu w\nw v\n", "source,target\n1,2\n", "",
        "user_id friend_id\n1 2\n2 3\n", "ann bob\n1 2\n2 ann\n",
        "\xEF\xBB\xBF"
        "1 2\n",
        "% bip unweighted\n1 1\n1 2\n", "1 2\r\n3 4", "from to weight\n1 2 0.5\n3 4 1\n"}) {
    const std::string path = directory.file("e.txt", text);
    INFO(text);
    CHECK(converted(path, 1).bytes == in_memory(path));
  }
  const std::string path = directory.file("s.txt", "junk\na b\nb c\n");
  const ReadOptions skip{.table = {.skip_lines = 1}};
  CHECK(converted(path, 1, skip).bytes == in_memory(path, skip));
}

TEST_CASE("a matrix, a METIS file and a binary graph are converted as they are read", "[gssl]") {
  const TemporaryDirectory directory;
  const std::string metis = source_path("datasets/lesmis/lesmis.graph").string();
  const Converted first = converted(metis, 0);
  CHECK(first.bytes == in_memory(metis));
  const std::string binary = directory.file("g.gssl", first.bytes);
  CHECK(converted(binary, 0).bytes == first.bytes);
  const Converted small = converted(binary, 0, {}, true);
  CHECK(small.bytes != first.bytes);
  CHECK(converted(directory.file("c.gssl", small.bytes), 0).bytes == first.bytes);
  std::string damaged = first.bytes;
  damaged[5000] = static_cast<char>(damaged[5000] ^ 1);
  const auto error = error_of([&] { converted(directory.file("d.gssl", damaged), 0); });
  REQUIRE(error);
  CHECK_THAT(error->what(), Contains("is damaged"));
}

TEST_CASE("a bad line of a stream is named, and a bad edge", "[gssl]") {
  const TemporaryDirectory directory;
  const auto message = [&](const std::string& text, const ReadOptions& read = {}) {
    const auto error = error_of([&] { converted(directory.file("e.txt", text), 1, read); });
    return error ? std::string(error->what()) : std::string();
  };
  CHECK_THAT(message("1 2 3\n1 2 x\n"), Contains("e.txt:2: "));
  CHECK_THAT(message("1 2\n1 2\n", {.duplicates = DuplicatePolicy::error}),
             Contains("e.txt: edge 1 2: given more than once"));
  CHECK_THAT(message("<html>\n"), Contains("e.txt: "));
}
