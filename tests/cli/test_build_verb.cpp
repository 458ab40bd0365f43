// gssl build: points to graphs, and on to labels.

#include <array>
#include <nlohmann/json.hpp>
#include <sstream>

#include "gssl/core/rng.hpp"
#include "read_json.hpp"
#include "run_gssl.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

using namespace gssl::test;
using gssl::Rng;

namespace {

// The five points of the lecture example: 0 and 4 stand apart, 1, 2, 3 lie on a diagonal.
constexpr const char* five = "-2,0\n-1,-1\n0,0\n1,1\n2,0\n";
// Two pairs far apart.
constexpr const char* pairs = "name,x,class\na,0,l\nb,1,\nc,10,r\nd,11,\n";

std::int64_t edges_in(const std::string& text) {
  std::istringstream lines(text);
  std::int64_t count = -1;  // the header
  for (std::string line; std::getline(lines, line);) count += line.starts_with('#') ? 0 : 1;
  return count;
}

double accuracy_of(const std::string& summary) {
  return nlohmann::json::parse(summary)["accuracy"].get<double>();
}

}  // namespace

TEST_CASE("build writes the 2-nearest-neighbor graph worked out by hand") {
  const TemporaryDirectory dir;
  // 0: 1 2; 1: 0 2; 2: 1 3; 3: 2 4; 4: 3 2
  const std::string points = dir.file("p", five);
  const Result r = run_gssl({"build", points, "--knn", "2", "--weights", "inverse"});
  REQUIRE(r.status == 0);
  CHECK(r.out ==
        "u\tv\tweight\n"
        "0\t1\t0.7071067811865475\n0\t2\t0.5\n1\t2\t0.7071067811865475\n"
        "2\t3\t0.7071067811865475\n2\t4\t0.5\n3\t4\t0.7071067811865475\n");
  CHECK(run_gssl({"build", points, "--knn", "2", "--weights", "unit", "--format", "csv"}).out ==
        "u,v\n0,1\n0,2\n1,2\n2,3\n2,4\n3,4\n");
  CHECK(run_gssl({"build", points, "--knn", "2", "--mutual", "--weights", "unit"}).out ==
        "u\tv\n0\t1\n1\t2\n2\t3\n3\t4\n");
  CHECK(run_gssl({"build", points, "--epsilon", "1.5", "--weights", "unit"}).out ==
        "u\tv\n0\t1\n1\t2\n2\t3\n3\t4\n");
  CHECK(run_gssl({"build", points, "--mst", "--weights", "unit"}).out ==
        "u\tv\n0\t1\n1\t2\n2\t3\n3\t4\n");
  CHECK(run_gssl({"build", points, "--knn", "2", "--spt", "2", "--weights", "unit"}).out ==
        "u\tv\n#gssl-vertex\t0\n#gssl-vertex\t1\n0\t2\n1\t2\n2\t3\n2\t4\n");
  CHECK(run_gssl({"build", "-", "--knn", "2", "--weights", "inverse"}, {.input = five}).out ==
        r.out);
}

TEST_CASE("a union with the spanning tree is connected, and without it the user is told") {
  const TemporaryDirectory dir;
  const std::string points = dir.file("p", pairs);
  const std::string summary = (dir.path() / "s.json").string();
  const std::string labels = (dir.path() / "l").string();
  const std::vector<std::string> base = {"build",          points,  "--id-column", "name",
                                         "--label-column", "class", "--knn",       "1",
                                         "--weights",      "unit"};
  const Result apart = run_gssl(base);
  CHECK(apart.status == 0);
  CHECK(apart.out == "u\tv\na\tb\nc\td\n");
  CHECK(apart.err.find("2 components") != std::string::npos);
  CHECK(apart.err.find("--mst") != std::string::npos);
  std::vector<std::string> joined = base;
  joined.insert(joined.end(), {"--mst", "--summary", summary, "--labels-out", labels});
  const Result r = run_gssl(joined);
  CHECK(r.out == "u\tv\na\tb\nb\tc\nc\td\n");
  CHECK(r.err.find("warning") == std::string::npos);
  CHECK(read_file(labels) == "node\tlabel\na\tl\nc\tr\n");
  const auto json = read_json(summary);
  CHECK(json["n"] == 4);
  CHECK(json["m"] == 3);
  CHECK(json["components"] == 1);
  CHECK(json["mst"]["length"] == 11.0);
  CHECK(json["knn"]["k"] == 1);
  CHECK(json["labelled"] == 2);
  CHECK(json["inputs"][0]["format"] == "table");
  CHECK_FALSE(json["inputs"][0].contains("edges_given"));
}

