#include "distributed_spectrum.hpp"

#include <fmt/format.h>
#include <slepceps.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "gssl/core/index.hpp"
#include "gssl/core/number_text.hpp"
#include "together.hpp"

namespace gssl::mpi {

namespace {

struct Solver {
  Solver() = default;
  ~Solver() { EPSDestroy(&eps); }
  Solver(const Solver&) = delete;
  Solver& operator=(const Solver&) = delete;
  EPS eps = nullptr;
};

// Beside the diagonal; what a null vector's rounding is multiplied by is one over this.
constexpr double shift = 1e-7;
// Of the solves, beside the tolerance of the pairs.
constexpr double solve_share = 1e-4;
constexpr double least_tolerance = 1e-13;
constexpr double rounding = 1e-13;

// Z ↦ D^½ (L + εD)⁻¹ D^½ Z, where D is the diagonal of degrees, or the mean degree for the
// combinatorial Laplacian.
class Inverse {
 public:
  Inverse(const DistributedGraph& graph, const SpectrumOptions& options, Preconditioning kind,
          const RunContext& run, const Communicator& ranks)
      : graph_(graph), ranks_(ranks), scale_(index(graph.rows()), 1.0) {
    const bool combinatorial = options.kind == LaplacianKind::combinatorial;
    double sum = 0.0;
    for (VertexId v = 0; v < graph.rows(); ++v) sum += graph.weighted_degree(v);
    mean_degree_ =
        ranks.sum(sum) / static_cast<double>(std::max<std::int64_t>(1, graph.vertices()));
    if (mean_degree_ == 0.0) mean_degree_ = 1.0;
    std::vector<double> ground(scale_.size());
    for (VertexId v = 0; v < graph.rows(); ++v) {
      const double degree = graph.weighted_degree(v);
      if (!combinatorial && degree > 0.0) scale_[index(v)] = std::sqrt(degree);
      ground[index(v)] =
          shift * (combinatorial ? mean_degree_ : scale_[index(v)] * scale_[index(v)]);
    }
    shift_ = combinatorial ? shift * mean_degree_ : shift;
    system_ = std::make_unique<DistributedSystem>(graph, std::vector<char>(scale_.size(), 1),
                                                  ground, ranks);
    solver_ = std::make_unique<DistributedSolver>(
        *system_,
        DistributedSolverOptions{
            .kind = kind, .tolerance = std::max(least_tolerance, solve_share * options.tolerance)},
        run, ranks);
    tolerance_ = std::max(least_tolerance, solve_share * options.tolerance);
  }

  void apply(Vec in, Vec out) {
    std::vector<double> b(scale_.size());
    {
      const ReadEntries entries(in);
      for (std::size_t i = 0; i < b.size(); ++i) b[i] = scale_[i] * entries[i];
    }
    const std::vector<double> x = solver_->solve(b, tolerance_);
    OwnEntries entries(out);
    for (std::size_t i = 0; i < b.size(); ++i) entries[i] = scale_[i] * x[i];
  }

  // D^-½ L D^-½ z. Collective.
  std::vector<double> laplacian(const std::vector<double>& z) const {
    std::vector<double> y(z.size());
    for (std::size_t i = 0; i < z.size(); ++i) y[i] = z[i] / scale_[i];
    const std::vector<double> ghosts = graph_.fetch(y, ranks_);
    std::vector<double> found(z.size(), 0.0);
    for (VertexId v = 0; v < graph_.rows(); ++v) {
      double sum = 0.0;
      for (EdgeIndex e = graph_.offsets[index(v)]; e < graph_.offsets[index(v) + 1]; ++e) {
        const VertexId u = graph_.neighbors[index(e)];
        sum += graph_.weight(e) *
               (y[index(v)] - (u < graph_.rows() ? y[index(u)] : ghosts[index(u - graph_.rows())]));
      }
      found[index(v)] = sum / scale_[index(v)];
    }
    return found;
  }

  double dot(const std::vector<double>& a, const std::vector<double>& b) const {
    double sum = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
    return ranks_.sum(sum);
  }
  void normalize(std::vector<double>& z) const {
    const double length = std::sqrt(dot(z, z));
    for (double& value : z) value /= length;
  }

  const std::vector<double>& scale() const { return scale_; }
  double mean_degree() const { return mean_degree_; }
  const SolveReport& report() const { return solver_->report(); }

