#include "edge_text.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <vector>

#include "byte_stream.hpp"
#include "crc32.hpp"
#include "fields.hpp"
#include "together.hpp"

namespace gssl::mpi {
namespace {

constexpr std::size_t block_bytes = std::size_t{1} << 22;
constexpr std::size_t head_bytes = std::size_t{1} << 18;
constexpr int head_lines = 200;

int data_lines(std::string_view text) {
  int count = 0;
  while (!text.empty() && count < head_lines)
    count += detail::is_skipped(detail::trimmed(detail::take_line(text))) ? 0 : 1;
  return count;
}

// Of whole lines.
std::int64_t count_lines(std::string_view text) {
  return std::count(text.begin(), text.end(), '\n') +
         (text.empty() || text.ends_with('\n') ? 0 : 1);
}

// The length of the whole lines in `text`.
std::size_t whole_lines(std::string_view text) {
  const std::size_t end = text.rfind('\n');
  return end == std::string_view::npos ? 0 : end + 1;
}

// total·rank/ranks without overflow.
std::int64_t share(std::int64_t total, int rank, int ranks) {
  return total / ranks * rank + total % ranks * rank / ranks;
}

void check_encoding(std::string_view text, const std::string& name) {
  if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF"))
    throw Error(ErrorCode::bad_data, name +
                                         ":1: UTF-16 text; expected UTF-8; convert it with "
                                         "'iconv -f UTF-16 -t UTF-8'");
}

}  // namespace

// The stored bytes, from a file or from memory, and the text that they unpack to.
class EdgeText::Stored {
 public:
  explicit Stored(const EdgeText& text) : text_(text) {}

  std::size_t read(char* room, std::size_t bytes) {
    const auto left = static_cast<std::size_t>(text_.size_ - at_);
    bytes = std::min(bytes, left);
    if (text_.is_pipe_) {
      std::memcpy(room, text_.held_.data() + at_, bytes);
    } else {
      for (std::size_t got = 0; got < bytes;) {
        const ssize_t now =
            ::pread(text_.descriptor_, room + got, bytes - got, at_ + static_cast<off_t>(got));
        if (now < 0 && errno == EINTR) continue;
        if (now <= 0)
          throw Error(ErrorCode::io_failure,
                      text_.name_ + ": read failed: " +
                          (now == 0 ? "the file became shorter while it was read; run again when "
                                      "it is written"
                                    : std::strerror(errno)));
        got += static_cast<std::size_t>(now);
      }
    }
    at_ += static_cast<std::int64_t>(bytes);
    return bytes;
  }

  // Appends the next text; false at the end.
  bool read_text(std::string& text) {
    if (!started_) start();
    for (;;) {
      if (packed_.empty() && !more_inside_) {
        stored_.resize(block_bytes);
        stored_.resize(read(stored_.data(), block_bytes));
        crc_ = detail::crc32_of(stored_, crc_);
        packed_ = stored_;
        if (stored_.empty()) {
          if (unpacker_ != nullptr) unpacker_->check_end();
          return false;
        }
      }
      if (unpacker_ == nullptr) {
        text += packed_;
        packed_ = {};
        return true;
      }
      const std::size_t old = text.size();
      text.resize(old + block_bytes);
      const std::size_t written =
          unpacker_->unpack(packed_, std::span(text.data() + old, block_bytes));
      text.resize(old + written);
      more_inside_ = written == block_bytes;
      if (written > 0) return true;
    }
  }

  void seek(std::int64_t at) { at_ = at; }
  std::int64_t used() const { return at_ - static_cast<std::int64_t>(packed_.size()); }
  std::uint32_t crc() const { return crc_; }

 private:
  void start() {
    started_ = true;
    std::string magic(detail::magic_bytes, '\0');
    magic.resize(read(magic.data(), magic.size()));
    at_ = 0;
    unpacker_ = detail::make_unpacker(detail::sniff_compression(magic), text_.name_);
  }

