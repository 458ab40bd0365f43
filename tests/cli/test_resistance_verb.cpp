// gssl resistance: which rows, which columns, what is refused.

#include <cmath>
#include <sstream>

#include "read_json.hpp"
#include "run_gssl.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

using namespace gssl::test;

namespace {

//   a ═ b        d - e      a-b twice as strong as the two of a - c - b; f alone
//    \ /
//     c
const char* const weighted_edges = "a b 2\nb c 1\nc a 1\nd e 4\n#gssl-vertex\tf\n";

Result resistance(const TemporaryDirectory& dir, std::vector<std::string> options) {
  std::vector<std::string> arguments = {"resistance", dir.file("g", weighted_edges)};
  arguments.insert(arguments.end(), options.begin(), options.end());
  return run_gssl(arguments);
}

}  // namespace

TEST_CASE("every edge has its resistance, commute time and share of spanning trees") {
  const TemporaryDirectory dir;
  const std::string summary = (dir.path() / "s").string();
  const Result r =
      resistance(dir, {"--edges", "--commute", "--centrality", "--summary", summary, "--quiet"});
  CHECK(r.status == 0);
  std::istringstream text(r.out);
  std::string header, u, v;
  std::getline(text, header);
  CHECK(header == "u\tv\tresistance\tcommute\tcentrality");
  struct Row {
    const char *u, *v;
    double resistance, commute, centrality;
  };
  // a-b: 2 beside 1/2 in series; a-c: 1 beside 2/3; volume 8.
  const std::vector<Row> rows = {{"a", "b", 0.4, 3.2, 0.8},
                                 {"a", "c", 0.6, 4.8, 0.6},
                                 {"b", "c", 0.6, 4.8, 0.6},
                                 {"d", "e", 0.25, 2.0, 1.0}};
  for (const Row& row : rows) {
    double resistance = 0.0, commute = 0.0, centrality = 0.0;
    text >> u >> v >> resistance >> commute >> centrality;
    CHECK(u == row.u);
    CHECK(v == row.v);
    CHECK(resistance == Approx(row.resistance));
    CHECK(commute == Approx(row.commute));
    CHECK(centrality == Approx(row.centrality));
  }
  const auto json = read_json(summary);
  CHECK(json["foster_sum"].get<double>() == Approx(3.0));
  CHECK(json["foster_expected"] == 3.0);
  CHECK(json["components"] == 3);
  CHECK(json["solver"]["used"] == "factor");
  CHECK(json["backward_error"].get<double>() < 1e-14);
}

TEST_CASE("pairs keep their order and repetitions, and are infinite between components") {
  const TemporaryDirectory dir;
  const std::string pairs = dir.file("p", "u v\ne d\nf f\na d\nf a\n# again\ne d\n");
  for (const char* method : {"automatic", "factor", "solves"}) {
    INFO(method);
    const Result r =
        resistance(dir, {"--pairs", pairs, "--commute", "--method", method, "--format", "csv"});
    CHECK(r.status == 0);
    CHECK(r.out ==
          "u,v,resistance,commute\ne,d,0.25,2\nf,f,0,0\na,d,inf,inf\nf,a,inf,inf\ne,d,0.25,2\n");
  }
}

TEST_CASE("pairs with nothing to solve, or no pairs at all, are said to be so") {
  const TemporaryDirectory dir;
  const std::string summary = (dir.path() / "s").string();
  struct Case {
    std::vector<std::string> options;
    std::string rows, sentence;
  };
  const std::string empty = dir.file("empty", "# none\n");
  const std::string apart = dir.file("apart", "f f\na d\n");
  const std::string no_pairs = "0 pairs, none of two vertices of one component: nothing to solve";
  const std::string from_f = "f\ta\tinf\nf\tb\tinf\nf\tc\tinf\nf\td\tinf\nf\te\tinf\nf\tf\t0\n";
  for (const Case& c : std::vector<Case>{
           {{"--pairs", empty}, "", no_pairs},
           {{"--pairs", empty, "--p", "3"}, "", "0 pairs: nothing to solve"},
           {{"--pairs", empty, "--epsilon", "0.1", "--method", "sketch"}, "", no_pairs},
           {{"--pairs", apart},
            "f\tf\t0\na\td\tinf\n",
            "2 pairs, none of two vertices of one component: nothing to solve"},
           {{"--from", "f", "--epsilon", "0.1", "--method", "sketch"},
            from_f,
            "6 pairs, none of two vertices of one component: nothing to solve"}}) {
    CAPTURE(c.options);
    std::vector<std::string> options = c.options;
    options.insert(options.end(), {"--summary", summary});
    const Result r = resistance(dir, options);
    CHECK(r.status == 0);
    CHECK(r.out == "u\tv\tresistance\n" + c.rows);
    CHECK(r.err.find("resistance: " + c.sentence + "\n") != std::string::npos);
    const auto json = read_json(summary);
    CHECK(json["solver"]["used"] == "none");
    CHECK(json["solver"]["sentence"] == c.sentence);
  }
}

