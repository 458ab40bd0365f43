#include "paths.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <optional>

#include "gssl/core/error.hpp"
#include "gssl/io/output_file.hpp"

namespace gssl::tool {
namespace {

std::optional<struct stat> status_of(const std::string& path, int standard_descriptor) {
  struct stat status = {};
  const int failed =
      path == "-" ? fstat(standard_descriptor, &status) : stat(path.c_str(), &status);
  if (failed != 0) return std::nullopt;
  return status;
}

bool same_file(const std::optional<struct stat>& a, const std::optional<struct stat>& b) {
  return a && b && S_ISREG(a->st_mode) && S_ISREG(b->st_mode) && a->st_dev == b->st_dev &&
         a->st_ino == b->st_ino;
}

// Whether two outputs that may not exist yet will be one file.
bool same_output(const std::string& a, const std::string& b) {
  const auto descriptor = own_descriptor(a);
  if (descriptor && descriptor == own_descriptor(b)) return true;
  const auto first = status_of(a, STDOUT_FILENO);
  const auto second = status_of(b, STDOUT_FILENO);
  if (first && second) return same_file(first, second);
  std::error_code ignored;
  return a == b || std::filesystem::weakly_canonical(a, ignored) ==
                       std::filesystem::weakly_canonical(b, ignored);
}

}  // namespace

void check_paths(const std::vector<std::string>& inputs, const std::vector<std::string>& outputs) {
  int from_stdin = 0;
  for (const std::string& input : inputs) from_stdin += input == "-" ? 1 : 0;
  if (from_stdin > 1) {
    throw Error(ErrorCode::usage,
                "two inputs are '-': standard input can be read once; give one of them as a file");
  }
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (outputs[i].empty()) continue;
    for (const std::string& input : inputs) {
      if (input.empty()) continue;
      if (same_file(status_of(outputs[i], STDOUT_FILENO), status_of(input, STDIN_FILENO))) {
        throw Error(ErrorCode::usage,
                    fmt::format("output {} is the input {}: choose another output",
                                outputs[i] == "-" ? "'-'" : outputs[i], input));
      }
    }
    for (std::size_t j = 0; j < i; ++j) {
      if (!outputs[j].empty() && same_output(outputs[j], outputs[i])) {
        throw Error(ErrorCode::usage,
                    fmt::format("outputs {} and {} are one file: give each its own", outputs[j],
                                outputs[i]));
      }
    }
  }
}

void check_readable(const std::vector<std::string>& inputs) {
  for (const std::string& input : inputs) {
    if (input.empty() || input == "-" || access(input.c_str(), R_OK) == 0) continue;
    throw Error(ErrorCode::cannot_open,
                fmt::format("{}: cannot open: {}; check the path and its permissions", input,
                            std::strerror(errno)));
  }
}

}  // namespace gssl::tool
