// gssl fit, gssl predict, and gssl info of a model.

#include <sstream>
#include <utility>
#include <vector>

#include "cli/read_json.hpp"
#include "cli/run_gssl.hpp"
#include "gssl/learn/registry.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

using namespace gssl::test;
using Catch::Contains;

namespace {

const std::string iris_points = "datasets/iris/points.csv";

// Column `at` of the rows of a TSV table.
std::vector<std::string> column(const std::string& table, std::size_t at) {
  std::vector<std::string> cells;
  std::istringstream lines(table);
  std::string line;
  std::getline(lines, line);
  while (std::getline(lines, line)) {
    std::istringstream fields(line);
    std::string cell;
    for (std::size_t i = 0; i <= at; ++i) std::getline(fields, cell, '\t');
    cells.push_back(cell);
  }
  return cells;
}

const std::string people =
    "age,eyes,hours,class\n"
    "31,blue,1,a\n30,blue,1,a\n,brown,2,b\n61,brown,1,b\n29,?,1,a\n64,brown,3,b\n";

}  // namespace

TEST_CASE("A model of gssl fit labels the rows of a table", "[fit]") {
  const TemporaryDirectory directory;
  const std::string model = directory.path() / "iris.model";
  const std::string summary = directory.path() / "run.json";
  const std::string scores = directory.path() / "scores.tsv";
  const Result made =
      run_gssl({"fit", iris_points, "--label-column", "class", "--method", "nearest-mean",
                "--standardize", "-o", model, "--summary", summary});
  REQUIRE(made.status == 0);
  CHECK(read_json(summary)["training_rows"] == 150);
  // The means of the classes are no answer of a linear system, so they have no residual.
  CHECK_FALSE(read_json(summary)["solver"].contains("relative_residual"));
  const Result found =
      run_gssl({"predict", model, iris_points, "--scores", scores, "--summary", summary});
  REQUIRE(found.status == 0);
  CHECK(found.out.starts_with("node\tlabel\tconfidence\tstatus\n0\tsetosa\t"));
  CHECK(read_file(scores).starts_with("node\tsetosa\tversicolor\tvirginica\n0\t"));
  CHECK(read_json(summary)["accuracy"] > 0.8);
  CHECK(read_json(summary)["measured"] == 150);
  CHECK_THAT(found.err, Contains("accuracy "));
  const Result info = run_gssl({"info", model});
  CHECK_THAT(info.out, Contains("learner\tnearest-mean\n") && Contains("training_rows\t150\n") &&
                           Contains("class_names\tsetosa, versicolor, virginica\n"));
}

TEST_CASE("The bytes of a model are the same at any number of threads", "[fit]") {
  const std::vector<std::string> arguments = {"fit",         iris_points, "--label-column",
                                              "class",       "--method",  "nearest-mean",
                                              "--calibrate", "platt",     "-o",
                                              "-",           "--threads"};
  const auto with = [&](const std::string& threads) {
    std::vector<std::string> all = arguments;
    all.push_back(threads);
    return run_gssl(all).out;
  };
  CHECK(with("1").starts_with("#gssl-record 1\n"));
  CHECK(with("1") == with("3"));
}

TEST_CASE("Targets come from a file; rows without one are left out", "[fit]") {
  const TemporaryDirectory directory;
  const std::string points = directory.file("p.csv", "x,y\n0,0\n0,1\n9,9\n9,8\n5,5\n");
  const std::string labels = directory.file("t.tsv", "node\tlabel\n3\tfar\n0\tnear\n1\tnear\n");
  const std::string truth = directory.file("truth.tsv", "2\tfar\n4\tfar\n");
  const std::string model = directory.path() / "m";
  const Result made = run_gssl({"fit", points, labels, "--method", "nearest-mean", "-o", model});
  REQUIRE(made.status == 0);
  CHECK_THAT(made.err, Contains("3 rows to learn from (2 without a target are left out)"));
  const Result found = run_gssl({"predict", model, points, "--truth", truth});
  REQUIRE(found.status == 0);
  CHECK(column(found.out, 1) == std::vector<std::string>{"near", "near", "far", "far", "far"});
  CHECK_THAT(found.err, Contains("accuracy 100.00% on 2 rows"));
}

