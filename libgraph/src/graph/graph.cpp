#include "gssl/graph/graph.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "gssl/core/error.hpp"
#include "gssl/core/number_text.hpp"

namespace gssl {

namespace {

[[noreturn]] void refuse(VertexId row, const std::string& what) {
  throw Error(ErrorCode::bad_data, "graph: row " + std::to_string(row) + ": " + what);
}

struct Rows {
  std::vector<EdgeIndex> offsets;
  std::vector<VertexId> neighbors;
};

// Weights that are all 1 are not kept.
bool all_one(std::span<const double> weights) {
  return std::ranges::all_of(weights, [](double w) { return w == 1.0; });
}

void check_offsets(std::span<const EdgeIndex> offsets, std::size_t entries) {
  const auto refuse_offsets = [](const std::string& what) {
    throw Error(ErrorCode::bad_data, "graph: offsets: " + what);
  };
  if (offsets.empty()) refuse_offsets("empty; a graph of n vertices has n + 1 of them");
  if (offsets.size() - 1 > static_cast<std::size_t>(std::numeric_limits<VertexId>::max()))
    refuse_offsets(std::to_string(offsets.size() - 1) + " vertices; at most 2^31 - 1 are possible");
  if (offsets.front() != 0)
    refuse_offsets("start with " + std::to_string(offsets.front()) + "; must start with 0");
  for (std::size_t v = 0; v + 1 < offsets.size(); ++v)
    if (offsets[v] > offsets[v + 1])
      refuse(static_cast<VertexId>(v), "ends before it starts; offsets must not decrease");
  if (offsets.back() != static_cast<EdgeIndex>(entries))
    refuse_offsets("end with " + std::to_string(offsets.back()) + " but there are " +
                   std::to_string(entries) + " neighbors; the two must be equal");
}

void check_sizes(std::span<const EdgeIndex> offsets, std::span<const VertexId> neighbors,
                 std::span<const double> weights) {
  check_offsets(offsets, neighbors.size());
  if (!weights.empty() && weights.size() != neighbors.size())
    throw Error(ErrorCode::bad_data, "graph: " + std::to_string(weights.size()) + " weights for " +
                                         std::to_string(neighbors.size()) +
                                         " neighbors; give one each, or none for unit weights");
}

}  // namespace

Graph::Graph(Trusted, std::vector<EdgeIndex> offsets, std::vector<VertexId> neighbors,
             std::vector<double> weights) {
  auto rows = std::make_shared<Rows>(Rows{std::move(offsets), std::move(neighbors)});
  offsets_ = rows->offsets;
  neighbors_ = rows->neighbors;
  owner_ = std::move(rows);
  set_weights(std::move(weights));
}

Graph::Graph(Trusted, std::shared_ptr<const void> owner, std::span<const EdgeIndex> offsets,
             std::span<const VertexId> neighbors, std::span<const double> weights)
    : offsets_(offsets),
      neighbors_(neighbors),
      weights_(weights),
      owner_(std::move(owner)),
      weights_owner_(owner_) {}

void Graph::set_weights(std::vector<double> weights) {
  const auto kept = std::make_shared<const std::vector<double>>(std::move(weights));
  weights_ = *kept;
  weights_owner_ = kept;
}

Graph Graph::with_weights(std::vector<double> weights) const {
  check_sizes(offsets_, neighbors_, weights);
  Graph other(*this);
  other.set_weights(all_one(weights) ? std::vector<double>() : std::move(weights));
  other.check();
  return other;
}

bool operator==(const Graph& a, const Graph& b) {
  return std::ranges::equal(a.offsets_, b.offsets_) &&
         std::ranges::equal(a.neighbors_, b.neighbors_) &&
         std::ranges::equal(a.weights_, b.weights_);
}

Graph::Graph(std::vector<EdgeIndex> offsets, std::vector<VertexId> neighbors,
             std::vector<double> weights) {
  check_sizes(offsets, neighbors, weights);
  if (all_one(weights))
    weights = std::vector<double>();  // an empty list assigned would leave it its memory
  *this = Graph(Trusted{}, std::move(offsets), std::move(neighbors), std::move(weights));
  check();
}

Graph::Graph(std::shared_ptr<const void> owner, std::span<const EdgeIndex> offsets,
             std::span<const VertexId> neighbors, std::span<const double> weights) {
  check_sizes(offsets, neighbors, weights);
  if (all_one(weights)) weights = {};
  *this = Graph(Trusted{}, std::move(owner), offsets, neighbors, weights);
  check();
}

void Graph::check() const {
  const VertexId n = vertex_count();
  for (VertexId u = 0; u < n; ++u) {
    VertexId previous = no_vertex;
    visit_row(u, [&](VertexId v, double weight) {
      const auto name = [v] { return std::to_string(v); };
      if (v < 0 || v >= n)
        refuse(u, "neighbor " + name() + " is not in [0, " + std::to_string(n) + ")");
      if (v == u) refuse(u, "self-loop; drop it");
      if (v == previous) refuse(u, "neighbor " + name() + " is there twice; merge the two");
      if (v < previous) refuse(u, "neighbor " + name() + " is out of order; sort the row");
      if (!(weight > 0.0) || !std::isfinite(weight))
        refuse(u, "weight " + to_text(weight) + " to " + name() + ": must be finite and > 0");
      previous = v;
    });
  }

  // Walking u upward meets the entries of each row v in order, so one cursor per row finds every
  // mirror entry without a search.
  std::vector<EdgeIndex> cursor(offsets_.begin(), offsets_.end() - 1);
  for (VertexId u = 0; u < n; ++u) {
    visit_row(u, [&](VertexId v, double weight) {
      EdgeIndex& mirror = cursor[static_cast<std::size_t>(v)];
      if (mirror == row_end(v) || neighbor_at(mirror) > u)
        refuse(u, "has neighbor " + std::to_string(v) + ", which does not have it back");
      if (neighbor_at(mirror) < u)
        refuse(v, "has neighbor " + std::to_string(neighbor_at(mirror)) +
                      ", which does not have it back");
      if (weight_at(mirror) != weight)
        refuse(u, "weight " + to_text(weight) + " to " + std::to_string(v) + " but " +
                      to_text(weight_at(mirror)) + " back; the two must be equal");
      ++mirror;
    });
  }
  for (VertexId v = 0; v < n; ++v) {
    const EdgeIndex mirror = cursor[static_cast<std::size_t>(v)];
    if (mirror != row_end(v))
      refuse(v, "has neighbor " + std::to_string(neighbor_at(mirror)) +
                    ", which does not have it back");
  }
}

double Graph::weighted_degree(VertexId v) const {
  if (weights_.empty()) return static_cast<double>(degree(v));
  // In parts: the rounding of one sum grows with its length, and some rows have 10⁵ entries.
  constexpr EdgeIndex part = 256;
  double sum = 0.0;
  for (EdgeIndex begin = row_begin(v); begin < row_end(v); begin += part) {
    const EdgeIndex end = std::min(begin + part, row_end(v));
    double own = 0.0;
    for (EdgeIndex e = begin; e < end; ++e) own += weight_at(e);
    sum += own;
  }
  return sum;
}

double Graph::weight(VertexId u, VertexId v) const {
  const auto row = neighbors(u);
  const auto found = std::lower_bound(row.begin(), row.end(), v);
  if (found == row.end() || *found != v) return 0.0;
  return weight_at(row_begin(u) + (found - row.begin()));
}

std::size_t Graph::memory_bytes() const {
  return offsets_.size_bytes() + neighbors_.size_bytes() + weights_.size_bytes();
}

}  // namespace gssl
