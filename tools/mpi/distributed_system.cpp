#include "distributed_system.hpp"

#include <fmt/format.h>

#include <limits>

#include "together.hpp"

namespace gssl::mpi {
namespace {

// A row of the matrix: ghosts below the own rows, own ones with the diagonal, ghosts above.
class RowWriter {
 public:
  RowWriter(const DistributedGraph& graph, const std::vector<std::int64_t>& number,
            const std::vector<std::int64_t>& ghost_number)
      : graph_(graph),
        number_(number),
        ghost_number_(ghost_number),
        lower_end_(graph.rows() +
                   static_cast<VertexId>(std::ranges::lower_bound(graph.ghosts, graph.begin) -
                                         graph.ghosts.begin())) {}

  std::vector<PetscInt> offsets{0};
  std::vector<PetscInt> columns;
  std::vector<PetscScalar> values;

  void append(VertexId v, double diagonal) {
    const EdgeIndex begin = graph_.offsets[static_cast<std::size_t>(v)];
    const EdgeIndex end = graph_.offsets[static_cast<std::size_t>(v) + 1];
    EdgeIndex own_end = begin, lower_end = begin;
    while (own_end < end && neighbor(own_end) < graph_.rows()) ++own_end;
    for (lower_end = own_end; lower_end < end && neighbor(lower_end) < lower_end_;) ++lower_end;
    for (EdgeIndex e = own_end; e < lower_end; ++e) put_ghost(e);
    EdgeIndex e = begin;
    for (; e < own_end && neighbor(e) < v; ++e) put_own(e);
    put(number_[static_cast<std::size_t>(v)], diagonal);
    for (; e < own_end; ++e) put_own(e);
    for (e = lower_end; e < end; ++e) put_ghost(e);
    offsets.push_back(static_cast<PetscInt>(columns.size()));
  }

 private:
  VertexId neighbor(EdgeIndex e) const { return graph_.neighbors[static_cast<std::size_t>(e)]; }
  void put_own(EdgeIndex e) {
    put(number_[static_cast<std::size_t>(neighbor(e))], -graph_.weight(e));
  }
  void put_ghost(EdgeIndex e) {
    put(ghost_number_[static_cast<std::size_t>(neighbor(e) - graph_.rows())], -graph_.weight(e));
  }
  void put(std::int64_t column, double value) {
    if (column < 0) return;
    columns.push_back(static_cast<PetscInt>(column));
    values.push_back(value);
  }

  const DistributedGraph& graph_;
  const std::vector<std::int64_t>& number_;
  const std::vector<std::int64_t>& ghost_number_;
  VertexId lower_end_;  // own numbers of the ghosts below the own rows end here
};

}  // namespace

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
                                     const std::vector<double>& ground, const Communicator& ranks) {
  std::int64_t entries = 0;
  together(ranks, [&] {
    for (VertexId v = 0; v < graph.rows(); ++v) {
      const auto at = static_cast<std::size_t>(v);
      if (is_row[at] == 0) continue;
      rows_.push_back(v);
      diagonal_.push_back(graph.weighted_degree(v) + ground[at]);
      entries += graph.offsets[at + 1] - graph.offsets[at] + 1;
    }
  });
  const auto own = static_cast<std::int64_t>(rows_.size());
  size_ = ranks.sum(own);
  check_index_limits(size_, ranks.max(entries), static_cast<int>(8 * sizeof(PetscInt)));
  std::vector<std::int64_t> number(static_cast<std::size_t>(graph.rows()), -1);
  std::int64_t next = ranks.sum_before(own);
  for (const VertexId v : rows_) number[static_cast<std::size_t>(v)] = next++;
  const std::vector<std::int64_t> ghost_number = graph.fetch(number, ranks);
  RowWriter writer(graph, number, ghost_number);
  together(ranks, [&] {
    writer.columns.reserve(static_cast<std::size_t>(entries));
    writer.values.reserve(static_cast<std::size_t>(entries));
    for (std::size_t i = 0; i < rows_.size(); ++i) writer.append(rows_[i], diagonal_[i]);
  });
  check(MatCreateMPIAIJWithArrays(ranks.handle(), static_cast<PetscInt>(own),
                                  static_cast<PetscInt>(own), PETSC_DETERMINE, PETSC_DETERMINE,
                                  writer.offsets.data(), writer.columns.data(),
                                  writer.values.data(), matrix_.out()));
  check(MatSetOption(matrix_, MAT_SPD, PETSC_TRUE));
}

}  // namespace gssl::mpi
