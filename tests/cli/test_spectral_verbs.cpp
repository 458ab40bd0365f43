// gssl spectrum and gssl cluster as their users meet them.

#include <cmath>
#include <sstream>

#include "read_json.hpp"
#include "run_gssl.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

using namespace gssl::test;

namespace {

std::vector<std::vector<std::string>> rows_of(const std::string& table) {
  std::vector<std::vector<std::string>> rows;
  std::istringstream lines(table);
  for (std::string line; std::getline(lines, line);) {
    rows.emplace_back();
    std::istringstream cells(line);
    for (std::string cell; std::getline(cells, cell, '\t');) rows.back().push_back(cell);
  }
  return rows;
}

}  // namespace

TEST_CASE("spectrum prints index, eigenvalue and residual, and the vectors on request") {
  const TemporaryDirectory dir;
  // A path of three and a vertex joined to itself only: L has 0, 0, 1, 3.
  const std::string graph = dir.file("g", "a b\nb c\nd d\n");
  const std::string vectors = (dir.path() / "v").string();
  const std::string summary = (dir.path() / "s").string();
  const Result r = run_gssl({"spectrum", graph, "-k", "9", "--laplacian", "combinatorial",
                             "--vectors", vectors, "--summary", summary});
  INFO(r.err);
  REQUIRE(r.status == 0);
  const auto rows = rows_of(r.out);
  REQUIRE(rows.size() == 5);
  CHECK(rows[0] == std::vector<std::string>{"index", "eigenvalue", "residual"});
  const double expected[] = {0.0, 0.0, 1.0, 3.0};
  for (std::size_t j = 0; j < 4; ++j) {
    CHECK(rows[j + 1][0] == std::to_string(j + 1));
    CHECK(std::stod(rows[j + 1][1]) == Approx(expected[j]).margin(1e-12));
    CHECK(std::stod(rows[j + 1][2]) < 1e-12);
  }
  CHECK(rows[1][1] == "0");
  const auto table = rows_of(read_file(vectors));
  REQUIRE(table.size() == 5);
  CHECK(table[0] == std::vector<std::string>{"node", "1", "2", "3", "4"});
  CHECK(table[4] == std::vector<std::string>{"d", "0", "1", "0", "0"});
  CHECK(std::stod(table[1][3]) == Approx(std::sqrt(0.5)));  // (1, 0, −1)/√2, first positive
  const auto json = read_json(summary);
  CHECK(json["residuals"].size() == 4);
  CHECK(json["eigenvalues"][3].get<double>() == Approx(3.0));
  CHECK(json["spectrum"]["zeros"] == 2);
  CHECK(json["spectrum"]["outcome"] == "converged");
  CHECK(json["components"] == 2);
}

TEST_CASE("spectrum takes the same bytes to any number of threads, and all methods agree") {
  const std::vector<std::string> base = {"spectrum", "datasets/digits/edges.tsv", "-k", "6"};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), base.begin(), base.end());
    const Result r = run_gssl(more);
    INFO(r.err);
    CHECK(r.status == 0);
    return r.out;
  };
  const std::string one = with({"--threads", "1"});
  CHECK(with({"--threads", "3"}) == one);
  const auto rows = rows_of(one);
  for (const char* method : {"lanczos", "inversion"}) {
    const auto other = rows_of(with({"--method", method}));
    REQUIRE(other.size() == rows.size());
    for (std::size_t j = 1; j < rows.size(); ++j)
      CHECK(std::stod(other[j][1]) == Approx(std::stod(rows[j][1])).epsilon(1e-6));
  }
}

