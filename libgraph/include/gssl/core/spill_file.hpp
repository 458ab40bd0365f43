#pragma once
// Bytes that do not fit in memory: a file without a name in the folder that TMPDIR names, else
// /tmp, which is gone when the object is, or the process.
//
//   gssl::SpillFile file;
//   file.require(bytes);                 // before the work: is there room?
//   file.append(data);
//   file.read(offset, room);
//
// Throws ErrorCode::cannot_create where no file can be made, ErrorCode::io_failure where one cannot
// be written or read, and from require(); the message names the folder.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace gssl {

class SpillFile {
 public:
  SpillFile();
  ~SpillFile();
  SpillFile(const SpillFile&) = delete;
  SpillFile& operator=(const SpillFile&) = delete;

  // Throws unless the folder has room for so many bytes more.
  void require(std::uint64_t bytes) const;

  std::uint64_t size() const { return size_; }  // what was appended
  template <class Element>
  void append(std::span<const Element> elements) {
    write(size_, elements);
    size_ += elements.size_bytes();
  }
  template <class Element>
  void write(std::uint64_t offset, std::span<const Element> elements) {
    write_bytes(offset, elements.data(), elements.size_bytes());
  }
  template <class Element>
  void read(std::uint64_t offset, std::span<Element> room) const {
    read_bytes(offset, room.data(), room.size_bytes());
  }

 private:
  void write_bytes(std::uint64_t offset, const void* bytes, std::size_t size);
  void read_bytes(std::uint64_t offset, void* room, std::size_t size) const;
  [[noreturn]] void fail(const char* action) const;  // from errno

  std::string folder_;
  int descriptor_ = -1;
  std::uint64_t size_ = 0;
};

}  // namespace gssl
