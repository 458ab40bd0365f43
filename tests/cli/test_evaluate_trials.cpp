// gssl evaluate: what its tables, pages and documents say of trials of one row, of one trial, and of
// trials that fail; grids inside brackets, lists where one value goes, splits with a test part; a
// graph and rows with the same names.

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

TEST_CASE("a journal holds the rows of a trial three to a letter", "[evaluate-verb]") {
  const TemporaryDirectory dir;
  const std::string stored = (dir.path() / "r.json").string();
  const auto run = joined_with(wine_trials, {"--method", "nearest-mean", "--results", stored,
                                             "--splits", dir.file("s", "0 60 140\n")});
  REQUIRE(run_gssl(run).status == 0);
  const auto whole = read_json(stored);
  const std::string right = whole["trials"][0]["right"];
  REQUIRE(right.size() == 175);
  auto trial = whole["trials"][0];
  trial["right"] = "";
  trial["seconds"] = 1000.0;  // tells that it was not measured again
  std::string letters;
  for (std::size_t i = 0; i < right.size(); i += 3) {
    int code = 0, place = 1;
    for (std::size_t j = i; j < std::min(i + 3, right.size()); ++j, place *= 3)
      code += place * (right[j] == '0' ? 0 : right[j] == '1' ? 1 : 2);
    letters += static_cast<char>('A' + code);
  }
  CHECK(run_gssl(joined_with(run, {"--time-limit", "1e-9"})).status != 0);
  const auto resumed_with = [&](const auto& one) {
    std::string begun = read_file(stored + ".part");
    begun.resize(begun.find('\n') + 1);
    write_file(stored + ".part", begun + one.dump() + "\n");
    return run_gssl(joined_with(run, {"--resume"})).status;
  };
  const auto resumed = [&](const std::string& rows) {
    trial["rows"] = rows;
    return resumed_with(trial);
  };
  CHECK(resumed(letters + "A") == 65);
  CHECK(resumed(std::string(letters.size(), 'z')) == 65);
  // A row to a letter, as the results have them.
  const auto resumed_plain = [&](const std::string& rows) {
    auto plain = trial;
    plain.erase("rows");
    plain["right"] = rows;
    return resumed_with(plain);
  };
  CHECK(resumed_plain(right + "1") == 65);
  CHECK(resumed_plain(right.substr(1)) == 65);
  CHECK(resumed_plain("2" + right.substr(1)) == 65);
  CHECK(resumed(letters) == 0);
  CHECK(read_json(stored)["trials"][0]["right"] == right);
  CHECK(read_json(stored)["trials"][0]["seconds"] == 1000.0);
}

TEST_CASE("a journal of another version is not continued", "[evaluate-verb]") {
  const TemporaryDirectory dir;
  const std::string stored = (dir.path() / "r.json").string();
  const auto run = joined_with(wine_trials, {"--method", "nearest-mean", "--results", stored,
                                             "--splits", dir.file("s", "0 60 140\n")});
  CHECK(run_gssl(joined_with(run, {"--time-limit", "1e-9"})).status != 0);
  const std::string begun = read_file(stored + ".part");
  const std::size_t at = begun.find("version ");
  REQUIRE(at != std::string::npos);
  const std::size_t after = begun.find(' ', at + 8) + 1;
  for (const std::string& other : {std::string("version 1 "), std::string()}) {
    write_file(stored + ".part", begun.substr(0, at) + other + begun.substr(after));
    CHECK(run_gssl(joined_with(run, {"--resume"})).status == 64);
  }
  write_file(stored + ".part", begun);
  CHECK(run_gssl(joined_with(run, {"--resume"})).status == 0);
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
  CHECK(cells_of(r.out, 0).at(13).find("1e-06") == std::string::npos);
  CHECK(cells_of(r.out, 1).at(13).find("learner=adaboost(") != std::string::npos);
}

TEST_CASE("a method that fails in every trial has a row that says so", "[evaluate-verb]") {
  const TemporaryDirectory dir;
  const std::string stored = (dir.path() / "r.json").string();
  const std::string page = (dir.path() / "r.html").string();
  const auto failing = joined_with(wine_trials, {"--method", "elimination", "--labels-per-class",
                                                 "2,3", "--results", stored, "--report", page});
  const Result both = run_gssl(joined_with(failing, {"--method", "nearest-mean"}));
  CHECK(both.status == 1);
  const auto row = cells_of(both.out, 0);
  REQUIRE(row.size() > 9);
  CHECK(row[0] == "elimination");
  CHECK(row[2] == "0");
  CHECK(row[3] == "\"\"");
  CHECK(row[9] == "failed");
  CHECK(cells_of(both.out, 1)[9] == "best");
  CHECK(both.err.find("all 20 trials failed: elimination: 3 classes") != std::string::npos);
  const auto json = read_json(stored);
  REQUIRE(json["comparisons"].size() == 4);
  const auto& c = json["comparisons"][0];
  CHECK(c["verdict"] == "failed");
  CHECK(c["failed"] == 20);
  CHECK(c["mean"].is_null());
  CHECK(c["error"].get<std::string>().find("3 classes") != std::string::npos);
  const std::string html = read_file(page);
  CHECK(html.find("20 of 20 trials failed: elimination: 3 classes") != std::string::npos);
  CHECK(html.find("Accuracy by labels") != std::string::npos);  // of the other
  CHECK(html.find("nan") == std::string::npos);
  const Result alone = run_gssl(failing);
  CHECK(alone.status == 1);
  CHECK(cells_of(alone.out, 0)[9] == "failed");
  CHECK(read_json(stored)["title"] == "every trial failed");
}

