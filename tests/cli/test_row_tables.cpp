// Tables of rows with targets in gssl fit, predict and evaluate: labels that say there is none, ties,
// columns that are there or not, and what bound and report say of numbers and of nothing.

#include <string>
#include <vector>

#include "cli/read_json.hpp"
#include "cli/run_gssl.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

using namespace gssl::test;
using Catch::Contains;

namespace {

// Rows x,y of two features and a label of each in turn, far apart for different labels.
std::string table_of(const std::vector<std::string>& labels, int rows) {
  std::string text = "u,v,y\n";
  const int count = static_cast<int>(labels.size());
  for (int r = 0; r < rows; ++r)
    text += std::to_string(10 * (r % count) + r) + "," + std::to_string(r) + "," +
            labels[static_cast<std::size_t>(r % count)] + "\n";
  return text;
}

Result evaluate(const std::string& points, const std::vector<std::string>& more) {
  std::vector<std::string> arguments = {"evaluate", "--points", points};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return run_gssl(arguments);
}

// The value that a bound is solved to.
std::string solved(const std::vector<std::string>& arguments) {
  std::vector<std::string> all = {"bound"};
  all.insert(all.end(), arguments.begin(), arguments.end());
  const Result r = run_gssl(all);
  INFO(r.err);
  CHECK(r.status == 0);
  const std::size_t end = r.out.find("\tsolved\t");
  REQUIRE(end != std::string::npos);
  const std::size_t begin = r.out.rfind('\t', end - 1);
  return r.out.substr(begin + 1, end - begin - 1);
}

}  // namespace

TEST_CASE("evaluate counts labels that say there is none, and warns of -1 as fit does", "[rows]") {
  const TemporaryDirectory dir;
  const std::string table = dir.file("p.csv", table_of({"-1", "0", "1"}, 30));
  const std::string summary = dir.path() / "s.json";
  const Result fit = run_gssl(
      {"fit", table, "--label-column", "y", "--method", "nearest-mean", "-o", dir.path() / "m"});
  CHECK_THAT(fit.err, Contains("10 labels say that there is none ('-1' 10): -1 is taken so"));
  const std::vector<std::string> rest = {"--label-column", "y",         "--folds", "5", "--method",
                                         "nearest-mean",   "--summary", summary};
  const Result found = evaluate(table, rest);
  CHECK(found.status == 0);
  CHECK_THAT(found.err, Contains("10 labels say that there is none ('-1' 10): -1 is taken so"));
  CHECK(read_json(summary)["truth_missing"] == 10);
  const Result gaps = evaluate(dir.file("q.csv", table_of({"a", "NA", "", "b"}, 40)), rest);
  CHECK(gaps.status == 0);
  CHECK_THAT(gaps.err, Contains("20 labels say that there is none ('NA' 10, empty 10)"));
  CHECK(read_json(summary)["truth_missing"] == 20);
}

TEST_CASE("evaluate warns of data of one class as fit does", "[rows]") {
  const TemporaryDirectory dir;
  const Result r = evaluate(dir.file("p.csv", table_of({"a"}, 12)),
                            {"--label-column", "y", "--folds", "3", "--method", "nearest-mean"});
  CHECK_THAT(r.err, Contains("every target is 'a': the model can answer nothing else"));
}

TEST_CASE("evaluate takes the labels of a libsvm file", "[rows]") {
  const TemporaryDirectory dir;
  std::string text;
  for (int r = 0; r < 20; ++r)
    text += (r % 2 == 0 ? "+1 1:" : "-1 2:") + std::to_string(1 + r) + "\n";
  const std::vector<std::string> rest = {"--folds", "5", "--method", "nearest-mean"};
  const Result r = evaluate(dir.file("p.svm", text), rest);
  INFO(r.err);
  CHECK(r.status == 0);
  CHECK_THAT(r.out, Contains("nearest-mean\tfolds\t5\t"));
  const Result none = evaluate(dir.file("p.csv", "1,2\n3,4\n"), rest);
  CHECK(none.status == 64);
  CHECK_THAT(none.err, Contains("no truth: give TRUTH, or --label-column"));
}

TEST_CASE("The label column and the weight column may each be there or not", "[rows]") {
  const TemporaryDirectory dir;
  const std::string model = dir.path() / "m";
  REQUIRE(run_gssl({"fit", dir.file("w.csv", "u,y,v,w\n0,a,1,2\n9,b,1,1\n1,a,2,1\n8,b,2,2\n"),
                    "--label-column", "y", "--weight-column", "w", "--method", "tree:min_leaf=1",
                    "-o", model})
              .status == 0);
  std::string first;
  for (const std::string file : {"u,y,v,w\n1,a,1,5\n8,b,1,5\n", "u,y,v\n1,a,1\n8,b,1\n",
                                 "u,v,w\n1,1,5\n8,1,5\n", "u,v\n1,1\n8,1\n"}) {
    INFO(file);
    const Result r = run_gssl({"predict", model, dir.file("t.csv", file)});
    INFO(r.err);
    CHECK(r.status == 0);
    CHECK((r.err.find("accuracy 100.00%") != std::string::npos) ==
          (file.find('y') != std::string::npos));
    if (first.empty()) first = r.out;
    CHECK(r.out == first);
  }
}

