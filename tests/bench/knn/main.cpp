// Graphs from points beside public peers in the same run. Peers: nanoflann (queries in the order of
// its leaves), FAISS flat (a tenth of the queries, times ten) and scikit-learn (brute) where
// installed, for approximate lists hnswlib (M 16, ef 100 while building; ef is doubled from 20 until
// the recall is that asked for, at most to 640, and only the last search is counted), for trees
// mlpack (one thread) and, of emst20, a full-product Borůvka written here. Memory is the growth of
// the resident memory beyond the points, as a share of input + 8nk bytes (8 bytes an entry for
// balls). Processor seconds are of all threads: what counts when the machine is shared.
#include <cmath>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#include "../harness/program.hpp"
#include "gssl/core/rng.hpp"
#include "gssl/graph/epsilon_graph.hpp"
#include "gssl/graph/knn_lists.hpp"
#include "gssl/graph/metric_spanning_tree.hpp"
#include "gssl/io/points_reader.hpp"
#include "peers.hpp"

namespace {

using namespace gssl;
using bench::MemoryMeter, bench::Program, bench::Results, bench::Seconds, bench::Stopwatch;
constexpr int k = 10;

struct Race {
  int threads = 2;
  KnnOptions how;
  std::string only;  // peer
  bool peers = true;
  bool wants(const char* peer) const { return peers && (only.empty() || only == peer); }
};

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

// Processor seconds beside those of a peer, and what the wall said.
void beside(Results& results, const char* peer, const Seconds& ours, const Seconds& theirs,
            const std::string& more = "") {
  results.beside("graph", peer, ours.cpu, theirs.cpu);
  std::printf("    by the wall %.3f s, %.3f: ratio %.3f%s\n", ours.wall, theirs.wall,
              ours.wall / theirs.wall, more.c_str());
}

// Tells what we took; `entries` are those of the answer.
void ours(Results& results, const Seconds& time, const MemoryMeter& memory, std::size_t values,
          double entries) {
  const double bytes = memory.peak_growth_bytes();
  results.value("graph", time.cpu, "s");
  std::printf("    by the wall %.3f s; memory %.0f MB, %.2f of input + 8 bytes an entry\n",
              time.wall, bytes / 1e6, bytes / (4.0 * static_cast<double>(values) + 8.0 * entries));
}

// Every pair within epsilon among uniform points, to rows with distances.
void epsilon_case(Results& results, VertexId n, const Race& race) {
  const double epsilon = 1.819 / std::cbrt(static_cast<double>(n));  // 25 neighbors
  const std::vector<float> x = uniform(n, 3);
  const Points points = Points::dense(n, 3, x);
  RunContext run;
  run.threads = race.threads;
  const MemoryMeter memory;
  const Stopwatch watch;
  const DistanceGraph graph = epsilon_distances(points, epsilon, {}, run);
  const Seconds time = watch.elapsed();
  ours(results, time, memory, x.size(), 2.0 * static_cast<double>(graph.edge_count()));
  std::printf("  %lld edges\n", static_cast<long long>(graph.edge_count()));
  if (!race.wants("nanoflann")) return;
  if (const auto peer = nanoflann_ball(x, 3, epsilon, race.threads))
    beside(results, "nanoflann", time, *peer);
  else
    results.absent("nanoflann", "libnanoflann-dev");
}

void tree_case(Results& results, const std::vector<float>& x, int d, const Race& race) {
  const auto n = static_cast<std::int64_t>(x.size()) / d;
  const Points points = Points::dense(n, d, x);
  RunContext run;
  run.threads = race.threads;
  MetricTreeReport report;
  const MemoryMeter memory;
  const Stopwatch watch;
  metric_spanning_tree(points, {}, run, &report);
  const Seconds time = watch.elapsed();
  ours(results, time, memory, x.size(), static_cast<double>(n) * k);
  std::printf("  %s; %d rounds, %lld searches, %lld distances in them\n", report.sentence.c_str(),
              report.rounds, static_cast<long long>(report.searches),
              static_cast<long long>(report.distances));
  if (race.wants("mlpack")) {
    if (const auto peer = mlpack_tree(x, d))
      beside(results, "mlpack", time, peer->time,
             ", one thread; length " + std::to_string(peer->length));
    else
      results.absent("mlpack", "r-cran-rcppmlpack");
  }
  if (d > 3 && race.wants("boruvka")) {
    const TreePeer peer = boruvka_tree(x, d, race.threads);
    beside(results, "boruvka", time, peer.time, "; length " + std::to_string(peer.length));
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

void lists_case(Results& results, std::vector<float> x, std::int64_t d, const Race& how) {
  const auto n = static_cast<std::int64_t>(x.size()) / d;
  const Points points = Points::dense(n, d, x);
  RunContext run;
  run.threads = how.threads;
  const MemoryMeter memory;
  const Stopwatch watch;
  const KnnLists lists = knn_lists(points, k, how.how, run);
  const Seconds time = watch.elapsed();
  ours(results, time, memory, x.size(), static_cast<double>(n) * k);
  double sum = 0.0;
  for (const double v : lists.distances) sum += v;
  std::printf("  build %.3f s, search %.3f; %.1f distances a point, mean %.9g; %s\n",
              lists.report.build_seconds, lists.report.search_seconds,
              static_cast<double>(lists.report.distances) / points.rows(),
              sum / static_cast<double>(lists.distances.size()), lists.report.sentence.c_str());
  if (!how.peers) return;
  const int columns = static_cast<int>(d);
  const auto race = [&](const char* peer, const char* package, const auto& run_peer) {
    if (!how.wants(peer)) return;
    if (const auto seconds = run_peer(x, columns, k, how.threads))
      beside(results, peer, time, *seconds);
    else
      results.absent(peer, package);
  };
  race("nanoflann", "libnanoflann-dev", nanoflann_lists);
  if (d < 16) return;  // the others are for many columns
  race("FAISS", "libfaiss-dev", faiss_lists);
  race("scikit-learn", "python3-sklearn", scikit_lists);
  if (how.how.recall == 1.0 || !how.wants("hnswlib")) return;
  const KnnLists exact = knn_lists(points, k, {}, run);
  double recall = 0.0;
  int ef = 20;
  const auto enough = [&](const std::vector<std::uint32_t>& found, int tried) {
    recall = recall_of(found, exact);
    ef = tried;
    std::printf("    hnswlib: ef %d has recall %.4f\n", tried, recall);
    return recall >= how.how.recall;
  };
  if (const auto peer = hnswlib_lists(x, columns, k, how.threads, enough))
    beside(results, "hnswlib", time, *peer,
           "; M 16, ef 100 and " + std::to_string(ef) + ", recall " + std::to_string(recall));
  else
    results.absent("hnswlib", "libhnswlib-dev");
}

std::vector<float> read_floats(const std::string& path, std::int64_t& columns) {
  const Points points = read_points(path, {}, {}).points;
  columns = points.columns();
  if (points.is_float()) return {points.floats().begin(), points.floats().end()};
  return {points.doubles().begin(), points.doubles().end()};
}

}  // namespace

int main(int argc, char** argv) {
  Program program("bench_knn", "Graphs from points beside public peers; k = 10");
  Race race;
  std::string mnist, file, method = "automatic";
  program.options().add_option("-t,--threads", race.threads, "of ours and theirs");
  program.options().add_option("-m,--method", method, "of ours")->capture_default_str();
  program.options().add_option("-r,--recall", race.how.recall, "approximate lists, below 1");
  program.options().add_option("--only", race.only, "this peer alone");
  program.options().add_flag("!--no-peers", race.peers, "ours alone");
  program.options().add_option("--mnist", mnist, "points of the case mnist: idx, npy");
  program.options().add_option("--points", file, "points of the case points");
  double share = 1.0;
  program.options().add_option("--share", share, "of the points of a case")->capture_default_str();
  const auto rows = [&](VertexId all) { return static_cast<VertexId>(share * all); };
  using enum Program::Runs;
  const auto lists = [&](const char* name, const char* about,
                         std::function<std::vector<float>(std::int64_t&)> make,
                         Program::Runs runs = by_default) {
    program.add(
        name, about,
        [&, make](Results& results) {
          race.how.method = knn_method_named(method);
          std::int64_t columns = 0;
          std::vector<float> x = make(columns);
          lists_case(results, std::move(x), columns, race);
        },
        runs);
  };
  lists("uniform3", "1M uniform points in 3 dimensions",
        [&](std::int64_t& d) { return uniform(rows(1000000), static_cast<int>(d = 3)); });
  const auto mixed = [&](VertexId n, int d, int clusters, double spread) {
    return [=, &rows](std::int64_t& columns) {
      columns = d;
      return mixture(rows(n), d, clusters, spread);
    };
  };
  lists("clustered8", "1M points in 8 dimensions, 100 clusters", mixed(1000000, 8, 100, 0.05));
  lists("mixture20", "100k points in 20 dimensions", mixed(100000, 20, 10, 0.25));
  lists("mixture32", "200k points in 32 dimensions", mixed(200000, 32, 10, 0.25), when_named);
  lists("mixture128", "100k points in 128 dimensions", mixed(100000, 128, 10, 0.25));
  lists("mnist", "70k points in 784 dimensions, of few directions; or --mnist",
        [&](std::int64_t& d) {
          return mnist.empty() ? low_rank(rows(70000), static_cast<int>(d = 784))
                               : read_floats(mnist, d);
        });
  lists(
      "points", "the points of --points", [&](std::int64_t& d) { return read_floats(file, d); },
      when_named);
  program.add("epsilon3", "1M points in 3 dimensions, all pairs within a radius",
              [&](Results& results) { epsilon_case(results, rows(1000000), race); });
  program.add("emst3", "spanning tree of 1M points in 3 dimensions",
              [&](Results& results) { tree_case(results, uniform(rows(1000000), 3), 3, race); });
  program.add("emst20", "spanning tree of 100k points in 20 dimensions", [&](Results& results) {
    tree_case(results, mixture(rows(100000), 20, 10, 0.25), 20, race);
  });
  return program.run(argc, argv);
}
