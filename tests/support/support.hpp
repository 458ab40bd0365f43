#pragma once
// What tests of every component share: paths, small files, exact comparison of bytes.

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gssl/core/block.hpp"
#include "gssl/core/error.hpp"
#include "gssl/core/run_context.hpp"

namespace gssl::test {

inline RunContext on_threads(int threads) {
  RunContext run;
  run.threads = threads;
  return run;
}

// A file of this repository, e.g. datasets/digits/….
std::filesystem::path source_path(std::string_view relative);

// The file of a program of this build, and of a module made by gssl_add_test_module().
std::string built_program(std::string_view name);
std::string built_module(std::string_view name);

// A file of the reference data beside the checkout, or nothing. A test that gets nothing says so:
//   const auto path = shared_path("reference/graphs/karate.harmonic_pm1.csv");
//   if (!path) { WARN("skipped: ../shared is absent"); return; }
std::optional<std::filesystem::path> shared_path(std::string_view relative);

// A directory of its own for one test, removed at the end.
class TemporaryDirectory {
 public:
  TemporaryDirectory();
  ~TemporaryDirectory();
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;
  const std::filesystem::path& path() const { return path_; }
  // Writes a file in it and returns its path.
  std::string file(std::string_view name, std::string_view content) const;

 private:
  std::filesystem::path path_;
};

std::string read_file(const std::filesystem::path& path);
void write_file(const std::filesystem::path& path, std::string_view content);

// Rows of comma- or blank-separated numbers; blank and '#' lines skipped.
std::vector<std::vector<double>> read_numbers(const std::filesystem::path& path);

// Largest |a−b| over all entries; infinity if the shapes differ.
double max_difference(const Block& a, const Block& b);

// The Error that `call` throws, or nothing.
template <class Call>
std::optional<Error> error_of(Call&& call) {
  try {
    call();
  } catch (const Error& error) {
    return error;
  }
  return std::nullopt;
}

}  // namespace gssl::test
