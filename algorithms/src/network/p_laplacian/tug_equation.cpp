#include "tug_equation.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <numeric>
#include <type_traits>

#include "gssl/core/parallel.hpp"
#include "tug_of_war.hpp"

namespace gssl::detail {

namespace {

using Index = std::size_t;

constexpr double infinity = std::numeric_limits<double>::infinity();
// Pulls that differ by less, of values between 0 and 1, are equal.
constexpr double tie = 1e-15;

}  // namespace

TugEquation::TugEquation(const NetworkPiece& piece, const TugOfWar& game,
                         std::span<const double> order)
    : piece_(piece), alpha_(game.alpha) {
  const auto n = static_cast<Index>(piece.system->size());
  row_of_.resize(n);
  std::iota(row_of_.begin(), row_of_.end(), VertexId{0});
  std::ranges::stable_sort(row_of_, {}, [&](VertexId r) { return order[static_cast<Index>(r)]; });
  std::vector<VertexId> row(n);
  for (Index r = 0; r < n; ++r) row[static_cast<Index>(row_of_[r])] = static_cast<VertexId>(r);

  begin_.assign(n + 1, 0);
  for (Index e = 0; e < piece.from.size(); ++e) {
    ++begin_[static_cast<Index>(row[static_cast<Index>(piece.from[e])]) + 1];
    if (piece.inside(e)) ++begin_[static_cast<Index>(row[static_cast<Index>(piece.to[e])]) + 1];
  }
  for (Index r = 0; r < n; ++r) begin_[r + 1] += begin_[r];
  const auto size = static_cast<Index>(begin_.back());
  neighbor_.resize(size);
  if (mixes()) place_.resize(size);
  // Chance and weighted pulls alone look at weights.
  const bool weighted = (mixes() || game.pull_scale > 0.0) &&
                        std::ranges::any_of(piece.weight, [](double w) { return w != 1.0; });
  if (weighted) weight_.resize(size);
  pull_ = game.beta * (game.pull_scale > 0.0 ? game.pull_scale : 1.0);
  chance_.assign(n, 0.0);
  std::vector<EdgeIndex> next(begin_.begin(), begin_.end() - 1);
  const auto put = [&](VertexId from, VertexId to, double w, EdgeIndex place) {
    const auto e = static_cast<Index>(next[static_cast<Index>(from)]++);
    neighbor_[e] = to;
    if (mixes()) place_[e] = place;
    if (weighted) weight_[e] = w;
    chance_[static_cast<Index>(from)] += w;
  };
  for (Index e = 0; e < piece.from.size(); ++e) {
    const VertexId from = row[static_cast<Index>(piece.from[e])];
    if (piece.inside(e)) {
      const VertexId to = row[static_cast<Index>(piece.to[e])];
      put(from, to, piece.weight[e], piece.entry_from[e]);
      put(to, from, piece.weight[e], piece.entry_to[e]);
    } else {
      put(from, static_cast<VertexId>(n + piece.terminal(e)), piece.weight[e], -1);
    }
  }
  for (double& degree : chance_) degree = alpha_ / degree;
  find_depths();
}

void TugEquation::find_depths() {
  const Index n = rows();
  VertexId most = static_cast<VertexId>(n);
  for (const VertexId y : neighbor_) most = std::max(most, y + 1);
  depth_.assign(static_cast<Index>(most), 0);
  std::vector<VertexId> queue;
  for (Index r = 0; r < n; ++r) {
    depth_[r] = no_vertex;
    for (EdgeIndex e = begin(r); e < end(r); ++e)
      if (static_cast<Index>(neighbor(e)) >= n) depth_[r] = 1;
    if (depth_[r] == 1) queue.push_back(static_cast<VertexId>(r));
  }
  for (Index head = 0; head < queue.size(); ++head) {
    const auto r = static_cast<Index>(queue[head]);
    for (EdgeIndex e = begin(r); e < end(r); ++e) {
      VertexId& next = depth_[static_cast<Index>(neighbor(e))];
      if (next != no_vertex) continue;
      next = depth_[r] + 1;
      queue.push_back(neighbor(e));
    }
  }
}

bool TugEquation::nearer(EdgeIndex e, EdgeIndex than) const {
  return depth_[static_cast<Index>(neighbor(e))] < depth_[static_cast<Index>(neighbor(than))];
}

template <class Body>
void TugEquation::each_row(std::span<const double> u, int threads, Body&& body) const {
  parallel_blocks(static_cast<std::int64_t>(rows()), threads,
                  [&](std::int64_t first, std::int64_t last) {
                    for (auto r = static_cast<Index>(first); r < static_cast<Index>(last); ++r) {
                      double mean = 0.0, most = -infinity, least = infinity, size = 0.0;
                      for (EdgeIndex e = begin(r); e < end(r); ++e) {
                        const double step = weight(e) * (u[static_cast<Index>(neighbor(e))] - u[r]);
                        mean += step;
                        size += std::abs(step);
                        most = std::max(most, step);
                        least = std::min(least, step);
                      }
                      body(r, chance_[r] * mean, pull_ * most, pull_ * least, chance_[r] * size);
                    }
                  });
}

void TugEquation::defect(std::span<const double> u, int threads, std::vector<double>& g) const {
  g.resize(rows());
  each_row(u, threads, [&](Index r, double mean, double most, double least, double) {
    g[r] = mean + (most + least);
  });
}

void TugEquation::defect_against(std::span<const EdgeIndex> least, std::span<const double> u,
                                 int threads, std::vector<double>& g) const {
  g.resize(rows());
  each_row(u, threads, [&](Index r, double mean, double most, double, double) {
    const EdgeIndex held = least[r];
    g[r] = mean + (most + pull(held) * (u[static_cast<Index>(neighbor(held))] - u[r]));
  });
}

void TugEquation::choose(std::span<const double> u, int threads, Policy& policy) const {
  policy.most.resize(rows());
  policy.least.resize(rows());
  each_row(u, threads, [&](Index r, double, double most, double least, double) {
    EdgeIndex up = -1, down = -1;
    for (EdgeIndex e = begin(r); e < end(r); ++e) {
      const double force = pull(e) * (u[static_cast<Index>(neighbor(e))] - u[r]);
      if (force >= most - tie && (up < 0 || nearer(e, up))) up = e;
      if (force <= least + tie && (down < 0 || nearer(e, down))) down = e;
    }
    // Where u is not finite nothing compares, and the residual will say so.
    policy.most[r] = up < 0 ? begin(r) : up;
    policy.least[r] = down < 0 ? begin(r) : down;
  });
}

bool TugEquation::certain(int sign, std::span<const double> u, int threads) const {
  std::atomic<bool> all = true;
  each_row(u, threads, [&](Index r, double mean, double most, double least, double size) {
    const double terms = static_cast<double>(end(r) - begin(r)) + 8.0;
    const double doubt =
        terms * std::numeric_limits<double>::epsilon() * (size + std::abs(most) + std::abs(least));
    if (!(sign * (mean + (most + least)) > doubt)) all = false;
  });
  return all;
}

std::vector<double> TugEquation::stiffness(const Policy& policy) const {
  std::vector<double> result(rows());
  for (Index r = 0; r < rows(); ++r)
    result[r] = alpha_ + (pull(policy.most[r]) + pull(policy.least[r]));
  return result;
}

std::int64_t TugEquation::improve(std::span<const double> u, std::vector<EdgeIndex>& most) const {
  std::int64_t changed = 0;
  for (Index r = 0; r < rows(); ++r) {
    const auto force = [&](EdgeIndex e) {
      return pull(e) * (u[static_cast<Index>(neighbor(e))] - u[r]);
    };
    EdgeIndex best = most[r];
    double strongest = force(best) + tie;
    for (EdgeIndex e = begin(r); e < end(r); ++e) {
      if (force(e) <= strongest) continue;
      strongest = force(e);
      best = e;
    }
    if (best != most[r]) ++changed;
    most[r] = best;
  }
  return changed;
}

void TugEquation::sweep(bool forward, double target, double relaxation,
                        std::vector<double>& u) const {
  const auto go = [&](auto weights, auto chance) {
    sweep_rows<weights.value, chance.value>(forward, target, relaxation, u.data());
  };
  using std::false_type, std::true_type;
  if (weighted()) {
    mixes() ? go(true_type(), true_type()) : go(true_type(), false_type());
  } else {
    mixes() ? go(false_type(), true_type()) : go(false_type(), false_type());
  }
}

template <bool weights, bool chance>
void TugEquation::sweep_rows(bool forward, double target, double relaxation, double* u) const {
  const Index n = rows();
  for (Index k = 0; k < n; ++k) {
    const Index r = forward ? k : n - 1 - k;
    const double own = u[r];
    double mean = 0.0, most = -infinity, least = infinity, above = 1.0, below = 1.0;
    for (EdgeIndex e = begin(r); e < end(r); ++e) {
      double step = u[neighbor_[static_cast<Index>(e)]] - own;
      if constexpr (weights) {
        const double w = weight_[static_cast<Index>(e)];
        step *= w;
        above = step > most ? w : above;
        below = step < least ? w : below;
      }
      if constexpr (chance) mean += step;
      most = step > most ? step : most;
      least = step < least ? step : least;
    }
    const double g = chance_[r] * mean + pull_ * (most + least);
    u[r] = own + relaxation * (g / (alpha_ + pull_ * (above + below)) - target);
  }
}

}  // namespace gssl::detail