TEST_CASE("cluster writes node and cluster, objectives and agreement with a truth") {
  const TemporaryDirectory dir;
  const std::string graph = dir.file("g", "a b 1\nb c 1\na c 1\nx y 1\ny z 1\nx z 1\nc x 0.5\n");
  const std::string truth = dir.file("t", "a 1\nb 1\nc 1\nx 2\ny 2\nz 2\nw 2\n");
  const std::string summary = (dir.path() / "s").string();
  const std::string expected = "node\tcluster\na\t1\nb\t1\nc\t1\nx\t2\ny\t2\nz\t2\n";
  const Result r = run_gssl({"cluster", graph, "-k", "2", "--truth", truth, "--summary", summary});
  INFO(r.err);
  CHECK(r.status == 0);
  CHECK(r.out == expected);
  const auto json = read_json(summary);
  CHECK(json["nmi"].get<double>() == Approx(1.0));
  CHECK(json["ari"].get<double>() == Approx(1.0));
  CHECK(json["truth_unknown_ignored"] == 1);
  CHECK(json["clusters"] == 2);
  CHECK(json["objectives"]["cut"].get<double>() == Approx(0.5));
  CHECK(json["objectives"]["ncut"].get<double>() == Approx(0.5 / 6.5 * 2));
  CHECK(json["residuals"].size() == 2);
  CHECK(json["method"].get<std::string>().starts_with("spectral:variant=shi-malik"));
  CHECK(run_gssl({"cluster", graph, "-k", "auto"}).out == expected);
  std::string paths;
  for (int i = 0; i < 25; ++i) {
    const std::string name = std::to_string(i);
    paths += name + "a " + name + "b\n" + name + "b " + name + "c\n";
  }
  const Result most = run_gssl({"cluster", dir.file("paths", paths), "-k", "auto"});
  CHECK(most.status == 0);
  CHECK(most.err.find("-k auto: 20 clusters, the most it takes, of 25 components") !=
        std::string::npos);
  for (const char* assign : {"k-means", "sign", "gap", "sweep"})
    CHECK(run_gssl(
              {"cluster", graph, "-k", "2", "--method", std::string("spectral:assign=") + assign})
              .out == expected);
}

TEST_CASE("cluster measures a given partition, such as one that it made") {
  const TemporaryDirectory dir;
  const std::string graph = dir.file("g", "a b 1\nb c 1\na c 1\nx y 1\ny z 1\nx z 1\nc x 0.5\n");
  const std::string given = dir.file("p", "a left\nb left\nc right\nx right\ny right\nz right\n");
  const std::string summary = (dir.path() / "s").string();
  const Result r = run_gssl({"cluster", graph, "--partition", given, "--summary", summary});
  INFO(r.err);
  CHECK(r.status == 0);
  // By hand: a and b against the rest is cut at 2; volumes 4 and 9, 6.5 edges in all.
  const auto rows = rows_of(r.out);
  REQUIRE(rows.size() == 2);
  CHECK(rows[0] == std::vector<std::string>{"clusters", "cut", "ratio_cut", "ncut", "modularity",
                                            "conductance"});
  const std::vector<double> expected = {
      2.0,    2.0, 2.0 / 2 + 2.0 / 4, 2.0 / 4 + 2.0 / 9, 4.5 / 6.5 - (16.0 + 81.0) / (13.0 * 13.0),
      2.0 / 4};
  for (std::size_t i = 0; i < expected.size(); ++i)
    CHECK(std::stod(rows[1][i]) == Approx(expected[i]).epsilon(1e-14));
  CHECK(read_json(summary)["objectives"]["ncut"].get<double>() == Approx(2.0 / 4 + 2.0 / 9));

  const std::string made = (dir.path() / "made").string();
  CHECK(run_gssl({"cluster", graph, "-k", "2", "-o", made}).status == 0);
  const Result again = run_gssl({"cluster", graph, "--partition", made, "--truth", made});
  CHECK(std::stod(rows_of(again.out)[1][1]) == Approx(0.5));
  CHECK(again.err.find("NMI 1.0000") != std::string::npos);

  const std::string some = dir.file("some", "a 1\nb 1\n");
  const Result missing = run_gssl({"cluster", graph, "--partition", some});
  CHECK(missing.status == 65);
  CHECK(missing.err.find("no cluster for vertex 'c' (2 of 6 vertices have one)") !=
        std::string::npos);
  CHECK(run_gssl({"cluster", graph, "--partition", given, "-k", "2"}).status == 64);
  CHECK(run_gssl({"cluster", graph, "--partition", given, "--method", "spectral"}).status == 64);
  CHECK(run_gssl({"cluster", graph, "--partition", "absent"}).status == 66);
  const Result unknown =
      run_gssl({"cluster", graph, "--partition", dir.file("u", "a 1\nb 1\nq 2\n")});
  CHECK(unknown.status == 65);
  CHECK(unknown.err.find("u:3: vertex q is not in the graph; fix the id or remove the line") !=
        std::string::npos);
  CHECK(unknown.err.find("--unknown-labels") == std::string::npos);
  const Result heavy = run_gssl({"cluster", dir.file("heavy", "a b 1.7e308\nb c 1.7e308\n"),
                                 "--partition", dir.file("hp", "a 1\nb 1\nc 2\n")});
  CHECK(heavy.status == 65);
  CHECK(heavy.err.find("scale the weights down") != std::string::npos);
}