TEST_CASE("Words, gaps and weights are read as the training file had them", "[fit]") {
  const TemporaryDirectory directory;
  const std::string table = directory.file("people.csv", people);
  const std::string model = directory.path() / "m";
  const Result made = run_gssl({"fit", table, "--label-column", "class", "--weight-column", "hours",
                                "--method", "nearest-mean", "--standardize", "-o", model});
  INFO(made.err);
  REQUIRE(made.status == 0);
  const Result info = run_gssl({"info", model});
  CHECK_THAT(info.out, Contains("columns of words\t1 (2 words, a column each)") &&
                           Contains("columns with gaps\t2") && Contains("encoded columns\t5"));
  // The same file; other order without labels and weights; a word not seen before.
  CHECK_THAT(run_gssl({"predict", model, table}).err, Contains("accuracy 100.00% on 6 rows"));
  const std::string other = directory.file("other.csv", "eyes,age\nblue,30\nbrown,\ngreen,66\n");
  const Result found = run_gssl({"predict", model, other});
  INFO(found.err);
  REQUIRE(found.status == 0);
  CHECK(column(found.out, 1) == std::vector<std::string>{"a", "b", "b"});
  CHECK_THAT(found.err, Contains("a word that the model has not seen") && Contains("'green'"));
}

TEST_CASE("Probabilities of a calibrated model sum to 1", "[fit]") {
  const TemporaryDirectory directory;
  const std::string model = directory.path() / "m";
  const std::string scores = directory.path() / "s.tsv";
  for (const std::string method : {"platt", "isotonic", "temperature"}) {
    REQUIRE(run_gssl({"fit", iris_points, "--label-column", "class", "--method", "nearest-mean",
                      "--calibrate", method, "-o", model})
                .status == 0);
    REQUIRE(run_gssl({"predict", model, iris_points, "--scores", scores}).status == 0);
    const std::string table = read_file(scores);
    const auto first = column(table, 1), second = column(table, 2), third = column(table, 3);
    for (std::size_t r = 0; r < first.size(); ++r)
      CHECK(std::stod(first[r]) + std::stod(second[r]) + std::stod(third[r]) == Approx(1.0));
    CHECK_THAT(run_gssl({"info", model}).out, Contains("calibration\t" + method));
  }
}

TEST_CASE("A SPEC says how its scores become probabilities, as --calibrate does", "[fit]") {
  const TemporaryDirectory directory;
  const std::string model = directory.path() / "m";
  const std::string scores = directory.path() / "s.tsv";
  const auto table = [&](const std::string& method, const std::vector<std::string>& more) {
    std::vector<std::string> arguments = {
        "fit", iris_points, "--label-column", "class", "--method", method, "-o", model};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Result made = run_gssl(arguments);
    INFO(made.err);
    REQUIRE(made.status == 0);
    REQUIRE(run_gssl({"predict", model, iris_points, "--scores", scores}).status == 0);
    return read_file(scores);
  };
  const std::string wanted = table("svm:c=2", {"--calibrate", "temperature"});
  CHECK(table("svm:c=2,calibrate=temperature", {}) == wanted);
  CHECK_THAT(run_gssl({"info", model}).out,
             Contains("calibration\ttemperature") && Contains(",calibrate=temperature"));
  const std::string margins = table("svm:c=2", {});
  CHECK_THAT(run_gssl({"info", model}).out, !Contains("calibrate="));
  CHECK(margins != wanted);
  CHECK(table("svm:c=2,calibrate=none", {}) == margins);

  const auto refused = [&](const std::vector<std::string>& arguments, const std::string& why) {
    const Result run = run_gssl(arguments);
    CHECK(run.status == 64);
    CHECK_THAT(run.err, Contains(why));
  };
  const std::string platt = "svm:calibrate=platt";
  refused({"fit", iris_points, "--label-column", "class", "--method", platt, "--calibrate",
           "isotonic", "-o", model},
          "--calibrate isotonic: --method says another: keep one");
  refused({"fit", iris_points, "--label-column", "class", "--method", "svm:calibrate=plat", "-o",
           model},
          "must be none|platt|isotonic|temperature");
  refused({"label", "datasets/iris/edges.tsv", "datasets/iris/labels.tsv", "--method", platt},
          "an option of the run (--calibrate)");
  refused({"fit", iris_points, "--label-column", "class", "--method",
           "bagging:learner=tree(calibrate=platt)", "-o", model},
          "calibrate their sum");
  refused({"fit", iris_points, "--label-column", "1", "--regression", "--method",
           "ridge:calibrate=platt", "-o", model},
          "the targets are real numbers");
  CHECK_THAT(run_gssl({"learners", "svm"}).out, Contains("none|platt|isotonic|temperature"));
  CHECK_THAT(run_gssl({"learners", "harmonic"}).out, !Contains("calibrate"));
}

