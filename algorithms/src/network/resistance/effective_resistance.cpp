#include "gssl/network/effective_resistance.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>
#include <string>
#include <utility>

#include "certify_resistance.hpp"
#include "gssl/core/error.hpp"
#include "gssl/core/index.hpp"
#include "gssl/core/machine.hpp"
#include "gssl/core/number_text.hpp"
#include "gssl/core/stopwatch.hpp"
#include "gssl/factor/network_factor.hpp"
#include "gssl/graph/components.hpp"
#include "gssl/solve/cost_model.hpp"
#include "gssl/solve/solver_memory.hpp"
#include "network/check_vertex.hpp"
#include "resistance_sketch.hpp"
#include "resistance_solves.hpp"
#include "support/mark_stopped.hpp"

namespace gssl {
namespace {

using namespace detail;

double most_bytes(const ResistanceOptions& options, const RunContext& run) {
  const double half = 0.5 * static_cast<double>(physical_memory());
  const double most = options.most_bytes > 0.0 ? options.most_bytes : half;
  return run.memory_limit == 0 ? most : std::min(most, static_cast<double>(run.memory_limit));
}

void mark_stopped(Report& report, const RunContext& run) {
  detail::mark_stopped(report, run.stop_reason());
}

// Threads beside the first have heaps of their own, with holes of their own: measured on graphs with
// hubs, where up to 1.21 times what is counted was held.
double factor_bytes(const FactorSize& size, bool inverse, VertexId vertices, int threads) {
  constexpr double holes = 1.15, bytes_of_heap = 4e6;
  const double counted = size.peaks.at_most(inverse, vertices);
  return threads == 1 ? counted : holes * counted + bytes_of_heap * (threads - 1);
}

// The factor, checked, or null: the report says why. `inverse`: it is to be selected from.
std::unique_ptr<NetworkFactor> checked_factor(const Graph& graph, const ResistanceOptions& options,
                                              const RunContext& run, VertexId last, bool inverse,
                                              double most_seconds, Report& report) {
  const Stopwatch setup;
  Ending& ending = report;
  ending.requested = to_string(options.method);
  double bytes = 0.0;
  bool refused = false;
  auto factor = make_network_factor(
      graph, run,
      [&](const FactorSize& size) {
        bytes = factor_bytes(size, inverse, graph.vertex_count(), run.thread_count());
        ending.sentence = "factor of " + to_brief_text(size.nonzeros) + " entries";
        refused = bytes > most_bytes(options, run) ||
                  size.flops * cost_model().network_flop > most_seconds;
        return !refused;
      },
      last);
  report.setup_seconds += setup.seconds();
  if (refused && std::isinf(most_seconds)) {
    const double most = most_bytes(options, run);
    if (run.memory_limit > 0 && most >= static_cast<double>(run.memory_limit))
      throw MemoryError("exact resistances", static_cast<std::size_t>(std::ceil(bytes)),
                        run.memory_limit);
    throw Error(ErrorCode::out_of_memory,
                "exact resistances: the factor needs about " + to_brief_text(bytes / 1e9) +
                    " GB and may have " + to_brief_text(most / 1e9) +
                    " GB: ask for a sketch, or for few pairs",
                Remedy::epsilon);
  }
  if (refused) return nullptr;
  ending.used = "factor";
  if (factor != nullptr) return factor;
  if (run.should_stop()) {
    mark_stopped(report, run);
    return nullptr;
  }
  ending.outcome = Outcome::breakdown;
  ending.sentence += ", and weights so far apart that a conductance became zero";
  return nullptr;
}

// Of what a factor gave.
void finish_sentence(Report& report) {
  std::string& text = report.sentence;
  if (report.outcome == Outcome::converged) text += ", exact but for rounding";
}

struct Selected {
  std::unique_ptr<NetworkFactor> factor;
  Components components;
  SelectedResistances found;  // empty: the report says why
};

// Of one column. Where there are hubs a few sweeps do.
double column_seconds(const NetworkSize& size) {
  constexpr double swept_share = 0.25;
  return (2.0 * size.edges + size.rows) * cost_model().resistance_entry *
         (size.hubs ? swept_share : 1.0);
}

double sketch_seconds(const NetworkSize& size, const ResistanceOptions& options) {
  return cost_model().sketch_columns * std::max(1.0, 0.1 / options.epsilon) * column_seconds(size);
}

// Whether to order and count a factor where there is another way of so many seconds. Hubs fill in:
// to order a million edges takes twice as long then, ten million eleven times, and the factor is
// seldom wanted.
bool is_counted(const NetworkSize& size, double otherwise) {
  constexpr double doubling_edges = 1e6;
  const CostModel& cost = cost_model();
  const double seconds = cost.ordering * (size.edges + size.rows);
  if (!size.hubs) return seconds < otherwise;
  return seconds * (1.0 + size.edges / doubling_edges) < cost.ordering_share * otherwise;
}

// Without `found` and with report.used empty, a sketch is to answer.
Selected select(const Graph& graph, const ResistanceOptions& options, const RunContext& run,
                VertexId last, Report& report) {
  options.validate();
  if (options.method == ResistanceMethod::solves)
    throw Error(ErrorCode::usage, "method solves: is for pairs; use factor or automatic");
  Selected result{nullptr, connected_components(graph), {}};
  report.requested = to_string(options.method);
  const bool may_sketch = options.method == ResistanceMethod::automatic && options.epsilon > 0.0;
  const double sketch = may_sketch ? sketch_seconds(graph, options) : 0.0;
  if (options.method == ResistanceMethod::sketch || (may_sketch && !is_counted(graph, sketch)))
    return result;
  result.factor = checked_factor(
      graph, options, run, last, true,
      may_sketch ? sketch / cost_model().selected_inverse : std::numeric_limits<double>::infinity(),
      report);
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

// Where every pair asked for is one vertex twice, or two of different components.
void nothing_to_solve(std::size_t pairs, Report& report) {
  report.used = "none";
  report.sentence =
      std::to_string(pairs) + " pairs, none of two vertices of one component: nothing to solve";
}

// What to say of a sketch that has ended.
void conclude_sketch(const RunContext& run, const std::string& refused, Report& report) {
  Ending& ending = report;
  ending.used = "sketch";
  ending.sentence = (refused.empty() ? "" : refused + ", too large beside a sketch; ") +
                    "random projections solved by " + ending.sentence;
  if (run.should_stop()) mark_stopped(report, run);
}

// Columns of ones solved by the factor, and their sum over each component.
struct OnesSolved {
  Block s;
  std::vector<double> total;
};

OnesSolved solve_ones(const Selected& selected, const RunContext& run) {
  const Components& components = selected.components;
  OnesSolved result{{}, std::vector<double>(index(components.count), 0.0)};
  selected.factor->solve(Block(static_cast<std::int64_t>(components.of.size()), 1, 1.0), result.s,
                         run);
  for (std::int64_t v = 0; v < result.s.rows(); ++v)
    result.total[index(components.of[index(v)])] += result.s(v, 0);
  return result;
}

}  // namespace

std::string_view to_string(ResistanceMethod method) {
  return names_of<ResistanceMethod>.name(method);
}

ResistanceMethod parse_resistance_method(std::string_view name) {
  return names_of<ResistanceMethod>.value(name);
}

void ResistanceOptions::validate() const {
  if (!(tolerance > 0.0 && tolerance < 1.0))
    throw Error(ErrorCode::usage, "tolerance " + to_text(tolerance) + ": must be in (0, 1)");
  if (!(epsilon >= 0.0 && epsilon < 1.0))
    throw Error(ErrorCode::usage, "epsilon " + to_text(epsilon) + ": must be in [0, 1)");
  if (method == ResistanceMethod::sketch && epsilon == 0.0)
    throw Error(ErrorCode::usage, "method sketch: epsilon must say how far off it may be");
  if (!(failure_probability > 0.0 && failure_probability < 1.0))
    throw Error(ErrorCode::usage,
                "failure_probability " + to_text(failure_probability) + ": must be in (0, 1)");
  if (!(most_bytes >= 0.0))
    throw Error(ErrorCode::usage, "most_bytes " + to_text(most_bytes) + ": must be ≥ 0");
}

namespace {

// Of vertices that are connected, or of their sums.
std::vector<double> finite(std::vector<double> values) {
  if (!std::ranges::all_of(values, [](double r) { return std::isfinite(r); }))
    throw Error(ErrorCode::bad_data,
                "a resistance exceeds the largest number: scale the weights up");
  return values;
}

// The pairs that there is something to compute for, and the way back.
struct InnerPairs {
  const Components& components;
  const std::vector<VertexPair>& asked;
  std::vector<VertexPair> inner = {};

