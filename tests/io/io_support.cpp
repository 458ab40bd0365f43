#include "io_support.hpp"

#include <bzlib.h>
#include <lzma.h>
#include <zlib.h>
#include <zstd.h>

#include "graph_formats.hpp"
#include "gssl/core/number_text.hpp"
#include "gssl/core/rng.hpp"
#include "support/support.hpp"

namespace gssl::test {

GraphFile read_text(std::string_view text, const ReadOptions& options, int threads,
                    const std::string& name) {
  RunContext run;
  run.threads = threads;
  return detail::parse_graph(detail::TextSource::from_memory(text, name), options, run);
}

std::string described(const GraphFile& file) {
  std::string out;
  for (VertexId v = 0; v < file.graph.vertex_count(); ++v) {
    out += (v > 0 ? " " : "") + file.names.name(v);
  }
  out += '\n';
  for (VertexId u = 0; u < file.graph.vertex_count(); ++u) {
    file.graph.visit_row(u, [&](VertexId v, double weight) {
      if (u < v) {
        out += file.names.name(u) + " " + file.names.name(v) + " " + to_text(weight) + "\n";
      }
    });
  }
  return out;
}

std::string message_of(std::string_view text, const ReadOptions& options, const std::string& name) {
  const auto error = error_of([&] { read_text(text, options, 1, name); });
  return error ? error->what() : "";
}

namespace {

// `window`: of zlib, which says in its way what stands around the data.
std::string deflated(std::string_view text, int window) {
  z_stream stream{};
  deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, window, 8, Z_DEFAULT_STRATEGY);
  std::string out(deflateBound(&stream, text.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

}  // namespace

std::string gzip(std::string_view text) { return deflated(text, 16 + MAX_WBITS); }

std::string raw_deflate(std::string_view text) { return deflated(text, -MAX_WBITS); }

std::string zstd(std::string_view text) {
  std::string out(ZSTD_compressBound(text.size()), '\0');
  out.resize(ZSTD_compress(out.data(), out.size(), text.data(), text.size(), 3));
  return out;
}

std::string xz(std::string_view text) {
  std::string out(lzma_stream_buffer_bound(text.size()), '\0');
  std::size_t size = 0;
  lzma_easy_buffer_encode(0, LZMA_CHECK_CRC64, nullptr,
                          reinterpret_cast<const std::uint8_t*>(text.data()), text.size(),
                          reinterpret_cast<std::uint8_t*>(out.data()), &size, out.size());
  out.resize(size);
  return out;
}

std::string bzip2(std::string_view text) {
  auto size = static_cast<unsigned>(text.size() + text.size() / 100 + 600);
  std::string out(size, '\0');
  BZ2_bzBuffToBuffCompress(out.data(), &size, const_cast<char*>(text.data()),
                           static_cast<unsigned>(text.size()), 9, 0, 0);
  out.resize(size);
  return out;
}

std::string random_edges(int vertices, int edges, bool weighted, const std::string& prefix,
                         std::uint64_t seed) {
  Rng rng(seed);
  std::string out;
  for (int e = 0; e < edges; ++e) {
    out += prefix + std::to_string(rng.below(vertices)) + " " + prefix +
           std::to_string(rng.below(vertices));
    if (weighted) out += " " + to_text(rng.uniform() + 0.125);
    out += '\n';
  }
  return out;
}

}  // namespace gssl::test
