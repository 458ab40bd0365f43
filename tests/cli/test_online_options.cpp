// gssl online: options that would change nothing are refused; numbers of trials; horizons.

#include <string>
#include <vector>

#include "cli/read_json.hpp"
#include "cli/run_gssl.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

using namespace gssl::test;
using Catch::Contains;

TEST_CASE("an option that changes nothing is refused", "[online]") {
  const TemporaryDirectory dir;
  const std::string rows = dir.file("r", "1 1:1\n-1 1:2\n");
  const std::string losses = dir.file("l", "0,1\n1,0\n");
  const std::string advice = dir.file("a", "0.5,0.1\n0.2,0.3\n");
  const std::string graph = dir.file("g", "a b\n");
  const std::string cells = dir.file("c", "u,v,1\nw,v,-1\n");
  const auto refused = [&](std::vector<std::string> arguments, const std::string& option) {
    arguments.insert(arguments.begin(), "online");
    const Result r = run_gssl(arguments);
    INFO(option << ": " << r.err);
    CHECK(r.status == 64);
    CHECK(r.out.empty());
    CHECK_THAT(r.err, Contains(option));
  };
  refused({rows, "--method", "perceptron", "--graph", graph}, "--graph");
  refused({rows, "--method", "perceptron", "--horizon", "5"}, "--horizon");
  refused({rows, "--method", "perceptron", "--matrix", "2,2"}, "--matrix");
  refused({rows, "--method", "perceptron", "--until-consistent"}, "--until-consistent");
  refused({losses, "--method", "hedge", "--classes", "0,1"}, "--classes");
  refused({losses, "--method", "hedge", "--regression"}, "--regression");
  refused({losses, "--method", "hedge:eta=0.5", "--horizon", "5"}, "--horizon");
  refused({losses, "--method", "ucb1", "--horizon", "5"}, "--horizon");
  refused({advice, "--method", "fixed-share", "--horizon", "5"}, "--horizon");
  refused({advice, "--method", "fixed-share", "--label-column", "1"}, "--label-column");
  refused({advice, "--method", "weighted-average", "--classes", "0,1"}, "--classes");
  refused({cells, "--method", "meg:margin=0.3", "--graph", graph}, "--graph");
  const std::vector<std::string> arms = {"--simulate", "gaussian", "--method", "ucb1"};
  for (const std::vector<std::string>& more : std::vector<std::vector<std::string>>{
           {"--passes", "2"}, {"--on-error", "skip"}, {"--header", "no"}}) {
    auto line = arms;
    line.insert(line.end(), more.begin(), more.end());
    refused(line, more.front());
  }
  // The same where they count.
  CHECK(run_gssl({"online", losses, "--method", "hedge", "--horizon", "2"}).status == 0);
  CHECK(run_gssl({"online", advice, "--method", "weighted-average:loss=absolute", "--horizon", "2"})
            .status == 0);
}

TEST_CASE("classes beside --resume must be those of the session", "[online]") {
  const TemporaryDirectory dir;
  const std::string saved = (dir.path() / "s").string();
  const auto run = [&](const std::string& classes, const std::string& option) {
    return run_gssl({"online", "-", "--method", "perceptron", "--classes", classes, option, saved},
                    {.input = "no 1:1\nyes 1:2\n"});
  };
  REQUIRE(run("no,yes", "--save").status == 0);
  CHECK(run("no,yes", "--resume").status == 0);
  const Result other = run("yes,no", "--resume");
  CHECK(other.status == 64);
  CHECK_THAT(other.err, Contains("the session of --resume has no,yes"));
}

TEST_CASE("a trial that is refused at its outcome takes no number", "[online]") {
  const TemporaryDirectory dir;
  const std::string summary = (dir.path() / "s.json").string();
  const Result r =
      run_gssl({"online", dir.file("r", "0,1,0\n2,1,1\n1,1,0\n"), "--method", "weighted-majority",
                "--classes", "0,1", "--on-error", "skip", "--summary", summary});
  INFO(r.err);
  CHECK(r.status == 0);
  CHECK(r.out == "trial\tprediction\toutcome\tloss\n1\t1\t0\t1\n2\t0\t1\t1\n");
  CHECK(read_json(summary)["trials"] == 2);
  CHECK(read_json(summary)["left_out"] == 1);
}

