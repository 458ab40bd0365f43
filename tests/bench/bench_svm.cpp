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
#include "gssl/core/rng.hpp"
#include "harness/measure.hpp"
#include "harness/program.hpp"

namespace {

// Rows of a9a as they are, and where more are wanted than there are, rows that begin as one of them
// and end as another of the same class: attributes of a9a stand in groups, of which a row has one
// each.
gssl::Dataset rows_like(const gssl::Dataset& data, std::int64_t rows) {
  const gssl::VertexId own = data.points.rows();
  gssl::Rng rng(1, 0);
  std::vector<std::int64_t> offsets = {0};
  std::vector<std::int32_t> ids;
  std::vector<int> class_of;
  for (std::int64_t r = 0; r < rows; ++r) {
    const auto first = static_cast<gssl::VertexId>(r % own);
    auto second = first;
    const int k = data.targets.class_of()[static_cast<std::size_t>(first)];
    while (r >= own && (second == first || data.targets.class_of()[std::size_t(second)] != k))
      second = static_cast<gssl::VertexId>(rng.below(static_cast<std::uint64_t>(own)));
    const std::int64_t border = r < own ? 0 : 40;  // between the groups of education and of work
    data.points.visit_row(first, [&](std::int64_t c, double) {
      if (c < border) ids.push_back(static_cast<std::int32_t>(c));
    });
    data.points.visit_row(second, [&](std::int64_t c, double) {
      if (c >= border) ids.push_back(static_cast<std::int32_t>(c));
    });
    offsets.push_back(std::ssize(ids));
    class_of.push_back(k);
  }
  const std::vector<double> ones(ids.size(), 1.0);
  return gssl::make_dataset(gssl::Points::sparse(rows, data.points.columns(), offsets, ids, ones),
                            gssl::Targets::classes(class_of, data.targets.class_names()));
}

// As svm-train reads them, in a file of their own.
std::string write_rows(const gssl::Dataset& data) {
  const std::string to =
      (std::filesystem::temp_directory_path() / ("bench_svm." + std::to_string(getpid()))).string();
  std::ofstream out(to);
  for (gssl::VertexId r = 0; r < data.points.rows(); ++r) {
    out << data.targets.class_names()[std::size_t(data.targets.class_of()[std::size_t(r)])];
    data.points.visit_row(r, [&](std::int64_t c, double x) { out << ' ' << c + 1 << ':' << x; });
    out << '\n';
  }
  return to;
}

struct Race {
  std::int64_t rows = 30'000;
  double c = 1.0;
  std::int64_t memory = 2000;  // megabytes for rows of the kernel, of both
  int threads = 2;
};

void race(gssl::bench::Results& results, const Race& how) {
  const auto path = gssl::test::shared_path("data/points/a9a/a9a");
  if (!path) return results.absent("a9a", "data/points/a9a/a9a beside the checkout");
  constexpr double beta = 1.0 / 123.0;
  const gssl::Dataset data = rows_like(gssl::test::read_libsvm_rows(path->string(), 123), how.rows);
  gssl::SvmOptions options;
  options.kernel = "gaussian(beta=" + gssl::to_text(beta) + ")";
  options.c = how.c;
  options.memory = how.memory;
  gssl::RunContext run;
  run.threads = how.threads;
  const gssl::bench::MemoryMeter from_here;  // clears the mark of the peak
  const gssl::bench::Stopwatch watch;
  const gssl::Trained trained = gssl::SvmLearner(options).fit(data, run);
  const gssl::bench::Seconds ours = watch.elapsed();
  const double held = static_cast<double>(gssl::peak_memory_bytes());
  const auto number = [&](const char* name) {
    return gssl::test::certificate(trained.report, name).values.at(0);
  };
  std::printf("    objective %.6f, gap %.2e, %.0f support vectors, %.0f at the bound; %s\n",
              number("objective"), number("duality_gap"), number("support_vectors"),
              number("bound_vectors"), trained.report.sentence.c_str());

  const std::string file = write_rows(data);
  const auto theirs = gssl::bench::run_program(
      "svm-train -q -s 0 -t 2 -g " + gssl::to_text(beta) + " -c " + gssl::to_text(how.c) + " -m " +
      std::to_string(how.memory) + " " + file + " " + file + ".model");
  std::filesystem::remove(file);
  std::filesystem::remove(file + ".model");
  if (!theirs) {
    results.value("fit", ours.cpu, "s");
    return results.absent("LIBSVM", "libsvm-tools");
  }
  results.beside("fit, processors", "LIBSVM", ours.cpu, theirs->seconds.cpu);
  results.beside("fit, wall", "LIBSVM", ours.wall, theirs->seconds.wall);
  results.beside("peak", "LIBSVM", held / 1e6, theirs->peak_bytes / 1e6, "MB");
}

}  // namespace

int main(int argc, char** argv) {
  gssl::bench::Program program("bench_svm", "Support vector machines beside LIBSVM");
  Race how;
  program.options()
      .add_option("--rows", how.rows, "of a9a; more than 32,561 are put together of two")
      ->capture_default_str();
  program.options()
      .add_option("--memory", how.memory, "megabytes for rows of the kernel, of both")
      ->capture_default_str();
  program.options().add_option("-c", how.c, "price of a violation")->capture_default_str();
  program.options().add_option("--threads", how.threads, "of ours")->capture_default_str();
  program.add("gaussian", "gaussian kernel of width 1/123",
              [&](gssl::bench::Results& results) { race(results, how); });
  return program.run(argc, argv);
}