TEST_CASE("isolated points keep their place through write and read") {
  const TemporaryDirectory dir;
  const std::string graph = (dir.path() / "g").string();
  CHECK(run_gssl({"build", dir.file("p", "9\n0\n1\n50\n"), "--epsilon", "2", "-o", graph}).status ==
        0);
  CHECK(read_file(graph).starts_with("u\tv\tweight\n#gssl-vertex\t0\n1\t2\t"));
  CHECK(run_gssl({"info", graph}).out.find("isolated\t2\n") != std::string::npos);
}

TEST_CASE("the same bytes come out at any thread count and by any search") {
  std::vector<std::string> outputs;
  for (const char* threads : {"1", "3"}) {
    for (const char* search : {"automatic", "tree", "blocks", "projection"}) {
      outputs.push_back(
          run_gssl({"build", "datasets/two_moons/points.csv", "--label-column", "3", "--knn", "7",
                    "--epsilon", "0.05", "--mst", "--threads", threads, "--search", search})
              .out);
    }
  }
  CHECK(edges_in(outputs.front()) > 2000);
  for (const std::string& output : outputs) CHECK(output == outputs.front());
}

TEST_CASE(
    "build --approximate reports the recall it reached, and the same bytes for the same seed") {
  const TemporaryDirectory dir;
  std::string points;
  Rng rng(1);
  for (int row = 0; row < 3000; ++row)
    for (int c = 0; c < 16; ++c) points += std::to_string(rng.normal()) + (c < 15 ? "," : "\n");
  const std::string file = dir.file("p", points);
  const std::string summary = (dir.path() / "s.json").string();
  const auto build = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {"build", file, "--knn", "5", "--summary", summary});
    return run_gssl(more);
  };
  const Result exact = build({});
  CHECK_FALSE(read_json(summary).contains("recall"));
  const Result one = build({"--approximate=0.8", "--search", "descent", "--threads", "1"});
  CHECK(one.status == 0);
  const auto json = read_json(summary);
  CHECK(json["recall"].get<double>() >= 0.8);
  CHECK(json["recall"].get<double>() < 1.0);
  CHECK(json["knn"]["used"] == "descent");
  CHECK(json["knn"]["recall_requested"] == 0.8);
  CHECK(json["knn"]["recall_sample"] == 1024);
  CHECK(json["knn"]["recall_error"].get<double>() > 0.0);
  CHECK(one.err.find("(0.8 asked for)") != std::string::npos);
  CHECK(one.out != exact.out);
  CHECK(build({"--approximate=0.8", "--search", "descent", "--threads", "3"}).out == one.out);
  // Few points: the exact search is as fast.
  const Result automatic = build({"--approximate"});
  CHECK(automatic.out == exact.out);
  CHECK(automatic.err.find("exact, as there are too few points") != std::string::npos);
  CHECK(read_json(summary)["recall"] == 1.0);
  CHECK(read_json(summary)["knn"]["recall_requested"] == 0.98);
}

TEST_CASE("k of n or more, one point, no points and equal points are graphs too") {
  const TemporaryDirectory dir;
  const Result many = run_gssl({"build", dir.file("p", five), "--knn", "9"});
  CHECK(many.status == 0);
  CHECK(edges_in(many.out) == 10);
  CHECK(many.err.find("each has 4 neighbors") != std::string::npos);
  CHECK(run_gssl({"build", dir.file("p", "1,2\n"), "--knn", "3", "--mst"}).out ==
        "u\tv\n#gssl-vertex\t0\n");
  CHECK(run_gssl({"build", dir.file("p", ""), "--knn", "3", "--mst"}).status == 0);
  CHECK(edges_in(run_gssl({"build", dir.file("p", "1,2\n1,2\n1,2\n"), "--mst"}).out) == 2);
}

