#include "unpackers.hpp"

#include <bzlib.h>
#include <isa-l/igzip_lib.h>
#include <lzma.h>
#include <zstd.h>

#include <algorithm>
#include <limits>
#include <new>

#include "gssl/core/error.hpp"
#include "vector_registers.hpp"

namespace gssl::detail {
namespace {

using namespace std::string_view_literals;

// What the counters of ISA-L and bzip2 hold.
constexpr std::size_t most_at_once = std::numeric_limits<unsigned>::max();

unsigned int counted(std::size_t bytes) {
  return static_cast<unsigned>(std::min(bytes, most_at_once));
}

[[noreturn]] void refuse(const std::string& name, const std::string& what) {
  throw Error(ErrorCode::bad_data, name + ": " + what + "; fetch or compress it again");
}

[[noreturn]] void damaged(const std::string& name, const char* kind, const char* why) {
  refuse(name, std::string("damaged ") + kind + " data (" +
                   (why != nullptr ? why : "unknown error") + ")");
}

[[noreturn]] void ends_early(const std::string& name, const char* kind) {
  refuse(name, std::string(kind) + " data ends early; the file is truncated");
}

const char* gzip_error(int result) {
  switch (result) {
    case ISAL_INVALID_BLOCK: return "invalid block";
    case ISAL_INVALID_SYMBOL: return "invalid code";
    case ISAL_INVALID_LOOKBACK: return "a copy from before the beginning";
    case ISAL_INVALID_WRAPPER: return "incorrect header";
    case ISAL_UNSUPPORTED_METHOD: return "unknown compression method";
    case ISAL_INCORRECT_CHECKSUM: return "incorrect checksum";
    default: return nullptr;
  }
}

class Gunzip final : public Unpacker {
 public:
  explicit Gunzip(std::string name) : name_(std::move(name)) { isal_inflate_init(&stream_); }

  std::size_t unpack(std::string_view& packed, std::span<char> room) override {
    if (between_members_) {
      // Tapes and block devices pad with zeros; anything else must be another member.
      if (packed.starts_with('\0')) packed = {};
      if (packed.empty()) return 0;
      if (!packed.starts_with('\x1f'))
        refuse(name_, "bytes that are not gzip follow the gzip data");
      isal_inflate_reset(&stream_);
      between_members_ = false;
    }
    stream_.crc_flag = ISAL_GZIP;
    const unsigned offered = counted(packed.size());
    const unsigned free = counted(room.size());
    stream_.next_in = reinterpret_cast<unsigned char*>(const_cast<char*>(packed.data()));
    stream_.avail_in = offered;
    stream_.next_out = reinterpret_cast<unsigned char*>(room.data());
    stream_.avail_out = free;
    const int result = isal_inflate(&stream_);
    clear_vector_registers();
    packed.remove_prefix(offered - stream_.avail_in);
    if (result != ISAL_DECOMP_OK) damaged(name_, "gzip", gzip_error(result));
    between_members_ = stream_.block_state == ISAL_BLOCK_FINISH;
    return free - stream_.avail_out;
  }

  void check_end() const override {
    if (!between_members_) ends_early(name_, "gzip");
  }

 private:
  std::string name_;
  inflate_state stream_{};
  bool between_members_ = false;
};

class Unzstd final : public Unpacker {
 public:
  explicit Unzstd(std::string name) : name_(std::move(name)), stream_(ZSTD_createDStream()) {
    if (!stream_) throw std::bad_alloc();
  }

  std::size_t unpack(std::string_view& packed, std::span<char> room) override {
    if (packed.empty() && wanted_ == 0) return 0;  // else it would wait for another frame
    ZSTD_inBuffer in{packed.data(), packed.size(), 0};
    ZSTD_outBuffer out{room.data(), room.size(), 0};
    wanted_ = ZSTD_decompressStream(stream_.get(), &out, &in);
    if (ZSTD_isError(wanted_) != 0U) damaged(name_, "zstd", ZSTD_getErrorName(wanted_));
    packed.remove_prefix(in.pos);
    return out.pos;
  }

  void check_end() const override {
    if (wanted_ != 0) ends_early(name_, "zstd");
  }

 private:
  struct Free {
    void operator()(ZSTD_DStream* stream) const { ZSTD_freeDStream(stream); }
  };
  std::string name_;
  std::unique_ptr<ZSTD_DStream, Free> stream_;
  std::size_t wanted_ = 1;
};

class Unxz final : public Unpacker {
 public:
  explicit Unxz(std::string name) : name_(std::move(name)) {
    constexpr std::uint64_t most_memory = std::uint64_t{1} << 30;  // xz -9 asks for 65 MiB
    if (lzma_stream_decoder(&stream_, most_memory, LZMA_CONCATENATED) != LZMA_OK)
      throw std::bad_alloc();
  }
  ~Unxz() override { lzma_end(&stream_); }
  Unxz(const Unxz&) = delete;
  Unxz& operator=(const Unxz&) = delete;

