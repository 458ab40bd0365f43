#include "spectral_layout.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "gssl/graph/components.hpp"
#include "gssl/linalg/spectrum.hpp"

namespace gssl::tool {
namespace {

// Half the value and half the rank, in [0, 1]: an eigenvector alone puts most vertices in one spot.
std::vector<double> spread(const std::vector<double>& values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return values[i]; });
  const double low = values[order.front()], range = values[order.back()] - low;
  std::vector<double> places(values.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    const double rank = (static_cast<double>(i) + 0.5) / static_cast<double>(order.size());
    const double value = range > 0.0 ? (values[order[i]] - low) / range : rank;
    places[order[i]] = 0.5 * value + 0.5 * rank;
  }
  return places;
}

// Of one component, in the unit square.
std::vector<Place> spectral_places(const Graph& graph, const RunContext& run) {
  const auto n = static_cast<std::size_t>(graph.vertex_count());
  std::vector<Place> places(n);
  if (n <= 3) {
    for (std::size_t i = 0; i < n; ++i)
      places[i].x = (static_cast<double>(i) + 0.5) / static_cast<double>(n);
    return places;
  }
  const Spectrum spectrum = smallest_eigenpairs(
      graph, {.count = 3, .kind = LaplacianKind::random_walk, .tolerance = 1e-3}, run);
  for (std::int64_t axis = 0; axis < 2; ++axis) {
    std::vector<double> values(n);
    for (std::size_t i = 0; i < n; ++i)
      values[i] = axis + 1 < spectrum.vectors.columns()
                      ? spectrum.vectors(static_cast<std::int64_t>(i), axis + 1)
                      : static_cast<double>(i);
    const std::vector<double> line = spread(values);
    for (std::size_t i = 0; i < n; ++i) (axis == 0 ? places[i].x : places[i].y) = line[i];
  }
  return places;
}

// Thirty rounds that push apart what is nearer than `distance`, cell by cell, in a fixed order.
void part(std::vector<Place>& places, double distance) {
  const auto cells = static_cast<std::size_t>(1.0 / distance) + 1;
  for (int round = 0; round < 30; ++round) {
    std::vector<std::vector<std::size_t>> grid(cells * cells);
    const auto cell = [&](double v) {
      return std::min(cells - 1, static_cast<std::size_t>(std::clamp(v, 0.0, 1.0) / distance));
    };
    for (std::size_t i = 0; i < places.size(); ++i)
      grid[cell(places[i].y) * cells + cell(places[i].x)].push_back(i);
    std::vector<Place> moved = places;
    for (std::size_t i = 0; i < places.size(); ++i) {
      const std::size_t cx = cell(places[i].x), cy = cell(places[i].y);
      for (std::size_t y = cy == 0 ? 0 : cy - 1; y <= std::min(cells - 1, cy + 1); ++y) {
        for (std::size_t x = cx == 0 ? 0 : cx - 1; x <= std::min(cells - 1, cx + 1); ++x) {
          for (const std::size_t j : grid[y * cells + x]) {
            if (i == j) continue;
            double dx = places[i].x - places[j].x, dy = places[i].y - places[j].y;
            const double d = std::hypot(dx, dy);
            if (d >= distance) continue;
            // Coincident ones part along directions of their own.
            const double angle = 2.4 * static_cast<double>(i);
            if (d < 1e-9) dx = std::cos(angle), dy = std::sin(angle);
            const double push = 0.25 * (distance - d) / std::max(d, 1.0 * (d < 1e-9));
            moved[i].x += dx * push;
            moved[i].y += dy * push;
          }
        }
      }
    }
    for (Place& p : moved) p = {std::clamp(p.x, 0.0, 1.0), std::clamp(p.y, 0.0, 1.0)};
    places = std::move(moved);
  }
}

}  // namespace

std::vector<Place> spectral_layout(const Graph& graph, const RunContext& run) {
  const Components components = connected_components(graph);
  const ComponentGraphs parts(graph, components);
  std::vector<VertexId> order(static_cast<std::size_t>(components.count));
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, std::ranges::greater{}, [&](VertexId k) {
    return components.sizes[static_cast<std::size_t>(k)];
  });
  const auto n = static_cast<double>(std::max<VertexId>(1, graph.vertex_count()));
  std::vector<Place> all(static_cast<std::size_t>(graph.vertex_count()));
  std::vector<Place> corner(static_cast<std::size_t>(components.count));
  double scale = 1.0;
  // Smaller until all shelves fit.
  for (bool fits = false; !fits; scale *= 0.93) {
    double x = 0.0, y = 0.0, shelf = 0.0;
    fits = true;
    for (const VertexId k : order) {
      const double size =
          scale * std::sqrt(static_cast<double>(components.sizes[static_cast<std::size_t>(k)]) / n);
      if (x + size > 1.0 + 1e-9) {
        x = 0.0;
        y += shelf;
        shelf = 0.0;
      }
      fits = fits && y + size <= 1.0 + 1e-9;
      corner[static_cast<std::size_t>(k)] = {x, y};
      if (!fits) break;
      x += size;
      shelf = std::max(shelf, size);
    }
    if (!fits) continue;
    for (const VertexId k : order) {
      const ComponentGraph one = parts[k];
      const double size = scale * std::sqrt(static_cast<double>(one.vertices.size()) / n);
      const std::vector<Place> places = spectral_places(one.graph, run);
      for (std::size_t i = 0; i < places.size(); ++i) {
        const Place& from = corner[static_cast<std::size_t>(k)];
        all[static_cast<std::size_t>(one.vertices[i])] = {
            from.x + size * (0.03 + 0.94 * places[i].x),
            from.y + size * (0.03 + 0.94 * places[i].y)};
      }
    }
  }
  part(all, std::min(0.05, 0.55 / std::sqrt(n)));
  return all;
}

}  // namespace gssl::tool
