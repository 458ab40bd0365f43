#include "section_writer.hpp"

#include <algorithm>
#include <cstring>
#include <string>

#include "crc32c.hpp"
#include "gssl/core/error.hpp"

namespace gssl::detail {

SectionWriter::SectionWriter(OutputFile& out) : out_(out) {
  if (!out.is_replaceable())
    throw Error(ErrorCode::cannot_create,
                out.path() +
                    ": a binary graph is no stream, for its header is written last; give "
                    "the name of a file");
  out_.write(std::string(section_alignment, '\0'));
  written_ = section_alignment;
}

void SectionWriter::end_block() {
  if (in_block_ == 0) return;
  checksums_.push_back(block_crc_);
  sections_.back().bytes += in_block_;
  in_block_ = 0;
  block_crc_ = 0;
}

void SectionWriter::pad() {
  const std::uint64_t past = written_ % section_alignment;
  if (past == 0) return;
  out_.write(std::string(section_alignment - past, '\0'));
  written_ += section_alignment - past;
}

void SectionWriter::begin(SectionKind kind) {
  end_block();
  pad();
  GSSL_ASSERT(sections_.size() < most_sections);
  sections_.push_back({static_cast<std::uint32_t>(kind), 1, written_, 0, checksums_.size()});
}

void SectionWriter::append_bytes(std::string_view bytes) {
  while (!bytes.empty()) {
    const std::string_view part = bytes.substr(0, checksum_block - in_block_);
    block_crc_ = crc32c(block_crc_, part.data(), part.size());
    out_.write(part);
    written_ += part.size();
    in_block_ += part.size();
    if (in_block_ == checksum_block) end_block();
    bytes.remove_prefix(part.size());
  }
}

void SectionWriter::finish(BinaryHeader header) {
  end_block();
  pad();
  const std::span<const std::uint32_t> sums = checksums_;
  const std::string_view table(reinterpret_cast<const char*>(sums.data()), sums.size_bytes());
  sections_.push_back(
      {static_cast<std::uint32_t>(SectionKind::checksums), 1, written_, table.size(), 0});
  out_.write(table);
  written_ += table.size();
  header.checksums_crc = crc32c(0, table.data(), table.size());
  header.file_bytes = written_;
  header.section_count = static_cast<std::uint32_t>(sections_.size());
  std::ranges::copy(sections_, header.sections.begin());
  const std::string_view version = GSSL_VERSION;
  std::ranges::copy(version.substr(0, header.writer.size() - 1), header.writer.begin());
  header.header_crc = crc32c(0, &header, header_checked_bytes);
  out_.write_at(0, {reinterpret_cast<const char*>(&header), sizeof header});
}

}  // namespace gssl::detail
