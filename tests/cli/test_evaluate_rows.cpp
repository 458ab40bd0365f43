// gssl evaluate with what gssl fit learns with: standard deviations, weights, words, calibration.

#include <sstream>

#include "read_json.hpp"
#include "run_gssl.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

using namespace gssl::test;

namespace {

const std::vector<std::string> wine = {
    "evaluate", "--points", "datasets/wine/points.csv", "--label-column", "class", "--folds", "5"};

std::vector<std::string> with(std::vector<std::string> arguments,
                              const std::vector<std::string>& more) {
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

// Of the first row of a table.
double accuracy(const Result& r) {
  INFO(r.err);
  REQUIRE(r.status == 0);
  std::istringstream lines(r.out.substr(r.out.find('\n') + 1));
  std::string cell;
  for (int column = 0; column < 4; ++column) std::getline(lines, cell, '\t');
  return std::stod(cell);
}

// Rows of three classes that a word and a weight tell, with gaps.
std::string people() {
  std::string text = "eyes,size,floor,years,class\n";
  for (int r = 0; r < 60; ++r) {
    const int k = r % 3;
    text += r % 10 == 9 ? "" : k == 0 ? "blue" : k == 1 ? "brown" : "green";
    text += "," + (r % 7 == 6 ? std::string("NA") : std::to_string(k + 0.01 * r));
    text += "," + std::to_string(r % 4) + "," + std::to_string(1 + r % 5);
    text += std::string(",") + static_cast<char>('a' + k) + "\n";
  }
  return text;
}

}  // namespace

TEST_CASE("evaluate standardizes, weighs and calibrates as fit does", "[evaluate-rows]") {
  const double plain = accuracy(run_gssl(with(wine, {"--method", "k-nearest:k=5"})));
  const double standard =
      accuracy(run_gssl(with(wine, {"--method", "k-nearest:k=5", "--standardize"})));
  CHECK(plain < 0.8);
  CHECK(standard > 0.93);  // scikit-learn 1.2.1 on the same folds of its own: 0.69 and 0.95
  const TemporaryDirectory dir;
  const std::string stored = (dir.path() / "r.json").string();
  accuracy(run_gssl(with(wine, {"--method", "svm", "--standardize", "--calibrate", "platt",
                                "--class-weight", "class_0=2", "--results", stored})));
  const auto json = read_json(stored);
  // Margins have no calibration error, probabilities have one.
  CHECK(json["comparisons"][0]["ece"].get<double>() < 0.2);
  CHECK(json["trials"][0]["log_loss"].get<double>() < 0.5);
  // Precision, recall and F of each class, and their averages over all trials.
  const auto& best = json["comparisons"][0];
  REQUIRE(best["per_class"].size() == 3);
  CHECK(best["per_class"][0]["rows"] == 59);
  CHECK(best["averages"]["micro"]["rows"] == 178);
  CHECK(best["averages"]["weighted"]["recall"].get<double>() ==
        Approx(best["averages"]["micro"]["recall"].get<double>()));
  const Result page = run_gssl({"report", stored});
  CHECK(page.out.find("precision") != std::string::npos);
}

TEST_CASE("methods of one table are calibrated each in its own way", "[evaluate-rows]") {
  const TemporaryDirectory dir;
  const std::string stored = (dir.path() / "r.json").string();
  const std::string kernel = "svm:kernel=gaussian(beta=1e-4)";
  accuracy(
      run_gssl(with(wine, {"--method", kernel, "--method", kernel + ",calibrate=platt", "--method",
                           kernel + ",c=1|100,calibrate=temperature", "--results", stored})));
  const auto all = read_json(stored)["comparisons"];
  REQUIRE(all.size() == 3);
  CHECK(all[0]["ece"].is_null());
  CHECK(all[1]["ece"].is_number());
  CHECK(all[1]["mean"] == all[0]["mean"]);  // calibration moves no label
  CHECK(all[2]["ece"].is_number());
  // As one method alone with the option of all.
  accuracy(run_gssl(with(wine, {"--method", kernel, "--calibrate", "platt", "--results", stored})));
  CHECK(read_json(stored)["comparisons"][0]["ece"] == all[1]["ece"]);
  const Result graph = run_gssl({"evaluate", "datasets/iris/edges.tsv", "datasets/iris/truth.tsv",
                                 "--method", "svm:calibrate=platt"});
  CHECK(graph.status == 64);
  CHECK(graph.err.find("an option of the run (--calibrate)") != std::string::npos);
}

TEST_CASE("evaluate learns from words, gaps and weights", "[evaluate-rows]") {
  const TemporaryDirectory dir;
  const std::vector<std::string> all = {"evaluate",
                                        "--points",
                                        dir.file("p.csv", people()),
                                        "--label-column",
                                        "class",
                                        "--folds",
                                        "5",
                                        "--method",
                                        "tree"};
  CHECK(accuracy(run_gssl(all)) > 0.9);
  CHECK(accuracy(run_gssl(with(all, {"--weight-column", "years", "--categorical", "floor"}))) >
        0.9);
  // The weight is no column: without the two that tell, nothing is left but the floor.
  const Result without = run_gssl(with(all, {"--weight-column", "years", "--ablate", "both=1-2"}));
  CHECK(without.status == 0);
  CHECK(without.out.find("tree without both\tfolds\t5\t0.") != std::string::npos);
  CHECK(run_gssl(with(all, {"--weight-column", "years", "--ablate", "c=4"})).status == 64);
  const Result graph = run_gssl(with(all, {"--knn", "5"}));
  CHECK(graph.status == 65);
  CHECK(graph.err.find("column eyes holds words") != std::string::npos);
  const Result none = run_gssl(with(all, {"--weight-column", "age"}));
  CHECK(none.status == 65);
  CHECK(none.err.find("no column 'age' for --weight-column") != std::string::npos);
}

TEST_CASE("evaluate calibrates learners on a graph", "[evaluate-rows]") {
  const TemporaryDirectory dir;
  const std::string before = (dir.path() / "a.json").string();
  const std::string after = (dir.path() / "b.json").string();
  const std::vector<std::string> digits = {"evaluate",
                                           "datasets/digits/edges.tsv",
                                           "datasets/digits/truth.tsv",
                                           "--labels-per-class",
                                           "10",
                                           "--repeats",
                                           "3",
                                           "--method",
                                           "harmonic"};
  const double plain = accuracy(run_gssl(with(digits, {"--results", before})));
  CHECK(accuracy(run_gssl(with(digits, {"--results", after, "--calibrate", "temperature"}))) ==
        plain);
  const auto ece = [](const std::string& file) {
    return read_json(file)["comparisons"][0]["ece"].get<double>();
  };
  CHECK(ece(before) > 0.15);
  CHECK(ece(after) < 0.05);
}

TEST_CASE("evaluate refuses what rows alone have, and a run taken up otherwise",
          "[evaluate-rows]") {
  const std::vector<std::string> graph = {"evaluate", "datasets/iris/edges.tsv",
                                          "datasets/iris/truth.tsv"};
  CHECK(run_gssl(with(graph, {"--standardize"})).status == 64);
  CHECK(run_gssl(with(graph, {"--class-weight", "balanced"})).status == 64);
  CHECK(run_gssl(with(graph, {"--weight-column", "3"})).status == 64);
  CHECK(run_gssl(with(wine, {"--class-weight", "class_0=-1"})).status == 64);
  CHECK(run_gssl(with(wine, {"--calibrate", "magic"})).status == 64);
  const std::vector<std::string> real = {"evaluate",       "--points", "datasets/wine/points.csv",
                                         "--label-column", "x1",       "--regression",
                                         "--folds",        "3",        "--method",
                                         "ridge"};
  CHECK(run_gssl(with(real, {"--class-weight", "balanced"})).status == 64);
  CHECK(run_gssl(with(real, {"--calibrate", "platt"})).status == 64);
  const TemporaryDirectory dir;
  const std::string stored = (dir.path() / "r.json").string();
  const auto run = with(wine, {"--method", "nearest-mean", "--results", stored});
  CHECK(run_gssl(with(run, {"--time-limit", "1e-9"})).status != 0);
  CHECK(run_gssl(with(run, {"--resume", "--standardize"})).status == 64);
  CHECK(run_gssl(with(run, {"--resume"})).status == 0);
}
