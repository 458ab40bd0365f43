// gssl build: points to graphs.

#include "gssl/core/rng.hpp"
#include "read_json.hpp"
#include "run_gssl.hpp"
#include "small_points.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

using namespace gssl::test;
using gssl::Rng;

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
  // Their union: the tree of shortest paths alone has no ef, and the forest no ac.
  CHECK(edges({"--mst", "--spt", "d", "--length", "inverse"}) ==
        "u\tv\tweight\na\tb\t4\nb\tc\t2\nc\td\t5\ne\tf\t3\n");
  const std::string other = dir.file("h", "a b 4\nb c 2\na c 1.9\n");
  CHECK(run_gssl({"build", "--graph", other, "--mst", "--spt", "a", "--quiet"}).out ==
        "u\tv\tweight\na\tb\t4\na\tc\t1.9\nb\tc\t2\n");
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
