// gssl evaluate and label where rows have no answer, and what results hold of choices, memory and
// what is shared.

#include <filesystem>
#include <string>
#include <vector>

#include "read_json.hpp"
#include "run_gssl.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

using namespace gssl::test;

TEST_CASE("a regression on a graph in parts is compared where both answer", "[evaluate-verb]") {
  // Labels reach a ─ b ─ c alone; rows say everything.
  const TemporaryDirectory dir;
  const std::string stored = (dir.path() / "r.json").string();
  const std::string page = (dir.path() / "r.html").string();
  const Result r =
      run_gssl({"evaluate", dir.file("g", "a b\nb c\nx y\ny z\n"),
                dir.file("t", "a 0\nb 1\nc 2\nx 6\ny 7\nz 8\n"), "--points",
                dir.file("p", "id,p\na,0\nb,1\nc,2\nx,6\ny,7\nz,8\n"), "--id-column", "id",
                "--regression", "--splits", dir.file("s", "a c | b x y z\n"), "--method",
                "harmonic", "--method", "least-squares", "--results", stored, "--report", page});
  INFO(r.err);
  REQUIRE(r.status == 0);
  const auto json = read_json(stored);
  const auto& harmonic = json["comparisons"][0];
  CHECK(harmonic["unanswered"] == 3);
  REQUIRE(harmonic.contains("common"));
  CHECK(harmonic["common"]["rows"] == 1);
  CHECK(json["comparisons"][1]["verdict"] == "best");
  CHECK(json["comparisons"][1]["unanswered"] == 0);
  CHECK(json["trials"][0]["residuals"].size() == 4);
  CHECK(json["trials"][0]["residuals"][1].is_null());
  // One pair has no interval.
  CHECK(r.out.find("inf") == std::string::npos);
  CHECK(read_file(page).find("are wrong") == std::string::npos);
}

TEST_CASE("results hold what was chosen, memory at every rate and what is shared",
          "[evaluate-verb]") {
  const TemporaryDirectory dir;
  const std::string stored = (dir.path() / "r.json").string();
  const std::string page = (dir.path() / "r.html").string();
  const Result r =
      run_gssl({"evaluate", "datasets/iris/edges.tsv", "datasets/iris/truth.tsv",
                "--labels-per-class", "2,4", "--repeats", "3", "--method", "harmonic:soft=1|9",
                "--method", "spectral", "--results", stored, "--report", page});
  INFO(r.err);
  REQUIRE(r.status == 0);
  const auto json = read_json(stored);
  CHECK(json["shared_seconds"].get<double>() >= 0.0);
  REQUIRE(json["comparisons"].size() == 4);
  for (const auto& one : json["comparisons"]) {
    CHECK(one.contains("memory"));
    int times = 0;
    for (const auto& choice : one["choices"]) times += choice[1].get<int>();
    CHECK(times == 3);
    CHECK(one["choices"][0][0] == one["chosen"]);
  }
  CHECK(json["comparisons"][1]["modularity"].get<double>() > 0.4);
  CHECK(json["comparisons"][1]["cut"].get<double>() > 0.0);
  const std::string html = read_file(page);
  CHECK(html.find("<h2>Choices</h2>") != std::string::npos);
  CHECK(html.find("<h2>Clusters</h2>") != std::string::npos);
}

TEST_CASE("the best of folds has a binomial test against the second", "[evaluate-verb]") {
  const TemporaryDirectory dir;
  const std::string stored = (dir.path() / "r.json").string();
  const Result r = run_gssl({"evaluate", "--points", "datasets/wine/points.csv", "--label-column",
                             "class", "--folds", "5", "--method", "nearest-mean", "--method",
                             "k-nearest", "--results", stored});
  INFO(r.err);
  REQUIRE(r.status == 0);
  const auto all = read_json(stored)["comparisons"];
  const auto& best = all[all[0]["verdict"] == "best" ? 0 : 1];
  const auto& second = all[all[0]["verdict"] == "best" ? 1 : 0];
  REQUIRE(best.contains("against_second"));
  CHECK_FALSE(second.contains("against_second"));
  const double share = best["against_second"]["share"].get<double>();
  CHECK(share >= best["against_second"]["interval"][0].get<double>());
  CHECK(share <= best["against_second"]["interval"][1].get<double>());
  CHECK(best["against_second"]["p"].get<double>() <= 1.0);
}

TEST_CASE("a vertex as near to two classes is tied, and first among the least certain",
          "[label-verb]") {
  const TemporaryDirectory dir;
  const std::string page = (dir.path() / "r.html").string();
  const std::string graph = dir.file("g", "a b\nb c\nc d\nd e\n");
  const std::string given = dir.file("l", "a x\ne y\n"), truth = dir.file("t", "b x\nc y\nd y\n");
  const std::string summary = (dir.path() / "s.json").string();
  const Result r = run_gssl({"label", graph, given, "--method", "nearest-label", "--truth", truth,
                             "--report", page, "--summary", summary});
  INFO(r.err);
  REQUIRE(r.status == 0);
  CHECK(r.out.find("c\tx\t0.5\ttied\n") != std::string::npos);
  CHECK(read_json(summary)["tied"] == 1);
  const std::string html = read_file(page);
  const auto row = [&](const std::string& name) { return html.find("<bdi>" + name + "</bdi>"); };
  const auto table = html.find("Least certain");
  REQUIRE(table != std::string::npos);
  CHECK(html.find("<bdi>c</bdi>", table) < html.find("<bdi>b</bdi>", table));
  CHECK(row("?") != std::string::npos);
  // What label wrote is read again: a tied vertex has no label there.
  const std::string written = dir.file("w", r.out);
  const Result again = run_gssl({"label", graph, written, "--summary", summary});
  REQUIRE(again.status == 0);
  CHECK(read_json(summary)["labels_undecided"] == 1);
}

TEST_CASE("a vertex below the least confidence is first among the least certain", "[label-verb]") {
  const TemporaryDirectory dir;
  const std::string page = (dir.path() / "r.html").string();
  const Result r =
      run_gssl({"label", dir.file("g", "a b\nb c\nc d\nd e\ne f\n"), dir.file("l", "a x\nf y\n"),
                "--method", "harmonic", "--min-confidence", "0.7", "--report", page});
  INFO(r.err);
  REQUIRE(r.status == 0);
  const std::string html = read_file(page);
  const auto table = html.find("Least certain");
  REQUIRE(table != std::string::npos);
  CHECK(html.find("<bdi>c</bdi>", table) < html.find("<bdi>b</bdi>", table));
  CHECK(html.find("<bdi>d</bdi>", table) < html.find("<bdi>e</bdi>", table));
}