TEST_CASE("Files that are no model, damaged or for other columns are bad data", "[fit]") {
  const TemporaryDirectory directory;
  const std::string model = directory.path() / "m";
  REQUIRE(run_gssl({"fit", iris_points, "--label-column", "class", "--method", "nearest-mean", "-o",
                    model})
              .status == 0);
  const auto refused = [&](const std::string& file, const std::string& points) {
    const std::string out = directory.path() / "out.tsv";
    const Result result = run_gssl({"predict", file, points, "-o", out});
    CHECK(result.status == 65);
    CHECK_FALSE(std::filesystem::exists(out));
    return result.err;
  };
  CHECK_THAT(refused(iris_points, iris_points), Contains("is no file of gssl fit"));
  const std::string bytes = read_file(model);
  CHECK_THAT(refused(directory.file("cut", bytes.substr(0, bytes.size() / 2)), iris_points),
             Contains("cut off"));
  std::string changed = bytes;
  changed[bytes.size() - 40] = static_cast<char>(changed[bytes.size() - 40] ^ 1);
  CHECK_THAT(refused(directory.file("changed", changed), iris_points), Contains("damaged"));
  CHECK_THAT(refused(model, directory.file("p.csv", "x1,x2,x3\n1,2,3\n")),
             Contains("no column 'x4'"));
  CHECK_THAT(refused(model, directory.file("q.csv", "x1,x2,x3,x4,x5\n1,2,3,4,5\n")),
             Contains("the model was learned without it"));
  CHECK_THAT(refused(model, directory.file("r.csv", "x1,x2,x3,x4\n1,2,3,b\n")),
             Contains("the model was learned from numbers there"));
  CHECK(run_gssl({"predict", directory.path() / "none", iris_points}).status == 66);
}

TEST_CASE("What cannot be learned from says why and leaves no model", "[fit]") {
  const TemporaryDirectory directory;
  const std::string model = directory.path() / "m";
  const auto failed = [&](int status, std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "fit");
    arguments.insert(arguments.end(), {"-o", model});
    const Result result = run_gssl(arguments);
    CHECK(result.status == status);
    CHECK_FALSE(std::filesystem::exists(model));
    return result.err;
  };
  const std::string table = directory.file("t.csv", people);
  const std::string mean = "nearest-mean";
  CHECK_THAT(failed(64, {iris_points, "--method", "harmonic"}), Contains("gssl label"));
  CHECK_THAT(failed(64, {iris_points, "--method", "nearest-maen"}), Contains("nearest-mean"));
  CHECK_THAT(failed(64, {directory.file("n.csv", "x\n1\n2\n"), "--method", mean}),
             Contains("no targets: give TARGETS"));
  CHECK_THAT(
      failed(64, {iris_points, "--label-column", "class", "--method", mean, "--class-weight", "7"}),
      Contains("expected balanced"));
  CHECK_THAT(failed(64, {iris_points, "--label-column", "class", "--method", mean, "--class-weight",
                         "setsoa=2"}),
             Contains("no class 'setsoa'"));
  CHECK_THAT(failed(65, {table, "--label-column", "class", "--method", mean, "--weight-column",
                         "nothing"}),
             Contains("no column 'nothing'"));
  CHECK_THAT(
      failed(65, {table, "--label-column", "class", "--method", mean, "--weight-column", "eyes"}),
      Contains("holds words"));
  CHECK_THAT(failed(65, {directory.file("e.csv", ""), "--label-column", "1", "--method", mean}),
             Contains("e.csv"));
  CHECK_THAT(failed(64, {table, "--label-column", "age", "--regression", "--method", mean}),
             Contains("needs classes"));
  CHECK_THAT(failed(65, {table, "--label-column", "eyes", "--regression", "--method", mean}),
             Contains("blue"));
}

