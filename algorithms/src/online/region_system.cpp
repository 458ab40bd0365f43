#include "online/region_system.hpp"

#include <cmath>

#include "gssl/core/index.hpp"

namespace gssl::detail {
namespace {

constexpr std::int64_t most_steps = 100'000;
// Steps without a smaller residual after which rounding is what is left.
constexpr std::int64_t patience = 200;
constexpr std::int64_t steps_between_looks = 16;

}  // namespace

RegionSystem::RegionSystem(const Graph& graph, const std::vector<double>& degree)
    : graph_(graph), degree_(degree), place_(index(graph.vertex_count()), no_vertex) {}

void RegionSystem::grow(std::span<const VertexId> seeds, std::int64_t hops,
                        const std::vector<bool>& labeled) {
  const auto add = [&](VertexId v) {
    place_[index(v)] = static_cast<VertexId>(rows_.size());
    rows_.push_back(v);
  };
  for (const VertexId v : seeds)
    if (!holds(v)) add(v);
  // Seeds inside may have neighbors outside: the layer of seeds is walked from as it is.
  std::vector<VertexId> layer(seeds.begin(), seeds.end());
  for (; hops > 0 && !layer.empty(); --hops) {
    const std::size_t first = rows_.size();
    for (const VertexId v : layer)
      for (const VertexId u : graph_.neighbors(v))
        if (!labeled[index(u)] && !holds(u)) add(u);
    layer.assign(rows_.begin() + static_cast<std::ptrdiff_t>(first), rows_.end());
  }
}

void RegionSystem::clear() {
  for (const VertexId v : rows_) place_[index(v)] = no_vertex;
  rows_.clear();
}

void RegionSystem::assemble() {
  offsets_.assign(1, 0);
  columns_.clear();
  weights_.clear();
  diagonal_.clear();
  for (const VertexId v : rows_) {
    graph_.visit_row(v, [&](VertexId u, double weight) {
      if (!holds(u)) return;
      columns_.push_back(place_[index(u)]);
      weights_.push_back(weight);
    });
    offsets_.push_back(std::ssize(columns_));
    diagonal_.push_back(degree_[index(v)]);
  }
}

// q = A p; p·q.
double RegionSystem::multiply(const std::vector<double>& p, std::vector<double>& q) const {
  double product = 0.0;
  for (std::size_t i = 0; i < p.size(); ++i) {
    double sum = diagonal_[i] * p[i];
    for (std::int64_t e = offsets_[i]; e < offsets_[i + 1]; ++e)
      sum -= weights_[index(e)] * p[index(columns_[index(e)])];
    q[i] = sum;
    product += sum * p[i];
  }
  return product;
}

bool RegionSystem::is_small(const std::vector<double>& r, double target) const {
  for (std::size_t i = 0; i < r.size(); ++i)
    if (!(std::abs(r[i]) <= target * diagonal_[i])) return false;
  return true;
}

bool RegionSystem::solve(std::vector<double>& r, double target, std::vector<double>& x,
                         const RunContext& run) {
  const std::size_t n = rows_.size();
  x.assign(n, 0.0);
  if (is_small(r, target)) return true;
  p_.assign(n, 0.0);
  q_.resize(n);
  double before = 1.0, least = HUGE_VAL;
  std::int64_t since_least = 0;
  for (std::int64_t step = 0; step < most_steps && since_least < patience; ++step) {
    if (step % steps_between_looks == 0)
      run.throw_if_stopped("seminorm", "before a label was taken in");
    double now = 0.0;
    for (std::size_t i = 0; i < n; ++i) now += r[i] * r[i] / diagonal_[i];
    since_least = now < least ? 0 : since_least + 1;
    least = std::min(least, now);
    const double beta = step == 0 ? 0.0 : now / before;
    for (std::size_t i = 0; i < n; ++i) p_[i] = r[i] / diagonal_[i] + beta * p_[i];
    const double curvature = multiply(p_, q_);
    if (!(curvature > 0.0)) return false;
    const double alpha = now / curvature;
    for (std::size_t i = 0; i < n; ++i) {
      x[i] += alpha * p_[i];
      r[i] -= alpha * q_[i];
    }
    before = now;
    if (is_small(r, target)) return true;
  }
  return false;
}

}  // namespace gssl::detail
