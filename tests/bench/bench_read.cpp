// Speed and memory of reading edge lists into a graph:  bench_read [millions of edges, 5 if absent]
//
// Each line is one file read by a process of its own: megabytes per second of wall time and of CPU
// time (the fair one on a busy machine), and the peak of resident memory of that process, all
// told, as a multiple of the rows and the names that remain.
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "gssl/core/peak_memory.hpp"
#include "gssl/core/rng.hpp"
#include "gssl/io/graph_reader.hpp"
#include "gssl/io/output_file.hpp"

namespace {

using Pairs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

Pairs rmat(std::size_t edges, int scale) {
  gssl::Rng rng(1);
  Pairs pairs(edges);
  for (auto& [u, v] : pairs) {
    for (int bit = 0; bit < scale; ++bit) {
      const double x = rng.uniform();  // quadrants 0.57, 0.19, 0.19, 0.05
      u = u * 2 + (x >= 0.76 ? 1 : 0);
      v = v * 2 + ((x >= 0.57 && x < 0.76) || x >= 0.95 ? 1 : 0);
    }
  }
  return pairs;
}

Pairs grid(std::size_t edges) {
  const auto side = static_cast<std::uint32_t>(std::sqrt(static_cast<double>(edges) / 2.0)) + 1;
  Pairs pairs;
  for (std::uint32_t v = 0; v < side * side; ++v) {
    if (v % side + 1 < side) pairs.emplace_back(v, v + 1);
    if (v + side < side * side) pairs.emplace_back(v, v + side);
  }
  return pairs;
}

void shuffle_ids(Pairs& pairs) {
  std::uint32_t largest = 0;
  for (const auto& [u, v] : pairs) largest = std::max({largest, u, v});
  std::vector<std::uint32_t> id(std::size_t{largest} + 1);
  std::iota(id.begin(), id.end(), 0U);
  gssl::Rng rng(2);
  gssl::shuffle(id, rng);
  for (auto& [u, v] : pairs) {
    u = id[u];
    v = id[v];
  }
}

enum class Ids { dense, sparse, strings };

void append_id(std::string& line, std::uint32_t id, Ids ids) {
  if (ids == Ids::strings) line += "user_";
  // Fibonacci hashing spreads the ids over 64 bits and keeps them distinct.
  line +=
      ids == Ids::sparse ? std::to_string((id + 1ULL) * 0x9e3779b97f4a7c15ULL) : std::to_string(id);
}

void write_edges(const std::string& path, const Pairs& pairs, Ids ids, bool weighted, bool twice) {
  gssl::Rng rng(3);
  gssl::OutputFile out(path);
  std::string line;
  const auto write = [&](std::uint32_t u, std::uint32_t v) {
    line.clear();
    append_id(line, u, ids);
    line += '\t';
    append_id(line, v, ids);
    if (weighted) line += "\t0." + std::to_string(1000000 + rng.below(1000000));
    line += '\n';
    out.write(line);
  };
  for (const auto& [u, v] : pairs) {
    write(u, v);
    if (twice) write(v, u);
  }
  out.commit();
}

void read_and_report(const char* path, const char* what, int threads) {
  gssl::RunContext run;
  run.threads = threads;
  const auto start = std::chrono::steady_clock::now();
  const gssl::GraphFile file = gssl::read_graph(path, {}, run);
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - start;
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  const double cpu = seconds(usage.ru_utime) + seconds(usage.ru_stime);
  const auto rows = static_cast<double>(file.graph.memory_bytes());
  const auto names = static_cast<double>(file.names.memory_bytes());
  const double megabytes = static_cast<double>(file.stats.bytes) / 1e6;
  const double peak = static_cast<double>(gssl::peak_memory_bytes());
  std::printf(
      "%-18s threads %d  %4.0f MB  wall %6.1f MB/s  cpu %6.1f MB/s  n %8d  m %8lld  rows %6.1f MB  "
      "names %6.1f MB  peak %6.1f MB  peak/(rows+names) %.2f  (peak-names)/rows %.2f\n",
      what, threads, megabytes, megabytes / wall.count(), megabytes / cpu,
      file.graph.vertex_count(), static_cast<long long>(file.graph.edge_count()), rows / 1e6,
      names / 1e6, peak / 1e6, peak / (rows + names), (peak - names) / rows);
}

// A forked child begins with the peak of its parent; one that starts the program again does not.
void read_in_child(const char* program, const std::string& path, const char* what, int threads) {
  const pid_t child = fork();
  if (child == 0) {
    execl(program, program, "--read", path.c_str(), what, std::to_string(threads).c_str(), nullptr);
    _exit(127);
  }
  waitpid(child, nullptr, 0);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 5 && std::string(argv[1]) == "--read") {
    read_and_report(argv[2], argv[3], std::atoi(argv[4]));
    return 0;
  }
  const std::size_t edges = std::strtoull(argc > 1 ? argv[1] : "5", nullptr, 10) * 1000000;
  const std::string path =
      (std::filesystem::temp_directory_path() / ("gssl-bench-" + std::to_string(getpid())))
          .string();
  const auto measure = [&](const char* what, const Pairs& pairs, Ids ids, bool weighted = false,
                           bool twice = false) {
    write_edges(path, pairs, ids, weighted, twice);
    for (const int threads : {1, 2}) read_in_child("/proc/self/exe", path, what, threads);
  };
  Pairs pairs = rmat(edges, 20);
  measure("rmat", pairs, Ids::dense);
  shuffle_ids(pairs);
  measure("rmat shuffled", pairs, Ids::dense);
  measure("rmat weighted", pairs, Ids::dense, true);
  measure("rmat both ways", pairs, Ids::dense, false, true);
  measure("rmat 64-bit ids", pairs, Ids::sparse);
  measure("rmat strings", pairs, Ids::strings);
  pairs = grid(edges);
  shuffle_ids(pairs);
  measure("road shuffled", pairs, Ids::dense);
  measure("road weighted", pairs, Ids::dense, true);
  measure("road 64-bit ids", pairs, Ids::sparse);
  measure("road strings", pairs, Ids::strings);
  std::filesystem::remove(path);
}