 private:
  const DistributedGraph& graph_;
  const Communicator& ranks_;
  std::vector<double> scale_;
  double mean_degree_ = 1.0;
  double shift_ = 0.0;
  double tolerance_ = 0.0;
  std::unique_ptr<DistributedSystem> system_;
  std::unique_ptr<DistributedSolver> solver_;
};

PetscErrorCode apply_inverse(Mat matrix, Vec in, Vec out) {
  void* context = nullptr;
  check(MatShellGetContext(matrix, &context));
  static_cast<Inverse*>(context)->apply(in, out);
  return 0;
}

// The least vertices of the first components.
std::vector<std::int64_t> first_roots(const DistributedInput& input, std::int64_t most,
                                      const Communicator& ranks) {
  std::vector<std::int64_t> roots;
  for (std::size_t v = 0; v < input.components.root_of.size() && std::int64_t(roots.size()) < most;
       ++v)
    if (input.components.root_of[v] == input.graph.begin + std::int64_t(v))
      roots.push_back(input.components.root_of[v]);
  roots = ranks.gather_all(roots);
  std::ranges::sort(roots);
  if (std::int64_t(roots.size()) > most) roots.resize(index(most));
  return roots;
}

using Column = std::vector<double>;  // of own rows, in the space of D^-½ L D^-½

std::vector<Column> null_vectors(const DistributedInput& input, const Inverse& inverse,
                                 const std::vector<std::int64_t>& roots) {
  std::vector<Column> vectors(roots.size(), Column(inverse.scale().size(), 0.0));
  for (std::size_t v = 0; v < inverse.scale().size(); ++v) {
    const auto found = std::ranges::lower_bound(roots, input.components.root_of[v]);
    if (found != roots.end() && *found == input.components.root_of[v])
      vectors[static_cast<std::size_t>(found - roots.begin())][v] = inverse.scale()[v];
  }
  for (Column& vector : vectors) inverse.normalize(vector);
  return vectors;
}

Handle<Vec> to_vec(const Column& column, Mat like) {
  Handle<Vec> vec;
  check(MatCreateVecs(like, vec.out(), nullptr));
  OwnEntries entries(vec);
  for (std::size_t i = 0; i < column.size(); ++i) entries[i] = column[i];
  return vec;
}

// `count` pairs orthogonal to the null vectors; fewer where SLEPc finds fewer.
std::vector<Column> krylov_schur(Inverse& inverse, const std::vector<Column>& nulls, int count,
                                 double tolerance, const Communicator& ranks, std::int64_t& steps) {
  const auto own = static_cast<PetscInt>(inverse.scale().size());
  Handle<Mat> shell;
  check(MatCreateShell(ranks.handle(), own, own, PETSC_DETERMINE, PETSC_DETERMINE, &inverse,
                       shell.out()));
  check(MatShellSetOperation(shell, MATOP_MULT, reinterpret_cast<void (*)()>(apply_inverse)));
  Solver solver;
  check(EPSCreate(ranks.handle(), &solver.eps));
  EPS eps = solver.eps;
  check(EPSSetOperators(eps, shell, nullptr));
  check(EPSSetProblemType(eps, EPS_HEP));
  check(EPSSetType(eps, EPSKRYLOVSCHUR));
  check(EPSSetWhichEigenpairs(eps, EPS_LARGEST_REAL));
  check(EPSSetDimensions(eps, count, PETSC_DEFAULT, PETSC_DEFAULT));
  check(EPSSetTolerances(eps, 0.01 * tolerance, PETSC_DEFAULT));
  std::vector<Handle<Vec>> spaces;
  std::vector<Vec> plain;
  for (const Column& null : nulls) {
    spaces.push_back(to_vec(null, shell));
    plain.push_back(spaces.back());
  }
  check(EPSSetDeflationSpace(eps, static_cast<PetscInt>(plain.size()), plain.data()));
  check(EPSSolve(eps));
  PetscInt found = 0, iterations = 0;
  check(EPSGetConverged(eps, &found));
  check(EPSGetIterationNumber(eps, &iterations));
  steps = iterations;
  std::vector<Column> columns;
  Handle<Vec> vector;
  check(MatCreateVecs(shell, vector.out(), nullptr));
  for (PetscInt j = 0; j < std::min<PetscInt>(found, count); ++j) {
    check(EPSGetEigenvector(eps, j, vector, nullptr));
    OwnEntries entries(vector);
    Column& column = columns.emplace_back(index(own));
    for (std::size_t i = 0; i < column.size(); ++i) column[i] = entries[i];
    inverse.normalize(column);
  }
  return columns;
}

// Of the entries within 1e-6 of the largest, the first becomes positive.
void turn(Column& column, const DistributedGraph& graph, const Communicator& ranks) {
  double largest = 0.0;
  for (const double value : column) largest = std::max(largest, std::abs(value));
  largest = ranks.max(largest);
  std::int64_t first = graph.vertices();
  bool negative = false;
  for (std::size_t i = 0; i < column.size() && first == graph.vertices(); ++i)
    if (std::abs(column[i]) >= (1.0 - 1e-6) * largest) {
      first = graph.begin + std::int64_t(i);
      negative = column[i] < 0.0;
    }
  const bool decides = ranks.min(first) == first && first < graph.vertices();
  if (ranks.any(decides && negative))
    for (double& value : column) value = -value;
}

struct MeasuredPair {
  double value, residual;
  std::size_t column;
};

// The pairs of the columns by value, the zeros first; `good` becomes false if the residual of one
// is too large.
std::vector<MeasuredPair> measured_pairs(Inverse& inverse, const std::vector<Column>& columns,
                                         std::size_t zeros, const SpectrumOptions& options,
                                         bool& good) {
  const double unit = options.kind == LaplacianKind::combinatorial ? inverse.mean_degree() : 1.0;
  std::vector<MeasuredPair> order;
  for (std::size_t j = 0; j < columns.size(); ++j) {
    MeasuredPair pair{0.0, 0.0, j};
    if (j >= zeros) {
      std::vector<double> image = inverse.laplacian(columns[j]);
      pair.value = inverse.dot(columns[j], image);
      for (std::size_t i = 0; i < image.size(); ++i) image[i] -= pair.value * columns[j][i];
      pair.residual = std::sqrt(inverse.dot(image, image));
      good = good &&
             pair.residual <=
                 std::max(std::min(options.tolerance * unit, pair.value / 100.0), rounding * unit);
    }
    order.push_back(pair);
  }
  std::ranges::sort(order.begin() + std::int64_t(zeros), order.end(), {}, &MeasuredPair::value);
  return order;
}

}  // namespace

DistributedSpectrum smallest_eigenpairs(const DistributedInput& input,
                                        const SpectrumOptions& options, Preconditioning kind,
                                        const RunContext& run, const Communicator& ranks) {
  DistributedSpectrum found;
  Spectrum& pairs = found.pairs;
  const std::int64_t n = input.graph.vertices();
  const std::int64_t wanted = std::min<std::int64_t>(options.count, n);
  Inverse inverse(input.graph, options, kind, run, ranks);
  const std::vector<std::int64_t> roots = first_roots(input, wanted, ranks);
  std::vector<Column> columns = null_vectors(input, inverse, roots);
  pairs.zero_count = static_cast<VertexId>(roots.size());
  pairs.component_count = static_cast<VertexId>(input.components.count);
  pairs.requested = "inversion";
  pairs.used = "slepc-krylov-schur";
  const auto more = static_cast<int>(wanted - std::int64_t(roots.size()));
  if (more > 0)
    for (Column& column :
         krylov_schur(inverse, columns, more, options.tolerance, ranks, pairs.steps))
      columns.push_back(std::move(column));
  bool good = std::int64_t(columns.size()) == wanted;
  const std::vector<MeasuredPair> order =
      measured_pairs(inverse, columns, roots.size(), options, good);
  for (const MeasuredPair& pair : order) {
    pairs.values.push_back(pair.value);
    pairs.residuals.push_back(pair.residual);
    Column& column = columns[pair.column];
    if (options.kind == LaplacianKind::random_walk)
      for (std::size_t i = 0; i < column.size(); ++i) column[i] /= inverse.scale()[i];
    turn(column, input.graph, ranks);
  }
  together(ranks, [&] {
    found.vectors = Block(input.graph.rows(), std::int64_t(order.size()));
    for (std::size_t j = 0; j < order.size(); ++j)
      for (VertexId v = 0; v < input.graph.rows(); ++v)
        found.vectors(v, std::int64_t(j)) = columns[order[j].column][index(v)];
  });
  found.solver = inverse.report();
  const bool stopped = ended_by_run(found.solver.outcome);
  pairs.outcome = good      ? Outcome::converged
                  : stopped ? found.solver.outcome
                            : Outcome::iteration_limit;
  pairs.sentence = fmt::format(
      "{} of {} pairs, {} of them zero, by Krylov-Schur on the inverse on {} ranks{}", order.size(),
      wanted, roots.size(), ranks.size(), more > 0 ? "; solves by " + found.solver.sentence : "");
  return found;
}

}  // namespace gssl::mpi
