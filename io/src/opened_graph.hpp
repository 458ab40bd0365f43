#pragma once
// A binary graph file in memory, mapped or read: its sections, and what is checked of them.

#include <array>
#include <atomic>
#include <cstring>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "binary_layout.hpp"
#include "gssl/core/error.hpp"
#include "gssl/core/run_context.hpp"
#include "gssl/graph/compressed_graph.hpp"
#include "mapped_file.hpp"
#include "stored_name_table.hpp"
#include "text_source.hpp"

namespace gssl::detail {

// Up to the first zero.
template <std::size_t size>
std::string text_of(const std::array<char, size>& chars) {
  return std::string(chars.data(), ::strnlen(chars.data(), size));
}

class OpenedGraph {
 public:
  // Checks the header and the place of all sections: throws ErrorCode::bad_data.
  OpenedGraph(MappedFile mapping, std::string name);
  OpenedGraph(ByteBuffer bytes, std::string name);
  OpenedGraph(const OpenedGraph&) = delete;
  OpenedGraph& operator=(const OpenedGraph&) = delete;
  virtual ~OpenedGraph() = default;

  const BinaryHeader& header() const { return header_; }
  const std::string& name() const { return name_; }

  bool has(SectionKind kind) const { return entry(kind) != nullptr; }
  std::string_view section(SectionKind kind) const;  // empty if there is none
  template <class Element>
  std::span<const Element> array(SectionKind kind) const {
    const std::string_view bytes = section(kind);
    return {reinterpret_cast<const Element*>(bytes.data()), bytes.size() / sizeof(Element)};
  }
  CompressedRows compressed_rows() const;
  // Nothing where vertices are numbered.
  static std::shared_ptr<const StoredNames> name_table(
      const std::shared_ptr<const OpenedGraph>& opened);

  // As BinaryGraph::check(). From then on the program must end if the file becomes shorter.
  void check(const RunContext& run) const;
  void verify_rows(const RunContext& run) const;
  void verify_names() const;

  // A mapped file takes no memory until it is read again.
  void release_pages() const;

  // As TextSource::read_whole().
  template <class Read>
  auto read_whole(Read&& read) const {
    try {
      auto result = read();
      check_whole();
      return result;
    } catch (const Error& error) {
      check_whole();
      if (error.code() != ErrorCode::bad_data) throw;
      refuse_damaged(error.what());
    }
  }

 private:
  [[noreturn]] void refuse(const std::string& what) const;
  [[noreturn]] void refuse_damaged(const std::string& what) const;
  void check_whole() const;
  void read_header();
  void check_sections() const;
  void check_section(const SectionEntry& entry, std::uint64_t earliest) const;
  void check_sizes() const;
  void check_size(SectionKind kind, std::uint64_t bytes) const;
  void check_blocks(const RunContext& run) const;
  void check_block(const SectionEntry& entry, std::size_t block) const;
  void check_values(SectionKind kind, std::string_view bytes) const;
  void check_ends() const;
  const SectionEntry* entry(SectionKind kind) const;

  std::string name_;
  MappedFile mapping_;
  ByteBuffer buffer_;
  std::string_view bytes_;
  BinaryHeader header_;
  mutable std::mutex checking_;
  mutable std::atomic<bool> checked_{false};
};

}  // namespace gssl::detail
