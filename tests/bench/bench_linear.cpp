// Linear learners beside LIBLINEAR's command (Debian: liblinear-tools) on one libsvm file.
//
// Ours is the time of fit(), from rows in memory. The peer's is its process less the same process
// with a tolerance so wide that it stops at once, which is its reading. Processor time, one thread;
// the smallest of the repeats counts. Objectives are recomputed here from the weights of either.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

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
  int peer_solver;  // -s
  const char* peer_tolerance;
};

struct Race {
  std::string file = GSSL_SHARED_DIR "/data/points/a9a/a9a";
  std::string peer = "liblinear-train";
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

std::vector<double> peer_weights(const std::string& path) {
  std::ifstream in(path);
  std::string line;
  while (std::getline(in, line) && line != "w") {
  }
  std::vector<double> w;
  for (double x = 0.0; in >> x;) w.push_back(x);
  return w;
}

std::vector<double> our_weights(const gssl::Model& model) {
  gssl::Record record;
  model.save(record);
  const gssl::Block weights = record.block("weights");
  return {weights.values().begin(), weights.values().end()};
}

void race(Results& results, const Race& how, const Row& row) {
  const gssl::PointsFile read = gssl::read_points(how.file);
  const gssl::Dataset data = gssl::make_dataset(read.points, gssl::Targets::classes(read.labels));
  const gssl::LearnerRegistry registry = gssl::builtin_learners();
  const auto made = registry.make(row.spec);
  const std::string model =
      (std::filesystem::temp_directory_path() / "bench_linear.model").string();
  const auto command = [&](int solver, const std::string& tolerance) {
    return how.peer + " -q -c 1 -s " + std::to_string(solver) + " " + tolerance + " " + how.file +
           " " + model;
  };
  double ours = HUGE_VAL, theirs = HUGE_VAL, reading = HUGE_VAL;
  std::vector<double> weights, peer;
  for (int repeat = 0; repeat < how.repeats; ++repeat) {
    gssl::RunContext run;
    run.threads = 1;
    const gssl::bench::Stopwatch watch;
    const gssl::Trained trained = made.inductive().fit(data, run);
    ours = std::min(ours, watch.elapsed().cpu);
    weights = our_weights(*trained.model);
    const auto stopped = gssl::bench::run_command(command(2, "-e 1e9"));
    const auto solved = gssl::bench::run_command(command(row.peer_solver, row.peer_tolerance));
    if (!stopped || !solved) {
      results.value("fit", ours, "s");
      return results.absent("LIBLINEAR", "liblinear-tools");
    }
    reading = std::min(reading, stopped->cpu);
    theirs = std::min(theirs, solved->cpu);
    peer = peer_weights(model);
  }
  const int loss = row.peer_solver == 0 || row.peer_solver == 7 ? 0 : row.peer_solver == 3 ? 1 : 2;
  results.beside("fit", "LIBLINEAR", ours, theirs - reading);
  std::printf("    %s: objective %.6f; -s %d %s: %.6f\n", row.spec,
              objective(data, weights, loss, 1), row.peer_solver, row.peer_tolerance,
              objective(data, peer, loss, 1));
  std::filesystem::remove(model);
}

}  // namespace

int main(int argc, char** argv) {
  Program program("bench_linear", "Linear learners beside LIBLINEAR, one thread");
  Race how;
  program.options().add_option("--file", how.file, "libsvm rows")->capture_default_str();
  program.options().add_option("--peer", how.peer, "LIBLINEAR's command")->capture_default_str();
  program.options()
      .add_option("--repeats", how.repeats, "the fastest counts")
      ->capture_default_str();
  const Row rows[] = {{"logistic", "logistic:bias=none,tolerance=1e-3", 0, ""},
                      {"logistic-dual", "logistic:bias=none,tolerance=1e-3", 7, ""},
                      {"logistic-tight", "logistic:bias=none,tolerance=1e-8", 0, "-e 1e-6"},
                      {"squared-hinge", "linear-svm:bias=none,loss=squared-hinge", 2, ""},
                      {"squared-hinge-dual", "linear-svm:bias=none,loss=squared-hinge", 1, ""},
                      {"squared-hinge-tight",
                       "linear-svm:bias=none,loss=squared-hinge,tolerance=1e-8", 2, "-e 1e-6"},
                      {"hinge", "linear-svm:bias=none", 3, ""},
                      {"hinge-tight", "linear-svm:bias=none,tolerance=1e-4", 3, "-e 0.01"},
                      {"hinge-loose", "linear-svm:bias=none,tolerance=0.02", 3, ""}};
  for (const Row& row : rows)
    program.add(row.name, row.spec, [&](Results& results) { race(results, how, row); });
  return program.run(argc, argv);
}