TEST_CASE("Weights of classes move the decision towards the rare", "[fit]") {
  const TemporaryDirectory directory;
  const std::string model = directory.path() / "m";
  for (const std::string weights : {"balanced", "setosa=3,virginica=0.5"}) {
    const Result made = run_gssl({"fit", iris_points, "--label-column", "class", "--method",
                                  "nearest-mean", "--class-weight", weights, "-o", model});
    REQUIRE(made.status == 0);
    CHECK_THAT(run_gssl({"info", model}).out, Contains("class_weights\t" + weights));
  }
}

TEST_CASE("Columns without names are found whether or not the weights are there", "[fit]") {
  const TemporaryDirectory directory;
  // number, weight, code (a word that looks like a number), class
  const std::string table =
      directory.file("t.csv", "1,1,7,a\n2,1,8,b\n1,2,7,a\n2,2,8,b\n1.5,1,7,a\n1.5,1,8,b\n");
  const std::string model = directory.path() / "m";
  const Result made =
      run_gssl({"fit", table, "--header", "no", "--label-column", "4", "--weight-column", "2",
                "--categorical", "3", "--method", "nearest-mean", "-o", model});
  INFO(made.err);
  REQUIRE(made.status == 0);
  const Result whole = run_gssl({"predict", model, table});
  INFO(whole.err);
  REQUIRE(whole.status == 0);
  const std::string weighted = directory.file("w.csv", "1,1,7\n2,1,8\n");
  const std::string bare = directory.file("b.csv", "1,7\n2,8\n");
  for (const std::string& file : {weighted, bare}) {
    const Result r = run_gssl({"predict", model, file});
    INFO(r.err);
    REQUIRE(r.status == 0);
    CHECK(column(r.out, 1) == std::vector<std::string>{"a", "b"});
  }
}

TEST_CASE("A table of words is learned from by a kernel of strings", "[fit]") {
  const TemporaryDirectory dir;
  std::string table = "id,word,class\n";
  for (int i = 0; i < 20; ++i) {
    const std::string middle(static_cast<std::size_t>(i % 4) + 1, static_cast<char>('c' + i % 5));
    table += "r" + std::to_string(i) + "," + middle + (i % 2 == 0 ? "aba" : "bab") + middle + "," +
             (i % 2 == 0 ? "even" : "odd") + "\n";
  }
  const std::string path = dir.file("t.csv", table), model = dir.path() / "m";
  const std::string method = "svm:kernel=spectrum(length=3)";
  const Result made = run_gssl({"fit", path, "--id-column", "id", "--label-column", "class",
                                "--method", method, "-o", model});
  INFO(made.err);
  REQUIRE(made.status == 0);
  CHECK(made.err.find("another word in every row") == std::string::npos);
  const Result told =
      run_gssl({"predict", model, dir.file("n.csv", "id,word\nx,ccccccccccabac\ny,bab\n")});
  CHECK_THAT(told.out, Contains("x\teven\t") && Contains("y\todd\t"));
  const Result judged = run_gssl({"evaluate", "--points", path, "--id-column", "id",
                                  "--label-column", "class", "--method", method, "--folds", "5"});
  INFO(judged.err);
  CHECK(judged.status == 0);
  CHECK_THAT(judged.out, Contains("\t1\t"));
}

TEST_CASE("A table without a header is read by a model that has names", "[fit]") {
  const TemporaryDirectory dir;
  const std::string model = dir.path() / "m";
  REQUIRE(run_gssl({"fit", dir.file("t.csv", "x,w,y\n1,red,a\n2,red,a\n8,blue,b\n9,blue,b\n"),
                    "--label-column", "y", "--method", "nearest-mean", "-o", model})
              .status == 0);
  const std::string bare = dir.file("n.csv", "1.5,red\n8.5,blue\n");
  const Result lost = run_gssl({"predict", model, bare});
  CHECK(lost.status == 65);
  CHECK_THAT(lost.err, Contains("--header no"));
  const Result told = run_gssl({"predict", model, bare, "--header", "no"});
  INFO(told.err);
  CHECK(told.status == 0);
  CHECK_THAT(told.out, Contains("0\ta\t") && Contains("1\tb\t"));
}

