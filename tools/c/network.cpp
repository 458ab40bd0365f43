#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include "gssl/linalg/spectrum.hpp"
#include "gssl/network/effective_resistance.hpp"
#include "gssl/solve/linear_solver.hpp"
#include "handles.hpp"

using gssl::c::guard;
using gssl::c::require;
using gssl::c::require_array;

namespace {

gssl_status outcome_of(gssl::Outcome outcome, const std::string& sentence) {
  if (outcome == gssl::Outcome::converged) return GSSL_OK;
  gssl::c::set_error(sentence.c_str());
  return GSSL_INCOMPLETE;
}

gssl::LaplacianKind kind_of(gssl_laplacian laplacian) {
  switch (laplacian) {
    case GSSL_COMBINATORIAL: return gssl::LaplacianKind::combinatorial;
    case GSSL_SYMMETRIC: return gssl::LaplacianKind::symmetric;
    case GSSL_RANDOM_WALK: return gssl::LaplacianKind::random_walk;
    case GSSL_LAPLACIAN_OF_INT: break;
  }
  throw gssl::Error(
      gssl::ErrorCode::usage,
      "laplacian: " + std::to_string(static_cast<int>(laplacian)) + ": must be 0, 1 or 2");
}

// Throws ErrorCode::usage unless rows·columns doubles can be an array.
void check_columns(std::size_t rows, std::size_t columns) {
  constexpr auto most =
      static_cast<std::size_t>(std::numeric_limits<std::ptrdiff_t>::max()) / sizeof(double);
  if (columns == 0 || columns > most / std::max<std::size_t>(1, rows))
    throw gssl::Error(gssl::ErrorCode::usage,
                      "columns: " + std::to_string(columns) + ": must be >= 1 and fit memory");
}

// Wᵀ_uℓ X of the free rows, added to the rows of the labels.
void add_coupled(const gssl::DirichletProblem& problem, const gssl::Block& x, double* product) {
  const auto columns = static_cast<std::size_t>(x.columns());
  for (std::size_t r = 0; r < problem.free_vertices.size(); ++r) {
    const auto row = x.row(static_cast<std::int64_t>(r));
    for (auto e = static_cast<std::size_t>(problem.coupling_offset[r]);
         e < static_cast<std::size_t>(problem.coupling_offset[r + 1]); ++e) {
      double* const to = product + static_cast<std::size_t>(problem.coupling_label[e]) * columns;
      for (std::size_t c = 0; c < columns; ++c) to[c] += problem.coupling_weight[e] * row[c];
    }
  }
}

}  // namespace

gssl_status gssl_resistance(const gssl_context* context, const gssl_graph* graph, size_t count,
                            const int32_t* u, const int32_t* v, double* resistances) {
  return guard([&] {
    require(graph, "graph");
    require_array(u, count, "u");
    require_array(v, count, "v");
    require_array(resistances, count, "resistances");
    std::vector<gssl::VertexPair> pairs;
    pairs.reserve(count);
    for (std::size_t i = 0; i < count; ++i) pairs.push_back({u[i], v[i]});
    const gssl::ResistanceAnswer found =
        gssl::pair_resistances(graph->graph, pairs, {}, gssl::c::run_of(context));
    std::ranges::copy(found.values, resistances);
    return outcome_of(found.report.outcome, found.report.sentence);
  });
}

gssl_status gssl_spectrum(const gssl_context* context, const gssl_graph* graph,
                          gssl_laplacian laplacian, size_t count, double* values, double* vectors,
                          size_t* found) {
  return guard([&] {
    require(graph, "graph");
    require(values, "values");
    const auto n = static_cast<std::size_t>(graph->graph.vertex_count());
    if (count < 1 || count > n)
      throw gssl::Error(gssl::ErrorCode::usage, "count: " + std::to_string(count) +
                                                    ": must be in [1, " + std::to_string(n) +
                                                    "], the number of vertices");
    const gssl::Spectrum pairs = gssl::smallest_eigenpairs(
        graph->graph, {.count = static_cast<int>(count), .kind = kind_of(laplacian)},
        gssl::c::run_of(context));
    const std::size_t there = pairs.values.size();
    std::fill_n(std::ranges::copy(pairs.values, values).out, count - there, 0.0);
    if (vectors != nullptr) {
      std::fill_n(vectors, n * count, 0.0);
      for (std::size_t r = 0; r < n; ++r)
        std::ranges::copy(pairs.vectors.row(static_cast<std::int64_t>(r)), vectors + r * count);
    }
    if (found != nullptr) *found = there;
    return outcome_of(pairs.outcome, pairs.sentence);
  });
}

// With P = [I; L_uu⁻¹ W_uℓ], Pᵀg = g_ℓ + Wᵀ_uℓ L_uu⁻¹ g_u: one solve for all columns.
gssl_status gssl_harmonic_adjoint(const gssl_context* context, const gssl_graph* graph,
                                  size_t count, const int32_t* vertices, size_t columns,
                                  const double* gradient, double* product) {
  return guard([&] {
    require(graph, "graph");
    const auto n = static_cast<std::size_t>(graph->graph.vertex_count());
    check_columns(n, columns);
    require_array(gradient, n, "gradient");
    require_array(product, count, "product");
    if (!std::all_of(gradient, gradient + n * columns, [](double x) { return std::isfinite(x); }))
      throw gssl::Error(gssl::ErrorCode::bad_data, "gradient: must be finite");
    const gssl::RunContext run = gssl::c::run_of(context);
    gssl::DirichletProblem problem =
        gssl::make_dirichlet_problem(graph->graph, gssl::c::vertex_list(count, vertices));
    const auto row_of = [&](gssl::VertexId v) {
      return gradient + static_cast<std::size_t>(v) * columns;
    };
    gssl::Block g(static_cast<std::int64_t>(problem.free_vertices.size()),
                  static_cast<std::int64_t>(columns));
    for (std::size_t r = 0; r < problem.free_vertices.size(); ++r)
      std::copy_n(row_of(problem.free_vertices[r]), columns,
                  g.row(static_cast<std::int64_t>(r)).begin());
    gssl::Block x(g.rows(), g.columns());
    gssl::SolveReport report;
    if (g.rows() > 0)
      report = gssl::make_solver_and_solve(
                   std::make_shared<const gssl::GroundedLaplacian>(problem.system),
                   {.columns = g.columns()}, g, x, run)
                   .report;
    for (std::size_t i = 0; i < count; ++i)
      std::copy_n(row_of(problem.labeled[i]), columns, product + i * columns);
    add_coupled(problem, x, product);
    return outcome_of(report.outcome, report.sentence);
  });
}
