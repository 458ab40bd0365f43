// gssl cut: what it writes, its certificates, and what it refuses.

#include <sstream>

#include "read_json.hpp"
#include "run_gssl.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

using namespace gssl::test;

namespace {

// a ═ b ─ c ─ d ═ e, and f ─ g apart: b–c and c–d cost 1, so c is tied.
constexpr const char* chain = "a b 5\nb c 1\nc d 1\nd e 5\nf g 1\n";

}  // namespace

TEST_CASE("cut writes the sides in order of appearance, ties and unreached vertices marked") {
  const TemporaryDirectory dir;
  const std::string summary = (dir.path() / "s.json").string();
  for (const char* method : {"automatic", "incremental-search", "push-relabel"}) {
    const Result r = run_gssl({"cut", dir.file("g", chain), "--source", "a", "--sink", "e",
                               "--method", method, "--summary", summary});
    REQUIRE(r.status == 0);
    CHECK(r.out ==
          "node\tside\na\tsource\nb\tsource\nc\ttied\nd\tsink\ne\tsink\nf\tunreached\n"
          "g\tunreached\n");
    CHECK(r.err.find("cut 1 = flow 1") != std::string::npos);
    const auto json = read_json(summary);
    CHECK(json["flow"] == 1.0);
    CHECK(json["cut"] == 1.0);
    CHECK(json["tied_vertices"] == 1);
    CHECK(json["unreached_vertices"] == 2);
  }
  CHECK(
      run_gssl({"cut", dir.file("g", chain), "--source", "a", "--sink", "e", "--strict"}).status ==
      1);
}

TEST_CASE("several terminals, and terminals from a file, cut alike") {
  const TemporaryDirectory dir;
  const std::string graph = dir.file("g", "a b 5\nb c 1\nc d 2\nd e 5\n");
  const Result named =
      run_gssl({"cut", graph, "--source", "a", "--source", "c", "--sink", "e", "--sink", "d"});
  const Result listed = run_gssl(
      {"cut", graph, "--terminals", dir.file("t", "c source\na source\nd sink\ne sink\n")});
  CHECK(named.status == 0);
  CHECK(named.out == "node\tside\na\tsource\nb\tsource\nc\tsource\nd\tsink\ne\tsink\n");
  CHECK(listed.out == named.out);
}

TEST_CASE("the global cut of two cliques is their bridge") {
  const TemporaryDirectory dir;
  const std::string summary = (dir.path() / "s.json").string();
  const Result r = run_gssl(
      {"cut", dir.file("g", "a b 1\nb c 1\na c 1\nc x .5\nx y 1\ny z 1\nx z 1\nz w 1\nw x 1\n"),
       "--global", "--format", "csv", "--summary", summary});
  REQUIRE(r.status == 0);
  CHECK(r.out == "node,side\na,1\nb,1\nc,1\nx,2\ny,2\nz,2\nw,2\n");
  const auto json = read_json(summary);
  CHECK(json["cut"] == 0.5);
  CHECK(json["bound"] == 0.5);
  CHECK(json["smaller_side"] == 3);
  const Result apart = run_gssl({"cut", dir.file("h", chain), "--global"});
  CHECK(apart.status == 0);
  CHECK(apart.err.find("cut 0, 2 of 7") != std::string::npos);
}

TEST_CASE("cut refuses what makes no sense and leaves the old output alone") {
  struct Case {
    std::vector<std::string> options;
    int status;
    const char* message;
  };
  const TemporaryDirectory dir;
  const std::string graph = dir.file("g", chain);
  const std::vector<Case> cases = {
      {{"--source", "a", "--sink", "zoe"}, 64, "zoe"},
      {{"--source", "a", "--sink", "a"}, 64, "'a' is a source and a sink"},
      {{"--terminals", dir.file("t1", "a source\nb south\n")}, 65, "t1:2:"},
      {{"--terminals", dir.file("t2", "a source\n")}, 65, "1 sources and 0 sinks"},
      {{"--terminals", dir.file("t3", "a source\nzoe sink\n")},
       65,
       "t3:2: vertex zoe is not in the graph; fix the id or remove the line"},
      {{"--global", "--method", "push-relabel"}, 64, "--global takes no --method"},
      {{"--terminals", "no-such-file"}, 66, "no-such-file"},
  };
  for (const Case& c : cases) {
    INFO(c.message);
    const std::string out = dir.file("out", "old\n");
    std::vector<std::string> line = {"cut", graph, "-o", out};
    line.insert(line.end(), c.options.begin(), c.options.end());
    const Result r = run_gssl(line);
    CHECK(r.status == c.status);
    INFO(r.err);
    CHECK(r.err.find(c.message) != std::string::npos);
    CHECK(read_file(out) == "old\n");
  }
  CHECK(run_gssl({"cut", dir.file("e", ""), "--global"}).status == 65);
}

