// The JSON summary of a run, good or bad.

#include <filesystem>

#include "read_json.hpp"
#include "run_gssl.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

using namespace gssl::test;
using nlohmann::json;

namespace {

json summary_of(const std::vector<std::string>& arguments, int status) {
  const TemporaryDirectory dir;
  const std::string path = (dir.path() / "run.json").string();
  std::vector<std::string> with_summary = arguments;
  with_summary.insert(with_summary.end(), {"--summary", path});
  const Result r = run_gssl(with_summary);
  INFO(r.err);
  CHECK(r.status == status);
  REQUIRE(std::filesystem::exists(path));
  const json summary = read_json(path);
  CHECK(summary["exit_status"] == status);
  return summary;
}

}  // namespace

TEST_CASE("the summary of a labeling has every promised key") {
  const json s =
      summary_of({"label", "datasets/digits/edges.tsv", "datasets/digits/labels.tsv", "--truth",
                  "datasets/digits/truth.tsv", "--seed", "7", "-o", "/dev/null"},
                 0);
  for (const char* key : {"command",
                          "version",
                          "arguments",
                          "seed",
                          "threads",
                          "inputs",
                          "n",
                          "m",
                          "edges_given",
                          "self_loops_dropped",
                          "duplicates_merged",
                          "reversed_merged",
                          "zero_weights_dropped",
                          "components",
                          "classes",
                          "labelled",
                          "given",
                          "inferred",
                          "unreached",
                          "accuracy",
                          "accuracy_reached",
                          "measured",
                          "method",
                          "solver",
                          "seconds",
                          "peak_rss_bytes",
                          "warnings",
                          "outcome",
                          "exit_status"}) {
    INFO(key);
    CHECK(s.contains(key));
  }
  CHECK(s["command"] == "label");
  CHECK(s["seed"] == 7);
  CHECK(s["n"] == 1797);
  CHECK(s["classes"] == 10);
  CHECK(s["labelled"] == 10);
  CHECK(s["inputs"].size() == 3);
  CHECK(s["given"].get<int>() + s["inferred"].get<int>() + s["unreached"].get<int>() == 1797);
  CHECK(s["accuracy"].get<double>() > 0.5);
  CHECK(s["outcome"] == "complete");
  for (const char* key : {"used", "iterations", "relative_residual", "outcome"}) {
    INFO(key);
    CHECK(s["solver"].contains(key));
  }
  for (const char* key : {"read", "build", "setup", "solve", "write", "total"}) {
    INFO(key);
    CHECK(s["seconds"].contains(key));
  }
  CHECK(s["peak_rss_bytes"].get<std::int64_t>() > 1'000'000);
}

TEST_CASE("the summary counts what was dropped, merged, ignored and added") {
  const TemporaryDirectory dir;
  const json s = summary_of({"label", dir.file("g", "a b 1\na b 2\nb a 3\nc c 1\nb c 1\n"),
                             dir.file("l", "a x\nghost y\nc y\nc y\n"), "--unknown-labels", "add"},
                            0);
  CHECK(s["edges_given"] == 5);
  CHECK(s["self_loops_dropped"] == 1);
  CHECK(s["duplicates_merged"] == 1);
  CHECK(s["reversed_merged"] == 1);
  CHECK(s["labels_unknown_added"] == 1);
  CHECK(s["labels_duplicates_merged"] == 1);
  CHECK(s["n"] == 4);
  CHECK(s["warnings"].size() == 1);
}

TEST_CASE("the summary is written on failure with the error in it") {
  const TemporaryDirectory dir;
  const std::string labels = dir.file("l", "a x\n");
  const json bad = summary_of({"label", dir.file("g", "a b -1\n"), labels}, 65);
  CHECK(bad["error"].get<std::string>().find("g:1:") != std::string::npos);
  CHECK(bad["outcome"] == "failed");
  CHECK(summary_of({"label", "no-such-file", labels}, 66).contains("error"));
  const json usage = summary_of({"label", "g", labels, "--no-such-option"}, 64);
  CHECK(usage["command"] == "label");
}

TEST_CASE("a wrong command line never writes its summary over a file it names") {
  const TemporaryDirectory dir;
  const std::string graph = dir.file("g", "a b\n");
  const Result r = run_gssl({"info", graph, "--no-such-option", "--summary", graph});
  CHECK(r.status == 64);
  CHECK(read_file(graph) == "a b\n");
}

TEST_CASE("regression reports its error and time per phase adds up") {
  const TemporaryDirectory dir;
  const json s = summary_of({"label", dir.file("g", "a b 1\nb c 3\n"), dir.file("l", "a 0\nc 8\n"),
                             "--regression", "--truth", dir.file("t", "a 0\nb 5\n")},
                            0);
  CHECK(s["rmse"].get<double>() == Approx(1.0));
  CHECK(s["measured"] == 1);
  CHECK(s["seconds"]["total"].get<double>() >= s["seconds"]["read"].get<double>());
}
