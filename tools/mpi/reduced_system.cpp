#include "reduced_system.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <span>
#include <utility>

#include "row_sums.hpp"
#include "together.hpp"

namespace gssl::mpi {
namespace {

constexpr int rounds = 2;  // a third finds a hundredth more
// A diagonal entry that loses so many digits, to a neighbor that is tied to nothing else, is rounding:
// the one before is as good to divide by, and positive.
constexpr double cancelled = 1e-13;
constexpr std::uint64_t no_key = std::numeric_limits<std::uint64_t>::max();

// Arcs of a graph with other numbers for the neighbors.
struct ArcsView {
  const std::vector<EdgeIndex>& offsets;
  const std::vector<VertexId>& neighbors;
  const ArcWeights& weights;
};

// Arcs first, then a hash: equal keys are as good as smaller neighbors.
std::uint64_t key_of(const DistributedGraph& graph, VertexId v) {
  const auto at = static_cast<std::size_t>(v);
  const std::int64_t arcs = graph.offsets[at + 1] - graph.offsets[at];
  constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
  const std::uint64_t hash = static_cast<std::uint64_t>(graph.begin + v) * 0x9e3779b97f4a7c15ULL;
  return static_cast<std::uint64_t>(std::min(arcs, most)) << 32 | hash >> 32;
}

// Which own vertices are eliminated.
std::vector<char> independent_rows(const DistributedSystem& system, const Communicator& ranks) {
  const DistributedGraph& graph = system.graph();
  std::vector<std::uint64_t> key(static_cast<std::size_t>(graph.rows()), no_key);
  for (const VertexId v : system.rows()) key[static_cast<std::size_t>(v)] = key_of(graph, v);
  std::vector<char> found(key.size(), 0), chosen(key.size(), 0);
  const auto all_neighbors = [&](VertexId v, auto&& good) {
    const auto* const arcs = graph.neighbors.data();
    return std::all_of(arcs + graph.offsets[static_cast<std::size_t>(v)],
                       arcs + graph.offsets[static_cast<std::size_t>(v) + 1], good);
  };
  const auto value_of = [&](VertexId u, const auto& own, const auto& ghosts) {
    return u < graph.rows() ? own[static_cast<std::size_t>(u)]
                            : ghosts[static_cast<std::size_t>(u - graph.rows())];
  };
  for (int round = 0; round < rounds; ++round) {
    const std::vector<std::uint64_t> ghost_key = graph.fetch(key, ranks);
    std::ranges::fill(chosen, 0);
    for (const VertexId v : system.rows()) {
      const std::uint64_t own = key[static_cast<std::size_t>(v)];
      if (own == no_key) continue;
      const bool least =
          all_neighbors(v, [&](VertexId u) { return own < value_of(u, key, ghost_key); });
      chosen[static_cast<std::size_t>(v)] = least ? 1 : 0;
    }
    const std::vector<char> ghost_chosen = graph.fetch(chosen, ranks);
    for (const VertexId v : system.rows()) {
      const auto at = static_cast<std::size_t>(v);
      if (key[at] == no_key) continue;
      const bool alone =
          all_neighbors(v, [&](VertexId u) { return value_of(u, chosen, ghost_chosen) == 0; });
      if (chosen[at] != 0 || !alone) key[at] = no_key;
      if (chosen[at] != 0) found[at] = 1;
    }
  }
  return found;
}

std::vector<char> kept_rows(const DistributedSystem& system, const std::vector<char>& eliminated) {
  std::vector<char> kept(eliminated.size(), 0);
  for (const VertexId v : system.rows())
    kept[static_cast<std::size_t>(v)] = eliminated[static_cast<std::size_t>(v)] == 0 ? 1 : 0;
  return kept;
}

}  // namespace

ReducedSystem::ReducedSystem(const DistributedSystem& system, const Communicator& ranks)
    : ReducedSystem(system, independent_rows(system, ranks), ranks) {}

ReducedSystem::ReducedSystem(const DistributedSystem& system, const std::vector<char>& eliminated,
                             const Communicator& ranks)
    : system_(system),
      kept_update_(system.graph(), kept_rows(system, eliminated), ranks),
      eliminated_update_(system.graph(), eliminated, ranks) {
  together(ranks, [&] {
    for (std::size_t i = 0; i < system.rows().size(); ++i) {
      const VertexId v = system.rows()[i];
      if (eliminated[static_cast<std::size_t>(v)] != 0) {
        eliminated_.push_back(i);
      } else {
        kept_.push_back(i);
        kept_vertices_.push_back(v);
      }
    }
    copy_eliminated_arcs();
    place_values();
  });
  size_ = ranks.sum(static_cast<std::int64_t>(kept_.size()));
  find_diagonal();
}

void ReducedSystem::copy_eliminated_arcs() {
  const DistributedGraph& graph = system_.graph();
  const auto arcs_of = [&](std::size_t row) {
    const auto v = static_cast<std::size_t>(system_.rows()[row]);
    return static_cast<std::size_t>(graph.offsets[v + 1] - graph.offsets[v]);
  };
  std::vector<std::size_t> next;  // place of a row, by its arcs
  for (const std::size_t row : eliminated_) {
    next.resize(std::max(next.size(), arcs_of(row) + 2), 0);
    ++next[arcs_of(row) + 1];
  }
  Arcs& copy = eliminated_arcs_;
  copy.offsets.reserve(eliminated_.size() + 1);
  for (std::size_t arcs = 0; arcs + 1 < next.size(); ++arcs) {
    for (std::size_t i = 0; i < next[arcs + 1]; ++i)
      copy.offsets.push_back(copy.offsets.back() + static_cast<EdgeIndex>(arcs));
    next[arcs + 1] += next[arcs];
  }
  const auto arcs = static_cast<std::size_t>(copy.offsets.back());
  copy.neighbors.resize(arcs);
  std::vector<std::size_t> sorted(eliminated_.size());
  for (const std::size_t row : eliminated_) {
    const std::size_t place = next[arcs_of(row)]++;
    sorted[place] = row;
    auto to = static_cast<std::size_t>(copy.offsets[place]);
    EdgeIndex e = graph.offsets[static_cast<std::size_t>(system_.rows()[row])];
    for (; std::cmp_less(to, copy.offsets[place + 1]); ++to, ++e) {
      copy.neighbors[to] = graph.neighbors[static_cast<std::size_t>(e)];
      copy.weights.put(to, graph.weight(e), arcs);
    }
  }
  eliminated_ = std::move(sorted);
}

// The place in values_ of each own vertex and ghost.
std::vector<VertexId> ReducedSystem::places() {
  const DistributedGraph& graph = system_.graph();
  const std::span<const VertexId> kept_ghosts = kept_update_.ghosts();
  const std::span<const VertexId> eliminated_ghosts = eliminated_update_.ghosts();
  first_eliminated_ = kept_.size() + kept_ghosts.size();
  const std::size_t of_none = first_eliminated_ + eliminated_.size() + eliminated_ghosts.size();
  values_.assign(of_none + 1, 0.0);
  std::vector<VertexId> place(static_cast<std::size_t>(graph.rows()) + graph.ghosts.size(),
                              static_cast<VertexId>(of_none));
  VertexId next = 0;
  for (const VertexId v : kept_vertices_) place[static_cast<std::size_t>(v)] = next++;
  for (const VertexId v : kept_ghosts) place[static_cast<std::size_t>(v)] = next++;
  for (const std::size_t row : eliminated_)
    place[static_cast<std::size_t>(system_.rows()[row])] = next++;
  for (const VertexId v : eliminated_ghosts) place[static_cast<std::size_t>(v)] = next++;
  return place;
}

void ReducedSystem::place_values() {
  const DistributedGraph& graph = system_.graph();
  const std::vector<VertexId> place = places();
  for (VertexId& v : eliminated_arcs_.neighbors) v = place[static_cast<std::size_t>(v)];
  neighbors_.resize(graph.neighbors.size());
  for (const VertexId v : kept_vertices_) {
    const auto begin = graph.offsets[static_cast<std::size_t>(v)];
    const auto end = graph.offsets[static_cast<std::size_t>(v) + 1];
    for (auto e = static_cast<std::size_t>(begin); std::cmp_less(e, end); ++e)
      neighbors_[e] = place[static_cast<std::size_t>(graph.neighbors[e])];
  }
  kept_update_.move(place);
  eliminated_update_.move(place);
}

// What elimination leaves of the diagonal.
void ReducedSystem::find_diagonal() {
  const DistributedGraph& graph = system_.graph();
  eliminated_diagonal_.reserve(eliminated_.size());
  for (const std::size_t row : eliminated_) eliminated_diagonal_.push_back(system_.diagonal()[row]);
  std::ranges::transform(eliminated_diagonal_, eliminated_values(),
                         [](double d) { return 1.0 / d; });
  eliminated_update_.run(values_);
  diagonal_.reserve(kept_.size());
  for (std::size_t i = 0; i < kept_.size(); ++i) {
    const auto v = static_cast<std::size_t>(kept_vertices_[i]);
    double taken = 0.0;
    for (EdgeIndex e = graph.offsets[v]; e < graph.offsets[v + 1]; ++e) {
      const double weight = graph.weight(e);
      const VertexId place = neighbors_[static_cast<std::size_t>(e)];
      taken += weight * (weight * values_[static_cast<std::size_t>(place)]);
    }
    const double whole = system_.diagonal()[kept_[i]], rest = whole - taken;
    diagonal_.push_back(rest > cancelled * whole ? rest : whole);
  }
}

// Kept values, on all ranks.
void ReducedSystem::load(const double* x) {
  std::copy_n(x, kept_.size(), values_.begin());
  kept_update_.run(values_);
}

// D_F⁻¹(b_F − A_FC x) from the kept values that are loaded, on all ranks; b = 0 where there is none.
void ReducedSystem::sum_eliminated(const std::vector<double>* b) {
  double* const found = eliminated_values();
  sum_rows(eliminated_arcs_, eliminated_.size(), std::identity(), values_,
           [&](std::size_t i, double sum) {
             const double given = b != nullptr ? (*b)[eliminated_[i]] : 0.0;
             found[i] = (given + sum) / eliminated_diagonal_[i];
           });
  eliminated_update_.run(values_);
}

template <class Take>
void ReducedSystem::sum_kept(Take&& take) const {
  const DistributedGraph& graph = system_.graph();
  sum_rows(
      ArcsView{graph.offsets, neighbors_, graph.weights}, kept_.size(),
      [&](std::size_t i) { return kept_vertices_[i]; }, values_, take);
}

void ReducedSystem::multiply(const double* x, double* y) {
  load(x);
  sum_eliminated(nullptr);
  sum_kept([&](std::size_t i, double sum) { y[i] = system_.diagonal()[kept_[i]] * x[i] - sum; });
}

void ReducedSystem::reduce(const std::vector<double>& b, double* rest) {
  std::ranges::fill(values_, 0.0);
  sum_eliminated(&b);
  sum_kept([&](std::size_t i, double sum) { rest[i] = b[kept_[i]] + sum; });
}

void ReducedSystem::extend(const std::vector<double>& b, const double* x,
                           std::vector<double>& whole) {
  load(x);
  sum_eliminated(&b);
  for (std::size_t i = 0; i < kept_.size(); ++i) whole[kept_[i]] = x[i];
  const double* const found = eliminated_values();
  for (std::size_t i = 0; i < eliminated_.size(); ++i) whole[eliminated_[i]] = found[i];
}

void ReducedSystem::multiply_extended(double* y) const {
  const double* const found = values_.data() + first_eliminated_;
  sum_kept([&](std::size_t i, double sum) {
    y[kept_[i]] = system_.diagonal()[kept_[i]] * values_[i] - sum;
  });
  sum_rows(eliminated_arcs_, eliminated_.size(), std::identity(), values_,
           [&](std::size_t i, double sum) {
             y[eliminated_[i]] = eliminated_diagonal_[i] * found[i] - sum;
           });
}

}  // namespace gssl::mpi
