// The command under limits: what fits is chosen and stays below, or status 71 and a number that does.
#include <string>
#include <string_view>

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
