#include "gssl/network/graph_kernel.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "diffusion.hpp"
#include "gssl/core/error.hpp"
#include "gssl/core/index.hpp"
#include "gssl/core/number_text.hpp"
#include "gssl/core/stopwatch.hpp"
#include "gssl/graph/ground_vertex.hpp"
#include "gssl/linalg/grounded_laplacian.hpp"
#include "gssl/linalg/laplacian.hpp"
#include "gssl/network/effective_resistance.hpp"
#include "gssl/solve/linear_solver.hpp"

namespace gssl {
namespace {

// A ground below this share of the degree is what rounding leaves of none.
constexpr double rounding = 1e-14;
// What α^k W^k 1 must come down to, so that 1 minus it keeps its digits; and how long that may
// take.
constexpr double safe_power = 0.5;
constexpr int most_powers = 20'000;

void require(bool rule, const char* option, double value, const std::string& text) {
  if (!rule)
    throw Error(ErrorCode::usage, std::string(option) + " " + to_text(value) + ": must be " + text);
}

}  // namespace

void GraphKernelOptions::validate() const {
  require(epsilon > 0.0 && std::isfinite(epsilon), "epsilon", epsilon, "finite and > 0");
  require(time >= 0.0 && std::isfinite(time), "time", time, "finite and ≥ 0");
  require(alpha >= 0.0 && std::isfinite(alpha), "alpha", alpha, "finite and > 0, or 0");
  require(steps >= 1, "steps", steps, "≥ 1");
  require(shift >= 0.0 && std::isfinite(shift), "shift", shift, "finite and > 0, or 0");
  require(tolerance > 0.0 && tolerance < 1.0, "tolerance", tolerance, "in (0, 1)");
  require(most_products > 0, "most_products", static_cast<double>(most_products), "> 0");
}

// K = S M⁺ S with S = diag(scale) and M = factor·(L + diag ground) for the kinds that are solves.
struct GraphKernel::State {
  std::shared_ptr<const Graph> graph;
  GraphKernelOptions options;
  std::vector<double> degree;
  double largest_eigenvalue = 0.0;  // a bound
  std::unique_ptr<LinearSolver> solver;
  std::vector<double> ground;
  std::vector<double> scale;
  std::vector<double> alone;  // K_vv of isolated vertices
  double factor = 1.0;
  bool beyond_degrees = false;  // von-neumann with alpha above 1/(largest degree)
  Components components;        // of the normalized pseudoinverse

