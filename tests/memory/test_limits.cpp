// The command under limits: what fits is chosen and stays below, or status 71 and a number that does.
#include <algorithm>
#include <cmath>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "gssl/core/machine.hpp"
#include "memory_runs.hpp"
#include "support/catch.hpp"

namespace {

using namespace gssl;
using test::GridFiles;
using test::Run;

// The number of "…, and 1.4G would do".
std::string number_that_would_do(const Run& run) {
  const auto text = run.summary["error"].get<std::string>();
  const std::size_t end = text.rfind(" would do");
  REQUIRE(end != std::string::npos);
  const std::size_t begin = text.rfind(' ', end - 1) + 1;
  return text.substr(begin, end - begin);
}

// Lines of a table without their confidence, which another method changes in its last digits.
std::string decisions(const std::string& table) {
  std::string kept;
  std::size_t tabs = 0;
  for (const char c : table) {
    if (c == '\t') ++tabs;
    if (tabs != 2) kept += c;
    if (c == '\n') tabs = 0;
  }
  return kept;
}

}  // namespace

TEST_CASE("what --max-memory allows is kept, or refused with the number that does", "[memory]") {
  const GridFiles files(60, 10);
  const Run free = files.run("label g l");
  REQUIRE(free.status == 0);
  std::string least;
  for (const char* size : {"1G", "256M", "12M"}) {
    INFO(size);
    const Run run = files.run(std::string("label g l --max-memory ") + size);
    if (run.status == 71) {
      least = number_that_would_do(run);
      break;
    }
    REQUIRE(run.status == 0);
    CHECK(run.peak() <= static_cast<double>(parse_bytes(size)));
    CHECK(run.summary["memory_limit_by"] == "--max-memory");
    CHECK(decisions(run.out) == decisions(free.out));
  }
  // Reading may be refused first, and then the fit: each names what it needs itself.
  Run again;
  for (int asked = 0; asked < 3 && (again.status == 71 || asked == 0); ++asked) {
    REQUIRE_FALSE(least.empty());
    again = files.run("label g l --max-memory " + least);
    if (again.status == 71) least = number_that_would_do(again);
  }
  CHECK(again.status == 0);
  CHECK(decisions(again.out) == decisions(free.out));
}

TEST_CASE("auto keeps to --max-memory where it leaves labels out", "[memory]") {
  // Twenty labels of each of two classes on 22,500 vertices: forty columns, where two are the answer.
  constexpr int side = 150;
  std::string edges, labels;
  for (int v = 0; v < side * side; ++v) {
    if (v % side + 1 < side) edges += std::to_string(v) + " " + std::to_string(v + 1) + "\n";
    if (v + side < side * side) edges += std::to_string(v) + " " + std::to_string(v + side) + "\n";
  }
  for (int i = 0; i < 40; ++i)
    labels += std::to_string(i * 550 + 7) + (i % 2 == 0 ? " a\n" : " b\n");
  const GridFiles files(edges, labels);
  const Run free = files.run("label g l");
  REQUIRE(free.status == 0);
  const auto most = free.peak();
  int kept = 0;
  for (const double share : {0.95, 0.85, 0.75}) {
    const auto size = static_cast<std::int64_t>(share * most);
    const Run run = files.run("label g l --max-memory " + std::to_string(size));
    INFO(share << " of " << most);
    REQUIRE((run.status == 0 || run.status == 71));
    if (run.status == 71) continue;
    CHECK(run.peak() <= static_cast<double>(size));
    ++kept;
  }
  CHECK(kept > 0);
}

namespace {

// side³ vertices, each beside six others, named x.y.z.
std::string lattice_lines(int side) {
  const auto name = [](int x, int y, int z) {
    return std::to_string(x) + '.' + std::to_string(y) + '.' + std::to_string(z);
  };
  std::string lines;
  for (int x = 0; x < side; ++x) {
    for (int y = 0; y < side; ++y) {
      for (int z = 0; z < side; ++z) {
        const std::string here = name(x, y, z) + '\t';
        if (x + 1 < side) lines += here + name(x + 1, y, z) + '\n';
        if (y + 1 < side) lines += here + name(x, y + 1, z) + '\n';
        if (z + 1 < side) lines += here + name(x, y, z + 1) + '\n';
      }
    }
  }
  return lines;
}

// The last column of a table with a header.
std::vector<double> last_column(const std::string& table) {
  std::vector<double> values;
  std::istringstream in(table);
  std::string line;
  std::getline(in, line);
  while (std::getline(in, line)) values.push_back(std::stod(line.substr(line.rfind('\t') + 1)));
  return values;
}

// The largest |a − b| / b.
double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  REQUIRE(a.size() == b.size());
  double most = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, std::abs(a[i] - b[i]) / b[i]);
  return most;
}

}  // namespace

