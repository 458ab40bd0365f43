// From a table of points to a label for each: joins every point with its ten nearest, spreads the
// few labels that are given over that graph, and counts what was found.
//
//   g++ label_points.cpp -o label_points $(pkg-config --cflags --libs gssl)
//   ./label_points datasets/iris/points.csv class datasets/iris/labels.tsv
//
// The second argument is the column that holds the true class. It is compared with what was found
// and otherwise left out; labels.tsv has nine lines "row class".
#include <cstdio>
#include <gssl/core/error.hpp>
#include <gssl/graph/point_graph.hpp>
#include <gssl/io/label_reader.hpp>
#include <gssl/io/points_reader.hpp>
#include <gssl/learn/registry.hpp>

int main(int argc, char** argv) try {
  if (argc != 4) {
    std::fprintf(stderr, "usage: label_points POINTS COLUMN LABELS\n");
    return 64;
  }
  const gssl::RunContext run;  // all threads, no time limit
  gssl::PointsFile file = gssl::read_points(argv[1], {.label_column = argv[2]}, run);
  const gssl::LabeledSet given =
      gssl::to_labeled_set(gssl::read_labels(argv[3], file.names, {}), false);

  const gssl::PointGraph neighbors = gssl::point_graph(file.points, {.knn = 10}, run);
  const gssl::LearnerRegistry learners = gssl::builtin_learners();
  const gssl::Fit fit = learners.make("poisson").transductive().fit(neighbors.graph, given, run);

  const std::size_t classes = given.class_names().size();
  std::vector<int> found(classes, 0), right(classes, 0);
  int unreached = 0;
  for (std::size_t row = 0; row < fit.decision.size(); ++row) {
    if (fit.decision[row] < 0) {  // no label in its component
      ++unreached;
      continue;
    }
    const auto k = static_cast<std::size_t>(fit.decision[row]);
    ++found[k];
    if (given.class_names()[k] == file.labels[row]) ++right[k];
  }
  for (std::size_t k = 0; k < classes; ++k)
    std::printf("%-10s %3d found, %3d of them right\n", given.class_names()[k].c_str(), found[k],
                right[k]);
  std::printf("%d unreached; %s\n", unreached, fit.report.converged() ? "converged" : "not final");
  return fit.report.converged() ? 0 : 1;
} catch (const gssl::Error& error) {
  std::fprintf(stderr, "label_points: %s\n", error.what());
  return gssl::exit_status(error.code());
}