TEST_CASE("bad points and wrong options exit with their status and leave the old output alone") {
  struct Case {
    std::string points;
    std::vector<std::string> options;
    int status;
    const char* message;
  };
  const std::vector<Case> cases = {
      {"1,2\n3,nan\n", {"--knn", "1"}, 65, "p:2: column 2 is nan"},
      {"1,2\n3\n", {"--knn", "1"}, 65, "p:2: 1 field; expected 2"},
      {"1,a\n", {"--knn", "1"}, 65, "p:1: column 2 is a"},
      {"0,0\n1,1\n", {"--knn", "1", "--metric", "cosine"}, 65, "row 0"},
      {five, {}, 64, "--knn K, --epsilon R or --mst"},
      {five, {"--knn", "0"}, 64, "--knn"},
      {five, {"--mutual", "--mst"}, 64, "--mutual"},
      {five, {"--epsilon", "-1"}, 64, "--epsilon"},
      {five, {"--epsilon", "nan"}, 64, "--epsilon"},
      {five, {"--knn", "1", "--scale", "inf"}, 64, "--scale"},
      {five, {"--knn", "1", "--scale", "0"}, 64, "--scale"},
      {five, {"--knn", "1", "--scale", "2", "--weights", "unit"}, 64, "--weights unit"},
      {five, {"--epsilon", "1", "--max-edges", "0"}, 64, "--max-edges"},
      {five, {"--epsilon", "1", "--search", "tree"}, 64, "--search"},
      {five, {"--mst", "--graph", "g"}, 64, "no points beside it"},
      {five, {"--knn", "1", "--length", "unit"}, 64, "--length requires --graph"},
      {"1 1:2\n0 2:1\n", {"--knn", "1", "--header", "yes"}, 64, "--header yes"},
      {"1e308,1\n-1e308,2\n", {"--mst"}, 65, "divide all values"},
      {five, {"--knn", "1", "--spt", "7"}, 64, "--spt 7: no point"},
      {five, {"--knn", "1", "--labels-out", "/dev/null"}, 64, "--label-column"},
      {five, {"--knn", "1", "--metric", "hamming"}, 64, "--metric"},
      {five, {"--knn", "1", "--search", "inverted"}, 64, "inverted"},
      {five, {"--knn", "1", "--approximate=1.5"}, 64, "recall 1.5"},
      {five, {"--knn", "1", "--approximate=0"}, 64, "recall 0"},
      {five, {"--knn", "1", "--approximate=x"}, 64, "--approximate"},
      {five, {"--mst", "--approximate"}, 64, "--approximate"},
      {five, {"--knn", "1", "--search", "descent"}, 64, "descent"},
      {five, {"--knn", "1", "--search", "tree", "--approximate"}, 64, "tree is exact"},
      {five, {"--epsilon", "9", "--max-edges", "3"}, 71, "10 edges"},
      {five, {"--knn", "1", "--input-format", "npy"}, 65, ".npy"},
      {five, {"--knn", "1", "--label-column", "class"}, 65, "no column named class"},
  };
  for (const Case& c : cases) {
    INFO(c.message);
    const TemporaryDirectory dir;
    const std::string out = dir.file("out", "old\n");
    std::vector<std::string> arguments = {"build", dir.file("p", c.points), "-o", out};
    arguments.insert(arguments.end(), c.options.begin(), c.options.end());
    const Result r = run_gssl(arguments);
    INFO(r.err);
    CHECK(r.status == c.status);
    CHECK(r.err.find(c.message) != std::string::npos);
    CHECK(read_file(out) == "old\n");
    CHECK(std::distance(std::filesystem::directory_iterator(dir.path()), {}) == 2);
  }
  CHECK(run_gssl({"build", "no-such-file", "--knn", "1"}).status == 66);
  CHECK(run_gssl({"build", "--knn", "1"}).status == 64);
}

