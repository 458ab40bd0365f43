// Input as it really comes: each oddity with its exit status, message, and untouched old output.

#include <zlib.h>

#include "read_json.hpp"
#include "run_gssl.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

using namespace gssl::test;

namespace {

std::string gzip(const std::string& text, const std::string& path) {
  gzFile file = gzopen(path.c_str(), "wb");
  gzwrite(file, text.data(), static_cast<unsigned>(text.size()));
  gzclose(file);
  return read_file(path);
}

std::string labels_of(const TemporaryDirectory& dir, const std::string& graph) {
  const Result r =
      run_gssl({"label", dir.file("g", graph), dir.file("l", "a x\nc y\n"), "--quiet"});
  CHECK(r.status == 0);
  return r.out;
}

}  // namespace

TEST_CASE("bad graphs exit with their status, name file and line, and leave the old output alone") {
  struct Case {
    const char* what;
    std::string graph;
    int status;
    const char* message;
  };
  const std::vector<Case> cases = {
      {"NaN weight", "a b 1\nb c nan\n", 65, "g:2:"},
      {"infinite weight", "a b 1\nb c inf\n", 65, "g:2:"},
      {"negative weight", "a b 1\nb c -2\n", 65, "g:2:"},
      {"overflowing weight", "a b 1\nb c 1e999\n", 65, "g:2:"},
      {"one column", "a b\nb\n", 65, "g:2:"},
      {"weight is a word", "a b 1\nb c heavy\n", 65, "g:2:"},
  };
  for (const Case& c : cases) {
    INFO(c.what);
    const TemporaryDirectory dir;
    const std::string out = dir.file("out", "old\n");
    const Result r =
        run_gssl({"label", dir.file("g", c.graph), dir.file("l", "a x\nb y\n"), "-o", out});
    CHECK(r.status == c.status);
    CHECK(r.out.empty());
    INFO(r.err);
    CHECK(r.err.find(c.message) != std::string::npos);
    CHECK(read_file(out) == "old\n");
    CHECK(std::distance(std::filesystem::directory_iterator(dir.path()), {}) == 3);
  }
}

TEST_CASE("merged weights that overflow are bad data") {
  const TemporaryDirectory dir;
  const Result r = run_gssl({"info", dir.file("g", "a b 1e308\na b 1e308\na b 1e308\n")});
  CHECK(r.status == 65);
}

TEST_CASE("line ends, byte-order mark and a missing final newline change nothing") {
  const TemporaryDirectory dir;
  const std::string plain = labels_of(dir, "a b 1\nb c 3\n");
  REQUIRE(plain.find("b\ty\t0.75\tinferred") != std::string::npos);
  CHECK(labels_of(dir, "a b 1\r\nb c 3\r\n") == plain);
  CHECK(labels_of(dir,
                  "\xEF\xBB\xBF"
                  "a b 1\nb c 3\n") == plain);
  CHECK(labels_of(dir, "a b 1\nb c 3") == plain);
  CHECK(labels_of(dir, "# a comment\n\na b 1\nb c 3\n") == plain);
}

TEST_CASE("duplicates, reversed edges and self-loops are counted, not hidden") {
  const TemporaryDirectory dir;
  const std::string graph = dir.file("g", "a b 1\na b 2\nb a 3\nc c 1\nb c 1\n");
  const Result r = run_gssl({"info", graph});
  REQUIRE(r.status == 0);
  CHECK(r.out.find("edges\t2\n") != std::string::npos);
  CHECK(r.out.find("self_loops_dropped\t1\n") != std::string::npos);
  CHECK(r.out.find("duplicates_merged\t1\n") != std::string::npos);
  CHECK(r.out.find("reversed_merged\t1\n") != std::string::npos);
  CHECK(r.out.find("weight_max\t3\n") != std::string::npos);
  CHECK(run_gssl({"info", graph, "--duplicates", "error"}).status == 65);
}

