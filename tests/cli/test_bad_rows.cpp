// gssl fit and predict of data that leave little to learn, or nothing: each a clear error or a right
// answer.

#include <filesystem>
#include <string>
#include <vector>

#include "cli/run_gssl.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

using namespace gssl::test;
using Catch::Contains;

namespace {

Result fit(const TemporaryDirectory& dir, const std::string& table, const std::string& method,
           const std::vector<std::string>& more = {"--label-column", "y"}) {
  std::vector<std::string> arguments = {"fit", dir.file("t", table),       "--method", method,
                                        "-o",  (dir.path() / "m").string()};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return run_gssl(arguments);
}

Result predict(const TemporaryDirectory& dir, const std::string& table) {
  return run_gssl({"predict", (dir.path() / "m").string(), dir.file("p", table)});
}

const std::vector<std::string> learners = {"svm",           "linear-svm",  "logistic",
                                           "ridge",         "tree",        "forest:trees=5",
                                           "k-nearest:k=1", "kernel-ridge"};

}  // namespace

TEST_CASE("rows of one class give that class, with a warning", "[bad-rows]") {
  const TemporaryDirectory dir;
  for (const std::string& learner : learners) {
    const Result made = fit(dir, "u,y\n1,a\n2,a\n3,a\n", learner);
    INFO(learner << ": " << made.err);
    REQUIRE(made.status == 0);
    CHECK_THAT(made.err, Contains("every target is 'a'"));
    CHECK_THAT(predict(dir, "u\n7\n").out, Contains("0\ta\t"));
  }
}

TEST_CASE("constant columns change no answer", "[bad-rows]") {
  const TemporaryDirectory dir;
  for (const std::string& learner : learners) {
    const Result made = fit(dir, "u,one,y\n0,1,a\n9,1,b\n1,1,a\n8,1,b\n", learner,
                            {"--label-column", "y", "--standardize"});
    INFO(learner << ": " << made.err);
    REQUIRE(made.status == 0);
    const Result found = predict(dir, "u,one\n0,1\n9,1\n");
    CHECK_THAT(found.out, Contains("0\ta\t") && Contains("1\tb\t"));
  }
}

TEST_CASE("more columns than rows are learned from", "[bad-rows]") {
  const TemporaryDirectory dir;
  std::string header, first, second;
  for (int c = 0; c < 40; ++c) {
    header += "c" + std::to_string(c) + ",";
    first += std::to_string(c % 3) + ",";
    second += std::to_string(c % 4 + 1) + ",";
  }
  for (const std::string& learner : learners) {
    const Result made = fit(dir, header + "y\n" + first + "a\n" + second + "b\n", learner);
    INFO(learner << ": " << made.err);
    REQUIRE(made.status == 0);
    if (learner.starts_with("forest")) continue;  // its trees may draw the same row twice
    CHECK_THAT(predict(dir, header + "y\n" + first + "a\n" + second + "b\n").err,
               Contains("accuracy 100.00% on 2 rows"));
  }
}

TEST_CASE("options and kernels that are none are named", "[bad-rows]") {
  const TemporaryDirectory dir;
  const std::string table = "u,y\n0,a\n1,b\n";
  const auto refused = [&](const std::string& method, const char* why) {
    const Result r = fit(dir, table, method);
    INFO(method << ": " << r.err);
    CHECK(r.status == 64);
    CHECK_THAT(r.err, Contains(why));
    CHECK_FALSE(std::filesystem::exists(dir.path() / "m"));
  };
  refused("svm:c=0", "c=0");
  refused("linear-svm:c=0", "c=0");
  refused("logistic:c=-1", "c=-1");
  refused("svm:kernel=gausian(beta=1)", "gausian");
  refused("svm:kernel=gaussian(beta=1)+", "kernel");
  refused("svm:kernel=gaussian(gamma=1)", "gamma");
  refused("forest:trees=0", "trees=0");
  refused("k-nearest:k=0", "k=0");
  refused("suport-vectors", "suport-vectors");
}