TEST_CASE("build --graph gives the spanning forest and the shortest-path tree of a graph") {
  //   a ─4─ b         the strongest ties: ab, bc, cd; from a by the fewest edges: ab, ac, cd
  //   1\   /2   e─f
  //      c ─5─ d
  const TemporaryDirectory dir;
  const std::string graph = dir.file("g", "a b 4\nb c 2\na c 1\nc d 5\ne f 3\n");
  const auto edges = [&](std::vector<std::string> options) {
    options.insert(options.begin(), {"build", "--graph", graph});
    const Result r = run_gssl(options);
    CHECK(r.status == 0);
    CHECK(r.err.find("warning: the graph falls into") != std::string::npos);
    return r.out;
  };
  CHECK(edges({"--mst"}) == "u\tv\tweight\na\tb\t4\nb\tc\t2\nc\td\t5\ne\tf\t3\n");
  CHECK(edges({"--mst", "--length", "weight"}) ==
        "u\tv\tweight\n#gssl-vertex\ta\n#gssl-vertex\tb\na\tc\t1\nb\tc\t2\nc\td\t5\ne\tf\t3\n");
  CHECK(edges({"--spt", "a", "--length", "unit"}) ==
        "u\tv\tweight\na\tb\t4\na\tc\t1\nc\td\t5\n#gssl-vertex\te\n#gssl-vertex\tf\n");
  CHECK(edges({"--mst", "--spt", "d"}) ==
        "u\tv\tweight\na\tb\t4\nb\tc\t2\nc\td\t5\n#gssl-vertex\te\n#gssl-vertex\tf\n");
  const std::vector<std::pair<std::vector<std::string>, const char*>> wrong = {
      {{}, "--mst or --spt"},
      {{"--spt", "x"}, "--spt x: no such vertex"},
      {{"--mst", "--knn", "2"}, "--knn is for points"},
      {{"--mst", "--metric", "cosine"}, "--metric is for points"},
      {{"--mst", graph}, "no points beside it"},
      {{"--mst", "--labels-out", "x"}, "nor labels"}};
  for (const auto& [options, message] : wrong) {
    std::vector<std::string> arguments = {"build", "--graph", graph};
    arguments.insert(arguments.end(), options.begin(), options.end());
    const Result r = run_gssl(arguments);
    CHECK(r.status == 64);
    INFO(r.err);
    CHECK(r.err.find(message) != std::string::npos);
  }
}

TEST_CASE("label --points finds what is wrong with labels before it builds the graph") {
  const TemporaryDirectory dir;
  const std::string points = dir.file("p", five), graph = dir.file("g", "0 1\n");
  const std::string labels = dir.file("l", "0 x\n9 y\n");
  struct Case {
    std::vector<std::string> arguments;
    int status;
    const char* message;
  };
  const std::vector<Case> cases = {
      {{"--points", points, "--knn", "1", labels}, 65, "l:2: vertex 9 is not in the graph"},
      {{"--points", points, "--knn", "1"}, 64, "no labels"},
      {{"--points", points, "--knn", "1", "absent"}, 66, "absent: cannot open"},
      {{"--points", points, "--knn", "1", labels, "--regression", "--unknown-labels", "ignore"},
       65,
       "l:1: target x"},
      {{"--points", points, "--knn", "1", labels, "--unknown-labels", "add", "--spt", "9"},
       64,
       "--spt 9: no point"},
      {{graph, labels, "--metric", "cosine"}, 64, "--metric is for a graph that is built"},
      {{"--points", points, labels, "--method", "eigenfunction", "--weights", "unit"},
       64,
       "--weights is for building"}};
  for (const Case& c : cases) {
    std::vector<std::string> arguments = {"label"};
    arguments.insert(arguments.end(), c.arguments.begin(), c.arguments.end());
    const Result r = run_gssl(arguments);
    INFO(r.err);
    CHECK(r.status == c.status);
    CHECK(r.err.find(c.message) != std::string::npos);
    CHECK(r.err.find("5 vertices") == std::string::npos);
  }
  const Result r = run_gssl(
      {"label", "--points", points, "--knn", "1", "--mst", labels, "--unknown-labels", "add"});
  CHECK(r.status == 0);
  CHECK(r.out.find("9\ty\t1\tgiven") != std::string::npos);
}

