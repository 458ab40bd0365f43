// What a build warns of, refuses and leaves behind; metrics and sparse rows as the command has
// them.

#include <signal.h>
#include <unistd.h>

#include <filesystem>

#include "gssl/core/rng.hpp"
#include "read_json.hpp"
#include "run_gssl.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

using namespace gssl::test;
using gssl::Rng;

TEST_CASE("build counts weights that underflow, keeps their edges and says what to do") {
  const TemporaryDirectory dir;
  const std::string summary = (dir.path() / "s.json").string();
  const Result r = run_gssl(
      {"build", dir.file("p", "0\n1\n3\n1003\n"), "--mst", "--scale", "100", "--summary", summary});
  REQUIRE(r.status == 0);
  // Lengths 1, 2 and 1000: exp(−400) is still a number.
  CHECK(r.err.find("1 edges are so long") != std::string::npos);
  CHECK(r.err.find("--scale smaller") != std::string::npos);
  CHECK(r.out.find("2\t3\t2.2250738585072014e-308\n") != std::string::npos);
  const auto weights = read_json(summary)["weights"];
  CHECK(weights["underflowed"] == 1);
  CHECK(weights["scale"] == 100.0);
  CHECK(weights["rule"] == "given");
}

TEST_CASE("build by correlation joins rows of one shape, and refuses a constant row") {
  const TemporaryDirectory dir;
  // 0 and 2 rise, 1 and 3 fall, wherever they are and however steeply.
  const std::string shapes = dir.file("p", "1,2,3\n9,7,5\n10,30,50\n2,1,0\n");
  CHECK(run_gssl({"build", shapes, "--knn", "1", "--metric", "correlation", "--weights", "unit"})
            .out == "u\tv\n#gssl-vertex\t0\n#gssl-vertex\t1\n0\t2\n1\t3\n");
  const Result r =
      run_gssl({"build", dir.file("c", "1,2,3\n4,4,4\n"), "--knn", "1", "--metric", "correlation"});
  CHECK(r.status == 65);
  CHECK(r.err.find("row 1 is constant: its correlation is not defined") != std::string::npos);
}

TEST_CASE("sparse rows give the graph of the same rows written out") {
  const TemporaryDirectory dir;
  std::string sparse, dense;
  Rng rng(5);
  for (int row = 0; row < 60; ++row) {
    sparse += "0";
    for (int c = 0; c < 40; ++c) {
      const auto value = std::to_string(rng.below(12) == 0 || c == row % 40 ? rng.below(9) + 1 : 0);
      if (value != "0") sparse += " " + std::to_string(c + 1) + ":" + value;
      dense += value + (c < 39 ? "," : "\n");
    }
    sparse += "\n";
  }
  const std::string few = dir.file("s", sparse), all = dir.file("d", dense);
  for (const std::vector<std::string>& how : {std::vector<std::string>{"--knn", "4"},
                                              {"--epsilon", "12", "--metric", "manhattan"},
                                              {"--mst"}}) {
    INFO(how.front());
    const auto build = [&](const std::string& file) {
      std::vector<std::string> arguments = {"build", file, "--weights", "inverse"};
      arguments.insert(arguments.end(), how.begin(), how.end());
      return run_gssl(arguments);
    };
    const Result r = build(few);
    CHECK(r.err.find("sparse double") != std::string::npos);
    CHECK(r.out == build(all).out);
    CHECK(r.out.size() > 100);
  }
}

TEST_CASE("SIGINT in a long build leaves the old output, writes the summary, ends by the signal") {
  const TemporaryDirectory dir;
  // Sparse rows that all share a column are compared one with all: seconds.
  std::string rows;
  Rng rng(1);
  for (int row = 0; row < 60000; ++row)
    rows +=
        "0 1:" + std::to_string(rng.uniform()) + " 1000:" + std::to_string(rng.uniform()) + "\n";
  const std::string points = dir.file("p", rows);
  const std::string out = dir.file("out", "old\n");
  const std::string summary = (dir.path() / "run.json").string();
  const Result r =
      run_gssl({"build", points, "--knn", "3", "--threads", "1", "-o", out, "--summary", summary},
               {.while_running = [](int pid) { send_after_ms(pid, SIGINT, 700); }});
  INFO(r.err);
  CHECK(r.signal == SIGINT);
  CHECK(read_file(out) == "old\n");
  CHECK(std::distance(std::filesystem::directory_iterator(dir.path()), {}) == 3);
  const auto json = read_json(summary);
  CHECK(json["outcome"] == "cancelled");
  CHECK(json["exit_status"] == 128 + SIGINT);
}
