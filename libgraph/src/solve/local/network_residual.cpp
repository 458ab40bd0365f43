#include "network_residual.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>

#include "gssl/core/error.hpp"
#include "gssl/core/index.hpp"
#include "gssl/core/parallel.hpp"
#include "linalg/product_rows.hpp"

namespace gssl::solve {
namespace {

constexpr double never = std::numeric_limits<double>::infinity();
constexpr double largest_number = std::numeric_limits<double>::max();
constexpr double largest_weight = 1e300;
// Rows whose product stays in the first-level cache until it is used.
constexpr std::int64_t rows_at_once = 128;
// A layer of fewer than this share of what is left is left by its own edges, on one thread.
constexpr double few_of_left = 0.25;

[[noreturn]] void refuse(ErrorCode code, const std::string& what) {
  throw Error(code, "network problem: " + what);
}

void check_shapes(const NetworkProblem& problem, const Block& x) {
  const VertexId n = problem.graph.vertex_count();
  const auto in_words = [](std::int64_t rows, std::int64_t columns) {
    return std::to_string(rows) + " x " + std::to_string(columns) + " numbers";
  };
  if (x.rows() != n)
    refuse(ErrorCode::usage, in_words(x.rows(), x.columns()) + " for " + std::to_string(n) +
                                 " vertices: must be a row for each");
  if (!problem.ground.empty() && std::ssize(problem.ground) != n)
    refuse(ErrorCode::usage, std::to_string(problem.ground.size()) + " grounds for " +
                                 std::to_string(n) + " vertices: must be one for each, or none");
  const Block& current = problem.current;
  if (current.rows() != std::ssize(problem.fed) ||
      (!problem.fed.empty() && current.columns() != x.columns()))
    refuse(ErrorCode::usage, "current of " + in_words(current.rows(), current.columns()) + " for " +
                                 std::to_string(problem.fed.size()) + " vertices and " +
                                 std::to_string(x.columns()) + " columns: must agree");
}

// What a look at some rows finds; that of the next rows is added.
struct Found {
  std::vector<VertexId> vertices;
  double leaks = 0.0;
  void operator+=(const Found& next) {
    vertices.insert(vertices.end(), next.vertices.begin(), next.vertices.end());
    leaks += next.leaks;
  }
};

bool all_finite(std::span<const double> values) {
  return std::ranges::all_of(values, [](double value) { return std::isfinite(value); });
}

}  // namespace

NetworkResidual::NetworkResidual(const NetworkProblem& problem, const Block& x, double tolerance,
                                 const RunContext& run)
    : problem_(problem), run_(run), tolerance_(tolerance), columns_(x.columns()) {
  check_shapes(problem, x);
  kind_.assign(index(size()), Kind::unreached);
  mark_held();
  mark_fed();
  parallel_blocks(std::ssize(problem.held), threads(), [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i)
      if (const VertexId v = problem.held[index(i)]; !all_finite(x.row(v)))
        refuse(ErrorCode::bad_data, "vertex " + std::to_string(v) + " is held at no finite number");
  });
  if (!all_finite(problem.current.values())) refuse(ErrorCode::bad_data, "a current is not finite");
  reach(ground_vertices());
  measure_b(x);
  const auto blocks = index(detail::block_count(size(), parallel_block) * columns_);
  squares_.assign(blocks, 0.0);
  bounds_.assign(blocks, 0.0);
  largest_.assign(index(detail::block_count(size(), parallel_block)), 0.0);
  weight_.resize(index(size()));
}

void NetworkResidual::mark_held() {
  for (const VertexId v : problem_.held) {
    if (v < 0 || v >= size())
      refuse(ErrorCode::bad_data, "held vertex " + std::to_string(v) + ": must be in [0, " +
                                      std::to_string(size()) + ")");
    if (kind_[index(v)] == Kind::held)
      refuse(ErrorCode::bad_data, "held vertex " + std::to_string(v) + ": is there twice");
    kind_[index(v)] = Kind::held;
  }
}

