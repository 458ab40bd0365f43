#include "assembled_matrix.hpp"

#include <algorithm>
#include <utility>

#include "together.hpp"

namespace gssl::mpi {
namespace {

// The rows of the matrix: of each the entries of own rows by their number on this rank, the
// diagonal among them, and those of ghosts by their number over all ranks; both ascend.
class RowWriter {
 public:
  RowWriter(const DistributedGraph& graph, const std::vector<std::int64_t>& number,
            std::int64_t first, const std::vector<std::int64_t>& ghost_number,
            AssembledMatrix::Entries& own, AssembledMatrix::Entries& others)
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
  AssembledMatrix::Entries& own_;
  AssembledMatrix::Entries& others_;
};

// Entries of the rows of this rank: in its own columns, the diagonal among them, and in all.
struct EntryCount {
  std::int64_t own, all;
};

EntryCount count_entries(const DistributedSystem& system) {
  const DistributedGraph& graph = system.graph();
  const auto rows = static_cast<std::int64_t>(system.rows().size());
  std::int64_t own = rows, all = rows;
  for (const VertexId v : system.rows()) {
    const auto at = static_cast<std::size_t>(v);
    const auto begin = graph.neighbors.begin() + graph.offsets[at];
    const auto end = graph.neighbors.begin() + graph.offsets[at + 1];
    all += end - begin;
    own += std::lower_bound(begin, end, graph.rows()) - begin;
  }
  return {own, all};
}

}  // namespace

bool AssembledMatrix::fits(const DistributedSystem& system, const Communicator& ranks) {
  return std::cmp_less_equal(ranks.max(count_entries(system).all), PETSC_MAX_INT);
}

void AssembledMatrix::Entries::reserve(std::int64_t rows, std::int64_t count) {
  offsets.reserve(static_cast<std::size_t>(rows) + 1);
  offsets.push_back(0);
  columns.reserve(static_cast<std::size_t>(count));
  values.reserve(static_cast<std::size_t>(count));
}

AssembledMatrix::AssembledMatrix(const DistributedSystem& system, const Communicator& ranks) {
  const DistributedGraph& graph = system.graph();
  const auto own = static_cast<std::int64_t>(system.rows().size());
  const EntryCount count = count_entries(system);
  check_index_limits(system.size(), ranks.max(count.all), static_cast<int>(8 * sizeof(PetscInt)));
  std::vector<std::int64_t> number(static_cast<std::size_t>(graph.rows()), -1);
  const std::int64_t first = ranks.sum_before(own);
  std::int64_t next = first;
  for (const VertexId v : system.rows()) number[static_cast<std::size_t>(v)] = next++;
  const std::vector<std::int64_t> ghost_number = graph.fetch(number, ranks);
  together(ranks, [&] {
    own_.reserve(own, count.own);
    others_.reserve(own, count.all - count.own);
    RowWriter writer(graph, number, first, ghost_number, own_, others_);
    for (std::size_t i = 0; i < system.rows().size(); ++i)
      writer.append(system.rows()[i], system.diagonal()[i]);
  });
  check(MatCreateMPIAIJWithSplitArrays(
      ranks.handle(), static_cast<PetscInt>(own), static_cast<PetscInt>(own), PETSC_DETERMINE,
      PETSC_DETERMINE, own_.offsets.data(), own_.columns.data(), own_.values.data(),
      others_.offsets.data(), others_.columns.data(), others_.values.data(), matrix_.out()));
  check(MatSetOption(matrix_, MAT_SPD, PETSC_TRUE));
}

}  // namespace gssl::mpi
