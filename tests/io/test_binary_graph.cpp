// The binary graph file: what was written is read, and whatever was damaged is refused.

#include <sys/stat.h>
#include <unistd.h>

#include <cstring>

#include "../fuzz/entry_points.hpp"
#include "binary_layout.hpp"
#include "crc32c.hpp"
#include "gssl/core/rng.hpp"
#include "gssl/io/binary_graph.hpp"
#include "gssl/io/graph_writer.hpp"
#include "gssl/io/input_file.hpp"
#include "io_support.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

using namespace gssl;
using namespace gssl::test;
using Catch::Contains;

namespace {

std::string binary_bytes(const GraphFile& file, bool compress = false) {
  const TemporaryDirectory directory;
  const std::string path = (directory.path() / "g.gssl").string();
  OutputFile out(path);
  write_binary_graph(out, file.graph, file.names, {.compress = compress}, file.stats);
  out.commit();
  return read_file(path);
}

std::string text_of(const GraphFile& file) {
  const TemporaryDirectory directory;
  const std::string path = (directory.path() / "g.tsv").string();
  OutputFile out(path);
  write_graph(out, file.graph, file.names, GraphFormat::edge_list);
  out.commit();
  return read_file(path);
}

// The refusal of these bytes, or "" if a graph was read and verified.
std::string refusal(std::string_view bytes) {
  const auto error = error_of([&] {
    const BinaryGraph file = BinaryGraph::from_memory(bytes, "g.gssl");
    file.verify();
    file.graph();
  });
  if (!error) return "";
  CHECK(error->code() == ErrorCode::bad_data);
  CHECK_THAT(error->what(), Contains("g.gssl: "));
  return error->what();
}

detail::BinaryHeader header_of(std::string_view bytes) {
  detail::BinaryHeader header;
  std::memcpy(&header, bytes.data(), sizeof header);
  return header;
}

// With a checksum that is right again.
std::string with_header(std::string bytes, detail::BinaryHeader header) {
  header.header_crc = detail::crc32c(0, &header, detail::header_checked_bytes);
  std::memcpy(bytes.data(), &header, sizeof header);
  return bytes;
}

const char* const few_edges = "a b 2\nb c 0.1\nc d 3\na d 1\n#gssl-vertex\te\n";

}  // namespace

TEST_CASE("CRC-32C has the values of RFC 3720, by the instruction and by tables", "[gssl]") {
  const std::string zeros(32, '\0');
  const std::string ones(32, '\xFF');
  for (const auto sum : {detail::crc32c, detail::crc32c_by_tables}) {
    CHECK(sum(0, "123456789", 9) == 0xe3069283U);
    CHECK(sum(0, zeros.data(), zeros.size()) == 0x8a9136aaU);
    CHECK(sum(0, ones.data(), ones.size()) == 0x62a8ab43U);
    CHECK(sum(sum(0, "1234", 4), "56789", 5) == 0xe3069283U);
  }
}

TEST_CASE("a graph written as binary and read again is the same, with its names", "[gssl]") {
  const bool compress = GENERATE(false, true);
  const std::string prefix = GENERATE("", "n", "99999999999");
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const bool weighted = seed % 2 == 0;
    const GraphFile file = read_text(random_edges(200, 150, weighted, prefix, seed) +
                                     (seed % 3 == 0 ? "#gssl-vertex\tlonely\n" : ""));
    const std::string bytes = binary_bytes(file, compress);
    const BinaryGraph binary = BinaryGraph::from_memory(bytes, "g.gssl");
    CHECK_NOTHROW(binary.verify());
    CHECK(binary.facts().compressed == compress);
    const GraphFile again = binary.read();
    CHECK(again.graph == file.graph);
    CHECK(described(again) == described(file));
    CHECK(text_of(again) == text_of(file));
    CHECK(binary_bytes(again, compress) == bytes);
    CHECK(again.stats.edges_given == file.stats.edges_given);
    CHECK(again.stats.duplicates_merged == file.stats.duplicates_merged);
    for (VertexId v = 0; v < file.graph.vertex_count(); ++v)
      CHECK(again.names.find(file.names.name(v)) == v);
    CHECK(again.names.find("nobody") == no_vertex);
    CHECK(again.names.find("123456") == file.names.find("123456"));
  }
}