TEST_CASE("a truncated gzip is bad data and leaves the old output alone") {
  const TemporaryDirectory dir;
  std::string text;
  for (int i = 0; i < 20000; ++i) text += std::to_string(i) + " " + std::to_string(i * 7919) + "\n";
  const std::string whole = gzip(text, (dir.path() / "whole.gz").string());
  CHECK(run_gssl({"info", (dir.path() / "whole.gz").string()}).status == 0);
  const std::string cut = dir.file("cut.gz", whole.substr(0, whole.size() / 2));
  const std::string out = dir.file("out", "old\n");
  const Result r = run_gssl({"info", cut, "-o", out});
  CHECK(r.status == 65);
  CHECK(r.err.find("cut.gz") != std::string::npos);
  CHECK(read_file(out) == "old\n");
}

TEST_CASE("a missing file exits 66 and names it") {
  const TemporaryDirectory dir;
  const std::string out = dir.file("out", "old\n");
  const Result r = run_gssl({"label", "no-such-file", dir.file("l", "a x\n"), "-o", out});
  CHECK(r.status == 66);
  CHECK(r.err.find("no-such-file") != std::string::npos);
  CHECK(read_file(out) == "old\n");
  CHECK(run_gssl({"label", dir.file("g", "a b\n"), "no-such-labels"}).status == 66);
  CHECK(run_gssl({"learners", "--plugin", "no-such-plugin.so"}).status == 66);
}

TEST_CASE("a side file that is missing is found before the graph is read") {
  const TemporaryDirectory dir;
  const std::string bad = dir.file("bad", "a b c d e\n"), labels = dir.file("l", "a x\n");
  const std::vector<std::vector<std::string>> lines = {
      {"label", bad, "absent"},
      {"label", bad, labels, "--truth", "absent"},
      {"label", bad, labels, "--classes-prior", "absent"},
      {"label", "--points", bad, "--knn", "1", "--extend", "absent", labels},
      {"cluster", bad, "-k", "2", "--truth", "absent"},
      {"explain", bad, "absent", "--suspects"},
      {"ask", bad, "absent"},
      {"ask", bad, labels, "--candidates", "absent"},
      {"ask", bad, labels, "--simulate", "--truth", "absent"},
      {"cut", bad, "--terminals", "absent"},
      {"resistance", bad, "--pairs", "absent"}};
  for (const std::vector<std::string>& line : lines) {
    const Result r = run_gssl(line);
    INFO(r.err);
    CHECK(r.status == 66);
    CHECK(r.err.find("absent: cannot open: No such file or directory; check the path") !=
          std::string::npos);
  }
  // A pipe is not opened to see whether it can be: its writer would be left alone.
  const Result piped = run_shell("mkfifo p && (printf 'a b\\n' > p &) && $GSSL info p --quiet",
                                 {.directory = dir.path()});
  CHECK(piped.status == 0);
}

