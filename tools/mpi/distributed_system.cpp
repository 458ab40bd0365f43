#include "distributed_system.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "together.hpp"

namespace gssl::mpi {
namespace {

// The rows of the matrix: of each the entries of own rows by their number on this rank, the
// diagonal among them, and those of ghosts by their number over all ranks; both ascend.
class RowWriter {
 public:
  RowWriter(const DistributedGraph& graph, const std::vector<std::int64_t>& number,
            std::int64_t first, const std::vector<std::int64_t>& ghost_number,
            DistributedSystem::Entries& own, DistributedSystem::Entries& others)
      : graph_(graph),
        number_(number),
        first_(first),
        ghost_number_(ghost_number),
        own_(own),
        others_(others) {}

  void append(VertexId v, double diagonal) {
    EdgeIndex e = graph_.offsets[static_cast<std::size_t>(v)];
    const EdgeIndex end = graph_.offsets[static_cast<std::size_t>(v) + 1];
    for (; e < end && neighbor(e) < v; ++e) put_own(e);
    own_.put(number_[static_cast<std::size_t>(v)] - first_, diagonal);
    for (; e < end && neighbor(e) < graph_.rows(); ++e) put_own(e);
    for (; e < end; ++e) put_ghost(e);
    own_.end_row();
    others_.end_row();
  }

 private:
  VertexId neighbor(EdgeIndex e) const { return graph_.neighbors[static_cast<std::size_t>(e)]; }
  void put_own(EdgeIndex e) {
    const std::int64_t column = number_[static_cast<std::size_t>(neighbor(e))];
    if (column >= 0) own_.put(column - first_, -graph_.weight(e));
  }
  void put_ghost(EdgeIndex e) {
    const std::int64_t column =
        ghost_number_[static_cast<std::size_t>(neighbor(e) - graph_.rows())];
    if (column >= 0) others_.put(column, -graph_.weight(e));
  }

  const DistributedGraph& graph_;
  const std::vector<std::int64_t>& number_;
  const std::int64_t first_;  // row of this rank
  const std::vector<std::int64_t>& ghost_number_;
  DistributedSystem::Entries& own_;
  DistributedSystem::Entries& others_;
};

}  // namespace

void DistributedSystem::Entries::reserve(std::int64_t rows, std::int64_t count) {
  offsets.reserve(static_cast<std::size_t>(rows) + 1);
  offsets.push_back(0);
  columns.reserve(static_cast<std::size_t>(count));
  values.reserve(static_cast<std::size_t>(count));
}

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
  std::int64_t own_entries = 0, entries = 0;
  together(ranks, [&] {
    for (VertexId v = 0; v < graph.rows(); ++v) {
      const auto at = static_cast<std::size_t>(v);
      if (is_row[at] == 0) continue;
      rows_.push_back(v);
      diagonal_.push_back(graph.weighted_degree(v) + ground[at]);
      const auto begin = graph.neighbors.begin() + graph.offsets[at];
      const auto end = graph.neighbors.begin() + graph.offsets[at + 1];
      entries += end - begin + 1;
      widest_row_ = std::max<std::int64_t>(widest_row_, end - begin);
      own_entries += std::lower_bound(begin, end, graph.rows()) - begin + 1;
    }
  });
  const auto own = static_cast<std::int64_t>(rows_.size());
  size_ = ranks.sum(own);
  widest_row_ = ranks.max(widest_row_);
  check_index_limits(size_, ranks.max(entries), static_cast<int>(8 * sizeof(PetscInt)));
  std::vector<std::int64_t> number(static_cast<std::size_t>(graph.rows()), -1);
  const std::int64_t first = ranks.sum_before(own);
  std::int64_t next = first;
  for (const VertexId v : rows_) number[static_cast<std::size_t>(v)] = next++;
  const std::vector<std::int64_t> ghost_number = graph.fetch(number, ranks);
  together(ranks, [&] {
    own_.reserve(own, own_entries);
    others_.reserve(own, entries - own_entries);
    RowWriter writer(graph, number, first, ghost_number, own_, others_);
    for (std::size_t i = 0; i < rows_.size(); ++i) writer.append(rows_[i], diagonal_[i]);
  });
  check(MatCreateMPIAIJWithSplitArrays(
      ranks.handle(), static_cast<PetscInt>(own), static_cast<PetscInt>(own), PETSC_DETERMINE,
      PETSC_DETERMINE, own_.offsets.data(), own_.columns.data(), own_.values.data(),
      others_.offsets.data(), others_.columns.data(), others_.values.data(), matrix_.out()));
  check(MatSetOption(matrix_, MAT_SPD, PETSC_TRUE));
}

}  // namespace gssl::mpi