TEST_CASE("spectrum and cluster refuse bad requests and leave the old output alone") {
  const TemporaryDirectory dir;
  const std::string graph = dir.file("g", "a b\nb c\n");
  const std::string bad = dir.file("bad", "a b\nb c -1\n");
  const std::string out = dir.file("out", "old\n");
  struct Case {
    std::vector<std::string> arguments;
    int status;
    const char* message;
  };
  const std::vector<Case> cases = {
      {{"spectrum", graph}, 64, "--count"},
      {{"spectrum", graph, "-k", "0"}, 64, "'0' is not a whole number from 1"},
      {{"spectrum", graph, "-k", "-3"}, 64, "--count"},
      {{"spectrum", graph, "-k", "two"}, 64, "--count"},
      {{"spectrum", graph, "-k", "2", "--laplacian", "laplace"}, 64, "--laplacian"},
      {{"spectrum", graph, "-k", "2", "--method", "magic"}, 64, "--method"},
      {{"spectrum", graph, "-k", "2", "--tolerance", "0"}, 64, "tolerance"},
      {{"spectrum", bad, "-k", "2"}, 65, "bad:2:"},
      {{"spectrum", "no_such_file", "-k", "2"}, 66, "no_such_file"},
      {{"spectrum", graph, "-k", "2", "--vectors", out}, 64, "one file"},
      {{"cluster", graph}, 64, "--count"},
      {{"cluster", graph, "-k", "0"}, 64, "--count"},
      {{"cluster", graph, "-k", "some"}, 64, "--count"},
      {{"cluster", graph, "-k", "4"}, 64, "4 clusters of 3 vertices"},
      {{"cluster", graph, "-k", "3", "--method", "spectral:assign=sign"}, 64, "assign"},
      {{"cluster", graph, "-k", "2", "--method", "spectral:assign=wish"}, 64, "assign"},
      {{"cluster", graph, "-k", "2", "--method", "harmonic"}, 64, "harmonic"},
      {{"cluster", graph, "-k", "2", "--method", "spectral:assign=sign,restarts=4"},
       64,
       "option restarts"},
      {{"cluster", graph, "-k", "2", "--method", "spectral:variant=score,regularize=1"},
       64,
       "regularize=1: must be 0 with variant=score"},
      {{"cluster", graph, "-k", "2", "--method", "spectral:variant=score,solver=lanczos"},
       64,
       "solver=lanczos: must be automatic with variant=score"},
      {{"cluster", graph, "-k", "2", "--method", "spectral:variant=score,assign=cluster-qr"},
       64,
       "assign=cluster-qr: must be another one with variant=score"},
      {{"cluster", bad, "-k", "2"}, 65, "bad:2:"},
      {{"cluster", graph, "-k", "2", "--truth", "no_such_file"}, 66, "no_such_file"},
  };
  for (const Case& c : cases) {
    std::vector<std::string> arguments = c.arguments;
    arguments.insert(arguments.end(), {"-o", out});
    std::string line;
    for (const std::string& a : c.arguments) line += a + " ";
    const Result r = run_gssl(arguments);
    INFO(line << r.err);
    CHECK(r.status == c.status);
    CHECK(r.err.find(c.message) != std::string::npos);
    CHECK(read_file(out) == "old\n");
  }
}

