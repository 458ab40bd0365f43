#include "text_source.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>

#include "gssl/core/error.hpp"
#include "gssl/core/machine.hpp"
#include "gssl/core/parallel.hpp"
#include "hex_digits.hpp"

namespace gssl::detail {
namespace {

constexpr std::size_t read_chunk = std::size_t{1} << 20;

// Closes on every way out.
struct OwnedDescriptor {
  OwnedDescriptor(int opened, bool ours) : number(opened), owned(ours) {}
  OwnedDescriptor(const OwnedDescriptor&) = delete;
  OwnedDescriptor& operator=(const OwnedDescriptor&) = delete;
  ~OwnedDescriptor() {
    if (owned && number >= 0) ::close(number);
  }
  const int number;
  const bool owned;
};

[[noreturn]] void read_failed(const std::string& name) {
  throw Error(ErrorCode::io_failure, name + ": read failed: " + std::strerror(errno));
}

// The CRC-32 of a piece, to which that of the next is added.
struct PieceSum {
  std::uint32_t crc = 0;
  std::size_t bytes = 0;

  PieceSum() = default;
  explicit PieceSum(std::string_view part)
      : crc(static_cast<std::uint32_t>(
            ::crc32_z(0, reinterpret_cast<const unsigned char*>(part.data()), part.size()))),
        bytes(part.size()) {}
  PieceSum& operator+=(const PieceSum& next) {
    crc = static_cast<std::uint32_t>(
        ::crc32_combine(crc, next.crc, static_cast<z_off_t>(next.bytes)));
    bytes += next.bytes;
    return *this;
  }
};
constexpr std::int64_t crc_piece = std::int64_t{1} << 22;

ByteBuffer read_all(int descriptor, const std::string& name, std::size_t most) {
  ByteBuffer buffer;
  buffer.set_limit(most, name);
  for (;;) {
    const ssize_t got = ::read(descriptor, buffer.room(read_chunk), read_chunk);
    if (got == 0) return buffer;
    if (got > 0) {
      buffer.add(static_cast<std::size_t>(got));
    } else if (errno != EINTR) {
      read_failed(name);
    }
  }
}

}  // namespace

char* ByteBuffer::room(std::size_t count) {
  if (capacity_ - size_ < count) {
    // What the stream still has, nobody knows.
    constexpr double least_share = 0.5;
    if (limit_ > 0 && size_ + count > limit_) {
      const double share = share_ > 0.0 ? share_ : least_share;
      const double whole = static_cast<double>(size_ + count) / share;
      throw MemoryError("reading " + name_, static_cast<std::size_t>(whole), limit_);
    }
    std::size_t wanted = std::max(size_ + count, capacity_ + capacity_ / 2);
    if (limit_ > 0) wanted = std::min(wanted, limit_);
    auto* grown = static_cast<char*>(std::realloc(bytes_.get(), wanted));
    if (grown == nullptr) throw std::bad_alloc();
    static_cast<void>(bytes_.release());
    bytes_.reset(grown);
    capacity_ = wanted;
  }
  return bytes_.get() + size_;
}

ByteBuffer decompress(Compression compression, std::string_view bytes, const std::string& name,
                      std::size_t most) {
  const std::unique_ptr<Unpacker> unpacker = make_unpacker(compression, name);
  GSSL_ASSERT(unpacker != nullptr);
  ByteBuffer plain;
  plain.set_limit(most, name);
  const auto packed = static_cast<double>(bytes.size());
  for (;;) {
    plain.set_share(1.0 - static_cast<double>(bytes.size()) / packed);
    const std::size_t left = bytes.size();
    const std::size_t written = unpacker->unpack(bytes, {plain.room(read_chunk), read_chunk});
    plain.add(written);
    if (written < read_chunk && (bytes.empty() || bytes.size() == left)) break;
  }
  unpacker->check_end();
  return plain;
}

TextSource TextSource::open(const std::string& path, std::size_t most_held, int threads) {
  const bool standard_input = path == "-";
  TextSource source(standard_input ? "<stdin>" : path);
  const OwnedDescriptor file{
      standard_input ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC), !standard_input};
  struct stat status {};
  // Standard input may be open for writing only: what stands in for one that is missing is.
  const int flags = file.number < 0 ? -1 : ::fcntl(file.number, F_GETFL);
  if (flags >= 0 && (flags & O_ACCMODE) == O_WRONLY) errno = EBADF;
  if (flags < 0 || (flags & O_ACCMODE) == O_WRONLY || ::fstat(file.number, &status) != 0) {
    throw Error(ErrorCode::cannot_open, source.name_ + ": cannot open: " + std::strerror(errno) +
                                            "; check the path and its permissions");
  }
  if (S_ISDIR(status.st_mode)) {
    throw Error(ErrorCode::cannot_open, path + ": is a directory; expected a file");
  }
  if (S_ISREG(status.st_mode) && !standard_input && status.st_size > 0) {
    source.mapping_ = MappedFile(file.number, static_cast<std::size_t>(status.st_size));
    if (source.mapping_.mapped()) {
      const std::string_view bytes = source.mapping_.bytes();
      ::madvise(const_cast<char*>(bytes.data()), bytes.size(), MADV_SEQUENTIAL);
      source.read_whole([&] {
        source.take_stored(bytes, most_held, threads);
        return true;
      });
      return source;
    }
  }
  source.buffer_ = read_all(file.number, source.name_, most_held);
  source.take_stored(source.buffer_.view(), most_held, threads);
  return source;
}

