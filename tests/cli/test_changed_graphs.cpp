// gssl label --changes, --warm-start and --flips.

#include <algorithm>
#include <cmath>
#include <sstream>

#include "read_json.hpp"
#include "run_gssl.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

using namespace gssl::test;

namespace {

// A ladder of 200 rungs, labels at every tenth vertex of one side.
struct Days {
  TemporaryDirectory dir = {};
  std::string graph, labels;

  Days() {
    std::string edges, given;
    for (int i = 0; i < 200; ++i) {
      const std::string l = "l" + std::to_string(i), r = "r" + std::to_string(i);
      edges += l + " " + r + "\n";
      if (i > 0) edges += "l" + std::to_string(i - 1) + " " + l + "\n";
      if (i > 0) edges += "r" + std::to_string(i - 1) + " " + r + "\n";
      if (i % 10 == 0) given += l + (i % 20 == 0 ? " red\n" : " blue\n");
    }
    graph = dir.file("g", edges);
    labels = dir.file("l", given);
  }
  std::string path(const std::string& name) const { return (dir.path() / name).string(); }
  Result label(std::vector<std::string> more, const std::string& method) const {
    more.insert(more.begin(), {"label", graph, labels, "--method", method});
    return run_gssl(more);
  }
};

const std::string tight = "harmonic:tolerance=1e-12";
const std::string changes =
    "- l50 l51\n+ l55 r60 3\n= l100 r100 0.5\n+ new\n+ new r120\nlabel r121 green\nunlabel l150\n";

std::vector<double> numbers(const std::string& table) {
  std::vector<double> list;
  std::istringstream lines(table);
  std::string line, word;
  std::getline(lines, line);
  while (std::getline(lines, line)) {
    std::istringstream words(line);
    words >> word;
    while (words >> word) list.push_back(std::stod(word));
  }
  return list;
}

}  // namespace

TEST_CASE("a changed graph from yesterday's scores has the scores of a fresh run", "[warm_start]") {
  for (const std::string& method : {tight, std::string("harmonic:soft=1,tolerance=1e-12"),
                                    std::string("local-global:alpha=0.7,tolerance=1e-12")}) {
    Days days;
    INFO(method);
    CHECK(days.label({"--scores", days.path("s"), "-o", days.path("o")}, method).status == 0);
    const std::string today = days.dir.file("c", changes);
    CHECK(days.label({"--changes", today, "--scores", days.path("fresh"), "-o", days.path("of")},
                     method)
              .status == 0);
    const Result warm = days.label(
        {"--changes", today, "--warm-start", days.path("s"), "--scores", days.path("warm"), "-o",
         days.path("ow"), "--flips", days.path("flips"), "--summary", days.path("json")},
        method);
    INFO(warm.err);
    CHECK(warm.status == 0);
    const std::vector<double> a = numbers(read_file(days.path("fresh")));
    const std::vector<double> b = numbers(read_file(days.path("warm")));
    REQUIRE(a.size() == b.size());
    double largest = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, std::abs(a[i] - b[i]));
    CHECK(largest < 1e-9);
    const auto summary = read_json(days.path("json"));
    CHECK(summary["changes"]["edges_added"] == 2);
    CHECK(summary["changes"]["edges_removed"] == 1);
    CHECK(summary["changes"]["edges_reweighted"] == 1);
    CHECK(summary["changes"]["vertices_added"] == 1);
    CHECK(summary["changes"]["labels"] == 2);
    CHECK(summary["n"] == 401);
    CHECK(summary["warm_start"]["flips"].get<int>() >= 2);  // new and r121
    CHECK(summary["warm_start"]["change_sum"].get<double>() > 1.0);
    CHECK(summary["error_bound"].get<double>() >= largest - 1e-10);
    const std::string flips = read_file(days.path("flips"));
    CHECK(flips.starts_with("node\tbefore\tnow\tconfidence_before\tconfidence_now\n"));
    CHECK(flips.find("\nnew\t?\t") != std::string::npos);
    CHECK(flips.find("\tgreen\t") != std::string::npos);
    CHECK(warm.err.find("labels changed, 1 of which had none before; scores by") !=
          std::string::npos);
    CHECK(summary["warm_start"]["first_answers"] == 1);
    CHECK(summary["labelled"] == 20);
  }
}

TEST_CASE("a day begins where the checkpoint of the day before ended", "[warm_start]") {
  Days days;
  CHECK(days.label({"--checkpoint", days.path("mon"), "--scores", days.path("s")}, tight).status ==
        0);
  const std::string today = days.dir.file("c", changes);
  const Result warm = days.label({"--changes", today, "--warm-start", days.path("mon"), "--scores",
                                  days.path("warm"), "--checkpoint", days.path("tue")},
                                 tight);
  INFO(warm.err);
  CHECK(warm.status == 0);
  // Nothing has changed since: nothing is solved.
  const Result same = days.label(
      {"--changes", today, "--warm-start", days.path("tue"), "--summary", days.path("json")},
      tight);
  INFO(same.err);
  CHECK(same.status == 0);
  const auto summary = read_json(days.path("json"));
  CHECK(summary["warm_start"]["flips"] == 0);
  CHECK(summary["warm_start"]["first_residual"].get<double>() < 1e-9);

  Days renamed;
  renamed.graph = renamed.dir.file("other", "a b\nb c\n");
  renamed.labels = renamed.dir.file("ol", "a red\nc blue\n");
  const Result other = renamed.label({"--warm-start", days.path("mon")}, tight);
  CHECK(other.status == 65);
  CHECK(other.err.find("other vertices") != std::string::npos);
}

