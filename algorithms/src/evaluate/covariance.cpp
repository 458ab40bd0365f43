#include "evaluate/covariance.hpp"

#include <array>
#include <numeric>

#include "gssl/core/parallel.hpp"
#include "support/many_right_hand_sides.hpp"

namespace gssl::detail {

namespace {

// Sums over rows, one for each column of a group.
struct ColumnSums {
  std::array<double, ManyRightHandSides::width> square{};
  std::array<double, ManyRightHandSides::width> sum{};

  ColumnSums& operator+=(const ColumnSums& other) {
    for (std::size_t c = 0; c < square.size(); ++c) {
      square[c] += other.square[c];
      sum[c] += other.sum[c];
    }
    return *this;
  }
};

ColumnSums column_sums(const Block& x, int threads) {
  return blocked_sum(x.rows(), threads, [&](std::int64_t begin, std::int64_t end) {
    ColumnSums part;
    for (std::int64_t r = begin; r < end; ++r) {
      const std::span<const double> row = x.row(r);
      for (std::size_t c = 0; c < row.size(); ++c) {
        part.square[c] += row[c] * row[c];
        part.sum[c] += row[c];
      }
    }
    return part;
  });
}

double dot(std::span<const double> a, std::span<const double> b, int threads) {
  return blocked_sum(static_cast<std::int64_t>(a.size()), threads, [&](auto begin, auto end) {
    return std::inner_product(a.begin() + begin, a.begin() + end, b.begin() + begin, 0.0);
  });
}

class SolvedCovariance final : public Covariance {
 public:
  SolvedCovariance(const CovarianceProblem& problem, const SolverOptions& options,
                   const RunContext& run, Report& report)
      : row_of_(static_cast<std::size_t>(problem.graph.vertex_count()), no_vertex),
        solves_(system(problem), options, problem.graph.vertex_count(), run, report) {}

  bool moments(std::span<const VertexId> vertices, const RunContext& run,
               Moments& moments) override {
    return solves_.each(
        "covariance", static_cast<std::int64_t>(vertices.size()), run,
        [&](std::int64_t j, std::int64_t c, Block& b) {
          b(row(vertices[static_cast<std::size_t>(j)]), c) = 1.0;
        },
        [&](std::int64_t first, std::int64_t columns, const Block& x) {
          const ColumnSums sums = column_sums(x, run.thread_count());
          for (std::int64_t c = 0; c < columns; ++c) {
            const VertexId v = vertices[static_cast<std::size_t>(first + c)];
            const auto at = static_cast<std::size_t>(v);
            moments.variance[at] = x(row(v), c);
            moments.square[at] = sums.square[static_cast<std::size_t>(c)];
            moments.sum[at] = sums.sum[static_cast<std::size_t>(c)];
          }
        });
  }

  CovarianceColumn column(VertexId v, const RunContext& run) override {
    std::vector<double> unit(vertex_of_.size(), 0.0);
    unit[static_cast<std::size_t>(row(v))] = 1.0;
    const std::vector<double> column = apply(unit, run);
    return {spread(column), spread(apply(column, run))};
  }

  void condition(VertexId, const CovarianceColumn& column, double delta) override {
    std::vector<double> rows(vertex_of_.size());
    for (std::size_t r = 0; r < rows.size(); ++r)
      rows[r] = column.column[static_cast<std::size_t>(vertex_of_[r])];
    known_.push_back({std::move(rows), delta});
  }

 private:
  struct Known {
    std::vector<double> column;
    double delta;
  };

  VertexId row(VertexId v) const { return row_of_[static_cast<std::size_t>(v)]; }

  // With exact labels L_uu on the free vertices, else L + γ⁻² diag(labeled) on all.
  GroundedLaplacian system(const CovarianceProblem& problem) {
    if (problem.variance == 0.0) {
      DirichletProblem dirichlet =
          make_dirichlet_problem(problem.graph, {problem.labeled.begin(), problem.labeled.end()});
      vertex_of_ = std::move(dirichlet.free_vertices);
      number_rows();
      return std::move(dirichlet.system);
    }
    vertex_of_.resize(row_of_.size());
    std::iota(vertex_of_.begin(), vertex_of_.end(), VertexId{0});
    number_rows();
    std::vector<double> ground(row_of_.size(), 0.0);
    for (const VertexId v : problem.labeled)
      ground[static_cast<std::size_t>(v)] = 1.0 / problem.variance;
    return GroundedLaplacian(std::make_shared<const Graph>(problem.graph), std::move(ground));
  }

  void number_rows() {
    for (std::size_t r = 0; r < vertex_of_.size(); ++r)
      row_of_[static_cast<std::size_t>(vertex_of_[r])] = static_cast<VertexId>(r);
  }

  // C x, by rows of the system, with what is known taken out.
  std::vector<double> apply(const std::vector<double>& x, const RunContext& run) {
    Block b(static_cast<std::int64_t>(x.size()), 1);
    std::ranges::copy(x, b.data());
    const Block solved = solves_.solve(b, run);
    std::vector<double> y(solved.values().begin(), solved.values().end());
    for (const Known& known : known_) {
      const double factor = dot(known.column, x, run.thread_count()) / known.delta;
      for (std::size_t r = 0; r < y.size(); ++r) y[r] -= factor * known.column[r];
    }
    return y;
  }

  std::vector<double> spread(const std::vector<double>& rows) const {
    std::vector<double> all(row_of_.size(), 0.0);
    for (std::size_t r = 0; r < rows.size(); ++r)
      all[static_cast<std::size_t>(vertex_of_[r])] = rows[r];
    return all;
  }

  std::vector<VertexId> row_of_;
  std::vector<VertexId> vertex_of_;
  ManyRightHandSides solves_;
  std::vector<Known> known_;
};

}  // namespace

std::unique_ptr<Covariance> solved_covariance(const CovarianceProblem& problem,
                                              const SolverOptions& options, const RunContext& run,
                                              Report& report) {
  return std::make_unique<SolvedCovariance>(problem, options, run, report);
}

}  // namespace gssl::detail
