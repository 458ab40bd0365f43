// Linear learners beside LIBLINEAR's command (Debian: liblinear-tools) on one libsvm file.
//
//   bench_linear [FILE [PEER [REPEATS]]]   default: ../shared/data/points/a9a/a9a, liblinear-train, 5
//
// Ours is the time of fit(), from rows in memory, on 1 and on 2 threads. The peer's is its process
// less the same process with a tolerance so wide that it stops at once, which is its reading. Both
// in processor time, and ours on 2 threads also by the clock. The smallest of the repeats counts. Objectives are recomputed here from the weights of either.

#include <sys/resource.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <string>

#include "gssl/core/stopwatch.hpp"
#include "gssl/io/points_reader.hpp"
#include "gssl/learn/registry.hpp"

namespace {

struct Row {
  const char* spec;
  int peer_solver;  // -s
  const char* peer_tolerance;
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

double processor_seconds(int whose) {
  rusage used{};
  getrusage(whose, &used);
  return static_cast<double>(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
         1e-6 * static_cast<double>(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
}

double seconds_of(const std::string& command) {
  const double before = processor_seconds(RUSAGE_CHILDREN);
  if (std::system(command.c_str()) != 0) return std::numeric_limits<double>::quiet_NaN();
  return processor_seconds(RUSAGE_CHILDREN) - before;
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

}  // namespace

int main(int argc, char** argv) {
  const std::string file = argc > 1 ? argv[1] : GSSL_SHARED_DIR "/data/points/a9a/a9a";
  const std::string peer = argc > 2 ? argv[2] : "liblinear-train";
  const int repeats = argc > 3 ? std::atoi(argv[3]) : 5;
  const gssl::PointsFile read = gssl::read_points(file);
  const gssl::Dataset data = gssl::make_dataset(read.points, gssl::Targets::classes(read.labels));
  const gssl::LearnerRegistry registry = gssl::builtin_learners();
  std::printf("%-46s %9s %9s %15s | %4s %9s %15s | %6s %6s\n", "ours", "1 thr s", "2 thr s",
              "objective", "-s", "peer s", "objective", "1 thr", "2 thr");
  for (const Row& row :
       {Row{"logistic:bias=none,tolerance=1e-3", 0, ""},
        Row{"logistic:bias=none,tolerance=1e-3", 7, ""},
        Row{"logistic:bias=none,tolerance=1e-8", 0, "-e 1e-6"},
        Row{"linear-svm:bias=none,loss=squared-hinge", 2, ""},
        Row{"linear-svm:bias=none,loss=squared-hinge", 1, ""},
        Row{"linear-svm:bias=none,loss=squared-hinge,tolerance=1e-8", 2, "-e 1e-6"},
        Row{"linear-svm:bias=none", 3, ""},
        Row{"linear-svm:bias=none,tolerance=1e-4", 3, "-e 0.01"},
        Row{"linear-svm:bias=none,tolerance=0.02", 3, ""}}) {
    const auto made = registry.make(row.spec);
    double ours[2] = {1e300, 1e300};
    double theirs = 1e300;
    double reading = 1e300;
    std::vector<double> weights;
    const std::string model = "/tmp/bench_linear.model";
    const std::string command =
        peer + " -q -c 1 -s " + std::to_string(row.peer_solver) + " " + row.peer_tolerance;
    for (int repeat = 0; repeat < repeats; ++repeat) {
      for (int threads = 1; threads <= 2; ++threads) {
        gssl::RunContext run;
        run.threads = threads;
        const gssl::Stopwatch watch;
        const double before = processor_seconds(RUSAGE_SELF);
        const gssl::Trained trained = made.inductive().fit(data, run);
        const double taken =
            threads == 1 ? processor_seconds(RUSAGE_SELF) - before : watch.seconds();
        ours[threads - 1] = std::min(ours[threads - 1], taken);
        weights = our_weights(*trained.model);
      }
      theirs = std::min(theirs, seconds_of(command + " " + file + " " + model));
      reading = std::min(reading,
                         seconds_of(peer + " -q -c 1 -s 2 -e 1e9 " + file + " " + model + ".read"));
    }
    const double peer_time = theirs - reading;
    const int loss = row.peer_solver == 0 || row.peer_solver == 7 ? 0
                     : row.peer_solver == 3                       ? 1
                                                                  : 2;
    const auto w = peer_weights(model);
    std::printf("%-46s %9.3f %9.3f %15.6f | %4d %9.3f %15.6f | %6.2f %6.2f\n", row.spec, ours[0],
                ours[1], objective(data, weights, loss, 1), row.peer_solver, peer_time,
                objective(data, w, loss, 1), ours[0] / peer_time, ours[1] / peer_time);
  }
}
