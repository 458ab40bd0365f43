// Binary graphs as files: opened by the reader of graphs, packed, from pipes, and shrinking.

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>

#include "gssl/io/binary_graph.hpp"
#include "gssl/io/graph_writer.hpp"
#include "gssl/io/input_file.hpp"
#include "io_support.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

using namespace gssl;
using namespace gssl::test;
using Catch::Contains;

namespace {

std::string binary_file(const TemporaryDirectory& directory, const GraphFile& file) {
  std::string path = (directory.path() / "g.gssl").string();
  OutputFile out(path);
  write_graph(out, file.graph, file.names, GraphFormat::binary);
  out.commit();
  return path;
}

void on_bus_error(int, siginfo_t* info, void*) {
  if (replace_lost_input(info->si_addr)) return;
  ::_exit(is_input_in_use(info->si_addr) ? 74 : 1);
}

// Threads of the parent are not those of a forked child.
RunContext alone() {
  RunContext run;
  run.threads = 1;
  return run;
}

// The exit status of a child that runs `work` with a handler of SIGBUS.
template <class Work>
int status_of_child(Work&& work) {
  const pid_t child = ::fork();
  if (child == 0) {
    struct sigaction action = {};
    action.sa_sigaction = on_bus_error;
    action.sa_flags = SA_SIGINFO;
    sigaction(SIGBUS, &action, nullptr);
    ::_exit(work());
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace

TEST_CASE("read_graph opens a binary graph by its mark, packed or not", "[gssl]") {
  const TemporaryDirectory directory;
  const GraphFile file = read_text(random_edges(50, 80, true, "n", 1));
  const std::string path = binary_file(directory, file);
  const std::string bytes = read_file(path);
  CHECK(is_binary_graph(path));
  for (const std::string& read :
       {path, directory.file("other.txt", bytes), directory.file("g.gz", gzip(bytes)),
        directory.file("g.zst", zstd(bytes))}) {
    const GraphFile again = read_graph(read);
    CHECK(again.graph == file.graph);
    CHECK(described(again) == described(file));
    CHECK(again.stats.format == "binary");
  }
  CHECK(read_graph(path, {.format = GraphFormat::binary}).graph == file.graph);
}

TEST_CASE("options of edge lists do not fit a binary graph", "[gssl]") {
  const TemporaryDirectory directory;
  const std::string path = binary_file(directory, read_text("a b\n"));
  for (const ReadOptions& options :
       {ReadOptions{.bipartite = true}, ReadOptions{.table = {.skip_lines = 1}}}) {
    const auto error = error_of([&] { read_graph(path, options); });
    REQUIRE(error);
    CHECK(error->code() == ErrorCode::usage);
  }
  const auto error =
      error_of([&] { read_graph(directory.file("t", "a b\n"), {.format = GraphFormat::binary}); });
  REQUIRE(error);
  CHECK_THAT(error->what(), Contains("is no binary graph"));
}

TEST_CASE("a graph outlives the file object and holds the file open", "[gssl]") {
  const TemporaryDirectory directory;
  const GraphFile file = read_text(random_edges(300, 400, false, "", 2));
  const std::string path = binary_file(directory, file);
  GraphFile again = BinaryGraph::open(path).read();
  std::filesystem::remove(path);
  CHECK(again.graph == file.graph);
  const Graph copy = again.graph;
  again = {};
  CHECK(copy == file.graph);
}

TEST_CASE("more files than can be mapped at once are read", "[gssl]") {
  const TemporaryDirectory directory;
  const GraphFile file = read_text("1 2\n2 5\n");
  const std::string path = binary_file(directory, file);
  std::vector<Graph> graphs;
  for (int i = 0; i < 20; ++i) graphs.push_back(read_graph(path).graph);
  for (const Graph& graph : graphs) CHECK(graph == file.graph);
}

TEST_CASE("a binary graph needs a file that can be replaced", "[gssl]") {
  OutputFile out("/dev/null");
  const GraphFile file = read_text("1 2\n");
  const auto error =
      error_of([&] { write_graph(out, file.graph, file.names, GraphFormat::binary); });
  REQUIRE(error);
  CHECK(error->code() == ErrorCode::cannot_create);
}

TEST_CASE("a file that becomes shorter is an error while it is checked, the end later", "[gssl]") {
  const TemporaryDirectory directory;
  const std::string path =
      binary_file(directory, read_text(random_edges(30000, 60000, false, "", 3)));
  const auto size = static_cast<off_t>(std::filesystem::file_size(path));
  CHECK(status_of_child([&] {
          const BinaryGraph file = BinaryGraph::open(path);
          if (::truncate(path.c_str(), 8192) != 0) return 2;
          const auto error = error_of([&] { file.check(alone()); });
          return error && error->code() == ErrorCode::io_failure ? 0 : 3;
        }) == 0);
  CHECK(error_of([&] { BinaryGraph::open(path); })->code() == ErrorCode::bad_data);
  binary_file(directory, read_text(random_edges(30000, 60000, false, "", 3)));
  CHECK(static_cast<off_t>(std::filesystem::file_size(path)) == size);
  CHECK(status_of_child([&] {
          const Graph graph = BinaryGraph::open(path).graph(alone());
          if (::truncate(path.c_str(), 8192) != 0) return 2;
          double sum = 0.0;
          for (VertexId v = 0; v < graph.vertex_count(); ++v) sum += graph.weighted_degree(v);
          for (EdgeIndex e = 0; e < 2 * graph.edge_count(); ++e) sum += graph.neighbor_at(e);
          return sum > 0.0 ? 4 : 5;
        }) == 74);
}
