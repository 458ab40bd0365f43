// gssl fit --graph, gssl predict of its model, gssl info from standard input, gssl embed, and
// gssl cluster --points.

#include "cli/read_json.hpp"
#include "cli/run_gssl.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

using namespace gssl::test;
using Catch::Contains;

namespace {

const std::string iris_edges = "datasets/iris/edges.tsv";
const std::string iris_labels = "datasets/iris/labels.tsv";
const std::string method = "svm:kernel=diffusion(time=2)";

}  // namespace

TEST_CASE("A model of a graph answers what gssl label does", "[graph-model]") {
  const TemporaryDirectory directory;
  const std::string model = directory.path() / "m";
  const std::string scores = directory.path() / "s";
  const std::string summary = directory.path() / "run.json";
  const Result made =
      run_gssl({"fit", "--graph", iris_edges, iris_labels, "--method", method, "-o", model});
  INFO(made.err);
  REQUIRE(made.status == 0);
  const Result labelled =
      run_gssl({"label", iris_edges, iris_labels, "--method", method, "--scores", scores});
  const std::string expected = read_file(scores);
  const Result found = run_gssl({"predict", model, "--scores", scores, "--truth",
                                 "datasets/iris/truth.tsv", "--summary", summary});
  REQUIRE(found.status == 0);
  CHECK(found.out == labelled.out);
  CHECK(read_file(scores) == expected);
  CHECK(read_json(summary)["accuracy"] > 0.8);
  const std::string some = directory.file("nodes", "node\n7\n3\n");
  const Result two = run_gssl({"predict", model, some});
  CHECK(two.out.starts_with("node\tlabel\tconfidence\tstatus\n7\t"));
  CHECK(std::ranges::count(two.out, '\n') == 3);
  CHECK(run_gssl({"predict", model, directory.file("wrong", "nobody\n")}).status == 65);
}

TEST_CASE("gssl info knows a model from standard input", "[graph-model]") {
  const TemporaryDirectory directory;
  const std::string model = directory.path() / "m";
  REQUIRE(run_gssl({"fit", "--graph", iris_edges, iris_labels, "--method", method, "-o", model})
              .status == 0);
  const Result of_file = run_gssl({"info", model});
  CHECK_THAT(of_file.out, Contains("kind\tgraph-model\n") && Contains("vertices\t150\n") &&
                              Contains("learner\tsvm\n"));
  CHECK(run_gssl({"info", "-"}, {.input = read_file(model)}).out == of_file.out);
  CHECK_THAT(run_gssl({"info", "-"}, {.input = "a b\nb c\n"}).out, Contains("vertices\t3\n"));
  CHECK(run_gssl({"info", "-"}, {.input = "#gssl-record 1\n{}\n"}).status == 65);
}

TEST_CASE("gssl fit --graph refuses what is of points", "[graph-model]") {
  const TemporaryDirectory directory;
  const std::string out = directory.path() / "m";
  const auto refused = [&](std::vector<std::string> more, const std::string& spec = method) {
    std::vector<std::string> all = {"fit", "--method", spec, "-o", out};
    all.insert(all.end(), more.begin(), more.end());
    const Result r = run_gssl(all);
    CHECK(r.status == 64);
    return r.err;
  };
  CHECK_THAT(refused({"--graph", iris_edges}), Contains("LABELS is required"));
  CHECK_THAT(refused({"--graph", iris_edges, iris_labels, iris_labels}),
             Contains("takes the place of POINTS"));
  CHECK_THAT(refused({"--graph", iris_edges, iris_labels, "--standardize"}), Contains("of points"));
  CHECK_THAT(refused({}), Contains("POINTS is required"));
  CHECK_THAT(refused({"--graph", iris_edges, iris_labels}, "tree"), Contains("tree"));
}

TEST_CASE("gssl predict says which class is the positive one", "[fit]") {
  const TemporaryDirectory directory;
  const std::string points = directory.file("p.csv", "x,c\n0,no\n1,no\n4,yes\n5,yes\n");
  const std::string model = directory.path() / "m";
  const std::string summary = directory.path() / "run.json";
  REQUIRE(
      run_gssl({"fit", points, "--label-column", "c", "--method", "svm:kernel=linear", "-o", model})
          .status == 0);
  const Result found = run_gssl({"predict", model, points, "--summary", summary});
  CHECK_THAT(found.err, Contains("> 0 for class 'yes', the positive one"));
  CHECK(read_json(summary)["positive_class"] == "yes");
}

TEST_CASE("gssl embed writes coordinates of rows, of other rows and of vertices", "[embed]") {
  const TemporaryDirectory directory;
  const std::string iris = "datasets/iris/points.csv";
  const std::string summary = directory.path() / "run.json";
  const std::vector<std::string> linear = {"embed",    iris,     "--label-column", "class",
                                           "--kernel", "linear", "--summary",      summary};
  const Result rows = run_gssl(linear);
  INFO(rows.err);
  REQUIRE(rows.status == 0);
  CHECK(rows.out.starts_with("node\tx1\tx2\n0\t"));
  CHECK(read_json(summary)["variance_held"] > 0.97);  // of iris, well known
  std::vector<std::string> others = linear;
  others.insert(others.end(), {"--rows", iris});
  CHECK(run_gssl(others).out.substr(0, 25) == rows.out.substr(0, 25));
  const Result graph = run_gssl({"embed", "--graph", "datasets/lesmis/lesmis.graph", "--kernel",
                                 "diffusion(time=1)", "-n", "3"});
  CHECK(graph.out.starts_with("node\tx1\tx2\tx3\n"));
  CHECK(run_gssl({"embed"}).status == 64);
  CHECK(run_gssl({"embed", iris, "--label-column", "class", "--kernel", "gausian"}).status == 64);
}

TEST_CASE("gssl cluster --points groups rows by a kernel", "[cluster-points]") {
  const TemporaryDirectory directory;
  const std::string summary = directory.path() / "run.json";
  const Result r = run_gssl({"cluster", "--points", "datasets/iris/points.csv", "--label-column",
                             "class", "-k", "3", "--kernel", "linear", "--summary", summary});
  INFO(r.err);
  REQUIRE(r.status == 0);
  CHECK(r.out.starts_with("node\tcluster\n0\t1\n"));
  CHECK(read_json(summary)["ari"] == Approx(0.7302).margin(0.015));  // k-means, known
  CHECK(run_gssl({"cluster", "--points", "datasets/iris/points.csv"}).status == 64);
  CHECK(run_gssl({"cluster", "-k", "3"}).status == 64);
}