TEST_CASE("cut refuses every mangled file of terminals with the line and message expected of it") {
  const TemporaryDirectory dir;
  const std::string graph = dir.file("g", "0 1\n1 2\n2 3\n");
  std::istringstream table(read_file(source_path("tests/mangled/expected.tsv")));
  int replayed = 0;
  for (std::string row; std::getline(table, row);) {
    std::istringstream cells(row);
    std::string name, kind, code, line, fragment;
    for (std::string* cell : {&name, &kind, &code, &line, &fragment})
      std::getline(cells, *cell, '\t');
    if (kind != "terminals") continue;
    const std::string path = source_path("tests/mangled/" + name).string();
    const std::string out = dir.file("out", "old\n");
    const Result r = run_gssl({"cut", graph, "--terminals", path, "-o", out});
    INFO(name << ": " << r.err);
    CHECK(r.status == std::stoi(code));
    if (line != "-") CHECK(r.err.find(name + ":" + line + ":") != std::string::npos);
    CHECK(r.err.find(fragment) != std::string::npos);
    CHECK(read_file(out) == "old\n");
    ++replayed;
  }
  CHECK(replayed == 5);
}

TEST_CASE("cut that runs out of time exits 1 and writes nothing but the summary") {
  const TemporaryDirectory dir;
  std::string grid;  // 200 × 200
  for (int v = 0; v < 40000; ++v) {
    if (v % 200 != 199) grid += std::to_string(v) + " " + std::to_string(v + 1) + "\n";
    if (v < 39800) grid += std::to_string(v) + " " + std::to_string(v + 200) + "\n";
  }
  const std::string graph = dir.file("g", grid), out = dir.file("out", "old\n");
  const std::string summary = (dir.path() / "s.json").string();
  const std::vector<std::vector<std::string>> kinds = {{"--source", "0", "--sink", "39999"},
                                                       {"--global"}};
  for (const auto& kind : kinds) {
    std::vector<std::string> line = {"cut", graph, "--time-limit", "0.000001",
                                     "-o",  out,   "--summary",    summary};
    line.insert(line.end(), kind.begin(), kind.end());
    const Result r = run_gssl(line);
    INFO(r.err);
    CHECK(r.status == 1);
    CHECK(r.err.find("time limit") != std::string::npos);
    CHECK(read_file(out) == "old\n");
    CHECK(read_json(summary)["exit_status"] == 1);
  }
}

TEST_CASE("label --method min-cut marks ties, certifies and takes class priors") {
  const TemporaryDirectory dir;
  const std::string summary = (dir.path() / "s.json").string();
  const std::string graph = dir.file("g", chain);
  const std::string labels = dir.file("l", "a x\ne y\n");
  const Result r = run_gssl({"label", graph, labels, "--method", "min-cut", "--summary", summary});
  REQUIRE(r.status == 0);
  CHECK(r.out.find("b\tx\t1\tinferred\nc\tx\t0.5\ttied\nd\ty\t1\tinferred\n") != std::string::npos);
  const auto json = read_json(summary);
  CHECK(json["flow"] == 1.0);
  CHECK(json["cut"] == 1.0);
  CHECK(json["tied"] == 1);
  const Result priors = run_gssl({"label", graph, labels, "--method", "min-cut", "--classes-prior",
                                  dir.file("p", "x 1\ny 1\n")});
  INFO(priors.err);
  CHECK(priors.status == 0);
}