TEST_CASE("totals are by component, and the diagonal is that of the pseudo-inverse") {
  const TemporaryDirectory dir;
  const std::string totals = resistance(dir, {"--total"}).out;
  CHECK(totals.starts_with("component\tvertices\ttotal\na\t3\t1.6"));
  CHECK(totals.ends_with("\nd\t2\t0.25\nf\t1\t0\n"));
  // d, e: ±1/2 of 1/4 each way.
  const Result diagonal = resistance(dir, {"--diagonal", "--format", "jsonl"});
  CHECK(diagonal.out.find("{\"node\":\"d\",\"diagonal\":0.0625}") != std::string::npos);
  CHECK(diagonal.out.find("{\"node\":\"f\",\"diagonal\":0}") != std::string::npos);
}

TEST_CASE("the distances from one vertex have a row for every vertex") {
  const TemporaryDirectory dir;
  CHECK(resistance(dir, {"--from", "e"}).out ==
        "u\tv\tresistance\ne\ta\tinf\ne\tb\tinf\ne\tc\tinf\ne\td\t0.25\ne\te\t0\ne\tf\tinf\n");
}

TEST_CASE("hitting times count the steps to one vertex, infinite where no walk leads") {
  const TemporaryDirectory dir;
  CHECK(resistance(dir, {"--hitting", "e"}).out ==
        "u\tv\thitting\na\te\tinf\nb\te\tinf\nc\te\tinf\nd\te\t1\ne\te\t0\nf\te\tinf\n");
}

TEST_CASE("absorption is the chance of meeting one target before the others") {
  const TemporaryDirectory dir;
  // From c: half of the way to a and to b each.
  const Result r = resistance(dir, {"--absorption", "a", "--absorption", "b", "--absorption", "d"});
  CHECK(r.status == 0);
  CHECK(r.out ==
        "node\ta\tb\td\na\t1\t0\t0\nb\t0\t1\t0\nc\t0.5\t0.5\t0\nd\t0\t0\t1\ne\t0\t0\t1\n"
        "f\t0\t0\t0\n");
  const std::string path = dir.file("path", "1 2\n2 3\n3 4\n4 5\n5 6\n");
  const Result line = run_gssl({"resistance", path, "--absorption", "6", "--absorption", "1"});
  std::istringstream text(line.out);
  std::string header;
  std::getline(text, header);
  CHECK(header == "node\t6\t1");
  double node = 0.0, there = 0.0, back = 0.0;
  for (int v = 1; v <= 6; ++v) {
    text >> node >> there >> back;
    CHECK(there == Approx((v - 1) / 5.0).margin(1e-12));
    CHECK(there + back == Approx(1.0));
  }
  CHECK(resistance(dir, {"--absorption", "a", "--strict"}).status == 1);
  CHECK(run_gssl({"resistance", path, "--absorption", "1", "--strict"}).status == 0);
}

TEST_CASE("under --strict infinite values are told by the exit status") {
  const TemporaryDirectory dir;
  const std::string inside = dir.file("in", "a b\n"), between = dir.file("out", "a b\na f\n");
  CHECK(resistance(dir, {"--strict", "--pairs", inside}).status == 0);
  CHECK(resistance(dir, {"--strict", "--edges"}).status == 0);
  const Result r = resistance(dir, {"--strict", "--pairs", between});
  CHECK(r.status == 1);
  CHECK(r.err.find("--strict: 1 values are infinite or of no target") != std::string::npos);
  CHECK(resistance(dir, {"--strict", "--hitting", "a"}).status == 1);
  CHECK(resistance(dir, {"--strict", "--from", "a", "--epsilon", "0.5"}).status == 1);
}