TextSource TextSource::from_memory(std::string_view bytes, std::string name) {
  TextSource source(std::move(name));
  source.take_stored(bytes);
  return source;
}

void TextSource::take_stored(std::string_view bytes, std::size_t most_held, int threads) {
  stored_bytes_ = static_cast<std::int64_t>(bytes.size());
  compression_ = sniff_compression(bytes);
  text_ = bytes;
  const auto size = static_cast<std::int64_t>(bytes.size());
  crc_ = blocked_sum(
             size, threads,
             [&](std::int64_t begin, std::int64_t end) {
               const std::string_view part = bytes.substr(static_cast<std::size_t>(begin),
                                                          static_cast<std::size_t>(end - begin));
               const PieceSum sum(part);
               release(part);
               return sum;
             },
             crc_piece)
             .crc;
  if (compression_ != Compression::none) {
    ByteBuffer plain = decompress(compression_, bytes, name_, most_held);
    buffer_ = std::move(plain);
    check_whole();
    mapping_.unmap();
    text_ = buffer_.view();
  }
  text_ = without_text_mark(text_, name_);
}

std::string_view without_text_mark(std::string_view text, const std::string& name) {
  if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF")) {
    throw Error(ErrorCode::bad_data, name +
                                         ":1: UTF-16 text; expected UTF-8; convert it with "
                                         "'iconv -f UTF-16 -t UTF-8'");
  }
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  return text;
}

void TextSource::check_whole() const {
  if (mapping_.lost_bytes())
    throw Error(ErrorCode::io_failure,
                name_ +
                    ": read failed: the file became shorter while it was read; run again when it "
                    "is written");
}

std::string TextSource::crc32() const { return hex_digits(crc_); }

void TextSource::release(std::string_view part) const {
  if (!mapping_.mapped() || part.empty()) return;
  // Whole pages inside `part` only: its neighbours may be in use.
  const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  const auto begin = reinterpret_cast<std::uintptr_t>(part.data());
  const std::uintptr_t first = (begin + page - 1) / page * page;
  const std::uintptr_t last = (begin + part.size()) / page * page;
  if (first < last) {
    ::madvise(const_cast<char*>(part.data()) + (first - begin), last - first, MADV_DONTNEED);
  }
}

}  // namespace gssl::detail
