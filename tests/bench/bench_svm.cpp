// Support vector machines beside LIBSVM's svm-train, on rows of a9a (123 columns, 14 ones a row).
//
//   bench_svm [rows] [c] [threads]        default 30000 1 2
//
// Seconds by the wall and by processors, of both in this run; their objectives; our accuracy.

#include <sys/resource.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "algorithms/learner_data.hpp"
#include "gssl/batch/svm.hpp"
#include "gssl/core/number_text.hpp"
#include "gssl/core/peak_memory.hpp"
#include "gssl/core/stopwatch.hpp"

namespace {

double processor_seconds(int who) {
  rusage used{};
  getrusage(who, &used);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  return seconds(used.ru_utime) + seconds(used.ru_stime);
}

// The first rows of a file, in a file of its own.
std::string head(const std::string& path, std::int64_t rows) {
  const std::string to =
      (std::filesystem::temp_directory_path() / ("bench_svm." + std::to_string(getpid()))).string();
  std::ifstream in(path);
  std::ofstream out(to);
  std::string line;
  for (std::int64_t r = 0; r < rows && std::getline(in, line); ++r) out << line << '\n';
  return to;
}

}  // namespace

int main(int argc, char** argv) {
  const std::int64_t rows = argc > 1 ? std::atoll(argv[1]) : 30'000;
  const double c = argc > 2 ? std::atof(argv[2]) : 1.0;
  gssl::RunContext run;
  run.threads = argc > 3 ? std::atoi(argv[3]) : 2;
  const auto path = gssl::test::shared_path("data/points/a9a/a9a");
  if (!path) {
    std::puts("no ../shared/data/points/a9a/a9a");
    return 1;
  }
  constexpr double beta = 1.0 / 123.0;
  const gssl::Dataset data = gssl::test::read_libsvm_rows(path->string(), 123, rows);
  gssl::SvmOptions options;
  options.kernel = "gaussian(beta=" + gssl::to_text(beta) + ")";
  options.c = c;

  const double before = processor_seconds(RUSAGE_SELF);
  const gssl::Stopwatch watch;
  const gssl::Trained trained = gssl::SvmLearner(options).fit(data, run);
  const double ours = watch.seconds();
  std::printf("gssl     %8.2f s wall, %8.2f s of processors, objective %.6f, gap %.2e, %s\n", ours,
              processor_seconds(RUSAGE_SELF) - before,
              gssl::test::certificate(trained.report, "objective"),
              gssl::test::certificate(trained.report, "duality_gap"),
              trained.report.solver.sentence.c_str());
  std::printf("         %.0f support vectors, %.0f at the bound, peak %.0f MB\n",
              gssl::test::certificate(trained.report, "support_vectors"),
              gssl::test::certificate(trained.report, "bound_vectors"),
              static_cast<double>(gssl::peak_memory_bytes()) / 1e6);
  std::fflush(stdout);

  const std::string file = head(path->string(), rows);
  const std::string command = "svm-train -q -s 0 -t 2 -g " + gssl::to_text(beta) + " -c " +
                              gssl::to_text(c) + " -m 2000 " + file + " " + file + ".model";
  const gssl::Stopwatch peer;
  const int status = std::system(command.c_str());
  if (status == 0)
    std::printf("LIBSVM   %8.2f s wall, %8.2f s of processors; ratio of the wall %.3f\n",
                peer.seconds(), processor_seconds(RUSAGE_CHILDREN), ours / peer.seconds());
  else
    std::puts("no svm-train: install libsvm-tools");
  std::filesystem::remove(file);
  std::filesystem::remove(file + ".model");
  return 0;
}
