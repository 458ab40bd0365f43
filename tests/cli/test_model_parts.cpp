// gssl info MODEL --show: what a model learned, beside scikit-learn 1.2.1 and counts by hand.

#include <map>
#include <sstream>

#include "cli/read_json.hpp"
#include "cli/run_gssl.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

using namespace gssl::test;
using Catch::Contains;

namespace {

const std::string iris = "datasets/iris/points.csv";

// Fits to a file of the directory; the rows of the part, as JSON.
std::vector<nlohmann::json> shown(const TemporaryDirectory& dir, const std::string& part,
                                  std::vector<std::string> arguments) {
  const std::string model = dir.path() / "m";
  arguments.insert(arguments.begin(), "fit");
  arguments.insert(arguments.end(), {"-o", model});
  const Result made = run_gssl(arguments);
  INFO(made.err);
  REQUIRE(made.status == 0);
  CHECK_THAT(run_gssl({"info", model}).out, Contains(part));
  const Result info = run_gssl({"info", model, "--show", part, "--format", "jsonl"});
  INFO(info.err);
  REQUIRE(info.status == 0);
  std::vector<nlohmann::json> rows;
  std::istringstream lines(info.out);
  for (std::string line; std::getline(lines, line);) rows.push_back(nlohmann::json::parse(line));
  return rows;
}

std::map<std::string, double> coefficients(const std::vector<nlohmann::json>& rows) {
  std::map<std::string, double> found;
  for (const auto& row : rows) found[row["column"]] = row["coefficient"];
  return found;
}

// Iris without its first class, and without the column of the class where `regression`.
std::string iris_part(const TemporaryDirectory& dir, bool regression) {
  std::istringstream lines(run_shell("cat " + iris).out);
  std::string text;
  for (std::string line; std::getline(lines, line);) {
    if (regression)
      text += line.substr(0, line.rfind(',')) + "\n";
    else if (!line.ends_with("setosa"))
      text += line + "\n";
  }
  return dir.file("part.csv", text);
}

}  // namespace

TEST_CASE("Coefficients stand under the names of their columns", "[parts]") {
  const TemporaryDirectory dir;
  const std::string numbers = iris_part(dir, true);
  auto found = coefficients(
      shown(dir, "coefficients",
            {numbers, "--label-column", "x4", "--regression", "--method", "ridge:lambda=0.5"}));
  REQUIRE(found.size() == 4);
  CHECK(found["x1"] == Approx(-0.19022562));
  CHECK(found["x2"] == Approx(0.20702322));
  CHECK(found["x3"] == Approx(0.51488847));
  CHECK(found["(bias)"] == Approx(-0.25700486112454235));
  found = coefficients(
      shown(dir, "coefficients",
            {numbers, "--label-column", "x4", "--regression", "--method", "least-squares"}));
  CHECK(found["x3"] == Approx(0.52408311));
  CHECK(found["(bias)"] == Approx(-0.24030738911226113));
}

TEST_CASE("Coefficients of two classes are those of the second", "[parts]") {
  const TemporaryDirectory dir;
  const std::string two = iris_part(dir, false);
  const auto rows =
      shown(dir, "coefficients",
            {two, "--label-column", "class", "--method", "logistic:bias=free,tolerance=1e-10"});
  REQUIRE(rows.size() == 5);
  for (const auto& row : rows) CHECK(row["class"] == "virginica");
  auto found = coefficients(rows);
  CHECK(found["x1"] == Approx(-0.39443136).epsilon(1e-4));
  CHECK(found["x4"] == Approx(2.4170433).epsilon(1e-4));
  CHECK(found["(bias)"] == Approx(-14.43080433).epsilon(1e-4));
  found = coefficients(shown(dir, "coefficients",
                             {two, "--label-column", "class", "--method",
                              "linear-svm:loss=squared-hinge,bias=none,tolerance=1e-8"}));
  CHECK(found["x2"] == Approx(-1.14222702).epsilon(1e-3));
  CHECK(found["x3"] == Approx(1.42281539).epsilon(1e-3));
}

TEST_CASE("Every class has its coefficients, words their columns, products their names",
          "[parts]") {
  const TemporaryDirectory dir;
  CHECK(shown(dir, "coefficients", {iris, "--label-column", "class", "--method", "ridge"}).size() ==
        15);
  const std::string table =
      dir.file("t.csv", "u,eyes,y\n1,blue,2\n2,brown,3\n3,blue,1\n0,brown,4\n");
  auto found = coefficients(shown(dir, "coefficients",
                                  {table, "--label-column", "y", "--regression", "--method",
                                   "ridge:basis=correlations,degree=2"}));
  for (const char* name : {"u", "eyes=blue", "u*u", "u*eyes=brown", "eyes=brown*eyes=brown"})
    CHECK(found.contains(name));
  CHECK(found.size() == 1 + 3 + 6);
  found = coefficients(shown(dir, "coefficients",
                             {table, "--label-column", "y", "--regression", "--method",
                              "ridge:basis=polynomial,degree=2"}));
  CHECK(found.contains("u^2"));
}

