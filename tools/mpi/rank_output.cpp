#include "rank_output.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>

#include "together.hpp"

namespace gssl::mpi {
namespace {

constexpr std::size_t sent_at_once = std::size_t{1} << 20;

// A table in memory, as the file that a TableWriter wants.
class TableInMemory {
 public:
  TableInMemory() : descriptor_(::memfd_create("gssl-mpi-rows", MFD_CLOEXEC)) {
    if (descriptor_ < 0) throw std::bad_alloc();
  }
  ~TableInMemory() { ::close(descriptor_); }
  TableInMemory(const TableInMemory&) = delete;
  TableInMemory& operator=(const TableInMemory&) = delete;

  void fill(TableFormat format, const std::vector<std::string>& columns,
            const std::function<void(TableWriter&)>& rows) {
    OutputFile out("/dev/fd/" + std::to_string(descriptor_));
    TableWriter table(out, format, columns);
    if (format != TableFormat::jsonl) {  // the line of columns is written already
      out.flush();
      begin_ = ::lseek(descriptor_, 0, SEEK_CUR);
    }
    rows(table);
    out.commit();
  }

  // The next rows as text; empty after the last.
  std::string next() {
    std::string text(sent_at_once, '\0');
    const ssize_t got = ::pread(descriptor_, text.data(), text.size(), begin_);
    text.resize(static_cast<std::size_t>(std::max<ssize_t>(0, got)));
    begin_ += static_cast<off_t>(text.size());
    return text;
  }

 private:
  int descriptor_;
  off_t begin_ = 0;
};

}  // namespace

void write_by_rank(std::optional<OutputFile>& out, TableFormat format,
                   const std::vector<std::string>& columns, const Communicator& ranks,
                   const std::function<void(TableWriter&)>& rows) {
  std::optional<TableInMemory> memory;
  together(ranks, [&] {
    if (ranks.is_first()) {
      TableWriter table(*out, format, columns);
      rows(table);
    } else {
      memory.emplace().fill(format, columns, rows);
    }
  });
  if (memory) {
    for (std::string part = memory->next(); !part.empty(); part = memory->next())
      ranks.send(part, 0);
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
