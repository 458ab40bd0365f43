#include "rank_output.hpp"

#include <algorithm>

#include "together.hpp"

namespace gssl::mpi {
namespace {

constexpr std::size_t sent_at_once = std::size_t{1} << 26;

}  // namespace

void write_by_rank(std::optional<OutputFile>& out, TableFormat format,
                   const std::vector<std::string>& columns, const Communicator& ranks,
                   const std::function<void(TableWriter&)>& rows) {
  std::string text;
  together(ranks, [&] {
    if (ranks.is_first()) {
      TableWriter table(*out, format, columns);
      rows(table);
    } else {
      TableWriter table(text, format, columns);
      rows(table);
    }
  });
  if (!ranks.is_first()) {
    for (std::size_t at = 0; at < text.size(); at += sent_at_once)
      ranks.send(text.substr(at, sent_at_once), 0);
    ranks.send({}, 0);
  }
  // What cannot be written is still received, or its sender would wait.
  Failure failure;
  for (int r = 1; ranks.is_first() && r < ranks.size(); ++r) {
    for (std::string part = ranks.receive(r); !part.empty(); part = ranks.receive(r))
      if (!failure.failed) failure = attempt([&] { out->write(part); });
  }
  agree(ranks, failure);
}

}  // namespace gssl::mpi
