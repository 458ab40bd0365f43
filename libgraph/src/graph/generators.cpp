#include "gssl/graph/generators.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>
#include <string>
#include <utility>

#include "gssl/core/error.hpp"
#include "gssl/core/number_text.hpp"
#include "gssl/graph/graph_builder.hpp"

namespace gssl {

namespace {

void require(bool holds, const std::string& message) {
  if (!holds) throw Error(ErrorCode::usage, message);
}

void require_size(const char* who, const char* what, std::int64_t value, std::int64_t low,
                  std::int64_t high = std::numeric_limits<VertexId>::max()) {
  require(value >= low && value <= high,
          std::string(who) + ": " + what + " " + std::to_string(value) + ": must be in [" +
              std::to_string(low) + ", " + std::to_string(high) + "]");
}

void require_probability(const char* who, const char* what, double p) {
  require(p >= 0.0 && p <= 1.0,
          std::string(who) + ": " + what + " " + to_text(p) + ": must be in [0, 1]");
}

// A graph from a walk over its edges that can be repeated: walk(emit) calls emit(u, v).
template <class Walk>
Graph build(VertexId n, const Walk& walk, DuplicatePolicy duplicates = DuplicatePolicy::sum) {
  GraphBuilder builder(n, {.duplicates = duplicates});
  walk([&](VertexId u, VertexId v) { builder.count(u, v); });
  builder.begin_placing(false);
  walk([&](VertexId u, VertexId v) { builder.place(u, v); });
  return std::move(builder).finish();
}

// As build() for a walk that draws from a generator: both walks start from the same state, and the
// caller's generator ends where the walk ended.
template <class Walk>
Graph build_random(VertexId n, Rng& rng, const Walk& walk,
                   DuplicatePolicy duplicates = DuplicatePolicy::sum) {
  const Rng start = rng;
  return build(
      n,
      [&](auto emit) {
        rng = start;
        walk(emit, rng);
      },
      duplicates);
}

// Calls hit(i) for each i in [0, count) with probability p, skipping the misses: the run of misses
// before a hit is floor(log(1 − U) / log(1 − p)).
template <class Hit>
void sample_indices(std::int64_t count, double p, Rng& rng, Hit hit) {
  if (p <= 0.0) return;
  const double scale = p < 1.0 ? 1.0 / std::log1p(-p) : 0.0;
  for (std::int64_t i = 0;; ++i) {
    const double skip = p < 1.0 ? std::floor(std::log1p(-rng.uniform()) * scale) : 0.0;
    if (!(skip < static_cast<double>(count - i))) return;
    i += static_cast<std::int64_t>(skip);
    hit(i);
  }
}

// Pairs (u, v), v < u, in the order (1,0), (2,0), (2,1), …; `row` remembers where the last one was.
template <class Emit>
void sample_pairs(VertexId first, VertexId n, double p, Rng& rng, Emit emit) {
  std::int64_t row = 1, row_start = 0;
  sample_indices(std::int64_t{n} * (std::int64_t{n} - 1) / 2, p, rng, [&](std::int64_t i) {
    while (i >= row_start + row) row_start += row++;
    emit(static_cast<VertexId>(first + row), static_cast<VertexId>(first + (i - row_start)));
  });
}

}  // namespace

Graph path_graph(VertexId n) {
  require_size("path", "n", n, 0);
  return build(n, [n](auto emit) {
    for (VertexId v = 1; v < n; ++v) emit(v - 1, v);
  });
}

Graph star_graph(VertexId n) {
  require_size("star", "n", n, 0);
  return build(n, [n](auto emit) {
    for (VertexId v = 1; v < n; ++v) emit(0, v);
  });
}

Graph cycle_graph(VertexId n) {
  require(n == 0 || n >= 3, "cycle: n " + std::to_string(n) + ": must be 0 or >= 3");
  return build(n, [n](auto emit) {
    for (VertexId v = 1; v < n; ++v) emit(v - 1, v);
    if (n > 0) emit(0, n - 1);
  });
}

Graph grid_graph(VertexId rows, VertexId columns) { return grid_graph(1, rows, columns); }

Graph grid_graph(VertexId x, VertexId y, VertexId z) {
  for (const VertexId side : {x, y, z}) require_size("grid", "side", side, 0);
  // The product of two sides fits 64 bits; that of three may not.
  const std::int64_t layer = std::int64_t{y} * z;
  require(x == 0 || layer <= std::numeric_limits<VertexId>::max() / x,
          "grid: more than 2^31 - 1 vertices; make it smaller");
  return build(static_cast<VertexId>(x * layer), [=](auto emit) {
    VertexId v = 0;
    for (VertexId i = 0; i < x; ++i)
      for (VertexId j = 0; j < y; ++j)
        for (VertexId k = 0; k < z; ++k, ++v) {
          if (k > 0) emit(v - 1, v);
          if (j > 0) emit(v - z, v);
          if (i > 0) emit(static_cast<VertexId>(v - layer), v);
        }
  });
}

Graph complete_graph(VertexId n) {
  require_size("complete", "n", n, 0);
  return build(n, [n](auto emit) {
    for (VertexId u = 0; u < n; ++u)
      for (VertexId v = u + 1; v < n; ++v) emit(u, v);
  });
}

Graph barbell_graph(VertexId m, VertexId length) {
  require_size("barbell", "m", m, 1, std::numeric_limits<VertexId>::max() / 2);
  require_size("barbell", "length", length, 1, std::numeric_limits<VertexId>::max() - 2 * m);
  return build(2 * m + (length - 1), [=](auto emit) {
    for (const VertexId base : {VertexId{0}, m})
      for (VertexId u = 0; u < m; ++u)
        for (VertexId v = u + 1; v < m; ++v) emit(base + u, base + v);
    VertexId last = m - 1;
    for (VertexId inner = 0; inner + 1 < length; ++inner) {
      emit(last, 2 * m + inner);
      last = 2 * m + inner;
    }
    emit(last, m);
  });
}

Graph erdos_renyi_graph(VertexId n, double p, Rng& rng) {
  require_size("erdos-renyi", "n", n, 0);
  require_probability("erdos-renyi", "p", p);
  return build_random(n, rng, [=](auto emit, Rng& draws) { sample_pairs(0, n, p, draws, emit); });
}

Graph rmat_graph(int scale, std::int64_t edges_per_vertex, Rng& rng, RmatOptions options) {
  require_size("rmat", "scale", scale, 0, 30);
  require_size("rmat", "edges per vertex", edges_per_vertex, 0);
  require_probability("rmat", "a", options.a);
  require_probability("rmat", "b", options.b);
  require_probability("rmat", "c", options.c);
  require_probability("rmat", "d", options.d);
  const double total = options.a + options.b + options.c + options.d;
  require(std::abs(total - 1.0) <= 1e-9,
          "rmat: a + b + c + d is " + to_text(total) + ": must be 1");
  const std::int64_t edges = edges_per_vertex << scale;
  const double top = options.a + options.b;
  return build_random(
      VertexId{1} << scale, rng,
      [=](auto emit, Rng& draws) {
        for (std::int64_t e = 0; e < edges; ++e) {
          VertexId u = 0, v = 0;
          for (int level = 0; level < scale; ++level) {
            const double x = draws.uniform();
            const bool low = x >= top;
            const bool right = low ? x >= top + options.c : x >= options.a;
            u = 2 * u + (low ? 1 : 0);
            v = 2 * v + (right ? 1 : 0);
          }
          emit(u, v);
        }
      },
      DuplicatePolicy::max);
}

Graph stochastic_block_model(const std::vector<VertexId>& sizes, double p_in, double p_out,
                             Rng& rng) {
  require_probability("stochastic block model", "p_in", p_in);
  require_probability("stochastic block model", "p_out", p_out);
  std::vector<VertexId> starts(1, 0);
  for (const VertexId size : sizes) {
    require_size("stochastic block model", "block size", size, 0,
                 std::numeric_limits<VertexId>::max() - starts.back());
    starts.push_back(starts.back() + size);
  }
  return build_random(starts.back(), rng, [&](auto emit, Rng& draws) {
    for (std::size_t a = 0; a < sizes.size(); ++a) {
      sample_pairs(starts[a], sizes[a], p_in, draws, emit);
      for (std::size_t b = 0; b < a; ++b)
        sample_indices(std::int64_t{sizes[a]} * sizes[b], p_out, draws, [&](std::int64_t i) {
          emit(static_cast<VertexId>(starts[a] + i / sizes[b]),
               static_cast<VertexId>(starts[b] + i % sizes[b]));
        });
    }
  });
}

Graph random_geometric_graph(VertexId n, double radius, Rng& rng) {
  require_size("random geometric", "n", n, 0);
  require(std::isfinite(radius) && radius >= 0.0,
          "random geometric: radius " + to_text(radius) + ": must be finite and >= 0");
  const auto count = static_cast<std::size_t>(n);
  std::vector<double> x(count), y(count);
  for (std::size_t v = 0; v < count; ++v) {
    x[v] = rng.uniform();
    y[v] = rng.uniform();
  }
  // Buckets no smaller than the radius, and no more of them than points.
  const double most = std::max(1.0, std::floor(std::sqrt(static_cast<double>(n))));
  const auto side = static_cast<std::int64_t>(
      radius * most > 1.0 ? std::max(1.0, std::floor(1.0 / radius)) : most);
  const auto cell_of = [side](double t) {
    return std::min(side - 1, static_cast<std::int64_t>(t * static_cast<double>(side)));
  };
  std::vector<std::size_t> starts(static_cast<std::size_t>(side * side) + 1, 0);
  const auto bucket_of = [&](std::size_t v) {
    return static_cast<std::size_t>(cell_of(x[v]) * side + cell_of(y[v]));
  };
  for (std::size_t v = 0; v < count; ++v) ++starts[bucket_of(v) + 1];
  for (std::size_t b = 1; b < starts.size(); ++b) starts[b] += starts[b - 1];
  std::vector<VertexId> members(count);
  std::vector<std::size_t> cursor(starts.begin(), starts.end() - 1);
  for (std::size_t v = 0; v < count; ++v)
    members[cursor[bucket_of(v)]++] = static_cast<VertexId>(v);

  return build(n, [&](auto emit) {
    for (std::size_t u = 0; u < count; ++u) {
      const std::int64_t cx = cell_of(x[u]), cy = cell_of(y[u]);
      for (std::int64_t i = std::max<std::int64_t>(cx - 1, 0); i <= std::min(cx + 1, side - 1); ++i)
        for (std::int64_t j = std::max<std::int64_t>(cy - 1, 0); j <= std::min(cy + 1, side - 1);
             ++j) {
          const auto bucket = static_cast<std::size_t>(i * side + j);
          for (std::size_t k = starts[bucket]; k < starts[bucket + 1]; ++k) {
            const auto v = static_cast<std::size_t>(members[k]);
            if (v <= u) continue;
            const double dx = x[u] - x[v], dy = y[u] - y[v];
            if (dx * dx + dy * dy <= radius * radius)
              emit(static_cast<VertexId>(u), static_cast<VertexId>(v));
          }
        }
    }
  });
}

Graph random_tree(VertexId n, Rng& rng) {
  require_size("random tree", "n", n, 0);
  return build_random(n, rng, [n](auto emit, Rng& draws) {
    for (VertexId v = 1; v < n; ++v)
      emit(static_cast<VertexId>(draws.below(static_cast<std::uint64_t>(v))), v);
  });
}

Graph road_graph(VertexId rows, VertexId columns, Rng& rng, RoadOptions options) {
  require_size("road", "rows", rows, 0);
  require_size("road", "columns", columns, 0);
  require_probability("road", "keep", options.keep);
  require_probability("road", "stubs", options.stubs);
  require_size("road", "most bends", options.most_bends, 0, 1000);
  // Two roads and a dead end for each lattice vertex at most.
  const std::int64_t lattice = std::int64_t{rows} * columns;
  require(lattice <= std::numeric_limits<VertexId>::max() / (2 + 2 * options.most_bends),
          "road: may need more than 2^31 - 1 vertices; make it smaller");

  std::vector<Edge> pieces;
  auto n = static_cast<VertexId>(lattice);
  const auto lay = [&](VertexId u, VertexId v) {
    pieces.push_back({u, v, 1.0 / (0.5 + rng.uniform())});
  };
  const auto maybe_road = [&](VertexId u, VertexId v) {
    if (rng.uniform() >= options.keep) return;
    auto bends = rng.below(static_cast<std::uint64_t>(options.most_bends) + 1);
    for (; bends > 0; --bends) {
      lay(u, n);
      u = n++;
    }
    lay(u, v);
  };
  for (VertexId r = 0, v = 0; r < rows; ++r)
    for (VertexId c = 0; c < columns; ++c, ++v) {
      if (c > 0) maybe_road(v - 1, v);
      if (r > 0) maybe_road(v - columns, v);
      if (rng.uniform() < options.stubs) lay(v, n++);
    }

  std::vector<VertexId> number(static_cast<std::size_t>(n));
  std::iota(number.begin(), number.end(), 0);
  shuffle(number, rng);
  for (Edge& piece : pieces) {
    piece.u = number[static_cast<std::size_t>(piece.u)];
    piece.v = number[static_cast<std::size_t>(piece.v)];
  }
  return graph_from_edges(n, pieces);
}

Graph with_log_uniform_weights(const Graph& graph, double low, double high, Rng& rng) {
  require(std::isfinite(low) && std::isfinite(high) && low > 0.0 && low <= high,
          "log-uniform weights: [" + to_text(low) + ", " + to_text(high) +
              "]: must be finite, 0 < low <= high");
  const auto offsets = graph.offset_array();
  std::vector<double> weights(graph.neighbor_array().size());
  // Rows are ascending, so the mirror images of row u's entries are next in the rows they are in.
  std::vector<EdgeIndex> cursor(offsets.begin(), offsets.end() - 1);
  const double from = std::log(low), span = std::log(high) - from;
  for (VertexId u = 0; u < graph.vertex_count(); ++u)
    for (EdgeIndex e = graph.row_begin(u); e < graph.row_end(u); ++e) {
      const VertexId v = graph.neighbor_at(e);
      if (v < u) continue;
      const double weight = std::exp(from + span * rng.uniform());
      weights[static_cast<std::size_t>(e)] = weight;
      weights[static_cast<std::size_t>(cursor[static_cast<std::size_t>(v)]++)] = weight;
    }
  return graph.with_weights(std::move(weights));
}

PlanePoints two_moons(VertexId n, double noise, Rng& rng) {
  require_size("two moons", "n", n, 0);
  require(std::isfinite(noise) && noise >= 0.0,
          "two moons: noise " + to_text(noise) + ": must be finite and >= 0");
  PlanePoints points;
  const VertexId first = n - n / 2;
  for (VertexId i = 0; i < n; ++i) {
    const int moon = i < first ? 0 : 1;
    const VertexId size = moon == 0 ? first : n - first;
    const VertexId at = moon == 0 ? i : i - first;
    const double t = size > 1 ? std::numbers::pi * at / (size - 1) : 0.0;
    const double cosine = std::cos(t), sine = std::sin(t);
    points.x.push_back((moon == 0 ? cosine : 1.0 - cosine) + noise * rng.normal());
    points.y.push_back((moon == 0 ? sine : 0.5 - sine) + noise * rng.normal());
    points.class_of.push_back(moon);
  }
  return points;
}

}  // namespace gssl