TEST_CASE("label --points builds and labels in one go, as build and label do one after the other") {
  const TemporaryDirectory dir;
  const std::string graph = (dir.path() / "g").string();
  const std::string labels = "datasets/iris/labels.tsv";
  const std::vector<std::string> how = {"--label-column", "class", "--knn", "8", "--mst"};
  const auto with = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.end(), how.begin(), how.end());
    return run_gssl(arguments);
  };
  REQUIRE(with({"build", "datasets/iris/points.csv", "-o", graph}).status == 0);
  const Result one = with({"label", "--points", "datasets/iris/points.csv", labels});
  REQUIRE(one.status == 0);
  CHECK(one.out == run_gssl({"label", graph, labels}).out);
  // Without LABELS the rows that have a label give it.
  const Result own = run_gssl({"label", "--points", dir.file("p", pairs), "--id-column", "name",
                               "--label-column", "class", "--knn", "1"});
  CHECK(own.out ==
        "node\tlabel\tconfidence\tstatus\na\tl\t1\tgiven\nb\tl\t1\tinferred\n"
        "c\tr\t1\tgiven\nd\tr\t1\tinferred\n");
  CHECK(own.err.find("2 components") != std::string::npos);
  CHECK(own.err.find("--mst") != std::string::npos);
  const std::string points = dir.file("q", five);
  CHECK(run_gssl({"label", "--points", points, labels}).status == 64);
  CHECK(run_gssl({"label", "--points", points, "--knn", "2"}).status == 64);
  CHECK(run_gssl({"label", "--points", points, "--knn", "2", graph, labels}).status == 64);
  CHECK(run_gssl({"label", graph, labels, "--knn", "2"}).status == 64);
}

TEST_CASE("label --extend labels points that are not in the graph, after those that are or apart") {
  const TemporaryDirectory dir;
  const std::string points = dir.file("p", pairs);
  const std::string others = dir.file("n", "name,x,class\nq,0.4,l\na,10.5,l\nf,99,r\n");
  const std::string summary = (dir.path() / "s.json").string();
  const std::string apart = (dir.path() / "apart").string();
  const std::string scores = (dir.path() / "scores").string();
  const std::vector<std::string> base = {
      "label", "--points", points,     "--id-column", "name",      "--label-column", "class",
      "--knn", "1",        "--extend", others,        "--summary", summary};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), base.begin(), base.end());
    return run_gssl(more);
  };
  const std::string old_rows =
      "node\tlabel\tconfidence\tstatus\na\tl\t1\tgiven\nb\tl\t1\tinferred\n"
      "c\tr\t1\tgiven\nd\tr\t1\tinferred\n";
  const Result r = with({"--scores", scores});
  CHECK(r.status == 0);
  CHECK(r.out ==
        old_rows + "new:q\tl\t1\tinferred\nnew:a\tr\t1\tinferred\nnew:f\tr\t1\tinferred\n");
  CHECK(read_file(scores).ends_with("new:q\t1\t0\nnew:a\t0\t1\nnew:f\t0\t1\n"));
  const auto json = read_json(summary);
  CHECK(json["extend"]["points"] == 3);
  CHECK(json["extend"]["inferred"] == 3);
  CHECK(json["extend"]["measured"] == 3);
  CHECK(json["extend"]["accuracy"].get<double>() == Approx(2.0 / 3.0));
  CHECK(json["columns"] == 1);
  CHECK(json["inputs"].size() == 2);
  CHECK(with({"--extend-output", apart, "--weights", "self-tuning"}).out == old_rows);
  CHECK(read_file(apart) ==
        "node\tlabel\tconfidence\tstatus\nq\tl\t1\tinferred\na\tr\t1\tinferred\n"
        "f\tr\t1\tinferred\n");

  const auto bad = [&](const std::vector<std::string>& arguments, int status, const char* message) {
    INFO(message);
    const Result result = run_gssl(arguments);
    CHECK(result.status == status);
    CHECK(result.err.find(message) != std::string::npos);
  };
  const std::string labels = dir.file("l", "0 x\n4 y\n");
  const std::string square = dir.file("five", five);
  bad({"label", "--points", square, labels, "--mst", "--extend", square}, 64, "--knn");
  bad({"label", square, labels, "--knn", "1", "--extend", square}, 64, "--extend");
  bad({"label", "--points", square, labels, "--knn", "1", "--extend-output", apart}, 64,
      "--extend");
  bad({"label", "--points", square, labels, "--knn", "1", "--extend", dir.file("w", "1,2,3\n")}, 65,
      "3 columns; expected 2");
  bad({"label", "--points", dir.file("v", "name,x\nnew:0,1\n4,2\n0,3\n"), "--id-column", "name",
       labels, "--knn", "1", "--extend", dir.file("u", "name,x\n0,7\n")},
      65, "new:0");
  bad({"label", "--points", square, labels, "--knn", "1", "--extend", "no-such"}, 66, "no-such");
}