TEST_CASE("resistances of pairs are solved in the columns that there is room for", "[memory]") {
  const GridFiles files(lattice_lines(30),
                        "0.0.0\t29.29.29\n4.7.11\t20.3.5\n9.9.9\t9.9.10\n"
                        "1.0.0\t0.1.0\n29.0.0\t0.29.0\n3.4.5\t5.4.3\n"
                        "7.7.7\t8.8.8\n15.15.15\t0.15.0\n2.2.2\t2.2.9\n");
  const Run free = files.run("resistance g --pairs l --method solves");
  REQUIRE(free.status == 0);
  const Run tight = files.run("resistance g --pairs l --method solves --max-memory 26M");
  REQUIRE(tight.status == 0);
  CHECK(tight.peak() <= 26.0 * 1024 * 1024);
  CHECK(free.peak() > 26.0 * 1024 * 1024);
  CHECK(largest_difference(last_column(tight.out), last_column(free.out)) < 1e-9);
}

TEST_CASE("a sketch of resistances keeps to --max-memory, or names the number that does",
          "[memory]") {
  const GridFiles files(lattice_lines(20), "");
  const std::string line = "resistance g --edges --method sketch --epsilon 0.3";
  const Run free = files.run(line);
  REQUIRE(free.status == 0);
  const Run refused = files.run(line + " --max-memory 22M");
  REQUIRE(refused.status == 71);
  const std::string least = number_that_would_do(refused);
  const Run tight = files.run(line + " --max-memory " + least);
  REQUIRE(tight.status == 0);
  CHECK(tight.peak() <= static_cast<double>(parse_bytes(least)));
  CHECK(free.peak() > tight.peak());
  // Each is within 0.3 of what is true.
  CHECK(largest_difference(last_column(tight.out), last_column(free.out)) < 1.3 / 0.7 - 1.0);
}

TEST_CASE("every verb ends by itself under a limit of addresses", "[memory]") {
  const GridFiles files(60, 4);
  for (const char* line :
       {"label g l", "label g l --scores p", "spectrum g -k 3", "cluster g -k 3", "info g",
        "convert g c.mtx", "cut g --global", "resistance g --from 7", "kernel g --node 7",
        "explain g l --node 9", "ask g l --criterion margin"}) {
    for (const int megabytes : {256, 1024}) {
      INFO(line << " in " << megabytes << " MB");
      const Run run = files.run(line, "ulimit -v " + std::to_string(1024 * megabytes));
      CHECK((run.status == 0 || run.status == 71));
      if (run.status == 0 && !run.summary.empty()) CHECK(run.peak() <= 1024.0 * 1024.0 * megabytes);
      if (run.status == 71 && !run.summary.empty())
        CHECK_FALSE(run.summary["error"].get<std::string>().empty());
    }
  }
}

TEST_CASE("what comes through a pipe or is packed is weighed while it is read", "[memory]") {
  const GridFiles files(400, 2);
  for (const char* line :
       {"info - <pipe", "label - l <pipe", "info g.gz", "label g.gz l", "info g"}) {
    INFO(line);
    const bool piped = std::string_view(line).ends_with("pipe");
    const std::string before =
        piped ? "rm -f pipe && mkfifo pipe && { cat g >pipe & }; true" : "gzip -kf g";
    const Run refused = files.run(std::string(line) + " --max-memory 20M", before);
    CHECK(refused.status == 71);
    const std::string enough = number_that_would_do(refused);
    CHECK(parse_bytes(enough) > parse_bytes("20M"));
  }
}

TEST_CASE("data limits count as memory limits", "[memory]") {
  const GridFiles files(60, 3);
  const Run run = files.run("label g l", "ulimit -d 1048576");
  CHECK(run.status == 0);
  CHECK(run.summary["memory_limit_bytes"].get<double>() <= 0.9 * 1024.0 * 1024.0 * 1024.0);
}

TEST_CASE("the option --max-memory wants a size", "[memory]") {
  const GridFiles files(3, 2);
  for (const char* wrong : {"much", "0", "-1G", "8X"})
    CHECK(files.run(std::string("label g l --max-memory=") + wrong).status == 64);
}
