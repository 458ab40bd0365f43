#pragma once
// Runs of gssl on a grid with labels, and what they held.
//
//   const GridFiles files(200, 4);                 // 200 × 200 vertices, 4 classes
//   const Run run = files.run("label g l --max-memory 1G");
//   run.status == 0;  run.peak();  run.summary["error"];

#include <nlohmann/json.hpp>
#include <string>

#include "support/support.hpp"

namespace gssl::test {

struct Run {
  int status = -1;
  std::string out;  // standard output
  nlohmann::json summary;

  double peak() const { return summary["peak_rss_bytes"].get<double>(); }
};

class GridFiles {
 public:
  // Files g (edges) and l (a label on every 50th vertex, at least two of each class).
  GridFiles(int side, int classes);
  // The same of any graph.
  GridFiles(const std::string& edges, const std::string& labels);

  // `line` follows the name of the binary; `before` is a line of the shell, such as a ulimit.
  Run run(const std::string& line, const std::string& before = "true") const;
  std::string read(const std::string& name) const { return read_file(folder_.path() / name); }

 private:
  TemporaryDirectory folder_;
};

}  // namespace gssl::test
