// Trees, forests and AdaBoost beside scikit-learn on one table:
//
//   bench_trees [ROWS=100000] [COLUMNS=20] [CLASSES=2] [TREES=100] [PYTHON=/usr/bin/python3]
//
// Rows are of eight gaussian groups of variance 1 about random centers of variance 1; the class of
// a group is its number modulo CLASSES. Fits of full depth, on two threads; the peer is trees_peer.py
// with the same rows, right after each of ours, a forest on two threads too. Seconds of the fit
// alone, wall clock and processor time (user and system, of all threads): on a machine that does
// other work compare the latter.

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <string>

#include "gssl/batch/adaboost.hpp"
#include "gssl/batch/forest.hpp"
#include "gssl/batch/tree.hpp"

namespace {

using namespace gssl;

Dataset groups(std::int64_t rows, std::int64_t columns, int classes) {
  Rng rng(1);
  std::vector<double> centers(static_cast<std::size_t>(8 * columns));
  for (double& x : centers) x = rng.normal();
  std::vector<double> values;
  std::vector<int> class_of;
  std::vector<std::string> names;
  for (int k = 0; k < classes; ++k) names.push_back(std::to_string(k));
  for (std::int64_t r = 0; r < rows; ++r) {
    const auto group = static_cast<std::int64_t>(rng.below(8));
    class_of.push_back(static_cast<int>(group) % classes);
    for (std::int64_t c = 0; c < columns; ++c)
      values.push_back(centers[static_cast<std::size_t>(group * columns + c)] + rng.normal());
  }
  return make_dataset(Points::dense(rows, columns, std::move(values)),
                      Targets::classes(std::move(class_of), names));
}

void write(const std::filesystem::path& path, const void* data, std::size_t bytes) {
  std::ofstream(path, std::ios::binary)
      .write(static_cast<const char*>(data), static_cast<std::streamsize>(bytes));
}

template <class Fit>
void measure(const std::string& name, const std::string& peer, Fit&& fit) {
  const auto start = std::chrono::steady_clock::now();
  const std::clock_t ticks = std::clock();
  const std::string what = fit();
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - start;
  std::printf("%-10s ours   wall %8.3f processor %8.3f  %s\n", name.c_str(), wall.count(),
              static_cast<double>(std::clock() - ticks) / CLOCKS_PER_SEC, what.c_str());
  std::fflush(stdout);
  if (std::system((peer + " " + name).c_str()) != 0) std::printf("%-10s no peer\n", name.c_str());
}

}  // namespace

int main(int argc, char** argv) {
  const auto number = [&](int i, int otherwise) {
    return argc > i ? std::atoi(argv[i]) : otherwise;
  };
  const int columns = number(2, 20);
  const int trees = number(4, 100);
  const Dataset data = groups(number(1, 100000), columns, number(3, 2));
  const auto folder = std::filesystem::temp_directory_path() / "bench_trees";
  std::filesystem::create_directories(folder);
  write(folder / "x.bin", data.points.doubles().data(), data.points.doubles().size_bytes());
  write(folder / "y.bin", data.targets.class_of().data(),
        data.targets.class_of().size() * sizeof(int));
  const std::string peer = std::string(argc > 5 ? argv[5] : "/usr/bin/python3") + " " +
                           GSSL_BENCH_DIR + "/trees_peer.py " + folder.string() + " " +
                           std::to_string(columns) + " " + std::to_string(trees);
  RunContext run;
  run.threads = 2;
  measure("tree", peer, [&] {
    const DecisionTree tree = TreeLearner().grow(data, run);
    return std::to_string(tree.nodes.size()) + " nodes, depth " + std::to_string(tree.depth());
  });
  measure("forest", peer,
          [&] { return ForestLearner({.trees = trees}).fit(data, run).report.solver.sentence; });
  measure("adaboost", peer,
          [&] { return AdaBoostLearner({.rounds = 50}).fit(data, run).report.solver.sentence; });
  std::filesystem::remove_all(folder);
}
