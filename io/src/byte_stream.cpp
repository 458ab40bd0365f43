#include "byte_stream.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "gssl/core/error.hpp"
#include "hex_digits.hpp"
#include "text_source.hpp"

namespace gssl::detail {
namespace {

constexpr std::size_t packed_bytes = std::size_t{1} << 16;
constexpr int silence_ms = 100;  // between two looks at the run while a pipe is silent

[[noreturn]] void damaged(const std::string& name, const std::string& what) {
  throw Error(ErrorCode::bad_data, name + ": " + what + "; fetch or compress it again");
}

class Gunzip final : public Unpacker {
 public:
  explicit Gunzip(std::string name) : name_(std::move(name)) {
    constexpr int gzip_only = 16 + MAX_WBITS;
    if (inflateInit2(&stream_, gzip_only) != Z_OK) throw std::bad_alloc();
  }
  ~Gunzip() override { inflateEnd(&stream_); }
  Gunzip(const Gunzip&) = delete;
  Gunzip& operator=(const Gunzip&) = delete;

  std::size_t unpack(std::string_view& packed, std::span<char> room) override {
    if (between_members_) {
      if (packed.empty()) return 0;
      if (packed.front() == '\0') {  // tapes and block devices pad with zeros
        packed = {};
        return 0;
      }
      inflateReset(&stream_);
      between_members_ = false;
    }
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
    stream_.avail_in = static_cast<uInt>(packed.size());
    stream_.next_out = reinterpret_cast<Bytef*>(room.data());
    stream_.avail_out = static_cast<uInt>(room.size());
    const int state = inflate(&stream_, Z_SYNC_FLUSH);
    packed.remove_prefix(packed.size() - stream_.avail_in);
    if (state == Z_MEM_ERROR) throw std::bad_alloc();
    if (state == Z_STREAM_END) {
      between_members_ = true;
    } else if (state != Z_OK && state != Z_BUF_ERROR) {
      damaged(name_, std::string("damaged gzip data (") +
                         (stream_.msg != nullptr ? stream_.msg : "unknown error") + ")");
    }
    return room.size() - stream_.avail_out;
  }

  void check_end() const override {
    if (!between_members_) damaged(name_, "gzip data ends early; the file is truncated");
  }

 private:
  std::string name_;
  z_stream stream_{};
  bool between_members_ = false;
};

class Unzstd final : public Unpacker {
 public:
  explicit Unzstd(std::string name) : name_(std::move(name)), stream_(ZSTD_createDStream()) {
    if (!stream_) throw std::bad_alloc();
  }

  std::size_t unpack(std::string_view& packed, std::span<char> room) override {
    ZSTD_inBuffer in{packed.data(), packed.size(), 0};
    ZSTD_outBuffer out{room.data(), room.size(), 0};
    wanted_ = ZSTD_decompressStream(stream_.get(), &out, &in);
    if (ZSTD_isError(wanted_) != 0U)
      damaged(name_, std::string("damaged zstd data (") + ZSTD_getErrorName(wanted_) + ")");
    packed.remove_prefix(in.pos);
    return out.pos;
  }

  void check_end() const override {
    if (wanted_ != 0) damaged(name_, "zstd data ends early; the file is truncated");
  }

 private:
  struct Free {
    void operator()(ZSTD_DStream* stream) const { ZSTD_freeDStream(stream); }
  };
  std::string name_;
  std::unique_ptr<ZSTD_DStream, Free> stream_;
  std::size_t wanted_ = 1;
};

}  // namespace

std::unique_ptr<Unpacker> make_unpacker(std::string_view packed, const std::string& name) {
  using namespace std::string_view_literals;
  if (packed.starts_with("\x1f\x8b"sv)) return std::make_unique<Gunzip>(name);
  if (packed.starts_with("\x28\xb5\x2f\xfd"sv)) return std::make_unique<Unzstd>(name);
  return nullptr;
}

ByteStream::ByteStream(const std::string& path, const RunContext& run)
    : name_(path == "-" ? "<stdin>" : path), run_(run) {
  descriptor_ = path == "-" ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  close_ = path != "-";
  struct stat status {};
  int failed = descriptor_ < 0 ? errno : 0;
  if (failed == 0 && ::fstat(descriptor_, &status) != 0) failed = errno;
  if (failed == 0 && S_ISDIR(status.st_mode)) failed = EISDIR;
  if (failed != 0) {
    if (close_ && descriptor_ >= 0) ::close(descriptor_);
    throw Error(ErrorCode::cannot_open, name_ + ": cannot open: " + std::strerror(failed) +
                                            "; check the path and its permissions");
  }
  waits_ = !S_ISREG(status.st_mode);
}

ByteStream::~ByteStream() {
  if (close_) ::close(descriptor_);
}

// What there is, as soon as there is something.
std::size_t ByteStream::read_stored(std::span<char> room) {
  while (!run_.should_stop()) {
    if (waits_) {
      pollfd wait{descriptor_, POLLIN, 0};
      if (::poll(&wait, 1, silence_ms) <= 0) continue;
    }
    const ssize_t got = ::read(descriptor_, room.data(), room.size());
    if (got >= 0) {
      const auto count = static_cast<std::size_t>(got);
      crc_ = static_cast<std::uint32_t>(
          ::crc32_z(crc_, reinterpret_cast<const unsigned char*>(room.data()), count));
      stored_bytes_ += got;
      return count;
    }
    if (errno != EINTR && errno != EAGAIN)
      throw Error(ErrorCode::io_failure, name_ + ": cannot read: " + std::strerror(errno));
  }
  return 0;
}

// Only bytes that may begin packed data wait for the rest of a magic number.
void ByteStream::sniff() {
  constexpr std::size_t magic_bytes = 4;
  sniffed_ = true;
  while (packed_.size() < magic_bytes) {
    const std::size_t held = packed_.size();
    packed_.resize(packed_bytes);
    const std::size_t got = read_stored(std::span(packed_).subspan(held));
    packed_.resize(held + got);
    const bool may_be = packed_.starts_with('\x1f') || packed_.starts_with('\x28');
    if (got == 0 || !may_be || packed_.find('\n') != std::string::npos) break;
  }
  unpacker_ = make_unpacker(packed_, name_);
  compression_ = to_string(sniff_compression(packed_));
}

std::string ByteStream::crc32() const { return hex_digits(crc_); }

const char* ByteStream::compression() const { return compression_; }

std::size_t ByteStream::read(std::span<char> room) {
  if (!sniffed_) sniff();
  if (!unpacker_) {
    const std::size_t held = std::min(room.size(), packed_.size() - taken_);
    if (held == 0) return read_stored(room);
    std::memcpy(room.data(), packed_.data() + taken_, held);
    taken_ += held;
    return held;
  }
  for (;;) {
    std::string_view rest = std::string_view(packed_).substr(taken_);
    if (!rest.empty() || more_inside_) {
      const std::size_t written = unpacker_->unpack(rest, room);
      taken_ = packed_.size() - rest.size();
      more_inside_ = written == room.size();
      if (written > 0) return written;
    }
    if (!rest.empty()) continue;
    packed_.resize(packed_bytes);
    const std::size_t got = read_stored(packed_);
    packed_.resize(got);
    taken_ = 0;
    if (got == 0) {
      if (!run_.should_stop()) unpacker_->check_end();
      return 0;
    }
  }
}

}  // namespace gssl::detail