TEST_CASE("cells that are no number are gaps, or errors with their line", "[bad-rows]") {
  const TemporaryDirectory dir;
  for (const std::string& learner : learners) {
    const Result made = fit(dir, "u,v,y\n0,NaN,a\n9,1,b\n1,2,a\n8,2,b\n", learner);
    INFO(learner << ": " << made.err);
    REQUIRE(made.status == 0);
    CHECK_THAT(made.err, Contains("1 cells missing"));
    CHECK(predict(dir, "u,v\nNaN,1\n9,NaN\n").status == 0);
  }
  const Result slip = fit(dir, "u,y\n0,a\n9,b\n1o,a\n8,b\n", "svm");
  CHECK(slip.status == 65);
  CHECK_THAT(slip.err, Contains("t:4"));
  for (const char* cell : {"inf", "-inf", "1e999"}) {
    const Result far = fit(dir, std::string("u,y\n0,a\n9,b\n") + cell + ",a\n", "svm");
    INFO(cell << ": " << far.err);
    CHECK(far.status == 65);
    CHECK_THAT(far.err, Contains("t:4"));
  }
}

TEST_CASE("numbers whose products overflow are refused by fit, not by predict", "[bad-rows]") {
  const TemporaryDirectory dir;
  std::string table = "u,v,y\n";
  for (int r = 0; r < 20; ++r)
    table += std::to_string(1 + r % 2) + "e200," + std::to_string(r) + "e199," +
             (r % 2 == 0 ? "a\n" : "b\n");
  for (const char* learner : {"nearest-mean", "perceptron", "linear-svm", "ridge"}) {
    const Result made = fit(dir, table, learner);
    INFO(learner << ": " << made.err);
    CHECK(made.status == 65);
    CHECK_THAT(made.err, Contains("overflow") && !Contains("nan"));
    CHECK_FALSE(std::filesystem::exists(dir.path() / "m"));
  }
  // Trees compare numbers, and do nothing else with them.
  CHECK(fit(dir, table, "tree").status == 0);
}

TEST_CASE("a fold that lacks a class is no error", "[bad-rows]") {
  const TemporaryDirectory dir;
  // The only row of c is in one fold, whose model does not know it.
  std::string table = "u,y\n5,c\n";
  for (int r = 0; r < 20; ++r) table += std::to_string(r % 2 * 9) + (r % 2 == 0 ? ",a\n" : ",b\n");
  for (const std::string& learner : learners) {
    const Result r = run_gssl({"evaluate", "--points", dir.file("t", table), "--label-column", "y",
                               "--folds", "5", "--method", learner});
    INFO(learner << ": " << r.err);
    CHECK(r.status == 0);
    const Result calibrated =
        fit(dir, table, learner, {"--label-column", "y", "--calibrate", "platt"});
    INFO(calibrated.err);
    CHECK(calibrated.status == 0);
  }
}

TEST_CASE("a million sparse columns", "[bad-rows]") {
  const TemporaryDirectory dir;
  const std::string rows = "+1 1:1 1000000:1\n-1 2:1 999999:1\n+1 1:1\n-1 2:1\n";
  for (const char* learner : {"svm", "linear-svm", "logistic", "ridge", "k-nearest:k=1"}) {
    const Result made = fit(dir, rows, learner, {});
    INFO(learner << ": " << made.err);
    REQUIRE(made.status == 0);
    CHECK_THAT(predict(dir, "+1 1:1 1000000:1\n-1 2:1\n").err,
               Contains("accuracy 100.00% on 2 rows"));
  }
}

TEST_CASE("files without rows, or with a header alone", "[bad-rows]") {
  const TemporaryDirectory dir;
  for (const char* table : {"", "\n", "# nothing\n", "u,y\n"}) {
    const Result r = fit(dir, table, "svm");
    INFO("'" << table << "': " << r.err);
    CHECK(r.status == 65);
    CHECK_THAT(r.err, Contains("/t"));
  }
  REQUIRE(fit(dir, "u,y\n0,a\n1,b\n", "svm").status == 0);
  CHECK(predict(dir, "u\n").out == "node\tlabel\tconfidence\tstatus\n");
}