  const EdgeText& text_;
  std::int64_t at_ = 0;
  bool started_ = false;
  bool more_inside_ = false;
  std::string stored_;
  std::string_view packed_;
  std::uint32_t crc_ = 0;
  std::unique_ptr<detail::Unpacker> unpacker_;
};

EdgeText::EdgeText(const std::string& path, std::int64_t skip_lines, const Communicator& ranks,
                   const RunContext& run)
    : ranks_(ranks), run_(run), name_(path == "-" ? "<stdin>" : path), skip_lines_(skip_lines) {
  together(ranks_, [&] {
    if (ranks_.is_first()) open(path);
  });
  dealt_ = ranks_.broadcast(std::int64_t{dealt_}, 0) != 0;
  size_ = ranks_.broadcast(size_, 0);
  together(ranks_, [&] {
    if (!ranks_.is_first() && !dealt_) open(path);
    if (!dealt_ && std::int64_t{::lseek(descriptor_, 0, SEEK_END)} != size_)
      throw Error(ErrorCode::cannot_open,
                  name_ + ": rank " + std::to_string(ranks_.rank()) +
                      " sees another file than the first rank; put it where all machines see it");
    if (ranks_.is_first()) read_head();
  });
  ranks_.broadcast(head_);
  begin_ = ranks_.broadcast(begin_, 0);
}

EdgeText::~EdgeText() {
  if (descriptor_ > STDIN_FILENO) ::close(descriptor_);
}

void EdgeText::open(const std::string& path) {
  descriptor_ = path == "-" ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  struct stat status {};
  int failed = descriptor_ < 0 || ::fstat(descriptor_, &status) != 0 ? errno : 0;
  if (failed == 0 && S_ISDIR(status.st_mode)) failed = EISDIR;
  if (failed != 0)
    throw Error(ErrorCode::cannot_open, name_ + ": rank " + std::to_string(ranks_.rank()) +
                                            " cannot open: " + std::strerror(failed) +
                                            "; check the path and its permissions on its machine");
  is_pipe_ = path == "-" || !S_ISREG(status.st_mode);
  size_ = status.st_size;
  if (is_pipe_) {
    detail::ByteStream stream(path, run_);  // unpacks, too
    std::string block(block_bytes, '\0');
    while (const std::size_t got = stream.read(block)) held_.append(block, 0, got);
    run_.throw_if_stopped("reading", "before the file was read");
    size_ = static_cast<std::int64_t>(held_.size());
  }
  std::string magic(detail::magic_bytes, '\0');
  magic.resize(Stored(*this).read(magic.data(), magic.size()));
  compression_ = detail::sniff_compression(magic);
  dealt_ = is_pipe_ || compression_ != detail::Compression::none;
}

// Grows until it shows enough of the data, which may stand below many comments.
void EdgeText::read_head() {
  Stored stored(*this);
  bool more = true;
  for (std::size_t wanted = head_bytes; more; wanted *= 4) {
    while (more && head_.size() < wanted) more = stored.read_text(head_);
    const std::size_t whole = more ? whole_lines(head_) : head_.size();
    if (!more || data_lines(std::string_view(head_).substr(0, whole)) >= head_lines) {
      head_.resize(whole);
      break;
    }
  }
  check_encoding(head_, name_);
  const std::size_t mark = head_.starts_with("\xEF\xBB\xBF") ? 3 : 0;
  head_.erase(0, mark);
  begin_ = static_cast<std::int64_t>(mark);
  if (dealt_) return;
  for (std::int64_t line = 0; line < skip_lines_; ++line) begin_ = next_line_start(begin_ + 1);
}

// The first start of a line at or after byte `at` ≥ 1, or the end.
std::int64_t EdgeText::next_line_start(std::int64_t at) const {
  if (at >= size_) return size_;
  Stored stored(*this);
  stored.seek(at - 1);
  std::string block(std::size_t{1} << 14, '\0');
  for (std::int64_t from = at - 1;; from += static_cast<std::int64_t>(block.size())) {
    block.resize(stored.read(block.data(), block.size()));
    if (block.empty()) return size_;
    const std::size_t end = block.find('\n');
    if (end != std::string::npos) return from + static_cast<std::int64_t>(end) + 1;
  }
}

void EdgeText::walk(const std::function<void(const TextPiece&)>& take) {
  if (!dealt_) {
    together(ranks_, [&] { read_own(take); });
    return;
  }
  agree(ranks_, ranks_.is_first() ? deal(take) : receive(take));
  size_ = ranks_.broadcast(size_, 0);
  crc_ = static_cast<std::uint32_t>(ranks_.broadcast(std::int64_t{crc_}, 0));
}

// Both ends by the same rule, so that a line belongs to one rank.
std::pair<std::int64_t, std::int64_t> EdgeText::own_bytes() const {
  const auto border = [&](int rank) {
    if (rank == 0) return begin_;
    return next_line_start(
        std::max(begin_ + share(size_ - begin_, rank, ranks_.size()), std::int64_t{1}));
  };
  const std::int64_t begin = border(ranks_.rank());
  return {begin, ranks_.is_last() ? size_ : border(ranks_.rank() + 1)};
}

void EdgeText::read_own(const std::function<void(const TextPiece&)>& take) {
  const auto [begin, end] = own_bytes();
  Stored stored(*this);
  crc_ = 0;
  if (ranks_.is_first() && begin > 0) {
    std::string skipped(static_cast<std::size_t>(begin), '\0');
    stored.read(skipped.data(), skipped.size());
    crc_ = detail::crc32_of(skipped, crc_);
  }
  stored.seek(begin);
  std::string block;
  std::size_t rest = 0;  // of the last block, at the front of this one
  std::int64_t line = ranks_.is_first() ? skip_lines_ + 1 : 0;
  for (std::int64_t at = begin; at < end;) {
    run_.throw_if_stopped("reading", "before the file was read");
    const auto wanted = std::min(static_cast<std::int64_t>(block_bytes), end - at);
    block.resize(rest + static_cast<std::size_t>(wanted));
    stored.read(block.data() + rest, static_cast<std::size_t>(wanted));
    crc_ = detail::crc32_of(std::string_view(block).substr(rest), crc_);
    const std::int64_t start = at - static_cast<std::int64_t>(rest);
    at += wanted;
    const std::size_t whole = at == end ? block.size() : whole_lines(block);
    const std::string_view text = std::string_view(block).substr(0, whole);
    if (!text.empty()) take({.text = text, .first_line = line, .offset = start});
    if (line > 0) line += count_lines(text);
    rest = block.size() - whole;
    block.erase(0, whole);
  }
}

// The first rank unpacks and hands each piece to the rank whose share of the stored bytes it comes
// from; an empty text ends what a rank gets. A failure of its own work waits until all is dealt.
Failure EdgeText::deal(const std::function<void(const TextPiece&)>& take) {
  Stored stored(*this);
  Failure own;
  int to = 0;
  std::string text;
  std::int64_t line = 1;
  const auto hand_over = [&](std::string_view part) {
    while (line <= skip_lines_ && !part.empty()) {
      detail::take_line(part);
      ++line;
    }
    if (part.empty()) return;
    if (to > 0) {
      ranks_.send(std::to_string(line) + " " + std::string(part), to);
    } else if (!own.failed) {
      own = attempt([&] { take({.text = part, .first_line = line}); });
    }
    line += count_lines(part);
  };
  const Failure reading = attempt([&] {
    bool first = true;
    for (bool more = true; more;) {
      run_.throw_if_stopped("reading", "before the file was read");
      for (; to + 1 < ranks_.size() && stored.used() >= share(size_, to + 1, ranks_.size()); ++to)
        if (to > 0) ranks_.send({}, to);
      more = stored.read_text(text);
      if (std::exchange(first, false)) {
        check_encoding(text, name_);
        if (text.starts_with("\xEF\xBB\xBF")) text.erase(0, 3);
      }
      const std::size_t whole = more ? whole_lines(text) : text.size();
      hand_over(std::string_view(text).substr(0, whole));
      text.erase(0, whole);
    }
  });
  for (to = std::max(to, 1); to < ranks_.size(); ++to) ranks_.send({}, to);
  crc_ = stored.crc();
  return reading.failed ? reading : own;
}

Failure EdgeText::receive(const std::function<void(const TextPiece&)>& take) {
  Failure own;
  for (;;) {
    const std::string message = ranks_.receive(0);
    if (message.empty()) break;
    if (own.failed) continue;
    const std::size_t blank = message.find(' ');
    own = attempt([&] {
      take({.text = std::string_view(message).substr(blank + 1),
            .first_line = std::stoll(message.substr(0, blank))});
    });
  }
  return own;
}

std::int64_t EdgeText::line_of(const TextPiece& piece) const {
  if (piece.first_line > 0) return piece.first_line;
  Stored stored(*this);
  std::int64_t line = 1;
  std::string block(block_bytes, '\0');
  for (std::int64_t at = 0; at < piece.offset; at += static_cast<std::int64_t>(block.size())) {
    block.resize(static_cast<std::size_t>(
        std::min(static_cast<std::int64_t>(block_bytes), piece.offset - at)));
    stored.read(block.data(), block.size());
    line += std::count(block.begin(), block.end(), '\n');
  }
  return line;
}

InputStats EdgeText::stats() const {
  InputStats stats;
  stats.path = name_;
  stats.format = "edge-list";
  stats.of_edges = true;
  stats.bytes = size_;
  std::string compression(detail::to_string(compression_));
  ranks_.broadcast(compression);
  stats.compression = compression;
  std::uint32_t crc = crc_;
  if (!dealt_) {
    const auto [begin, end] = own_bytes();
    const std::vector<std::int64_t> bytes = ranks_.gather(end - (ranks_.is_first() ? 0 : begin));
    const std::vector<std::int64_t> parts = ranks_.gather(std::int64_t{crc_});
    crc = static_cast<std::uint32_t>(parts[0]);
    for (std::size_t r = 1; r < parts.size(); ++r)
      crc = static_cast<std::uint32_t>(
          ::crc32_combine(crc, static_cast<uLong>(parts[r]), static_cast<z_off_t>(bytes[r])));
  }
  char digits[9];
  std::snprintf(digits, sizeof digits, "%08x", crc);
  stats.crc32 = digits;
  return stats;
}

}  // namespace gssl::mpi