TEST_CASE("Rows of one class: a model that says so, or bad data, of every learner", "[fit]") {
  const TemporaryDirectory dir;
  const std::string one = dir.file("one.csv", "u,v,y\n0,1,a\n1,0,a\n1,1,a\n0,0,a\n");
  const gssl::LearnerRegistry registry = gssl::builtin_learners();
  for (const gssl::LearnerEntry* entry : registry.of_kinds({gssl::LearnerKind::inductive})) {
    if (!entry->traits.classification) continue;
    const Result r = run_gssl(
        {"fit", one, "--label-column", "y", "--method", entry->name, "-o", dir.path() / "m"});
    INFO(entry->name << ": " << r.err);
    CHECK((r.status == 0 || r.status == 65));
    CHECK_THAT(r.err, Contains("every target is 'a'"));
  }
  const std::string rows = dir.file("rows.csv", "u,v,y\n0,1,a\n1,0,a\n");
  const std::string nodes = dir.file("nodes", "p a\nq a\n"), graph = dir.file("g", "p q\n");
  const std::string cells = dir.file("cells", "p,q,a\nq,p,a\n");
  for (const gssl::LearnerEntry* entry : registry.of_kinds({gssl::LearnerKind::online})) {
    if (!entry->traits.classification) continue;
    const std::string spec = entry->name + (entry->name == "meg" ? ":margin=0.5" : "");
    std::vector<std::string> line = {"online", "--method", spec};
    switch (registry.make(spec).online().instance_kind()) {
      case gssl::InstanceKind::row: line.insert(line.end(), {rows, "--label-column", "y"}); break;
      case gssl::InstanceKind::vertex: line.insert(line.end(), {nodes, "--graph", graph}); break;
      case gssl::InstanceKind::cell: line.push_back(cells); break;
      default: continue;  // experts have classes of their own to tell
    }
    const Result r = run_gssl(line);
    INFO(entry->name << ": " << r.err);
    CHECK(r.status == 65);
    CHECK_THAT(r.err, Contains("every outcome is 'a'") && Contains(entry->name));
  }
}

TEST_CASE("What is wrong with rows and options of fit is said where it is", "[fit]") {
  const TemporaryDirectory dir;
  const std::string table = dir.file("t.csv", "x,w,y\n1,1,a\n2,-3,b\n");
  const Result weight = run_gssl({"fit", table, "--label-column", "y", "--weight-column", "w",
                                  "--method", "ridge", "-o", dir.path() / "m"});
  CHECK(weight.status == 65);
  CHECK_THAT(weight.err, Contains("t.csv") && Contains("row 2") && Contains("-3"));
  const Result folds = run_gssl({"fit", table, "--label-column", "y", "--calibration-folds", "3",
                                 "--method", "ridge", "-o", dir.path() / "m"});
  CHECK(folds.status == 64);
  CHECK_THAT(folds.err, Contains("--calibrate"));
  const std::string far = dir.file("f.csv", "x,u,y\n1,1000,a\n2,9000,b\n1,3000,a\n3,8000,b\n");
  const auto fitted = [&](const std::string& method, const std::vector<std::string>& more) {
    std::vector<std::string> line = {"fit",  far,  "--label-column", "y", "--method",
                                     method, "-o", dir.path() / "m"};
    line.insert(line.end(), more.begin(), more.end());
    return run_gssl(line).err;
  };
  CHECK_THAT(fitted("svm", {}), Contains("--standardize"));
  CHECK_THAT(fitted("svm", {"--standardize"}), !Contains("with --standardize"));
  CHECK_THAT(fitted("forest", {}), !Contains("--standardize"));
  const std::vector<std::pair<const char*, const char*>> advice = {
      {"perceptron", "--standardize"}, {"kernel-perceptron", "standardize the columns"}};
  for (const auto& [method, words] : advice) {
    const std::vector<std::string> line = {
        "fit", iris_points, "--label-column", "class", "--method", method, "-o", dir.path() / "m"};
    CHECK_THAT(run_gssl(line).err, Contains(words));
  }
  const Result converged = run_gssl({"fit", iris_points, "--label-column", "class", "--method",
                                     "linear-svm", "-o", dir.path() / "m"});
  CHECK(converged.status == 0);
  CHECK_THAT(converged.err, !Contains("--standardize"));
}
