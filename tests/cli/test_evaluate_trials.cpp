// gssl evaluate: what its tables, pages and documents say of trials of one row.

#include <algorithm>
#include <fstream>
#include <sstream>

#include "read_json.hpp"
#include "run_gssl.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

using namespace gssl::test;

namespace {

const std::vector<std::string> wine_trials = {"evaluate", "--points", "datasets/wine/points.csv",
                                              "--label-column", "class"};

std::vector<std::string> joined_with(std::vector<std::string> arguments,
                                     const std::vector<std::string>& more) {
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

// The cells of a row of a table, without the header from 0.
std::vector<std::string> cells_of(const std::string& table, int row) {
  std::istringstream lines(table);
  std::string line, cell;
  for (int i = 0; i <= row + 1; ++i) std::getline(lines, line);
  std::vector<std::string> found;
  for (std::istringstream parts(line); std::getline(parts, cell, '\t');) found.push_back(cell);
  return found;
}

}  // namespace

TEST_CASE("leave-one-out has an interval and no deviation, also when resumed", "[evaluate-verb]") {
  const TemporaryDirectory dir;
  const std::string stored = (dir.path() / "r.json").string();
  const std::string page = (dir.path() / "r.html").string();
  const auto all = joined_with(wine_trials, {"--leave-one-out", "--method", "k-nearest:k=15",
                                             "--method", "nearest-mean", "--results", stored});
  const Result r = run_gssl(joined_with(all, {"--report", page}));
  INFO(r.err);
  REQUIRE(r.status == 0);
  const auto json = read_json(stored);
  const auto& best =
      json["comparisons"][0]["verdict"] == "best" ? json["comparisons"][0] : json["comparisons"][1];
  CHECK(best["pooled"] == true);
  CHECK(best["sd"].is_null());
  CHECK(best["mean_interval"] == best["interval"]);
  // Of the counts of all rows.
  for (const auto& c : json["comparisons"]) {
    CHECK(c["balanced_accuracy"].get<double>() ==
          Approx(c["averages"]["macro"]["recall"].get<double>()));
    CHECK(c["f1_macro"].get<double>() == Approx(c["averages"]["macro"]["f1"].get<double>()));
    CHECK(c["auc"].is_number());
  }
  CHECK(json["trials"][0]["scores"].size() == 3);
  CHECK(json["trials"][0]["truth"] == 0.0);
  CHECK(cells_of(r.out, 0)[4] == "\"\"");
  const std::string html = read_file(page);
  CHECK(html.find("±") == std::string::npos);
  CHECK(html.find("exact 95 % interval") != std::string::npos);
  // Half of the trials come from a journal.
  const Result stopped = run_gssl(joined_with(all, {"--time-limit", "1e-9"}));
  CHECK(stopped.status != 0);
  {
    std::ofstream out(stored + ".part", std::ios::app);
    for (std::size_t i = 0; i < json["trials"].size() / 2; ++i)
      out << json["trials"][i].dump() << '\n';
  }
  const Result again = run_gssl(joined_with(all, {"--resume"}));
  INFO(again.err);
  REQUIRE(again.status == 0);
  CHECK(again.err.find("178 results of an earlier run") != std::string::npos);
  CHECK(read_json(stored)["comparisons"][0]["auc"] == json["comparisons"][0]["auc"]);
  CHECK(read_json(stored)["comparisons"][1]["f1_macro"] == json["comparisons"][1]["f1_macro"]);
}

TEST_CASE("one trial is tested by its rows, and the document says so", "[evaluate-verb]") {
  const TemporaryDirectory dir;
  const std::string stored = (dir.path() / "r.json").string();
  const std::vector<std::string> two = {"--method",     "k-nearest", "--method",
                                        "nearest-mean", "--results", stored};
  const auto test_of = [&](const std::vector<std::string>& more) {
    const Result r = run_gssl(joined_with(joined_with(wine_trials, two), more));
    INFO(r.err);
    REQUIRE(r.status == 0);
    return read_json(stored);
  };
  const auto single = test_of({"--splits", dir.file("s", "0 60 140\n")});
  CHECK(single["test"] == "McNemar's test over rows");
  const auto& comparisons = single["comparisons"];
  const auto& other = comparisons[comparisons[0].contains("test") ? 0 : 1];
  CHECK(other["test"] == "mcnemar");
  // A deviation of one trial is none.
  CHECK(other["sd"].is_null());
  CHECK(other["mean_interval"] == other["interval"]);
  CHECK(test_of({"--train", "0.5", "--test", "0.5", "--repeats", "1"})["test"] ==
        "McNemar's test over rows");
  CHECK(test_of({"--folds", "5"})["test"] == "corrected resampled t over trials");
  CHECK(test_of({"--labels-per-class", "3"})["test"] == "paired t over trials");
  const Result alone = run_gssl(
      joined_with(wine_trials, {"--method", "nearest-mean", "--folds", "5", "--results", stored}));
  REQUIRE(alone.status == 0);
  CHECK(read_json(stored)["test"].is_null());
}

TEST_CASE("a grid inside brackets is chosen from, at any depth", "[evaluate-verb]") {
  const Result r = run_gssl(joined_with(
      wine_trials, {"--folds", "3", "--standardize", "--method",
                    "svm:kernel=gaussian(beta=1e-6|0.05)|linear,c=1", "--method",
                    "bagging:learner=adaboost(learner=tree(depth=1|2),rounds=3),rounds=2"}));
  INFO(r.err);
  REQUIRE(r.status == 0);
  CHECK(cells_of(r.out, 0).back().find("1e-06") == std::string::npos);
  CHECK(cells_of(r.out, 1).back().find("learner=adaboost(") != std::string::npos);
}
