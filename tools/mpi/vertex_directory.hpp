#pragma once
// Where ids are looked up: every id is owned by the rank that its hash names, and that rank knows
// its vertex.
//
//   VertexDirectory directory;
//   Numbering numbering = directory.number(edges.names, ranks);       // collective
//   numbering.vertex_of[v];                       // of this rank's name v
//   directory.find({"alice", "bob"}, ranks);      // collective; −1 where there is none
//
// Vertices are numbered 0 … n−1 by first appearance in the whole input, as one machine would: the
// ids of a rank's lines that no earlier rank has seen get the numbers after those of the ranks
// before it. Questions go to the owners in one exchange and answers come back in a second.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "communicator.hpp"
#include "gssl/graph/vertex_names.hpp"

namespace gssl::mpi {

struct Numbering {
  std::int64_t vertices = 0;            // n
  std::vector<std::int64_t> vertex_of;  // of each name of this rank
  std::vector<VertexId> introduced;     // names that no earlier rank has, ascending
  std::vector<std::int64_t> first;  // of rank r: its introduced are first[r] … first[r+1] − 1
};

class VertexDirectory {
 public:
  VertexDirectory() = default;
  // Where every rank has all names, as those of a mapped file: vertex v is names.name(v).
  explicit VertexDirectory(VertexNames all) : owned_(std::move(all)), has_all_(true) {}

  // O(names of this rank) time; memory is shared evenly by the hash.
  Numbering number(const VertexNames& names, const Communicator& ranks);

  std::vector<std::int64_t> find(const std::vector<std::string>& ids,
                                 const Communicator& ranks) const;

 private:
  VertexNames owned_;
  std::vector<std::int64_t> vertex_of_;  // of each owned id
  bool has_all_ = false;
};

// Several texts in one list of bytes for an exchange, and back.
void append_text(std::string_view text, std::vector<char>& bytes);
std::string_view take_text(std::span<const char>& bytes);

}  // namespace gssl::mpi
