#pragma once
// The ranks of one job, and how they talk: sums, broadcasts, and exchanges of any size.
//
//   const Communicator ranks(MPI_COMM_WORLD, piece_bytes);
//   Parcels<double> out = …;                     // what goes to each rank, by rank
//   Parcels<double> in = ranks.exchange(out);    // what came from each rank, by rank
//   ranks.sum(local);                            // the same on every rank
//
// All of it is collective: every rank calls the same functions in the same order. Counts in MPI are
// ints, so whatever is long travels in pieces of at most piece_bytes() (at most 1 GiB) each.

#define OMPI_SKIP_MPICXX 1
#define MPICH_SKIP_MPICXX 1
#include <mpi.h>

#include <cstdint>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace gssl::mpi {

// Items for each rank, or from each rank, in one list: those of rank r are
// items[begin[r]] … items[begin[r + 1] − 1].
template <class T>
struct Parcels {
  std::vector<T> items;
  std::vector<std::size_t> begin;

  Parcels() = default;
  // Room for count[r] items for each rank r.
  explicit Parcels(const std::vector<std::size_t>& count) : begin(count.size() + 1, 0) {
    for (std::size_t r = 0; r < count.size(); ++r) begin[r + 1] = begin[r] + count[r];
    items.resize(begin.back());
  }

  std::span<T> of(int rank) {
    const auto r = static_cast<std::size_t>(rank);
    return {items.data() + begin[r], begin[r + 1] - begin[r]};
  }
  std::span<const T> of(int rank) const {
    const auto r = static_cast<std::size_t>(rank);
    return {items.data() + begin[r], begin[r + 1] - begin[r]};
  }
};

class Communicator {
 public:
  static constexpr std::size_t least_piece = 64;
  static constexpr std::size_t largest_piece = std::size_t{1} << 30;

  // Precondition: least_piece ≤ piece_bytes ≤ largest_piece.
  Communicator(MPI_Comm comm, std::size_t piece_bytes);

  int rank() const { return rank_; }
  int size() const { return size_; }
  bool is_first() const { return rank_ == 0; }
  bool is_last() const { return rank_ == size_ - 1; }
  MPI_Comm handle() const { return comm_; }
  std::size_t piece_bytes() const { return piece_; }

  std::int64_t sum(std::int64_t value) const { return reduced(value, MPI_SUM); }
  double sum(double value) const { return reduced(value, MPI_SUM); }
  std::int64_t max(std::int64_t value) const { return reduced(value, MPI_MAX); }
  double max(double value) const { return reduced(value, MPI_MAX); }
  std::int64_t min(std::int64_t value) const { return reduced(value, MPI_MIN); }
  bool any(bool value) const { return max(std::int64_t{value}) != 0; }
  bool all(bool value) const { return min(std::int64_t{value}) != 0; }
  // Entry by entry, in place.
  void sum(std::span<double> values) const { reduce(values, MPI_SUM); }
  void sum(std::span<std::int64_t> values) const { reduce(values, MPI_SUM); }
  void max(std::span<double> values) const { reduce(values, MPI_MAX); }
  void max(std::span<std::int64_t> values) const { reduce(values, MPI_MAX); }
  void min(std::span<std::int64_t> values) const { reduce(values, MPI_MIN); }

  // The sum over the ranks before this one; 0 on the first.
  std::int64_t sum_before(std::int64_t value) const;

  // What every rank gave, by rank.
  std::vector<std::int64_t> gather(std::int64_t value) const;

  // Everyone's items, by rank, on every rank.
  template <class T>
  std::vector<T> gather_all(const std::vector<T>& mine) const {
    Parcels<T> out(std::vector<std::size_t>(static_cast<std::size_t>(size_), mine.size()));
    for (int r = 0; r < size_; ++r) std::copy(mine.begin(), mine.end(), out.of(r).begin());
    return exchange(out).items;
  }

  void broadcast(std::string& text, int root = 0) const;
  template <class T>
  void broadcast(std::vector<T>& items, int root = 0) const {
    static_assert(std::is_trivially_copyable_v<T>);
    items.resize(static_cast<std::size_t>(broadcast(std::int64_t(items.size()), root)));
    broadcast_bytes(items.data(), items.size() * sizeof(T), root);
  }
  void broadcast(std::vector<std::string>& texts, int root = 0) const;
  std::int64_t broadcast(std::int64_t value, int root) const;

  // Rank r gets what every rank has for r.
  template <class T>
  Parcels<T> exchange(const Parcels<T>& out) const {
    static_assert(std::is_trivially_copyable_v<T>);
    Parcels<T> in(counts_from(out.begin));
    exchange_bytes(out.items.data(), out.begin, in.items.data(), in.begin, sizeof(T));
    return in;
  }

  // The same into an array that stands: what rank r has for this one, to in + in_begin[r].
  template <class T>
  void exchange(const Parcels<T>& out, T* in, const std::vector<std::size_t>& in_begin) const {
    static_assert(std::is_trivially_copyable_v<T>);
    exchange_bytes(out.items.data(), out.begin, in, in_begin, sizeof(T));
  }

  // Between two ranks, in pieces.
  void send(const std::string& text, int to) const;
  std::string receive(int from) const;

 private:
  template <class T>
  T reduced(T value, MPI_Op op) const {
    reduce(std::span<T>(&value, 1), op);
    return value;
  }
  void reduce(std::span<double> values, MPI_Op op) const;
  void reduce(std::span<std::int64_t> values, MPI_Op op) const;
  void broadcast_bytes(void* data, std::size_t bytes, int root) const;
  std::vector<std::size_t> counts_from(const std::vector<std::size_t>& begin) const;
  void exchange_bytes(const void* out, const std::vector<std::size_t>& out_begin, void* in,
                      const std::vector<std::size_t>& in_begin, std::size_t item) const;

  MPI_Comm comm_;
  std::size_t piece_;
  int rank_ = 0;
  int size_ = 1;
};

}  // namespace gssl::mpi
