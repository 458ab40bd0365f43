#include "multigrid_coarsening.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "gssl/core/index.hpp"
#include "gssl/core/parallel.hpp"

namespace gssl::solve {
namespace {

constexpr double least_coupling = 0.01;
// The prolongation is smoothed a little less than the error.
constexpr double interpolation_damping = 0.9;
// Rows that are worth a thread of their own.
constexpr VertexId least_part = 4096;
constexpr std::int64_t rows_between_looks = 256;  // at the clock

// A sparse vector filled by additions. Entries keep the order in which they first came.
class SparseSum {
 public:
  explicit SparseSum(VertexId length) : position_(index(length), no_vertex) {}

  void add(VertexId i, double value) {
    VertexId& p = position_[index(i)];
    if (p == no_vertex) {
      p = static_cast<VertexId>(entries_.size());
      entries_.emplace_back(i, value);
    } else {
      entries_[index(p)].second += value;
    }
  }
  const std::vector<std::pair<VertexId, double>>& entries() const { return entries_; }
  void clear() {
    for (const auto& [i, value] : entries_) position_[index(i)] = no_vertex;
    entries_.clear();
  }

 private:
  std::vector<VertexId> position_;
  std::vector<std::pair<VertexId, double>> entries_;
};

void append(FloatRows& rows, VertexId column, double value) {
  rows.column.push_back(column);
  rows.value.push_back(static_cast<float>(value));
}

// The arrays of all parts in one, each given back once it was copied.
template <class Array>
Array joined(std::vector<FloatRows>& parts, Array FloatRows::*array) {
  Array all = std::move(parts[0].*array);
  std::size_t size = all.size();
  for (std::size_t i = 1; i < parts.size(); ++i) size += (parts[i].*array).size();
  all.reserve(size);
  for (std::size_t i = 1; i < parts.size(); ++i) {
    const Array part = std::move(parts[i].*array);
    all.insert(all.end(), part.begin(), part.end());
  }
  return all;
}

// Rows 0 … count−1, each appended by worker(row, rows). A thread makes a worker, with a workspace
// of its own, for a contiguous part; no row depends on who made it. Rows are empty once the run is
// stopped.
template <class MakeWorker>
FloatRows make_rows(VertexId count, int threads, const RunContext& run, MakeWorker&& make_worker) {
  const std::int64_t parts = std::min<std::int64_t>(std::max(1, threads), 1 + count / least_part);
  const auto first = [&](std::int64_t part) { return count * part / parts; };
  std::vector<FloatRows> made(index(parts));
  FloatRows all;
  all.offset.assign(index(count) + 1, 0);
  parallel_blocks(
      parts, threads,
      [&](std::int64_t part, std::int64_t) {
        auto worker = make_worker();
        FloatRows& rows = made[index(part)];
        bool stop = false;
        for (std::int64_t i = first(part); i < first(part + 1); ++i) {
          if (i % rows_between_looks == 0) stop = run.should_stop();
          if (!stop) worker(static_cast<VertexId>(i), rows);
          all.offset[index(i) + 1] = static_cast<EdgeIndex>(rows.column.size());
        }
      },
      1);
  for (std::int64_t part = 1; part < parts; ++part) {
    const EdgeIndex base = all.offset[index(first(part))];
    for (std::int64_t i = first(part); i < first(part + 1); ++i) all.offset[index(i) + 1] += base;
  }
  all.column = joined(made, &FloatRows::column);
  all.value = joined(made, &FloatRows::value);
  return all;
}

void sum_diagonal(MultigridMatrix& a, int threads) {
  a.own_diagonal.resize(index(a.size));
  parallel_blocks(a.size, threads, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t v = begin; v < end; ++v) {
      double sum = a.ground[index(v)];
      for (EdgeIndex e = a.begin(v); e < a.end(v); ++e) sum += a.weight(e);
      a.own_diagonal[index(v)] = sum;
    }
  });
  a.diagonal = a.own_diagonal;
}

