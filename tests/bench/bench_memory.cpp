// bench_memory: the peak of memory of gssl beside what --estimate says, on the graphs of
// bench_solver at a quarter of their size.
//
//   bench_memory --gssl build/release/bin/gssl --folder /tmp/folder          all graphs
//   bench_memory --gssl … --folder … grid2d                                  one
//   bench_memory --gssl … --folder … --share 0.1 huge                        5M vertices, 10M edges
//   bench_memory --gssl … --folder … huge                                    50M vertices, 100M
//
// Each command runs twice, as a process of its own: with --estimate, and as it is. The peak is
// VmHWM. A case fails if a peak lies outside of its bounds.

#include <sys/wait.h>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

#include "gssl/core/rng.hpp"
#include "gssl/graph/generators.hpp"
#include "gssl/io/graph_writer.hpp"
#include "gssl/io/output_file.hpp"
#include "harness/program.hpp"
#include "solver/graphs.hpp"

namespace {

using gssl::Graph;
using gssl::VertexId;

struct Bench {
  std::string gssl;
  std::string folder;
  double share = 1.0;
  std::string outside = {};  // what lay outside of its bounds in this case
};

nlohmann::json run(const Bench& bench, const std::string& line, int& status) {
  const std::string command = "cd '" + bench.folder + "' && '" + bench.gssl + "' " + line +
                              " --quiet --threads 2 --summary s.json >/dev/null 2>&1";
  const int ended = std::system(command.c_str());
  status = WIFEXITED(ended) ? WEXITSTATUS(ended) : -1;
  std::ifstream file(bench.folder + "/s.json");
  return nlohmann::json::parse(file);
}

void measure(Bench& bench, gssl::bench::Results& results, const std::string& line) {
  int told_status = 0, status = 0;
  const nlohmann::json told = run(bench, line + " --estimate", told_status);
  if (told_status != 0) throw std::runtime_error(line + " --estimate: exit status");
  const nlohmann::json done = run(bench, line, status);
  constexpr double megabyte = 1e6;
  const double low = told["estimate"]["memory_low"].get<double>() / megabyte;
  const double high = told["estimate"]["memory_high"].get<double>() / megabyte;
  const double peak = done["peak_rss_bytes"].get<double>() / megabyte;
  results.beside(line + ", peak", "the upper bound", peak, high, "MB");
  results.beside(line + ", lower bound", "the peak", low, peak, "MB");
  results.value(line + ", time", done["seconds"]["total"].get<double>(), "s");
  if (peak < low || peak > high) bench.outside += (bench.outside.empty() ? "" : "; ") + line;
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

void measure_graph(Bench& bench, gssl::bench::Results& results, const Graph& graph) {
  write_graph_file(bench, graph);
  for (const int classes : {2, 10, 100})
    write_labels(bench, graph.vertex_count(), classes, "l" + std::to_string(classes));
  for (const char* line :
       {"info g.tsv", "convert g.tsv c.mtx", "label g.tsv l2", "label g.tsv l10",
        "label g.tsv l100", "label g.tsv l100 --scores p.tsv", "spectrum g.tsv -k 10",
        "cluster g.tsv -k 5", "resistance g.tsv --from 7", "resistance g.tsv --edges",
        "kernel g.tsv --node 7", "cut g.tsv --global", "cut g.tsv --source 1 --sink 99",
        "explain g.tsv l10 --node 5", "ask g.tsv l10"})
    measure(bench, results, line);
}

// A grid of 5,000 × 10,000 vertices, or a share of it.
void measure_huge(Bench& bench, gssl::bench::Results& results) {
  constexpr double rows = 5000.0, columns = 10'000.0;
  const auto scaled = [&](double size) {
    return static_cast<VertexId>(std::round(size * std::sqrt(bench.share)));
  };
  {
    const Graph graph = gssl::grid_graph(scaled(rows), scaled(columns));
    write_graph_file(bench, graph);
    write_labels(bench, graph.vertex_count(), 10, "l10");
  }
  measure(bench, results, "label g.tsv l10 -o labels.tsv");
  measure(bench, results, "label g.tsv l10 -o labels.tsv --max-memory 16G");
}

}  // namespace

int main(int argc, char** argv) {
  gssl::bench::Program program("bench_memory", "Peaks of memory beside what --estimate says");
  Bench bench;
  program.options().add_option("--gssl", bench.gssl, "The command")->required();
  program.options()
      .add_option("--folder", bench.folder, "Where graphs are made and kept")
      ->required()
      ->check(CLI::ExistingDirectory);
  program.options().add_option("--share", bench.share, "Of the huge grid")->capture_default_str();
  const auto add = [&](const std::string& name, const std::string& about, auto body,
                       gssl::bench::Program::Runs runs) {
    program.add(
        name, about,
        [&bench, body](gssl::bench::Results& results) {
          bench.outside.clear();
          body(results);
          if (!bench.outside.empty())
            throw std::runtime_error("outside of its bounds: " + bench.outside);
        },
        runs);
  };
  for (const std::string& name : gssl::bench::graph_names())
    add(
        name, "as in bench_solver",
        [&bench, name](gssl::bench::Results& results) {
          const gssl::bench::GraphSizes quarter{.grid_side = 500,
                                                .grid3d_side = 63,
                                                .rmat_scale = 17,
                                                .knn_points = 25'000,
                                                .road_side = 300,
                                                .cache = bench.folder};
          measure_graph(bench, results, gssl::bench::make_graph(name, quarter));
        },
        gssl::bench::Program::Runs::by_default);
  add(
      "huge", "a plane grid of 50M vertices, 100M edges, 10 classes",
      [&bench](gssl::bench::Results& results) { measure_huge(bench, results); },
      gssl::bench::Program::Runs::when_named);
  return program.run(argc, argv);
}
