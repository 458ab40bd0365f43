// Graph files as people have them: separators, decimal marks, columns.

#include "run_gssl.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

using namespace gssl::test;
using Catch::Contains;

namespace {

Result convert(const std::string& text, std::vector<std::string> options = {}) {
  std::vector<std::string> arguments = {"convert", "-", "-", "--quiet"};
  arguments.insert(arguments.end(), options.begin(), options.end());
  return run_gssl(arguments, {.input = text});
}

}  // namespace

TEST_CASE("edges with semicolons, tabs and decimal commas keep their weights") {
  const std::string expected = "u\tv\tweight\na\tb\t1.5\nb\tc\t2.5\n";
  CHECK(convert("a;b;1,5\nb;c;2,5\n").out == expected);
  CHECK(convert("a\tb\t1,5\nb\tc\t2,5\n").out == expected);
  CHECK(convert("a b 1,5\nb c 2,5\n", {"--decimal", ","}).out == expected);
  CHECK(convert("x\na|b|1,5|z\nb|c|2,5|z\n",
                {"--delimiter", "|", "--skip", "1", "--columns", "1,2,3"})
            .out == expected);
}

TEST_CASE("edges that can be read in two ways are refused with their line") {
  const Result r = convert("# c\na b 1,5\nb c 2,5\n");
  CHECK(r.status == 65);
  CHECK(r.out.empty());
  CHECK_THAT(r.err, Contains("<stdin>:2: ") && Contains("--delimiter"));
}

TEST_CASE("wrong options of tables are usage errors") {
  CHECK(convert("a b\n", {"--delimiter", "ab"}).status == 64);
  CHECK(convert("a b\n", {"--decimal", ";"}).status == 64);
  CHECK(convert("a b\n", {"--columns", "0,1"}).status == 64);
  CHECK(convert("a b\n", {"--skip", "-1"}).status == 64);
}

TEST_CASE("points with decimal commas are read or refused") {
  const TemporaryDirectory dir;
  const std::string path = dir.file("p.csv", "1,5;2,5;a\n3,5;4,5;b\n5;6;b\n");
  const Result r = run_gssl({"build", path, "--label-column", "3", "--mst", "--weights", "unit"});
  INFO(r.err);
  CHECK(r.status == 0);
  CHECK_THAT(r.err, Contains("3 points of 2 columns"));
  const Result chosen =
      run_gssl({"build", path, "--columns", "1", "--mst", "--weights", "unit", "-o", "-"});
  CHECK_THAT(chosen.err, Contains("3 points of 1 columns"));
}
