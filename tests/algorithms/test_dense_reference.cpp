// Every graph of at most 2,000 vertices in datasets and ../shared, its largest component, held to
// dense matrices: eigenpairs, resistances, L⁺, hitting times, kernels, leave-one-out scores.
//
// One Cholesky factorization of L + J (J constant) for each graph gives columns of L⁺ at some
// vertices, and all else follows from them. Beyond 200 vertices a second one shows that no
// eigenvalue was missed: M plus multiples of the projections on the pairs found has no other
// eigenvalue below a gap after them.

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "gssl/answer/explanation.hpp"
#include "gssl/core/dense.hpp"
#include "gssl/core/index.hpp"
#include "gssl/graph/components.hpp"
#include "gssl/io/graph_reader.hpp"
#include "gssl/linalg/spectrum.hpp"
#include "gssl/network/effective_resistance.hpp"
#include "gssl/network/graph_kernel.hpp"
#include "gssl/network/walks.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

using namespace gssl;
using namespace gssl::test;

namespace {

constexpr VertexId most_vertices = 2000;
// Up to here every vertex is compared and all eigenvalues are computed.
constexpr VertexId all_vertices = 200;
// Beyond this the eigenvalues of L are not counted, those of L_sym are.
constexpr VertexId both_kinds = 1100;

Eigen::MatrixXd dense_laplacian(const Graph& graph, LaplacianKind kind) {
  const VertexId n = graph.vertex_count();
  Eigen::MatrixXd m = Eigen::MatrixXd::Zero(n, n);
  for (VertexId u = 0; u < n; ++u) {
    const double du = graph.weighted_degree(u);
    m(u, u) = kind == LaplacianKind::combinatorial ? du : 1.0;
    graph.visit_row(u, [&](VertexId v, double w) {
      m(u, v) =
          kind == LaplacianKind::combinatorial ? -w : -w / std::sqrt(du * graph.weighted_degree(v));
    });
  }
  return m;
}

// A connected graph with dense columns of its L⁺.
struct Reference {
  explicit Reference(const Graph& g) : graph(g), n(g.vertex_count()) {
    const auto add = [&](VertexId v) {
      if (column_of[index(v)] >= 0) return;
      column_of[index(v)] = std::ssize(sample);
      sample.push_back(v);
    };
    column_of.assign(index(n), -1);
    const VertexId wanted = n <= all_vertices ? n : 16;
    for (std::int64_t i = 0; i < wanted; ++i) add(static_cast<VertexId>(i * n / wanted));
    // And a neighbor of each, so that some edges are among them.
    const auto some = sample;
    for (const VertexId v : some) add(graph.neighbors(v).front());

    laplacian = dense_laplacian(graph, LaplacianKind::combinatorial);
    const double level = laplacian.trace() / n / n;
    const Eigen::LLT<Eigen::MatrixXd> factor(laplacian + Eigen::MatrixXd::Constant(n, n, level));
    REQUIRE(factor.info() == Eigen::Success);
    Eigen::MatrixXd b = Eigen::MatrixXd::Zero(n, std::ssize(sample) + 1);
    for (std::size_t i = 0; i < sample.size(); ++i)
      b(sample[i], static_cast<Eigen::Index>(i)) = 1.0;
    b.rightCols(1) = laplacian.diagonal();
    const Eigen::MatrixXd x = factor.solve(b);
    plus = x.leftCols(std::ssize(sample)).array() - 1.0 / (level * n * n);
    plus_degree = x.rightCols(1).array() - laplacian.trace() / (level * n * n);
  }

  // For v in the sample.
  double plus_at(VertexId u, VertexId v) const { return plus(u, column_of[index(v)]); }
  double resistance(VertexId u, VertexId v) const {
    return plus_at(u, u) + plus_at(v, v) - 2.0 * plus_at(u, v);
  }

