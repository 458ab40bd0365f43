// gssl evaluate, report and bound: tables, stored results, pages, and what they refuse.

#include <algorithm>
#include <filesystem>
#include <regex>
#include <sstream>

#include "read_json.hpp"
#include "run_gssl.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

using namespace gssl::test;

namespace {

const std::vector<std::string> iris = {"evaluate",
                                       "--points",
                                       "datasets/iris/points.csv",
                                       "--label-column",
                                       "class",
                                       "--knn",
                                       "10",
                                       "--method",
                                       "harmonic",
                                       "--method",
                                       "nearest-mean"};

std::vector<std::string> with(std::vector<std::string> arguments,
                              const std::vector<std::string>& more) {
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

// The columns of a table without that of seconds.
std::string without_seconds(const std::string& table) {
  std::string kept, line;
  for (std::istringstream lines(table); std::getline(lines, line);) {
    std::string cell;
    int column = 0;
    for (std::istringstream cells(line); std::getline(cells, cell, '\t'); ++column)
      if (column != 12) kept += cell + '\t';
    kept += '\n';
  }
  return kept;
}

}  // namespace

TEST_CASE("evaluate compares learners on a graph and on points in one table", "[evaluate-verb]") {
  const TemporaryDirectory dir;
  const std::string summary = (dir.path() / "s.json").string();
  const auto arguments =
      with(iris, {"--labels-per-class", "1,5", "--repeats", "6", "--summary", summary});
  const Result one = run_gssl(with(arguments, {"--threads", "1"}));
  INFO(one.err);
  REQUIRE(one.status == 0);
  CHECK(std::ranges::count(one.out, '\n') == 5);
  CHECK(one.out.starts_with(
      "method\tlabels\ttrials\taccuracy\tsd\tdifference\tlow\thigh\tp\tverdict\tunreached\ttied\t"
      "seconds\tchosen\tunanswered\tcommon\nharmonic\t1\t6\t"));
  CHECK(one.out.find("\tbest\t") != std::string::npos);
  const auto json = read_json(summary);
  CHECK(json["results"] == 24);
  CHECK(json["accuracy"]["5"].get<double>() > 0.85);
  const Result two = run_gssl(with(arguments, {"--threads", "2"}));
  CHECK(without_seconds(two.out) == without_seconds(one.out));
}

TEST_CASE("stored results make the page that --report writes", "[evaluate-verb]") {
  const TemporaryDirectory dir;
  const std::string stored = (dir.path() / "r.json").string();
  const std::string page = (dir.path() / "r.html").string();
  const Result r = run_gssl(with(iris, {"--folds", "5", "--results", stored, "--report", page,
                                        "--method", "harmonic:soft=1|9"}));
  INFO(r.err);
  REQUIRE(r.status == 0);
  CHECK_FALSE(std::filesystem::exists(stored + ".part"));
  const auto json = read_json(stored);
  CHECK(json["schema"] == "gssl-results/1");
  CHECK(json["trials"].size() == 15);
  CHECK(json["comparisons"].size() == 3);
  const std::string html = read_file(page);
  CHECK(html.size() < 1'000'000);
  CHECK(html.find("<script") == std::string::npos);
  CHECK(html.find("http://") == std::string::npos);
  CHECK(html.find("https://") == std::string::npos);
  CHECK(html.find("Confusion") != std::string::npos);
  const Result again = run_gssl({"report", stored});
  CHECK(again.status == 0);
  CHECK(again.out == html);
}

TEST_CASE("a stopped evaluation is resumed and ends as if it had not been", "[evaluate-verb]") {
  const TemporaryDirectory dir;
  const std::string stored = (dir.path() / "r.json").string();
  const auto arguments = with(iris, {"--labels-per-class", "2", "--repeats", "5"});
  const Result whole = run_gssl(arguments);
  REQUIRE(whole.status == 0);
  // Out of time before the first trial.
  const Result stopped = run_gssl(with(arguments, {"--results", stored, "--time-limit", "1e-9"}));
  CHECK(stopped.status != 0);
  const Result resumed = run_gssl(with(arguments, {"--results", stored, "--resume"}));
  CHECK(resumed.status == 0);
  CHECK(without_seconds(resumed.out) == without_seconds(whole.out));
  write_file(stored + ".part", "{\"key\":\"another\"}\n");
  CHECK(run_gssl(with(arguments, {"--results", stored, "--resume"})).status == 64);
}

TEST_CASE("names in a page are text, whatever they hold", "[evaluate-verb]") {
  const TemporaryDirectory dir;
  const std::string page = (dir.path() / "r.html").string();
  const std::string bad = "\"><img onerror=x>";
  std::string truth;
  for (const char* v : {"a", "b", "c"}) truth += std::string(v) + "\t\"\"\"><img onerror=x>\"\n";
  for (const char* v : {"x", "y", "z"}) truth += std::string(v) + "\tplain\n";
  const Result r = run_gssl({"evaluate", dir.file("g", "a b\nb c\nc x\nx y\ny z\n"),
                             dir.file("t", truth), "--labels-per-class", "1", "--repeats", "2",
                             "--method", "harmonic", "--report", page});
  INFO(r.err);
  REQUIRE(r.status == 0);
  CHECK(read_file(page).find("<img") == std::string::npos);
  CHECK(read_file(page).find("&lt;img onerror=x&gt;") != std::string::npos);
}

TEST_CASE("splits are read by name", "[evaluate-verb]") {
  const TemporaryDirectory dir;
  const std::string graph = dir.file("g", "a b\nb c\nx y\ny z\n");
  const std::string truth = dir.file("t", "a 0\nb 0\nc 0\nx 1\ny 1\nz 1\n");
  const Result r = run_gssl({"evaluate", graph, truth, "--method", "harmonic", "--splits",
                             dir.file("s", "a x\n# two\nb,y\n"), "--format", "csv"});
  INFO(r.err);
  CHECK(r.status == 0);
  CHECK(r.out.find("harmonic,splits,2,1,0,") != std::string::npos);
  const Result unknown = run_gssl({"evaluate", graph, truth, "--splits", dir.file("s", "a q\n")});
  CHECK(unknown.status == 65);
  CHECK(unknown.err.find("s:1: 'q'") != std::string::npos);
}

TEST_CASE("evaluate refuses what contradicts itself", "[evaluate-verb]") {
  const std::vector<std::string> graph = {"evaluate", "datasets/iris/edges.tsv",
                                          "datasets/iris/truth.tsv"};
  CHECK(run_gssl({"evaluate", "datasets/iris/edges.tsv"}).status == 64);
  CHECK(run_gssl(with(graph, {"--folds", "3", "--leave-one-out"})).status == 64);
  CHECK(run_gssl(with(graph, {"--method", "nearest-mean"})).status == 64);
  CHECK(run_gssl(with(graph, {"--method", "harmonic:soft=1|x"})).status == 64);
  CHECK(run_gssl(with(graph, {"--knn", "3"})).status == 64);
  CHECK(run_gssl(with(graph, {"--resume"})).status == 64);
  CHECK(run_gssl(with(graph, {"--train", "0.9", "--test", "0.9"})).status == 64);
  CHECK(run_gssl(with(graph, {"--labels-per-class", "999"})).status == 65);
  CHECK(run_gssl({"report", "datasets/iris/truth.tsv"}).status == 65);
}

TEST_CASE("bound solves for what is missing", "[evaluate-verb]") {
  const Result r = run_gssl(
      {"bound", "pac-finite", "epsilon=0.1", "delta=0.05", "hypotheses=1024", "--format", "csv"});
  CHECK(r.status == 0);
  CHECK(r.out.find("m,100,solved,") != std::string::npos);
  CHECK(
      run_gssl({"bound", "perceptron", "radius=2", "mistakes=36", "norm=?"}).out.find("norm\t3") !=
      std::string::npos);
  CHECK(run_gssl({"bound", "--list"}).out.find("\nwinnow\t") != std::string::npos);
  const TemporaryDirectory dir;
  const Result search =
      run_gssl({"bound", "vc-dimension", "matrix=" + dir.file("m", "1 1\n1 -1\n-1 1\n-1 -1\n")});
  CHECK(search.out == "quantity\tvalue\ndimension\t2\nshattered\t1\nshattered\t2\n");
  CHECK(run_gssl({"bound"}).status == 64);
  CHECK(run_gssl({"bound", "hofding"}).status == 64);
  CHECK(run_gssl({"bound", "hoeffding", "m=10"}).status == 64);
  CHECK(run_gssl({"bound", "hoeffding", "m=10", "delta=x"}).status == 64);
}
