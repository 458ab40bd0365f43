#pragma once
// The text of one edge list, dealt out: every rank gets a run of whole lines, and the runs follow
// one another in the order of the ranks.
//
//   EdgeText text("edges.txt", skip_lines, ranks);            // collective
//   sniff_dialect(text.head(), …);                            // the same first lines on all ranks
//   text.walk([&](const TextPiece& piece) { parse(piece); }); // collective
//
// A plain file is read by every rank from its own bytes [r·N/p, (r+1)·N/p), both ends moved to the
// next line. gzip and zstd cannot be cut, and a pipe cannot be read twice: there the first rank
// reads (and holds a pipe's bytes), unpacks, and deals the text out by the share of the stored bytes
// that it has used. The file must be seen under the same path by every rank unless it is packed or
// "-".

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

#include "communicator.hpp"
#include "gssl/core/run_context.hpp"
#include "gssl/io/graph_reader.hpp"
#include "text_source.hpp"
#include "together.hpp"

namespace gssl::mpi {

struct TextPiece {
  std::string_view text;        // whole lines
  std::int64_t first_line = 0;  // its number; 0: not known
  std::int64_t offset = 0;      // of the first byte in a plain file
};

class EdgeText {
 public:
  // Throws, on every rank, ErrorCode::cannot_open, ErrorCode::io_failure, and ErrorCode::bad_data
  // if the text is no UTF-8 or its packing is damaged.
  EdgeText(const std::string& path, std::int64_t skip_lines, const Communicator& ranks,
           const RunContext& run);
  ~EdgeText();
  EdgeText(const EdgeText&) = delete;
  EdgeText& operator=(const EdgeText&) = delete;

  // The first lines, those to be skipped too: at least a hundred lines of data unless there are
  // fewer.
  std::string_view head() const { return head_; }
  const std::string& name() const { return name_; }

  // Calls take for the pieces of this rank, in order. What it throws, all throw.
  void walk(const std::function<void(const TextPiece&)>& take);

  // The number of a piece's first line. Reads the file up to it if that is not known.
  std::int64_t line_of(const TextPiece& piece) const;

  // Path, format, compression, bytes and checksum; after walk().
  InputStats stats() const;

 private:
  class Stored;
  void open(const std::string& path);
  void read_head();
  std::int64_t next_line_start(std::int64_t at) const;
  void read_own(const std::function<void(const TextPiece&)>& take);
  Failure deal(const std::function<void(const TextPiece&)>& take);
  Failure receive(const std::function<void(const TextPiece&)>& take);
  std::pair<std::int64_t, std::int64_t> own_bytes() const;

  const Communicator& ranks_;
  const RunContext& run_;
  std::string name_;
  std::int64_t skip_lines_;
  std::string head_;
  std::string held_;  // a pipe's bytes, on the first rank
  int descriptor_ = -1;
  bool dealt_ = false;  // by the first rank
  bool is_pipe_ = false;
  std::int64_t size_ = 0;   // stored bytes
  std::int64_t begin_ = 0;  // of the data: after a byte-order mark and the lines to be skipped
  detail::Compression compression_ = detail::Compression::none;
  std::uint32_t crc_ = 0;
};

}  // namespace gssl::mpi
