// bench_read: speed and memory of reading edge lists into a graph, beside std::from_chars on every
// number of the same bytes with no graph made.
//
// Each file is read by a process of its own, with one thread and with two: seconds of wall and of
// processor time, and the peak of its resident memory as a multiple of the rows and the names that
// remain. The least of three runs counts; of the peer, which takes a hundredth of that, of ten.
//
// A packed file is read beside the plain one and beside `gzip -dc` alone: the longer of unpacking
// and parsing is what a second thread can reach.
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "gssl/core/peak_memory.hpp"
#include "gssl/core/rng.hpp"
#include "gssl/core/stopwatch.hpp"
#include "gssl/io/graph_reader.hpp"
#include "gssl/io/output_file.hpp"
#include "harness/program.hpp"

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

// What the process that reads a file tells about it.
nlohmann::json read_and_tell(const std::string& path, int threads) {
  gssl::RunContext run;
  run.threads = threads;
  const gssl::Stopwatch watch;
  const gssl::GraphFile file = gssl::read_graph(path, {}, run);
  const double wall = watch.seconds();
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  const auto kept = static_cast<double>(file.graph.memory_bytes()) +
                    static_cast<double>(file.names.memory_bytes());
  return {{"wall", wall},
          {"cpu", seconds(usage.ru_utime) + seconds(usage.ru_stime)},
          {"peak", static_cast<double>(gssl::peak_memory_bytes()) / kept}};
}

// A forked child begins with the peak of its parent; one that starts the program again does not.
nlohmann::json read_in_child(const std::string& path, int threads) {
  std::array<int, 2> ends{};
  if (pipe(ends.data()) != 0) throw std::runtime_error("no pipe");
  const pid_t child = fork();
  if (child == 0) {
    dup2(ends[1], STDOUT_FILENO);
    execl("/proc/self/exe", "bench_read", "--read", path.c_str(), std::to_string(threads).c_str(),
          nullptr);
    _exit(127);
  }
  close(ends[1]);
  std::string text;
  std::array<char, 512> part{};
  for (ssize_t got = 0; (got = read(ends[0], part.data(), part.size())) > 0;)
    text.append(part.data(), static_cast<std::size_t>(got));
  close(ends[0]);
  waitpid(child, nullptr, 0);
  return nlohmann::json::parse(text);
}

// Of each figure the least of three processes.
nlohmann::json least_of_runs(const std::string& path, int threads) {
  nlohmann::json least = read_in_child(path, threads);
  for (int repeat = 1; repeat < 3; ++repeat) {
    const nlohmann::json again = read_in_child(path, threads);
    for (const char* figure : {"wall", "cpu", "peak"})
      if (again[figure].get<double>() < least[figure].get<double>()) least[figure] = again[figure];
  }
  return least;
}

// Seconds to turn every run of digits of a file into a number.
double seconds_of_numbers(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  double least = HUGE_VAL;
  std::uint64_t sum = 0, number = 0;
  for (int repeat = 0; repeat < 10; ++repeat) {
    const gssl::Stopwatch watch;
    const char* const end = text.data() + text.size();
    for (const char* at = text.data(); at < end;) {
      const auto [next, error] = std::from_chars(at, end, number);
      sum += number;
      at = error == std::errc() ? next + 1 : at + 1;
    }
    least = std::min(least, watch.seconds());
  }
  if (sum == 0) std::puts("  no number found");
  return least;
}

// Seconds of wall that a command of the shell takes, the least of some runs.
double seconds_of(const std::string& command, int runs = 3) {
  double least = HUGE_VAL;
  for (int repeat = 0; repeat < runs; ++repeat) {
    const gssl::Stopwatch watch;
    if (std::system(command.c_str()) != 0) throw std::runtime_error("failed: " + command);
    least = std::min(least, watch.seconds());
  }
  return least;
}

std::string temporary_path() {
  return (std::filesystem::temp_directory_path() / ("gssl-bench-" + std::to_string(getpid())))
      .string();
}