TEST_CASE("a sketch says what it promises and how it was reached") {
  const TemporaryDirectory dir;
  const std::string summary = (dir.path() / "s").string();
  const std::vector<std::string> arguments = {"resistance", "datasets/digits/edges.tsv",
                                              "--edges",    "--epsilon",
                                              "0.4",        "--method",
                                              "sketch",     "--summary",
                                              summary,      "--quiet"};
  const Result r = run_gssl(arguments);
  CHECK(r.status == 0);
  const auto json = read_json(summary);
  CHECK(json["solver"]["used"] == "sketch");
  CHECK(json["relative_error_bound"].get<double>() <= 0.4);
  CHECK(json["failure_probability"] == 0.01);
  CHECK(json["foster_sum"].get<double>() ==
        Approx(json["foster_expected"].get<double>()).epsilon(0.1));
}

TEST_CASE("Foster's sum holds on every data set") {
  std::vector<std::filesystem::path> graphs;
  for (const char* name : {"breast_cancer", "digits", "iris", "two_moons", "wine"})
    graphs.push_back(source_path("datasets/" + std::string(name) + "/edges.tsv"));
  graphs.push_back(source_path("datasets/lesmis/lesmis.graph"));
  std::vector<std::string> shared;
  for (const std::string name : {"PGPgiantcompo", "jazz", "power", "rgg_n_2_15_s0"})
    shared.push_back("metis/" + name + ".graph");
  for (const std::string name : {"cora", "dolphins", "eu-core", "football", "karate", "news_2cl_1",
                                 "news_3cl_1_0.1", "polblogs", "polbooks", "yeast_ppi"})
    shared.push_back(name + "/plain/" + name + ".edges.txt");
  for (const std::string& name : shared) {
    if (const auto path = shared_path("data/graphs/" + name))
      graphs.push_back(*path);
    else
      WARN("skipped: ../shared is absent");
  }
  for (const auto& path : graphs) {
    INFO(path);
    const TemporaryDirectory dir;
    const std::string summary = (dir.path() / "s").string();
    const Result r =
        run_gssl({"resistance", path.string(), "--edges", "-o", "/dev/null", "--summary", summary});
    REQUIRE(r.status == 0);
    const auto json = read_json(summary);
    const double expected = json["n"].get<double>() - json["components"].get<double>();
    CHECK(json["foster_expected"] == expected);
    CHECK(json["foster_sum"].get<double>() == Approx(expected).epsilon(1e-10));
  }
}

TEST_CASE("what is wrong with a resistance command is said") {
  const TemporaryDirectory dir;
  const std::string unknown = dir.file("p", "a b\na z\n"), known = dir.file("k", "a b\n");
  struct Case {
    std::vector<std::string> options;
    int status;
    const char* message;
  };
  const std::vector<Case> cases = {
      {{}, 64, "give one of"},
      {{"--edges", "--total"}, 64, "give one of"},
      {{"--total", "--commute"}, 64, "--commute"},
      {{"--from", "a", "--centrality"}, 64, "--centrality"},
      {{"--edges", "--method", "magic"}, 64, "--method"},
      {{"--edges", "--method", "solves"}, 64, "pairs"},
      {{"--edges", "--tolerance", "2"}, 64, "tolerance"},
      {{"--edges", "--method", "sketch"}, 64, "give --epsilon"},
      {{"--edges", "--method", "factor", "--epsilon", "0.1"}, 64, "--epsilon: is for sketches"},
      {{"--pairs", known, "--method", "solves", "--epsilon", "0.1"},
       64,
       "--epsilon: is for sketches"},
      {{"--pairs", known, "--method", "factor", "--tolerance", "1e-6"},
       64,
       "--tolerance: is of solves"},
      {{"--hitting", "a", "--epsilon", "0.1"}, 64, "--hitting"},
      {{"--hitting", "a", "--method", "factor"}, 64, "--hitting"},
      {{"--edges", "--epsilon", "1"}, 64, "epsilon"},
      {{"--edges", "--method", "sketch"}, 64, "epsilon"},
      {{"--hitting", "z"}, 64, "--hitting z"},
      {{"--absorption", "z"}, 64, "--absorption z: no such vertex"},
      {{"--absorption", "a", "--absorption", "a"}, 64, "--absorption a: is given twice"},
      {{"--absorption", "a", "--total"}, 64, "give one of"},
      {{"--absorption", "a", "--commute"}, 64, "--commute"},
      {{"--absorption", "a", "--epsilon", "0.1"}, 64, "--absorption"},
      {{"--from", "z"}, 64, "--from z"},
      {{"--pairs", unknown}, 65, "p:2: vertex z"},
      {{"--pairs", dir.file("three", "a b c\n")}, 65, "three:1:"},
      {{"--pairs", dir.file("unknown", "999 888\na b\n")}, 65, "unknown:1: vertex 999"},
      {{"--pairs", dir.file("words", "x y\na b\n")}, 65, "words:1:"},
      {{"--pairs", "no-such-file"}, 66, "no-such-file"},
  };
  for (const Case& c : cases) {
    INFO(c.message);
    const std::string out = dir.file("out", "old\n");
    std::vector<std::string> options = c.options;
    options.insert(options.end(), {"-o", out});
    const Result r = resistance(dir, options);
    CHECK(r.status == c.status);
    INFO(r.err);
    CHECK(r.err.find(c.message) != std::string::npos);
    CHECK(read_file(out) == "old\n");
  }
}

