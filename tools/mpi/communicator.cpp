#include "communicator.hpp"

#include <algorithm>
#include <cstring>

namespace gssl::mpi {
namespace {

// Reductions of long lists go by as many entries at once.
constexpr std::size_t entries_at_once = std::size_t{1} << 24;
constexpr int text_tag = 17;

template <class T>
void reduce_in_pieces(std::span<T> values, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  for (std::size_t at = 0; at < values.size(); at += entries_at_once) {
    const std::size_t count = std::min(entries_at_once, values.size() - at);
    MPI_Allreduce(MPI_IN_PLACE, values.data() + at, static_cast<int>(count), type, op, comm);
  }
}

}  // namespace

Communicator::Communicator(MPI_Comm comm, std::size_t piece_bytes)
    : comm_(comm), piece_(piece_bytes) {
  MPI_Comm_rank(comm, &rank_);
  MPI_Comm_size(comm, &size_);
}

void Communicator::reduce(std::span<double> values, MPI_Op op) const {
  reduce_in_pieces(values, MPI_DOUBLE, op, comm_);
}

void Communicator::reduce(std::span<std::int64_t> values, MPI_Op op) const {
  reduce_in_pieces(values, MPI_INT64_T, op, comm_);
}

std::int64_t Communicator::sum_before(std::int64_t value) const {
  std::int64_t before = 0;
  MPI_Exscan(&value, &before, 1, MPI_INT64_T, MPI_SUM, comm_);
  return rank_ == 0 ? 0 : before;  // the first rank's is left as it was
}

std::vector<std::int64_t> Communicator::gather(std::int64_t value) const {
  std::vector<std::int64_t> all(static_cast<std::size_t>(size_));
  MPI_Allgather(&value, 1, MPI_INT64_T, all.data(), 1, MPI_INT64_T, comm_);
  return all;
}

std::int64_t Communicator::broadcast(std::int64_t value, int root) const {
  MPI_Bcast(&value, 1, MPI_INT64_T, root, comm_);
  return value;
}

void Communicator::broadcast_bytes(void* data, std::size_t bytes, int root) const {
  auto* at = static_cast<char*>(data);
  while (bytes > 0) {
    const std::size_t now = std::min(bytes, piece_);
    MPI_Bcast(at, static_cast<int>(now), MPI_BYTE, root, comm_);
    at += now;
    bytes -= now;
  }
}

void Communicator::broadcast(std::string& text, int root) const {
  text.resize(static_cast<std::size_t>(broadcast(std::int64_t(text.size()), root)));
  broadcast_bytes(text.data(), text.size(), root);
}

void Communicator::broadcast(std::vector<std::string>& texts, int root) const {
  texts.resize(static_cast<std::size_t>(broadcast(std::int64_t(texts.size()), root)));
  for (std::string& text : texts) broadcast(text, root);
}

std::vector<std::size_t> Communicator::counts_from(const std::vector<std::size_t>& begin) const {
  const auto p = static_cast<std::size_t>(size_);
  std::vector<std::int64_t> to(p), from(p);
  for (std::size_t r = 0; r < p; ++r) to[r] = static_cast<std::int64_t>(begin[r + 1] - begin[r]);
  MPI_Alltoall(to.data(), 1, MPI_INT64_T, from.data(), 1, MPI_INT64_T, comm_);
  return {from.begin(), from.end()};
}

// In step s every rank sends to the s-th after it and receives from the s-th before it, piece by
// piece: no rank is sent to by two at once, and no count or displacement exceeds an int.
void Communicator::exchange_bytes(const void* out, const std::vector<std::size_t>& out_begin,
                                  void* in, const std::vector<std::size_t>& in_begin,
                                  std::size_t item) const {
  const auto* const source = static_cast<const char*>(out);
  auto* const target = static_cast<char*>(in);
  const auto self = static_cast<std::size_t>(rank_);
  const std::size_t kept = (out_begin[self + 1] - out_begin[self]) * item;
  if (kept > 0) std::memcpy(target + in_begin[self] * item, source + out_begin[self] * item, kept);
  for (int step = 1; step < size_; ++step) {
    const int to = (rank_ + step) % size_;
    const int from = (rank_ - step + size_) % size_;
    std::size_t send_at = out_begin[static_cast<std::size_t>(to)] * item;
    const std::size_t send_end = out_begin[static_cast<std::size_t>(to) + 1] * item;
    std::size_t receive_at = in_begin[static_cast<std::size_t>(from)] * item;
    const std::size_t receive_end = in_begin[static_cast<std::size_t>(from) + 1] * item;
    while (send_at < send_end || receive_at < receive_end) {
      const std::size_t sent = std::min(piece_, send_end - send_at);
      const std::size_t received = std::min(piece_, receive_end - receive_at);
      MPI_Sendrecv(source + send_at, static_cast<int>(sent), MPI_BYTE,
                   sent > 0 ? to : MPI_PROC_NULL, step, target + receive_at,
                   static_cast<int>(received), MPI_BYTE, received > 0 ? from : MPI_PROC_NULL, step,
                   comm_, MPI_STATUS_IGNORE);
      send_at += sent;
      receive_at += received;
    }
  }
}

void Communicator::send(const std::string& text, int to) const {
  const auto bytes = static_cast<std::int64_t>(text.size());
  MPI_Send(&bytes, 1, MPI_INT64_T, to, text_tag, comm_);
  for (std::size_t at = 0; at < text.size(); at += piece_)
    MPI_Send(text.data() + at, static_cast<int>(std::min(piece_, text.size() - at)), MPI_BYTE, to,
             text_tag, comm_);
}

std::string Communicator::receive(int from) const {
  std::int64_t bytes = 0;
  MPI_Recv(&bytes, 1, MPI_INT64_T, from, text_tag, comm_, MPI_STATUS_IGNORE);
  std::string text(static_cast<std::size_t>(bytes), '\0');
  for (std::size_t at = 0; at < text.size(); at += piece_)
    MPI_Recv(text.data() + at, static_cast<int>(std::min(piece_, text.size() - at)), MPI_BYTE, from,
             text_tag, comm_, MPI_STATUS_IGNORE);
  return text;
}

}  // namespace gssl::mpi