  void resolve_range();
  void prepare_positive(const RunContext& run);
  void prepare_solver(const RunContext& run);
  void refuse_divergence(const GroundedLaplacian& system) const;
  void multiply(const Block& x, Block& y, int threads) const;
  void remove_null_part(Block& x) const;
  KernelProduct solve(const Block& x, const RunContext& run) const;
  KernelProduct diffuse(const Block& x, const RunContext& run) const;
  KernelProduct walk(const Block& x, const RunContext& run) const;
};

void GraphKernel::State::resolve_range() {
  double most = 0.0;
  for (const double d : degree) most = std::max(most, d);
  largest_eigenvalue = options.normalized ? (most > 0.0 ? 2.0 : 0.0) : 2.0 * most;
  if (options.kind == KernelKind::von_neumann) {
    const double limit = options.normalized || most == 0.0 ? 1.0 : 1.0 / most;
    if (options.alpha == 0.0) options.alpha = 0.5 * limit;
    require(!options.normalized || options.alpha < limit, "alpha", options.alpha, "< 1");
    beyond_degrees = most > 0.0 && options.alpha > limit;
  }
  if (options.kind == KernelKind::walk) {
    const double least = options.normalized ? 2.0 : largest_eigenvalue;
    if (options.shift == 0.0) options.shift = least;
    require(options.shift >= least, "shift", options.shift,
            options.normalized ? std::string("at least 2")
                               : "at least 2·(largest degree) = " + to_text(least));
  }
}

// For an α beyond 1/(largest degree), where I − αW has no ground ≥ 0 as it stands. With
// u = Σ_{i≤k} αⁱWⁱ1 > 0 and q = αᵏ⁺¹Wᵏ⁺¹1 < 1, (I − αW)u = 1 − q > 0, so that
//
//   diag(u) (I − αW) diag(u) = L' + diag(u(1 − q)),  w'_uv = α w_uv u_u u_v,
//
// is a grounded Laplacian: that α is less than 1/ρ(W) is proven. Where no entry of q shrinks over
// two steps in some component, α²ρ² ≥ 1 is (Collatz 1942, doi:10.1007/BF01180013).
void GraphKernel::State::prepare_positive(const RunContext& run) {
  const auto n = static_cast<std::size_t>(graph->vertex_count());
  const Components parts = connected_components(*graph);
  std::vector<double> u(n, 1.0), q(n, 1.0), before(n), next(n);
  const auto refuse = [&](const std::string& why) {
    throw Error(ErrorCode::usage, "alpha " + to_text(options.alpha) +
                                      ": must be less than 1/(spectral radius of W): " + why);
  };
  for (int k = 0; std::ranges::max(q) > safe_power; ++k) {
    if (k == most_powers)
      refuse("it is too near to that, or above it; take 1/(largest degree), or the normalized one");
    run.throw_if_stopped("von-neumann kernel", "before alpha was proven");
    for (std::size_t v = 0; v < n; ++v) {
      double sum = 0.0;
      graph->visit_row(static_cast<VertexId>(v), [&](VertexId w_end, double w) {
        sum += w * q[static_cast<std::size_t>(w_end)];
      });
      next[v] = options.alpha * sum;
    }
    if (k > 0) {
      std::vector<bool> grows(index(parts.count), true);
      for (std::size_t v = 0; v < n; ++v)
        if (next[v] < before[v] || degree[v] == 0.0) grows[index(parts.of[v])] = false;
      if (std::ranges::find(grows, true) != grows.end())
        refuse("the walks of a component, each step weighed with it, do not die out");
    }
    before = std::exchange(q, next);
    if (std::ranges::max(q) <= safe_power) break;
    for (std::size_t v = 0; v < n; ++v) u[v] += q[v];
  }
  std::vector<double> weights;
  ground.assign(n, 0.0);
  for (std::size_t v = 0; v < n; ++v) {
    graph->visit_row(static_cast<VertexId>(v), [&](VertexId w_end, double w) {
      weights.push_back(options.alpha * w * (u[v] * u[index(w_end)]));
    });
    ground[v] = u[v] * (1.0 - q[v]);
  }
  scale = std::move(u);
  alone.assign(n, 1.0);
  auto system = std::make_shared<const GroundedLaplacian>(
      GroundedLaplacian(graph, {}).with_weights(std::move(weights), ground));
  graph = system->shared_graph();
  solver = make_solver(std::move(system), {.tolerance = options.tolerance}, run);
}

void GraphKernel::State::prepare_solver(const RunContext& run) {
  const bool normalized = options.normalized;
  const double alpha = options.alpha;
  ground.assign(degree.size(), 0.0);
  scale.assign(degree.size(), 1.0);
  alone.assign(degree.size(), 0.0);
  for (std::size_t v = 0; v < degree.size(); ++v) {
    const double d = degree[v];
    if (normalized) scale[v] = std::sqrt(d);
    if (options.kind == KernelKind::regularized) {
      ground[v] = normalized ? options.epsilon * d : options.epsilon;
      alone[v] = 1.0 / options.epsilon;
    } else if (options.kind == KernelKind::von_neumann) {
      // I − αW = α(L + diag(1/α − d)); normalized D − αW = α(L + (1/α − 1)D).
      ground[v] = (1.0 / alpha - 1.0) * d;
      if (!normalized) ground[v] = 1.0 / alpha - d > rounding * d ? 1.0 / alpha - d : 0.0;
      alone[v] = 1.0;
      factor = alpha;
    }
  }
  if (options.kind == KernelKind::pseudoinverse && normalized)
    components = connected_components(*graph);
  auto system = std::make_shared<const GroundedLaplacian>(graph, ground);
  if (options.kind == KernelKind::von_neumann) refuse_divergence(*system);
  solver = make_solver(std::move(system), {.tolerance = options.tolerance}, run);
}

// Where all degrees of a component are 1/α, its eigenvalue 1/α makes Σ αᵏWᵏ infinite.
void GraphKernel::State::refuse_divergence(const GroundedLaplacian& system) const {
  const Components& parts = system.components();
  for (std::size_t v = 0; v < degree.size(); ++v) {
    if (degree[v] > 0.0 && system.singular()[index(parts.of[v])])
      throw Error(ErrorCode::usage, "alpha " + to_text(options.alpha) +
                                        ": must be less than 1/(largest degree) here, since all "
                                        "degrees of a component are equal and the kernel infinite");
  }
}

// Takes away the part along D^½·1 of each component.
void GraphKernel::State::remove_null_part(Block& x) const {
  Block along(components.count, x.columns());
  std::vector<double> volume(index(components.count), 0.0);
  for (std::int64_t v = 0; v < x.rows(); ++v) {
    const VertexId k = components.of[index(v)];
    volume[index(k)] += degree[index(v)];
    for (std::int64_t j = 0; j < x.columns(); ++j) along(k, j) += scale[index(v)] * x(v, j);
  }
  for (std::int64_t v = 0; v < x.rows(); ++v) {
    const VertexId k = components.of[index(v)];
    if (volume[index(k)] == 0.0) continue;
    for (std::int64_t j = 0; j < x.columns(); ++j)
      x(v, j) -= scale[index(v)] * along(k, j) / volume[index(k)];
  }
}

KernelProduct GraphKernel::State::solve(const Block& x, const RunContext& run) const {
  KernelProduct result;
  const Stopwatch watch;
  const bool has_null_part = components.count > 0;
  Block b = x;
  if (has_null_part) remove_null_part(b);
  for (std::int64_t v = 0; v < b.rows(); ++v)
    for (double& value : b.row(v)) value *= scale[index(v)];
  take_solve(result.report, solver->solve(b, result.values, run));
  for (std::int64_t v = 0; v < x.rows(); ++v) {
    const bool isolated = degree[index(v)] == 0.0;
    for (std::int64_t j = 0; j < x.columns(); ++j) {
      double& value = result.values(v, j);
      value = isolated ? alone[index(v)] * x(v, j) : value * scale[index(v)] / factor;
    }
  }
  if (has_null_part) remove_null_part(result.values);
  result.report.solve_seconds = watch.seconds();
  return result;
}

void GraphKernel::State::multiply(const Block& x, Block& y, int threads) const {
  apply_laplacian(*graph,
                  options.normalized ? LaplacianKind::symmetric : LaplacianKind::combinatorial, x,
                  y, threads);
}

KernelProduct GraphKernel::State::diffuse(const Block& x, const RunContext& run) const {
  KernelProduct result;
  const Stopwatch watch;
  const detail::ChebyshevSeries series = detail::decay_series(
      0.5 * options.time * largest_eigenvalue, options.tolerance, options.most_products);
  Ending& how = result.report;
  how.requested = how.used = "chebyshev";
  how.iterations = static_cast<std::int64_t>(series.coefficients.size()) - 1;
  const bool done = detail::apply_series(
      series, largest_eigenvalue,
      [&](const Block& from, Block& to) { multiply(from, to, run.thread_count()); },
      [&] { return run.should_stop(); }, x, result.values);
  result.report.certificates.push_back({"error_bound", {series.error_bound}});
  if (!done)
    how.outcome = run.stop_reason();
  else if (series.error_bound > options.tolerance)
    how.outcome = Outcome::iteration_limit;
  how.sentence = "Chebyshev polynomial of degree " + std::to_string(how.iterations) +
                 ", error at most " + to_brief_text(series.error_bound);
  result.report.solve_seconds = watch.seconds();
  return result;
}

KernelProduct GraphKernel::State::walk(const Block& x, const RunContext& run) const {
  KernelProduct result{x, {}};
  Block y;
  Ending& how = result.report;
  how.requested = how.used = "products";
  for (int step = 0; step < options.steps; ++step) {
    if (const auto why = run.stop()) {
      how.outcome = *why;
      break;
    }
    multiply(result.values, y, run.thread_count());
    for (std::size_t i = 0; i < y.values().size(); ++i) {
      double& value = result.values.data()[i];
      value = options.shift * value - y.data()[i];
    }
    ++how.iterations;
  }
  if (!std::ranges::all_of(result.values.values(),
                           [](double value) { return std::isfinite(value); }))
    throw Error(ErrorCode::usage, "kernel walk: numbers overflow within steps " +
                                      std::to_string(options.steps) + ", shift " +
                                      to_text(options.shift) +
                                      ": take fewer steps, or the normalized kernel");
  how.sentence = std::to_string(how.iterations) + " products";
  return result;
}

GraphKernel::GraphKernel(std::shared_ptr<const Graph> graph, const GraphKernelOptions& options,
                         const RunContext& run)
    : state_(std::make_unique<State>()) {
  if (graph == nullptr) throw Error(ErrorCode::usage, "kernel: a null graph: must be a graph");
  options.validate();
  state_->graph = std::move(graph);
  state_->options = options;
  state_->degree = weighted_degrees(*state_->graph, run.thread_count());
  state_->resolve_range();
  if (options.kind == KernelKind::diffusion || options.kind == KernelKind::walk) return;
  if (state_->beyond_degrees)
    state_->prepare_positive(run);
  else
    state_->prepare_solver(run);
}

GraphKernel::~GraphKernel() = default;
GraphKernel::GraphKernel(GraphKernel&&) noexcept = default;
GraphKernel& GraphKernel::operator=(GraphKernel&&) noexcept = default;

VertexId GraphKernel::size() const { return state_->graph->vertex_count(); }

const GraphKernelOptions& GraphKernel::options() const { return state_->options; }

KernelProduct GraphKernel::product(const Block& x, const RunContext& run) const {
  if (x.rows() != size())
    throw Error(ErrorCode::bad_data, std::to_string(x.rows()) + " rows for " +
                                         std::to_string(size()) +
                                         " vertices: must be one for each");
  if (!std::ranges::all_of(x.values(), [](double value) { return std::isfinite(value); }))
    throw Error(ErrorCode::bad_data, "kernel product: every value must be finite");
  switch (state_->options.kind) {
    case KernelKind::diffusion: return state_->diffuse(x, run);
    case KernelKind::walk: return state_->walk(x, run);
    default: return state_->solve(x, run);
  }
}

KernelProduct GraphKernel::columns(const std::vector<VertexId>& vertices,
                                   const RunContext& run) const {
  Block x(size(), static_cast<std::int64_t>(vertices.size()));
  for (std::size_t j = 0; j < vertices.size(); ++j) {
    if (vertices[j] < 0 || vertices[j] >= size())
      throw Error(ErrorCode::bad_data, "vertex " + std::to_string(vertices[j]) +
                                           ": must be in 0 … " + std::to_string(size() - 1));
    x(vertices[j], static_cast<std::int64_t>(j)) = 1.0;
  }
  return product(x, run);
}

std::optional<std::vector<double>> GraphKernel::diagonal(const RunContext& run) const {
  const State& s = *state_;
  if (s.options.kind == KernelKind::pseudoinverse && !s.options.normalized)
    return pseudoinverse_diagonal(*s.graph, {.method = ResistanceMethod::factor}, run).values;
  if (s.options.kind != KernelKind::regularized && s.options.kind != KernelKind::von_neumann)
    return std::nullopt;
  std::vector<double> found = resistances_from(with_ground_vertex(*s.graph, s.ground), size(),
                                               {.method = ResistanceMethod::factor}, run)
                                  .values;
  if (found.empty()) return found;
  found.pop_back();
  for (std::size_t v = 0; v < found.size(); ++v)
    found[v] = s.degree[v] == 0.0 ? s.alone[v] : found[v] * s.scale[v] * s.scale[v] / s.factor;
  return found;
}

}  // namespace gssl
