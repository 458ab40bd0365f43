#include "gssl/network/effective_resistance.hpp"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>
#include <string>

#include "gssl/core/error.hpp"
#include "gssl/core/number_text.hpp"
#include "gssl/graph/components.hpp"
#include "gssl/solve/network_factor.hpp"
#include "network/resistance_solves.hpp"
#include "transductive/fit_support.hpp"

namespace gssl {
namespace {

using detail::Stopwatch;

// Seconds on one core: of ordering, for each vertex and edge; of a solve of one column, for each
// entry of the matrix; of a pair, for each entry of the factor.
constexpr double seconds_of_ordering = 0.3e-6;
constexpr double seconds_of_solve = 80e-9;
constexpr double seconds_of_pair = 0.04e-9;
constexpr double flops_per_second = 8e9;
constexpr double bytes_per_entry = 16.0;
// Errors that rounding explains.
constexpr double most_backward_error = 1e-11;
constexpr double most_foster_error = 1e-8;

std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

double machine_bytes() {
  return static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
}

double most_bytes(const ResistanceOptions& options) {
  return options.most_bytes > 0.0 ? options.most_bytes : 0.5 * machine_bytes();
}

void mark_stopped(Report& report, const RunContext& run) {
  report.solver.outcome = run.cancelled() ? Outcome::cancelled : Outcome::time_limit;
}

// The factor, checked, or null: the report says why.
std::unique_ptr<NetworkFactor> checked_factor(const Graph& graph, const ResistanceOptions& options,
                                              const RunContext& run, VertexId last,
                                              double most_seconds, Report& report) {
  const Stopwatch setup;
  SolveReport& solver = report.solver;
  solver.requested = to_string(options.method);
  double bytes = 0.0;
  bool refused = false;
  auto factor = make_network_factor(
      graph, run,
      [&](const FactorSize& size) {
        bytes = bytes_per_entry * size.nonzeros;
        solver.sentence = "factor of " + to_brief_text(size.nonzeros) + " entries";
        refused = bytes > most_bytes(options) || size.flops / flops_per_second > most_seconds;
        return !refused;
      },
      last);
  report.setup_seconds += setup.seconds();
  if (refused && std::isinf(most_seconds)) {
    throw Error(ErrorCode::out_of_memory,
                "exact resistances: the factor needs about " + to_brief_text(bytes / 1e9) +
                    " GB and may have " + to_brief_text(most_bytes(options) / 1e9) +
                    " GB: ask for fewer pairs, or a sketch with --epsilon");
  }
  if (refused) return nullptr;
  solver.used = "factor";
  if (factor != nullptr) return factor;
  if (run.should_stop()) {
    mark_stopped(report, run);
    return nullptr;
  }
  solver.outcome = Outcome::breakdown;
  solver.sentence += ", and weights so far apart that a conductance became zero";
  return nullptr;
}

// Columns that sum to zero on every component: random signs less their mean.
Block probe(const Components& components, const RunContext& run) {
  Rng rng = run.rng();
  Block b(static_cast<std::int64_t>(components.of.size()), 1);
  std::vector<double> total(at(components.count), 0.0);
  for (std::int64_t v = 0; v < b.rows(); ++v) {
    b(v, 0) = rng.below(2) == 0 ? 1.0 : -1.0;
    total[at(components.of[at(v)])] += b(v, 0);
  }
  for (std::int64_t v = 0; v < b.rows(); ++v) {
    const VertexId k = components.of[at(v)];
    b(v, 0) -= total[at(k)] / components.sizes[at(k)];
  }
  return b;
}

void certify_factor(const Graph& graph, const Components& components, const NetworkFactor& factor,
                    const RunContext& run, Report& report) {
  const Block b = probe(components, run);
  const Block x = factor.solve(b, run);
  std::vector<char> root(at(graph.vertex_count()), 0);
  for (const VertexId v : factor.roots()) root[at(v)] = 1;
  double worst = 0.0, residual = 0.0, given = 0.0;
  for (VertexId v = 0; v < graph.vertex_count(); ++v) {
    double left = b(v, 0), size = std::abs(b(v, 0));
    graph.visit_row(v, [&](VertexId u, double w) {
      left -= w * (x(v, 0) - x(u, 0));
      size += w * (std::abs(x(v, 0)) + std::abs(x(u, 0)));
    });
    given += b(v, 0) * b(v, 0);
    residual += left * left;
    // What the other rows got wrong adds up at the root.
    if (root[at(v)] == 0 && size > 0.0) worst = std::max(worst, std::abs(left) / size);
  }
  report.certificates.push_back({"backward_error", {worst}});
  report.solver.relative_residual = given > 0.0 ? std::sqrt(residual / given) : 0.0;
  if (!(worst <= most_backward_error)) {
    report.solver.outcome = Outcome::breakdown;
    report.solver.sentence += ", whose backward error is too large";
  }
}

void certify_foster(const Graph& graph, const Components& components,
                    const std::vector<double>& edge, Report& report) {
  const std::vector<double> share = spanning_edge_centrality(graph, edge);
  const double sum = std::accumulate(share.begin(), share.end(), 0.0);
  const double expected = static_cast<double>(graph.vertex_count() - components.count);
  report.certificates.push_back({"foster_sum", {sum}});
  report.certificates.push_back({"foster_expected", {expected}});
  if (!(std::abs(sum - expected) <= most_foster_error * std::max(expected, 1.0))) {
    report.solver.outcome = Outcome::breakdown;
    report.solver.sentence += ", whose resistances miss Foster's sum";
  }
}

void finish_sentence(Report& report) {
  std::string& text = report.solver.sentence;
  if (report.solver.outcome == Outcome::converged && report.solver.used == "factor")
    text += ", exact but for rounding";
}

struct Selected {
  std::unique_ptr<NetworkFactor> factor;
  Components components;
  SelectedResistances found;  // empty: the report says why
};

Selected select(const Graph& graph, const ResistanceOptions& options, const RunContext& run,
                VertexId last, Report& report) {
  options.validate();
  if (options.method == ResistanceMethod::solves)
    throw Error(ErrorCode::usage, "method solves: is for pairs; use factor or automatic");
  Selected result{nullptr, connected_components(graph), {}};
  result.factor =
      checked_factor(graph, options, run, last, std::numeric_limits<double>::infinity(), report);
  if (result.factor == nullptr) return result;
  const Stopwatch solving;
  certify_factor(graph, result.components, *result.factor, run, report);
  result.found = result.factor->selected(run);
  if (run.should_stop()) {
    result.found = {};
    mark_stopped(report, run);
  } else {
    certify_foster(graph, result.components, result.found.edge, report);
  }
  report.solve_seconds += solving.seconds();
  finish_sentence(report);
  return result;
}

void check_vertex(const Graph& graph, VertexId v) {
  if (v < 0 || v >= graph.vertex_count())
    throw Error(ErrorCode::bad_data, "vertex " + std::to_string(v) + ": must be in 0 … " +
                                         std::to_string(graph.vertex_count() - 1));
}

// Columns of ones solved by the factor, and their sum over each component.
struct OnesSolved {
  Block s;
  std::vector<double> total;
};

OnesSolved solve_ones(const Selected& selected, const RunContext& run) {
  const Components& components = selected.components;
  OnesSolved result{
      selected.factor->solve(Block(static_cast<std::int64_t>(components.of.size()), 1, 1.0), run),
      std::vector<double>(at(components.count), 0.0)};
  for (std::int64_t v = 0; v < result.s.rows(); ++v)
    result.total[at(components.of[at(v)])] += result.s(v, 0);
  return result;
}

}  // namespace

std::string_view to_string(ResistanceMethod method) {
  switch (method) {
    case ResistanceMethod::automatic: return "automatic";
    case ResistanceMethod::factor: return "factor";
    case ResistanceMethod::solves: return "solves";
  }
  return "automatic";
}

ResistanceMethod parse_resistance_method(std::string_view name) {
  for (const ResistanceMethod method :
       {ResistanceMethod::automatic, ResistanceMethod::factor, ResistanceMethod::solves})
    if (name == to_string(method)) return method;
  throw Error(ErrorCode::usage,
              "resistance method '" + std::string(name) + "'; expected automatic|factor|solves");
}

void ResistanceOptions::validate() const {
  if (!(tolerance > 0.0 && tolerance < 1.0))
    throw Error(ErrorCode::usage, "tolerance " + to_text(tolerance) + ": must be in (0, 1)");
  if (!(most_bytes >= 0.0))
    throw Error(ErrorCode::usage, "most_bytes " + to_text(most_bytes) + ": must be ≥ 0");
}

ResistanceAnswer pair_resistances(const Graph& graph, const std::vector<VertexPair>& pairs,
                                  const ResistanceOptions& options, const RunContext& run) {
  options.validate();
  for (const VertexPair& pair : pairs) {
    check_vertex(graph, pair.u);
    check_vertex(graph, pair.v);
  }
  ResistanceAnswer answer;
  Report& report = answer.report;
  const Components components = connected_components(graph);
  std::vector<VertexPair> inner;  // what there is to compute
  for (const VertexPair& pair : pairs)
    if (pair.u != pair.v && components.of[at(pair.u)] == components.of[at(pair.v)])
      inner.push_back(pair);

  const double entries =
      2.0 * static_cast<double>(graph.edge_count()) + static_cast<double>(graph.vertex_count());
  const double solving =
      static_cast<double>(detail::solve_columns(inner)) * entries * seconds_of_solve;
  ResistanceAnswer found;
  found.report.solver.requested = to_string(options.method);
  std::unique_ptr<NetworkFactor> factor;
  const bool automatic = options.method == ResistanceMethod::automatic;
  if (!inner.empty() && (options.method == ResistanceMethod::factor ||
                         (automatic && solving > entries * seconds_of_ordering))) {
    factor =
        checked_factor(graph, options, run, no_vertex,
                       automatic ? solving : std::numeric_limits<double>::infinity(), found.report);
  }
  if (factor != nullptr) {
    certify_factor(graph, components, *factor, run, found.report);
    const Stopwatch watch;
    found.values = factor->resistances(inner, run);
    found.report.solve_seconds += watch.seconds();
    finish_sentence(found.report);
  } else if (!inner.empty() && found.report.solver.used.empty()) {
    const std::string why = found.report.solver.sentence;
    detail::solve_pairs(graph, components, inner, options.tolerance, run, found);
    SolveReport& solver = found.report.solver;
    solver.requested = to_string(options.method);
    solver.used = "solves";
    if (!why.empty()) solver.sentence = why + ", too large for these pairs; " + solver.sentence;
    const auto worst = std::ranges::max_element(found.error_bound);
    found.report.certificates.push_back({"error_bound", {*worst}});
  }
  report = std::move(found.report);
  if (run.should_stop()) {
    mark_stopped(report, run);
    return answer;
  }
  if (!inner.empty() && found.values.empty()) return answer;
  answer.values.reserve(pairs.size());
  std::size_t next = 0;
  for (const VertexPair& pair : pairs) {
    const bool apart = components.of[at(pair.u)] != components.of[at(pair.v)];
    const bool computed = pair.u != pair.v && !apart;
    answer.values.push_back(computed ? found.values[next]
                            : apart  ? std::numeric_limits<double>::infinity()
                                     : 0.0);
    if (!found.error_bound.empty())
      answer.error_bound.push_back(computed ? found.error_bound[next] : 0.0);
    next += computed ? 1 : 0;
  }
  return answer;
}

ResistanceAnswer edge_resistances(const Graph& graph, const ResistanceOptions& options,
                                  const RunContext& run) {
  ResistanceAnswer answer;
  Selected selected = select(graph, options, run, no_vertex, answer.report);
  answer.values = std::move(selected.found.edge);
  return answer;
}

ResistanceAnswer resistances_from(const Graph& graph, VertexId source,
                                  const ResistanceOptions& options, const RunContext& run) {
  check_vertex(graph, source);
  ResistanceAnswer answer;
  Selected selected = select(graph, options, run, source, answer.report);
  answer.values = std::move(selected.found.to_root);
  const std::vector<VertexId>& component = selected.components.of;
  for (std::size_t v = 0; v < answer.values.size(); ++v)
    if (component[v] != component[at(source)])
      answer.values[v] = std::numeric_limits<double>::infinity();
  return answer;
}

ResistanceAnswer pseudoinverse_diagonal(const Graph& graph, const ResistanceOptions& options,
                                        const RunContext& run) {
  ResistanceAnswer answer;
  Selected selected = select(graph, options, run, no_vertex, answer.report);
  answer.values = std::move(selected.found.to_root);
  if (answer.values.empty()) return answer;
  const OnesSolved ones = solve_ones(selected, run);
  for (std::size_t v = 0; v < answer.values.size(); ++v) {
    const VertexId k = selected.components.of[v];
    const double n = selected.components.sizes[at(k)];
    answer.values[v] += (ones.total[at(k)] / n - 2.0 * ones.s(static_cast<std::int64_t>(v), 0)) / n;
  }
  return answer;
}

ResistanceAnswer total_resistances(const Graph& graph, const ResistanceOptions& options,
                                   const RunContext& run) {
  ResistanceAnswer answer;
  const Selected selected = select(graph, options, run, no_vertex, answer.report);
  if (answer.report.solver.outcome != Outcome::converged && selected.found.to_root.empty() &&
      graph.vertex_count() > 0)
    return answer;
  if (selected.factor == nullptr) return answer;
  const OnesSolved ones = solve_ones(selected, run);
  const Components& components = selected.components;
  answer.values.assign(at(components.count), 0.0);
  for (std::size_t v = 0; v < selected.found.to_root.size(); ++v) {
    const VertexId k = components.of[v];
    answer.values[at(k)] += components.sizes[at(k)] * selected.found.to_root[v];
  }
  for (std::size_t k = 0; k < answer.values.size(); ++k) answer.values[k] -= ones.total[k];
  return answer;
}

std::vector<double> spanning_edge_centrality(const Graph& graph,
                                             const std::vector<double>& edge_resistance) {
  if (edge_resistance.size() != at(graph.edge_count()))
    throw Error(ErrorCode::usage, std::to_string(edge_resistance.size()) + " resistances for " +
                                      std::to_string(graph.edge_count()) +
                                      " edges: must be one for each");
  std::vector<double> share(edge_resistance.size());
  std::size_t e = 0;
  for (VertexId u = 0; u < graph.vertex_count(); ++u) {
    graph.visit_row(u, [&](VertexId v, double w) {
      if (v > u) share[e] = w * edge_resistance[e], ++e;
    });
  }
  return share;
}

}  // namespace gssl
