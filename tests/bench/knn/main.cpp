// Graphs from points beside public peers in the same run:
//   bench_knn [case…] [-t THREADS] [-m METHOD] [-r RECALL] [--no-peers] [--only PEER]
//             [--mnist FILE] [--points FILE]
//
// Cases, k = 10: uniform3 (1M × 3), clustered8 (1M × 8), mixture20 (100k × 20), mixture32 (200k ×
// 32), mixture128 (100k × 128), mnist (70k × 784, of few directions; FILE of --mnist if given: idx,
// npy), points (FILE of --points), epsilon3 (1M × 3, all pairs within a radius), emst3 (1M × 3),
// emst20 (100k × 20). -r asks for approximate lists. Peers: nanoflann (queries in the order of its
// leaves), FAISS flat (a tenth of the queries, times ten) and scikit-learn (brute) where installed,
// for approximate lists hnswlib (M 16, ef 100 while building; ef is doubled from 20 until the
// recall is that asked for, at most to 640, and only the last search is counted), for trees mlpack
// (one thread) and, of emst20, a full-product Borůvka written here. --only NAME: this peer alone.
// Memory is the growth of the resident memory beyond the points, as a share of input + 8nk bytes (8
// bytes an entry for balls). Processor seconds are of all threads: what counts when the machine is
// shared.
#include <cmath>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "gssl/core/rng.hpp"
#include "gssl/graph/epsilon_graph.hpp"
#include "gssl/graph/knn_lists.hpp"
#include "gssl/graph/metric_spanning_tree.hpp"
#include "gssl/io/points_reader.hpp"
#include "peers.hpp"

