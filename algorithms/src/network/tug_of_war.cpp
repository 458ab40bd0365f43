#include "network/tug_of_war.hpp"

#include <Eigen/OrderingMethods>
#include <Eigen/SparseCore>
#include <Eigen/SparseLU>
#include <algorithm>
#include <cmath>
#include <limits>

namespace gssl::detail {

namespace {

using Index = std::size_t;

constexpr std::int64_t most_rounds = 2000;
constexpr int smoothing_sweeps = 4;
// A sign counts when it is this far from zero, beyond the rounding of G.
constexpr double sure = 2e-15;
// The smallest η that signs can be told at, and that residuals can be brought below.
constexpr double least_slack = 1e-14;
// Pulls that differ by less are equal.
constexpr double tie = 1e-15;

// The rows with all their neighbors, terminals numbered after the rows.
struct Rows {
  std::vector<EdgeIndex> offset;
  std::vector<VertexId> neighbor;
  std::vector<double> weight;
  std::vector<double> inverse_degree;

  explicit Rows(const NetworkPiece& piece) {
    const auto n = static_cast<Index>(piece.system->size());
    offset.assign(n + 1, 0);
    for (Index e = 0; e < piece.from.size(); ++e) {
      ++offset[static_cast<Index>(piece.from[e]) + 1];
      if (piece.inside(e)) ++offset[static_cast<Index>(piece.to[e]) + 1];
    }
    for (Index r = 0; r < n; ++r) offset[r + 1] += offset[r];
    neighbor.resize(static_cast<Index>(offset[n]));
    weight.resize(neighbor.size());
    std::vector<EdgeIndex> next(offset.begin(), offset.end() - 1);
    const auto put = [&](VertexId row, VertexId other, double w) {
      const auto place = static_cast<Index>(next[static_cast<Index>(row)]++);
      neighbor[place] = other;
      weight[place] = w;
    };
    for (Index e = 0; e < piece.from.size(); ++e) {
      const VertexId to =
          piece.inside(e) ? piece.to[e] : static_cast<VertexId>(n + piece.terminal(e));
      put(piece.from[e], to, piece.weight[e]);
      if (piece.inside(e)) put(to, piece.from[e], piece.weight[e]);
    }
    inverse_degree.resize(n);
    for (Index r = 0; r < n; ++r) {
      double degree = 0.0;
      for (auto e = static_cast<Index>(offset[r]); e < static_cast<Index>(offset[r + 1]); ++e)
        degree += weight[e];
      inverse_degree[r] = 1.0 / degree;
    }
  }
};

// Where the two players pull at a row, and what comes of it.
struct Pull {
  double g = 0.0;  // G of the row
  double mean = 0.0;
  double most = 0.0, least = 0.0;              // s·(u_y − u_x)
  double most_scale = 1.0, least_scale = 1.0;  // s
  VertexId most_at = 0, least_at = 0;
};

class Game {
 public:
  Game(const NetworkPiece& piece, const TugOfWar& game)
      : rows_(piece), game_(game), depth_(depths()) {}

  Index rows() const { return rows_.inverse_degree.size(); }

  // Ties go to the neighbor nearest to a terminal, so that nobody is pulled in a circle.
  Pull pull(Index r, const std::vector<double>& u) const {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    Pull here{.most = -infinity, .least = infinity};
    const double own = u[r];
    const bool weighted = game_.pull_scale > 0.0;
    for (auto e = static_cast<Index>(rows_.offset[r]); e < static_cast<Index>(rows_.offset[r + 1]);
         ++e) {
      const VertexId y = rows_.neighbor[e];
      const double w = rows_.weight[e];
      const double scale = weighted ? game_.pull_scale * w : 1.0;
      const double step = u[static_cast<Index>(y)] - own;
      const double force = scale * step;
      here.mean += w * step;
      if (force > here.most + tie || (force >= here.most - tie && nearer(y, here.most_at))) {
        here.most = force, here.most_at = y, here.most_scale = scale;
      }
      if (force < here.least - tie || (force <= here.least + tie && nearer(y, here.least_at))) {
        here.least = force, here.least_at = y, here.least_scale = scale;
      }
    }
    here.mean *= rows_.inverse_degree[r];
    here.g = game_.alpha * here.mean + game_.beta * (here.most + here.least);
    return here;
  }

