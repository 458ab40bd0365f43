// gssl ask: questions, candidates, simulation, and what it refuses.

#include <algorithm>
#include <filesystem>

#include "read_json.hpp"
#include "run_gssl.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

using namespace gssl::test;

namespace {

// a path of five, and a pair apart
constexpr const char* graph_text = "a b\nb c\nc d\nd e\nx y\n";
constexpr const char* labels_text = "a red\ne blue\n";

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("ask asks components without a label first, then what the criterion says") {
  const TemporaryDirectory dir;
  const std::string graph = dir.file("g", graph_text);
  const std::string labels = dir.file("l", labels_text);
  const std::string summary = (dir.path() / "run.json").string();
  const Result r =
      run_gssl({"ask", graph, labels, "-n", "2", "--criterion", "v-opt", "--summary", summary});
  CHECK(r.status == 0);
  // C = (L of the path without its ends)⁻¹; at the middle ‖C_c‖²/C_cc = (1/4 + 1 + 1/4)/1
  CHECK(r.out == "rank\tnode\tscore\twhy\n1\tx\t2\tunreached\n2\tc\t1.5\tv-opt\n");
  const auto json = read_json(summary);
  CHECK(json["asked"] == 2);
  CHECK(json["asked_unreached"] == 1);
  CHECK(json["rank"] == 0);
  CHECK(json["solver"]["outcome"] == "converged");
  const Result margin =
      run_gssl({"ask", graph, labels, "-n", "9", "--criterion", "margin:unreached=last"});
  CHECK(margin.status == 0);
  CHECK(contains(margin.out, "\n1\tc\t1\tmargin\n2\tb\t0.5\tmargin\n3\td\t0.5\tmargin\n4\tx\t2\t"));
  CHECK(contains(margin.err, "only 4 of 9 questions"));
  CHECK(run_gssl({"ask", graph, labels, "-n", "9", "--strict"}).status == 1);
  const Result last = run_gssl(
      {"ask", graph, labels, "-n", "9", "--criterion", "v-opt:unreached=last", "--strict"});
  CHECK(last.status == 1);
  CHECK(contains(last.out, "\n4\tx\t2\tunreached\n5\ty\t"));
  CHECK(contains(last.err, "only 5 of 9 questions: every other candidate is labeled or asked"));
  const Result one_class = run_gssl({"ask", graph, dir.file("one", "a red\ne red\n"), "-n", "3"});
  CHECK(one_class.status == 0);
  CHECK(contains(one_class.err, "warning: labels of one class"));
  CHECK(contains(one_class.err, "v-opt"));
}

TEST_CASE("ask keeps to the candidates, and works without any label") {
  const TemporaryDirectory dir;
  const std::string graph = dir.file("g", graph_text);
  const std::string candidates = dir.file("c", "node\nb\n# no d\ny\nb\na\n");
  const Result some = run_gssl({"ask", graph, dir.file("l", labels_text), "-n", "5", "--criterion",
                                "v-opt", "--candidates", candidates, "--format", "csv"});
  CHECK(some.status == 0);
  CHECK(some.out.starts_with("rank,node,score,why\n1,y,2,unreached\n2,b,"));
  CHECK(contains(some.err, "only 2 of 5"));
  for (const char* criterion : {"v-opt", "entropy", "model-change"}) {
    const Result none =
        run_gssl({"ask", graph, dir.file("l0", ""), "-n", "2", "--criterion", criterion});
    INFO(none.err);
    CHECK(none.status == 0);
    CHECK(none.out == "rank\tnode\tscore\twhy\n1\tc\t5\tunreached\n2\tx\t2\tunreached\n");
  }
  const Result all = run_gssl({"ask", dir.file("g2", "a b\n"), dir.file("l2", "a 1\nb 1\n")});
  CHECK(all.status == 0);
  CHECK(all.out == "rank\tnode\tscore\twhy\n");
  CHECK(contains(all.err, "every other candidate is labeled or asked"));
}

TEST_CASE("ask --simulate writes the curve beside random, as a table, CSV and picture") {
  const TemporaryDirectory dir;
  const std::string csv = (dir.path() / "curve.csv").string();
  const std::string svg = (dir.path() / "curve.svg").string();
  const std::string summary = (dir.path() / "run.json").string();
  const std::vector<std::string> line = {"ask",
                                         "datasets/iris/edges.tsv",
                                         "datasets/iris/labels.tsv",
                                         "--simulate",
                                         "--truth",
                                         "datasets/iris/truth.tsv",
                                         "--criterion",
                                         "v-opt:rank=20,noise=0.1",
                                         "--budget",
                                         "8",
                                         "-n",
                                         "4",
                                         "--repeats",
                                         "3",
                                         "--curve",
                                         csv,
                                         "--svg",
                                         svg,
                                         "--summary",
                                         summary};
  const Result r = run_gssl(line);
  INFO(r.err);
  CHECK(r.status == 0);
  CHECK(r.out.starts_with("asked\tcriterion\tmean\tsd\trepeats\n0\tv-opt\t"));
  CHECK(contains(r.out, "\n8\trandom\t"));
  CHECK(std::count(r.out.begin(), r.out.end(), '\n') == 7);
  CHECK(read_file(csv).starts_with("asked,criterion,mean,sd,repeats\n0,v-opt,"));
  const std::string picture = read_file(svg);
  CHECK(picture.starts_with("<svg xmlns="));
  CHECK(picture.ends_with("</svg>\n"));
  CHECK(contains(picture, ">v-opt</text>"));
  CHECK(contains(picture, ">random</text>"));
  CHECK(!contains(picture, "nan"));
  const auto json = read_json(summary);
  CHECK(json["repeats"] == 3);
  CHECK(json["area"].get<double>() > 0.5);
  CHECK(json["area_random"].get<double>() > 0.5);
  CHECK(contains(r.err, "at random (3 repeats)"));
  std::vector<std::string> threaded = line;
  threaded.insert(threaded.end(), {"--threads", "4"});
  CHECK(run_gssl(threaded).out == r.out);
}

TEST_CASE("ask refuses what it cannot do, and leaves no output") {
  const TemporaryDirectory dir;
  const std::string graph = dir.file("g", graph_text);
  const std::string labels = dir.file("l", labels_text);
  const std::string truth = dir.file("t", "a red\nb red\nc red\nd blue\ne blue\n");
  const std::string stranger = dir.file("s", "b\nnobody\n");
  const std::string two = dir.file("two", "b\nc d\n");
  struct Case {
    std::vector<std::string> more;
    int status;
    const char* message;
  };
  const std::vector<Case> cases = {
      {{"-n", "0"}, 64, "--count"},
      {{"-n", "two"}, 64, "--count"},
      {{"--criterion", "vopt"}, 64, "criterion 'vopt' is not known: did you mean v-opt?"},
      {{"--criterion", "v-opt:rank=5,noise=0"}, 64, "noise=0"},
      {{"--criterion", "v-opt:noise=1e308"}, 64, "noise=1e308: must be a number in [0, 1e+100]"},
      {{"--criterion", "v-opt:noise=1e-320"}, 64, "must be 0 or in [1e-100, 1e+100]"},
      {{"--simulate", "--truth", labels}, 65, "nothing to measure"},
      {{"--criterion", "v-opt:depth=5"}, 64, "depth"},
      {{"--criterion", "margin:rank=5"}, 64, "option rank: is for v-opt"},
      {{"--criterion", "random:noise=1"}, 64, "option noise: is for v-opt"},
      {{"--method", "nonesuch"}, 64, "nonesuch"},
      {{"--simulate"}, 64, "give --truth"},
      {{"--truth", truth}, 64, "need --simulate"},
      {{"--repeats", "3"}, 64, "need --simulate"},
      {{"--simulate", "--truth", truth, "--candidates", stranger}, 64, "leave --candidates out"},
      {{"--candidates", stranger}, 65, "s:2: vertex nobody is not in the graph"},
      {{"--candidates", two}, 65, "two:2:"},
      {{"--candidates", "no-such-file"}, 66, "no-such-file"},
      {{"--simulate", "--truth", dir.file("t0", "")}, 65, "t0: no label of a vertex of the graph"},
      {{"--simulate", "--truth", truth, "--svg", "no/such/dir.svg"}, 73, "no/such/dir.svg"},
  };
  for (const Case& c : cases) {
    std::vector<std::string> line = {"ask", graph, labels, "-o", (dir.path() / "out").string()};
    line.insert(line.end(), c.more.begin(), c.more.end());
    const Result r = run_gssl(line);
    INFO(c.message << " in " << r.err);
    CHECK(r.status == c.status);
    CHECK(contains(r.err, c.message));
    CHECK(!std::filesystem::exists(dir.path() / "out"));
  }
}

TEST_CASE("ask that was stopped says so, not that there is nothing to ask") {
  const Result r = run_gssl({"ask", "datasets/digits/edges.tsv", "datasets/digits/labels.tsv",
                             "--time-limit", "0.000001"});
  CHECK(r.status == 1);
  CHECK(contains(r.err, "only 0 of 1 questions: the run was stopped"));
}

TEST_CASE(
    "ask says that scores are missing where the run missed its tolerance, not that it stopped") {
  const TemporaryDirectory dir;
  std::string edges = "x y\n";
  for (int v = 0; v < 400; ++v) {
    if (v % 20 != 19) edges += std::to_string(v) + " " + std::to_string(v + 1) + "\n";
    if (v + 20 < 400) edges += std::to_string(v) + " " + std::to_string(v + 20) + "\n";
  }
  // x is asked, and y, whose component then has a label, has no score.
  const Result r =
      run_gssl({"ask", dir.file("g", edges), dir.file("l", "0 red\n399 blue\n"), "-n", "400",
                "--criterion", "margin", "--method", "harmonic:solver=cg,max_iterations=1"});
  INFO(r.err);
  CHECK(r.status == 1);
  CHECK(contains(r.err, "stopped before tolerance (iteration_limit)"));
  CHECK(
      contains(r.err, "only 399 of 400 questions: the scores say nothing of the candidates left"));
}

// Past 4,000 candidates by eigenpairs: those of a path lie closer together than any product tells
// apart, and all but two of a star are one.
TEST_CASE("ask ends on a long path and on a star, and asks for the middle", "[large]") {
  constexpr int edges = 6'000;
  std::string path, star;
  for (int v = 1; v <= edges; ++v) {
    path += std::to_string(v - 1) + " " + std::to_string(v) + "\n";
    star += "0 " + std::to_string(v) + "\n";
  }
  const TemporaryDirectory dir;
  const auto asked = [&](const std::string& graph, const std::string& labels) {
    const Result r = run_gssl({"ask", dir.file("g", graph), dir.file("l", labels), "-n", "1"});
    INFO(r.err);
    CHECK(r.status == 0);
    CHECK(contains(r.err, "101 pairs"));
    return r.out;
  };
  CHECK(contains(asked(path, "0 a\n6000 b\n"), "\n1\t3000\t"));
  CHECK(contains(asked(star, "1 a\n2 b\n"), "\n1\t0\t"));
}