TEST_CASE("a graph without vertices has no pairs, and a time limit is told by the exit status") {
  const TemporaryDirectory dir;
  const Result empty = run_gssl({"spectrum", dir.file("g", ""), "-k", "2"});
  CHECK(empty.status == 0);
  CHECK(empty.out == "index\teigenvalue\tresidual\n");
  CHECK(run_gssl({"cluster", dir.file("h", ""), "-k", "1"}).status == 64);
  const Result stopped =
      run_gssl({"spectrum", "datasets/digits/edges.tsv", "-k", "3", "--time-limit", "0.000001"});
  CHECK(stopped.status == 1);
  CHECK(rows_of(stopped.out).size() == 2);  // the zero
  CHECK(stopped.err.find("1 of 3 pairs, 1 with eigenvalue 0") != std::string::npos);
}

TEST_CASE("eigenfunction labels points without a graph, and refuses what it cannot use") {
  const std::vector<std::string> iris = {"label",          "--points", "datasets/iris/points.csv",
                                         "--label-column", "class",    "datasets/iris/labels.tsv"};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), iris.begin(), iris.end());
    return run_gssl(more);
  };
  const TemporaryDirectory dir;
  const std::string summary = (dir.path() / "s").string();
  const Result r = with({"--method", "eigenfunction:k=16", "--truth", "datasets/iris/truth.tsv",
                         "--summary", summary});
  INFO(r.err);
  CHECK(r.status == 0);
  CHECK(rows_of(r.out).size() == 151);
  const auto json = read_json(summary);
  CHECK(json["accuracy"].get<double>() > 0.7);
  CHECK(json["n"] == 150);
  CHECK(json["unreached"] == 0);
  CHECK(json["sigma"].size() == 16);
  CHECK(with({"--method", "eigenfunction", "--knn", "5"}).status == 64);
  CHECK(with({"--method", "eigenfunction", "--regression"}).status != 0);
  const Result graph = run_gssl({"label", "datasets/iris/edges.tsv", "datasets/iris/labels.tsv",
                                 "--method", "eigenfunction"});
  CHECK(graph.status == 64);
  CHECK(graph.err.find("--points") != std::string::npos);
}

TEST_CASE("numbers that no double holds are refused, and never an internal error") {
  const TemporaryDirectory dir;
  const std::string tiny = dir.file("tiny", "a b 1e-308\nb c 1e-308\nc d 1e-308\n");
  const std::string huge = dir.file("huge", "a b 1.5e308\nb c 1e308\nc d 1\n");
  const std::string far = dir.file("far", "a b 1e-300\nb c 1e300\nc d 1\n");
  const std::vector<std::vector<std::string>> lines = {
      {"spectrum", tiny, "-k", "4"},
      {"spectrum", huge, "-k", "4", "--laplacian", "combinatorial"},
      {"spectrum", huge, "-k", "4", "--laplacian", "random-walk"},
      {"spectrum", far, "-k", "2"},
      {"resistance", tiny, "--total"},
      {"resistance", tiny, "--from", "a"},
      {"resistance", tiny, "--diagonal"},
      {"kernel", tiny, "--diagonal"},
      {"kernel", tiny, "--node", "a", "--method", "diffusion"},
      {"kernel", tiny, "--node", "a", "--method", "diffusion:time=1e308"},
      {"kernel", far, "--node", "a", "--method", "pseudoinverse:normalized"},
  };
  for (const auto& line : lines) {
    const Result r = run_gssl(line);
    INFO(line[0] << ' ' << line[1] << ": " << r.status << ' ' << r.err);
    CHECK((r.status == 0 || r.status == 1 || r.status == 65));
    CHECK(r.out.find("nan") == std::string::npos);
    if (r.status == 65) CHECK(r.out.empty());
  }
  CHECK(run_gssl(lines[0]).status == 0);
  CHECK(run_gssl(lines[1]).status == 65);
  CHECK(run_gssl(lines[2]).status == 0);
  CHECK(run_gssl({"resistance", tiny, "--from", "a"}).status == 65);
}
