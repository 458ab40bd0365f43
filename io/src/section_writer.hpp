#pragma once
// Writes a binary graph file section by section, and its header last.
//
//   SectionWriter file(out);
//   file.begin(SectionKind::neighbors);
//   file.append(neighbors);            // any number of times
//   file.finish(header);               // sizes and counts are the caller's; then out.commit()

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "binary_layout.hpp"
#include "gssl/io/output_file.hpp"

namespace gssl::detail {

class SectionWriter {
 public:
  // Throws ErrorCode::cannot_create if `out` cannot be written at any place.
  explicit SectionWriter(OutputFile& out);

  void begin(SectionKind kind);  // ends the section before
  void append_bytes(std::string_view bytes);
  template <class Element>
  void append(std::span<const Element> elements) {
    append_bytes({reinterpret_cast<const char*>(elements.data()), elements.size_bytes()});
  }
  void finish(BinaryHeader header);

 private:
  void end_block();
  void pad();

  OutputFile& out_;
  std::uint64_t written_ = 0;
  std::uint64_t in_block_ = 0;
  std::uint32_t block_crc_ = 0;
  std::vector<std::uint32_t> checksums_;
  std::vector<SectionEntry> sections_;
};

}  // namespace gssl::detail