struct File {
  Pairs pairs;
  Ids ids;
  bool weighted = false;
  bool twice = false;
};

void measure(gssl::bench::Results& results, const File& file) {
  const std::string path = temporary_path();
  write_edges(path, file.pairs, file.ids, file.weighted, file.twice);
  const double megabytes = static_cast<double>(std::filesystem::file_size(path)) / 1e6;
  const nlohmann::json one = least_of_runs(path, 1), two = least_of_runs(path, 2);
  results.beside("one thread, processor time", "std::from_chars", one["cpu"].get<double>(),
                 seconds_of_numbers(path));
  results.beside("two threads, wall", "one thread", two["wall"].get<double>(),
                 one["wall"].get<double>());
  results.value("one thread", megabytes / one["cpu"].get<double>(), "MB a second of processor");
  results.value("two threads", megabytes / two["wall"].get<double>(), "MB a second of wall");
  results.value("peak over what is kept", two["peak"].get<double>(), "times");
  std::filesystem::remove(path);
}

void measure_packed(gssl::bench::Results& results, const File& file) {
  const std::string path = temporary_path(), packed = path + ".gz";
  write_edges(path, file.pairs, file.ids, file.weighted, file.twice);
  seconds_of("gzip -c '" + path + "' > '" + packed + "'", 1);
  const double unpacking = seconds_of("gzip -dc '" + packed + "' > /dev/null");
  for (const int threads : {1, 2}) {
    const std::string by = threads == 1 ? "one thread" : "two threads";
    const auto wall = [&](const std::string& read) {
      return least_of_runs(read, threads)["wall"].get<double>();
    };
    const double of_packed = wall(packed), of_plain = wall(path);
    results.beside("packed, wall, " + by, "plain", of_packed, of_plain);
    results.beside("packed, wall, " + by, "gzip -dc alone", of_packed, unpacking);
  }
  std::filesystem::remove(path);
  std::filesystem::remove(packed);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 4 && std::string(argv[1]) == "--read") {
    std::puts(read_and_tell(argv[2], std::atoi(argv[3])).dump().c_str());
    return 0;
  }
  gssl::bench::Program program("bench_read", "Reading edge lists into a graph");
  double millions = 5.0;
  program.options().add_option("--edges", millions, "Millions of edges")->capture_default_str();
  const auto edges = [&] { return static_cast<std::size_t>(1e6 * millions); };
  const auto shuffled = [](Pairs pairs) {
    shuffle_ids(pairs);
    return pairs;
  };
  const auto add = [&](const std::string& name, const std::string& about, auto make) {
    program.add(name, about, [=](gssl::bench::Results& results) { measure(results, make()); });
  };
  const auto social = [=] { return shuffled(rmat(edges(), 20)); };
  const auto road = [=] { return shuffled(grid(edges())); };
  add("rmat", "RMAT, numbers", [=] { return File{rmat(edges(), 20), Ids::dense}; });
  add("rmat-shuffled", "RMAT, numbers in no order", [=] { return File{social(), Ids::dense}; });
  add("rmat-weighted", "the same with weights", [=] { return File{social(), Ids::dense, true}; });
  add("rmat-both-ways", "the same with each edge twice", [=] {
    return File{social(), Ids::dense, false, true};
  });
  add("rmat-64-bit", "numbers of 64 bits", [=] { return File{social(), Ids::sparse}; });
  add("rmat-strings", "names with letters", [=] { return File{social(), Ids::strings}; });
  add("road", "a plane grid, numbers in no order", [=] { return File{road(), Ids::dense}; });
  add("road-weighted", "the same with weights", [=] { return File{road(), Ids::dense, true}; });
  add("road-64-bit", "numbers of 64 bits", [=] { return File{road(), Ids::sparse}; });
  add("road-strings", "names with letters", [=] { return File{road(), Ids::strings}; });
  program.add("rmat-gzip", "RMAT, numbers in no order, packed by gzip",
              [=](gssl::bench::Results& results) {
                measure_packed(results, File{social(), Ids::dense});
              });
  return program.run(argc, argv);
}