void NetworkResidual::mark_fed() {
  if (problem_.fed.empty()) return;
  fed_row_.assign(index(size()), no_vertex);
  for (std::size_t i = 0; i < problem_.fed.size(); ++i) {
    const VertexId v = problem_.fed[i];
    if (v < 0 || v >= size())
      refuse(ErrorCode::bad_data, "fed vertex " + std::to_string(v) + ": must be in [0, " +
                                      std::to_string(size()) + ")");
    if (fed_row_[index(v)] != no_vertex)
      refuse(ErrorCode::bad_data, "fed vertex " + std::to_string(v) + ": is there twice");
    fed_row_[index(v)] = static_cast<VertexId>(i);
  }
}

// Vertices with ground, or next to one that is held, and their resistances; and the diagonal.
std::vector<VertexId> NetworkResidual::ground_vertices() {
  diagonal_.resize(index(size()));
  resistance_.resize(index(size()));
  const auto look_at = [&](VertexId v, Found& found) {
    const double own = ground(v);
    if (!(std::isfinite(own) && own >= 0.0))
      refuse(ErrorCode::bad_data, "ground of vertex " + std::to_string(v) + ": " +
                                      std::to_string(own) + ": must be finite and >= 0");
    double all = own, to_held = own;
    graph().visit_row(v, [&](VertexId u, double w) {
      all += w;
      if (kind_[index(u)] == Kind::held) to_held += w;
    });
    if (!std::isfinite(all))
      refuse(ErrorCode::bad_data, "vertex " + std::to_string(v) +
                                      ": its weights add up to more than a double holds: scale the "
                                      "weights down");
    diagonal_[index(v)] = all;
    resistance_[index(v)] = to_held > 0.0 ? 1.0 / to_held : never;
    if (!(to_held > 0.0) || kind_[index(v)] == Kind::held) return;
    found.vertices.push_back(v);
    found.leaks += to_held / all;
  };
  Found found = blocked_sum(size(), threads(), [&](std::int64_t begin, std::int64_t end) {
    Found some;
    for (std::int64_t v = begin; v < end; ++v) look_at(static_cast<VertexId>(v), some);
    return some;
  });
  leaks_ = found.leaks;
  return std::move(found.vertices);
}

// The next layer, from that one.
std::vector<VertexId> NetworkResidual::reach_from(const std::vector<VertexId>& layer) {
  std::vector<VertexId> next;
  for (const VertexId v : layer) {
    const double here = resistance_[index(v)];
    graph().visit_row(v, [&](VertexId u, double w) {
      if (kind_[index(u)] == Kind::held) return;
      double& there = resistance_[index(u)];
      if (kind_[index(u)] == Kind::unreached) {
        kind_[index(u)] = Kind::free;
        next.push_back(u);
      }
      there = std::min(there, here + 1.0 / w);
    });
  }
  return next;
}

// The next layer, on all threads: every vertex that is not reached looks for neighbors that are.
std::vector<VertexId> NetworkResidual::reach_what_is_left() {
  const auto look_at = [&](VertexId v, Found& found) {
    double least = never;
    bool near = false;
    graph().visit_row(v, [&](VertexId u, double w) {
      if (kind_[index(u)] != Kind::free) return;
      near = true;
      least = std::min(least, resistance_[index(u)] + 1.0 / w);
    });
    if (!near) return;
    resistance_[index(v)] = least;
    found.vertices.push_back(v);
  };
  Found found = blocked_sum(size(), threads(), [&](std::int64_t begin, std::int64_t end) {
    Found some;
    for (std::int64_t v = begin; v < end; ++v)
      if (kind_[index(v)] == Kind::unreached) look_at(static_cast<VertexId>(v), some);
    return some;
  });
  for (const VertexId v : found.vertices) kind_[index(v)] = Kind::free;
  return std::move(found.vertices);
}

// Where a neighbor of a free vertex has a path of so little resistance that the one through it is
// better.
void NetworkResidual::shorten_paths() {
  std::vector<double> shorter = resistance_;
  parallel_blocks(size(), threads(), [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t v = begin; v < end; ++v) {
      if (kind_[index(v)] != Kind::free) continue;
      graph().visit_row(static_cast<VertexId>(v), [&](VertexId u, double w) {
        if (kind_[index(u)] == Kind::free)
          shorter[index(v)] = std::min(shorter[index(v)], resistance_[index(u)] + 1.0 / w);
      });
    }
  });
  resistance_ = std::move(shorter);
}