namespace {

using namespace gssl;
using bench::MemoryMeter, bench::Seconds, bench::Stopwatch;
constexpr int k = 10;
KnnOptions how;
std::string only;  // peer

std::vector<float> uniform(VertexId n, int d) {
  Rng rng(1);
  std::vector<float> x(std::size_t(n) * std::size_t(d));
  for (float& v : x) v = static_cast<float>(rng.uniform());
  return x;
}

// `clusters` gaussians, standard deviation `spread`, centers uniform in the unit cube.
std::vector<float> mixture(VertexId n, int d, int clusters, double spread) {
  Rng rng(1);
  std::vector<double> center(std::size_t(clusters) * std::size_t(d));
  for (double& v : center) v = rng.uniform();
  std::vector<float> x;
  x.reserve(std::size_t(n) * std::size_t(d));
  for (VertexId i = 0; i < n; ++i) {
    const auto c = rng.below(static_cast<std::uint64_t>(clusters));
    for (int j = 0; j < d; ++j)
      x.push_back(
          static_cast<float>(center[c * std::size_t(d) + std::size_t(j)] + spread * rng.normal()));
  }
  return x;
}

// Ten gaussians whose variances fall off as j^-1.5 along directions at no axis: most of the
// variance in few directions, as in images.
std::vector<float> low_rank(VertexId n, int d) {
  Rng rng(1);
  const auto width = static_cast<std::size_t>(d);
  std::vector<double> size(width), center(10 * width), mirror(3 * width), row(width);
  for (std::size_t j = 0; j < width; ++j) size[j] = std::pow(static_cast<double>(j + 1), -0.75);
  for (std::size_t i = 0; i < center.size(); ++i) center[i] = size[i % width] * rng.normal();
  for (double& v : mirror) v = rng.normal();
  std::vector<float> x;
  x.reserve(std::size_t(n) * width);
  for (VertexId i = 0; i < n; ++i) {
    const double* home = center.data() + rng.below(10) * width;
    for (std::size_t j = 0; j < width; ++j) row[j] = home[j] + 0.7 * size[j] * rng.normal();
    for (std::size_t m = 0; m < 3; ++m) {
      const double* v = mirror.data() + m * width;
      double dot = 0.0, square = 0.0;
      for (std::size_t j = 0; j < width; ++j) dot += v[j] * row[j], square += v[j] * v[j];
      for (std::size_t j = 0; j < width; ++j) row[j] -= 2.0 * dot / square * v[j];
    }
    x.insert(x.end(), row.begin(), row.end());
  }
  return x;
}

// Tells what a peer took.
void beside(const char* peer, const Seconds& ours, const Seconds& theirs, const char* more = "") {
  std::printf("  %-12s %8.3f s, processor %8.3f  ratio %.3f, of processor %.3f%s\n", peer,
              theirs.wall, theirs.cpu, ours.wall / theirs.wall, ours.cpu / theirs.cpu, more);
  std::fflush(stdout);
}

// Tells what we took; `entries` are those of the answer.
void ours(const char* name, int threads, const Seconds& time, const MemoryMeter& memory,
          std::size_t values, double entries) {
  const double bytes = memory.peak_growth_bytes();
  std::printf("%-12s %d threads  ours %.3f s, processor %.3f; memory %.0f MB, %.2f of input + %s\n",
              name, threads, time.wall, time.cpu, bytes / 1e6,
              bytes / (4.0 * static_cast<double>(values) + 8.0 * entries), "8 bytes an entry");
}

bool races(const char* peer) { return only.empty() || only == peer; }

// Every pair within epsilon among uniform points, to rows with distances.
void epsilon_case(int threads, bool peers) {
  constexpr VertexId n = 1000000;
  constexpr double epsilon = 0.01819;
  const std::vector<float> x = uniform(n, 3);
  const Points points = Points::dense(n, 3, x);
  RunContext run;
  run.threads = threads;
  const MemoryMeter memory;
  const Stopwatch watch;
  const DistanceGraph graph = epsilon_distances(points, epsilon, {}, run);
  const Seconds time = watch.elapsed();
  ours("epsilon3", threads, time, memory, x.size(), 2.0 * static_cast<double>(graph.edge_count()));
  std::printf("  %lld edges\n", static_cast<long long>(graph.edge_count()));
  if (const auto peer = peers ? nanoflann_ball(x, 3, epsilon, threads) : std::nullopt)
    beside("nanoflann", time, *peer);
}

void tree_case(const char* name, const std::vector<float>& x, int d, int threads, bool peers) {
  const auto n = static_cast<std::int64_t>(x.size()) / d;
  const Points points = Points::dense(n, d, x);
  RunContext run;
  run.threads = threads;
  MetricTreeReport report;
  const MemoryMeter memory;
  const Stopwatch watch;
  metric_spanning_tree(points, {}, run, &report);
  const Seconds time = watch.elapsed();
  ours(name, threads, time, memory, x.size(), static_cast<double>(n) * k);
  std::printf("  %s; %d rounds, %lld searches, %lld distances in them\n", report.sentence.c_str(),
              report.rounds, static_cast<long long>(report.searches),
              static_cast<long long>(report.distances));
  if (const auto peer = peers && races("mlpack") ? mlpack_tree(x, d) : std::nullopt) {
    const std::string more = ", one thread; length " + std::to_string(peer->length);
    beside("mlpack", time, peer->time, more.c_str());
  }
  if (d > 3 && peers && races("boruvka")) {
    const TreePeer peer = boruvka_tree(x, d, threads);
    beside("boruvka", time, peer.time, ("; length " + std::to_string(peer.length)).c_str());
  }
}

// How many of the true neighbors of some rows are among those found.
double recall_of(const std::vector<std::uint32_t>& found, const KnnLists& exact) {
  std::int64_t right = 0, all = 0;
  for (VertexId i = 0; i < exact.count; i += 7)
    for (const VertexId j : exact.row(i)) {
      ++all;
      for (int a = 0; a < k; ++a)
        right += found[std::size_t(i) * k + std::size_t(a)] == static_cast<std::uint32_t>(j);
    }
  return static_cast<double>(right) / static_cast<double>(all);
}

void lists_case(const char* name, std::vector<float> x, std::int64_t d, int threads, bool peers) {
  const auto n = static_cast<std::int64_t>(x.size()) / d;
  const Points points = Points::dense(n, d, x);
  RunContext run;
  run.threads = threads;
  const MemoryMeter memory;
  const Stopwatch watch;
  const KnnLists lists = knn_lists(points, k, how, run);
  const Seconds time = watch.elapsed();
  ours(name, threads, time, memory, x.size(), static_cast<double>(n) * k);
  double sum = 0.0;
  for (const double v : lists.distances) sum += v;
  std::printf("  build %.3f s, search %.3f; %.1f distances a point, mean %.9g; %s\n",
              lists.report.build_seconds, lists.report.search_seconds,
              static_cast<double>(lists.report.distances) / points.rows(),
              sum / static_cast<double>(lists.distances.size()), lists.report.sentence.c_str());
  std::fflush(stdout);
  if (!peers) return;
  const int columns = static_cast<int>(d);
  const auto race = [&](const char* peer, const auto& run_peer) {
    if (!races(peer)) return;
    if (const auto seconds = run_peer(x, columns, k, threads)) beside(peer, time, *seconds);
  };
  race("nanoflann", nanoflann_lists);
  if (d < 16) return;  // the others are for many columns
  race("FAISS", faiss_lists);
  race("scikit-learn", scikit_lists);
  if (how.recall == 1.0 || !races("hnswlib")) return;
  const KnnLists exact = knn_lists(points, k, {}, run);
  double recall = 0.0;
  int ef = 20;
  const auto enough = [&](const std::vector<std::uint32_t>& found, int tried) {
    recall = recall_of(found, exact);
    ef = tried;
    std::printf("  hnswlib: ef %d has recall %.4f\n", tried, recall);
    std::fflush(stdout);
    return recall >= how.recall;
  };
  if (const auto peer = hnswlib_lists(x, columns, k, threads, enough)) {
    const std::string more =
        "; M 16, ef 100 and " + std::to_string(ef) + ", recall " + std::to_string(recall);
    beside("hnswlib", time, *peer, more.c_str());
  }
}

std::vector<float> read_floats(const std::string& path, std::int64_t& columns) {
  const Points points = read_points(path, {}, {}).points;
  columns = points.columns();
  if (points.is_float()) return {points.floats().begin(), points.floats().end()};
  return {points.doubles().begin(), points.doubles().end()};
}

}  // namespace

