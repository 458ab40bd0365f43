#include "memory_runs.hpp"

#include <sys/wait.h>

#include <algorithm>
#include <cstdlib>

#include "read_json.hpp"

namespace gssl::test {

GridFiles::GridFiles(int side, int classes) {
  std::string edges, labels;
  const auto vertex = [side](int row, int column) { return std::to_string(row * side + column); };
  for (int row = 0; row < side; ++row)
    for (int column = 0; column < side; ++column) {
      if (column + 1 < side) edges += vertex(row, column) + '\t' + vertex(row, column + 1) + '\n';
      if (row + 1 < side) edges += vertex(row, column) + '\t' + vertex(row + 1, column) + '\n';
    }
  // Many, so that conjugate gradients with the diagonal need few steps.
  const int count = std::max(2 * classes, side * side / 50);
  for (int i = 0; i < count; ++i)
    labels += std::to_string(static_cast<long>(i) * side * side / count) + "\tclass" +
              std::to_string(i % classes) + '\n';
  folder_.file("g", edges);
  folder_.file("l", labels);
}

GridFiles::GridFiles(const std::string& edges, const std::string& labels) {
  folder_.file("g", edges);
  folder_.file("l", labels);
}

Run GridFiles::run(const std::string& line, const std::string& before) const {
  const std::string folder = folder_.path().string();
  const std::string command = "cd '" + folder + "' && rm -f s && " + before + " && '" +
                              built_program("gssl") + "' " + line +
                              " --threads 1 --summary s >out 2>err";
  const int status = std::system(command.c_str());
  Run run;
  run.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  run.out = read("out");
  if (std::filesystem::exists(folder_.path() / "s")) run.summary = read_json(folder_.path() / "s");
  return run;
}

}  // namespace gssl::test