// Breadth-first from the vertices of `layer`, which are all with ground: who is free, and the
// resistance of a path, the least one where weights are equal and nothing else has ground.
void NetworkResidual::reach(std::vector<VertexId> layer) {
  for (const VertexId v : layer) kind_[index(v)] = Kind::free;
  free_count_ = static_cast<VertexId>(layer.size());
  has_source_ = layer;
  const auto left = [&] { return size() - std::ssize(problem_.held) - free_count_; };
  while (!layer.empty() && left() > 0) {
    // A time limit is for the correction: what there is of an answer is told with its residual.
    if (run_.cancelled())
      throw Error(ErrorCode::cancelled, "correction: cancelled before every vertex was reached");
    const bool few = static_cast<double>(layer.size()) < few_of_left * static_cast<double>(left());
    layer = few ? reach_from(layer) : reach_what_is_left();
    free_count_ += static_cast<VertexId>(layer.size());
  }
  if (!graph().has_unit_weights() || !problem_.ground.empty()) shorten_paths();
  if (left() > 0)
    for (VertexId v = 0; v < size(); ++v)
      if (kind_[index(v)] == Kind::unreached) unreached_.push_back(v);
  for (const VertexId v : problem_.fed)
    if (is_free(v)) has_source_.push_back(v);
  if (problem_.fed.empty()) return;
  std::ranges::sort(has_source_);
  has_source_.erase(std::unique(has_source_.begin(), has_source_.end()), has_source_.end());
}

// Adds what flows into v from held vertices and from outside.
void NetworkResidual::add_given(const Block& x, VertexId v, std::span<double> b) const {
  if (!fed_row_.empty() && fed_row_[index(v)] != no_vertex) {
    const std::span<const double> current = problem_.current.row(fed_row_[index(v)]);
    for (std::size_t j = 0; j < b.size(); ++j) b[j] += current[j];
  }
  if (problem_.held.empty()) return;
  graph().visit_row(v, [&](VertexId u, double w) {
    if (kind_[index(u)] != Kind::held) return;
    const std::span<const double> value = x.row(u);
    for (std::size_t j = 0; j < b.size(); ++j) b[j] += w * value[j];
  });
}

// ‖b‖ by columns. Where squares are no numbers, of 1e200 as of 1e-200, once more with the largest
// entry as the unit.
void NetworkResidual::measure_b(const Block& x) {
  const std::size_t c = index(columns_);
  struct Columns {
    std::vector<double> largest, squares;
    void operator+=(const Columns& next) {
      largest.resize(next.largest.size());
      squares.resize(next.squares.size());
      for (std::size_t j = 0; j < largest.size(); ++j) {
        largest[j] = std::max(largest[j], next.largest[j]);
        squares[j] += next.squares[j];
      }
    }
  };
  const auto measured = [&](const std::vector<double>& unit) {
    Columns found =
        blocked_sum(std::ssize(has_source_), threads(), [&](std::int64_t begin, std::int64_t end) {
          Columns some{std::vector<double>(c), std::vector<double>(c)};
          std::vector<double> b(c);
          for (std::int64_t i = begin; i < end; ++i) {
            std::ranges::fill(b, 0.0);
            add_given(x, has_source_[index(i)], b);
            for (std::size_t j = 0; j < c; ++j) {
              some.largest[j] = std::max(some.largest[j], std::abs(b[j]));
              some.squares[j] += (b[j] / unit[j]) * (b[j] / unit[j]);
            }
          }
          return some;
        });
    found.largest.resize(c);
    found.squares.resize(c);
    return found;
  };
  constexpr double least = 1e-100, most = 1e100;
  std::vector<double> unit(c, 1.0);
  Columns found = measured(unit);
  const auto is_far = [&](double b) { return b > 0.0 && !(b >= least && b <= most); };
  if (std::ranges::any_of(found.largest, is_far)) {
    for (std::size_t j = 0; j < c; ++j)
      if (is_far(found.largest[j])) unit[j] = found.largest[j];
    found = measured(unit);
  }
  norms_of_b_.resize(c);
  scale_.resize(c);
  for (std::size_t j = 0; j < c; ++j) {
    norms_of_b_[j] = unit[j] * std::sqrt(found.squares[j]);
    const double allowed = tolerance_ * norms_of_b_[j];
    scale_[j] = norms_of_b_[j] > 0.0 ? std::min(1.0 / allowed, largest_number) : 0.0;
  }
}

