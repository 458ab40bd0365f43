#pragma once
// A file as memory, which may lose its end while it is read.
//
// Where a mapped file became shorter, touching what is gone raises SIGBUS. A program that hands
// this signal to replace_lost_input() reads zeros there instead, and lost_bytes() tells so.
//
//   const MappedFile file(descriptor, size);
//   if (!file.mapped()) …                    // read it instead
//   parse(file.bytes());
//   if (file.lost_bytes()) …                 // the parse is of no worth

#include <sys/mman.h>

#include <cstddef>
#include <string_view>

namespace gssl::detail {

class MappedFile {
 public:
  MappedFile() = default;
  // Not mapped if the system refuses, or if 16 files are mapped already.
  MappedFile(int descriptor, std::size_t size) : MappedFile(descriptor, size, PROT_READ) {}
  // May be written to: pages that are become copies of our own.
  static MappedFile writable(int descriptor, std::size_t size) {
    return {descriptor, size, PROT_READ | PROT_WRITE};
  }
  ~MappedFile();
  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&& other) noexcept;
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  bool mapped() const { return slot_ >= 0; }
  std::string_view bytes() const;
  bool lost_bytes() const;
  // From now on nothing stands in for lost bytes: replace_lost_input() leaves them, and
  // is_input_in_use() tells of them.
  void keep_in_use() const;
  void unmap();

 private:
  MappedFile(int descriptor, std::size_t size, int protection);

  int slot_ = -1;
};

}  // namespace gssl::detail
