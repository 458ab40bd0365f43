// Support vector machines beside LIBSVM's svm-train, on rows of a9a (123 columns, 14 ones a row).
// Seconds by the wall and by processors, of both in this run; their objectives.

#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

#include "algorithms/learner_data.hpp"
#include "gssl/batch/svm.hpp"
#include "gssl/core/number_text.hpp"
#include "gssl/core/peak_memory.hpp"
#include "harness/measure.hpp"
#include "harness/program.hpp"

namespace {

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

struct Race {
  std::int64_t rows = 30'000;
  double c = 1.0;
  int threads = 2;
};

void race(gssl::bench::Results& results, const Race& how) {
  const auto path = gssl::test::shared_path("data/points/a9a/a9a");
  if (!path) return results.absent("a9a", "data/points/a9a/a9a beside the checkout");
  constexpr double beta = 1.0 / 123.0;
  const gssl::Dataset data = gssl::test::read_libsvm_rows(path->string(), 123, how.rows);
  gssl::SvmOptions options;
  options.kernel = "gaussian(beta=" + gssl::to_text(beta) + ")";
  options.c = how.c;
  gssl::RunContext run;
  run.threads = how.threads;
  const gssl::bench::Stopwatch watch;
  const gssl::Trained trained = gssl::SvmLearner(options).fit(data, run);
  const gssl::bench::Seconds ours = watch.elapsed();
  const auto number = [&](const char* name) {
    return gssl::test::certificate(trained.report, name);
  };
  std::printf("    objective %.6f, gap %.2e, %.0f support vectors, %.0f at the bound; %s\n",
              number("objective"), number("duality_gap"), number("support_vectors"),
              number("bound_vectors"), trained.report.solver.sentence.c_str());
  results.value("peak", static_cast<double>(gssl::peak_memory_bytes()) / 1e6, "MB");

  const std::string file = head(path->string(), how.rows);
  const auto theirs =
      gssl::bench::run_command("svm-train -q -s 0 -t 2 -g " + gssl::to_text(beta) + " -c " +
                               gssl::to_text(how.c) + " -m 2000 " + file + " " + file + ".model");
  std::filesystem::remove(file);
  std::filesystem::remove(file + ".model");
  if (!theirs) {
    results.value("fit", ours.cpu, "s");
    return results.absent("LIBSVM", "libsvm-tools");
  }
  results.beside("fit, processors", "LIBSVM", ours.cpu, theirs->cpu);
  results.beside("fit, wall", "LIBSVM", ours.wall, theirs->wall);
}

}  // namespace

int main(int argc, char** argv) {
  gssl::bench::Program program("bench_svm", "Support vector machines beside LIBSVM");
  Race how;
  program.options().add_option("--rows", how.rows, "of a9a")->capture_default_str();
  program.options().add_option("-c", how.c, "price of a violation")->capture_default_str();
  program.options().add_option("--threads", how.threads, "of ours")->capture_default_str();
  program.add("gaussian", "gaussian kernel of width 1/123",
              [&](gssl::bench::Results& results) { race(results, how); });
  return program.run(argc, argv);
}
