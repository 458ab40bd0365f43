#include "peers.hpp"

#include <cstdio>
#include <cstdlib>
#include <string>

#ifdef GSSL_BENCH_NANOFLANN
#include <nanoflann.hpp>
#endif
#ifdef GSSL_BENCH_FAISS
#include <faiss/IndexFlat.h>
#include <omp.h>
#endif
#ifdef GSSL_BENCH_HNSWLIB
#include <hnswlib/hnswlib.h>
#endif

using gssl::bench::Stopwatch;

namespace {

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
Seconds flann_lists(const std::vector<float>& x, int k, int threads) {
  const Cloud cloud{x, d};
  const Stopwatch watch;
  FlannTree<d> tree(d, cloud, nanoflann::KDTreeSingleIndexAdaptorParams(10));
  const auto n = static_cast<std::int64_t>(cloud.kdtree_get_point_count());
  const auto width = static_cast<std::size_t>(k) + 1;
  std::vector<std::uint32_t> ids(std::size_t(n) * width);
  std::vector<float> distances(ids.size());
#pragma omp parallel for schedule(dynamic, 1024) num_threads(threads)
  for (std::int64_t q = 0; q < n; ++q) {
    const std::size_t i = tree.vAcc[std::size_t(q)];
    nanoflann::KNNResultSet<float, std::uint32_t> result(static_cast<std::uint32_t>(width));
    result.init(&ids[i * width], &distances[i * width]);
    tree.findNeighbors(result, &x[i * d], nanoflann::SearchParams());
  }
  return watch.elapsed();
}
#endif

}  // namespace

#ifdef GSSL_BENCH_NANOFLANN
std::optional<Seconds> nanoflann_lists(const std::vector<float>& x, int d, int k, int threads) {
  if (d == 3) return flann_lists<3>(x, k, threads);
  if (d == 8) return flann_lists<8>(x, k, threads);
  if (d == 20) return flann_lists<20>(x, k, threads);
  return std::nullopt;
}

std::optional<Seconds> nanoflann_ball(const std::vector<float>& x, int d, double epsilon,
                                      int threads) {
  if (d != 3) return std::nullopt;
  const auto n = static_cast<std::int64_t>(x.size()) / 3;
  const Cloud cloud{x, 3};
  const Stopwatch watch;
  FlannTree<3> tree(3, cloud, nanoflann::KDTreeSingleIndexAdaptorParams(10));
  std::vector<std::int64_t> offsets(std::size_t(n) + 1, 0);
  std::vector<std::vector<std::pair<std::uint32_t, float>>> rows(static_cast<std::size_t>(n));
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
  return watch.elapsed();
}
#else
std::optional<Seconds> nanoflann_lists(const std::vector<float>&, int, int, int) { return {}; }
std::optional<Seconds> nanoflann_ball(const std::vector<float>&, int, double, int) { return {}; }
#endif

#ifdef GSSL_BENCH_FAISS
// A tenth of the queries, times ten: the flat index takes equally long for each.
std::optional<Seconds> faiss_lists(const std::vector<float>& x, int d, int k, int threads) {
  omp_set_num_threads(threads);
  const auto n = static_cast<std::int64_t>(x.size()) / d, queries = n / 10;
  faiss::IndexFlatL2 index(d);
  index.add(n, x.data());
  std::vector<float> distances(std::size_t(queries * (k + 1)));
  std::vector<faiss::Index::idx_t> ids(distances.size());
  const Stopwatch watch;
  index.search(queries, x.data(), k + 1, distances.data(), ids.data());
  const Seconds time = watch.elapsed();
  return Seconds{10.0 * time.wall, 10.0 * time.cpu};
}
#else
std::optional<Seconds> faiss_lists(const std::vector<float>&, int, int, int) { return {}; }
#endif

#ifdef GSSL_BENCH_HNSWLIB
std::optional<Seconds> hnswlib_lists(
    const std::vector<float>& x, int d, int k, int threads,
    const std::function<bool(const std::vector<std::uint32_t>&, int)>& enough) {
  const auto n = static_cast<std::int64_t>(x.size()) / d;
  const Stopwatch building;
  hnswlib::L2Space space(static_cast<std::size_t>(d));
  hnswlib::HierarchicalNSW<float> index(&space, static_cast<std::size_t>(n), 16, 100);
  index.addPoint(x.data(), 0);
#pragma omp parallel for schedule(dynamic, 256) num_threads(threads)
  for (std::int64_t i = 1; i < n; ++i) index.addPoint(&x[std::size_t(i * d)], std::size_t(i));
  Seconds time = building.elapsed();
  for (int ef = 20;; ef *= 2) {
    std::vector<std::uint32_t> found(std::size_t(n * k), UINT32_MAX);
    const Stopwatch searching;
    index.setEf(static_cast<std::size_t>(ef));
#pragma omp parallel for schedule(dynamic, 256) num_threads(threads)
    for (std::int64_t i = 0; i < n; ++i) {
      auto nearest = index.searchKnn(&x[std::size_t(i * d)], static_cast<std::size_t>(k) + 1);
      std::size_t at = std::size_t(i * k);
      for (; !nearest.empty(); nearest.pop())
        if (const auto j = nearest.top().second;
            std::int64_t(j) != i && at < std::size_t((i + 1) * k))
          found[at++] = static_cast<std::uint32_t>(j);
    }
    const Seconds search = searching.elapsed();
    if (!enough(found, ef) && ef < 640) continue;
    time.wall += search.wall;
    time.cpu += search.cpu;
    return time;
  }
}
#else
std::optional<Seconds> hnswlib_lists(
    const std::vector<float>&, int, int, int,
    const std::function<bool(const std::vector<std::uint32_t>&, int)>&) {
  return {};
}
#endif

std::optional<Seconds> scikit_lists(const std::vector<float>& x, int d, int k, int threads) {
  char path[] = "/tmp/bench_knn_XXXXXX";
  const int file = mkstemp(path);
  if (file < 0) return std::nullopt;
  std::FILE* out = fdopen(file, "wb");
  const bool written = std::fwrite(x.data(), sizeof(float), x.size(), out) == x.size();
  std::fclose(out);
  std::optional<Seconds> time;
  for (const std::string python : {"python3", "/usr/bin/python3"}) {
    if (!written || time) break;
    const std::string command = python + " " GSSL_BENCH_SCIKIT " " + path + " " +
                                std::to_string(d) + " " + std::to_string(k) + " " +
                                std::to_string(threads) + " 2>/dev/null";
    std::FILE* answer = popen(command.c_str(), "r");
    if (answer == nullptr) continue;
    Seconds seconds;
    if (std::fscanf(answer, "%lf %lf", &seconds.wall, &seconds.cpu) == 2) time = seconds;
    pclose(answer);
  }
  std::remove(path);
  return time;
}
