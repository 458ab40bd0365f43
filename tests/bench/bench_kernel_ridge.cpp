// Kernel ridge regression beside scikit-learn's (by /usr/bin/python3), on random rows of 20 columns.
// Seconds by the wall and by processors, of both in this run.

#include <cmath>
#include <sstream>
#include <string>

#include "gssl/batch/kernel_ridge.hpp"
#include "gssl/core/number_text.hpp"
#include "gssl/core/peak_memory.hpp"
#include "gssl/core/rng.hpp"
#include "harness/measure.hpp"
#include "harness/program.hpp"

namespace {

constexpr std::int64_t columns = 20;

struct Race {
  std::int64_t rows = 10'000;
  double lambda = 1.0;
  int threads = 2;
};

gssl::Dataset waves(std::int64_t rows) {
  gssl::Rng rng(1, 0);
  std::vector<double> values, targets;
  for (std::int64_t r = 0; r < rows; ++r) {
    for (std::int64_t c = 0; c < columns; ++c) values.push_back(rng.normal());
    targets.push_back(std::sin(values[static_cast<std::size_t>(r * columns)]) + rng.normal());
  }
  return gssl::make_dataset(gssl::Points::dense(rows, columns, std::move(values)),
                            gssl::Targets::reals(targets));
}

// Prints seconds of the wall and of processors of the fit alone, and the peak of memory.
std::string peer_command(const Race& how) {
  return "/usr/bin/python3 -c \"import numpy as np, time; "
         "from sklearn.kernel_ridge import KernelRidge; "
         "rng=np.random.default_rng(1); X=rng.normal(size=(" +
         std::to_string(how.rows) + "," + std::to_string(columns) +
         ")); y=np.sin(X[:,0])+rng.normal(size=len(X)); t=time.time(); c=time.process_time(); "
         "KernelRidge(alpha=" +
         gssl::to_text(how.lambda) +
         ",kernel='rbf',gamma=0.05).fit(X,y); print(time.time()-t, time.process_time()-c, "
         "1024.0*next(int(l.split()[1]) for l in open('/proc/self/status') if 'VmHWM' in l))\"";
}

void race(gssl::bench::Results& results, const Race& how) {
  const gssl::Dataset data = waves(how.rows);
  gssl::RunContext run;
  run.threads = how.threads;
  const gssl::bench::MemoryMeter from_here;  // clears the mark of the peak
  const gssl::bench::Stopwatch watch;
  const gssl::Trained trained =
      gssl::KernelRidgeLearner(
          {.kernel = "gaussian(beta=0.05)", .lambda = how.lambda, .bias = false})
          .fit(data, run);
  const gssl::bench::Seconds ours = watch.elapsed();
  const double held = static_cast<double>(gssl::peak_memory_bytes());
  const auto said = gssl::bench::output_of(peer_command(how));
  if (!said) {
    results.value("fit", ours.wall, "s");
    return results.absent("scikit-learn", "python3-sklearn");
  }
  gssl::bench::Seconds theirs;
  double their_peak = 0.0;
  std::istringstream(*said) >> theirs.wall >> theirs.cpu >> their_peak;
  results.beside("fit, processors", "scikit-learn", ours.cpu, theirs.cpu);
  results.beside("fit, wall", "scikit-learn", ours.wall, theirs.wall);
  results.beside("peak", "scikit-learn", held / 1e6, their_peak / 1e6, "MB");
}

}  // namespace

int main(int argc, char** argv) {
  gssl::bench::Program program("bench_kernel_ridge", "Kernel ridge beside scikit-learn's");
  Race how;
  program.options().add_option("--rows", how.rows)->capture_default_str();
  program.options().add_option("--lambda", how.lambda)->capture_default_str();
  program.options().add_option("--threads", how.threads, "of ours")->capture_default_str();
  program.add("gaussian", "gaussian kernel of width 0.05, 20 columns",
              [&](gssl::bench::Results& results) { race(results, how); });
  return program.run(argc, argv);
}