TEST_CASE("gssl info tells of which run a checkpoint is", "[warm_start]") {
  Days days;
  CHECK(days.label({"--checkpoint", days.path("mon")}, tight).status == 0);
  const Result info = run_gssl({"info", days.path("mon")});
  INFO(info.err);
  CHECK(info.status == 0);
  CHECK(info.out.find("\nmethod\tharmonic:") != std::string::npos);
  CHECK(info.out.find("\ngraph\t400 vertices, 598 edges,") != std::string::npos);
  CHECK(info.out.find("\nstate\tended: it holds the answer\n") != std::string::npos);
}

TEST_CASE("a graph converted with its changes is the graph of that day", "[warm_start]") {
  Days days;
  const std::string today = days.dir.file("c", changes);
  CHECK(days.label({"--changes", today, "-o", days.path("o"), "--scores", days.path("s")}, tight)
            .status == 0);
  const Days given;  // the same labels, after the same changes
  const std::string labels =
      days.dir.file("edges.only", "- l50 l51\n+ l55 r60 3\n= l100 r100 0.5\n+ new\n+ new r120\n");
  const std::string of_labels = days.dir.file("labels.only", "label r121 green\nunlabel l150\n");
  for (const char* to : {"tuesday.gssl", "tuesday.tsv"}) {
    const Result made = run_gssl({"convert", days.graph, days.path(to), "--changes", today});
    INFO(made.err);
    CHECK(made.status == 0);
    CHECK(made.err.find("2 lines change labels") != std::string::npos);
    CHECK(run_gssl({"convert", days.graph, days.path("no.gssl"), "--changes", labels})
              .err.find("change labels") == std::string::npos);
    days.graph = days.path(to);
    CHECK(days.label({"--changes", of_labels, "-o", days.path("o2"), "--scores", days.path("s2")},
                     tight)
              .status == 0);
    CHECK(numbers(read_file(days.path("s2"))).size() == numbers(read_file(days.path("s"))).size());
    const std::vector<double> a = numbers(read_file(days.path("s")));
    const std::vector<double> b = numbers(read_file(days.path("s2")));
    double largest = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, std::abs(a[i] - b[i]));
    CHECK(largest < 1e-10);
    days.graph = given.graph;
  }
}

TEST_CASE("many names are known again whatever the threads", "[warm_start]") {
  Days days;
  std::string edges, labels;
  for (int i = 0; i < 80000; ++i)
    edges += "vertex-" + std::to_string(i) + " vertex-" + std::to_string(i + 1) + "\n";
  days.graph = days.dir.file("long", edges);
  days.labels = days.dir.file("ends", "vertex-0 red\nvertex-80000 blue\n");
  CHECK(days.label({"--checkpoint", days.path("mon"), "--scores", days.path("s"), "--threads", "1"},
                   "harmonic")
            .status == 0);
  for (const char* threads : {"1", "3"})
    CHECK(days.label({"--warm-start", days.path("mon"), "--threads", threads}, "harmonic").status ==
          0);
  days.graph = days.dir.file("renamed", edges + "vertex-7 one-more\n");
  CHECK(days.label({"--warm-start", days.path("mon")}, "harmonic").status == 0);
  edges.replace(edges.rfind("vertex-80000"), 12, "vertex-80001");
  days.graph = days.dir.file("other", edges);
  days.labels = days.dir.file("others", "vertex-0 red\nvertex-80001 blue\n");
  CHECK(days.label({"--warm-start", days.path("mon")}, "harmonic").status == 65);
}

TEST_CASE("a table of scores that was cut off is told", "[warm_start]") {
  Days days;
  CHECK(days.label({"--scores", days.path("s")}, tight).status == 0);
  const std::string whole = read_file(days.path("s"));
  const std::string half = whole.substr(0, whole.rfind('\n', whole.size() / 2) + 1);
  const auto without = std::ranges::count(whole, '\n') - std::ranges::count(half, '\n');
  const Result r = days.label(
      {"--warm-start", days.dir.file("half", half), "--summary", days.path("json")}, tight);
  INFO(r.err);
  CHECK(r.status == 0);
  const auto summary = read_json(days.path("json"));
  REQUIRE(summary["warnings"].size() == 1);
  CHECK(summary["warnings"][0].get<std::string>().find(
            "half: has no scores of " + std::to_string(without) + " of ") != std::string::npos);
}

TEST_CASE("starts and changes that make no sense are refused", "[warm_start]") {
  Days days;
  CHECK(days.label({"--scores", days.path("s")}, tight).status == 0);
  const auto refused = [&](const std::vector<std::string>& more, const std::string& method,
                           int status, const std::string& words) {
    const Result r = days.label(more, method);
    INFO(r.err);
    CHECK(r.status == status);
    CHECK(r.err.find(words) != std::string::npos);
  };
  refused({"--warm-start", days.path("s")}, "auto", 64, "use --method harmonic");
  refused({"--warm-start", days.path("s")}, "poisson", 64, "use --method harmonic");
  refused({"--warm-start", days.path("s")}, "harmonic:mass=cmn", 64, "mass=none");
  refused({"--flips", days.path("f")}, tight, 64, "--warm-start");
  refused({"--warm-start", days.path("none")}, tight, 66, "none");
  refused({"--warm-start", days.graph}, tight, 65, "expected a header");
  const auto changed = [&](const std::string& text) { return days.dir.file("c", text); };
  refused({"--changes", changed("- l0 l2\n")}, tight, 65, ":1: '- l0 l2': no such edge");
  refused({"--changes", changed("+ l0 q\n")}, tight, 65, "no vertex 'q'");
  refused({"--changes", changed("unlabel r1\n")}, tight, 65, "label of 'r1'");
}