  const Graph& graph;
  VertexId n;
  std::vector<VertexId> sample;
  std::vector<std::int64_t> column_of;  // −1: not in the sample
  Eigen::MatrixXd laplacian;
  Eigen::MatrixXd plus;         // columns of L⁺
  Eigen::VectorXd plus_degree;  // L⁺ d
};

struct NamedGraph {
  std::string name;
  Graph graph;
};

Graph largest_component(const Graph& graph) {
  const Components c = connected_components(graph);
  VertexId k = 0;
  for (VertexId i = 1; i < c.count; ++i)
    if (c.sizes[index(i)] > c.sizes[index(k)]) k = i;
  return component_graph(graph, c, k).graph;
}

std::vector<NamedGraph> small_graphs() {
  std::vector<NamedGraph> list;
  const auto add = [&](const char* name, const std::filesystem::path& path) {
    list.push_back({name, largest_component(read_graph(path.string(), {}, on_threads(1)).graph)});
  };
  for (const char* name : {"breast_cancer", "digits", "iris", "two_moons", "wine"})
    add(name, source_path("datasets/" + std::string(name) + "/edges.tsv"));
  add("lesmis", source_path("datasets/lesmis/lesmis.graph"));
  for (const char* name : {"karate", "dolphins", "football", "polbooks", "eu-core", "news_2cl_1",
                           "news_3cl_1_0.1", "polblogs"}) {
    const std::string n = name;
    const auto path = shared_path("data/graphs/" + n + "/plain/" + n + ".edges.txt");
    if (!path) {
      WARN("skipped: ../shared is absent");
      break;
    }
    add(name, *path);
  }
  return list;
}

void check_resistances(const Reference& truth) {
  const auto edges = edge_pairs(truth.graph);
  const auto found = edge_resistances(truth.graph, {}, on_threads(1)).values;
  const auto diagonal = pseudoinverse_diagonal(truth.graph, {}, on_threads(1)).values;
  double worst = 0.0, sum = 0.0;
  std::int64_t compared = 0;
  for (std::size_t e = 0; e < edges.size(); ++e) {
    truth.graph.visit_row(edges[e].u, [&](VertexId v, double w) {
      if (v == edges[e].v) sum += w * found[e];
    });
    if (truth.column_of[index(edges[e].u)] < 0 || truth.column_of[index(edges[e].v)] < 0) continue;
    const double r = truth.resistance(edges[e].u, edges[e].v);
    worst = std::max(worst, std::abs(found[e] - r) / r);
    ++compared;
  }
  CHECK(compared >= 16);
  CHECK(worst < 1e-8);
  CHECK(sum == Approx(truth.n - 1).epsilon(1e-10));  // Foster
  worst = 0.0;
  std::vector<VertexPair> pairs;
  for (const VertexId v : truth.sample) {
    worst = std::max(worst, std::abs(diagonal[index(v)] - truth.plus_at(v, v)));
    for (const VertexId u : truth.sample)
      if (u != v && (u + 3 * v) % 7 == 0) pairs.push_back({u, v});
  }
  CHECK(worst < 1e-8 * truth.plus.cwiseAbs().maxCoeff());
  const auto between = pair_resistances(truth.graph, pairs, {}, on_threads(1)).values;
  worst = 0.0;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const double r = truth.resistance(pairs[i].u, pairs[i].v);
    worst = std::max(worst, std::abs(between[i] - r) / r);
  }
  CHECK(worst < 1e-8);
}

// h(u, t) = Σ_w d_w (L⁺_uw − L⁺_ut − L⁺_tw + L⁺_tt)
void check_hitting_times(const Reference& truth) {
  const VertexId t = truth.sample[1];
  const auto found = hitting_times(truth.graph, {t}, {.tolerance = 1e-12}, on_threads(1)).steps;
  const double volume = truth.laplacian.trace();
  double worst = 0.0, largest = 0.0;
  for (VertexId u = 0; u < truth.n; ++u) {
    const double h = truth.plus_degree(u) - truth.plus_degree(t) +
                     volume * (truth.plus_at(t, t) - truth.plus_at(u, t));
    worst = std::max(worst, std::abs(found[index(u)] - h));
    largest = std::max(largest, h);
  }
  CHECK(worst < 1e-8 * largest);
}

