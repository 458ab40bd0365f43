// Exact k nearest neighbors beside nanoflann in the same run:  bench_knn [case…] [-t THREADS] [-m
// METHOD]
// [--no-peers]
//
// Cases: uniform3 (1M × 3), clustered8 (1M × 8), mixture20 (100k × 20), mixture128 (100k × 128, no
// nanoflann), epsilon3 (1M × 3, all pairs within a radius), FILE.f32 N D (raw floats). k = 10.
// nanoflann's queries run in the order of its leaves. FILE rows, e.g. 70k MNIST, are compared with
// nothing.
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <string>
#include <vector>

#include "gssl/core/rng.hpp"
#include "gssl/graph/epsilon_graph.hpp"
#include "gssl/graph/knn_lists.hpp"

#ifdef GSSL_BENCH_NANOFLANN
#include <nanoflann.hpp>
#endif

namespace {

using namespace gssl;
constexpr int k = 10;
KnnOptions how;

// Wall time, and processor time of all threads: what counts when the machine is shared.
struct Seconds {
  double wall = 0.0;
  double processor = 0.0;
};

class Watch {
 public:
  Seconds read() const {
    return {std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(),
            static_cast<double>(std::clock() - clock_) / CLOCKS_PER_SEC};
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::clock_t clock_ = std::clock();
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

#ifdef GSSL_BENCH_NANOFLANN
struct Cloud {
  const std::vector<float>& x;
  int d;
  std::size_t kdtree_get_point_count() const { return x.size() / std::size_t(d); }
  float kdtree_get_pt(std::size_t i, std::size_t c) const { return x[i * std::size_t(d) + c]; }
  template <class Box>
  bool kdtree_get_bbox(Box&) const {
    return false;
  }
};

template <int d>
using FlannTree = nanoflann::KDTreeSingleIndexAdaptor<nanoflann::L2_Simple_Adaptor<float, Cloud>,
                                                      Cloud, d, std::uint32_t>;

template <int d>
Seconds nanoflann_seconds(const std::vector<float>& x, int threads) {
  const Cloud cloud{x, d};
  const Watch watch;
  FlannTree<d> tree(d, cloud, nanoflann::KDTreeSingleIndexAdaptorParams(10));
  const auto n = static_cast<std::int64_t>(cloud.kdtree_get_point_count());
  std::vector<std::uint32_t> ids(std::size_t(n) * (k + 1));
  std::vector<float> distances(ids.size());
#pragma omp parallel for schedule(dynamic, 1024) num_threads(threads)
  for (std::int64_t q = 0; q < n; ++q) {
    const std::size_t i = tree.vAcc[std::size_t(q)];
    nanoflann::KNNResultSet<float, std::uint32_t> result(k + 1);
    result.init(&ids[i * (k + 1)], &distances[i * (k + 1)]);
    tree.findNeighbors(result, &x[i * d], nanoflann::SearchParams());
  }
  return watch.read();
}
#endif

// Every pair within epsilon among uniform points, to rows with distances.
void epsilon_case(int threads, bool peers) {
  constexpr VertexId n = 1000000;
  constexpr double epsilon = 0.01819;
  const std::vector<float> x = uniform(n, 3);
  const Points points = Points::dense(n, 3, x);
  RunContext run;
  run.threads = threads;
  const Watch watch;
  const DistanceGraph graph = epsilon_distances(points, epsilon, {}, run);
  const Seconds time = watch.read();
  std::printf("epsilon3     %d threads  ours %.3f s, processor %.3f; %lld edges", threads,
              time.wall, time.processor, static_cast<long long>(graph.edge_count()));
#ifdef GSSL_BENCH_NANOFLANN
  if (peers) {
    const Cloud cloud{x, 3};
    const Watch peer_watch;
    FlannTree<3> tree(3, cloud, nanoflann::KDTreeSingleIndexAdaptorParams(10));
    std::vector<std::int64_t> offsets(n + 1, 0);
    std::vector<std::vector<std::pair<std::uint32_t, float>>> rows(n);
#pragma omp parallel for schedule(dynamic, 1024) num_threads(threads)
    for (std::int64_t q = 0; q < n; ++q) {
      const std::size_t i = tree.vAcc[std::size_t(q)];
      tree.radiusSearch(&x[i * 3], static_cast<float>(epsilon * epsilon), rows[i],
                        nanoflann::SearchParams(32, 0.0F, false));
      offsets[i + 1] = static_cast<std::int64_t>(rows[i].size());
    }
    for (std::size_t v = 1; v < offsets.size(); ++v) offsets[v] += offsets[v - 1];
    std::vector<std::uint32_t> ids(std::size_t(offsets.back()));
    std::vector<float> distances(ids.size());
#pragma omp parallel for num_threads(threads)
    for (std::int64_t v = 0; v < n; ++v)
      for (std::size_t a = 0; a < rows[std::size_t(v)].size(); ++a) {
        ids[std::size_t(offsets[std::size_t(v)]) + a] = rows[std::size_t(v)][a].first;
        distances[std::size_t(offsets[std::size_t(v)]) + a] = rows[std::size_t(v)][a].second;
      }
    const Seconds peer = peer_watch.read();
    std::printf("  nanoflann %.3f s, processor %.3f  ratio %.3f, of processor %.3f", peer.wall,
                peer.processor, time.wall / peer.wall, time.processor / peer.processor);
  }
#else
  static_cast<void>(peers);
#endif
  std::printf("\n");
}

void ours(const char* name, const Points& points, int threads, const Seconds& peer) {
  RunContext run;
  run.threads = threads;
  const Watch watch;
  const KnnLists lists = knn_lists(points, k, how, run);
  const Seconds time = watch.read();
  double sum = 0.0;
  for (const double v : lists.distances) sum += v;
  std::printf("%-12s %d threads  ours %.3f s, processor %.3f (build %.3f, search %.3f)", name,
              threads, time.wall, time.processor, lists.report.build_seconds,
              lists.report.search_seconds);
  if (peer.wall > 0.0)
    std::printf("  nanoflann %.3f s, processor %.3f  ratio %.3f, of processor %.3f", peer.wall,
                peer.processor, time.wall / peer.wall, time.processor / peer.processor);
  std::printf("\n  %.1f distances a point, mean %.9g; %s\n",
              static_cast<double>(lists.report.distances) / points.rows(),
              sum / static_cast<double>(lists.distances.size()), lists.report.sentence.c_str());
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  int threads = 2;
  bool peers = true;
  std::vector<std::string> cases;
  for (int i = 1; i < argc; ++i)
    if (std::strcmp(argv[i], "-t") == 0 && i + 1 < argc)
      threads = std::atoi(argv[++i]);
    else if (std::strcmp(argv[i], "-m") == 0 && i + 1 < argc)
      how.method = knn_method_named(argv[++i]);
    else if (std::strcmp(argv[i], "-r") == 0 && i + 1 < argc)
      how.recall = std::atof(argv[++i]);
    else if (std::strcmp(argv[i], "--no-peers") == 0)
      peers = false;
    else
      cases.emplace_back(argv[i]);
  if (cases.empty()) cases = {"uniform3", "clustered8", "mixture20", "mixture128", "epsilon3"};
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const std::string& name = cases[i];
    std::vector<float> x;
    std::int64_t n = 0, d = 0;
    Seconds peer;
    if (name == "epsilon3") {
      epsilon_case(threads, peers);
      continue;
    }
    if (name == "uniform3") {
      n = 1000000, d = 3, x = uniform(1000000, 3);
#ifdef GSSL_BENCH_NANOFLANN
      if (peers) peer = nanoflann_seconds<3>(x, threads);
#endif
    } else if (name == "clustered8") {
      n = 1000000, d = 8, x = mixture(1000000, 8, 100, 0.05);
#ifdef GSSL_BENCH_NANOFLANN
      if (peers) peer = nanoflann_seconds<8>(x, threads);
#endif
    } else if (name == "mixture20") {
      n = 100000, d = 20, x = mixture(100000, 20, 10, 0.1);
#ifdef GSSL_BENCH_NANOFLANN
      if (peers) peer = nanoflann_seconds<20>(x, threads);
#endif
    } else if (name == "mixture128") {
      n = 100000, d = 128, x = mixture(100000, 128, 10, 0.25);
    } else if (name == "mixture32") {
      n = 200000, d = 32, x = mixture(200000, 32, 10, 0.25);
    } else if (name == "mnist") {
      n = 70000, d = 784, x = low_rank(70000, 784);
    } else if (i + 2 < cases.size()) {
      n = std::atoll(cases[i + 1].c_str()), d = std::atoll(cases[i + 2].c_str());
      i += 2;
      x.resize(std::size_t(n * d));
      std::FILE* file = std::fopen(name.c_str(), "rb");
      if (file == nullptr || std::fread(x.data(), sizeof(float), x.size(), file) != x.size())
        return std::fprintf(stderr, "%s: cannot read %lld x %lld floats\n", name.c_str(),
                            static_cast<long long>(n), static_cast<long long>(d)),
               1;
      std::fclose(file);
    } else {
      return std::fprintf(stderr, "unknown case %s\n", name.c_str()), 1;
    }
    ours(name.c_str(), Points::dense(n, d, std::move(x)), threads, peer);
  }
}
