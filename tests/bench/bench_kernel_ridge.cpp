// Kernel ridge regression beside scikit-learn's, on random rows of 20 columns.
//
//   bench_kernel_ridge [rows] [lambda] [threads]        default 10000 1 2
//
// Seconds by the wall and by processors, of both in this run (scikit-learn by /usr/bin/python3).

#include <sys/resource.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "gssl/batch/kernel_ridge.hpp"
#include "gssl/core/number_text.hpp"
#include "gssl/core/peak_memory.hpp"
#include "gssl/core/rng.hpp"
#include "gssl/core/stopwatch.hpp"

namespace {

constexpr std::int64_t columns = 20;

double processor_seconds(int who) {
  rusage used{};
  getrusage(who, &used);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  return seconds(used.ru_utime) + seconds(used.ru_stime);
}

}  // namespace

int main(int argc, char** argv) {
  const std::int64_t rows = argc > 1 ? std::atoll(argv[1]) : 10'000;
  const double lambda = argc > 2 ? std::atof(argv[2]) : 1.0;
  gssl::RunContext run;
  run.threads = argc > 3 ? std::atoi(argv[3]) : 2;
  gssl::Rng rng(1, 0);
  std::vector<double> values, targets;
  for (std::int64_t r = 0; r < rows; ++r) {
    for (std::int64_t c = 0; c < columns; ++c) values.push_back(rng.normal());
    targets.push_back(std::sin(values[static_cast<std::size_t>(r * columns)]) + rng.normal());
  }
  const gssl::Dataset data = gssl::make_dataset(
      gssl::Points::dense(rows, columns, std::move(values)), gssl::Targets::reals(targets));
  const double before = processor_seconds(RUSAGE_SELF);
  const gssl::Stopwatch watch;
  const gssl::Trained trained =
      gssl::KernelRidgeLearner({.kernel = "gaussian(beta=0.05)", .lambda = lambda, .bias = false})
          .fit(data, run);
  const double ours = watch.seconds();
  std::printf("gssl          %7.2f s wall, %7.2f s of processors, peak %.0f MB, %s\n", ours,
              processor_seconds(RUSAGE_SELF) - before,
              static_cast<double>(gssl::peak_memory_bytes()) / 1e6,
              trained.report.solver.sentence.c_str());
  std::fflush(stdout);
  const std::string program =
      "import numpy as np, time, resource; from sklearn.kernel_ridge import KernelRidge; "
      "rng=np.random.default_rng(1); X=rng.normal(size=(" +
      std::to_string(rows) + "," + std::to_string(columns) +
      ")); y=np.sin(X[:,0])+rng.normal(size=len(X)); t=time.time(); c=time.process_time(); "
      "KernelRidge(alpha=" +
      gssl::to_text(lambda) +
      ",kernel='rbf',gamma=0.05).fit(X,y); "
      "print('scikit-learn  %7.2f s wall, %7.2f s of processors, peak %.0f MB' % (time.time()-t, "
      "time.process_time()-c, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss/1e3))";
  if (std::system(("/usr/bin/python3 -c \"" + program + "\"").c_str()) != 0)
    std::puts("no scikit-learn: install python3-sklearn");
  return 0;
}
