// Binary graph files beside text:  bench_binary_graph [millions of edges, 5 if absent] [threads, 2]
//
// A square grid in row order and an RMAT graph with shuffled numbers: seconds to read the text, to
// convert it in memory and with 64 MiB, to open, check and verify the file, and nanoseconds an arc
// of a product with plain rows and of a sweep over compressed ones. The page cache is warm.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "gssl/core/rng.hpp"
#include "gssl/core/stopwatch.hpp"
#include "gssl/graph/generators.hpp"
#include "gssl/graph/graph_builder.hpp"
#include "gssl/io/binary_graph.hpp"
#include "gssl/io/convert_graph.hpp"
#include "gssl/io/graph_writer.hpp"
#include "gssl/linalg/laplacian.hpp"

namespace {

using namespace gssl;

Graph rmat(EdgeIndex edges, int scale) {
  Rng rng(1);
  GraphBuilder builder(VertexId{1} << scale, {.duplicates = DuplicatePolicy::max});
  std::vector<VertexId> number(std::size_t{1} << scale);
  for (std::size_t v = 0; v < number.size(); ++v) number[v] = static_cast<VertexId>(v);
  shuffle(number, rng);
  for (EdgeIndex e = 0; e < edges; ++e) {
    std::size_t u = 0, v = 0;
    for (int bit = 0; bit < scale; ++bit) {
      const double x = rng.uniform();  // quadrants 0.57, 0.19, 0.19, 0.05
      u = u * 2 + (x >= 0.76 ? 1 : 0);
      v = v * 2 + ((x >= 0.57 && x < 0.76) || x >= 0.95 ? 1 : 0);
    }
    builder.add(number[u], number[v]);
  }
  return std::move(builder).finish(2);
}

template <class Work>
double seconds(Work&& work) {
  const Stopwatch watch;
  work();
  return watch.seconds();
}

double gigabytes(const std::string& path) {
  return static_cast<double>(std::filesystem::file_size(path)) * 1e-9;
}

void convert(const std::string& in, const std::string& to, RunContext run, std::size_t limit,
             bool compress) {
  run.memory_limit = limit;
  OutputFile out(to);
  convert_to_binary(in, out, {}, {.compress = compress}, run);
  out.commit();
}

void measure(const char* name, const Graph& graph, const std::string& base, const RunContext& run) {
  const std::string text = base + ".txt", plain = base + ".gssl", small = base + ".small.gssl";
  {
    OutputFile out(text);
    write_graph(out, graph, VertexNames::numbered(graph.vertex_count()), GraphFormat::edge_list);
    out.commit();
  }
  const double arcs = 2.0 * static_cast<double>(graph.edge_count());
  std::printf("%s: %d vertices, %.1f million edges, text %.2f GB\n", name, graph.vertex_count(),
              1e-6 * static_cast<double>(graph.edge_count()), gigabytes(text));
  std::printf("  read text               %8.3f s\n", seconds([&] { read_graph(text, {}, run); }));
  std::printf("  convert in memory       %8.3f s\n",
              seconds([&] { convert(text, plain, run, 0, false); }));
  std::printf("  convert with 64 MiB     %8.3f s\n",
              seconds([&] { convert(text, plain, run, std::size_t{64} << 20U, false); }));
  std::printf("  convert --compress      %8.3f s\n",
              seconds([&] { convert(text, small, run, 0, true); }));
  std::printf("  bytes an arc            %8.2f plain, %.2f compressed\n",
              1e9 * gigabytes(plain) / arcs, 1e9 * gigabytes(small) / arcs);
  std::printf("  open                    %8.6f s\n", seconds([&] { BinaryGraph::open(plain); }));
  const BinaryGraph file = BinaryGraph::open(plain);
  std::printf("  check                   %8.4f s\n", seconds([&] { file.check(run); }));
  std::printf("  verify after it         %8.4f s\n", seconds([&] { file.verify(run); }));
  const Graph mapped = file.graph(run);
  const Block x(mapped.vertex_count(), 1, 1.0);
  Block y;
  apply_laplacian(mapped, LaplacianKind::combinatorial, x, y, run.threads);
  const auto each = [&](double time) { return 1e9 * time / arcs; };
  std::printf("  product, plain mapped   %8.2f ns/arc\n", each(seconds([&] {
                apply_laplacian(mapped, LaplacianKind::combinatorial, x, y, run.threads);
              })));
  std::printf("  product, plain memory   %8.2f ns/arc\n", each(seconds([&] {
                apply_laplacian(graph, LaplacianKind::combinatorial, x, y, run.threads);
              })));
  const BinaryGraph packed = BinaryGraph::open(small);
  CompressedGraph rows;
  std::printf("  check, compressed       %8.4f s\n",
              seconds([&] { rows = *packed.compressed(run); }));
  double sum = 0.0;
  std::printf("  sweep, compressed       %8.2f ns/arc, one thread\n", each(seconds([&] {
                rows.sweep(0, rows.vertex_count(), [&](VertexId, auto&& visit) {
                  visit([&](VertexId u, double w) { sum += w * x(u, 0); });
                });
              })));
  std::printf("  expand                  %8.3f s\n", seconds([&] { rows.expand(run); }));
  std::printf("  components, compressed  %8.3f s, plain %.3f s (%d)\n",
              seconds([&] { connected_components(rows, run); }),
              seconds([&] { connected_components(mapped); }), sum > 0.0 ? 1 : 0);
  for (const std::string& path : {text, plain, small}) std::filesystem::remove(path);
}

}  // namespace

int main(int argc, char** argv) {
  const EdgeIndex edges = std::strtoll(argc > 1 ? argv[1] : "5", nullptr, 10) * 1000000;
  RunContext run;
  run.threads = argc > 2 ? std::atoi(argv[2]) : 2;
  const std::string base = (std::filesystem::temp_directory_path() / "gssl-bench-binary").string();
  VertexId side = 1;
  while (EdgeIndex{2} * side * side < edges) ++side;
  measure("grid", grid_graph(side, side), base, run);
  int scale = 10;
  while ((EdgeIndex{16} << scale) < edges) ++scale;
  measure("rmat", rmat(edges, scale), base, run);
}
