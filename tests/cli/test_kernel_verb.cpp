// gssl kernel: columns by hand, every kernel by its definition, what is refused.

#include <cmath>
#include <sstream>

#include "read_json.hpp"
#include "run_gssl.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

using namespace gssl::test;

namespace {

// a - b - c, d alone
const char* const graph = "a b\nb c\n#gssl-vertex\td\n";

Result kernel(const TemporaryDirectory& dir, std::vector<std::string> options) {
  std::vector<std::string> arguments = {"kernel", dir.file("g", graph)};
  arguments.insert(arguments.end(), options.begin(), options.end());
  return run_gssl(arguments);
}

std::vector<std::vector<double>> numbers_of(const std::string& table) {
  std::vector<std::vector<double>> rows;
  std::istringstream lines(table);
  std::string line;
  std::getline(lines, line);  // the header
  while (std::getline(lines, line)) {
    std::istringstream cells(line);
    std::string node;
    cells >> node;
    rows.emplace_back();
    for (double value; cells >> value;) rows.back().push_back(value);
  }
  return rows;
}

}  // namespace

TEST_CASE("columns of each kernel of a path are those worked out by hand") {
  struct Case {
    const char* method;
    std::vector<double> column;  // of a
  };
  const std::vector<Case> cases = {
      {"pseudoinverse", {5.0 / 9, -1.0 / 9, -4.0 / 9, 0.0}},
      {"regularized:epsilon=1", {5.0 / 8, 2.0 / 8, 1.0 / 8, 0.0}},
      {"diffusion:time=0", {1.0, 0.0, 0.0, 0.0}},
      // eigenvalues 0, 1, 3 with (1,1,1)/√3, (1,0,-1)/√2, (1,-2,1)/√6
      {"diffusion:time=1e+0", {0.5255709, 0.3167377, 0.1576914, 0.0}},
      {"diffusion", {0.5255709, 0.3167377, 0.1576914, 0.0}},
      {"von-neumann:alpha=0.25", {15.0 / 14, 4.0 / 14, 1.0 / 14, 0.0}},
      {"walk", {10.0, 5.0, 1.0, 0.0}},
      {"walk:steps=1,normalized", {1.0, 0.7071068, 0.0, 0.0}},
  };
  const TemporaryDirectory dir;
  for (const Case& c : cases) {
    INFO(c.method);
    const Result r = kernel(dir, {"--node", "a", "--node", "d", "--method", c.method});
    INFO(r.err);
    REQUIRE(r.status == 0);
    CHECK(r.out.starts_with("node\ta\td\na\t"));
    const auto rows = numbers_of(r.out);
    REQUIRE(rows.size() == 4);
    for (std::size_t v = 0; v < 4; ++v) CHECK(rows[v][0] == Approx(c.column[v]).margin(1e-7));
    for (std::size_t v = 0; v < 3; ++v) CHECK(rows[v][1] == 0.0);
  }
}

TEST_CASE("over weights too small to move heat a diffusion is the identity") {
  const TemporaryDirectory dir;
  const std::string graph = dir.file("tiny", "a b 1e-61\nb c 1e-70\nc d 3e-65\n");
  const Result r = run_gssl({"kernel", graph, "--method", "diffusion", "--node", "b", "-o", "-"});
  INFO(r.err);
  CHECK(r.status == 0);
  CHECK(r.out == "node\tb\na\t0\nb\t1\nc\t0\nd\t0\n");
}

TEST_CASE("a kernel's diagonal is that of its columns, and the summary says how they were found") {
  const TemporaryDirectory dir;
  const std::string summary = (dir.path() / "s").string();
  for (const char* method :
       {"pseudoinverse", "regularized:epsilon=0.5,normalized", "von-neumann"}) {
    INFO(method);
    const Result columns = kernel(dir, {"--method", method, "--node", "a", "--node", "b", "--node",
                                        "c", "--node", "d", "--summary", summary});
    const Result diagonal = kernel(dir, {"--method", method, "--diagonal"});
    REQUIRE(columns.status == 0);
    REQUIRE(diagonal.status == 0);
    CHECK(diagonal.out.starts_with("node\tdiagonal\na\t"));
    const auto all = numbers_of(columns.out), some = numbers_of(diagonal.out);
    for (std::size_t v = 0; v < 4; ++v) CHECK(some[v][0] == Approx(all[v][v]).margin(1e-12));
    const auto json = read_json(summary);
    CHECK(json["solver"]["outcome"] == "converged");
    CHECK(json["method"] == method);
  }
}

