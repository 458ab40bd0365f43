#include "byte_stream.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "crc32.hpp"
#include "gssl/core/error.hpp"
#include "hex_digits.hpp"
#include "standard_input.hpp"
#include "text_source.hpp"

namespace gssl::detail {
namespace {

constexpr std::size_t packed_bytes = std::size_t{1} << 16;
constexpr int silence_ms = 100;  // between two looks at the run while a pipe is silent

}  // namespace

ByteStream::ByteStream(const std::string& path, const RunContext& run, Checksum checksum)
    : name_(path == "-" ? "<stdin>" : path), run_(run), checksum_(checksum) {
  descriptor_ = path == "-" ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  close_ = path != "-";
  struct stat status {};
  int failed = descriptor_ < 0 ? errno : 0;
  if (failed == 0 && ::fstat(descriptor_, &status) != 0) failed = errno;
  if (failed == 0 && S_ISDIR(status.st_mode)) failed = EISDIR;
  // What stands in for a standard input that is missing is open for writing only.
  if (failed == 0 && (::fcntl(descriptor_, F_GETFL) & O_ACCMODE) == O_WRONLY) failed = EBADF;
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
    const bool standard_input = !close_;
    if (waits_ && !(standard_input && standard_input_comes_again())) {
      pollfd wait{descriptor_, POLLIN, 0};
      if (::poll(&wait, 1, silence_ms) <= 0) continue;
    }
    const ssize_t got =
        standard_input ? read_standard_input(room) : ::read(descriptor_, room.data(), room.size());
    if (got >= 0) {
      const auto count = static_cast<std::size_t>(got);
      if (checksum_ == Checksum::crc32) crc_ = crc32_of({room.data(), count}, crc_);
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
  sniffed_ = true;
  while (packed_.size() < magic_bytes) {
    const std::size_t held = packed_.size();
    packed_.resize(packed_bytes);
    const std::size_t got = read_stored(std::span(packed_).subspan(held));
    packed_.resize(held + got);
    const bool may_be =
        !packed_.empty() && std::string_view(
                                "\x1F\x28\xFD"
                                "B")
                                    .find(packed_.front()) != std::string_view::npos;
    if (got == 0 || !may_be || packed_.find('\n') != std::string::npos) break;
  }
  const Compression compression = sniff_compression(packed_);
  unpacker_ = make_unpacker(compression, name_);
  compression_ = to_string(compression);
}

std::string ByteStream::crc32() const { return hex_digits(crc_); }

std::string_view ByteStream::compression() const { return compression_; }

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
