#include "kernel/vertex_kernel.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <utility>

#include "gssl/core/index.hpp"

namespace gssl::detail {
namespace {

using Kind = KernelTerm::Kind;

constexpr std::int64_t vertices_at_once = 32;

// Of all factors of a product the only one that is no number; -1: none is, or several are.
template <class Node>
std::int64_t single_factor(const std::vector<Node>& factors) {
  std::int64_t found = -1;
  for (std::int64_t i = 0; i < std::ssize(factors); ++i) {
    if (factors[index(i)].kind == Kind::constant) continue;
    if (found >= 0) return -1;
    found = i;
  }
  return found;
}

template <class Node>
bool all_constant(const Node& node) {
  return node.kind == Kind::constant ||
         (!node.terms.empty() && std::ranges::all_of(node.terms, all_constant<Node>));
}

std::span<double> cells_of(Block& block) { return {block.data(), block.values().size()}; }

void scale_rows(Block& block, const std::vector<double>& by) {
  for (std::int64_t v = 0; v < block.rows(); ++v)
    for (double& value : block.row(v)) value *= by[index(v)];
}

}  // namespace

VertexKernel::VertexKernel(std::shared_ptr<const Graph> graph, const KernelTerm& term,
                           const RunContext& run)
    : graph_(std::move(graph)), components_(connected_components(*graph_)) {
  root_ = prepared(term, run);
}

VertexKernel::Node VertexKernel::prepared(const KernelTerm& term, const RunContext& run) {
  Node node{.kind = term.kind, .scale = term.scale, .degree = term.degree};
  if (term.kind == Kind::graph) {
    node.kernel.emplace(graph_, parse_kernel(term.graph), run);
    tolerance_ = std::max(tolerance_, node.kernel->options().tolerance);
  }
  for (const KernelTerm& inner : term.terms) node.terms.push_back(prepared(inner, run));
  if (term.kind == Kind::normalize)
    for (const double k : diagonal(node.terms[0], run))
      node.inverse_roots.push_back(k > 0.0 ? 1.0 / std::sqrt(k) : 0.0);
  const bool several = term.kind == Kind::product && single_factor(node.terms) < 0;
  if ((several || (term.kind == Kind::power && term.degree > 1)) && !all_constant(node))
    entrywise_ = true;
  return node;
}

KernelProduct VertexKernel::product(const Block& x, const RunContext& run) const {
  if (root_->kernel) return root_->kernel->product(x, run);
  KernelProduct result;
  result.values = product(*root_, x, result.report, run);
  return result;
}

KernelProduct VertexKernel::columns(const std::vector<VertexId>& vertices,
                                    const RunContext& run) const {
  if (root_->kernel) return root_->kernel->columns(vertices, run);
  KernelProduct result;
  result.values = columns(*root_, vertices, result.report, run);
  return result;
}

Block VertexKernel::product(const Node& node, const Block& x, Report& report,
                            const RunContext& run) const {
  switch (node.kind) {
    case Kind::graph: {
      KernelProduct found = node.kernel->product(x, run);
      merge(report, solve_report(found.report));
      return std::move(found.values);
    }
    case Kind::sum: {
      Block all = product(node.terms[0], x, report, run);
      for (std::size_t t = 1; t < node.terms.size(); ++t) {
        const Block next = product(node.terms[t], x, report, run);
        for (std::size_t i = 0; i < all.values().size(); ++i) all.data()[i] += next.data()[i];
      }
      return all;
    }
    case Kind::product: {
      const std::int64_t factor = single_factor(node.terms);
      if (factor < 0) return product_of_columns(node, x, report, run);
      double by = 1.0;
      for (const Node& inner : node.terms)
        if (inner.kind == Kind::constant) by *= inner.scale;
      Block all = product(node.terms[index(factor)], x, report, run);
      for (double& value : cells_of(all)) value *= by;
      return all;
    }
    case Kind::normalize: {
      Block scaled = x;
      scale_rows(scaled, node.inverse_roots);
      Block all = product(node.terms[0], scaled, report, run);
      scale_rows(all, node.inverse_roots);
      return all;
    }
    case Kind::constant: {
      Block sums(components_.count, x.columns());
      for (VertexId v = 0; v < size(); ++v)
        for (std::int64_t c = 0; c < x.columns(); ++c)
          sums(components_.of[index(v)], c) += node.scale * x(v, c);
      Block all(size(), x.columns());
      for (VertexId v = 0; v < size(); ++v)
        std::ranges::copy(sums.row(components_.of[index(v)]), all.row(v).begin());
      return all;
    }
    default: return product_of_columns(node, x, report, run);
  }
}

Block VertexKernel::product_of_columns(const Node& node, const Block& x, Report& report,
                                       const RunContext& run) const {
  Block all(size(), x.columns());
  std::vector<VertexId> vertices;
  const auto flush = [&] {
    const Block k = columns(node, vertices, report, run);
    for (std::int64_t v = 0; v < all.rows(); ++v)
      for (std::size_t j = 0; j < vertices.size(); ++j)
        for (std::int64_t c = 0; c < x.columns(); ++c)
          all(v, c) += k(v, static_cast<std::int64_t>(j)) * x(vertices[j], c);
    vertices.clear();
  };
  for (VertexId v = 0; v < size() && !run.should_stop(); ++v) {
    if (std::ranges::all_of(x.row(v), [](double value) { return value == 0.0; })) continue;
    vertices.push_back(v);
    if (std::ssize(vertices) == vertices_at_once) flush();
  }
  if (!vertices.empty()) flush();
  if (const auto why = run.stop()) report.outcome = worse(report.outcome, *why);
  return all;
}

Block VertexKernel::columns(const Node& node, const std::vector<VertexId>& vertices, Report& report,
                            const RunContext& run) const {
  if (node.kind == Kind::graph) {
    KernelProduct found = node.kernel->columns(vertices, run);
    merge(report, solve_report(found.report));
    return std::move(found.values);
  }
  const auto count = std::ssize(vertices);
  if (node.kind == Kind::constant) {
    Block all(size(), count);
    for (VertexId v = 0; v < size(); ++v)
      for (std::int64_t j = 0; j < count; ++j)
        if (components_.of[index(v)] == components_.of[index(vertices[index(j)])])
          all(v, j) = node.scale;
    return all;
  }
  Block all = columns(node.terms[0], vertices, report, run);
  const std::span<double> cells = cells_of(all);
  if (node.kind == Kind::power)
    for (double& value : cells) value = std::pow(value, node.degree);
  if (node.kind == Kind::normalize)
    for (std::int64_t v = 0; v < all.rows(); ++v)
      for (std::int64_t j = 0; j < count; ++j)
        all(v, j) *= node.inverse_roots[index(v)] * node.inverse_roots[index(vertices[index(j)])];
  for (std::size_t t = 1; t < node.terms.size(); ++t) {
    const Block next = columns(node.terms[t], vertices, report, run);
    for (std::size_t i = 0; i < cells.size(); ++i)
      cells[i] = node.kind == Kind::sum ? cells[i] + next.data()[i] : cells[i] * next.data()[i];
  }
  return all;
}

std::vector<double> VertexKernel::diagonal(const Node& node, const RunContext& run) const {
  const auto stop_here = [&] {
    run.throw_if_stopped("graph kernel", "before its diagonal was known");
  };
  if (node.kind == Kind::graph)
    if (auto found = node.kernel->diagonal(run)) {
      stop_here();
      return *std::move(found);
    }
  std::vector<double> all(index(size()), node.kind == Kind::constant ? node.scale : 0.0);
  if (node.kind == Kind::graph) {
    for (VertexId first = 0; first < size(); first += vertices_at_once) {
      std::vector<VertexId> vertices(
          index(std::min<std::int64_t>(vertices_at_once, size() - first)));
      std::iota(vertices.begin(), vertices.end(), first);
      const Block k = node.kernel->columns(vertices, run).values;
      stop_here();
      for (const VertexId v : vertices) all[index(v)] = k(v, v - first);
    }
    return all;
  }
  if (node.kind == Kind::constant) return all;
  all = diagonal(node.terms[0], run);
  for (std::size_t v = 0; v < all.size(); ++v) {
    if (node.kind == Kind::power) all[v] = std::pow(all[v], node.degree);
    if (node.kind == Kind::normalize) all[v] = node.inverse_roots[v] > 0.0 ? 1.0 : 0.0;
  }
  for (std::size_t t = 1; t < node.terms.size(); ++t) {
    const std::vector<double> next = diagonal(node.terms[t], run);
    for (std::size_t v = 0; v < all.size(); ++v)
      all[v] = node.kind == Kind::sum ? all[v] + next[v] : all[v] * next[v];
  }
  return all;
}

}  // namespace gssl::detail
