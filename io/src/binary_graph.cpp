#include "gssl/io/binary_graph.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "fields.hpp"
#include "gssl/core/error.hpp"
#include "gssl/graph/trusted_graph.hpp"
#include "hex_digits.hpp"
#include "opened_graph.hpp"

namespace gssl {

using detail::BinaryHeader;
using detail::OpenedGraph;
using detail::SectionKind;

namespace {

class Descriptor {
 public:
  explicit Descriptor(const std::string& path)
      : number_(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  int number() const { return number_; }

 private:
  int number_;
};

// Where it cannot be mapped, and for the bytes of a pipe.
detail::ByteBuffer read_all(int descriptor, std::size_t size, const std::string& path) {
  detail::ByteBuffer buffer;
  while (buffer.size() < size) {
    const ssize_t got = ::read(descriptor, buffer.room(size), size - buffer.size());
    if (got < 0 && errno != EINTR)
      throw Error(ErrorCode::io_failure, path + ": read failed: " + std::strerror(errno));
    if (got == 0) break;
    if (got > 0) buffer.add(static_cast<std::size_t>(got));
  }
  return buffer;
}

BinaryGraphFacts facts_of(const OpenedGraph& opened) {
  const BinaryHeader& header = opened.header();
  constexpr std::array names = {"numbered", "numbers", "text"};
  BinaryGraphFacts facts;
  facts.vertices = static_cast<VertexId>(header.vertices);
  facts.edges = static_cast<EdgeIndex>(header.arcs / 2);
  facts.isolated = static_cast<VertexId>(header.isolated);
  facts.degree_min = static_cast<EdgeIndex>(header.degree_min);
  facts.degree_max = static_cast<EdgeIndex>(header.degree_max);
  facts.compressed = opened.has(SectionKind::rows);
  facts.weights = opened.has(SectionKind::weights)         ? "float64"
                  : opened.has(SectionKind::float_weights) ? "float32"
                                                           : "unit";
  facts.weight_min = header.weight_min;
  facts.weight_max = header.weight_max;
  facts.names = names[header.name_form];
  facts.version = std::to_string(header.major) + "." + std::to_string(header.minor);
  facts.writer = detail::shown(detail::text_of(header.writer));
  return facts;
}

}  // namespace

class BinaryGraph::Opened final : public OpenedGraph {
 public:
  template <class Storage>
  Opened(Storage storage, std::string name)
      : OpenedGraph(std::move(storage), std::move(name)), facts(facts_of(*this)) {}
  const BinaryGraphFacts facts;
};

bool starts_as_binary_graph(std::string_view bytes) {
  const auto& magic = detail::binary_magic;
  return bytes.starts_with(std::string_view(magic.data(), magic.size()));
}

bool is_binary_graph(const std::string& path) {
  // A pipe is not opened: who writes into it would see its reader leave.
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return false;
  const Descriptor file(path);
  if (file.number() < 0) return false;
  std::array<char, detail::binary_magic.size()> start{};
  const ssize_t got = ::pread(file.number(), start.data(), start.size(), 0);
  return got == static_cast<ssize_t>(start.size()) &&
         starts_as_binary_graph({start.data(), start.size()});
}

BinaryGraph BinaryGraph::open(const std::string& path) {
  const Descriptor file(path);
  struct stat status {};
  if (file.number() < 0 || ::fstat(file.number(), &status) != 0)
    throw Error(ErrorCode::cannot_open, path + ": cannot open: " + std::strerror(errno) +
                                            "; check the path and its permissions");
  if (!S_ISREG(status.st_mode))
    throw Error(ErrorCode::cannot_open, path + ": is no file; expected a binary graph");
  const auto size = static_cast<std::size_t>(status.st_size);
  if (size > 0) {
    detail::MappedFile mapping(file.number(), size);
    if (mapping.mapped()) return BinaryGraph(std::make_shared<Opened>(std::move(mapping), path));
  }
  return BinaryGraph(std::make_shared<Opened>(read_all(file.number(), size, path), path));
}

BinaryGraph BinaryGraph::from_memory(std::string_view bytes, std::string name) {
  detail::ByteBuffer copy;
  if (!bytes.empty()) std::memcpy(copy.room(bytes.size()), bytes.data(), bytes.size());
  copy.add(bytes.size());
  return BinaryGraph(std::make_shared<Opened>(std::move(copy), std::move(name)));
}

const BinaryGraphFacts& BinaryGraph::facts() const { return opened_->facts; }

InputStats BinaryGraph::stats() const {
  const BinaryHeader& header = opened_->header();
  InputStats stats;
  stats.path = opened_->name();
  stats.format = to_string(GraphFormat::binary);
  stats.compression = "none";
  stats.bytes = static_cast<std::int64_t>(header.file_bytes);
  stats.crc32 = detail::hex_digits(header.header_crc);
  stats.of_edges = true;
  stats.edges_given = header.edges_given;
  stats.self_loops_dropped = header.self_loops_dropped;
  stats.duplicates_merged = header.duplicates_merged;
  stats.reversed_merged = header.reversed_merged;
  stats.opposite_differ = header.opposite_differ;
  stats.zero_weights_dropped = header.zero_weights_dropped;
  stats.names_given = header.names_given != 0;
  return stats;
}

VertexNames BinaryGraph::names() const {
  if (const auto table = OpenedGraph::name_table(opened_)) return VertexNames(table);
  return VertexNames::numbered(facts().vertices, opened_->header().first_number);
}

void BinaryGraph::check(const RunContext& run) const { opened_->check(run); }

void BinaryGraph::verify(const RunContext& run) const {
  check(run);
  opened_->verify_rows(run);
  opened_->verify_names();
}

std::optional<CompressedGraph> BinaryGraph::compressed(const RunContext& run) const {
  if (!facts().compressed) return std::nullopt;
  check(run);
  return opened_->read_whole(
      [&] { return CompressedGraph(opened_, opened_->compressed_rows(), run); });
}

Graph BinaryGraph::graph(const RunContext& run) const {
  if (facts().compressed) {
    Graph plain = compressed(run)->expand(run);
    opened_->release_pages();
    return plain;
  }
  check(run);
  return TrustedGraph::make(opened_, opened_->array<EdgeIndex>(SectionKind::offsets),
                            opened_->array<VertexId>(SectionKind::neighbors),
                            opened_->array<double>(SectionKind::weights));
}

GraphFile BinaryGraph::read(const RunContext& run) const { return {graph(run), names(), stats()}; }

}  // namespace gssl
