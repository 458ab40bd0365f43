// gssl-mpi on 1, 2 and 3 ranks gives what gssl gives, to 1e-8.

#include <sstream>
#include <string>

#include "gssl/graph/generators.hpp"
#include "mpi_runs.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

namespace gssl::test {
namespace {

// Every `stride`-th vertex in turn to one of `classes`.
std::string some_labels(const TemporaryDirectory& folder, VertexId vertices, int stride,
                        int classes) {
  std::string text = "node\tlabel\n";
  for (VertexId v = 0; v < vertices; v += stride)
    text += std::to_string(v) + "\tc" + std::to_string(v / stride % classes) + "\n";
  return folder.file("labels.tsv", text);
}

constexpr const char* methods[] = {"harmonic:tolerance=1e-12", "harmonic:soft=3,tolerance=1e-12",
                                   "local-global:alpha=0.9,tolerance=1e-12",
                                   "poisson:tolerance=1e-12"};

}  // namespace

TEST_CASE("the digits are labeled as on one machine", "[mpi]") {
  const TemporaryDirectory folder;
  const std::string data = source_path("datasets/digits").string();
  for (const std::string method : methods) {
    INFO(method);
    CHECK(compare_ranks(data + "/edges.tsv", data + "/labels.tsv", "--method " + method,
                        folder.path().string()) == "");
  }
}

TEST_CASE("Cora is labeled as on one machine", "[mpi]") {
  const auto edges = shared_path("data/graphs/cora/plain/cora.edges.txt");
  const auto truth = shared_path("data/graphs/cora/plain/cora.labels.txt");
  if (!edges || !truth) {
    WARN("skipped: ../shared is absent");
    return;
  }
  std::istringstream classes(read_file(*truth));
  std::string labels;
  constexpr int stride = 19;  // one vertex in so many is given
  int vertex = 0;
  for (std::string line; std::getline(classes, line); ++vertex)
    if (vertex % stride == 0) labels += std::to_string(vertex) + " " + line + "\n";
  const TemporaryDirectory folder;
  for (const std::string method : methods) {
    INFO(method);
    CHECK(compare_ranks(edges->string(), folder.file("labels.txt", labels), "--method " + method,
                        folder.path().string()) == "");
  }
}

TEST_CASE("hypre and the diagonal give what one machine gives", "[mpi]") {
  const TemporaryDirectory folder;
  const Graph graph = grid_graph(40, 50);
  const std::string edges = write_edges(folder, graph);
  const std::string labels = some_labels(folder, graph.vertex_count(), 97, 3);
  const std::string method = "--method harmonic:tolerance=1e-12";
  const std::string expected =
      run_shell("exec $GSSL label " + edges + " " + labels + " " + method + " --quiet").out;
  for (const std::string name : {"hypre", "jacobi"}) {
    const Result found =
        run_mpi(3, "label " + edges + " " + labels + " " + method + " --preconditioner " + name);
    INFO(name << "\n" << found.err);
    CHECK(found.status == 0);
    CHECK(found.err.find(name == "hypre" ? "cg+hypre (as asked)" : "cg (as asked)") !=
          std::string::npos);
    CHECK(difference(expected, found.out).same_rows);
    CHECK(difference(expected, found.out).largest <= 1e-8);
  }
}

TEST_CASE("an RMAT graph with its hubs and lone vertices is labeled as on one machine", "[mpi]") {
  Rng rng(7);
  const Graph graph = rmat_graph(11, 8, rng);
  const TemporaryDirectory folder;
  const std::string edges = write_edges(folder, graph);
  const std::string labels = some_labels(folder, graph.vertex_count(), 53, 3);
  for (const std::string method : methods) {
    INFO(method);
    CHECK(compare_ranks(edges, labels, "--method " + method, folder.path().string(),
                        "--message-bytes 1024") == "");
  }
}

TEST_CASE("an RMAT graph of scale 20 is labeled as on one machine", "[mpi][large]") {
  Rng rng(20);
  const Graph graph = rmat_graph(20, 8, rng);
  const TemporaryDirectory folder;
  const std::string edges = write_edges(folder, graph);
  const std::string labels = some_labels(folder, graph.vertex_count(), 1009, 2);
  CHECK(compare_ranks(edges, labels, "--method harmonic:tolerance=1e-12", folder.path().string()) ==
        "");
}

// a - b - c   d - e   f - g   h (alone, given)   i (alone)
TEST_CASE("components, lone vertices and more ranks than vertices", "[mpi]") {
  const TemporaryDirectory folder;
  const std::string edges =
      folder.file("edges.tsv", "b\ta\t2\nb\tc\t1\nd\te\nf\tg\n#gssl-vertex\th\n#gssl-vertex\ti\n");
  const std::string weighted = folder.file(
      "weighted.tsv", "b\ta\t2\nb\tc\t1\nd\te\t1\nf\tg\t4\n#gssl-vertex\th\n#gssl-vertex\ti\n");
  const std::string labels = folder.file("labels.tsv", "a\tx\nc\ty\nd\ty\nh\tx\n");
  for (const std::string method : methods) {
    INFO(method);
    CHECK(compare_ranks(weighted, labels, "--method " + method, folder.path().string()) == "");
    const std::string files = "label " + weighted + " " + labels + " --quiet --method " + method;
    const Result one = run_shell("exec $GSSL " + files),
                 many = run_mpi(12, files + " --preconditioner hypre");
    CHECK(many.status == 0);
    CHECK(difference(one.out, many.out).same_rows);
    CHECK(difference(one.out, many.out).largest <= 1e-8);
    CHECK(many.out.find("f\t?\t0\tunreached\n") != std::string::npos);
  }
  const Result refused = run_mpi(2, "label " + edges + " " + labels);
  CHECK(refused.status == 65);
  CHECK(refused.err.find("edges.tsv:3: 2 fields") != std::string::npos);
}

TEST_CASE("a rank without edges has its say all the same", "[mpi]") {
  // One long line first: with three ranks, the second and the third get the rest or nothing.
  const TemporaryDirectory folder;
  const std::string edges = folder.file("edges.tsv", std::string(200, 'u') + "\tv\nv\tw\nw\tx\n");
  const std::string labels = folder.file("labels.tsv", "v\t1\nx\t2\n");
  CHECK(compare_ranks(edges, labels, "--method harmonic:tolerance=1e-12", folder.path().string()) ==
        "");
}

TEST_CASE("a long shuffled path has one component, and its real targets are met", "[mpi]") {
  const TemporaryDirectory folder;
  constexpr std::uint64_t n = 3001, step = 1234;
  std::string edges, labels;
  for (std::uint64_t i = 0; i + 1 < n; ++i)
    edges += std::to_string(i * step % n) + " " + std::to_string((i + 1) * step % n) + "\n";
  for (std::uint64_t i = 0; i < n; i += 100)
    labels += std::to_string(i * step % n) + " " + std::to_string(i % 7) + "\n";
  CHECK(compare_ranks(folder.file("edges.txt", edges), folder.file("labels.txt", labels),
                      "--method harmonic:tolerance=1e-12 --regression",
                      folder.path().string()) == "");
}

}  // namespace gssl::test
