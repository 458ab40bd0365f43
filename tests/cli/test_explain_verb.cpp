// gssl explain: shares, suspects, and what it refuses.

#include <filesystem>

#include "read_json.hpp"
#include "run_gssl.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

using namespace gssl::test;

namespace {

// a - b = c   d - e
constexpr const char* edges_text = "a b 1\nb c 3\nd e 1\n";
constexpr const char* given_text = "a x\nc y\n";

}  // namespace

TEST_CASE("explain writes the share of each label, largest first, and its certificates") {
  const TemporaryDirectory dir;
  const std::string summary = (dir.path() / "run.json").string();
  const Result r = run_gssl({"explain", dir.file("g", edges_text), dir.file("l", given_text),
                             "--node", "b", "--node", "d", "--node", "a", "--summary", summary});
  CHECK(r.status == 0);
  CHECK(r.out ==
        "node\tlabel_node\tlabel\tshare\n"
        "b\tc\ty\t0.75\n"
        "b\ta\tx\t0.25\n"
        "d\t?\t?\t0\n"
        "a\ta\tx\t1\n");
  CHECK(r.err.find("b: y with 0.75, from 2 labels") != std::string::npos);
  CHECK(r.err.find("d: no label in its component") != std::string::npos);
  const auto json = read_json(summary);
  CHECK(json["row_sums"] == std::vector<double>{1.0, 0.0, 1.0});
  CHECK(json["solver"]["outcome"] == "converged");
  CHECK(json["method"].get<std::string>().starts_with("harmonic:soft=0"));
}

TEST_CASE("explain --top, --regression and --strict") {
  const TemporaryDirectory dir;
  const std::string graph = dir.file("g", edges_text);
  const std::string labels = dir.file("l", "a 8\nc -4\n");
  const Result top = run_gssl(
      {"explain", graph, labels, "--node", "b", "--top", "1", "--regression", "--format", "csv"});
  CHECK(top.out == "node,label_node,label,share\nb,c,-4,0.75\n");
  CHECK(top.err.find("b: -1, from 2 labels") != std::string::npos);
  CHECK(run_gssl({"explain", graph, labels, "--node", "d", "--strict"}).status == 1);
  const Result suspects = run_gssl({"explain", graph, labels, "--suspects", "--regression"});
  CHECK(suspects.out ==
        "rank\tnode\tlabel\tsuspicion\tothers_say\tstatus\n"
        "1\ta\t8\t12\t-4\tchecked\n"
        "2\tc\t-4\t12\t8\tchecked\n");
}

TEST_CASE("explain --suspects ranks the flipped label first and says what cannot be checked") {
  const TemporaryDirectory dir;
  // two triangles and a bridge, one isolated pair
  const std::string graph = dir.file("g", "1 2\n2 3\n1 3\n3 4\n4 5\n5 6\n4 6\n7 8\n");
  const std::string labels = dir.file("l", "1 red\n2 blue\n3 red\n5 blue\n6 blue\n7 green\n");
  const std::string summary = (dir.path() / "run.json").string();
  const Result r = run_gssl({"explain", graph, labels, "--suspects", "--summary", summary});
  CHECK(r.status == 0);
  CHECK(r.out.find("\n1\t2\tblue\t1\tred\t1\t0\tchecked\n") != std::string::npos);
  CHECK(r.out.find("\n6\t7\tgreen\t0\t?\t0\t0\talone\n") != std::string::npos);
  const auto json = read_json(summary);
  CHECK(json["unchecked"] == 1);
  CHECK(json["outvoted"].get<int>() >= 1);
  CHECK(json["row_sum_error"].get<double>() < 1e-12);
}

