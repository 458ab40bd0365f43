#include "read_room.hpp"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>

#include "gssl/core/machine.hpp"

namespace gssl::tool {
namespace {

// Bytes that a line takes while its edge is read: a pair of vertices, and two entries of rows.
// Twice that is enough for names, offsets and weights.
constexpr double least_per_line = 16.0;
constexpr double enough_per_line = 64.0;
// The first lines may be shorter than the others: ids grow.
constexpr double longer_lines = 1.5;
constexpr std::size_t sample_bytes = 65536;

// Lines of the whole file if all are like the first; 0 where it is not text.
double least_lines(const std::string& path) {
  std::error_code failure;
  if (!std::filesystem::is_regular_file(path, failure)) return 0.0;
  const auto bytes = static_cast<double>(std::filesystem::file_size(path, failure));
  std::ifstream file(path, std::ios::binary);
  std::string sample(sample_bytes, ' ');
  file.read(sample.data(), static_cast<std::streamsize>(sample.size()));
  sample.resize(static_cast<std::size_t>(file.gcount()));
  if (failure || sample.find('\0') != std::string::npos) return 0.0;
  const auto lines = static_cast<double>(std::ranges::count(sample, '\n'));
  return sample.empty() ? 0.0 : lines * bytes / (longer_lines * static_cast<double>(sample.size()));
}

}  // namespace

void refuse_too_large(const Session& session, const std::string& path) {
  if (session.run.memory_limit == 0) return;
  const double lines = least_lines(path);
  if (least_per_line * lines <= static_cast<double>(session.run.memory_limit)) return;
  throw MemoryError("reading " + path, static_cast<std::size_t>(enough_per_line * lines),
                    session.run.memory_limit);
}

}  // namespace gssl::tool
