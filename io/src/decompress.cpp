// gzip and zstd, whole inputs at a time; several members or frames end to end are one text.
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <limits>
#include <memory>

#include "gssl/core/error.hpp"
#include "text_source.hpp"

namespace gssl::detail {
namespace {

constexpr std::size_t output_chunk = std::size_t{1} << 20;

[[noreturn]] void ends_early(const std::string& name, const char* kind) {
  throw Error(ErrorCode::bad_data, name + ": " + kind +
                                       " data ends early; the file is truncated; fetch or "
                                       "compress it again");
}

[[noreturn]] void damaged(const std::string& name, const char* kind, const char* detail) {
  throw Error(ErrorCode::bad_data, name + ": damaged " + kind + " data (" +
                                       (detail != nullptr ? detail : "unknown error") +
                                       "); fetch or compress it again");
}

struct InflateEnd {
  void operator()(z_stream* stream) const { inflateEnd(stream); }
};

ByteBuffer gunzip(std::string_view bytes, const std::string& name) {
  z_stream stream{};
  constexpr int gzip_only = 16 + MAX_WBITS;
  if (inflateInit2(&stream, gzip_only) != Z_OK) throw std::bad_alloc();
  const std::unique_ptr<z_stream, InflateEnd> guard(&stream);
  ByteBuffer out;
  for (;;) {
    constexpr std::size_t most = std::numeric_limits<uInt>::max();
    const std::size_t offered = std::min(bytes.size(), most);
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
    stream.avail_in = static_cast<uInt>(offered);
    stream.next_out = reinterpret_cast<Bytef*>(out.room(output_chunk));
    stream.avail_out = static_cast<uInt>(output_chunk);
    const int state = inflate(&stream, Z_NO_FLUSH);
    out.add(output_chunk - stream.avail_out);
    bytes.remove_prefix(offered - stream.avail_in);
    if (state == Z_MEM_ERROR) throw std::bad_alloc();
    if (state == Z_STREAM_END) {
      // Tapes and block devices pad with zeros; anything else must be another member.
      if (bytes.find_first_not_of('\0') == std::string_view::npos) return out;
      inflateReset(&stream);
    } else if (bytes.empty() && stream.avail_out > 0) {
      ends_early(name, "gzip");
    } else if (state != Z_OK) {
      damaged(name, "gzip", stream.msg);
    }
  }
}

struct FreeStream {
  void operator()(ZSTD_DStream* stream) const { ZSTD_freeDStream(stream); }
};

ByteBuffer unzstd(std::string_view bytes, const std::string& name) {
  const std::unique_ptr<ZSTD_DStream, FreeStream> stream(ZSTD_createDStream());
  if (stream == nullptr) throw std::bad_alloc();
  ByteBuffer out;
  ZSTD_inBuffer in{bytes.data(), bytes.size(), 0};
  for (;;) {
    ZSTD_outBuffer chunk{out.room(output_chunk), output_chunk, 0};
    const std::size_t state = ZSTD_decompressStream(stream.get(), &chunk, &in);
    if (ZSTD_isError(state) != 0) damaged(name, "zstd", ZSTD_getErrorName(state));
    out.add(chunk.pos);
    if (in.pos == in.size && chunk.pos < chunk.size) {
      if (state != 0) ends_early(name, "zstd");
      return out;
    }
  }
}

}  // namespace

Compression sniff_compression(std::string_view bytes) {
  if (bytes.starts_with("\x1F\x8B")) return Compression::gzip;
  if (bytes.starts_with("\x28\xB5\x2F\xFD")) return Compression::zstd;
  return Compression::none;
}

const char* to_string(Compression compression) {
  switch (compression) {
    case Compression::none: return "none";
    case Compression::gzip: return "gzip";
    case Compression::zstd: return "zstd";
  }
  return "none";
}

ByteBuffer decompress(Compression compression, std::string_view bytes, const std::string& name) {
  GSSL_ASSERT(compression != Compression::none);
  return compression == Compression::gzip ? gunzip(bytes, name) : unzstd(bytes, name);
}

}  // namespace gssl::detail
