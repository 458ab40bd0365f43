#include "text_source.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <new>
#include <utility>

#include "gssl/core/error.hpp"

namespace gssl::detail {
namespace {

constexpr std::size_t read_chunk = std::size_t{1} << 20;

// Closes on every way out.
struct Descriptor {
  Descriptor(int opened, bool ours) : number(opened), owned(ours) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (owned && number >= 0) ::close(number);
  }
  const int number;
  const bool owned;
};

[[noreturn]] void read_failed(const std::string& name) {
  throw Error(ErrorCode::io_failure, name + ": read failed: " + std::strerror(errno));
}

ByteBuffer read_all(int descriptor, const std::string& name) {
  ByteBuffer buffer;
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
    const std::size_t wanted = std::max(size_ + count, capacity_ + capacity_ / 2);
    auto* grown = static_cast<char*>(std::realloc(bytes_.get(), wanted));
    if (grown == nullptr) throw std::bad_alloc();
    static_cast<void>(bytes_.release());
    bytes_.reset(grown);
    capacity_ = wanted;
  }
  return bytes_.get() + size_;
}

TextSource TextSource::open(const std::string& path) {
  const bool standard_input = path == "-";
  TextSource source(standard_input ? "<stdin>" : path);
  const Descriptor file{standard_input ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC),
                        !standard_input};
  struct stat status {};
  if (file.number < 0 || ::fstat(file.number, &status) != 0) {
    throw Error(ErrorCode::cannot_open, path + ": cannot open: " + std::strerror(errno) +
                                            "; check the path and its permissions");
  }
  if (S_ISDIR(status.st_mode)) {
    throw Error(ErrorCode::cannot_open, path + ": is a directory; expected a file");
  }
  if (S_ISREG(status.st_mode) && !standard_input && status.st_size > 0) {
    const auto bytes = static_cast<std::size_t>(status.st_size);
    void* mapping = ::mmap(nullptr, bytes, PROT_READ, MAP_PRIVATE, file.number, 0);
    if (mapping != MAP_FAILED) {
      source.mapping_ = mapping;
      source.mapped_bytes_ = bytes;
      ::madvise(mapping, bytes, MADV_SEQUENTIAL);
      source.take_stored({static_cast<const char*>(mapping), bytes});
      return source;
    }
  }
  source.buffer_ = read_all(file.number, source.name_);
  source.take_stored(source.buffer_.view());
  return source;
}

TextSource TextSource::from_memory(std::string_view bytes, std::string name) {
  TextSource source(std::move(name));
  source.take_stored(bytes);
  return source;
}

void TextSource::take_stored(std::string_view bytes) {
  stored_bytes_ = static_cast<std::int64_t>(bytes.size());
  compression_ = sniff_compression(bytes);
  text_ = bytes;
  std::uint32_t crc = 0;
  for (std::size_t at = 0; at < bytes.size(); at += read_chunk) {
    const std::string_view part = bytes.substr(at, read_chunk);
    crc = static_cast<std::uint32_t>(
        ::crc32_z(crc, reinterpret_cast<const unsigned char*>(part.data()), part.size()));
    release(part);
  }
  crc_ = crc;
  if (compression_ != Compression::none) {
    ByteBuffer plain = decompress(compression_, bytes, name_);
    buffer_ = std::move(plain);
    unmap();
    text_ = buffer_.view();
  }
  if (text_.starts_with("\xFF\xFE") || text_.starts_with("\xFE\xFF")) {
    throw Error(ErrorCode::bad_data, name_ +
                                         ":1: UTF-16 text; expected UTF-8; convert it with "
                                         "'iconv -f UTF-16 -t UTF-8'");
  }
  if (text_.starts_with("\xEF\xBB\xBF")) text_.remove_prefix(3);
}

TextSource::TextSource(TextSource&& other) noexcept
    : name_(std::move(other.name_)),
      buffer_(std::move(other.buffer_)),
      mapping_(std::exchange(other.mapping_, nullptr)),
      mapped_bytes_(other.mapped_bytes_),
      text_(other.text_),
      compression_(other.compression_),
      stored_bytes_(other.stored_bytes_),
      crc_(other.crc_) {}

TextSource::~TextSource() { unmap(); }

void TextSource::unmap() {
  if (mapping_ != nullptr) ::munmap(std::exchange(mapping_, nullptr), mapped_bytes_);
}

std::string TextSource::crc32() const {
  char digits[9];
  std::snprintf(digits, sizeof digits, "%08x", crc_);
  return digits;
}

void TextSource::release(std::string_view part) const {
  if (mapping_ == nullptr || part.empty()) return;
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
