#pragma once
// Bytes of a file or a pipe as they come, unpacked on the way; what LineStream reads from.

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "gssl/core/run_context.hpp"
#include "unpackers.hpp"

namespace gssl::detail {

enum class Checksum { none, crc32 };

class ByteStream {
 public:
  // Without a checksum, crc32() is that of nothing.
  ByteStream(const std::string& path, const RunContext& run, Checksum checksum = Checksum::crc32);
  ~ByteStream();
  ByteStream(const ByteStream&) = delete;
  ByteStream& operator=(const ByteStream&) = delete;

  // At least one byte unless the input has ended or the run is to stop: then 0.
  std::size_t read(std::span<char> room);
  const std::string& name() const { return name_; }
  bool is_file() const { return !waits_; }  // so that read() never waits for another program

  // Of the stored bytes so far.
  std::int64_t stored_bytes() const { return stored_bytes_; }
  std::string crc32() const;             // 8 hex digits
  std::string_view compression() const;  // "none", "gzip", "zstd", once something was read

 private:
  std::size_t read_stored(std::span<char> room);
  void sniff();

  std::string name_;
  const RunContext& run_;
  Checksum checksum_;
  int descriptor_ = -1;
  bool close_ = false;
  bool waits_ = false;  // not a regular file
  bool sniffed_ = false;
  std::string packed_;  // read and not yet unpacked
  std::size_t taken_ = 0;
  bool more_inside_ = false;  // the unpacker filled all room and may hold more
  std::unique_ptr<Unpacker> unpacker_;
  std::int64_t stored_bytes_ = 0;
  std::uint32_t crc_ = 0;
  std::string_view compression_ = "none";
};

}  // namespace gssl::detail
