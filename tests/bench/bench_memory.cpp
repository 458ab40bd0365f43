// The peak of memory of gssl beside what --estimate says, on the graphs of bench_solver.
//
//   bench_memory build/release/bin/gssl /tmp/folder            # all graphs, at a quarter of the size
//   bench_memory build/release/bin/gssl /tmp/folder grid2d     # one
//   bench_memory build/release/bin/gssl /tmp/folder huge 0.1   # 5M vertices, 10M edges, 10 classes
//   bench_memory build/release/bin/gssl /tmp/folder huge 1     # 50M vertices, 100M edges
//
// Each command runs twice, as a process of its own: with --estimate, and as it is. The peak is
// VmHWM. Exit status 1 if a peak lies outside of its bounds, or a bound is more than 1.4 times the
// other.

#include <sys/wait.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "gssl/core/rng.hpp"
#include "gssl/graph/generators.hpp"
#include "gssl/io/graph_writer.hpp"
#include "gssl/io/output_file.hpp"
#include "solver/graphs.hpp"

namespace {

using gssl::Graph;
using gssl::VertexId;

constexpr double most_ratio = 1.4;

struct Bench {
  std::string gssl;
  std::string folder;
  bool good = true;
};

nlohmann::json run(const Bench& bench, const std::string& line, int& status) {
  const std::string command = "cd '" + bench.folder + "' && '" + bench.gssl + "' " + line +
                              " --quiet --threads 2 --summary s.json >/dev/null 2>&1";
  const int ended = std::system(command.c_str());
  status = WIFEXITED(ended) ? WEXITSTATUS(ended) : -1;
  std::ifstream file(bench.folder + "/s.json");
  return nlohmann::json::parse(file);
}

double peak_of(const nlohmann::json& summary) { return summary["peak_rss_bytes"].get<double>(); }

void measure(Bench& bench, const std::string& name, const std::string& line) {
  int told_status = 0, status = 0;
  const nlohmann::json told = run(bench, line + " --estimate", told_status);
  const nlohmann::json done = run(bench, line, status);
  constexpr double megabyte = 1e6;
  if (told_status != 0) {
    std::printf("| %s | %s | status %d | | | |\n", name.c_str(), line.c_str(), told_status);
    return;
  }
  const double low = told["estimate"]["memory_low"].get<double>();
  const double high = told["estimate"]["memory_high"].get<double>();
  const double peak = peak_of(done);
  const bool within = low <= peak && peak <= high;
  const bool narrow = high <= most_ratio * low;
  bench.good = bench.good && within && narrow;
  std::printf(
      "| %s | `%s` | %.0f | %.0f | %.0f | %s%s | %.1f to %.1f | %.1f |\n", name.c_str(),
      line.c_str(), low / megabyte, peak / megabyte, high / megabyte, within ? "within" : "OUTSIDE",
      narrow ? "" : ", WIDE", told["estimate"]["seconds_low"].get<double>(),
      told["estimate"]["seconds_high"].get<double>(), done["seconds"]["total"].get<double>());
  std::fflush(stdout);
}

void write_labels(const Bench& bench, VertexId n, int classes, const std::string& name) {
  gssl::Rng rng(7);
  std::ofstream file(bench.folder + "/" + name);
  const VertexId step = n / (10 * classes);
  for (int i = 0; i < 10 * classes; ++i)
    file << i * step + static_cast<VertexId>(rng.below(static_cast<std::uint64_t>(step))) << "\tc"
         << i % classes << '\n';
}

void write_graph_file(const Bench& bench, const Graph& graph) {
  gssl::OutputFile out(bench.folder + "/g.tsv");
  gssl::write_graph(out, graph, gssl::VertexNames::numbered(graph.vertex_count()),
                    gssl::GraphFormat::edge_list);
  out.commit();
}

void measure_graph(Bench& bench, const std::string& name, const Graph& graph) {
  write_graph_file(bench, graph);
  for (const int classes : {2, 10, 100})
    write_labels(bench, graph.vertex_count(), classes, "l" + std::to_string(classes));
  for (const char* line :
       {"info g.tsv", "convert g.tsv c.mtx", "label g.tsv l2", "label g.tsv l10",
        "label g.tsv l100", "label g.tsv l100 --scores p.tsv", "spectrum g.tsv -k 10",
        "cluster g.tsv -k 5", "resistance g.tsv --from 7", "resistance g.tsv --edges",
        "kernel g.tsv --node 7", "cut g.tsv --global", "cut g.tsv --source 1 --sink 99",
        "explain g.tsv l10 --node 5", "ask g.tsv l10"})
    measure(bench, name, line);
}

// A grid of 5,000 × 10,000 vertices, or a share of it.
void measure_huge(Bench& bench, double share) {
  constexpr double rows = 5000.0, columns = 10'000.0;
  const auto scaled = [&](double size) {
    return static_cast<VertexId>(std::round(size * std::sqrt(share)));
  };
  const Graph graph = gssl::grid_graph(scaled(rows), scaled(columns));
  write_graph_file(bench, graph);
  write_labels(bench, graph.vertex_count(), 10, "l10");
  measure(bench, "grid, share " + std::to_string(share), "label g.tsv l10 -o labels.tsv");
  measure(bench, "grid, 16G", "label g.tsv l10 -o labels.tsv --max-memory 16G");
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    std::fputs("usage: bench_memory GSSL FOLDER [GRAPH|huge [SHARE]]\n", stderr);
    return 64;
  }
  Bench bench{.gssl = argv[1], .folder = argv[2]};
  const std::string wanted = argc > 3 ? argv[3] : "";
  std::puts(
      "| graph | command | low, MB | peak | high | | seconds told | seconds |\n"
      "|---|---|---|---|---|---|---|---|");
  if (wanted == "huge") {
    measure_huge(bench, argc > 4 ? std::atof(argv[4]) : 1.0);
  } else {
    const gssl::bench::GraphSizes quarter{.grid_side = 500,
                                          .grid3d_side = 63,
                                          .rmat_scale = 17,
                                          .knn_points = 25'000,
                                          .road_side = 300,
                                          .cache = bench.folder};
    for (const std::string& name : gssl::bench::graph_names())
      if (wanted.empty() || wanted == name)
        measure_graph(bench, name, gssl::bench::make_graph(name, quarter));
  }
  return bench.good ? 0 : 1;
}
