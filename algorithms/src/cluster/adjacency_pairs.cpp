#include "adjacency_pairs.hpp"

// The number of threads that Eigen would take for itself is not ours, and changes its rounding.
#define EIGEN_DONT_PARALLELIZE
#include <Spectra/SymEigsSolver.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "gssl/core/dense.hpp"
#include "gssl/core/error.hpp"
#include "gssl/core/number_text.hpp"
#include "gssl/core/parallel.hpp"
#include "gssl/graph/components.hpp"

namespace gssl::detail {
namespace {

// As for the Laplacians (linalg/spectrum).
constexpr std::int64_t dense_rows = 250;
constexpr std::int64_t most_dense_rows = 40'000;
constexpr Eigen::Index most_restarts = 1000;

struct Stopped {};

// W of one component over the largest weighted degree, so no eigenvalue is beyond [−1, 1], whatever
// the unit of the weights. Spectra asks for the names of this class.
class ScaledAdjacency {
 public:
  using Scalar = double;

  ScaledAdjacency(const Graph& graph, const std::vector<VertexId>& vertices,
                  const std::vector<VertexId>& row_of, const RunContext& run)
      : graph_(graph), vertices_(vertices), row_of_(row_of), run_(run) {
    for (const VertexId v : vertices) bound_ = std::max(bound_, graph.weighted_degree(v));
    if (!std::isfinite(bound_))
      throw Error(ErrorCode::bad_data, "spectral: the weights of a vertex add up to infinity");
  }

  Eigen::Index rows() const { return std::ssize(vertices_); }
  Eigen::Index cols() const { return rows(); }
  double bound() const { return bound_; }

  // body(column, entry) for the entries of a row.
  template <class Body>
  void visit_row(std::int64_t row, Body&& body) const {
    graph_.visit_row(vertices_[static_cast<std::size_t>(row)], [&](VertexId u, double w) {
      body(row_of_[static_cast<std::size_t>(u)], w / bound_);
    });
  }

  void apply(const double* x, double* y) const {
    parallel_blocks(rows(), run_.thread_count(), [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t r = begin; r < end; ++r) {
        double sum = 0.0;
        visit_row(r, [&](std::int64_t c, double a) { sum += a * x[c]; });
        y[r] = sum;
      }
    });
  }

  void perform_op(const double* x, double* y) const {
    if (run_.should_stop()) throw Stopped{};
    apply(x, y);
  }