void NetworkResidual::row(const Block& x, VertexId v, std::span<double> r) const {
  product_rows(graph(), diagonal_.data(), x.data(), r.data(), columns_, v, v + 1);
  const VertexId fed = fed_row_.empty() ? no_vertex : fed_row_[index(v)];
  for (std::size_t j = 0; j < r.size(); ++j)
    r[j] = (fed == no_vertex ? 0.0 : problem_.current.row(fed)[j]) - r[j];
}

void NetworkResidual::measure_block(const Block& x, std::int64_t begin, std::int64_t end) {
  const std::size_t c = index(columns_);
  double* const squares = squares_.data() + index(begin / parallel_block) * c;
  double* const bounds = bounds_.data() + index(begin / parallel_block) * c;
  std::fill_n(squares, c, 0.0);
  std::fill_n(bounds, c, 0.0);
  double& largest = largest_[index(begin / parallel_block)] = 0.0;
  std::vector<double> product(index(rows_at_once) * c);
  for (std::int64_t first = begin; first < end; first += rows_at_once) {
    const std::int64_t last = std::min(end, first + rows_at_once);
    product_rows(graph(), diagonal_.data(), x.data(), product.data(), columns_, first, last);
    for (std::int64_t v = first; v < last; ++v) {
      double& weight = weight_[index(v)] = 0.0;
      if (!is_free(static_cast<VertexId>(v))) continue;
      double* const r = product.data() + index(v - first) * c;
      const VertexId fed = fed_row_.empty() ? no_vertex : fed_row_[index(v)];
      if (fed != no_vertex)
        for (std::size_t j = 0; j < c; ++j) r[j] -= problem_.current.row(fed)[j];
      const double resistance = std::min(resistance_[index(v)], largest_weight);
      for (std::size_t j = 0; j < c; ++j) {
        const double share = r[j] * scale_[j];
        squares[j] += share * share;
        weight = std::max(weight, share * share);
        bounds[j] += std::abs(r[j]) * resistance;
      }
      weight = std::min(weight, largest_weight);
      largest = std::max(largest, weight);
    }
  }
}

void NetworkResidual::measure(const Block& x) {
  parallel_blocks(size(), threads(),
                  [&](std::int64_t begin, std::int64_t end) { measure_block(x, begin, end); });
}

void NetworkResidual::measure(const Block& x, std::span<const VertexId> changed) {
  std::vector<std::int64_t> blocks;
  for (const VertexId v : changed) blocks.push_back(v / parallel_block);
  std::ranges::sort(blocks);
  blocks.erase(std::unique(blocks.begin(), blocks.end()), blocks.end());
  parallel_blocks(
      std::ssize(blocks), threads(),
      [&](std::int64_t i, std::int64_t) {
        const std::int64_t begin = blocks[index(i)] * parallel_block;
        measure_block(x, begin, std::min<std::int64_t>(size(), begin + parallel_block));
      },
      1);
}

namespace {

// Of each column, over the blocks in order.
std::vector<double> sums_of(const std::vector<double>& blocks, std::size_t columns) {
  std::vector<double> sums(columns, 0.0);
  for (std::size_t i = 0; i < blocks.size(); ++i) sums[i % columns] += blocks[i];
  return sums;
}

}  // namespace

std::vector<double> NetworkResidual::ratios() const {
  std::vector<double> found = sums_of(squares_, index(columns_));
  for (double& sum : found) sum = std::sqrt(sum);
  return found;
}

double NetworkResidual::worst() const {
  double worst = 0.0;
  for (const double ratio : ratios()) {
    if (std::isnan(ratio)) return ratio;
    worst = std::max(worst, ratio);
  }
  return worst;
}

std::vector<double> NetworkResidual::error_bounds() const {
  return sums_of(bounds_, index(columns_));
}

}  // namespace gssl::solve
