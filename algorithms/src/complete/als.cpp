#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <cmath>
#include <string>

#include "complete/biases.hpp"
#include "gssl/core/error.hpp"
#include "gssl/core/parallel.hpp"

namespace gssl {
namespace {

using RowMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Rows = Eigen::Map<RowMatrix>;

Rows rows_of(Block& block) { return {block.data(), block.rows(), block.columns()}; }

// Each row of `mine` minimizes its part given `theirs`: (Σ t tᵀ + λI) x = Σ e t over its cells.
void solve_side(const Cells& cells, const CellIndex& index,
                const std::vector<std::int32_t>& other_of, Block& theirs, double lambda,
                int threads, Block& mine) {
  const Rows other = rows_of(theirs);
  Rows own = rows_of(mine);
  const std::int64_t rank = mine.columns();
  const auto solve_rows = [&](std::int64_t begin, std::int64_t end) {
    RowMatrix a(rank, rank);
    Eigen::VectorXd b(rank);
    for (std::int64_t r = begin; r < end; ++r) {
      a.setIdentity();
      a *= lambda;
      b.setZero();
      for (std::int64_t i = index.offset[static_cast<std::size_t>(r)];
           i < index.offset[static_cast<std::size_t>(r) + 1]; ++i) {
        const auto cell = static_cast<std::size_t>(index.order[static_cast<std::size_t>(i)]);
        const auto t = other.row(other_of[cell]);
        a.triangularView<Eigen::Lower>() += t.transpose() * t;
        b += cells.value[cell] * t.transpose();
      }
      own.row(r) = a.selfadjointView<Eigen::Lower>().llt().solve(b).transpose();
    }
  };
  parallel_blocks(mine.rows(), threads, solve_rows, 64);
}

double objective(const Cells& cells, Block& u, Block& v, double lambda) {
  const Rows rows = rows_of(u), columns = rows_of(v);
  double sum = lambda * (rows.squaredNorm() + columns.squaredNorm());
  for (std::size_t i = 0; i < cells.value.size(); ++i) {
    const double error = cells.value[i] - rows.row(cells.row[i]).dot(columns.row(cells.column[i]));
    sum += error * error;
  }
  return sum;
}

}  // namespace

Completion complete_by_als(const Cells& cells, const AlsOptions& options, const RunContext& run) {
  options.validate();
  if (cells.count() == 0) throw Error(ErrorCode::bad_data, "als: no cells: give at least one");
  Completion found;
  const Cells left = detail::take_biases(cells, options.biases, options.bias_lambda, run, found);
  found.u = Block(cells.rows, options.rank);
  found.v = Block(cells.columns, options.rank);
  Ending& ending = found.report;
  ending.used = ending.requested = "als";
  ending.sentence = "biases of rows and columns";
  if (options.rank == 0) return found;
  Rng rng = run.rng();
  for (std::int64_t i = 0; i < found.v.rows() * options.rank; ++i)
    found.v.data()[i] = rng.normal() / std::sqrt(static_cast<double>(options.rank));
  const CellIndex rows = by_row(cells), columns = by_column(cells);
  std::vector<double> objectives;
  ending.outcome = Outcome::iteration_limit;
  while (ending.iterations < options.sweeps) {
    if (const auto why = run.stop()) {
      ending.outcome = *why;
      break;
    }
    solve_side(left, rows, cells.column, found.v, options.lambda, run.thread_count(), found.u);
    solve_side(left, columns, cells.row, found.u, options.lambda, run.thread_count(), found.v);
    ++ending.iterations;
    objectives.push_back(objective(left, found.u, found.v, options.lambda));
    run.report_progress(
        "als", static_cast<double>(ending.iterations) / static_cast<double>(options.sweeps));
    if (objectives.size() > 1 && objectives[objectives.size() - 2] - objectives.back() <=
                                     options.tolerance * objectives.back()) {
      ending.outcome = Outcome::converged;
      break;
    }
  }
  ending.sentence = std::to_string(ending.iterations) + " sweeps of alternating least squares";
  found.report.certificates.push_back({"objective", std::move(objectives)});
  return found;
}

}  // namespace gssl
