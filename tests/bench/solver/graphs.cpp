#include "graphs.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>
#include <thread>

#include "gssl/core/error.hpp"
#include "gssl/core/rng.hpp"
#include "gssl/graph/components.hpp"
#include "gssl/graph/generators.hpp"
#include "gssl/graph/graph_builder.hpp"
#include "gssl/graph/knn_graph.hpp"

namespace gssl::bench {
namespace {

constexpr int dimensions = 20;
constexpr int gaussians = 10;
constexpr int neighbors = 10;

// Row i: the nearest others of point i, nearest first.
struct NeighborLists {
  std::vector<std::int32_t> index;
  std::vector<double> squared;
};

using Points = Eigen::Matrix<double, Eigen::Dynamic, dimensions, Eigen::RowMajor>;
using Products = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

Graph largest_component(const Graph& graph) {
  const Components components = connected_components(graph);
  if (components.count <= 1) return graph;
  const auto largest =
      static_cast<VertexId>(std::ranges::max_element(components.sizes) - components.sizes.begin());
  std::vector<VertexId> number(components.of.size(), no_vertex);
  VertexId n = 0;
  for (std::size_t v = 0; v < number.size(); ++v)
    if (components.of[v] == largest) number[v] = n++;
  std::vector<Edge> edges;
  for (VertexId u = 0; u < graph.vertex_count(); ++u) {
    const VertexId from = number[static_cast<std::size_t>(u)];
    if (from == no_vertex) continue;
    graph.visit_row(u, [&](VertexId v, double w) {
      if (u < v) edges.push_back({from, number[static_cast<std::size_t>(v)], w});
    });
  }
  return graph_from_edges(n, edges);
}

// Unit gaussians whose centers are normal too, so that they overlap a little.
Points mixture(VertexId n, std::uint64_t seed) {
  Rng rng(seed, 1);
  Eigen::Matrix<double, gaussians, dimensions, Eigen::RowMajor> centers;
  for (double& value : centers.reshaped()) value = rng.normal();
  Points points(n, dimensions);
  for (Eigen::Index i = 0; i < n; ++i)
    for (Eigen::Index j = 0; j < dimensions; ++j)
      points(i, j) = centers(i % gaussians, j) + rng.normal();
  return points;
}

// Lists of points [begin, end): all products of a block of rows, then the smallest of each row.
void search(const Points& points, const Eigen::VectorXd& norms, Eigen::Index begin,
            Eigen::Index end, Products& products, NeighborLists& lists) {
  products.resize(end - begin, points.rows());
  products.noalias() = points.middleRows(begin, end - begin) * points.transpose();
  std::vector<std::pair<double, std::int32_t>> heap;
  for (Eigen::Index i = begin; i < end; ++i) {
    const double* product = products.row(i - begin).data();
    heap.assign(neighbors, {HUGE_VAL, 0});
    for (Eigen::Index j = 0; j < points.rows(); ++j) {
      const double key = norms[j] - 2.0 * product[j];
      if (key >= heap.front().first || j == i) continue;
      std::ranges::pop_heap(heap);
      heap.back() = {key, static_cast<std::int32_t>(j)};
      std::ranges::push_heap(heap);
    }
    std::ranges::sort_heap(heap);
    for (std::size_t k = 0; k < neighbors; ++k) {
      const std::size_t at = static_cast<std::size_t>(i) * neighbors + k;
      lists.index[at] = heap[k].second;
      lists.squared[at] = (points.row(i) - points.row(heap[k].second)).squaredNorm();
    }
  }
}

// O(n²): stands in for a search of the library. Plain threads, since the caller will fork.
NeighborLists nearest_neighbors(const Points& points, int threads) {
  constexpr Eigen::Index block = 64;
  const auto size = static_cast<std::size_t>(points.rows()) * neighbors;
  NeighborLists lists{std::vector<std::int32_t>(size), std::vector<double>(size)};
  const Eigen::VectorXd norms = points.rowwise().squaredNorm();
  std::vector<std::jthread> workers;
  for (int t = 0; t < threads; ++t)
    workers.emplace_back([&, t] {
      Products products;
      for (Eigen::Index b = t * block; b < points.rows(); b += threads * block)
        search(points, norms, b, std::min(points.rows(), b + block), products, lists);
    });
  workers.clear();
  return lists;
}

NeighborLists cached_neighbors(const GraphSizes& sizes) {
  const std::filesystem::path folder = sizes.cache.empty() ? std::filesystem::temp_directory_path()
                                                           : std::filesystem::path(sizes.cache);
  const std::filesystem::path file = folder / ("knn20_" + std::to_string(sizes.knn_points) + "_" +
                                               std::to_string(sizes.seed) + ".bin");
  const auto size = static_cast<std::size_t>(sizes.knn_points) * neighbors;
  NeighborLists lists{std::vector<std::int32_t>(size), std::vector<double>(size)};
  const auto transfer = [&](auto& stream, auto move) {
    (stream.*move)(reinterpret_cast<char*>(lists.index.data()),
                   static_cast<std::streamsize>(size * sizeof(std::int32_t)));
    (stream.*move)(reinterpret_cast<char*>(lists.squared.data()),
                   static_cast<std::streamsize>(size * sizeof(double)));
  };
  if (std::ifstream in(file, std::ios::binary); in) {
    transfer(in, &std::ifstream::read);
    if (in) return lists;
  }
  lists = nearest_neighbors(mixture(sizes.knn_points, sizes.seed), sizes.threads);
  std::filesystem::create_directories(folder);
  const std::filesystem::path unfinished = file.string() + ".part";
  std::ofstream out(unfinished, std::ios::binary);
  transfer(out, &std::ofstream::write);
  out.close();
  if (!out) throw Error(ErrorCode::io_failure, file.string() + ": cannot be written");
  std::filesystem::rename(unfinished, file);
  return lists;
}

Graph neighbor_graph(const NeighborLists& lists, const std::function<double(double)>& weight) {
  std::vector<Edge> edges;
  for (std::size_t e = 0; e < lists.index.size(); ++e)
    edges.push_back(
        {static_cast<VertexId>(e / neighbors), lists.index[e], weight(lists.squared[e])});
  const auto n = static_cast<VertexId>(lists.index.size() / neighbors);
  return graph_from_edges(n, edges, {.duplicates = DuplicatePolicy::max});
}

Graph knn20(const GraphSizes& sizes) {
  const NeighborLists lists = cached_neighbors(sizes);
  double sum = 0.0;
  for (std::size_t e = neighbors - 1; e < lists.squared.size(); e += neighbors)
    sum += lists.squared[e];
  const double mean = sum * neighbors / static_cast<double>(lists.squared.size());
  return neighbor_graph(lists, [mean](double squared) { return std::exp(-squared / mean); });
}

Graph knn20_high_contrast(const GraphSizes& sizes) {
  const NeighborLists lists = cached_neighbors(sizes);
  std::vector<double> sorted = lists.squared;
  std::ranges::sort(sorted);
  const auto quantile = [&](double q) {
    return sorted[static_cast<std::size_t>(q * static_cast<double>(sorted.size() - 1))];
  };
  const double low = quantile(0.001);
  const double rate = std::log(1e8) / (quantile(0.999) - low);
  return neighbor_graph(lists, [=](double squared) { return std::exp(-rate * (squared - low)); });
}

// One thread, since the caller will fork.
Graph knn3(const GraphSizes& sizes) {
  Rng rng(sizes.seed, 1);
  std::vector<double> values(3 * static_cast<std::size_t>(sizes.knn_points));
  for (double& value : values) value = rng.uniform();
  RunContext run;
  run.threads = 1;
  return knn_graph(gssl::Points::dense(sizes.knn_points, 3, std::move(values)), neighbors, {}, run)
      .graph;
}

}  // namespace

const std::vector<std::string>& graph_names() {
  static const std::vector<std::string> names{"grid2d",  "grid3d",  "rmat19",  "knn20",
                                              "knn20hc", "grid2dw", "roadlike"};
  return names;
}

Graph make_graph(const std::string& name, const GraphSizes& sizes) {
  Rng rng(sizes.seed, 2);
  if (name == "grid2d") return grid_graph(sizes.grid_side, sizes.grid_side);
  if (name == "grid3d") return grid_graph(sizes.grid3d_side, sizes.grid3d_side, sizes.grid3d_side);
  if (name == "rmat19") return largest_component(rmat_graph(sizes.rmat_scale, 17, rng));
  if (name == "knn20") return largest_component(knn20(sizes));
  if (name == "knn3") return largest_component(knn3(sizes));
  if (name == "knn20hc") return largest_component(knn20_high_contrast(sizes));
  if (name == "grid2dw")
    return with_log_uniform_weights(grid_graph(sizes.grid_side, sizes.grid_side), 1e-4, 1e4, rng);
  if (name == "roadlike")
    return largest_component(road_graph(sizes.road_side, sizes.road_side, rng));
  throw Error(ErrorCode::usage, "graph '" + name + "': not known");
}

}  // namespace gssl::bench
