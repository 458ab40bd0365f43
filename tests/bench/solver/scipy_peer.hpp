#pragma once
// SciPy as a peer: python3 in a process of its own, which scipy_peer.py runs in. The times are its
// own; starting it and handing the matrix over in files is not timed.
//
//   scipy-cg     scipy.sparse.linalg.cg with the diagonal, column by column
//   scipy-splu   scipy.sparse.linalg.splu (SuperLU) for a symmetric matrix, all columns at once

#include <filesystem>
#include <string>
#include <vector>

#include "race.hpp"

namespace gssl::bench {

// None if no python3 has scipy, which the first call finds out.
const std::vector<std::string>& scipy_names();

// A folder that is gone when this is.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

// To be called in a child process (measure.hpp), whose limits python inherits. Throws
// std::runtime_error if it fails.
Row run_scipy(const Problem& problem, const std::string& name, const RaceOptions& options,
              const std::filesystem::path& folder);

}  // namespace gssl::bench