TEST_CASE("libsvm points of fewer columns are extended with zeros") {
  const TemporaryDirectory dir;
  const std::string points = dir.file("p", "1 1:1 900:2\n2 5:1\n? 1:1 900:1\n");
  const Result r = run_gssl({"label", "--points", points, "--knn", "1", dir.file("l", "0 1\n1 2\n"),
                             "--extend", dir.file("n", "1 5:1\n2 1:1\n")});
  CHECK(r.status == 0);
  CHECK(r.out.find("new:0\t2\t1\tinferred\nnew:1\t") != std::string::npos);
}

TEST_CASE("iris from points to labels has the accuracy of the bundled graph") {
  const TemporaryDirectory dir;
  const auto path = [&](const char* name) { return (dir.path() / name).string(); };
  REQUIRE(run_gssl({"build", "datasets/iris/points.csv", "--label-column", "class", "--knn", "10",
                    "--scale", "1.6068643", "-o", path("g"), "--labels-out", path("t")})
              .status == 0);
  const auto accuracy = [&](const std::string& graph, const std::string& truth) {
    const Result r = run_gssl({"label", graph, "datasets/iris/labels.tsv", "--truth", truth,
                               "--summary", path("s"), "-o", path("out")});
    CHECK(r.status == 0);
    return accuracy_of(read_file(path("s")));
  };
  const double bundled = accuracy("datasets/iris/edges.tsv", "datasets/iris/truth.tsv");
  // Two more edges: ties of distances rounded to 9 decimals there, of exact distances here.
  CHECK(accuracy(path("g"), path("t")) == Approx(bundled).margin(0.02));
}

TEST_CASE("digits from points to labels has the accuracy of the reference") {
  const auto points = shared_path("data/points/sklearn/digits.csv.gz");
  const auto one_each = shared_path("reference/points/digits.labelled_1_per_class.txt");
  const auto five_each = shared_path("reference/points/digits.labelled_5_per_class.txt");
  const auto reference = shared_path("reference/points/points.json");
  if (!points || !one_each || !five_each || !reference) {
    WARN("skipped: ../shared is absent");
    return;
  }
  const TemporaryDirectory dir;
  const auto path = [&](const char* name) { return (dir.path() / name).string(); };
  // exp(−d²/(2σ²)) with the σ of the reference
  const auto digits = read_json(*reference)["digits"];
  const double sigma = digits["sigma_mean_kth_distance"];
  std::ostringstream scale;
  scale.precision(17);
  scale << 1.0 / (2.0 * sigma * sigma);
  REQUIRE(run_gssl({"build", points->string(), "--label-column", "65", "--knn", "10", "--scale",
                    scale.str(), "-o", path("g"), "--labels-out", path("t")})
              .status == 0);
  CHECK(edges_in(read_file(path("g"))) == digits["union_edges"]);
  std::istringstream truth_text(read_file(path("t")));
  std::vector<std::string> truth;
  std::string line;
  std::getline(truth_text, line);
  while (std::getline(truth_text, line)) truth.push_back(line);
  for (const char* each : {"1", "5"}) {
    const std::string key = std::string("harmonic_gauss_") + each + "_per_class";
    std::istringstream splits(read_file(each == std::string("1") ? *one_each : *five_each));
    for (std::size_t split = 0; split < 3 && std::getline(splits, line); ++split) {
      INFO(key << ", split " << split);
      std::istringstream rows(line);
      std::string labels;
      for (std::size_t row = 0; rows >> row;) labels += truth.at(row) + "\n";
      const Result r = run_gssl({"label", path("g"), dir.file("l", labels), "--truth", path("t"),
                                 "--summary", path("s"), "-o", path("out")});
      REQUIRE(r.status == 0);
      CHECK(accuracy_of(read_file(path("s"))) ==
            Approx(digits[key]["acc"][split].get<double>()).margin(1e-9));
    }
  }
}

