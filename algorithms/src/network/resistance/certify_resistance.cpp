#include "certify_resistance.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "gssl/core/block.hpp"
#include "gssl/core/index.hpp"

namespace gssl::detail {
namespace {

// Errors that rounding explains.
constexpr double most_backward_error = 1e-11;
constexpr double most_foster_error = 1e-8;

// A column that sums to zero on every component: random signs less their mean.
Block probe(const Components& components, const RunContext& run) {
  Rng rng = run.rng();
  Block b(static_cast<std::int64_t>(components.of.size()), 1);
  std::vector<double> total(index(components.count), 0.0);
  for (std::int64_t v = 0; v < b.rows(); ++v) {
    b(v, 0) = rng.below(2) == 0 ? 1.0 : -1.0;
    total[index(components.of[index(v)])] += b(v, 0);
  }
  for (std::int64_t v = 0; v < b.rows(); ++v) {
    const VertexId k = components.of[index(v)];
    b(v, 0) -= total[index(k)] / components.sizes[index(k)];
  }
  return b;
}

}  // namespace

void certify_factor(const Graph& graph, const Components& components, const NetworkFactor& factor,
                    const RunContext& run, Report& report) {
  const Block b = probe(components, run);
  Block x;
  factor.solve(b, x, run);
  std::vector<char> root(index(graph.vertex_count()), 0);
  for (const VertexId v : factor.roots()) root[index(v)] = 1;
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
    if (root[index(v)] == 0 && size > 0.0) worst = std::max(worst, std::abs(left) / size);
  }
  report.certificates.push_back({"backward_error", {worst}});
  report.system_numbers().relative_residual = given > 0.0 ? std::sqrt(residual / given) : 0.0;
  if (!(worst <= most_backward_error)) {
    report.outcome = Outcome::breakdown;
    report.sentence += ", whose backward error is too large";
  }
}

void report_foster(const Graph& graph, const Components& components,
                   const std::vector<double>& edge, Report& report) {
  const std::vector<double> share = spanning_edge_centrality(graph, edge);
  const double sum = std::accumulate(share.begin(), share.end(), 0.0);
  const double expected = static_cast<double>(graph.vertex_count() - components.count);
  report.certificates.push_back({"foster_sum", {sum}});
  report.certificates.push_back({"foster_expected", {expected}});
}

void certify_foster(const Graph& graph, const Components& components,
                    const std::vector<double>& edge, Report& report) {
  report_foster(graph, components, edge, report);
  const double expected = report.certificates.back().values.front();
  const double sum = report.certificates[report.certificates.size() - 2].values.front();
  if (!(std::abs(sum - expected) <= most_foster_error * std::max(expected, 1.0))) {
    report.outcome = Outcome::breakdown;
    report.sentence += ", whose resistances miss Foster's sum";
  }
}

}  // namespace gssl::detail
