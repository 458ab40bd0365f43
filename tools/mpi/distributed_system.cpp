#include "distributed_system.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "petsc.hpp"
#include "row_sums.hpp"
#include "together.hpp"

namespace gssl::mpi {

void check_index_limits(std::int64_t rows, std::int64_t most_entries, int bits) {
  constexpr std::int64_t limit = std::numeric_limits<std::int32_t>::max();
  if (bits > 32) return;
  if (rows > limit)
    refuse(ErrorCode::out_of_memory,
           fmt::format("the system has {} rows, and the PETSc of this gssl-mpi counts to {}: build "
                       "it with libpetsc64-real-dev and libslepc64-real-dev",
                       rows, limit));
  if (most_entries > limit)
    refuse(ErrorCode::out_of_memory,
           fmt::format("a rank has {} matrix entries, and the PETSc of this gssl-mpi counts to {}: "
                       "start {} times as many ranks, or build with libpetsc64-real-dev and "
                       "libslepc64-real-dev",
                       most_entries, limit, most_entries / limit + 1));
}

DistributedSystem::DistributedSystem(const DistributedGraph& graph, const std::vector<char>& is_row,
                                     const std::vector<double>& ground, const Communicator& ranks)
    : graph_(graph), ranks_(ranks) {
  together(ranks, [&] {
    for (VertexId v = 0; v < graph.rows(); ++v) {
      const auto at = static_cast<std::size_t>(v);
      if (is_row[at] == 0) continue;
      rows_.push_back(v);
      diagonal_.push_back(graph.weighted_degree(v) + ground[at]);
      widest_row_ = std::max(widest_row_, graph.offsets[at + 1] - graph.offsets[at]);
    }
  });
  size_ = ranks.sum(static_cast<std::int64_t>(rows_.size()));
  widest_row_ = ranks.max(widest_row_);
  check_index_limits(size_, 0, static_cast<int>(8 * sizeof(PetscInt)));
}

void DistributedSystem::multiply(const double* x, double* y) {
  if (!update_) {
    std::vector<char> is_row(static_cast<std::size_t>(graph_.rows()), 0);
    for (const VertexId v : rows_) is_row[static_cast<std::size_t>(v)] = 1;
    update_.emplace(graph_, is_row, ranks_);
    values_.assign(is_row.size() + graph_.ghosts.size(), 0.0);
  }
  for (std::size_t i = 0; i < rows_.size(); ++i) values_[static_cast<std::size_t>(rows_[i])] = x[i];
  update_->run(values_);
  sum_rows(
      graph_, rows_.size(), [&](std::size_t i) { return rows_[i]; }, values_,
      [&](std::size_t i, double sum) { y[i] = diagonal_[i] * x[i] - sum; });
}

}  // namespace gssl::mpi