TEST_CASE("A row that ties has no answer in evaluate, as in predict", "[rows]") {
  const TemporaryDirectory dir;
  // With k = 4 the row in the middle has two neighbors of each class, and is the only one measured.
  const std::string table = dir.file("p.csv", "u,y\n0,a\n1,a\n3,b\n4,b\n2,a\n");
  const std::string train = dir.file("t.csv", "u,y\n0,a\n1,a\n3,b\n4,b\n");
  const std::string model = dir.path() / "m", results = dir.path() / "r.json";
  REQUIRE(run_gssl({"fit", train, "--label-column", "y", "--method", "k-nearest:k=4", "-o", model})
              .status == 0);
  const Result predicted = run_gssl({"predict", model, dir.file("q.csv", "u,y\n2,a\n")});
  CHECK_THAT(predicted.out, Contains("\ttied\n"));
  CHECK_THAT(predicted.err, Contains("accuracy 0.00%"));
  const Result r = evaluate(table, {"--label-column", "y", "--splits", dir.file("s", "0 1 2 3\n"),
                                    "--method", "k-nearest:k=4", "--results", results});
  INFO(r.err);
  REQUIRE(r.status == 0);
  const auto json = read_json(results);
  CHECK(json["comparisons"][0]["tied"] == 1);
  CHECK(json["comparisons"][0]["mean"] == 0.0);
}

TEST_CASE("ece is null where the confidence is no probability", "[rows]") {
  const TemporaryDirectory dir;
  const std::string results = dir.path() / "r.json";
  const Result r = evaluate(dir.file("p.csv", table_of({"a", "b"}, 30)),
                            {"--label-column", "y", "--folds", "3", "--method", "ridge", "--method",
                             "tree", "--results", results, "--report", dir.path() / "r.html"});
  INFO(r.err);
  REQUIRE(r.status == 0);
  const auto json = read_json(results);
  REQUIRE(json["comparisons"].size() == 2);
  for (const auto& one : json["comparisons"]) {
    const bool margin = one["method"].get<std::string>().starts_with("ridge");
    for (const char* metric : {"log_loss", "brier", "ece"}) {
      INFO(one["method"] << ' ' << metric);
      CHECK(one[metric].is_null() == margin);
    }
  }
}

TEST_CASE("A name that two columns have tells neither", "[rows]") {
  const TemporaryDirectory dir;
  const std::string table = dir.file("p.csv", "a,a,y\n1,2,0\n2,1,1\n3,2,0\n4,1,1\n");
  const auto fit = [&](const std::vector<std::string>& columns) {
    std::vector<std::string> arguments = {"fit",          table, "--method",
                                          "nearest-mean", "-o",  dir.path() / "m"};
    arguments.insert(arguments.end(), columns.begin(), columns.end());
    return run_gssl(arguments);
  };
  for (const Result& r :
       {fit({"--label-column", "a"}), fit({"--label-column", "y", "--weight-column", "a"}),
        fit({"--label-column", "y", "--id-column", "a"})}) {
    CHECK(r.status == 65);
    CHECK_THAT(r.err, Contains("columns 1 and 2 are both named 'a'"));
  }
  CHECK(fit({"--label-column", "2"}).status == 0);
}

TEST_CASE("A column of names that the model was learned without is told", "[rows]") {
  const TemporaryDirectory dir;
  const std::string table = dir.file("p.csv", "id,u,y\n7,1,a\n8,9,b\n9,2,a\n");
  const std::string model = dir.path() / "m";
  REQUIRE(run_gssl({"fit", dir.file("t.csv", "u,y\n1,a\n9,b\n2,a\n"), "--label-column", "y",
                    "--method", "nearest-mean", "-o", model})
              .status == 0);
  const Result r = run_gssl({"predict", model, table});
  CHECK(r.status == 65);
  CHECK_THAT(r.err, Contains("'id'") && Contains("--id-column"));
}

TEST_CASE("bound gives whole numbers of what is counted", "[rows]") {
  CHECK(solved({"winnow", "literals=3", "attributes=128"}) == "74");
  CHECK(solved({"margin", "radius=2", "margin=0.5"}) == "16");
  CHECK(solved({"growth", "m=100", "dimension=3"}) == "166751");
  CHECK(solved({"perceptron", "radius=2", "norm=1.5"}) == "9");
  // 2.63 (4 + ln 10) = 16.58; log2 100 = 6.64.
  CHECK(solved({"weighted-majority", "experts=10", "best=4"}) == "16");
  CHECK(solved({"halving", "experts=100"}) == "6");
  CHECK(solved({"perceptron", "radius=2", "mistakes=36", "norm=?"}) == "3");
}

TEST_CASE("bound refuses what cannot be", "[rows]") {
  const Result more = run_gssl({"bound", "test-error", "m=200", "errors=201"});
  CHECK(more.status == 64);
  CHECK_THAT(more.err, Contains("errors=201: must be at most m=200"));
  const Result none = run_gssl({"bound", "vc-dimension", "matrix=/dev/null"});
  CHECK(none.status == 65);
  CHECK_THAT(none.err, Contains("/dev/null: no rows"));
  const Result endless = run_gssl({"bound", "halving", "mistakes=2000"});
  CHECK(endless.status == 65);
  CHECK_THAT(endless.err, Contains("there is no largest one"));
}

TEST_CASE("report refuses results that hold none", "[rows]") {
  const TemporaryDirectory dir;
  const Result r = run_gssl({"report", dir.file("r.json", "{\"schema\":\"gssl-results/1\"}")});
  CHECK(r.status == 65);
  CHECK(r.out.empty());
  CHECK_THAT(r.err, Contains("r.json: no comparisons"));
}