  // One Gauss–Seidel sweep towards G = target.
  void sweep(bool forward, double target, std::vector<double>& u) const {
    const Index n = rows();
    for (Index k = 0; k < n; ++k) {
      const Index r = forward ? k : n - 1 - k;
      const Pull here = pull(r, u);
      u[r] += (here.g - target) / (game_.alpha + game_.beta * (here.most_scale + here.least_scale));
    }
  }

  // max |G − target|.
  double residual(double target, const std::vector<double>& u) const {
    double largest = 0.0;
    for (Index r = 0; r < rows(); ++r) largest = std::max(largest, std::abs(pull(r, u).g - target));
    return largest;
  }

  // Solves G = target with everybody pulling where they pull now. False if that is singular.
  bool newton(double target, std::vector<double>& u) {
    const Index n = rows();
    std::vector<Eigen::Triplet<double>> entries;
    Eigen::VectorXd b(static_cast<Eigen::Index>(n));
    for (Index r = 0; r < n; ++r) {
      const auto row = static_cast<int>(r);
      const Pull here = pull(r, u);
      b[row] = here.g - target;
      const auto put = [&](VertexId y, double value) {
        entries.emplace_back(row, row, value);
        if (static_cast<Index>(y) < n) entries.emplace_back(row, y, -value);
      };
      if (game_.alpha > 0.0) {
        for (auto e = static_cast<Index>(rows_.offset[r]);
             e < static_cast<Index>(rows_.offset[r + 1]); ++e)
          put(rows_.neighbor[e], game_.alpha * rows_.weight[e] * rows_.inverse_degree[r]);
      }
      put(here.most_at, game_.beta * here.most_scale);
      put(here.least_at, game_.beta * here.least_scale);
    }
    Eigen::SparseMatrix<double> a(static_cast<int>(n), static_cast<int>(n));
    a.setFromTriplets(entries.begin(), entries.end());
    Eigen::SparseLU<Eigen::SparseMatrix<double>, Eigen::COLAMDOrdering<int>> factor;
    factor.setPivotThreshold(0.0);
    factor.compute(a);
    if (factor.info() != Eigen::Success) return false;
    const Eigen::VectorXd step = factor.solve(b);
    if (!step.allFinite()) return false;
    for (Index r = 0; r < n; ++r) u[r] += step[static_cast<Eigen::Index>(r)];
    return true;
  }

 private:
  bool nearer(VertexId y, VertexId than) const {
    return depth_[static_cast<Index>(y)] < depth_[static_cast<Index>(than)];
  }

  // Edges to the nearest terminal; 0 for terminals.
  std::vector<VertexId> depths() const {
    const Index n = rows();
    VertexId most = static_cast<VertexId>(n);
    for (const VertexId y : rows_.neighbor) most = std::max(most, y + 1);
    std::vector<VertexId> depth(static_cast<Index>(most), 0), queue;
    for (Index r = 0; r < n; ++r) {
      depth[r] = no_vertex;
      for (auto e = static_cast<Index>(rows_.offset[r]);
           e < static_cast<Index>(rows_.offset[r + 1]); ++e)
        if (static_cast<Index>(rows_.neighbor[e]) >= n) depth[r] = 1;
      if (depth[r] == 1) queue.push_back(static_cast<VertexId>(r));
    }
    for (Index head = 0; head < queue.size(); ++head) {
      const auto r = static_cast<Index>(queue[head]);
      for (auto e = static_cast<Index>(rows_.offset[r]);
           e < static_cast<Index>(rows_.offset[r + 1]); ++e) {
        VertexId& next = depth[static_cast<Index>(rows_.neighbor[e])];
        if (next != no_vertex) continue;
        next = depth[r] + 1;
        queue.push_back(rows_.neighbor[e]);
      }
    }
    return depth;
  }

