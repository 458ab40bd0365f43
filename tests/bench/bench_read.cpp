// Speed and memory of reading edge lists into a graph:  bench_read [megabytes]
//
// Writes RMAT-like edge lists to a temporary file, with integer and with string ids, and prints for
// one and two threads the megabytes read per second, the bytes of the finished rows, and the peak
// of resident memory above what stood before, less the names, as a multiple of those rows.
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "gssl/core/rng.hpp"
#include "gssl/io/graph_reader.hpp"
#include "gssl/io/output_file.hpp"

namespace {

constexpr int scale = 20;  // at most 2^scale vertices

std::uint64_t rmat_pair(gssl::Rng& rng, std::uint64_t& v) {
  std::uint64_t u = 0;
  v = 0;
  for (int bit = 0; bit < scale; ++bit) {
    const double x = rng.uniform();  // quadrants 0.57, 0.19, 0.19, 0.05
    u = u * 2 + (x >= 0.76 ? 1 : 0);
    v = v * 2 + ((x >= 0.57 && x < 0.76) || x >= 0.95 ? 1 : 0);
  }
  return u;
}

void write_edges(const std::string& path, std::size_t bytes, bool strings, bool weighted) {
  gssl::Rng rng(1);
  gssl::OutputFile out(path);
  std::size_t written = 0;
  std::string line;
  while (written < bytes) {
    std::uint64_t v = 0;
    const std::uint64_t u = rmat_pair(rng, v);
    line = (strings ? "user_" : "") + std::to_string(u) + (strings ? "\tuser_" : "\t") +
           std::to_string(v);
    if (weighted) line += "\t0." + std::to_string(rng.below(1000000));
    line += '\n';
    out.write(line);
    written += line.size();
  }
  out.commit();
}

double peak_bytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) * 1024.0;
}

void read_and_report(const std::string& path, const char* what, int threads) {
  const double before = peak_bytes();
  gssl::RunContext run;
  run.threads = threads;
  const auto start = std::chrono::steady_clock::now();
  const gssl::GraphFile file = gssl::read_graph(path, {}, run);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  const auto rows = static_cast<double>(file.graph.memory_bytes());
  const auto names = static_cast<double>(file.names.memory_bytes());
  const double megabytes = static_cast<double>(file.stats.bytes) / 1e6;
  std::printf(
      "%-16s %d  %6.0f MB  %6.1f MB/s  n %8d  m %9lld  rows %6.1f MB  names %6.1f MB  "
      "peak-names/rows %.2f\n",
      what, threads, megabytes, megabytes / seconds.count(), file.graph.vertex_count(),
      static_cast<long long>(file.graph.edge_count()), rows / 1e6, names / 1e6,
      (peak_bytes() - before - names) / rows);
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  const std::size_t bytes = std::strtoull(argc > 1 ? argv[1] : "60", nullptr, 10) * 1000000;
  const std::string path =
      (std::filesystem::temp_directory_path() / ("gssl-bench-" + std::to_string(getpid())))
          .string();
  struct Input {
    const char* what;
    bool strings;
    bool weighted;
  };
  for (const Input& input : {Input{"integers", false, false}, Input{"integers+weight", false, true},
                             Input{"strings", true, false}}) {
    write_edges(path, bytes, input.strings, input.weighted);
    for (const int threads : {1, 2}) {
      // A process of its own, so that each has its own peak.
      const pid_t child = fork();
      if (child == 0) {
        read_and_report(path, input.what, threads);
        _exit(0);
      }
      waitpid(child, nullptr, 0);
    }
  }
  std::filesystem::remove(path);
}