namespace {

const std::vector<std::vector<std::string>> wrong_lines = {
    {},
    {"frobnicate"},
    {"label"},
    {"label", "g"},
    {"label", "g", "l", "extra"},
    {"ask", "g"},
    {"ask", "g", "l", "-n"},
    {"explain", "g"},
    {"explain", "g", "l", "--node"},
    {"info", "g", "--seed", "-1"},
    {"info", "g", "--seed", "010"},
    {"info", "g", "--threads", "0"},
    {"info", "g", "--format", "xml"},
    {"label", "g", "l", "--time-limit", "nan"},
    {"label", "g", "l", "--no-such-option"},
    {"completions", "tcsh"},
    {"cut", "g", "--global", "--sink", "a"},
    {"cut", "g", "--source", "a", "--sink", "b", "--method", "dinic"},
    {"build"},
    {"build", "p"},
    {"build", "p", "--knn", "2", "--approximate=2"},
    {"build", "p", "--knn", "2", "--search", "tree", "--approximate"},
    {"build", "p", "--epsilon", "2", "--search", "tree"},
    {"build", "p", "--knn", "2", "--scale", "0"},
    {"build", "--graph", "g"},
    {"label", "g", "l", "--knn", "2"},
    {"label", "g", "l", "--weights", "unit"},
    {"label", "--points", "p", "l"},
    {"label", "--points", "p", "l", "--method", "eigenfunction", "--metric", "cosine"},
    {"spectrum", "g"},
    {"spectrum", "g", "-k", "0"},
    {"spectrum", "g", "-k", "2", "--laplacian", "signed"},
    {"spectrum", "g", "-k", "2", "--method", "power"},
    {"spectrum", "g", "-k", "2", "--tolerance", "nan"},
    {"cluster", "g"},
    {"cluster", "g", "-k", "0"},
    {"cluster", "g", "-k", "2", "--method", "louvain"},
    {"cluster", "g", "-k", "2", "--method", "spectral:variant=normal"},
    {"cluster", "g", "-k", "2", "--method", "spectral:rounds=2"},
    {"resistance", "g"},
    {"resistance", "g", "--edges", "--total"},
    {"resistance", "g", "--edges", "--p", "3"},
    {"resistance", "g", "--pairs", "p", "--p", "1"},
    {"resistance", "g", "--total", "--commute"},
    {"resistance", "g", "--diagonal", "--centrality"},
    {"resistance", "g", "--edges", "--method", "svd"},
    {"explain", "g", "l"},
    {"explain", "g", "l", "--node", "a", "--suspects"},
    {"explain", "g", "l", "--node", "a", "--method", "poisson"},
    {"ask", "g", "l", "-n", "0"},
    {"ask", "g", "l", "--criterion", "beauty"},
    {"ask", "g", "l", "--simulate"},
    {"ask", "g", "l", "--budget", "3"},
    {"kernel", "g"},
    {"kernel", "g", "--node", "a", "--diagonal"},
    {"kernel", "g", "--node", "a", "--method", "gaussian"},
    {"kernel", "g", "--node", "a", "--method", "regularized:epsilon=0"},
    {"kernel", "g", "--node", "a", "--method", "walk:steps=0"},
    {"learners", "no-such-learner"},
    {"label", "g", "l", "--method", "cut-ssl:step=3"},
    {"label", "g", "l", "--method", "cut-ssl:mass=priors"},
    {"label", "g", "l", "--method", "volume-mbo:slack=2"},
    {"label", "g", "l", "--method", "poisson-mbo:heat=0"},
    {"label", "g", "l", "--method", "wnll:weight=-1"},
    {"label", "g", "l", "--method", "min-cut:priors=0.5"},
};

}  // namespace

TEST_CASE("wrong command lines exit 64 with a message on standard error only") {
  for (const auto& line : wrong_lines) {
    INFO((line.empty() ? std::string("(nothing)") : line.front() + " … " + line.back()));
    const Result r = run_gssl(line);
    CHECK(r.status == 64);
    CHECK(r.out.empty());
    CHECK(!r.err.empty());
  }
}

