#include "gssl/factor/network_factor.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <new>
#include <string>
#include <utility>

#include "blocks.hpp"
#include "dense_products.hpp"
#include "eliminate.hpp"
#include "gssl/core/error.hpp"
#include "gssl/core/index.hpp"
#include "gssl/core/parallel.hpp"
#include "panels.hpp"
#include "solve_columns.hpp"
#include "structure.hpp"
#include "walk_supernodes.hpp"

namespace gssl {
namespace {

using namespace solve;

using Dense = std::vector<double>;  // a dense block of one supernode

// Pairs that one thread takes at a time.
constexpr std::int64_t pair_group = 8;

class ExactFactor final : public NetworkFactor {
 public:
  ExactFactor(const Graph& graph, NetworkStructure structure)
      : graph_(graph),
        s_(std::move(structure)),
        exponent_(weight_exponent(graph)),
        panels_(s_),
        resistance_(s_.order.size(), 0.0),
        length_(index(s_.count())) {
    for (VertexId k = s_.count() - 1; k >= 0; --k) {
      const VertexId above = s_.parent[index(k)];
      length_[index(k)] = s_.columns(k) + (above == no_vertex ? 0 : length_[index(above)]);
    }
  }

  // False if the run was stopped or a vertex lost all its conductance.
  bool compute(const RunContext& run);

  const FactorSize& size() const override { return s_.size; }
  std::vector<double> resistances(const std::vector<VertexPair>& pairs,
                                  const RunContext& run) const override;
  SelectedResistances selected(const RunContext& run) const override;
  void solve(const Block& b, Block& x, const RunContext& run) const override;
  std::vector<VertexId> roots() const override;
  EliminationTree tree() const override;
  void half_column(VertexId v, std::vector<double>& values) const override;

 private:
  BlockShape shape(VertexId k) const { return {s_.columns(k), s_.side(k), s_.stride(k)}; }
  VertexId root_of(VertexId supernode) const;

  void fetch_from_parent(VertexId k, const Dense& above, Dense& r) const;
  void write_edges(VertexId k, const Dense& r, SelectedResistances& found) const;
  void extend(VertexId k, std::vector<Dense>& blocks, std::vector<std::atomic<int>>& waiting,
              SelectedResistances& found, int threads, const RunContext& run) const;

  double pair_resistance(VertexPair pair, std::vector<double>& current) const;

