// gssl complete: what is written, what is measured, what is refused.

#include <cmath>

#include "read_json.hpp"
#include "run_gssl.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

using namespace gssl::test;

namespace {

// Biases alone: mean 2, rows −1 and +1 (before the penalty), columns of no difference.
const char* const cells = "user,item,rating\na,x,1\na,y,1\nb,x,3\nb,y,3\nb,z,3\n";

}  // namespace

TEST_CASE("complete writes the unknown cells", "[complete]") {
  const TemporaryDirectory dir;
  const std::string file = dir.file("cells.csv", cells);
  const Result all = run_gssl({"complete", file, "--method", "als:rank=0,bias-lambda=1e-9"});
  CHECK(all.status == 0);
  CHECK(all.out.substr(0, 22) == "row\tcolumn\tvalue\na\tz\t1");
  CHECK(all.out.find('\n', 18) == all.out.size() - 1);  // one row
  CHECK(all.err.find("2 rows, 3 columns, 5 cells") != std::string::npos);
}

TEST_CASE("complete answers what is asked, and recommends", "[complete]") {
  const TemporaryDirectory dir;
  const std::string file = dir.file("cells.csv", cells);
  const std::string ask = dir.file("ask", "b z\na z\na x\n");
  const Result asked = run_gssl({"complete", file, "--ask", ask, "--format", "csv", "--quiet"});
  CHECK(asked.status == 0);
  CHECK(asked.out.find("row,column,value\nb,z,") == 0);
  CHECK(asked.out.find("\na,z,") < asked.out.find("\na,x,"));
  const Result top = run_gssl({"complete", file, "--top", "3", "--quiet"});
  CHECK(top.out.find("a\tz\t") != std::string::npos);
  CHECK(top.out.find("b\t") == std::string::npos);  // b knows all
}

TEST_CASE("complete measures on the cells that it held out", "[complete]") {
  const TemporaryDirectory dir;
  std::string text;
  for (int r = 0; r < 20; ++r)
    for (int c = 0; c < 15; ++c)
      if ((3 * r + 5 * c) % 7 != 0)
        text += "r" + std::to_string(r) + " c" + std::to_string(c) + " " +
                std::to_string(r * 0.3 - c * 0.2) + "\n";
  const std::string file = dir.file("cells", text);
  const std::string summary = (dir.path() / "s.json").string();
  const auto run = [&](const char* threads) {
    return run_gssl({"complete", file, "--holdout", "0.25", "--method", "als:rank=1", "--summary",
                     summary, "--threads", threads});
  };
  const Result one = run("1");
  CHECK(one.status == 0);
  const nlohmann::json found = read_json(summary);
  CHECK(found["rmse"].get<double>() < 0.5 * found["rmse_of_mean"].get<double>());
  CHECK(found["written"].get<int>() == 20 * 15 - found["cells"].get<int>());
  CHECK(run("3").out == one.out);
  const Result soft = run_gssl({"complete", file, "--method", "soft-impute:lambda=0.5"});
  CHECK(soft.status == 0);
}

TEST_CASE("complete refuses what makes no sense", "[complete]") {
  const TemporaryDirectory dir;
  const std::string file = dir.file("cells.csv", cells);
  CHECK(run_gssl({"complete", file, "--method", "svd"}).status == 64);
  const Result other = run_gssl({"complete", file, "--method", "harmonic"});
  CHECK(other.status == 64);
  CHECK(other.err.find("(gssl label)") != std::string::npos);
  CHECK(run_gssl({"complete", file, "--method", "als:rank=-1"}).status == 64);
  CHECK(run_gssl({"complete", file, "--holdout", "1.5"}).status == 64);
  CHECK(run_gssl({"complete", file, "--top", "0"}).status == 64);
  CHECK(run_gssl({"complete", file, "--top", "1", "--ask", file}).status == 64);
  CHECK(run_gssl({"complete", dir.file("bad", "a b\n")}).status == 65);
  CHECK(run_gssl({"complete", dir.file("empty", "")}).status == 65);
  CHECK(
      run_gssl({"complete", dir.file("ask", "a x 1\n"), "--ask", dir.file("q", "b x\n")}).status ==
      65);
  CHECK(run_gssl({"complete", "/nowhere/cells"}).status == 66);
}

TEST_CASE("complete tells each lambda of the path with its error on what was held out",
          "[complete]") {
  const TemporaryDirectory dir;
  std::string text;
  for (int r = 0; r < 25; ++r)
    for (int c = 0; c < 20; ++c)
      if ((3 * r + 5 * c) % 4 != 0)
        text += "r" + std::to_string(r) + " c" + std::to_string(c) + " " +
                std::to_string((r % 5) * 0.3 - (c % 3) * 0.4 + 0.1 * ((r * c) % 7)) + "\n";
  const std::string file = dir.file("cells", text);
  const std::string summary = (dir.path() / "s.json").string();
  const Result one = run_gssl({"complete", file, "--holdout", "0.2", "--method",
                               "soft-impute:lambda=0.5,path=6", "--summary", summary});
  REQUIRE(one.status == 0);
  const nlohmann::json found = read_json(summary);
  for (const char* name : {"holdout_lambda", "holdout_rank", "holdout_objective", "holdout_rmse",
                           "holdout_seconds", "path_lambda", "path_rank"}) {
    INFO(name);
    CHECK(found[name].size() == 6);
  }
  CHECK(found["holdout_rmse"].back() == found["rmse"]);
  CHECK(found["holdout_rmse"][0].get<double>() > found["rmse"].get<double>());
  CHECK(found["path_rmse"][0].is_null());  // all cells were learned from
  CHECK(found["path_lambda"].back().get<double>() == Approx(0.5));
}