// Column v of each kernel: of L⁺ itself, else by what defines it.
void check_kernels(const Reference& truth) {
  const auto graph = std::make_shared<const Graph>(truth.graph);
  const VertexId v = truth.sample[2];
  const Eigen::VectorXd unit = Eigen::VectorXd::Unit(truth.n, v);
  const Eigen::MatrixXd& l = truth.laplacian;
  const double most_degree = l.diagonal().maxCoeff();
  const auto column = [&](const GraphKernelOptions& options) -> Eigen::VectorXd {
    const KernelProduct found =
        GraphKernel(graph, options, on_threads(1)).columns({v}, on_threads(1));
    CHECK(found.report.converged());
    return Eigen::Map<const Eigen::VectorXd>(found.values.data(), truth.n);
  };
  const auto near = [](const Eigen::VectorXd& a, const Eigen::VectorXd& b) {
    return (a - b).norm() <= 1e-8 * b.norm();
  };
  CHECK(near(column({.kind = KernelKind::pseudoinverse}), truth.plus.col(2)));
  const Eigen::VectorXd regularized = column({.kind = KernelKind::regularized, .epsilon = 0.3});
  CHECK(near(l * regularized + 0.3 * regularized, unit));
  const double alpha = 0.5 / most_degree;
  const Eigen::VectorXd neumann = column({.kind = KernelKind::von_neumann, .alpha = alpha});
  const Eigen::VectorXd by_degree = l.diagonal().cwiseProduct(neumann);
  CHECK(near(neumann - alpha * (by_degree - l * neumann), unit));
  const double shift = 2.0 * most_degree;
  const Eigen::VectorXd step = shift * unit - l * unit;
  CHECK(near(column({.kind = KernelKind::walk, .steps = 2, .shift = shift}),
             shift * step - l * step));
  const double time = 1.0 / most_degree;  // ‖tL‖ ≤ 2: Taylor's series keeps its digits
  Eigen::VectorXd term = unit, sum = unit;
  for (int i = 1; i < 30; ++i) {
    term = -time / i * (l * term);
    sum += term;
  }
  CHECK(near(column({.kind = KernelKind::diffusion, .time = time}), sum));
}

// The harmonic function through values y at vertices S is c + L⁺(·, S)·a with K·a + c = y and
// Σ a = 0, K = L⁺(S, S): c = 1ᵀK⁻¹y / 1ᵀK⁻¹1.
void check_leave_one_out(const Reference& truth) {
  const std::size_t count = 8;
  std::vector<VertexId> given(truth.sample.begin(), truth.sample.begin() + count);
  std::sort(given.begin(), given.end());
  std::vector<int> class_of;
  for (std::size_t i = 0; i < count; ++i) class_of.push_back(static_cast<int>(i * 5 % 8 % 3));
  const LeaveOneOut found =
      leave_one_out(truth.graph, LabeledSet::classes(given, class_of, {"a", "b", "c"}),
                    {.tolerance = 1e-12}, on_threads(1));
  double worst = 0.0;
  for (std::size_t out = 0; out < count; ++out) {
    const auto m = static_cast<Eigen::Index>(count - 1);
    Eigen::MatrixXd k(m, m), right = Eigen::MatrixXd::Zero(m, 4);
    Eigen::VectorXd there(m);
    const auto kept = [&](Eigen::Index i) { return index(i) + (index(i) >= out ? 1 : 0); };
    for (Eigen::Index i = 0; i < m; ++i) {
      for (Eigen::Index j = 0; j < m; ++j) k(i, j) = truth.plus_at(given[kept(i)], given[kept(j)]);
      right(i, class_of[kept(i)]) = right(i, 3) = 1.0;
      there(i) = truth.plus_at(given[out], given[kept(i)]);
    }
    const Eigen::MatrixXd solved = Eigen::LLT<Eigen::MatrixXd>(k).solve(right);
    const Eigen::VectorXd ones = solved.col(3);
    for (int c = 0; c < 3; ++c) {
      const double level = solved.col(c).sum() / ones.sum();
      const double score = level + there.dot(solved.col(c)) - level * there.dot(ones);
      worst = std::max(worst, std::abs(found.scores(static_cast<std::int64_t>(out), c) - score));
    }
  }
  CHECK(worst < 1e-7);
}