 private:
  const Graph& graph_;
  const std::vector<VertexId>& vertices_;
  const std::vector<VertexId>& row_of_;
  const RunContext& run_;
  double bound_ = 0.0;
};

struct LeadingPair {
  double value = 0.0;  // of the scaled matrix
  std::vector<double> vector;
};

std::vector<LeadingPair> dense_pairs(const ScaledAdjacency& w) {
  const std::int64_t n = w.rows();
  if (n > most_dense_rows)
    throw Error(ErrorCode::usage, "spectral: a dense matrix of " + std::to_string(n) +
                                      " vertices: must be at most " +
                                      std::to_string(most_dense_rows) + "; ask for fewer clusters");
  Block m(n, n);
  for (std::int64_t r = 0; r < n; ++r)
    w.visit_row(r, [&](std::int64_t c, double a) { m(r, c) = a; });
  const DenseEigen all = dense_eigen(m);
  std::vector<LeadingPair> pairs(static_cast<std::size_t>(n));
  for (std::int64_t j = 0; j < n; ++j) {
    LeadingPair& pair = pairs[static_cast<std::size_t>(j)];
    pair.value = all.values[static_cast<std::size_t>(j)];
    for (std::int64_t r = 0; r < n; ++r) pair.vector.push_back(all.vectors(r, j));
  }
  return pairs;
}

struct LanczosPairs {
  std::vector<LeadingPair> pairs;  // those that converged
  Outcome outcome = Outcome::converged;
  std::int64_t products = 0;
};

LanczosPairs lanczos_pairs(ScaledAdjacency& w, std::int64_t count, double tolerance,
                           const RunContext& run) {
  std::vector<double> start;
  Rng rng = run.rng();
  for (std::int64_t r = 0; r < w.rows(); ++r) start.push_back(0.5 + rng.uniform());
  LanczosPairs found;
  Spectra::SymEigsSolver<ScaledAdjacency> solver(w, count,
                                                 std::min<std::int64_t>(w.rows(), 2 * count + 20));
  try {
    solver.init(start.data());
    solver.compute(Spectra::SortRule::LargestMagn, most_restarts, tolerance);
  } catch (const Stopped&) {
    found.outcome = run.stop_reason();
    return found;
  }
  if (solver.info() != Spectra::CompInfo::Successful) found.outcome = Outcome::iteration_limit;
  found.products = solver.num_operations();
  const Eigen::VectorXd values = solver.eigenvalues();
  const Eigen::MatrixXd vectors = solver.eigenvectors();
  for (Eigen::Index j = 0; j < values.size(); ++j)
    found.pairs.push_back(
        {values[j], std::vector<double>(vectors.col(j).begin(), vectors.col(j).end())});
  return found;
}

// The Perron pair first, also where −λ of a bipartite graph seems larger; the others by size.
void sort_pairs(std::vector<LeadingPair>& pairs) {
  if (pairs.empty()) return;
  const auto perron = std::max_element(
      pairs.begin(), pairs.end(),
      [](const LeadingPair& a, const LeadingPair& b) { return a.value < b.value; });
  std::iter_swap(pairs.begin(), perron);
  std::stable_sort(pairs.begin() + 1, pairs.end(), [](const LeadingPair& a, const LeadingPair& b) {
    return std::abs(a.value) > std::abs(b.value);
  });
}

// As for the Laplacians: of the entries of about the largest size the first is positive.
void fix_sign(std::vector<double>& vector) {
  double largest = 0.0;
  for (const double x : vector) largest = std::max(largest, std::abs(x));
  const auto first = std::find_if(vector.begin(), vector.end(),
                                  [&](double x) { return std::abs(x) >= (1.0 - 1e-6) * largest; });
  if (*first >= 0.0) return;
  for (double& x : vector) x = 0.0 - x;
}

double residual_norm(const ScaledAdjacency& w, const LeadingPair& pair) {
  std::vector<double> product(pair.vector.size());
  w.apply(pair.vector.data(), product.data());
  double squares = 0.0;
  for (std::size_t r = 0; r < product.size(); ++r)
    squares += std::pow(product[r] - pair.value * pair.vector[r], 2);
  return std::sqrt(squares);
}

// A pair in the rows of its component.
struct Candidate {
  VertexId component = 0;
  bool perron = false;
  double value = 0.0;
  double residual = 1.0;
  std::vector<double> vector;  // empty: not found
};

// The vertices of each component, ascending, and the row that each vertex has in its own.
struct ComponentRows {
  std::vector<std::vector<VertexId>> vertices;
  std::vector<VertexId> row_of;
};

ComponentRows rows_of(const Components& components, VertexId n) {
  ComponentRows rows;
  rows.vertices.resize(static_cast<std::size_t>(components.count));
  for (VertexId v = 0; v < n; ++v) {
    auto& own = rows.vertices[static_cast<std::size_t>(components.of[static_cast<std::size_t>(v)])];
    rows.row_of.push_back(static_cast<VertexId>(own.size()));
    own.push_back(v);
  }
  return rows;
}

// The pairs of all components, and which ways found them.
struct Candidates {
  std::vector<Candidate> all;
  bool dense = false, iterated = false;
};

// Of a component of two vertices or more, its Perron pair and `more` others, as far as it has them.
void add_component(VertexId component, ScaledAdjacency& w, std::int64_t more, double tolerance,
                   const RunContext& run, Candidates& candidates, Spectrum& found) {
  const std::int64_t count = std::min(1 + more, std::int64_t{w.rows()});
  std::vector<LeadingPair> pairs;
  if (w.rows() <= dense_rows || 3 * count > w.rows()) {
    candidates.dense = true;
    pairs = dense_pairs(w);
  } else {
    candidates.iterated = true;
    LanczosPairs lanczos = lanczos_pairs(w, count, tolerance, run);
    pairs = std::move(lanczos.pairs);
    found.steps += lanczos.products;
    if (found.outcome == Outcome::converged) found.outcome = lanczos.outcome;
  }
  sort_pairs(pairs);
  pairs.resize(static_cast<std::size_t>(count));
  for (std::size_t j = 0; j < pairs.size(); ++j) {
    Candidate candidate{component, j == 0, 0.0, 1.0, {}};
    if (!pairs[j].vector.empty()) {
      fix_sign(pairs[j].vector);
      candidate.value = pairs[j].value * w.bound();
      candidate.residual = residual_norm(w, pairs[j]) / pairs[0].value;
      candidate.vector = std::move(pairs[j].vector);
      if (!(candidate.residual <= tolerance) && found.outcome == Outcome::converged)
        found.outcome = Outcome::iteration_limit;
    }
    candidates.all.push_back(std::move(candidate));
  }
}

// Writes the pairs over all vertices; returns the largest residual.
double write_pairs(const std::vector<Candidate>& pairs, const ComponentRows& rows,
                   Spectrum& found) {
  double worst = 0.0;
  for (std::size_t j = 0; j < pairs.size(); ++j) {
    const Candidate& pair = pairs[j];
    found.values.push_back(pair.value);
    found.residuals.push_back(pair.residual);
    found.component_of.push_back(pair.component);
    worst = std::max(worst, pair.residual);
    const std::vector<VertexId>& own = rows.vertices[static_cast<std::size_t>(pair.component)];
    for (std::size_t r = 0; r < pair.vector.size(); ++r)
      found.vectors(own[r], static_cast<std::int64_t>(j)) = pair.vector[r];
  }
  return worst;
}

}  // namespace

