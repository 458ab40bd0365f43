#pragma once
// The whole text of one input, wherever it comes from.
//
// A plain file is memory-mapped; packed files, pipes and standard input are held as text. Compression
// is told by its magic number, so a name without ".gz" and a pipe work alike. Where two threads may
// be used, one of them unpacks while the reader is at work: see TextPieces.
//
//   TextSource source = TextSource::open("edges.txt.gz");
//   source.text();                       // decompressed, without a UTF-8 byte-order mark
//   source.name();                       // for messages

#include <cstdint>
#include <cstdlib>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "crc32_parts.hpp"
#include "gssl/core/error.hpp"
#include "mapped_file.hpp"
#include "unpackers.hpp"

namespace gssl::detail {

// Bytes that grow by realloc, which moves pages instead of copying them when the block is large.
class ByteBuffer {
 public:
  // Holds at most so many bytes, with `beside` that are held elsewhere; 0: any. `name` is what is
  // read, for the message.
  void set_limit(std::size_t most, std::string name, std::size_t beside = 0) {
    limit_ = most;
    name_ = std::move(name);
    beside_ = beside;
  }
  // Of the whole, the share that is here; 0: not known.
  void set_share(double share) { share_ = share; }
  // Room for `count` more bytes after the present end; add() makes them part of the content. Throws
  // MemoryError above the limit.
  char* room(std::size_t count);
  void add(std::size_t count) { size_ += count; }
  std::size_t size() const { return size_; }
  std::string_view view() const { return {bytes_.get(), size_}; }

 private:
  struct Free {
    void operator()(char* p) const { std::free(p); }
  };
  std::unique_ptr<char, Free> bytes_;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
  std::size_t limit_ = 0;
  std::size_t beside_ = 0;
  double share_ = 0.0;
  std::string name_;
};

// Throws ErrorCode::bad_data if `bytes` is damaged or ends early, and MemoryError if it becomes more
// than `most`, unless that is 0.
ByteBuffer decompress(Compression compression, std::string_view bytes, const std::string& name,
                      std::size_t most = 0);

// Without a UTF-8 byte-order mark in front. Throws ErrorCode::bad_data on one of UTF-16.
std::string_view without_text_mark(std::string_view text, const std::string& name);

class TextSource {
 public:
  // "-" is standard input. Throws ErrorCode::cannot_open and ErrorCode::io_failure, and MemoryError
  // if text that has to be held is more than `most_held` bytes, unless that is 0. With two `threads`
  // or more, what is wrong with a large packed input may be thrown later, by the functions below.
  static TextSource open(const std::string& path, std::size_t most_held = 0, int threads = 1);
  // The bytes must outlive the source unless they are compressed.
  static TextSource from_memory(std::string_view bytes, std::string name);

  TextSource(TextSource&& other) noexcept;
  TextSource(const TextSource&) = delete;
  TextSource& operator=(const TextSource&) = delete;
  TextSource& operator=(TextSource&&) = delete;
  ~TextSource();

  // All of it, once all is unpacked. Views of head() and of pieces end then.
  std::string_view text() const;
  // What tells how the text is written: all of it, or whole lines from its start on, `head_lines` of
  // which are neither blank nor comments. Valid until more is read.
  std::string_view head() const;
  static constexpr int head_lines = 200;
  // Whether some of the text is still to come.
  bool is_unpacking() const;
  bool is_held() const { return !mapping_.mapped(); }  // text() is memory of ours
  const std::string& name() const { return name_; }
  Compression compression() const { return compression_; }
  std::int64_t stored_bytes() const { return stored_bytes_; }
  // CRC-32 of the stored bytes, 8 hex digits. Reads what nobody took the sum of, and not while
  // somebody does.
  std::string crc32() const;
  // On any thread: takes the checksum of a part of text() that is about to be read, so that crc32()
  // need not read it again. Parts are the same ones again, or lie apart.
  void sum(std::string_view part) const;

  // What `read` makes of text(). Throws ErrorCode::io_failure if the file became shorter meanwhile,
  // and ErrorCode::bad_data if it is packed and damaged, whatever else was thrown: what was read is
  // not what the file held. So what a reader refuses is unpacked to its end, and not kept.
  template <class Read>
  auto read_whole(Read&& read) const {
    try {
      auto result = read();
      check_rest();
      check_whole();
      return result;
    } catch (const Error& error) {
      if (error.code() == ErrorCode::bad_data || error.code() == ErrorCode::usage) check_rest();
      check_whole();
      throw;
    }
  }

  // Unpacks what is still to come without keeping it: `visit` gets all text from byte `begin` on.
  // The source is of no more use.
  void pass_rest(std::size_t begin, const std::function<void(std::string_view)>& visit) const;

  // Lets the system drop the pages of `part` until they are read again; does nothing unless mapped.
  void release(std::string_view part) const;

 private:
  friend class TextPieces;
  class Unpacking;

  explicit TextSource(std::string name);
  void take_stored(std::string_view bytes, std::size_t most_held = 0, int threads = 1);
  bool unpack_beside(std::string_view bytes, std::size_t most_held, int threads);
  void check_rest() const;
  void check_whole() const;

  std::string name_;
  ByteBuffer buffer_;
  MappedFile mapping_;
  std::string_view text_;
  Compression compression_ = Compression::none;
  std::int64_t stored_bytes_ = 0;
  std::unique_ptr<Crc32Parts> sum_;
  std::unique_ptr<Unpacking> unpacking_;  // holds the text, if it is there
};

// The text in pieces of whole lines, in order: all of it at once, or what is unpacked by now while
// more is unpacked beside.
//
//   TextPieces pieces(source);
//   for (std::string_view piece = pieces.next(); !piece.empty(); piece = pieces.next()) …
class TextPieces {
 public:
  // From byte `begin` of the text on.
  explicit TextPieces(const TextSource& source, std::size_t begin = 0)
      : source_(source), start_(begin), begin_(begin), seen_(begin) {}

  // Valid until the next call; empty at the end.
  std::string_view next();
  // The share of what there is to read that lies before `at`, which points into the piece; an
  // estimate while more is to come.
  double share_before(const char* at) const;

 private:
  const TextSource& source_;
  const std::size_t start_;
  std::size_t begin_;          // of the piece
  std::size_t seen_;           // looked through for the end of a line
  std::size_t lines_end_ = 0;  // of the last line whose end was seen
  std::string_view piece_;
};

// Releases the text that was read some megabytes at a time, for each release halts the other
// threads for a moment.
class PassedText {
 public:
  explicit PassedText(const TextSource& source) : source_(source) {}

  // Of the text, what follows the part before.
  void add(std::string_view part) {
    passed_ = {passed_.empty() ? part.data() : passed_.data(), passed_.size() + part.size()};
    if (passed_.size() < enough) return;
    source_.release(passed_);
    passed_ = {};
  }

 private:
  static constexpr std::size_t enough = std::size_t{1} << 23;
  const TextSource& source_;
  std::string_view passed_;
};

}  // namespace gssl::detail
