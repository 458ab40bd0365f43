#include <sstream>

#include "gssl/io/label_reader.hpp"
#include "gssl/io/points_reader.hpp"
#include "io_support.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

using namespace gssl;
using namespace gssl::test;
using Catch::Contains;

TEST_CASE("Every mangled file is refused with the code, line and message expected of it") {
  std::istringstream table(read_file(source_path("tests/mangled/expected.tsv")));
  std::string row;
  int replayed = 0;
  while (std::getline(table, row)) {
    if (row.empty() || row.front() == '#') continue;
    std::istringstream cells(row);
    std::string name, kind, code, line, fragment;
    std::getline(cells, name, '\t');
    std::getline(cells, kind, '\t');
    std::getline(cells, code, '\t');
    std::getline(cells, line, '\t');
    std::getline(cells, fragment);
    if (kind == "terminals") continue;  // read by gssl cut: tests/cli
    const std::string path = source_path("tests/mangled/" + name).string();
    const auto error = error_of([&] {
      if (kind == "graph") {
        read_graph(path, {}, RunContext{});
      } else if (kind == "points") {
        read_points(path, {}, RunContext{});
      } else {
        VertexNames names = VertexNames::numbered(10);
        read_labels(path, names, {});
      }
    });
    INFO(name);
    REQUIRE(error);
    CHECK(exit_status(error->code()) == std::stoi(code));
    if (line != "-") CHECK_THAT(error->what(), Contains(name + ":" + line + ": "));
    CHECK_THAT(error->what(), Contains(fragment));
    ++replayed;
  }
  CHECK(replayed >= 55);
}
