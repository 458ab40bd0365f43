// gssl online: the models, pictures and pages it writes, and states saved in the middle of a stream.

#include <algorithm>
#include <filesystem>

#include "read_json.hpp"
#include "run_gssl.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

using namespace gssl::test;
using Catch::Contains;

TEST_CASE("the model of a stream is read by predict", "[online]") {
  const TemporaryDirectory dir;
  const std::string model = (dir.path() / "m").string();
  // Columns are found by their names, whatever their order.
  const std::string table = dir.file("t.csv", "a,kind,b\n1,x,0\n0,y,1\n2,x,1\n1,y,3\n");
  const Result learned =
      run_gssl({"online", table, "--label-column", "kind", "--method", "perceptron:form=averaged",
                "--passes", "20", "--model", model, "--summary-only"});
  INFO(learned.err);
  CHECK(learned.status == 0);
  CHECK_THAT(learned.out, Contains("\nupdates\t"));
  const Result told = run_gssl({"predict", model, dir.file("u.csv", "b,a\n0,5\n9,1\n")});
  INFO(told.err);
  CHECK(told.status == 0);
  CHECK_THAT(told.out, Contains("0\tx\t") && Contains("1\ty\t"));
  const Result measured = run_gssl({"predict", model, table});
  CHECK_THAT(measured.err, Contains("accuracy 100.00% on 4 rows"));
  CHECK_THAT(run_gssl({"info", model}).out, Contains("learner\tperceptron\n") &&
                                                Contains("class_names\tx, y\n") &&
                                                Contains("80 trials of a stream"));

  // A stream in two parts leaves the model of the whole; libsvm rows may have more columns later.
  const std::string state = (dir.path() / "s").string();
  const std::string half = (dir.path() / "h").string();
  const auto learn = [&](const char* text, std::vector<std::string> more) {
    std::vector<std::string> line = {"online",           "-",         "--method",
                                     "gradient-descent", "--classes", "-1,1"};
    line.insert(line.end(), more.begin(), more.end());
    const Result r = run_gssl(line, {.input = text});
    INFO(r.err);
    CHECK(r.status == 0);
  };
  learn("1 1:1\n-1 2:1\n1 1:2 3:1\n-1 2:3\n", {"--model", model});
  learn("1 1:1\n-1 2:1\n", {"--save", state});
  learn("1 1:2 3:1\n-1 2:3\n", {"--resume", state, "--model", half});
  const std::string rows = dir.file("r", "1 1:1 9:1\n-1 2:2\n");
  const Result whole = run_gssl({"predict", model, rows});
  INFO(whole.err);
  CHECK(whole.status == 0);
  CHECK_THAT(whole.out, Contains("0\t1\t") && Contains("1\t-1\t"));
  CHECK(run_gssl({"predict", half, rows}).out == whole.out);

  const Result none = run_gssl({"online", "--simulate", "gaussian", "--method", "ucb1", "--model",
                                (dir.path() / "none").string()});
  CHECK(none.status == 64);
  CHECK_THAT(none.err, Contains("leaves no model"));
  CHECK_FALSE(std::filesystem::exists(dir.path() / "none"));
}

TEST_CASE("evaluate and fit take learners of rows by their passes", "[online]") {
  const TemporaryDirectory dir;
  std::string rows = "a,b,kind\n";
  for (int i = 0; i < 60; ++i)
    rows += std::to_string(i % 7) + "," + std::to_string(i % 5) + "," +
            (i % 7 > i % 5 ? "x" : "y") + "\n";
  const std::string table = dir.file("t.csv", rows);
  const std::string model = (dir.path() / "m").string();
  const Result fitted = run_gssl({"fit", table, "--label-column", "kind", "--method",
                                  "perceptron:form=survivor,passes=50", "-o", model});
  INFO(fitted.err);
  CHECK(fitted.status == 0);
  CHECK_THAT(run_gssl({"predict", model, table}).err, Contains("accuracy 100.00%"));
  const Result compared = run_gssl({"evaluate", "--points", table, "--label-column", "kind",
                                    "--method", "perceptron:form=averaged", "--method",
                                    "gradient-descent:form=random", "--folds", "5"});
  INFO(compared.err);
  CHECK(compared.status == 0);
  CHECK_THAT(compared.out, Contains("perceptron:form=averaged"));
}