TEST_CASE("a stream may have a class -1, and --missing says otherwise", "[online]") {
  const TemporaryDirectory dir;
  const std::string rows = dir.file("r", "0 1:1\n-1 1:2\n0 1:1\n");
  const std::string summary = (dir.path() / "s.json").string();
  REQUIRE(run_gssl({"online", rows, "--method", "perceptron", "--summary", summary}).status == 0);
  CHECK(read_json(summary)["unanswered"] == 0);
  REQUIRE(run_gssl({"online", rows, "--method", "perceptron", "--missing", "default,-1",
                    "--classes", "0,1", "--summary", summary})
              .status == 0);
  CHECK(read_json(summary)["unanswered"] == 1);
  CHECK_THAT(run_gssl({"online", "--help"}).out, Contains("-1 is a class"));
}

TEST_CASE("a file of tasks tells its horizon", "[online]") {
  const TemporaryDirectory dir;
  std::string text;
  for (int t = 0; t < 40; ++t) text += (t % 2 == 0 ? "x 1 1 0 1\n" : "y 0 1 0 0\n");
  const std::vector<std::string> line = {
      "online",         dir.file("t", text), "--method", "switching-multitask:tasks=2,switches=3",
      "--summary-only", "--classes",         "0,1"};
  const Result found = run_gssl(line);
  INFO(found.err);
  REQUIRE(found.status == 0);
  auto told = line;
  told.insert(told.end(), {"--horizon", "40"});
  CHECK(run_gssl(told).out == found.out);
}

TEST_CASE("rows without an outcome are told beside the trials that count", "[online]") {
  const TemporaryDirectory dir;
  const std::string rows = dir.file("r", "0 1:1\n? 1:2\n1 1:1\n");
  const Result r = run_gssl({"online", rows, "--method", "perceptron", "--summary-only"});
  CHECK_THAT(r.out, Contains("trials\t2\n") && Contains("unanswered\t1\n"));
}

TEST_CASE("one pass of an online learner in a batch tells the error to expect", "[online]") {
  const TemporaryDirectory dir;
  std::string table = "u,v,y\n";
  for (int i = 0; i < 40; ++i)
    table += std::to_string(i % 2) + "," + std::to_string(i / 2 % 2) + "," +
             (i % 2 == 1 ? "b" : "a") + "\n";
  const std::string summary = dir.path() / "s";
  REQUIRE(run_gssl({"fit", dir.file("t.csv", table), "--label-column", "y", "--method",
                    "winnow:relevant=1,form=random,passes=1", "-o", dir.path() / "m", "--summary",
                    summary})
              .status == 0);
  const auto told = read_json(summary);
  const double mistakes = told["mistakes"], bound = 3.0 * (1.0 + 1.0) + 2.0;
  CHECK(told["mistakes_per_row"] == mistakes / 40.0);
  CHECK(told["bound_per_row"] == bound / 40.0);
}

TEST_CASE("rows that are left out bring no class", "[online]") {
  const TemporaryDirectory dir;
  // Winnow refuses features above 1, a graph has no vertex z.
  const Result rows =
      run_gssl({"online", dir.file("r", "0 1:1\n1 2:1\noops 1:7\n0 1:1\n"), "--method",
                "winnow:threshold=1", "--on-error", "skip", "--summary-only"});
  INFO(rows.err);
  CHECK(rows.status == 0);
  CHECK_THAT(rows.out, Contains("trials\t3\n"));
  const Result nodes =
      run_gssl({"online", dir.file("n", "a x\nb y\nz w\n"), "--graph", dir.file("g", "a b\n"),
                "--method", "graph-perceptron", "--on-error", "skip", "--summary-only"});
  INFO(nodes.err);
  CHECK(nodes.status == 0);
  CHECK_THAT(nodes.out, Contains("trials\t2\n"));
}
