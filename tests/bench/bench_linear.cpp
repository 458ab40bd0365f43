// Linear learners beside LIBLINEAR (Debian: liblinear-dev) on one libsvm file.
//
// Both are given the rows in memory and timed from there: fit() and train(). Processor time, one
// thread, the least of the repeats. Objectives are recomputed here from the weights of either; the
// tolerances of a pair are such that neither is much farther from the optimum.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#ifdef GSSL_BENCH_LIBLINEAR
#include <linear.h>
#endif

#include "gssl/io/points_reader.hpp"
#include "gssl/learn/registry.hpp"
#include "harness/measure.hpp"
#include "harness/program.hpp"

namespace {

using gssl::bench::Program;
using gssl::bench::Results;

struct Row {
  const char* name;
  const char* spec;
  int peer_solver;        // -s of its command
  double peer_tolerance;  // -e
};

struct Race {
  std::string file = GSSL_SHARED_DIR "/data/points/a9a/a9a";
  int repeats = 5;
};

// ½‖w‖² + Σ loss, no bias; `positive`: the class that w points to.
double objective(const gssl::Dataset& data, const std::vector<double>& w, int loss, int positive) {
  double sum = 0.0;
  for (const double x : w) sum += 0.5 * x * x;
  for (gssl::VertexId r = 0; r < data.points.rows(); ++r) {
    double f = 0.0;
    data.points.visit_row(r, [&](std::int64_t c, double x) {
      if (c < std::ssize(w)) f += x * w[static_cast<std::size_t>(c)];
    });
    if (data.targets.class_of()[static_cast<std::size_t>(r)] != positive) f = -f;
    const double lack = std::max(0.0, 1.0 - f);
    sum += loss == 0   ? std::max(0.0, -f) + std::log1p(std::exp(-std::abs(f)))
           : loss == 1 ? lack
                       : lack * lack;
  }
  return sum;
}

std::vector<double> our_weights(const gssl::Model& model) {
  gssl::Record record;
  model.save(record);
  const gssl::Block weights = record.block("weights");
  return {weights.values().begin(), weights.values().end()};
}

struct Solved {
  double seconds = HUGE_VAL;
  std::vector<double> weights;
};

#ifdef GSSL_BENCH_LIBLINEAR
class Peer {
 public:
  explicit Peer(const gssl::Dataset& data) {
    std::vector<std::size_t> start;
    for (gssl::VertexId r = 0; r < data.points.rows(); ++r) {
      start.push_back(nodes_.size());
      data.points.visit_row(r, [&](std::int64_t column, double x) {
        nodes_.push_back({static_cast<int>(column) + 1, x});
        columns_ = std::max(columns_, static_cast<int>(column) + 1);
      });
      nodes_.push_back({-1, 0.0});
      target_.push_back(data.targets.class_of()[static_cast<std::size_t>(r)]);
    }
    for (const std::size_t at : start) rows_.push_back(nodes_.data() + at);
  }

  Solved solve(int solver, double tolerance) {
    set_print_string_function([](const char*) {});
    const problem rows{static_cast<int>(rows_.size()), columns_, target_.data(), rows_.data(),
                       -1.0};
    parameter how{};
    how.solver_type = solver;
    how.eps = tolerance;
    how.C = 1.0;
    const gssl::bench::Stopwatch watch;
    model* found = train(&rows, &how);
    Solved solved{watch.elapsed().cpu, {found->w, found->w + columns_}};
    // It points to the class that it met first.
    if (found->label[0] != 1)
      for (double& x : solved.weights) x = -x;
    free_and_destroy_model(&found);
    return solved;
  }

 private:
  std::vector<feature_node> nodes_;
  std::vector<feature_node*> rows_;
  std::vector<double> target_;
  int columns_ = 0;
};
#endif

void race(Results& results, const Race& how, const Row& row) {
  const gssl::PointsFile read = gssl::read_points(how.file);
  const gssl::Dataset data = gssl::make_dataset(read.points, gssl::Targets::classes(read.labels));
  const gssl::LearnerRegistry registry = gssl::builtin_learners();
  const auto made = registry.make(row.spec);
  Solved ours;
  for (int repeat = 0; repeat < how.repeats; ++repeat) {
    gssl::RunContext run;
    run.threads = 1;
    const gssl::bench::Stopwatch watch;
    const gssl::Trained trained = made.inductive().fit(data, run);
    ours.seconds = std::min(ours.seconds, watch.elapsed().cpu);
    ours.weights = our_weights(*trained.model);
  }
  const int loss = row.peer_solver == 0 || row.peer_solver == 7 ? 0 : row.peer_solver == 3 ? 1 : 2;
  std::printf("    %s: objective %.6f\n", row.spec, objective(data, ours.weights, loss, 1));
#ifdef GSSL_BENCH_LIBLINEAR
  Peer peer(data);
  Solved theirs;
  for (int repeat = 0; repeat < how.repeats; ++repeat) {
    Solved solved = peer.solve(row.peer_solver, row.peer_tolerance);
    solved.seconds = std::min(solved.seconds, theirs.seconds);
    theirs = std::move(solved);
  }
  results.beside("fit", "LIBLINEAR", ours.seconds, theirs.seconds);
  std::printf("    LIBLINEAR -s %d -e %g: objective %.6f\n", row.peer_solver, row.peer_tolerance,
              objective(data, theirs.weights, loss, 1));
#else
  results.value("fit", ours.seconds, "s");
  results.absent("LIBLINEAR", "liblinear-dev");
#endif
}

}  // namespace

int main(int argc, char** argv) {
  Program program("bench_linear", "Linear learners beside LIBLINEAR, one thread");
  Race how;
  program.options().add_option("--file", how.file, "libsvm rows")->capture_default_str();
  program.options().add_option("--repeats", how.repeats, "the least counts")->capture_default_str();
  const Row rows[] = {
      {"logistic", "logistic:bias=none,tolerance=1e-3", 0, 0.001},
      {"logistic-dual", "logistic:bias=none,tolerance=1e-3", 7, 0.1},
      {"logistic-tight", "logistic:bias=none,tolerance=1e-8", 0, 1e-6},
      {"squared-hinge", "linear-svm:bias=none,loss=squared-hinge", 2, 0.003},
      {"squared-hinge-dual", "linear-svm:bias=none,loss=squared-hinge", 1, 0.1},
      {"squared-hinge-tight", "linear-svm:bias=none,loss=squared-hinge,tolerance=1e-8", 2, 1e-6},
      {"hinge", "linear-svm:bias=none", 3, 0.1},
      {"hinge-tight", "linear-svm:bias=none,tolerance=1e-4", 3, 0.01},
      {"hinge-loose", "linear-svm:bias=none,tolerance=0.02", 3, 0.1}};
  for (const Row& row : rows)
    program.add(row.name, row.spec, [&](Results& results) { race(results, how, row); });
  return program.run(argc, argv);
}