Spectrum leading_pairs(const Graph& graph, const SpectrumOptions& options, const RunContext& run) {
  options.validate();
  const VertexId n = graph.vertex_count();
  const Components components = connected_components(graph);
  const std::int64_t wanted = std::min<std::int64_t>(options.count, n);
  const std::int64_t more = std::max<std::int64_t>(wanted - components.count, 0);
  const ComponentRows rows = rows_of(components, n);
  Spectrum found;
  found.component_count = components.count;
  found.requested = "automatic";
  Candidates candidates;
  for (VertexId k = 0; k < components.count; ++k) {
    const std::vector<VertexId>& own = rows.vertices[static_cast<std::size_t>(k)];
    if (own.size() == 1) {
      candidates.all.push_back({k, true, 0.0, 0.0, {1.0}});
      continue;
    }
    ScaledAdjacency w(graph, own, rows.row_of, run);
    add_component(k, w, more, options.tolerance, run, candidates, found);
  }
  std::stable_sort(
      candidates.all.begin(), candidates.all.end(), [](const Candidate& a, const Candidate& b) {
        return std::pair(!a.perron, -std::abs(a.value)) < std::pair(!b.perron, -std::abs(b.value));
      });
  candidates.all.resize(static_cast<std::size_t>(wanted));
  found.vectors = Block(n, wanted);
  const double worst = write_pairs(candidates.all, rows, found);
  found.used = !candidates.iterated ? "dense" : candidates.dense ? "dense+lanczos" : "lanczos";
  found.sentence = std::to_string(wanted) + " pairs of the adjacency matrix: " + found.used + "; " +
                   std::to_string(found.steps) + " products, largest residual " +
                   to_brief_text(worst) + ": " + std::string(to_string(found.outcome));
  return found;
}

}  // namespace gssl::detail