TEST_CASE("what the verbs on a network cannot find or compute is an error with its place") {
  const TemporaryDirectory dir;
  const std::string g = dir.file("g", "a b 1\nb c 2\nd e 1\n"), l = dir.file("l", "a x\nc y\n");
  const std::string none = dir.file("none", "# no edge\n");
  const std::string wrong = dir.file("wrong", "a b\nz c\n");
  struct Case {
    std::vector<std::string> line;
    int status;
    const char* message;
  };
  const std::vector<Case> cases = {
      {{"spectrum", "absent", "-k", "2"}, 66, "absent: cannot open"},
      {{"spectrum", g, "-k", "2", "--vectors", g}, 64, "is the input"},
      {{"cluster", g, "-k", "6"}, 64, "6 clusters of 5 vertices"},
      {{"cluster", none, "-k", "1"}, 64, "1 clusters of 0 vertices"},
      {{"cluster", g, "-k", "2", "--truth", "absent"}, 66, "absent: cannot open"},
      {{"resistance", g, "--from", "z"}, 64, "--from z: no such vertex"},
      {{"resistance", g, "--hitting", "z"}, 64, "--hitting z: no such vertex"},
      {{"resistance", g, "--pairs", wrong}, 65, "wrong:2: vertex z is not in the graph"},
      {{"resistance", g, "--pairs", "absent"}, 66, "absent: cannot open"},
      {{"resistance", g, "--edges", "--epsilon", "2"}, 64, "epsilon 2"},
      {{"resistance", g, "--edges", "--tolerance", "0"}, 64, "tolerance 0"},
      {{"explain", g, l, "--node", "z"}, 64, "--node z: no such vertex"},
      {{"explain", g, "absent", "--suspects"}, 66, "absent: cannot open"},
      {{"explain", g, l, "--suspects", "--regression"}, 65, "l:1: vertex a: target x"},
      {{"explain", g, wrong, "--suspects"}, 65, "wrong:2: vertex z is not in the graph"},
      {{"ask", g, l, "--candidates", "absent"}, 66, "absent: cannot open"},
      {{"ask", g, l, "--criterion", "v-opt:rank=x"}, 64, "rank=x"},
      {{"ask", g, wrong}, 65, "wrong:2: vertex z is not in the graph"},
      {{"kernel", g, "--node", "z"}, 64, "--node z: no such vertex"},
      {{"kernel", g, "--diagonal", "--method", "diffusion"}, 64, "diffusion is not available"},
      {{"kernel", g, "--node", "a", "--method", "von-neumann:alpha=5"}, 64, "alpha 5"},
      {{"cut", g}, 64, "--source"},
      {{"cut", g, "--source", "a"}, 64, "--sink"},
      {{"cut", g, "--source", "a", "--sink", "z"}, 64, "--sink z: no such vertex"},
      {{"cut", g, "--source", "a", "--sink", "a"}, 64, "a source and a sink"},
      {{"cut", none, "--global"}, 65, "must have at least 2"}};
  for (const Case& c : cases) {
    const std::string out = dir.file("out", "old\n");
    std::vector<std::string> line = c.line;
    line.insert(line.end(), {"-o", out});
    const Result r = run_gssl(line);
    INFO(c.line.front() << ": " << r.err);
    CHECK(r.status == c.status);
    CHECK(r.out.empty());
    CHECK(r.err.find(c.message) != std::string::npos);
    CHECK(read_file(out) == "old\n");
  }
}

TEST_CASE("memory follows the bytes of a file of points, not what it promises") {
  const TemporaryDirectory dir;
  const std::string summary = (dir.path() / "s.json").string();
  const std::string hashed = dir.file("p", "1 2147483647:1\n0 1:2\n1 5:1\n");
  for (const char* how : {"--mst", "--epsilon=3"}) {
    const Result r = run_gssl({"build", hashed, how, "--summary", summary});
    INFO(r.err);
    CHECK(r.status == 0);
    CHECK(read_json(summary)["peak_rss_bytes"].get<double>() < 1e9);
  }
  const std::string model = (dir.path() / "m").string();
  for (const char* learner : {"nearest-mean", "ridge", "perceptron", "linear-svm", "tree"}) {
    const Result made =
        run_gssl({"fit", hashed, "--method", learner, "-o", model, "--summary", summary});
    INFO(learner << ": " << made.err);
    REQUIRE(made.status == 0);
    CHECK(read_json(summary)["peak_rss_bytes"].get<double>() < 2e8);
    CHECK(read_json(summary)["encoded_columns"] == 3);
    // A column between those of training is left out, and counted.
    const Result said = run_gssl({"predict", model, dir.file("q", "1 2147483647:1\n0 1:2 7:3\n"),
                                  "--summary", summary, "-o", "-"});
    INFO(said.err << said.out);
    CHECK(said.status == 0);
    CHECK(read_json(summary)["values_beyond"] == 1);
  }
}