Eigen::MatrixXd vectors_of(const Spectrum& s, std::int64_t count) {
  Eigen::MatrixXd x(s.vectors.rows(), count);
  for (std::int64_t v = 0; v < x.rows(); ++v)
    for (std::int64_t j = 0; j < count; ++j) x(v, j) = s.vectors(v, j);
  return x;
}

void check_eigenpairs(const Reference& truth) {
  const int count = 10;
  std::vector<double> symmetric;
  for (const LaplacianKind kind :
       {LaplacianKind::symmetric, LaplacianKind::random_walk, LaplacianKind::combinatorial}) {
    CAPTURE(static_cast<int>(kind));
    const Spectrum s =
        smallest_eigenpairs(truth.graph, {.count = count, .kind = kind}, on_threads(1));
    REQUIRE(s.outcome == Outcome::converged);
    if (kind == LaplacianKind::random_walk) {
      for (int j = 0; j < count; ++j)
        CHECK(s.values[index(j)] == Approx(symmetric[index(j)]).epsilon(1e-6).margin(1e-12));
      continue;
    }
    if (kind == LaplacianKind::symmetric) symmetric = s.values;
    Eigen::MatrixXd m = dense_laplacian(truth.graph, kind);
    const Eigen::MatrixXd x = vectors_of(s, count);
    for (int j = 0; j < count; ++j)
      CHECK((m * x.col(j) - s.values[index(j)] * x.col(j)).norm() ==
            Approx(s.residuals[index(j)]).margin(1e-12 * m.trace()));
    if (truth.n <= all_vertices) {
      Block block(truth.n, truth.n);
      std::copy(m.data(), m.data() + m.size(), block.data());  // m is symmetric
      const DenseEigen all = dense_eigen(block);
      for (int j = 0; j < count; ++j) {
        CHECK(s.values[index(j)] ==
              Approx(all.values[index(j)]).epsilon(1e-8).margin(1e-12 * m.trace()));
        // In the eigenspace of the dense matrix, copies included.
        double inside = 0.0;
        for (VertexId i = 0; i < truth.n; ++i) {
          if (std::abs(all.values[index(i)] - s.values[index(j)]) > 1e-6 * m.trace() / truth.n)
            continue;
          double dot = 0.0;
          for (VertexId v = 0; v < truth.n; ++v) dot += all.vectors(v, i) * x(v, j);
          inside += dot * dot;
        }
        CHECK(inside == Approx(1.0).epsilon(1e-6));
      }
    } else if (kind == LaplacianKind::symmetric || truth.n <= both_kinds) {
      int last = count / 2;  // before the widest gap of the upper half
      for (int j = last; j + 1 < count; ++j)
        if (s.values[index(j + 1)] - s.values[index(j)] >
            s.values[index(last + 1)] - s.values[index(last)])
          last = j;
      const Eigen::MatrixXd below = x.leftCols(last + 1);
      m += m.trace() * below * below.transpose();
      m.diagonal().array() -= 0.5 * (s.values[index(last)] + s.values[index(last + 1)]);
      CHECK(Eigen::LLT<Eigen::Ref<Eigen::MatrixXd>>(m).info() == Eigen::Success);
    }
  }
}

}  // namespace

TEST_CASE("every graph of at most 2,000 vertices agrees with dense matrices") {
  for (const NamedGraph& g : small_graphs()) {
    if (g.graph.vertex_count() > most_vertices) continue;
    INFO(g.name << ", " << g.graph.vertex_count() << " vertices");
    const Reference truth(g.graph);
    check_resistances(truth);
    check_hitting_times(truth);
    check_kernels(truth);
    check_leave_one_out(truth);
    check_eigenpairs(truth);
  }
}
