#include "support/support.hpp"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <sstream>

namespace gssl::test {

namespace fs = std::filesystem;

fs::path source_path(std::string_view relative) { return fs::path(GSSL_SOURCE_DIR) / relative; }

std::string built_program(std::string_view name) {
  return GSSL_BUILD_DIR "/bin/" + std::string(name);
}

std::string built_module(std::string_view name) {
  return GSSL_BUILD_DIR "/tests/modules/lib" + std::string(name) + ".so";
}

std::optional<fs::path> shared_path(std::string_view relative) {
  const fs::path path = fs::path(GSSL_SHARED_DIR) / relative;
  if (!fs::exists(path)) return std::nullopt;
  return path;
}

TemporaryDirectory::TemporaryDirectory() {
  std::string pattern = (fs::temp_directory_path() / "gssl-test-XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("mkdtemp failed: " + pattern);
  path_ = pattern;
}

TemporaryDirectory::~TemporaryDirectory() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

std::string TemporaryDirectory::file(std::string_view name, std::string_view content) const {
  write_file(path_ / name, content);
  return (path_ / name).string();
}

std::string read_file(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw std::runtime_error("cannot read " + path.string());
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

void write_file(const fs::path& path, std::string_view content) {
  std::ofstream out(path, std::ios::binary);
  out.write(content.data(), static_cast<std::streamsize>(content.size()));
  if (!out) throw std::runtime_error("cannot write " + path.string());
}

std::vector<std::vector<double>> read_numbers(const fs::path& path) {
  std::vector<std::vector<double>> rows;
  std::istringstream text(read_file(path));
  for (std::string line; std::getline(text, line);) {
    std::replace(line.begin(), line.end(), ',', ' ');
    if (line.empty() || line.front() == '#') continue;
    std::vector<double> row;
    const char* at = line.c_str();
    for (char* end = nullptr;; at = end) {
      const double value = std::strtod(at, &end);
      if (end == at) break;
      row.push_back(value);
    }
    if (!row.empty()) rows.push_back(std::move(row));
  }
  return rows;
}

double max_difference(const Block& a, const Block& b) {
  if (a.rows() != b.rows() || a.columns() != b.columns())
    return std::numeric_limits<double>::infinity();
  double largest = 0.0;
  for (std::size_t i = 0; i < a.values().size(); ++i) {
    const double difference = std::abs(a.values()[i] - b.values()[i]);
    if (!(difference <= largest)) largest = difference;
  }
  return largest;
}

}  // namespace gssl::test