TEST_CASE("p-resistances of pairs follow the laws of series and of parallel wires") {
  const TemporaryDirectory dir;
  const std::string summary = (dir.path() / "s").string();
  const Result r = resistance(dir, {"--pairs", dir.file("p", "a b\na c\na a\na f\n"), "--p", "3",
                                    "--summary", summary, "--quiet"});
  CHECK(r.status == 0);
  std::istringstream text(r.out);
  std::string header, u, v, value;
  std::getline(text, header);
  CHECK(header == "u\tv\tresistance");
  // Two wires of 1 in series: (1 + 1)^2; a-b: 2 beside 1/4; a-c: 1 beside 1/(1 + sqrt(1/2))^2.
  const double detour = std::pow(1.0 + std::sqrt(0.5), -2.0);
  for (const double expected : {1.0 / 2.25, 1.0 / (1.0 + detour), 0.0}) {
    text >> u >> v >> value;
    CHECK(std::stod(value) == Approx(expected).epsilon(1e-6));
  }
  text >> u >> v >> value;
  CHECK(value == "inf");
  CHECK(read_json(summary)["duality_gap"].size() == 4);
}

TEST_CASE("the gap of a p-resistance is the one asked for") {
  const TemporaryDirectory dir;
  const std::string pairs = dir.file("p", "0 62\n");
  // A grid of 7 x 9, so that there is something to converge.
  std::string edges;
  for (int i = 0; i < 63; ++i) {
    if (i % 7 != 6) edges += std::to_string(i) + " " + std::to_string(i + 1) + "\n";
    if (i + 7 < 63) edges += std::to_string(i) + " " + std::to_string(i + 7) + "\n";
  }
  const std::string grid = dir.file("grid", edges);
  const auto gap = [&](const std::string& tolerance) {
    const std::string summary = (dir.path() / "s").string();
    const Result r = run_gssl({"resistance", grid, "--pairs", pairs, "--p", "7", "--tolerance",
                               tolerance, "--summary", summary, "--quiet"});
    CHECK(r.status == 0);
    return read_json(summary)["duality_gap"].get<double>();
  };
  CHECK(gap("1e-11") <= 1e-11);
  const double rough = gap("0.2");
  CHECK(rough <= 0.2);
  CHECK(rough > 1e-6);
}

TEST_CASE("what does not go with --p is refused") {
  const TemporaryDirectory dir;
  const std::string pairs = dir.file("q", "a b\n");
  CHECK(resistance(dir, {"--edges", "--p", "3"}).status == 64);
  const std::vector<std::vector<std::string>> wrong = {{"--p", "1"},
                                                       {"--p", "0.5"},
                                                       {"--p", "-2"},
                                                       {"--p", "nan"},
                                                       {"--p", "inf"},
                                                       {"--p", "three"},
                                                       {"--p", "3", "--tolerance", "0"},
                                                       {"--p", "3", "--tolerance", "1"},
                                                       {"--p", "3", "--method", "factor"},
                                                       {"--p", "3", "--epsilon", "0.1"},
                                                       {"--p", "3", "--commute"}};
  for (std::vector<std::string> options : wrong) {
    CAPTURE(options);
    options.insert(options.end(), {"--pairs", pairs});
    const Result r = resistance(dir, options);
    CHECK(r.status == 64);
    CHECK(r.out.empty());
  }
}
