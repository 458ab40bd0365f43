#pragma once
// A DistributedSystem less rows that are eliminated at once: F, no two of which are neighbors. The
// others, C, keep the Schur complement S = A_CC − A_CF D_F⁻¹ A_FC, which is multiplied without being
// formed: by every arc once, as A is.
//
//   ReducedSystem reduced(system, ranks);      // collective
//   reduced.reduce(b, rest);                   // b_C − A_CF D_F⁻¹ b_F
//   reduced.multiply(x, y);                    // y = Sx
//   reduced.extend(b, x, whole);               // x, and D_F⁻¹(b_F − A_FC x)
//
// Conjugate gradients with the diagonal take about half the iterations of those on A, on vectors of
// C alone: on RMAT graphs 20 instead of 43, with 0.3 of the rows. ‖b − A·whole‖ is ‖rest − Sx‖.
// Hageman and Young 1981, chapter 8 (there for F and C that are both without inner arcs). F has
// vertices of few arcs before others: those with fewer than all their neighbors, and of the rest,
// less the neighbors of these, the same once more; ties by a hash, so that no number of ranks
// changes F.

#include <cstdint>
#include <vector>

#include "distributed_system.hpp"
#include "ghost_update.hpp"

namespace gssl::mpi {

class ReducedSystem {
 public:
  // Collective; O(arcs). `system` must outlive this. 32 bytes a row, 32 a ghost, 4 an arc, and once
  // more what the arcs of F take in the graph: a tenth on social networks, half on grids.
  ReducedSystem(const DistributedSystem& system, const Communicator& ranks);

  // Rows of `system` that are kept, ascending: entry i of a column is that of kept()[i].
  const std::vector<std::size_t>& kept() const { return kept_; }
  const std::vector<double>& diagonal() const { return diagonal_; }  // of S
  std::int64_t size() const { return size_; }                        // over all ranks

  // Collective but for the last. `b` and `whole` are of the rows of the system, the others of kept rows.
  void multiply(const double* x, double* y);
  void reduce(const std::vector<double>& b, double* rest);
  void extend(const std::vector<double>& b, const double* x, std::vector<double>& whole);
  // y = A·whole for what extend() found last.
  void multiply_extended(double* y) const;

 private:
  ReducedSystem(const DistributedSystem& system, const std::vector<char>& eliminated,
                const Communicator& ranks);
  // The arcs of eliminated rows once more, one row after the other.
  struct Arcs {
    std::vector<EdgeIndex> offsets{0};
    std::vector<VertexId> neighbors;
    ArcWeights weights;
  };

  void copy_eliminated_arcs();
  std::vector<VertexId> places();
  void place_values();
  void find_diagonal();
  void load(const double* x);
  void sum_eliminated(const std::vector<double>* b);
  template <class Take>
  void sum_kept(Take&& take) const;
  double* eliminated_values() { return values_.data() + first_eliminated_; }

  const DistributedSystem& system_;
  // Of the rows of the system; the eliminated ones by arcs, so that it is foreseen where one ends.
  std::vector<std::size_t> kept_, eliminated_;
  std::vector<VertexId> kept_vertices_;
  Arcs eliminated_arcs_;
  std::vector<VertexId> neighbors_;  // the graph's, as places of values; of kept rows alone
  GhostUpdate kept_update_, eliminated_update_;
  std::vector<double> diagonal_;
  std::vector<double> eliminated_diagonal_;
  std::int64_t size_ = 0;
  // Of kept rows, then of ghosts that are kept, of eliminated rows and of such ghosts, each without
  // gaps, since products read them in no order; and 0 for all that are no rows.
  std::vector<double> values_;
  std::size_t first_eliminated_ = 0;  // place
};

}  // namespace gssl::mpi
