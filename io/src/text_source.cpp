#include "text_source.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <new>
#include <utility>

#include "fields.hpp"
#include "gssl/core/error.hpp"
#include "gssl/core/machine.hpp"
#include "hex_digits.hpp"
#include "read_ahead.hpp"
#include "standard_input.hpp"

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

ByteBuffer read_all(int descriptor, const std::string& name, std::size_t most) {
  ByteBuffer buffer;
  buffer.set_limit(most, name);
  for (;;) {
    char* const room = buffer.room(read_chunk);
    const ssize_t got = descriptor == STDIN_FILENO ? read_standard_input({room, read_chunk})
                                                   : ::read(descriptor, room, read_chunk);
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
    if (limit_ > 0 && size_ + count + beside_ > limit_) {
      const double share = share_ > 0.0 ? share_ : least_share;
      const double whole = static_cast<double>(size_ + count) / share;
      throw MemoryError("reading " + name_, static_cast<std::size_t>(whole), limit_);
    }
    std::size_t wanted = std::max(size_ + count, capacity_ + capacity_ / 2);
    if (limit_ > 0) wanted = std::min(wanted, limit_ - beside_);
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

// A packed input whose text grows while a thread unpacks.
class TextSource::Unpacking {
 public:
  // `bytes` stay where they are as long as this lives.
  Unpacking(Compression compression, std::string_view bytes, const std::string& name,
            std::size_t most)
      : rest_(bytes),
        packed_bytes_(bytes.size()),
        left_(bytes.size()),
        unpacker_(make_unpacker(compression, name)),
        name_(name) {
    plain_.set_limit(most, name, ReadAhead::held_bytes);
  }

  // Unpacks the first bytes; false, with nothing done, where no thread is to be had.
  bool start() {
    ahead_ = ReadAhead::start([this](std::span<char> room) { return unpack(room); });
    if (ahead_ == nullptr) return false;
    constexpr std::size_t longest_mark = 3;
    while (plain_.size() < longest_mark && grow()) {
    }
    mark_bytes_ = plain_.size() - without_text_mark(plain_.view(), name_).size();
    return true;
  }

  // What the packed bytes are in.
  void keep(MappedFile mapping, ByteBuffer stored) {
    mapping_ = std::move(mapping);
    stored_ = std::move(stored);
    if (ended()) forget_packed();
  }

  bool ended() const { return ahead_ == nullptr; }
  std::string_view text() const { return plain_.view().substr(mark_bytes_); }  // so far
  // Of the packed bytes, the share that is unpacked, with some that are not in text() yet.
  double share() const {
    return 1.0 - static_cast<double>(left_.load()) / static_cast<double>(packed_bytes_);
  }

  // Waits for more text; false at the end.
  bool grow() {
    if (ended()) return false;
    const std::string_view block = ahead_->next();
    if (block.empty()) {
      ahead_.reset();
      forget_packed();
      return false;
    }
    plain_.set_share(share());
    std::memcpy(plain_.room(block.size()), block.data(), block.size());
    plain_.add(block.size());
    return true;
  }
  bool grows_at_once() const { return !ended() && ahead_->ready(); }

  // As TextSource::pass_rest().
  void pass(std::size_t begin, const std::function<void(std::string_view)>& visit) {
    if (text().size() > begin) visit(text().substr(begin));
    if (ended()) return;
    for (auto block = ahead_->next(); !block.empty(); block = ahead_->next()) visit(block);
    ahead_.reset();
    forget_packed();
  }

  bool lost_bytes() const { return lost_ || mapping_.lost_bytes(); }

 private:
  // Called on the other thread.
  std::size_t unpack(std::span<char> room) {
    for (;;) {
      const std::size_t before = rest_.size();
      const std::size_t written = unpacker_->unpack(rest_, room);
      left_.store(rest_.size());
      if (written > 0) return written;
      if (rest_.empty() || rest_.size() == before) break;
    }
    unpacker_->check_end();
    return 0;
  }

  void forget_packed() {
    lost_ = lost_bytes();
    mapping_.unmap();
    stored_ = ByteBuffer();
  }

  MappedFile mapping_;
  ByteBuffer stored_;
  std::string_view rest_;
  const std::size_t packed_bytes_;
  std::atomic<std::size_t> left_;
  std::unique_ptr<Unpacker> unpacker_;
  std::string name_;
  ByteBuffer plain_;
  std::size_t mark_bytes_ = 0;
  bool lost_ = false;
  std::unique_ptr<ReadAhead> ahead_;  // last: its thread uses the others
};

TextSource::TextSource(std::string name) : name_(std::move(name)) {}
TextSource::TextSource(TextSource&& other) noexcept = default;
TextSource::~TextSource() = default;

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
      try {
        source.take_stored(bytes, most_held, threads);
      } catch (const Error&) {
        source.check_whole();
        throw;
      }
      source.check_whole();
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
  sum_ = std::make_unique<Crc32Parts>(bytes, threads);
  if (compression_ != Compression::none) static_cast<void>(crc32());  // while the bytes are there
  if (unpack_beside(bytes, most_held, threads)) return;
  if (compression_ != Compression::none) {
    ByteBuffer plain = decompress(compression_, bytes, name_, most_held);
    buffer_ = std::move(plain);
    check_whole();
    mapping_.unmap();
    text_ = buffer_.view();
  }
  text_ = without_text_mark(text_, name_);
}

// Not where there is little to gain, or little memory: then all is unpacked here.
bool TextSource::unpack_beside(std::string_view bytes, std::size_t most_held, int threads) {
  constexpr std::size_t fewest_bytes = std::size_t{1} << 16;
  constexpr std::size_t least_held = 16 * ReadAhead::held_bytes;
  if (compression_ == Compression::none || threads < 2 || bytes.size() < fewest_bytes) return false;
  if (most_held > 0 && most_held < least_held) return false;
  auto unpacking = std::make_unique<Unpacking>(compression_, bytes, name_, most_held);
  if (!unpacking->start()) return false;
  check_whole();
  unpacking->keep(std::move(mapping_), std::exchange(buffer_, ByteBuffer()));
  unpacking_ = std::move(unpacking);
  text_ = {};
  return true;
}

std::string_view TextSource::text() const {
  if (!unpacking_) return text_;
  while (unpacking_->grow()) {
  }
  return unpacking_->text();
}

bool TextSource::is_unpacking() const { return unpacking_ && !unpacking_->ended(); }

std::string_view TextSource::head() const {
  constexpr std::size_t decides_kind = 4096;
  constexpr std::size_t fewest_bytes = std::size_t{1} << 16;
  std::size_t lines_end = 0;  // of the whole lines that were looked at
  std::size_t seen = 0;       // looked through for the end of a line
  int lines = 0;
  while (is_unpacking()) {
    const std::string_view text = unpacking_->text();
    // Of binary data the end may tell the kind.
    if (text.substr(0, decides_kind).find('\0') != std::string_view::npos) break;
    while (seen < text.size() && (lines < head_lines || lines_end < fewest_bytes)) {
      const std::size_t end = text.find('\n', seen);
      seen = end == std::string_view::npos ? text.size() : end + 1;
      if (end == std::string_view::npos) break;
      if (!is_skipped(trimmed(text.substr(lines_end, end - lines_end)))) ++lines;
      lines_end = seen;
    }
    if (lines >= head_lines && lines_end >= fewest_bytes) return text.substr(0, lines_end);
    unpacking_->grow();
  }
  return text();
}

void TextSource::pass_rest(std::size_t begin,
                           const std::function<void(std::string_view)>& visit) const {
  if (unpacking_) {
    unpacking_->pass(begin, visit);
  } else if (begin < text_.size()) {
    visit(text_.substr(begin));
  }
}

// Damage that is met only now, or by a reader that what was lost has led astray.
void TextSource::check_rest() const {
  if (!is_unpacking()) return;
  try {
    unpacking_->pass(unpacking_->text().size(), [](std::string_view) {});
  } catch (const Error&) {
    check_whole();
    throw;
  }
}

std::string_view TextPieces::next() {
  constexpr std::size_t most_at_once = ReadAhead::held_bytes;
  begin_ += piece_.size();
  while (source_.is_unpacking()) {
    TextSource::Unpacking& unpacking = *source_.unpacking_;
    const std::string_view text = unpacking.text();
    const std::size_t end = text.substr(seen_).rfind('\n');
    if (end != std::string_view::npos) lines_end_ = seen_ + end + 1;
    seen_ = text.size();
    const bool enough = lines_end_ >= begin_ + most_at_once || !unpacking.grows_at_once();
    if (lines_end_ > begin_ && enough) {
      piece_ = text.substr(begin_, lines_end_ - begin_);
      return piece_;
    }
    unpacking.grow();
  }
  piece_ = source_.text().substr(begin_);
  return piece_;
}

double TextPieces::share_before(const char* at) const {
  double whole = 0.0;
  if (source_.is_unpacking()) {
    const TextSource::Unpacking& unpacking = *source_.unpacking_;
    whole = static_cast<double>(unpacking.text().size()) / unpacking.share();
  } else {
    whole = static_cast<double>(source_.text().size());
  }
  const auto passed = begin_ - start_ + static_cast<std::size_t>(at - piece_.data());
  return static_cast<double>(passed) / std::max(1.0, whole - static_cast<double>(start_));
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
  if (mapping_.lost_bytes() || (unpacking_ && unpacking_->lost_bytes()))
    throw Error(ErrorCode::io_failure,
                name_ +
                    ": read failed: the file became shorter while it was read; run again when it "
                    "is written");
}

std::string TextSource::crc32() const {
  return hex_digits(sum_->whole([this](std::string_view part) { release(part); }));
}

void TextSource::sum(std::string_view part) const {
  if (compression_ == Compression::none) sum_->take(part);
}

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