  const Graph& graph_;
  NetworkStructure s_;
  int exponent_;
  PackedPanels<double> panels_;        // p of each supernode
  std::vector<double> resistance_;     // 1/d of each position, of the scaled weights; 0 at roots
  std::vector<std::int64_t> length_;   // supernode → positions in it and in those above
  std::vector<EdgeIndex> edge_start_;  // vertex → number of its first edge to a later vertex
};

bool ExactFactor::compute(const RunContext& run) {
  if (!factor_network(graph_, s_, run, [&](VertexId k, const double* panel, const double* r) {
        panels_.store(k, panel);
        std::copy_n(r, s_.columns(k), resistance_.data() + s_.first[index(k)]);
      }))
    return false;
  edge_start_.push_back(0);
  for (VertexId v = 0; v < graph_.vertex_count(); ++v) {
    const auto row = graph_.neighbors(v);
    edge_start_.push_back(edge_start_.back() +
                          (row.end() - std::upper_bound(row.begin(), row.end(), v)));
  }
  return true;
}

// Resistances between the rows below k are some of those in the parent's block.
void ExactFactor::fetch_from_parent(VertexId k, const Dense& above, Dense& r) const {
  const std::vector<std::int64_t> places = s_.places_in_parent(k);
  const std::int64_t to = s_.stride(k), from = s_.stride(s_.parent[index(k)]), own = s_.columns(k);
  const auto below = static_cast<std::int64_t>(places.size());
  for (std::int64_t j = 0; j < below; ++j) {
    const double* source = above.data() + places[index(j)] * from;
    double* column = r.data() + (own + j) * to + own;
    for (std::int64_t i = 0; i < below; ++i) column[i] = source[places[index(i)]];
  }
}

void ExactFactor::write_edges(VertexId k, const Dense& r, SelectedResistances& found) const {
  const VertexId begin = s_.first[index(k)];
  for (VertexId c = 0; c < s_.columns(k); ++c) {
    const VertexId v = s_.order[index(begin + c)];
    for (EdgeIndex e = graph_.row_begin(v); e < graph_.row_end(v); ++e) {
      const VertexId u = graph_.neighbor_at(e);
      const VertexId row = s_.position[index(u)];
      if (row < begin + c) continue;
      const double value = r[index(c * s_.stride(k) + s_.place(k, row))];
      // Edges to later vertices are the last of their row.
      const VertexId low = std::min(u, v);
      EdgeIndex from_end = graph_.row_end(v) - e;
      if (u < v) {
        const auto mirror = graph_.neighbors(u);
        from_end = mirror.end() - std::lower_bound(mirror.begin(), mirror.end(), v);
      }
      found.edge[index(edge_start_[index(low) + 1] - from_end)] = std::ldexp(value, -exponent_);
    }
  }
}

void ExactFactor::extend(VertexId k, std::vector<Dense>& blocks,
                         std::vector<std::atomic<int>>& waiting, SelectedResistances& found,
                         int threads, const RunContext& run) const {
  Dense r(index(s_.stride(k) * s_.side(k)), 0.0);
  const VertexId p = s_.parent[index(k)];
  if (p != no_vertex) {
    fetch_from_parent(k, blocks[index(p)], r);
    if (--waiting[index(p)] == 0) Dense().swap(blocks[index(p)]);
  }
  const auto [columns, side, stride] = shape(k);
  std::vector<double> offset(index(columns)), to_root(index(side));
  const double* own_resistance = resistance_.data() + s_.first[index(k)];
  const Dense panel = panels_.block(k);
  extend_resistances(shape(k), panel.data(), own_resistance, r.data(), offset.data(), threads, run);
  const std::span<const VertexId> below = s_.rows_below(k);
  for (std::size_t i = 0; i < below.size(); ++i)
    to_root[index(columns) + i] = found.to_root[index(s_.order[index(below[i])])];
  for (std::int64_t c = columns - 1; c >= 0; --c) {
    const bool root = c + 1 == side;
    to_root[index(c)] =
        root ? 0.0
             : offset[index(c)] +
                   dot(side - c - 1, panel.data() + c * stride + c + 1, to_root.data() + c + 1);
    found.to_root[index(s_.order[index(s_.first[index(k)] + c)])] = to_root[index(c)];
  }
  write_edges(k, r, found);
  if (waiting[index(k)] > 0) blocks[index(k)] = std::move(r);
}

SelectedResistances ExactFactor::selected(const RunContext& run) const {
  SelectedResistances found{std::vector<double>(index(graph_.edge_count())),
                            std::vector<double>(s_.order.size())};
  std::vector<Dense> blocks(index(s_.count()));
  std::vector<std::atomic<int>> waiting(index(s_.count()));
  for (const VertexId p : s_.parent)
    if (p != no_vertex) ++waiting[index(p)];
  if (!walk_supernodes(s_, false, run, "resistances", [&](VertexId k, int threads) {
        extend(k, blocks, waiting, found, threads, run);
      }))
    return {};
  for (double& r : found.to_root) r = std::ldexp(r, -exponent_);
  return found;
}

VertexId ExactFactor::root_of(VertexId supernode) const {
  while (s_.parent[index(supernode)] != no_vertex) supernode = s_.parent[index(supernode)];
  return supernode;
}

// Unit current in at u and out at v, folded upward: each vertex removed spends I²/d and hands pᵢ·I
// to its neighbors. Only the supernodes above u and v see any. `current` is zero and stays so.
double ExactFactor::pair_resistance(VertexPair pair, std::vector<double>& current) const {
  if (pair.u == pair.v) return 0.0;
  const VertexId from = s_.position[index(pair.u)], to = s_.position[index(pair.v)];
  VertexId a = s_.supernode_of[index(from)], b = s_.supernode_of[index(to)];
  if (root_of(a) != root_of(b)) return std::numeric_limits<double>::infinity();
  current[index(from)] = 1.0;
  current[index(to)] = -1.0;
  double energy = 0.0;
  std::vector<double> local;
  while (a != no_vertex || b != no_vertex) {
    const VertexId k = a == no_vertex ? b : b == no_vertex ? a : std::min(a, b);
    const std::int64_t columns = s_.columns(k), side = s_.side(k);
    const VertexId begin = s_.first[index(k)];
    const std::span<const VertexId> below = s_.rows_below(k);
    local.assign(index(side), 0.0);
    for (std::int64_t c = 0; c < columns; ++c)
      local[index(c)] = std::exchange(current[index(begin + c)], 0.0);
    for (std::int64_t c = 0; c < columns; ++c) {
      const double i = local[index(c)];
      if (i == 0.0) continue;
      energy += i * i * resistance_[index(begin + c)];
      add_multiple(side - c - 1, i, panels_.of(k) + packed_column(side, c), local.data() + c + 1);
    }
    for (std::size_t i = 0; i < below.size(); ++i)
      current[index(below[i])] += local[index(columns) + i];
    const VertexId next = s_.parent[index(k)];
    if (a == k) a = next;
    if (b == k) b = next;
  }
  return std::ldexp(energy, -exponent_);
}

std::vector<double> ExactFactor::resistances(const std::vector<VertexPair>& pairs,
                                             const RunContext& run) const {
  std::vector<double> found(pairs.size());
  const auto count = static_cast<std::int64_t>(pairs.size());
  const std::int64_t group = std::max(pair_group, count / 64);
  parallel_blocks(
      count, run.thread_count(),
      [&](std::int64_t begin, std::int64_t end) {
        std::vector<double> current(s_.order.size(), 0.0);
        for (std::int64_t i = begin; i < end && !run.should_stop(); ++i)
          found[index(i)] = pair_resistance(pairs[index(i)], current);
      },
      group);
  return found;
}

void ExactFactor::solve(const Block& b, Block& x, const RunContext& run) const {
  solve_network(
      {.structure = s_, .doubles = &panels_, .resistance = resistance_, .exponent = exponent_}, b,
      x, run.thread_count());
}

std::vector<VertexId> ExactFactor::roots() const {
  std::vector<VertexId> found;
  for (VertexId k = 0; k < s_.count(); ++k)
    if (s_.parent[index(k)] == no_vertex)
      found.push_back(s_.order[index(s_.first[index(k) + 1] - 1)]);
  return found;
}

EliminationTree ExactFactor::tree() const {
  EliminationTree tree{std::vector<VertexId>(s_.order.size()), s_.parent, length_};
  for (std::size_t i = 0; i < s_.order.size(); ++i)
    tree.node_of[index(s_.order[i])] = s_.supernode_of[i];
  return tree;
}

// A unit current at v, folded upward: what arrives at a vertex, times √(1/d).
void ExactFactor::half_column(VertexId v, std::vector<double>& values) const {
  const VertexId from = s_.position[index(v)];
  const VertexId node = s_.supernode_of[index(from)];
  const std::int64_t whole = length_[index(node)];
  const auto place = [&](VertexId position) {
    const VertexId k = s_.supernode_of[index(position)];
    return index(whole - length_[index(k)] + position - s_.first[index(k)]);
  };
  values.assign(index(whole), 0.0);
  values[place(from)] = 1.0;
  std::vector<double> local;
  for (VertexId k = node; k != no_vertex; k = s_.parent[index(k)]) {
    const std::int64_t columns = s_.columns(k), side = s_.side(k);
    double* own = values.data() + (whole - length_[index(k)]);
    local.assign(index(side), 0.0);
    std::copy_n(own, columns, local.data());
    for (std::int64_t c = k == node ? from - s_.first[index(k)] : 0; c < columns; ++c) {
      const double i = local[index(c)];
      own[c] = i * std::sqrt(std::ldexp(resistance_[index(s_.first[index(k)] + c)], -exponent_));
      if (i != 0.0)
        add_multiple(side - c - 1, i, panels_.of(k) + packed_column(side, c), local.data() + c + 1);
    }
    const std::span<const VertexId> below = s_.rows_below(k);
    for (std::size_t i = 0; i < below.size(); ++i)
      values[place(below[i])] += local[index(columns) + i];
  }
}

}  // namespace

std::unique_ptr<NetworkFactor> make_network_factor(
    const Graph& graph, const RunContext& run, const std::function<bool(const FactorSize&)>& accept,
    VertexId last) try {
  std::optional<NetworkStructure> structure = analyze_network(graph, last, run);
  if (!structure || (accept && !accept(structure->size)) || run.should_stop()) return nullptr;
  auto factor = std::make_unique<ExactFactor>(graph, *std::move(structure));
  if (!factor->compute(run)) return nullptr;
  return factor;
} catch (const std::bad_alloc&) {
  throw Error(ErrorCode::out_of_memory, "the factor of " + std::to_string(graph.vertex_count()) +
                                            " vertices does not fit the memory");
}

}  // namespace gssl