TEST_CASE("graphs without edges or vertices, and numbered ones, are binary files too", "[gssl]") {
  for (const char* text : {"", "#gssl-vertex\tx\n", "7 8\n8 9\n", "0 1\n", "1 0\n",
                           "18446744073709551615 18446744073709551614\n"}) {
    const GraphFile file = read_text(text);
    for (const bool compress : {false, true}) {
      const GraphFile again =
          BinaryGraph::from_memory(binary_bytes(file, compress), "g.gssl").read();
      CHECK(again.graph == file.graph);
      CHECK(described(again) == described(file));
    }
  }
  CHECK(BinaryGraph::from_memory(binary_bytes(read_text("7 8\n8 9\n")), "x").facts().names ==
        "numbered");
}

TEST_CASE("the header tells degrees and weights without a look at the rows", "[gssl]") {
  const BinaryGraph file = BinaryGraph::from_memory(binary_bytes(read_text(few_edges)), "x");
  const BinaryGraphFacts& facts = file.facts();
  CHECK(facts.vertices == 5);
  CHECK(facts.edges == 4);
  CHECK(facts.isolated == 1);
  CHECK(facts.degree_min == 0);
  CHECK(facts.degree_max == 2);
  CHECK(facts.weights == "float64");
  CHECK(facts.weight_min == 0.1);
  CHECK(facts.weight_max == 3.0);
  CHECK(facts.names == "text");
  CHECK(facts.version == "1.0");
}

TEST_CASE("a byte of the header that is another is refused", "[gssl]") {
  std::string bytes = binary_bytes(read_text(few_edges));
  int accepted = 0;
  for (std::size_t at = 0; at < detail::section_alignment; ++at) {
    for (const char flip : {'\x01', '\x80'}) {
      bytes[at] = static_cast<char>(bytes[at] ^ flip);
      accepted += error_of([&] { BinaryGraph::from_memory(bytes, "g.gssl"); }) ? 0 : 1;
      bytes[at] = static_cast<char>(bytes[at] ^ flip);
    }
  }
  CHECK(accepted == 0);
  CHECK(refusal(bytes).empty());
}

TEST_CASE("one bit in any block of any section is refused, naming its place", "[gssl]") {
  const bool compress = GENERATE(false, true);
  std::string bytes = binary_bytes(read_text(random_edges(70000, 140000, true, "n", 5)), compress);
  CHECK(bytes.size() > 3 * detail::checksum_block);
  const detail::BinaryHeader header = header_of(bytes);
  int blocks = 0;
  for (std::size_t i = 0; i < header.section_count; ++i) {
    const detail::SectionEntry& section = header.sections[i];
    for (std::uint64_t at = 0; at < section.bytes; at += detail::checksum_block, ++blocks) {
      const std::size_t place =
          section.offset + at + std::min<std::uint64_t>(section.bytes - at - 1, 4711);
      bytes[place] = static_cast<char>(bytes[place] ^ 4);
      const auto error = error_of([&] { BinaryGraph::from_memory(bytes, "g.gssl").check(); });
      REQUIRE(error);
      CHECK_THAT(error->what(), Contains("g.gssl: is damaged: "));
      bytes[place] = static_cast<char>(bytes[place] ^ 4);
    }
  }
  CHECK(blocks > 6);
}