TEST_CASE("weights of experts and the page of a stream are written", "[online]") {
  const TemporaryDirectory dir;
  const std::string stream = dir.file("s", "0,0,1,0.5\n0,0,1,0.5\n0,0,1,0.5\n0,0.5,1,0\n");
  const std::string csv = (dir.path() / "w.csv").string();
  const std::string svg = (dir.path() / "w.svg").string();
  const std::string page = (dir.path() / "p.html").string();
  const auto run = [&](std::vector<std::string> more) {
    std::vector<std::string> line = {"online", stream, "--method", "fixed-share:alpha=0,eta=0.5",
                                     "--summary-only"};
    line.insert(line.end(), more.begin(), more.end());
    const Result r = run_gssl(line);
    INFO(r.err);
    CHECK(r.status == 0);
  };
  run({"--weights", csv, "--report", page});
  // After one trial of losses 0, 1, 0.25: weights in the ratio of 1, e^-0.5, e^-0.125.
  CHECK_THAT(read_file(csv), Contains("trials,1,2,3\n1,0.4017") && Contains("\n4,0."));
  CHECK_THAT(read_file(page), Contains("fixed-share: ") && Contains("Cumulative loss by trials") &&
                                  Contains("<svg") && Contains("bound of the run"));
  run({"--weights", svg});
  CHECK_THAT(read_file(svg), Contains("weight of 1</text>") && Contains("weight of 3</text>"));
  const Result none = run_gssl(
      {"online", dir.file("r", "1 1:1\n-1 2:1\n"), "--method", "perceptron", "--weights", svg});
  CHECK(none.status == 64);
  CHECK_THAT(none.err, Contains("keeps no weights"));
}

TEST_CASE("a stream that a signal ends goes on byte for byte", "[online]") {
  const TemporaryDirectory dir;
  // Trials from a number on, without end; k of them are answered before the signal.
  const std::string trials =
      "awk -v t=$1 'BEGIN { for (;; ++t) print t % 7 / 7 \",\" t % 5 / 5 \",\" t % 3 / 3 }'";
  dir.file("trials.sh", trials + "\n");
  const Result r = run_shell(
      "run() { $GSSL online - --method fixed-share:alpha=0.1 --quiet \"$@\"; }; "
      "touch first; mkfifo in; (sh trials.sh 0 2>err > in) & "
      "$GSSL online in --method fixed-share:alpha=0.1 --quiet --save state > first & pid=$!; "
      "while [ $(wc -l < first) -lt 20000 ]; do sleep 0.02; done; kill -TERM $pid; wait $pid; "
      "echo $?; k=$(($(wc -l < first) - 1)); "
      "sh trials.sh $k 2>err | head -n 1000 | run --resume state --save end > second; "
      "sh trials.sh 0 2>err | head -n $((k + 1000)) | run --save all > whole; "
      "tail -n +2 second >> first; cmp first whole && cmp end all && echo same",
      {.directory = dir.path().string()});
  INFO(r.err);
  CHECK(r.out == "143\nsame\n");
}

TEST_CASE("a signal in the middle of a long solve keeps the trials before it", "[online]") {
  const TemporaryDirectory dir;
  std::string grid;
  for (int i = 0; i < 150 * 150; ++i) {
    if (i % 150 > 0) grid += std::to_string(i - 1) + " " + std::to_string(i) + "\n";
    if (i >= 150) grid += std::to_string(i - 150) + " " + std::to_string(i) + "\n";
  }
  dir.file("g", grid);
  // The third trial is asked once the first two are answered; it takes many seconds.
  const Result r = run_shell(
      "run() { $GSSL online \"$@\" --method seminorm:p=1.05,tolerance=1e-12 --graph g --classes "
      "a,b;"
      " }; touch first; mkfifo in; (printf '0 a\\n22499 b\\n'; "
      "for i in $(seq 250); do [ $(wc -l < first) -ge 3 ] && break; sleep 0.02; done; echo '11000 "
      "b'; sleep 0.2; "
      "kill -TERM $(cat pid)) > in & "
      "$GSSL online in --method seminorm:p=1.05,tolerance=1e-12 --graph g --classes a,b "
      "--save state > first & echo $! > pid; wait $!; echo $?; k=$(wc -l < first); "
      // As many trials as lines: a header, and one more trial here.
      "printf '22499 b\\n' | run - --resume state --summary-only --time-limit 1 > second; "
      "grep -cx \"trials.$k\" second",
      {.directory = dir.path().string()});
  INFO(r.err);
  CHECK(r.out == "143\n1\n");
}

