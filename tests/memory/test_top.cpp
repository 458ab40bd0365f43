// gssl label --scores FILE --top N.
#include <sstream>
#include <string>
#include <vector>

#include "memory_runs.hpp"
#include "support/catch.hpp"

namespace {

using namespace gssl;
using test::GridFiles;

std::vector<std::vector<std::string>> rows(const std::string& table) {
  std::vector<std::vector<std::string>> all;
  std::istringstream lines(table);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream cells(line);
    all.emplace_back();
    for (std::string cell; std::getline(cells, cell, '\t');) all.back().push_back(cell);
  }
  return all;
}

}  // namespace

TEST_CASE("the option --top writes the best classes of each vertex in the order of their scores",
          "[memory]") {
  const GridFiles files(12, 5);
  REQUIRE(files.run("label g l --scores all").status == 0);
  const test::Run run = files.run("label g l --scores best --top 2");
  REQUIRE(run.status == 0);
  const auto all = rows(files.read("all")), best = rows(files.read("best"));
  REQUIRE(all.size() == best.size());
  CHECK(best[0] == std::vector<std::string>{"node", "class_1", "score_1", "class_2", "score_2"});
  for (std::size_t i = 1; i < all.size(); ++i) {
    std::size_t first = 1;
    for (std::size_t k = 1; k < all[i].size(); ++k)
      if (std::stod(all[i][k]) > std::stod(all[i][first])) first = k;
    CHECK(best[i][0] == all[i][0]);
    CHECK(best[i][1] == all[0][first]);
    CHECK(best[i][2] == all[i][first]);
    CHECK(std::stod(best[i][4]) <= std::stod(best[i][2]));
    if (std::stod(best[i][4]) == 0.0) CHECK(best[i][3] == "?");
  }
}

TEST_CASE("the option --top needs --scores and classes", "[memory]") {
  const GridFiles files(4, 2);
  CHECK(files.run("label g l --top 2").status == 64);
  CHECK(files.run("label g l --scores p --top 0").status == 64);
  CHECK(files.run("label g l --scores p --top 9").status == 0);
  CHECK(rows(files.read("p"))[0].size() == 5);
  CHECK(files.run("label g g --regression --scores p --top 2").status == 64);
}