TEST_CASE("a list where one value goes is refused with the option for lists", "[evaluate-verb]") {
  for (const char* list : {"5,10", "5|10"}) {
    const Result knn = run_gssl(joined_with(wine_trials, {"--knn", list}));
    CHECK(knn.status == 64);
    CHECK(knn.err.find("--knn-grid") != std::string::npos);
  }
  const Result weights =
      run_gssl(joined_with(wine_trials, {"--knn", "5", "--weights", "unit,gaussian"}));
  CHECK(weights.status == 64);
  CHECK(weights.err.find("--weights-grid") != std::string::npos);
  const Result word = run_gssl(joined_with(wine_trials, {"--knn", "x"}));
  CHECK(word.status == 64);
  CHECK(word.err.find("--knn-grid") == std::string::npos);
}

TEST_CASE("a graph and rows whose names match are learned from on the same splits",
          "[evaluate-verb]") {
  const TemporaryDirectory dir;
  // Vertices of an edge list are numbered as they appear, unlike the rows.
  const std::string graph = "datasets/iris/edges.tsv", truth = "datasets/iris/truth.tsv";
  const std::vector<std::string> splits = {
      "--splits", dir.file("s", "3 60 140 | 10 55 77 120 121 122\n0 1 52 53 148,149\n")};
  const std::vector<std::string> points = {"--points", "datasets/iris/points.csv", "--label-column",
                                           "class"};
  const Result on_graph =
      run_gssl(joined_with({"evaluate", graph, truth, "--method", "harmonic"}, splits));
  const Result on_rows = run_gssl(joined_with(
      joined_with({"evaluate", truth, "--method", "nearest-mean", "--standardize"}, points),
      splits));
  const auto all = joined_with({"evaluate", graph, truth, "--method", "harmonic", "--method",
                                "nearest-mean", "--standardize"},
                               points);
  const Result both = run_gssl(joined_with(all, splits));
  INFO(both.err);
  REQUIRE(on_graph.status == 0);
  REQUIRE(on_rows.status == 0);
  REQUIRE(both.status == 0);
  CHECK(cells_of(both.out, 0)[3] == cells_of(on_graph.out, 0)[3]);
  CHECK(cells_of(both.out, 1)[3] == cells_of(on_rows.out, 0)[3]);
  CHECK(run_gssl(joined_with(all, {"--knn", "5"})).status == 64);
  CHECK(run_gssl(joined_with(all, {"--knn-grid", "5,6"})).status == 64);

  // One row less than vertices, and one more.
  const std::string edges = dir.file("g", "a b\nb c\nx y\ny z\n");
  const std::string classes = dir.file("t", "a 0\nb 0\nc 0\nx 1\ny 1\nz 1\n");
  const std::string rows = "id,p\nz,9\na,1\nb,2\ny,7\nx,6\n";
  const auto small = [&](const std::string& text) {
    return run_gssl({"evaluate", edges, classes, "--points", dir.file("p", text), "--id-column",
                     "id", "--splits", dir.file("two", "a x\n"), "--method", "nearest-mean",
                     "--method", "harmonic"});
  };
  const Result less = small(rows);
  CHECK(less.status == 65);
  CHECK(less.err.find("no row for 1 of the 6 vertices") != std::string::npos);
  const Result more = small(rows + "c,3\nw,5\n");
  INFO(more.err);
  CHECK(more.status == 0);
  CHECK(more.err.find("1 rows are in no edge") != std::string::npos);
  CHECK(cells_of(more.out, 0)[3] == "1");
  CHECK(cells_of(more.out, 1)[3] == "1");
}

TEST_CASE("a line of splits may name what is measured", "[evaluate-verb]") {
  const TemporaryDirectory dir;
  const std::string stored = (dir.path() / "r.json").string();
  const auto run = [&](const std::string& splits) {
    return run_gssl(joined_with(wine_trials, {"--method", "nearest-mean", "--splits",
                                              dir.file("s", splits), "--results", stored}));
  };
  const Result some = run("0 60 140 | 1,2, 61 | | 3\n");
  CHECK(some.status == 65);
  CHECK(some.err.find("s:1: 4 parts") != std::string::npos);
  REQUIRE(run("0 60 140 | 1,2, 61\n0 60 140\n").status == 0);
  const auto trials = read_json(stored)["trials"];
  CHECK(trials[0]["test"] == 3);
  CHECK(trials[1]["test"] == 175);
  CHECK(run("0 60 140 |\n").err.find("s:1: no row to learn from or to measure") !=
        std::string::npos);
  CHECK(run("| 0\n").status == 65);
  const Result twice = run("# one\n0 60 140 | 60\n");
  CHECK(twice.status == 65);
  CHECK(twice.err.find("s:2: a row is learned from and measured") != std::string::npos);
}