TEST_CASE("A tree is read as rules", "[parts]") {
  const TemporaryDirectory dir;
  const std::vector<std::string> fit = {iris, "--label-column", "class", "--method",
                                        "tree:depth=2"};
  const auto rules = shown(dir, "rules", fit);
  REQUIRE(rules.size() == 3);
  // Columns x3 and x4 part the first class equally well; the first is taken.
  CHECK(rules[0]["rule"] == "x3 <= 2.45");
  CHECK(rules[0]["class"] == "setosa");
  CHECK(rules[0]["score"] == 1.0);
  CHECK(rules[1]["rule"] == "x3 > 2.45 and x4 <= 1.75");
  CHECK(rules[1]["class"] == "versicolor");
  CHECK(rules[1]["score"] == Approx(49.0 / 54.0));
  CHECK(rules[2]["class"] == "virginica");
  double sum = 0.0;
  for (const auto& row : shown(dir, "importances", fit)) sum += double{row["importance"]};
  CHECK(sum == Approx(1.0));
}

TEST_CASE("A column that is cut twice on the way has one range in the rule", "[parts]") {
  const TemporaryDirectory dir;
  const std::string table = dir.file("t.csv", "u,y\n0,1\n1,1\n2,5\n3,5\n4,9\n5,9\n");
  const auto rules = shown(
      dir, "rules", {table, "--label-column", "y", "--regression", "--method", "tree:min_leaf=2"});
  REQUIRE(rules.size() == 3);
  CHECK(rules[0]["rule"] == "u <= 1.5");
  CHECK(rules[1]["rule"] == "1.5 < u <= 3.5");
  CHECK(rules[2]["rule"] == "u > 3.5");
  CHECK(rules[1]["value"] == 5.0);
}

TEST_CASE("Importances of a forest begin with the column that tells most", "[parts]") {
  const TemporaryDirectory dir;
  const auto rows =
      shown(dir, "importances", {iris, "--label-column", "class", "--method", "forest:trees=50"});
  REQUIRE(rows.size() == 4);
  double before = 1.0, sum = 0.0;
  for (const auto& row : rows) {
    CHECK(double{row["importance"]} <= before);
    before = row["importance"];
    sum += before;
  }
  CHECK(sum == Approx(1.0));
  // scikit-learn, 50 trees: x3 and x4 have 0.87 of it together.
  CHECK(double{rows[0]["importance"]} + double{rows[1]["importance"]} > 0.75);
  CHECK(rows[3]["column"] == "x2");
}

TEST_CASE("Support vectors come with their coefficients", "[parts]") {
  const TemporaryDirectory dir;
  // Of 0 and 2 the margin is x - 1: each counts ½; 9 is beyond it.
  const std::string table = dir.file("t.csv", "u,y\n0,a\n2,b\n9,b\n");
  const auto rows =
      shown(dir, "support-vectors",
            {table, "--label-column", "y", "--method", "svm:kernel=linear,c=10,tolerance=1e-9"});
  REQUIRE(rows.size() == 3);
  CHECK(rows[0]["vector"] == "bias");
  CHECK(rows[0]["coefficient"] == Approx(-1.0));
  CHECK(rows[1]["coefficient"] == Approx(-0.5));
  CHECK(rows[1]["values"] == "");
  CHECK(rows[2]["coefficient"] == Approx(0.5));
  CHECK(rows[2]["values"] == "1:2");
  const auto three =
      shown(dir, "support-vectors", {iris, "--label-column", "class", "--method", "svm"});
  CHECK(three[0].contains("versicolor over setosa"));
  CHECK(three[0].contains("virginica over versicolor"));
}

TEST_CASE("Members of a vote are told apart", "[parts]") {
  const TemporaryDirectory dir;
  const auto rows = shown(
      dir, "rules",
      {iris, "--label-column", "class", "--method", "bagging:rounds=3,learner=tree(depth=1)"});
  REQUIRE(rows.size() == 6);
  CHECK(rows[5]["member"] == 3);
  CHECK(rows[5]["vote"] == 1.0);
  const auto stumps =
      shown(dir, "rules",
            {iris_part(dir, false), "--label-column", "class", "--method", "adaboost:rounds=4"});
  CHECK(stumps.size() == 8);
  CHECK(stumps[7]["tree"] == 4);
  const auto means =
      shown(dir, "means", {iris, "--label-column", "class", "--method", "nearest-mean"});
  CHECK(means.size() == 12);
  CHECK(means[0]["mean"] == Approx(5.006));
}

TEST_CASE("What a model does not have is refused by name", "[parts]") {
  const TemporaryDirectory dir;
  const std::string model = dir.path() / "m";
  REQUIRE(
      run_gssl({"fit", iris, "--label-column", "class", "--method", "tree", "-o", model}).status ==
      0);
  const Result wrong = run_gssl({"info", model, "--show", "coefficients"});
  CHECK(wrong.status == 64);
  CHECK_THAT(wrong.err, Contains("a model of tree has no coefficients; it has rules, importances"));
  const Result graph = run_gssl({"info", "datasets/iris/edges.tsv", "--show", "rules"});
  CHECK(graph.status == 64);
  CHECK_THAT(graph.err, Contains("is a graph"));
}