TEST_CASE("what is wrong with a kernel command is said, and leaves the old output alone") {
  struct Case {
    std::vector<std::string> options;
    int status;
    const char* message;
  };
  const std::vector<Case> cases = {
      {{}, 64, "give --node, or --diagonal"},
      {{"--node", "a", "--diagonal"}, 64, "leave --node out"},
      {{"--node", "z"}, 64, "--node z"},
      {{"--node", "a", "--method", "gaussian"}, 64, "there are pseudoinverse, regularized"},
      {{"--node", "a", "--method", "walk:epsilon=1"}, 64, "epsilon"},
      {{"--node", "a", "--method", "walk:steps=0"}, 64, "steps"},
      {{"--node", "a", "--node", "a"}, 64, "--node a: is given twice"},
      {{"--node", "a", "--method", "walk:steps=2000"}, 64, "numbers overflow within steps 2000"},
      {{"--node", "a", "--method", "walk:shift=1"},
       64,
       "shift 1: must be at least 2·(largest degree) = 4"},
      {{"--node", "a", "--method", "von-neumann:alpha=2"}, 64, "alpha 2"},
      {{"--node", "a", "--method", "regularized:epsilon=0"}, 64, "epsilon"},
      {{"--node", "a", "--method", "diffusion:time=nan"}, 64, "time"},
      {{"--diagonal", "--method", "diffusion"}, 64, "--diagonal: of diffusion"},
      {{"--node", "a", "--method", "diffusion:time=1e16"}, 64, "make time smaller"},
      {{"--node", "a", "--seed", "x"}, 64, "--seed"},
  };
  const TemporaryDirectory dir;
  for (const Case& c : cases) {
    INFO(c.message);
    const std::string out = dir.file("out", "old\n");
    std::vector<std::string> options = c.options;
    options.insert(options.end(), {"-o", out});
    const Result r = kernel(dir, options);
    INFO(r.err);
    CHECK(r.status == c.status);
    CHECK(r.err.find(c.message) != std::string::npos);
    CHECK(read_file(out) == "old\n");
  }
  CHECK(run_gssl({"kernel", dir.file("bad", "a b -1\n"), "--node", "a"}).status == 65);
  CHECK(run_gssl({"kernel", "no-such-file", "--node", "a"}).status == 66);
}

TEST_CASE("an expression of graph kernels is made of their columns") {
  const TemporaryDirectory dir;
  const auto column = [&](const std::string& method) {
    const Result r = kernel(dir, {"--node", "a", "--node", "b", "--method", method});
    INFO(method << r.err);
    REQUIRE(r.status == 0);
    return numbers_of(r.out);
  };
  const auto plus = column("pseudoinverse"), heat = column("diffusion:time=2");
  const auto sum = column("2*pseudoinverse+diffusion(time=2)+0.5");
  const auto square = column("diffusion(time=2)^2");
  const auto unit = column("normalize(diffusion(time=2))");
  const Result diagonal = kernel(dir, {"--diagonal", "--method", "diffusion(time=2)+0.5"});
  REQUIRE(diagonal.status == 0);
  for (std::size_t v = 0; v < 4; ++v)
    for (std::size_t j = 0; j < 2; ++j) {
      // d is a component of its own.
      CHECK(sum[v][j] == Approx(2.0 * plus[v][j] + heat[v][j] + (v < 3 ? 0.5 : 0.0)).margin(1e-9));
      CHECK(square[v][j] == Approx(heat[v][j] * heat[v][j]).margin(1e-9));
    }
  CHECK(unit[0][0] == Approx(1.0));
  CHECK(unit[0][1] == Approx(heat[0][1] / std::sqrt(heat[0][0] * heat[1][1])));
  CHECK(numbers_of(diagonal.out)[0][0] == Approx(heat[0][0] + 0.5));
  CHECK(kernel(dir, {"--node", "a", "--method", "gaussian(beta=1)"}).status == 64);
  CHECK(kernel(dir, {"--node", "a", "--method", "diffusion(time=2"}).status == 64);
}