TEST_CASE("a run that is stopped before its first trial is saved, too", "[online]") {
  const TemporaryDirectory dir;
  dir.file("g", "a b\nb c\n");
  dir.file("s", "a x\nc y\nb y\n");
  const std::string run = "run() { $GSSL online s --method seminorm --graph g \"$@\"; }; ";
  const Result r = run_shell(run +
                                 "mkfifo in; (sleep 0.3; kill -TERM $(cat pid)) > in & "
                                 "$GSSL online in --method seminorm --graph g --classes x,y "
                                 "--save state & echo $! > pid; wait $!; echo $?; "
                                 "run --resume state --save one > first; run --save two > second; "
                                 "cmp first second && cmp one two && echo same",
                             {.directory = dir.path().string()});
  INFO(r.err);
  CHECK(r.out == "143\nsame\n");
  const Result none = run_gssl({"online", dir.file("empty", ""), "--method", "perceptron",
                                "--classes", "0,1", "--save", (dir.path() / "none").string()});
  CHECK(none.status == 65);
  CHECK_FALSE(std::filesystem::exists(dir.path() / "none"));
}

TEST_CASE("a file is looked at again for the bound of every learner of rows", "[online]") {
  const TemporaryDirectory dir;
  // Lines that are refused and lines without an outcome are no trials in either look.
  const std::string rows = dir.file(
      "r", "1 1:1\n-1 2:1\n1 1:1 2:1\n? 1:1\n-1 2:1 3:1\nx 1:1\n1 1:1 3:1\n-1 1:y\n-1 3:1\n");
  const std::string summary = (dir.path() / "run.json").string();
  for (const char* method :
       {"perceptron", "kernel-perceptron", "winnow:threshold=3", "balanced-winnow",
        "gradient-descent", "gradient-descent:rate=0.1", "switching-kernel",
        "winnow:threshold=3,demotion=eliminate", "randomized-kernel-descent"}) {
    INFO(method);
    const bool once = std::string(method).starts_with("switching");
    const std::vector<std::string> line = {
        "online",    rows,         "--method",      method,     "--classes",
        "-1,1",      "--on-error", "skip",          "--passes", once ? "1" : "3",
        "--summary", summary,      "--summary-only"};
    const Result r = run_gssl(line);
    INFO(r.err);
    CHECK(r.status == 0);
    CHECK_THAT(r.out, Contains("\nbound\t") && Contains("\nbound_name\t"));
    const auto json = read_json(summary);
    CHECK(json["trials"] == (once ? 6 : 18));
    CHECK((json["bound_in_expectation"].get<bool>() ||
           json["bound"].get<double>() >= json["loss"].get<double>()));
    CHECK_THAT(r.err, !Contains("no bound by a second look"));
  }
}

namespace {

// The summary of a run over these lines.
nlohmann::json looked_at(const std::string& lines, std::vector<std::string> options) {
  const TemporaryDirectory dir;
  const std::string summary = (dir.path() / "run.json").string();
  std::vector<std::string> all = {"online", dir.file("rows", lines), "--summary", summary,
                                  "--summary-only"};
  all.insert(all.end(), options.begin(), options.end());
  const Result r = run_gssl(all);
  INFO(r.err);
  CHECK(r.status == 0);
  CHECK_THAT(r.err, !Contains("no bound by a second look"));
  return read_json(summary);
}

}  // namespace

TEST_CASE("a bound is none where a score of the second look overflows", "[online]") {
  std::string lines;
  for (int i = 0; i < 20; ++i) lines += "1,0\n1,1\n";
  const auto json = looked_at(lines + "1.4e154,1\n", {"--label-column", "2", "--header", "no",
                                                      "--method", "perceptron:bias=false"});
  CHECK(json["mistakes"] == 40);
  CHECK((!json.contains("bound") || json["bound"].get<double>() >= 40.0));
}

TEST_CASE("the second look leaves out the rows that the run left out", "[online]") {
  const auto tasks = looked_at("0,1,2,a\n1,3,1,b\n5,1,1,a\n0,2,1,b\n1,1,2,a\n",
                               {"--label-column", "4", "--header", "no", "--method",
                                "switching-kernel:tasks=2", "--on-error", "skip"});
  CHECK(tasks["trials"] == 4);
  CHECK(tasks["left_out"] == 1);
  CHECK(tasks["bound"].get<double>() >= 0.0);
}

TEST_CASE("sparse rows of the simplex are compared with the last weights, as dense ones are",
          "[online]") {
  std::string sparse, dense;
  for (int i = 0; i < 60; ++i) {
    const bool first = i % 3 != 0;
    sparse += first ? "1 1:1 3:1\n" : "-1 2:1 3:1\n";
    dense += first ? "1,0,1,1\n" : "0,1,1,-1\n";
  }
  const auto compared = [](const std::string& lines, std::vector<std::string> options) {
    options.insert(options.end(), {"--method", "gradient-descent:domain=simplex"});
    const auto json = looked_at(lines, options);
    CHECK(json["comparator"].get<double>() == Approx(20.0).epsilon(1e-9));
    CHECK(json["bound"].get<double>() >= json["loss"].get<double>());
  };
  compared(dense, {"--label-column", "4", "--header", "no"});
  compared(sparse, {});
  compared(sparse, {"--on-error", "skip"});
}