MultigridMatrix make_matrix(FloatRows rows, std::vector<double> ground, int threads) {
  MultigridMatrix a;
  a.size = static_cast<VertexId>(ground.size());
  a.rows = std::move(rows);
  a.offset = a.rows.offset;
  a.column = a.rows.column;
  a.own_ground = std::move(ground);
  a.ground = a.own_ground;
  sum_diagonal(a, threads);
  return a;
}

// Takes weak couplings away, from both rows alike; the diagonal loses what they gave it.
void drop_weak(MultigridMatrix& a, int threads) {
  std::size_t kept = 0;
  EdgeIndex e = 0;
  for (VertexId v = 0; v < a.size; ++v) {
    for (const EdgeIndex end = a.end(v); e < end; ++e) {
      const VertexId u = a.neighbor(e);
      const float weight = a.rows.value[index(e)];
      const double least = std::min(a.diagonal[index(v)], a.diagonal[index(u)]);
      if (!(std::abs(weight) > least_coupling * least)) continue;
      a.rows.column[kept] = u;
      a.rows.value[kept++] = weight;
    }
    a.rows.offset[index(v) + 1] = static_cast<EdgeIndex>(kept);
  }
  a.rows.column.resize(kept);
  a.rows.value.resize(kept);
  a.column = a.rows.column;
  sum_diagonal(a, threads);
}

// A bound on the additions that PᵀAP takes.
double galerkin_work(const MultigridMatrix& a, const FloatRows& p) {
  const auto length = [&](VertexId v) { return static_cast<double>(p.end(v) - p.begin(v)); };
  double work = 0.0;
  for (VertexId v = 0; v < a.size; ++v) {
    double reach = length(v);
    for (EdgeIndex e = a.begin(v); e < a.end(v); ++e) reach += length(a.neighbor(e));
    work += reach * (1.0 + length(v));
  }
  return work;
}

}  // namespace

MultigridMatrix finest_matrix(const GroundedLaplacian& system) {
  MultigridMatrix a;
  a.size = system.size();
  a.offset = system.graph().offset_array();
  a.column = system.graph().neighbor_array();
  const std::span<const double> weights = system.graph().weight_array();
  a.rows.value.reserve(weights.size());
  for (const double w : weights) a.rows.value.push_back(static_cast<float>(w));
  a.ground = system.ground();
  a.diagonal = system.diagonal();
  return a;
}

Coarsening constant_coarsening(const MultigridMatrix& a, const Aggregates& aggregates, int threads,
                               const RunContext& run) {
  Coarsening result;
  FloatRows& p = result.interpolation;
  p.offset.assign(1, 0);
  for (const VertexId k : aggregates.of) {
    if (k != no_vertex) append(p, k, 1.0);
    p.offset.push_back(static_cast<EdgeIndex>(p.column.size()));
  }
  result.restriction = {aggregates.member_begin, aggregates.member,
                        std::vector<float>(aggregates.member.size(), 1.0F)};
  const FloatRows& members = result.restriction;
  std::vector<double> ground(index(aggregates.count), 0.0);
  FloatRows rows = make_rows(aggregates.count, threads, run, [&] {
    return [&, sum = SparseSum(aggregates.count)](VertexId k, FloatRows& out) mutable {
      sum.clear();
      for (EdgeIndex m = members.begin(k); m < members.end(k); ++m) {
        const VertexId v = members.column[index(m)];
        ground[index(k)] += a.ground[index(v)];
        for (EdgeIndex e = a.begin(v); e < a.end(v); ++e) {
          const VertexId to = aggregates.of[index(a.neighbor(e))];
          if (to == no_vertex) ground[index(k)] += a.weight(e);
          if (to != no_vertex && to != k) sum.add(to, a.weight(e));
        }
      }
      for (const auto& [to, weight] : sum.entries()) append(out, to, weight);
    };
  });
  result.coarse = make_matrix(std::move(rows), std::move(ground), threads);
  return result;
}