TEST_CASE("a file that is cut off, or longer than it says, is refused", "[gssl]") {
  const std::string bytes = binary_bytes(read_text(few_edges));
  const detail::BinaryHeader header = header_of(bytes);
  for (std::size_t i = 0; i < header.section_count; ++i) {
    const detail::SectionEntry& section = header.sections[i];
    for (const std::uint64_t size : {section.offset, section.offset + section.bytes / 2})
      if (size < bytes.size()) CHECK_THAT(refusal(bytes.substr(0, size)), Contains("is damaged"));
  }
  CHECK_THAT(refusal(bytes.substr(0, 100)), Contains("ends in its header"));
  CHECK_THAT(refusal(bytes.substr(0, 5)), Contains("is no binary graph"));
  CHECK_THAT(refusal(""), Contains("is no binary graph"));
  CHECK_THAT(refusal(bytes + "x"), Contains("bytes of"));
}

TEST_CASE("a newer format, another byte order and unknown sections are named", "[gssl]") {
  const std::string bytes = binary_bytes(read_text(few_edges));
  detail::BinaryHeader header = header_of(bytes);
  header.major = 2;
  std::memcpy(header.writer.data(), "9.9", 4);
  CHECK_THAT(refusal(with_header(bytes, header)),
             Contains("is of format 2, written by gssl 9.9; this gssl reads format 1"));
  header = header_of(bytes);
  header.minor = 7;
  CHECK(refusal(with_header(bytes, header)).empty());
  header = header_of(bytes);
  header.byte_order = 0x04030201U;
  CHECK_THAT(refusal(with_header(bytes, header)), Contains("other byte order"));
  // The weights become a section that this version does not know.
  header = header_of(bytes);
  for (detail::SectionEntry& section : header.sections) {
    if (section.kind != static_cast<std::uint32_t>(detail::SectionKind::weights)) continue;
    section.kind = 99;
    CHECK_THAT(refusal(with_header(bytes, header)), Contains("holds data of kind 99"));
    section.required = 0;
    CHECK(refusal(with_header(bytes, header)).empty());
  }
}

TEST_CASE("sizes that cannot be are refused though the checksum is right", "[gssl]") {
  const std::string bytes = binary_bytes(read_text(few_edges));
  const auto refused = [&](auto&& change) {
    detail::BinaryHeader header = header_of(bytes);
    change(header);
    CHECK_FALSE(refusal(with_header(bytes, header)).empty());
  };
  refused([](auto& h) { h.vertices = 1U << 31U; });
  refused([](auto& h) { h.vertices += 1; });
  refused([](auto& h) { h.arcs = ~std::uint64_t{0} - 1; });
  refused([](auto& h) { h.arcs -= 2; });
  refused([](auto& h) { h.name_form = 7; });
  refused([](auto& h) { h.name_form = 1; });
  refused([](auto& h) { h.section_count = 0; });
  refused([](auto& h) { h.section_count = 1000; });
  refused([](auto& h) { h.section_count -= 1; });
  refused([](auto& h) { h.sections[0].bytes = ~std::uint64_t{0}; });
  refused([](auto& h) { h.sections[0].offset = ~std::uint64_t{0} - 4095; });
  refused([](auto& h) { h.sections[1].offset = h.sections[0].offset; });
  refused([](auto& h) { h.sections[1].first_block = 1000; });
  refused([](auto& h) { std::swap(h.sections[0].kind, h.sections[1].kind); });
  refused([](auto& h) { h.sections[1].kind = h.sections[0].kind; });
}

TEST_CASE("bytes changed at random are refused or keep the rules, sealed again or not", "[gssl]") {
  for (const bool compress : {false, true}) {
    const std::string whole =
        binary_bytes(read_text(random_edges(40, 60, true, "n", 3) + "#gssl-vertex\te\n"), compress);
    Rng rng(17);
    for (int round = 0; round < 300; ++round) {
      std::string bytes = whole;
      for (std::uint64_t flips = 1 + rng.below(3); flips > 0; --flips) {
        // Half of them in the fields of the header.
        const std::size_t at = rng.below(rng.below(2) == 0 ? 1000 : bytes.size());
        bytes[at] = static_cast<char>(rng.below(256));
      }
      if (rng.below(10) == 0) bytes.resize(rng.below(bytes.size()));
      REQUIRE_NOTHROW(fuzz::binary_graph_bytes(bytes));
    }
  }
}