TEST_CASE("the perceptron's bound of a table is that of an outside search", "[online]") {
  const TemporaryDirectory dir;
  const std::string summary = (dir.path() / "run.json").string();
  const Result r = run_gssl({"online", source_path("datasets/breast_cancer/points.csv").string(),
                             "--label-column", "class", "--method", "perceptron", "--passes", "3",
                             "--summary", summary, "--summary-only"});
  INFO(r.err);
  CHECK(r.status == 0);
  const auto json = read_json(summary);
  CHECK(json["mistakes"] == 423);
  CHECK(json["radius_square"].get<double>() == Approx(15507066.621));
  // NumPy, over scales of eighths of an octave.
  // The scale 0 is approached, not reached.
  CHECK(json["bounds"][0].get<double>() == Approx(1707.0).epsilon(1e-3));
  CHECK(json["bounds"][1].get<double>() == Approx(1260.814827));
  CHECK(json["bound"] == json["bounds"][1]);
}

TEST_CASE("a pipe has the bounds that need no second look, and says so of others", "[online]") {
  const std::string rows = "1 1:1\n-1 2:1\n1 1:2 3:1\n-1 2:3\n";
  const TemporaryDirectory dir;
  const std::string summary = (dir.path() / "run.json").string();
  const auto bound_of = [&](const char* method) {
    const Result r = run_gssl({"online", "-", "--method", method, "--classes", "-1,1", "--summary",
                               summary, "--summary-only"},
                              {.input = rows});
    INFO(r.err);
    CHECK(r.status == 0);
    CHECK_THAT(r.err, Contains("looked at again"));
    return read_json(summary);
  };
  CHECK_FALSE(bound_of("perceptron").contains("bound"));
  CHECK_FALSE(bound_of("perceptron")["bound_name"].get<std::string>().empty());
  CHECK(bound_of("gradient-descent")["bound"] > 0);
  const std::string file = dir.file("f", rows);
  const Result resumed = run_gssl(
      {"online", file, "--method", "perceptron", "--save", (dir.path() / "s").string(), "--quiet"});
  CHECK(resumed.status == 0);
  const Result on = run_gssl({"online", file, "--method", "perceptron", "--resume",
                              (dir.path() / "s").string(), "--summary", summary});
  INFO(on.err);
  CHECK(on.status == 0);
  CHECK_THAT(on.err, Contains("--resume"));
  CHECK_FALSE(read_json(summary).contains("bound"));
}

TEST_CASE("a run on a graph has all bounds that apply, the smallest first of all", "[online]") {
  const TemporaryDirectory dir;
  // Two squares with diagonals, joined by an edge.
  const std::string graph =
      dir.file("g", "a b\nb c\nc d\nd a\na c\nb d\ne f\nf g\ng h\nh e\ne g\nf h\nd e\n");
  const std::string trials = dir.file("t", "a x\nh y\nb x\ng y\nc x\nf y\nd x\ne y\n");
  const std::string summary = (dir.path() / "run.json").string();
  for (const char* method : {"seminorm", "seminorm:p=1.5", "graph-perceptron"}) {
    INFO(method);
    const Result r =
        run_gssl({"online", trials, "--method", method, "--graph", graph, "--summary", summary});
    INFO(r.err);
    CHECK(r.status == 0);
    CHECK_THAT(r.err, Contains("also proved"));
    const auto json = read_json(summary);
    const auto& bounds = json["bounds"];
    REQUIRE(bounds.size() == json["bound_names"].size());
    CHECK(bounds.size() >= 2);
    double least = 1e300;
    for (const auto& one : bounds) {
      CHECK(one.get<double>() >= json["mistakes"].get<double>());
      least = std::min(least, one.get<double>());
    }
    CHECK(json["bound"] == least);
    if (std::string(method) == "seminorm") {
      CHECK(json["cut"] == 1);
      // One component with k = 1, Δ = 3, Φ = 1; two parts with k = 3, Δ = 2.
      CHECK(bounds[2].get<double>() == Approx(13.0));
      CHECK(bounds[3].get<double>() == Approx(2.0 + 4.0 * 2.0 / 3.0));
    }
  }
}
