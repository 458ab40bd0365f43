#pragma once
// One table whose rows every rank has some of, in the order of the ranks.
//
//   write_by_rank(out, format, columns, ranks, [&](TableWriter& table) { … own rows … });
//
// Every rank formats its rows; the first writes them one rank after the other, so that the output
// may be a pipe and appears whole or not at all. Memory: a rank's rows as text; on the first rank
// those of one piece of another.

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "communicator.hpp"
#include "gssl/io/table_writer.hpp"

namespace gssl::mpi {

// `out` on the first rank alone; the caller commits it. Collective; what fails, fails on all.
void write_by_rank(std::optional<OutputFile>& out, TableFormat format,
                   const std::vector<std::string>& columns, const Communicator& ranks,
                   const std::function<void(TableWriter&)>& rows);

}  // namespace gssl::mpi
