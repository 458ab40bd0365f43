// --estimate says between which bounds the peak of the run lies, and does not do the work.
#include <sstream>
#include <string>
#include <string_view>

#include "memory_runs.hpp"
#include "support/catch.hpp"

namespace {

using namespace gssl;
using test::GridFiles;
using test::Run;

void check_bounds(const GridFiles& files, const std::string& line) {
  INFO(line);
  const Run told = files.run(line + " --estimate");
  REQUIRE(told.status == 0);
  const double low = told.summary["estimate"]["memory_low"].get<double>();
  const double high = told.summary["estimate"]["memory_high"].get<double>();
  CHECK(told.summary["estimate"]["seconds_low"].get<double>() <=
        told.summary["estimate"]["seconds_high"].get<double>());
  std::istringstream table(told.out);
  std::string header, name;
  std::int64_t first = 0, last = 0;
  std::getline(table, header);
  CHECK(header == "quantity\tlow\thigh");
  table >> name >> first >> last;
  CHECK(name == "peak_memory_bytes");
  CHECK(static_cast<double>(first) == low);
  CHECK(static_cast<double>(last) == high);
  CHECK(told.peak() <= high);

  const Run done = files.run(line);
  REQUIRE((done.status == 0 || done.status == 1));
  CHECK(low <= done.peak());
  CHECK(done.peak() <= high);
  // What is done within two seconds is measured.
  if (line.starts_with("info")) return;
  CHECK(low >= 0.8 * done.peak());
  CHECK(high <= 1.25 * done.peak());
}

}  // namespace

TEST_CASE("the peak lies within the estimate", "[memory]") {
  const GridFiles files(100, 8);
  for (const char* line :
       {"info g", "label g l", "label g l --scores p", "label g l --method local-global",
        "spectrum g -k 3", "cluster g -k 3", "cut g --global", "cut g --source 0 --sink 999",
        "explain g l --node 9", "label g l --method label-propagation:max_iterations=99",
        "resistance g --from 7", "label g l --method eigenvector", "kernel g --node 7",
        "label g l --method p-laplacian:p=3", "resistance g --diagonal",
        "kernel g --diagonal --method regularized",
        "kernel g --node 7 --method \"regularized(epsilon=0.1)\"",
        "fit --graph g l --method kernel-perceptron:kernel=pseudoinverse -o m"})
    check_bounds(files, line);
}

TEST_CASE("the peak lies within an estimate that had no time to look", "[memory]") {
  const GridFiles files(150, 8);
  for (const std::string line :
       {"label g l --method harmonic", "label g l --method label-propagation",
        "label g l --method p-laplacian:p=3", "resistance g --from 7", "resistance g --diagonal",
        "kernel g --diagonal --method regularized", "spectrum g -k 3",
        "label g l --method eigenvector", "label g l --method eigenvector:k=150"}) {
    INFO(line);
    const Run told = files.run(line + " --estimate --time-limit 0.2");
    REQUIRE(told.status == 0);
    const Run done = files.run(line);
    REQUIRE((done.status == 0 || done.status == 1));
    CHECK(told.summary["estimate"]["memory_low"].get<double>() <= done.peak());
    const double high = told.summary["estimate"]["memory_high"].get<double>();
    CHECK(done.peak() <= high);
    // A factor is counted.
    if (line.starts_with("resistance")) CHECK(high <= 1.25 * done.peak());
  }
}

TEST_CASE("an estimate writes no file and asks for none of the work", "[memory]") {
  const GridFiles files(40, 3);
  CHECK(files.run("label g l --estimate -o answer --scores p").status == 0);
  CHECK_THROWS(files.read("answer"));
  CHECK_THROWS(files.read("p"));
  CHECK(files.run("convert g c.mtx --estimate").status == 0);
  CHECK_THROWS(files.read("c.mtx"));
  CHECK(files.run("build g --knn 3 --estimate").status == 0);
  CHECK(files.run("ask g l --estimate").status == 0);
  for (const char* line : {"build --graph g --mst", "fit --graph g l --method kernel-perceptron",
                           "fit g --label-column 2 --method nearest-mean",
                           "embed g --kernel linear", "evaluate g l --folds 2 --method harmonic",
                           "cluster --points g -k 2", "cluster g --partition l"}) {
    INFO(line);
    const int status = files.run(std::string(line) + " -o made --estimate").status;
    CHECK((status == 0 || std::string_view(line).ends_with("partition l")));
    CHECK_THROWS(files.read("made"));
  }
  const Run lines = files.run("label g l --estimate --format jsonl");
  CHECK(lines.out.starts_with("{\"quantity\":\"peak_memory_bytes\""));
}

TEST_CASE("an estimate knows how many steps a learner without a solver may take", "[memory]") {
  const GridFiles files(40, 3);
  for (const std::string learner : {"consensus", "label-propagation"}) {
    INFO(learner);
    const auto most_seconds = [&](const std::string& steps) {
      const Run run = files.run("label g l --estimate --time-limit 1e-6 --method " + learner +
                                ":max_iterations=" + steps);
      REQUIRE(run.status == 0);
      return run.summary["estimate"]["seconds_high"].get<double>();
    };
    CHECK(most_seconds("1000000000") > 1000.0 * most_seconds("10"));
  }
}