namespace {

// PᵀAP, of `size` rows; `row_sum` is P·1.
MultigridMatrix galerkin_matrix(const MultigridMatrix& a, const FloatRows& p,
                                const FloatRows& transposed, VertexId size,
                                const std::vector<double>& row_sum, int threads,
                                const RunContext& run) {
  std::vector<double> ground(index(size), 0.0);  // PᵀAP·1
  FloatRows rows = make_rows(size, threads, run, [&] {
    return [&, ap = SparseSum(a.size), sum = SparseSum(size)](VertexId k, FloatRows& out) mutable {
      ap.clear();  // A times column k of P
      for (EdgeIndex q = transposed.begin(k); q < transposed.end(k); ++q) {
        const VertexId v = transposed.column[index(q)];
        const double value = transposed.value[index(q)];
        ap.add(v, a.diagonal[index(v)] * value);
        for (EdgeIndex e = a.begin(v); e < a.end(v); ++e)
          ap.add(a.neighbor(e), -a.weight(e) * value);
      }
      sum.clear();
      for (const auto& [v, value] : ap.entries()) {
        ground[index(k)] += value * row_sum[index(v)];
        for (EdgeIndex q = p.begin(v); q < p.end(v); ++q)
          sum.add(p.column[index(q)], value * p.value[index(q)]);
      }
      for (const auto& [to, value] : sum.entries())
        if (to != k) append(out, to, -value);
    };
  });
  return make_matrix(std::move(rows), std::move(ground), threads);
}

}  // namespace

std::optional<Coarsening> smoothed_coarsening(const MultigridMatrix& a, Aggregates aggregates,
                                              std::span<const double> step, double most_work,
                                              int threads, const RunContext& run) {
  Coarsening result;
  const auto damping = [&](VertexId v) { return interpolation_damping * step[index(v)]; };
  const auto own = [&](VertexId v) { return 1.0 - damping(v) * a.diagonal[index(v)]; };
  std::vector<double> row_sum(index(a.size), 0.0);  // P·1
  result.interpolation = make_rows(a.size, threads, run, [&] {
    return [&, sum = SparseSum(aggregates.count)](VertexId v, FloatRows& out) mutable {
      sum.clear();
      if (aggregates.of[index(v)] != no_vertex) sum.add(aggregates.of[index(v)], own(v));
      for (EdgeIndex e = a.begin(v); e < a.end(v); ++e) {
        const VertexId k = aggregates.of[index(a.neighbor(e))];
        if (k != no_vertex) sum.add(k, damping(v) * a.weight(e));
      }
      for (const auto& [k, value] : sum.entries()) {
        row_sum[index(v)] += value;
        append(out, k, value);
      }
    };
  });
  const FloatRows& p = result.interpolation;
  if (galerkin_work(a, p) > most_work) return std::nullopt;

  result.restriction = make_rows(aggregates.count, threads, run, [&] {
    return [&, sum = SparseSum(a.size)](VertexId k, FloatRows& out) mutable {
      sum.clear();
      for (EdgeIndex m = aggregates.member_begin[index(k)];
           m < aggregates.member_begin[index(k) + 1]; ++m) {
        const VertexId v = aggregates.member[index(m)];
        sum.add(v, own(v));
        for (EdgeIndex e = a.begin(v); e < a.end(v); ++e)
          sum.add(a.neighbor(e), damping(a.neighbor(e)) * a.weight(e));
      }
      for (const auto& [v, value] : sum.entries()) append(out, v, value);
    };
  });

  const VertexId count = std::exchange(aggregates, {}).count;  // memory is scarcest from here on
  result.coarse = galerkin_matrix(a, p, result.restriction, count, row_sum, threads, run);
  drop_weak(result.coarse, threads);
  return result;
}

}  // namespace gssl::solve