int main(int argc, char** argv) try {
  std::setvbuf(stdout, nullptr, _IOLBF, 0);  // a race may be ended early
  int threads = 2;
  bool peers = true;
  std::string mnist, file;
  std::vector<std::string> cases;
  for (int i = 1; i < argc; ++i) {
    const auto takes = [&](const char* option) {
      return std::strcmp(argv[i], option) == 0 && i + 1 < argc;
    };
    if (takes("-t"))
      threads = std::atoi(argv[++i]);
    else if (takes("-m"))
      how.method = knn_method_named(argv[++i]);
    else if (takes("-r"))
      how.recall = std::atof(argv[++i]);
    else if (takes("--only"))
      only = argv[++i];
    else if (takes("--mnist"))
      mnist = argv[++i];
    else if (takes("--points"))
      file = argv[++i];
    else if (std::strcmp(argv[i], "--no-peers") == 0)
      peers = false;
    else
      cases.emplace_back(argv[i]);
  }
  if (cases.empty())
    cases = {"uniform3", "clustered8", "mixture20", "mixture128",
             "mnist",    "epsilon3",   "emst3",     "emst20"};
  for (const std::string& name : cases) {
    const auto lists = [&](std::vector<float> x, std::int64_t d) {
      lists_case(name.c_str(), std::move(x), d, threads, peers);
    };
    std::int64_t columns = 784;
    if (name == "uniform3")
      lists(uniform(1000000, 3), 3);
    else if (name == "clustered8")
      lists(mixture(1000000, 8, 100, 0.05), 8);
    else if (name == "mixture20")
      lists(mixture(100000, 20, 10, 0.25), 20);
    else if (name == "mixture32")
      lists(mixture(200000, 32, 10, 0.25), 32);
    else if (name == "mixture128")
      lists(mixture(100000, 128, 10, 0.25), 128);
    else if (name == "epsilon3")
      epsilon_case(threads, peers);
    else if (name == "emst3")
      tree_case("emst3", uniform(1000000, 3), 3, threads, peers);
    else if (name == "emst20")
      tree_case("emst20", mixture(100000, 20, 10, 0.25), 20, threads, peers);
    else if (name == "mnist" || name == "points") {
      const std::string& path = name == "mnist" ? mnist : file;
      std::vector<float> x = path.empty() ? low_rank(70000, 784) : read_floats(path, columns);
      lists(std::move(x), columns);
    } else {
      return std::fprintf(stderr, "unknown case %s\n", name.c_str()), 1;
    }
  }
} catch (const std::exception& error) {
  return std::fprintf(stderr, "bench_knn: %s\n", error.what()), 1;
}
