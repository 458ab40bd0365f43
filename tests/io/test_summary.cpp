#include <limits>
#include <nlohmann/json.hpp>

#include "gssl/io/summary.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

using namespace gssl;
using namespace gssl::test;

TEST_CASE("A summary nests by dots and keeps the order of setting") {
  Summary summary;
  summary.set("n", 3);
  summary.set("solver.used", "cholesky");
  summary.set("ok", true);
  summary.set("solver.iterations", std::int64_t{4});
  CHECK(
      summary.json() ==
      "{\n  \"n\": 3,\n  \"solver\": {\n    \"used\": \"cholesky\",\n    \"iterations\": 4\n  },\n"
      "  \"ok\": true\n}\n");
}

TEST_CASE("A summary is valid JSON whatever it is given") {
  Summary summary;
  summary.set("bad", std::numeric_limits<double>::quiet_NaN());
  summary.set("text", "\xFF\"\n");
  summary.append("warnings", "one");
  summary.append("warnings", "two");
  InputStats stats;
  stats.format = "edge-list";
  stats.of_edges = true;
  stats.edges_given = 5;
  summary.add_input(stats);
  stats.format = "labels";
  stats.of_edges = false;
  summary.add_input(stats);
  SolveReport report;
  report.used = "elimination";
  summary.add_solver(report);
  summary.add_certificate({"flow", {2.5}});
  summary.add_certificate({"gaps", {1e-9, std::numeric_limits<double>::infinity()}});
  TemporaryDirectory directory;
  const std::string path = (directory.path() / "run.json").string();
  summary.write(path);
  const auto json = nlohmann::json::parse(read_file(path));
  CHECK(json["bad"].is_null());
  CHECK(json["warnings"].size() == 2);
  CHECK(json["inputs"][0]["edges_given"] == 5);
  CHECK(!json["inputs"][1].contains("edges_given"));
  CHECK(json["solver"]["used"] == "elimination");
  CHECK(json["solver"]["outcome"] == "converged");
  CHECK(json["flow"] == 2.5);
  CHECK(json["gaps"][0] == 1e-9);
  CHECK(json["gaps"][1].is_null());
}