TEST_CASE("digits that were not in the graph are labeled about as well as those that were") {
  const auto points = shared_path("data/points/sklearn/digits.csv.gz");
  if (!points) {
    WARN("skipped: ../shared is absent");
    return;
  }
  const TemporaryDirectory dir;
  std::istringstream rows(run_shell("gzip -dc " + points->string()).out);
  std::string old_rows, new_rows, labels, line;
  for (int row = 0; std::getline(rows, line); ++row) {
    const std::size_t comma = line.rfind(',');
    if (row < 1347) {
      old_rows += line + "\n";
      if (row < 100) labels += std::to_string(row) + "\t" + line.substr(comma + 1) + "\n";
    } else {
      new_rows += line + "\n";
    }
  }
  const std::string summary = (dir.path() / "s").string();
  REQUIRE(run_gssl({"label", "--points", dir.file("p", old_rows), "--label-column", "65", "--knn",
                    "10", dir.file("l", labels), "--extend", dir.file("n", new_rows), "--summary",
                    summary, "-o", (dir.path() / "out").string()})
              .status == 0);
  const auto json = read_json(summary);
  CHECK(json["extend"]["measured"] == 450);
  CHECK(json["extend"]["accuracy"].get<double>() > 0.93);
}

TEST_CASE("MNIST-10k from an idx file to labels") {
  const auto images = shared_path("data/points/mnist_t10k/t10k-images-idx3-ubyte.gz");
  const auto classes = shared_path("data/points/mnist_t10k/t10k-labels-idx1-ubyte.gz");
  if (!images || !classes) {
    WARN("skipped: ../shared is absent");
    return;
  }
  const TemporaryDirectory dir;
  const auto path = [&](const char* name) { return (dir.path() / name).string(); };
  const std::string bytes =
      run_shell("gzip -dc " + classes->string()).out.substr(8);  // one byte a label
  REQUIRE(bytes.size() == 10000);
  std::string truth;
  std::string labels;
  std::array<int, 10> given{};
  for (std::size_t row = 0; row < bytes.size(); ++row) {
    const std::string line = std::to_string(row) + "\t" + std::to_string(int{bytes[row]}) + "\n";
    truth += line;
    if (++given.at(static_cast<std::size_t>(bytes[row])) <= 10) labels += line;
  }
  REQUIRE(run_gssl({"build", images->string(), "--knn", "10", "-o", path("g")}).status == 0);
  const Result r = run_gssl({"label", path("g"), dir.file("l", labels), "--truth",
                             dir.file("t", truth), "--summary", path("s"), "-o", path("out")});
  REQUIRE(r.status == 0);
  const double exact = accuracy_of(read_file(path("s")));
  CHECK(exact > 0.75);
  // A few neighbors less change little.
  const Result approximate =
      run_gssl({"label", "--points", images->string(), "--knn", "10", "--approximate=0.95",
                "--search", "descent", (dir.path() / "l").string(), "--truth", path("t"),
                "--summary", path("s"), "-o", path("out")});
  REQUIRE(approximate.status == 0);
  CHECK(accuracy_of(read_file(path("s"))) == Approx(exact).margin(0.02));
  CHECK(read_json(path("s"))["recall"].get<double>() >= 0.95);
}