TEST_CASE("explain warns where every label of a class is outvoted") {
  // A center with nine leaves of y and some of x: most of the others are of y, whichever is left out.
  const auto warnings_with = [](int of_x) {
    const TemporaryDirectory dir;
    std::string edges, labels;
    for (int leaf = 0; leaf < 9 + of_x; ++leaf) {
      edges += "center " + std::to_string(leaf) + "\n";
      labels += std::to_string(leaf) + (leaf < 9 ? " y\n" : " x\n");
    }
    const std::string summary = (dir.path() / "run.json").string();
    const Result r = run_gssl({"explain", dir.file("g", edges), dir.file("l", labels), "--suspects",
                               "--summary", summary});
    CHECK(r.status == 0);
    const auto json = read_json(summary);
    CHECK(json["outvoted"] == of_x);
    return json["warnings"].size();
  };
  CHECK(warnings_with(2) == 0);
  CHECK(warnings_with(3) == 1);
}

TEST_CASE("a class that occurs in another component only cannot be confirmed") {
  const TemporaryDirectory dir;
  const std::string graph = dir.file("g", "a b\nb c\nc d\ne f\n");
  const std::string labels = dir.file("l", "a x\nd y\ne x\n");
  const Result r = run_gssl({"explain", graph, labels, "--suspects"});
  CHECK(r.out.find("\ta\tx\t1\ty\t1\t0\tonly-of-class\n") != std::string::npos);
  CHECK(r.out.find("checked") == std::string::npos);
}

TEST_CASE("explain refuses what it cannot do, and leaves no output") {
  const TemporaryDirectory dir;
  const std::string graph = dir.file("g", edges_text);
  const std::string labels = dir.file("l", given_text);
  struct Case {
    std::vector<std::string> more;
    int status;
    const char* message;
  };
  const std::vector<Case> cases = {
      {{}, 64, "give --node, or --suspects"},
      {{"--suspects", "--node", "b"}, 64, "leave --node out"},
      {{"--node", "z"}, 64, "--node z: no such vertex in"},
      {{"--node", "b", "--top", "-1"}, 64, "--top"},
      {{"--node", "b", "--top", "0"}, 64, "--top"},
      {{"--node", "b", "--method", "local-global"}, 64, "no average of the given labels"},
      {{"--node", "b", "--method", "harmonic:mass=cmn"}, 64, "leave mass"},
      {{"--node", "b", "--regression"}, 65, "l:1:"},
  };
  for (const Case& c : cases) {
    std::vector<std::string> line = {"explain", graph, labels, "-o", (dir.path() / "out").string()};
    line.insert(line.end(), c.more.begin(), c.more.end());
    const Result r = run_gssl(line);
    INFO(c.message << " in " << r.err);
    CHECK(r.status == c.status);
    CHECK(r.err.find(c.message) != std::string::npos);
    CHECK(!std::filesystem::exists(dir.path() / "out"));
  }
  const Result conflict = run_gssl({"explain", graph, dir.file("l2", "a x\na y\n"), "--suspects"});
  CHECK(conflict.status == 65);
  CHECK(conflict.err.find("l2:2:") != std::string::npos);
}

TEST_CASE("explain that was stopped does not pass for an answer") {
  const std::vector<std::string> line = {"explain", "datasets/digits/edges.tsv",
                                         "datasets/digits/labels.tsv", "--time-limit", "0.000001"};
  std::vector<std::string> node = line;
  node.insert(node.end(), {"--node", "17"});
  const Result one = run_gssl(node);
  CHECK(one.status == 1);
  CHECK(one.err.find("17: the run was stopped before its shares were known") != std::string::npos);
  std::vector<std::string> suspects = line;
  suspects.emplace_back("--suspects");
  const Result all = run_gssl(suspects);
  CHECK(all.status == 1);
  CHECK(all.out.find("\n1\t70\t1\t0\t?\t0\t0\tunfinished\n") != std::string::npos);
  CHECK(all.out.find("alone") == std::string::npos);
  CHECK(all.err.find("0 of 10 labels are outvoted by the others, 10 were not checked") !=
        std::string::npos);
}
