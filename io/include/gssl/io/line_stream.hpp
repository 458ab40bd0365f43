#pragma once
// The lines of an input that may have no end: a file, a pipe or standard input, plain or packed, in
// memory that does not grow with what was read.
//
//   gssl::LineStream lines("-", run);
//   for (;;) {
//     if (!lines.ready()) out.flush();            // next() may have to wait
//     const auto line = lines.next();             // nothing at the end
//     if (!line) break;
//   }
//
// A read returns what is there: every line that is complete is handed out before more is read. gzip
// and the other packers are told by their magic number, several members end to end are one text; "-" is standard
// input. A byte-order mark in front is not part of the first line, nor is a carriage return part of
// any. The last line may lack its end. Memory: 256 KiB and twice the longest line, and 4 MiB for a
// packed file, which is unpacked on a thread of its own where the run may use two; a pipe is not.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "gssl/core/run_context.hpp"

namespace gssl {

class LineStream {
 public:
  // Throws ErrorCode::cannot_open. While a pipe is silent, `run` is looked at every 0.1 s.
  explicit LineStream(const std::string& path, const RunContext& run = {});
  ~LineStream();
  LineStream(LineStream&&) noexcept;
  LineStream(const LineStream&) = delete;
  LineStream& operator=(const LineStream&) = delete;
  LineStream& operator=(LineStream&&) = delete;

  // The next line, valid until the next call; nothing at the end, or once `run` is to stop. Throws
  // ErrorCode::io_failure, and ErrorCode::bad_data on damaged packed data or a line above 1 GiB.
  std::optional<std::string_view> next();
  // Whether next() returns without reading: a whole line is at hand.
  bool ready();

  std::int64_t line() const;        // number of the line handed out last, from 1; 0 before
  const std::string& name() const;  // for messages: the path, or <stdin>

 private:
  class Source;
  std::unique_ptr<Source> source_;
};

}  // namespace gssl