  Rows rows_;
  TugOfWar game_;
  std::vector<VertexId> depth_;
};

// Newton's steps, each smoothed by sweeps, until |G − target| ≤ slack everywhere. Where the pair of
// them does not lower the residual there are more sweeps instead, which always converge.
bool settle(Game& game, double target, double slack, std::vector<double>& u, std::int64_t& rounds,
            std::int64_t limit, const RunContext& run) {
  const auto smooth = [&](std::vector<double>& x, int sweeps) {
    for (int k = 0; k < sweeps; ++k) game.sweep(k % 2 == 0, target, x);
    return game.residual(target, x);
  };
  double now = game.residual(target, u);
  int sweeps = smoothing_sweeps;
  while (now > slack) {
    if (rounds >= limit || run.should_stop()) return false;
    ++rounds;
    std::vector<double> tried = u;
    if (game.newton(target, tried)) {
      double then = game.residual(target, tried);
      if (then > slack) then = smooth(tried, smoothing_sweeps);
      if (then < now) {
        u = std::move(tried);
        now = then;
        sweeps = smoothing_sweeps;
        continue;
      }
    }
    sweeps *= 2;
    now = smooth(u, sweeps);
  }
  return true;
}

}  // namespace

TugOfWarSolution solve_tug_of_war(const NetworkPiece& piece, const TugOfWar& game,
                                  std::span<const double> terminal_values,
                                  std::span<const double> start, const RunContext& run) {
  const auto n = static_cast<Index>(piece.system->size());
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (Index e = 0; e < piece.to.size(); ++e) {
    if (piece.inside(e)) continue;
    low = std::min(low, terminal_values[piece.terminal(e)]);
    high = std::max(high, terminal_values[piece.terminal(e)]);
  }
  TugOfWarSolution solution;
  solution.potential.assign(n, low);
  if (!(high > low)) return solution;

  const double range = high - low;
  std::vector<double> u(n + terminal_values.size());
  for (Index r = 0; r < n; ++r) u[r] = (start[r] - low) / range;
  for (Index i = 0; i < terminal_values.size(); ++i) u[n + i] = (terminal_values[i] - low) / range;
  Game state(piece, game);

  solution.error_bound = 0.5;
  for (double& x : solution.potential) x = low + 0.5 * range;
  const std::int64_t limit = game.max_rounds > 0 ? game.max_rounds : most_rounds;
  double slack = std::max(1e-3 * game.tolerance, least_slack);
  std::vector<double> upper = std::move(u), lower;
  for (;;) {
    if (!settle(state, -slack, 0.5 * slack, upper, solution.rounds, limit, run)) break;
    if (lower.empty()) lower = upper;
    if (!settle(state, slack, 0.5 * slack, lower, solution.rounds, limit, run)) break;
    double width = 0.0;
    bool sure_of_signs = true;
    for (Index r = 0; r < n; ++r) {
      width = std::max(width, upper[r] - lower[r]);
      sure_of_signs &= state.pull(r, upper).g < -sure && state.pull(r, lower).g > sure;
    }
    const double bound = 0.5 * width;
    if (sure_of_signs && bound < solution.error_bound) {
      solution.error_bound = bound;
      for (Index r = 0; r < n; ++r)
        solution.potential[r] = low + range * std::clamp(0.5 * (upper[r] + lower[r]), 0.0, 1.0);
    }
    if (bound <= game.tolerance || slack <= least_slack || !sure_of_signs) break;
    // The bracket is as wide as the slack is large.
    const double next = std::max(std::min(0.5, 0.5 * game.tolerance / bound) * slack, least_slack);
    for (Index r = 0; r < n; ++r) {
      const double middle = 0.5 * (upper[r] + lower[r]);
      const double half = 0.5 * (upper[r] - lower[r]) * (next / slack);
      upper[r] = middle + half;
      lower[r] = middle - half;
    }
    slack = next;
  }
  solution.outcome = solution.error_bound <= game.tolerance ? Outcome::converged
                     : run.cancelled()                      ? Outcome::cancelled
                     : run.out_of_time()                    ? Outcome::time_limit
                     : solution.rounds < limit              ? Outcome::breakdown
                                                            : Outcome::iteration_limit;
  return solution;
}

}  // namespace gssl::detail
