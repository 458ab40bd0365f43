// bench_binary_graph: binary graph files beside text, on a square grid in row order and an RMAT
// graph with shuffled numbers.
//
// Seconds to read the text, to convert it in memory and with 64 MiB, to open, check and verify the
// file, and nanoseconds an arc of a product with plain rows and of a sweep over compressed ones.
// The page cache is warm.
#include <filesystem>

#include "gssl/core/rng.hpp"
#include "gssl/core/stopwatch.hpp"
#include "gssl/graph/generators.hpp"
#include "gssl/graph/graph_builder.hpp"
#include "gssl/io/binary_graph.hpp"
#include "gssl/io/convert_graph.hpp"
#include "gssl/io/graph_writer.hpp"
#include "gssl/linalg/laplacian.hpp"
#include "harness/program.hpp"

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

struct Files {
  std::string text, plain, small;

  explicit Files(const std::string& base)
      : text(base + ".txt"), plain(base + ".gssl"), small(base + ".small.gssl") {}
  ~Files() {
    for (const std::string& path : {text, plain, small}) std::filesystem::remove(path);
  }
  Files(const Files&) = delete;
  Files& operator=(const Files&) = delete;
};

void write_text(const std::string& path, const Graph& graph) {
  OutputFile out(path);
  write_graph(out, graph, VertexNames::numbered(graph.vertex_count()), GraphFormat::edge_list);
  out.commit();
}

void make_files(bench::Results& results, const Files& files, const RunContext& run) {
  const double reading = seconds([&] { read_graph(files.text, {}, run); });
  const auto beside = [&](const char* what, const std::string& to, std::size_t limit, bool small) {
    results.beside(what, "reading the text",
                   seconds([&] { convert(files.text, to, run, limit, small); }), reading);
  };
  beside("convert in memory", files.plain, 0, false);
  beside("convert with 64 MiB", files.plain, std::size_t{64} << 20U, false);
  beside("convert --compress", files.small, 0, true);
}

void measure_plain(bench::Results& results, const Files& files, const Graph& graph,
                   const RunContext& run) {
  results.value("open", seconds([&] { BinaryGraph::open(files.plain); }), "s");
  const BinaryGraph file = BinaryGraph::open(files.plain);
  results.value("check", seconds([&] { file.check(run); }), "s");
  results.value("verify after it", seconds([&] { file.verify(run); }), "s");
  const Graph mapped = file.graph(run);
  const Block x(mapped.vertex_count(), 1, 1.0);
  Block y;
  const auto product = [&](const Graph& a) {
    return seconds(
        [&] { apply_laplacian(a, LaplacianKind::combinatorial, x, y, run.thread_count()); });
  };
  product(mapped);
  results.beside("product, mapped", "in memory", product(mapped), product(graph));
}

void measure_compressed(bench::Results& results, const Files& files, const Graph& graph,
                        const RunContext& run) {
  const double arcs = 2.0 * static_cast<double>(graph.edge_count());
  results.value("plain", 1e9 * gigabytes(files.plain) / arcs, "bytes an arc");
  results.value("compressed", 1e9 * gigabytes(files.small) / arcs, "bytes an arc");
  const BinaryGraph packed = BinaryGraph::open(files.small);
  CompressedGraph rows;
  results.value("check, compressed", seconds([&] { rows = *packed.compressed(run); }), "s");
  double sum = 0.0;
  const double sweep = seconds([&] {
    rows.sweep(0, rows.vertex_count(),
               [&](VertexId, auto&& visit) { visit([&](VertexId, double w) { sum += w; }); });
  });
  if (!(sum > 0.0)) throw std::runtime_error("a sweep that saw nothing");
  results.value("sweep, compressed, one thread", 1e9 * sweep / arcs, "ns an arc");
  results.value("expand", seconds([&] { rows.expand(run); }), "s");
  results.beside("components, compressed", "plain",
                 seconds([&] { connected_components(rows, run); }),
                 seconds([&] { connected_components(graph); }));
}

void measure(bench::Results& results, const Graph& graph, int threads) {
  RunContext run;
  run.threads = threads;
  const Files files((std::filesystem::temp_directory_path() / "gssl-bench-binary").string());
  write_text(files.text, graph);
  make_files(results, files, run);
  measure_plain(results, files, graph, run);
  measure_compressed(results, files, graph, run);
}

}  // namespace

int main(int argc, char** argv) {
  bench::Program program("bench_binary_graph", "Binary graph files beside text");
  double millions = 5.0;
  int threads = 2;
  program.options().add_option("--edges", millions, "Millions of edges")->capture_default_str();
  program.options().add_option("--threads", threads, "Threads")->capture_default_str();
  const auto edges = [&] { return static_cast<EdgeIndex>(1e6 * millions); };
  program.add("grid", "a square grid in row order", [&](bench::Results& results) {
    VertexId side = 1;
    while (EdgeIndex{2} * side * side < edges()) ++side;
    measure(results, grid_graph(side, side), threads);
  });
  program.add("rmat", "RMAT with shuffled numbers", [&](bench::Results& results) {
    int scale = 10;
    while ((EdgeIndex{16} << scale) < edges()) ++scale;
    measure(results, rmat(edges(), scale), threads);
  });
  return program.run(argc, argv);
}
