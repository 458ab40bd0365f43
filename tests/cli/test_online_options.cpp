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

TEST_CASE("each pass tells its mistakes and updates", "[online]") {
  const TemporaryDirectory dir;
  const std::string rows = dir.file("r", "-1 1:1\n1 1:2\n-1 1:1\n1 1:3\n");
  const std::string summary = dir.path() / "s";
  const Result r = run_gssl(
      {"online", rows, "--method", "perceptron:ties=true", "--passes", "3", "--summary", summary});
  REQUIRE(r.status == 0);
  const auto told = read_json(summary);
  double mistakes = 0.0, updates = 0.0;
  for (const double m : told["mistakes_of_pass"]) mistakes += m;
  for (const double u : told["updates_of_pass"]) updates += u;
  CHECK(told["mistakes_of_pass"].size() == 3);
  CHECK(mistakes == told["mistakes"]);
  CHECK(updates == told["updates"]);
  std::size_t lines = 0;
  for (std::size_t at = r.err.find("pass "); at != std::string::npos;
       at = r.err.find("pass ", at + 1))
    ++lines;
  CHECK(lines == 3);
}

TEST_CASE("passes over mushrooms and heart are those of the reference", "[online]") {
  const auto mushrooms = shared_path("data/points/mushroom/agaricus.txt.train");
  const auto heart = shared_path("data/points/heart_scale/heart_scale");
  if (!mushrooms || !heart) {
    WARN("skipped: ../shared is absent");
    return;
  }
  const TemporaryDirectory dir;
  const std::string summary = dir.path() / "s";
  const auto passes = [&](const std::string& file, const char* method, const char* number,
                          const char* counts) {
    REQUIRE(run_gssl({"online", file, "--method", method, "--passes", number, "--summary-only",
                      "--summary", summary})
                .status == 0);
    return read_json(summary)[counts].get<std::vector<double>>();
  };
  CHECK(passes(*mushrooms, "perceptron:ties=true", "15", "updates_of_pass") ==
        std::vector<double>{61, 14, 14, 8, 8, 6, 4, 4, 4, 3, 5, 3, 3, 2, 0});
  CHECK(passes(*heart, "perceptron:ties=true", "10", "updates_of_pass") ==
        std::vector<double>{69, 61, 60, 56, 54, 55, 57, 58, 61, 52});
  CHECK(passes(*mushrooms, "winnow:threshold=127", "7", "mistakes_of_pass") ==
        std::vector<double>{69, 17, 9, 5, 2, 3, 0});
  CHECK(passes(*mushrooms, "winnow:threshold=63.5", "6", "mistakes_of_pass") ==
        std::vector<double>{60, 13, 4, 2, 8, 0});
}

TEST_CASE("sparse rows of a file are learned as dense ones are", "[online]") {
  const TemporaryDirectory dir;
  std::string sparse, dense;
  for (int i = 0; i < 80; ++i) {
    const bool truth = (i * 7 % 11) % 3 == 0;
    sparse += truth ? "+1" : "-1";
    dense += truth ? "+1" : "-1";
    for (int c = 1; c <= 9; ++c) {
      const bool on = (i * 7 % 11 + c * i) % 3 == 0 || (truth && c == 4);
      if (on) sparse += " " + std::to_string(c) + ":1";
      dense += on ? ",1" : ",0";
    }
    sparse += "\n";
    dense += "\n";
  }
  const std::string rows = dir.file("r", sparse), table = dir.file("t.csv", dense);
  for (const char* method : {"winnow", "balanced-winnow", "gradient-descent:domain=simplex",
                             "gradient-descent:domain=simplex,form=averaged"}) {
    const Result a = run_gssl({"online", rows, "--method", method, "--passes", "2"});
    const Result b =
        run_gssl({"online", table, "--label-column", "1", "--method", method, "--passes", "2"});
    INFO(method << a.err << b.err);
    REQUIRE(a.status == 0);
    CHECK(a.out == b.out);
  }
  const Result piped =
      run_gssl({"online", "-", "--method", "gradient-descent:domain=simplex", "--classes", "-1,+1"},
               {.input = sparse});
  CHECK(piped.status == 64);
}

TEST_CASE("a stray word among two classes is told with its line, or left out", "[online]") {
  const TemporaryDirectory dir;
  const std::string rows = dir.file("r", "+1 1:1\n-1 2:1\nfoo 1:1\n+1 1:1\n");
  const Result stopped = run_gssl({"online", rows, "--method", "perceptron"});
  CHECK(stopped.status == 65);
  CHECK_THAT(stopped.err, Contains("r:3: "));
  CHECK(stopped.out.empty());
  const std::string summary = dir.path() / "s";
  for (const std::vector<std::string>& more :
       {std::vector<std::string>{}, std::vector<std::string>{"--classes", "-1,+1"}}) {
    std::vector<std::string> line = {"online",     rows,   "--method",  "perceptron",
                                     "--on-error", "skip", "--summary", summary};
    line.insert(line.end(), more.begin(), more.end());
    const Result skipped = run_gssl(line);
    INFO(skipped.err);
    CHECK(skipped.status == 0);
    CHECK_THAT(skipped.err, Contains("r:3: "));
    CHECK(read_json(summary)["trials"] == 3);
    CHECK(read_json(summary)["left_out"] == 1);
  }
  // Of outcomes that are numbers the learner to take is named.
  const Result numbers = run_gssl(
      {"online", dir.file("v", "0.3,0.1\n0.7,0.9\n0.35,0.5\n"), "--method", "weighted-majority"});
  CHECK(numbers.status == 65);
  CHECK_THAT(numbers.err, Contains("v:2: '0.7' is a third class, after 0.3 and 0.1") &&
                              Contains("weighted-average of experts"));
  // A cell without a column is none: its class is not one of the two.
  const Result cells =
      run_gssl({"online", dir.file("c", "a,,odd\na,u,yes\nb,u,no\nb,v,yes\n"), "--method",
                "meg:margin=0.3", "--on-error", "skip", "--summary", summary});
  CHECK(cells.status == 0);
  CHECK_THAT(cells.err, Contains("c:1: the name of the column is empty"));
  CHECK(read_json(summary)["trials"] == 3);
  CHECK(read_json(summary)["left_out"] == 1);
  // Where classes are given, no stream adds one: a learner of many classes, too.
  const std::string nodes = dir.file("n", "a x\nb y\na z\nb y\n");
  std::vector<std::string> line = {"online",   nodes,      "--graph",   dir.file("g", "a b\n"),
                                   "--method", "seminorm", "--classes", "x,y"};
  const Result graph = run_gssl(line);
  CHECK(graph.status == 65);
  CHECK_THAT(graph.err, Contains("n:3: "));
  line.insert(line.end(), {"--on-error", "skip", "--summary", summary});
  CHECK(run_gssl(line).status == 0);
  CHECK(read_json(summary)["left_out"] == 1);
}