  std::size_t unpack(std::string_view& packed, std::span<char> room) override {
    const lzma_ret state = step(packed, room, LZMA_RUN);
    if (state != LZMA_OK && state != LZMA_BUF_ERROR) damaged(name_, "xz", explained(state));
    return room.size() - stream_.avail_out;
  }

  // Only told that nothing follows does the decoder know whether it is at an end.
  void check_end() const override {
    std::string_view nothing;
    char room = 0;
    if (step(nothing, {&room, 1}, LZMA_FINISH) != LZMA_STREAM_END) ends_early(name_, "xz");
  }

 private:
  lzma_ret step(std::string_view& packed, std::span<char> room, lzma_action action) const {
    stream_.next_in = reinterpret_cast<const std::uint8_t*>(packed.data());
    stream_.avail_in = packed.size();
    stream_.next_out = reinterpret_cast<std::uint8_t*>(room.data());
    stream_.avail_out = room.size();
    const lzma_ret state = lzma_code(&stream_, action);
    packed.remove_prefix(packed.size() - stream_.avail_in);
    if (state == LZMA_MEM_ERROR) throw std::bad_alloc();
    return state;
  }

  static const char* explained(lzma_ret state) {
    switch (state) {
      case LZMA_MEMLIMIT_ERROR: return "it wants more than 1 GiB to be unpacked";
      case LZMA_FORMAT_ERROR: return "what follows is no xz data";
      case LZMA_OPTIONS_ERROR: return "options that are not known";
      default: return "wrong check or content";
    }
  }

  std::string name_;
  mutable lzma_stream stream_ = LZMA_STREAM_INIT;
};

class Bunzip2 final : public Unpacker {
 public:
  explicit Bunzip2(std::string name) : name_(std::move(name)) { begin(); }
  ~Bunzip2() override { BZ2_bzDecompressEnd(&stream_); }
  Bunzip2(const Bunzip2&) = delete;
  Bunzip2& operator=(const Bunzip2&) = delete;

  std::size_t unpack(std::string_view& packed, std::span<char> room) override {
    if (between_streams_) {
      if (packed.empty()) return 0;
      BZ2_bzDecompressEnd(&stream_);
      begin();
    }
    const unsigned offered = counted(packed.size());
    const unsigned free = counted(room.size());
    stream_.next_in = const_cast<char*>(packed.data());
    stream_.avail_in = offered;
    stream_.next_out = room.data();
    stream_.avail_out = free;
    const int state = BZ2_bzDecompress(&stream_);
    packed.remove_prefix(offered - stream_.avail_in);
    if (state == BZ_MEM_ERROR) throw std::bad_alloc();
    if (state == BZ_STREAM_END) {
      between_streams_ = true;
    } else if (state != BZ_OK) {
      damaged(name_, "bzip2",
              state == BZ_DATA_ERROR_MAGIC ? "what follows is no bzip2 data" : "wrong content");
    }
    return free - stream_.avail_out;
  }

  void check_end() const override {
    if (!between_streams_) ends_early(name_, "bzip2");
  }

 private:
  void begin() {
    stream_ = bz_stream{};
    if (BZ2_bzDecompressInit(&stream_, 0, 0) != BZ_OK) throw std::bad_alloc();
    between_streams_ = false;
  }

  std::string name_;
  bz_stream stream_{};
  bool between_streams_ = false;
};

}  // namespace

Compression sniff_compression(std::string_view bytes) {
  if (bytes.starts_with("\x1F\x8B"sv)) return Compression::gzip;
  if (bytes.starts_with("\x28\xB5\x2F\xFD"sv)) return Compression::zstd;
  if (bytes.starts_with("\xFD\x37\x7A\x58\x5A\0"sv)) return Compression::xz;
  // A block follows the head, or the end of an empty text.
  const std::string_view after = bytes.starts_with("BZh"sv) ? bytes.substr(3) : ""sv;
  const bool level = !after.empty() && after.front() >= '1' && after.front() <= '9';
  if (level && (after.substr(1).starts_with("1A"sv) || after.substr(1).starts_with("\x17\x72"sv)))
    return Compression::bzip2;
  return Compression::none;
}

std::unique_ptr<Unpacker> make_unpacker(Compression compression, const std::string& name) {
  switch (compression) {
    case Compression::none: break;
    case Compression::gzip: return std::make_unique<Gunzip>(name);
    case Compression::zstd: return std::make_unique<Unzstd>(name);
    case Compression::xz: return std::make_unique<Unxz>(name);
    case Compression::bzip2: return std::make_unique<Bunzip2>(name);
  }
  return nullptr;
}

}  // namespace gssl::detail