  InnerPairs(const Components& all, const std::vector<VertexPair>& pairs)
      : components(all), asked(pairs) {
    for (const VertexPair& pair : pairs)
      if (computed(pair)) inner.push_back(pair);
  }
  bool apart(const VertexPair& pair) const {
    return components.of[index(pair.u)] != components.of[index(pair.v)];
  }
  bool computed(const VertexPair& pair) const { return pair.u != pair.v && !apart(pair); }

  // `found`, of the inner pairs, for all; stays empty if it is and there were inner pairs.
  ResistanceAnswer spread(ResistanceAnswer found) const {
    ResistanceAnswer answer;
    answer.report = std::move(found.report);
    if (found.values.empty() && !inner.empty()) return answer;
    found.values = finite(std::move(found.values));
    std::size_t next = 0;
    for (const VertexPair& pair : asked) {
      const bool has = computed(pair);
      answer.values.push_back(has           ? found.values[next]
                              : apart(pair) ? std::numeric_limits<double>::infinity()
                                            : 0.0);
      if (!found.error_bound.empty())
        answer.error_bound.push_back(has ? found.error_bound[next] : 0.0);
      next += has ? 1 : 0;
    }
    return answer;
  }
};

ResistanceAnswer sketched(const Graph& graph, const Components& components,
                          const std::vector<VertexPair>& pairs, const ResistanceOptions& options,
                          const RunContext& run, Report so_far) {
  const InnerPairs split(components, pairs);
  ResistanceAnswer found;
  found.report = std::move(so_far);
  if (split.inner.empty()) {
    nothing_to_solve(pairs.size(), found.report);
    return split.spread(std::move(found));
  }
  const std::string refused = std::exchange(found.report.sentence, "");
  sketch_pairs(graph, components, split.inner, options, run, found);
  conclude_sketch(run, refused, found.report);
  return split.spread(std::move(found));
}

}  // namespace

ResistanceAnswer pair_resistances(const Graph& graph, const std::vector<VertexPair>& pairs,
                                  const ResistanceOptions& options, const RunContext& run) {
  options.validate();
  for (const VertexPair& pair : pairs) {
    detail::check_vertex(graph, pair.u);
    detail::check_vertex(graph, pair.v);
  }
  const Components components = connected_components(graph);
  const InnerPairs split(components, pairs);
  const std::vector<VertexPair>& inner = split.inner;
  ResistanceAnswer found;
  Report& report = found.report;
  report.requested = to_string(options.method);
  if (inner.empty()) {
    nothing_to_solve(pairs.size(), report);
    return split.spread(std::move(found));
  }

  const CostModel& cost = cost_model();
  const bool automatic = options.method == ResistanceMethod::automatic;
  const NetworkSize size(graph);
  const double solving = static_cast<double>(solve_columns(inner)) * column_seconds(size);
  const bool sketch_is_less =
      automatic && options.epsilon > 0.0 && sketch_seconds(size, options) < solving;
  const double otherwise =
      std::max(cost.unnoticed_exact, sketch_is_less ? sketch_seconds(size, options) : solving);
  std::unique_ptr<NetworkFactor> factor;
  if (options.method == ResistanceMethod::factor || (automatic && is_counted(size, otherwise))) {
    factor =
        checked_factor(graph, options, run, no_vertex, false,
                       automatic ? otherwise : std::numeric_limits<double>::infinity(), report);
  }
  if (factor != nullptr) {
    certify_factor(graph, components, *factor, run, report);
    const Stopwatch watch;
    found.values = factor->resistances(inner, run);
    report.solve_seconds += watch.seconds();
    finish_sentence(report);
    if (run.should_stop()) found.values.clear();
  } else if (report.used.empty()) {
    if (sketch_is_less || options.method == ResistanceMethod::sketch)
      return sketched(graph, components, pairs, options, run, std::move(report));
    const std::string refused = std::exchange(report.sentence, "");
    solve_pairs(graph, components, inner, options.tolerance, run, found);
    report.requested = to_string(options.method);
    report.used = "solves";
    if (!refused.empty())
      report.sentence = refused + ", too large for these pairs; " + report.sentence;
    report.certificates.push_back({"error_bound", {*std::ranges::max_element(found.error_bound)}});
    if (run.should_stop()) found.values.clear(), found.error_bound.clear();
  }
  if (run.should_stop()) mark_stopped(report, run);
  return split.spread(std::move(found));
}

ResistanceAnswer edge_resistances(const Graph& graph, const ResistanceOptions& options,
                                  const RunContext& run) {
  ResistanceAnswer answer;
  Selected selected = select(graph, options, run, no_vertex, answer.report);
  if (answer.report.used.empty()) {
    answer = sketched(graph, selected.components, edge_pairs(graph), options, run,
                      std::move(answer.report));
    if (!answer.values.empty())
      report_foster(graph, selected.components, answer.values, answer.report);
    return answer;
  }
  answer.values = finite(std::move(selected.found.edge));
  return answer;
}

ResistanceAnswer resistances_from(const Graph& graph, VertexId source,
                                  const ResistanceOptions& options, const RunContext& run) {
  detail::check_vertex(graph, source);
  ResistanceAnswer answer;
  Selected selected = select(graph, options, run, source, answer.report);
  if (answer.report.used.empty()) {
    std::vector<VertexPair> pairs;
    pairs.reserve(index(graph.vertex_count()));
    for (VertexId v = 0; v < graph.vertex_count(); ++v) pairs.push_back({source, v});
    return sketched(graph, selected.components, pairs, options, run, std::move(answer.report));
  }
  answer.values = finite(std::move(selected.found.to_root));
  const std::vector<VertexId>& component = selected.components.of;
  for (std::size_t v = 0; v < answer.values.size(); ++v)
    if (component[v] != component[index(source)])
      answer.values[v] = std::numeric_limits<double>::infinity();
  return answer;
}

namespace {

struct Diagonal {
  ResistanceAnswer answer;
  Components components;
};

Diagonal find_diagonal(const Graph& graph, const ResistanceOptions& options,
                       const RunContext& run) {
  Diagonal diagonal;
  ResistanceAnswer& answer = diagonal.answer;
  Selected selected = select(graph, options, run, no_vertex, answer.report);
  if (answer.report.used.empty()) {
    const std::string refused = std::exchange(answer.report.sentence, "");
    sketch_diagonal(graph, selected.components, options, run, answer);
    conclude_sketch(run, refused, answer.report);
  } else if (!selected.found.to_root.empty()) {
    answer.values = std::move(selected.found.to_root);
    const OnesSolved ones = solve_ones(selected, run);
    for (std::size_t v = 0; v < answer.values.size(); ++v) {
      const VertexId k = selected.components.of[v];
      const double n = selected.components.sizes[index(k)];
      answer.values[v] +=
          (ones.total[index(k)] / n - 2.0 * ones.s(static_cast<std::int64_t>(v), 0)) / n;
    }
  }
  answer.values = finite(std::move(answer.values));
  diagonal.components = std::move(selected.components);
  return diagonal;
}

}  // namespace

ResistanceAnswer pseudoinverse_diagonal(const Graph& graph, const ResistanceOptions& options,
                                        const RunContext& run) {
  return find_diagonal(graph, options, run).answer;
}

// Σ_{u<v} r(u, v) = n·tr L⁺ on each component.
ResistanceAnswer total_resistances(const Graph& graph, const ResistanceOptions& options,
                                   const RunContext& run) {
  auto [answer, components] = find_diagonal(graph, options, run);
  const auto by_component = [&, &of = components](const std::vector<double>& values) {
    std::vector<double> total(index(of.count), 0.0);
    for (std::size_t v = 0; v < values.size(); ++v)
      total[index(of.of[v])] += of.sizes[index(of.of[v])] * values[v];
    return total;
  };
  if (answer.values.empty()) return std::move(answer);
  answer.values = finite(by_component(answer.values));
  if (!answer.error_bound.empty()) answer.error_bound = by_component(answer.error_bound);
  return std::move(answer);
}

std::vector<VertexPair> edge_pairs(const Graph& graph) {
  std::vector<VertexPair> pairs;
  pairs.reserve(index(graph.edge_count()));
  for (VertexId u = 0; u < graph.vertex_count(); ++u)
    for (const VertexId v : graph.neighbors(u))
      if (v > u) pairs.push_back({u, v});
  return pairs;
}

std::vector<double> spanning_edge_centrality(const Graph& graph,
                                             const std::vector<double>& edge_resistance) {
  if (edge_resistance.size() != index(graph.edge_count()))
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
