#include "distributed_partition.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "gssl/core/dense.hpp"
#include "gssl/core/index.hpp"
#include "together.hpp"

namespace gssl::mpi {
namespace {

// Where the row of largest norm is; of equal ones the first.
struct Place {
  int rank = 0;
  std::int64_t row = 0;  // on that rank
};

Place largest_row(const Block& rows, const Communicator& ranks) {
  double best = -1.0;
  Place place;
  for (std::int64_t v = 0; v < rows.rows(); ++v) {
    double norm = 0.0;
    for (const double value : rows.row(v)) norm += value * value;
    if (norm > best) {
      best = norm;
      place.row = v;
    }
  }
  const double all = ranks.max(best);
  const bool has = best >= 0.0 && best == all;
  place.rank = static_cast<int>(ranks.min(std::int64_t{has ? ranks.rank() : ranks.size()}));
  return place;
}

std::vector<double> row_at(const Place& place, const Block& rows, const Communicator& ranks) {
  std::vector<double> row;
  if (ranks.rank() == place.rank)
    row.assign(rows.row(place.row).begin(), rows.row(place.row).end());
  ranks.broadcast(row, place.rank);
  return row;
}

double dot(std::span<const double> a, std::span<const double> b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

// Column i is the row that a QR factorization of the transpose with column pivoting takes i-th.
Block pivot_rows(const Block& rows, const Communicator& ranks) {
  const std::int64_t k = rows.columns();
  Block rest = rows, picked(k, k);
  for (std::int64_t i = 0; i < k; ++i) {
    const Place place = largest_row(rest, ranks);
    const std::vector<double> whole = row_at(place, rows, ranks);
    for (std::int64_t j = 0; j < k; ++j) picked(j, i) = whole[index(j)];
    const std::vector<double> axis = row_at(place, rest, ranks);
    const double square = dot(axis, axis);
    for (std::int64_t v = 0; v < rest.rows() && square > 0.0; ++v) {
      const double share = dot(rest.row(v), axis) / square;
      for (std::int64_t j = 0; j < k; ++j) rest(v, j) -= share * axis[index(j)];
    }
  }
  return picked;
}

std::vector<int> divide_rows(const Block& rows, const Communicator& ranks) {
  const Block rotation = nearest_rotation(pivot_rows(rows, ranks));
  std::vector<int> cluster_of(index(rows.rows()));
  for (std::int64_t v = 0; v < rows.rows(); ++v) {
    double largest = -1.0;
    for (std::int64_t i = 0; i < rows.columns(); ++i) {
      double sum = 0.0;
      for (std::int64_t j = 0; j < rows.columns(); ++j) sum += rows(v, j) * rotation(j, i);
      if (std::abs(sum) <= largest) continue;
      largest = std::abs(sum);
      cluster_of[index(v)] = static_cast<int>(i);
    }
  }
  return cluster_of;
}

// Whole components into k clusters.
std::vector<int> pack_components(const DistributedInput& input, int k, const Communicator& ranks) {
  struct Part {
    std::int64_t root, size;
  };
  std::vector<std::int64_t> sorted = input.components.root_of;
  std::ranges::sort(sorted);
  std::vector<Part> parts;
  for (const std::int64_t root : sorted) {
    if (parts.empty() || parts.back().root != root) parts.push_back({root, 0});
    ++parts.back().size;
  }
  parts = ranks.gather_all(parts);
  std::ranges::sort(parts, {}, &Part::root);
  std::vector<Part> whole;
  for (const Part& part : parts) {
    if (whole.empty() || whole.back().root != part.root) whole.push_back({part.root, 0});
    whole.back().size += part.size;
  }
  std::vector<std::size_t> order(whole.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::greater<>(), [&](std::size_t i) { return whole[i].size; });
  std::vector<std::int64_t> load(index(k), 0);
  std::vector<int> cluster_of_part(whole.size());
  for (const std::size_t i : order) {
    const auto lightest = std::ranges::min_element(load);
    *lightest += whole[i].size;
    cluster_of_part[i] = static_cast<int>(lightest - load.begin());
  }
  std::vector<int> cluster_of;
  for (const std::int64_t root : input.components.root_of) {
    const auto found = std::ranges::lower_bound(whole, root, {}, &Part::root);
    cluster_of.push_back(cluster_of_part[static_cast<std::size_t>(found - whole.begin())]);
  }
  return cluster_of;
}

// Numbers clusters by their first vertices; returns how many have one.
int renumber(std::vector<int>& cluster_of, int k, const DistributedGraph& graph,
             const Communicator& ranks) {
  std::vector<std::int64_t> first(index(k), graph.vertices());
  for (std::size_t v = cluster_of.size(); v-- > 0;)
    first[index(cluster_of[v])] = graph.begin + std::int64_t(v);
  ranks.min(std::span<std::int64_t>(first));
  std::vector<int> order(index(k)), number(index(k));
  std::iota(order.begin(), order.end(), 0);
  std::ranges::sort(order, {}, [&](int c) { return first[index(c)]; });
  for (int i = 0; i < k; ++i) number[index(order[index(i)])] = i;
  for (int& cluster : cluster_of) cluster = number[index(cluster)];
  return static_cast<int>(
      std::ranges::count_if(first, [&](std::int64_t v) { return v < graph.vertices(); }));
}

}  // namespace

DistributedPartition spectral_clusters(const DistributedInput& input, int k, double tolerance,
                                       Preconditioning kind, const RunContext& run,
                                       const Communicator& ranks) {
  DistributedPartition found;
  if (k > input.graph.vertices())
    refuse(ErrorCode::usage,
           fmt::format("-k {}: must be at most the {} vertices", k, input.graph.vertices()));
  if (k <= input.components.count) {
    found.cluster_of = pack_components(input, k, ranks);
    found.report.requested = "inversion";
    found.report.used = "none";
    found.report.sentence =
        fmt::format("{} components are packed whole into {} clusters", input.components.count, k);
  } else {
    const DistributedSpectrum spectrum = smallest_eigenpairs(
        input, {.count = k, .kind = LaplacianKind::random_walk, .tolerance = tolerance}, kind, run,
        ranks);
    take_solve(found.report, spectrum.solver);
    found.report.outcome = spectrum.pairs.outcome;
    found.report.sentence = spectrum.pairs.sentence;
    found.report.certificates.push_back({"eigenvalues", spectrum.pairs.values});
    found.report.certificates.push_back({"residuals", spectrum.pairs.residuals});
    if (spectrum.vectors.columns() < k)
      refuse(ErrorCode::time_limit, "cluster: the work ended before there were " +
                                        std::to_string(k) + " eigenvectors; give it more time");
    found.cluster_of = divide_rows(spectrum.vectors, ranks);
  }
  found.count = renumber(found.cluster_of, k, input.graph, ranks);
  return found;
}

namespace {

// gssl/cluster/cut_objectives.hpp, from each cluster's vertices, volume and weight of arcs that leave.
CutObjectives objectives_of(const std::vector<double>& size, const std::vector<double>& volume,
                            const std::vector<double>& leaving) {
  const double total = std::accumulate(volume.begin(), volume.end(), 0.0);
  CutObjectives found;
  for (std::size_t i = 0; i < size.size(); ++i) {
    found.cut += leaving[i] / 2.0;
    if (size[i] > 0.0) found.ratio_cut += leaving[i] / size[i];
    if (volume[i] == 0.0) continue;
    found.ncut += leaving[i] / volume[i];
    found.modularity += (volume[i] - leaving[i]) / total - volume[i] / total * (volume[i] / total);
    const double smaller = std::min(volume[i], total - volume[i]);
    if (smaller > 0.0) found.conductance = std::max(found.conductance, leaving[i] / smaller);
  }
  return found;
}

}  // namespace

CutObjectives cut_objectives(const DistributedGraph& graph, const std::vector<int>& cluster_of,
                             int count, const Communicator& ranks) {
  const std::vector<int> ghost_cluster = graph.fetch(cluster_of, ranks);
  std::vector<double> size(index(count), 0.0), volume = size, leaving = size;
  for (VertexId v = 0; v < graph.rows(); ++v) {
    const std::size_t own = index(cluster_of[index(v)]);
    size[own] += 1.0;
    for (EdgeIndex e = graph.offsets[index(v)]; e < graph.offsets[index(v) + 1]; ++e) {
      const VertexId u = graph.neighbors[index(e)];
      const int other =
          u < graph.rows() ? cluster_of[index(u)] : ghost_cluster[index(u - graph.rows())];
      volume[own] += graph.weight(e);
      if (index(other) != own) leaving[own] += graph.weight(e);
    }
  }
  for (std::vector<double>* sums : {&size, &volume, &leaving}) ranks.sum(std::span<double>(*sums));
  return objectives_of(size, volume, leaving);
}

}  // namespace gssl::mpi
