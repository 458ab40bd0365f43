// gssl label with --calibrate, --min-confidence and --report; gssl cluster --report.

#include <algorithm>
#include <filesystem>
#include <sstream>

#include "read_json.hpp"
#include "run_gssl.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

using namespace gssl::test;

namespace {

// The first `count` labels of each class of the digits.
std::string some_digits(int count) {
  std::istringstream lines(read_file(source_path("datasets/digits/truth.tsv")));
  std::string line, kept, node, label;
  std::vector<int> seen(10, 0);
  std::getline(lines, line);  // the header
  while (lines >> node >> label)
    if (++seen[static_cast<std::size_t>(std::stoi(label))] <= count)
      kept += node + "\t" + label + "\n";
  return kept;
}

}  // namespace

TEST_CASE("calibrated confidence is nearly the share right", "[confidence]") {
  const TemporaryDirectory dir;
  const std::string summary = (dir.path() / "s.json").string();
  const std::string labels = dir.file("l", some_digits(10));
  std::vector<std::string> run = {"label",   "datasets/digits/edges.tsv", labels,
                                  "--truth", "datasets/digits/truth.tsv", "--summary",
                                  summary};
  REQUIRE(run_gssl(run).status == 0);
  const auto before = read_json(summary);
  CHECK(before["calibration_error"].get<double>() > 0.15);
  CHECK(before["class_precision"].size() == 10);
  CHECK(before["class_recall"].size() == 10);
  run.insert(run.end(), {"--calibrate", "temperature"});
  const Result r = run_gssl(run);
  INFO(r.err);
  REQUIRE(r.status == 0);
  const auto after = read_json(summary);
  CHECK(after["calibration_error"].get<double>() <= 0.05);
  CHECK(after["calibration"]["left_out"] == 100);
  CHECK(after["accuracy"] == before["accuracy"]);
}

TEST_CASE("answers that are not sure enough are '?' and uncertain", "[confidence]") {
  const TemporaryDirectory dir;
  const std::string summary = (dir.path() / "s.json").string();
  // a ─ b ─ c: b is as near to one label as to the other.
  const std::string graph = dir.file("g", "a b 1\nb c 1\nc d 9\nd e 1\n");
  const std::string labels = dir.file("l", "a x\nc y\ne y\n");
  const Result r = run_gssl({"label", graph, labels, "--method", "harmonic", "--min-confidence",
                             "0.6", "--summary", summary});
  INFO(r.err);
  CHECK(r.status == 0);
  CHECK(r.out.find("b\t?\t0.5\tuncertain\n") != std::string::npos);
  CHECK(r.out.find("d\ty\t1\tinferred\n") != std::string::npos);
  CHECK(read_json(summary)["uncertain"] == 1);
  CHECK(read_json(summary)["inferred"] == 1);
  CHECK(r.err.find("3 given, 1 inferred, 0 unreached, 1 uncertain") != std::string::npos);
  // What was written is read again without the uncertain vertex.
  const Result again = run_gssl({"label", graph, dir.file("o", r.out), "--method", "harmonic"});
  CHECK(again.status == 0);
  CHECK(again.out.find("d\ty\t1\tgiven\n") != std::string::npos);
}

TEST_CASE("label and cluster draw a page of their own", "[confidence]") {
  const TemporaryDirectory dir;
  const std::string page = (dir.path() / "p.html").string();
  REQUIRE(run_gssl({"label", "datasets/digits/edges.tsv", "datasets/digits/labels.tsv", "--truth",
                    "datasets/digits/truth.tsv", "--report", page})
              .status == 0);
  std::string html = read_file(page);
  CHECK(html.size() < 1'000'000);
  CHECK(html.find("<script") == std::string::npos);
  for (const char* part : {"The graph", "Confusion", "Reliability", "Least certain vertices",
                           "Components", "What proves it", "1797 of 1797 vertices"})
    CHECK(html.find(part) != std::string::npos);
  REQUIRE(run_gssl({"cluster", "datasets/iris/edges.tsv", "-k", "3", "--report", page}).status ==
          0);
  html = read_file(page);
  CHECK(html.find("150 of 150 vertices") != std::string::npos);
  CHECK(html.find("Least certain") == std::string::npos);
  CHECK(html.find(">given</th>") == std::string::npos);
}

TEST_CASE("confidence options are refused where there is none", "[confidence]") {
  const std::vector<std::string> run = {"label", "datasets/digits/edges.tsv",
                                        "datasets/digits/labels.tsv"};
  const auto status = [&](const std::vector<std::string>& more) {
    std::vector<std::string> all = run;
    all.insert(all.end(), more.begin(), more.end());
    return run_gssl(all).status;
  };
  CHECK(status({"--calibrate", "temperature"}) == 65);  // one label of each class
  CHECK(status({"--calibrate", "guess"}) == 64);
  CHECK(status({"--min-confidence", "2"}) == 64);
  CHECK(status({"--regression", "--min-confidence", "0.5"}) == 64);
  CHECK(status({"--regression", "--report", "/dev/null"}) == 64);
}
