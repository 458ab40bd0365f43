// gssl label: what it writes, and the rules of labels.

#include <cmath>
#include <sstream>
#include <string>

#include "gssl/learn/registry.hpp"
#include "read_json.hpp"
#include "run_gssl.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

using namespace gssl::test;

namespace {

// a - b - c   d - e: the labels sit in the first component only.
constexpr const char* two_parts = "a b\nb c\nd e\n";
constexpr const char* ends = "a x\nc y\n";

}  // namespace

TEST_CASE("label writes given, inferred and unreached vertices in order of appearance") {
  const TemporaryDirectory dir;
  const Result r = run_gssl({"label", dir.file("g", "a b 1\nb c 3\nd e 1\n"), dir.file("l", ends)});
  REQUIRE(r.status == 0);
  CHECK(r.out ==
        "node\tlabel\tconfidence\tstatus\n"
        "a\tx\t1\tgiven\n"
        "b\ty\t0.75\tinferred\n"
        "c\ty\t1\tgiven\n"
        "d\t?\t0\tunreached\n"
        "e\t?\t0\tunreached\n");
  CHECK(r.err.find("2 given, 1 inferred, 2 unreached") != std::string::npos);
  CHECK(r.err.find("seed 1") != std::string::npos);
}

TEST_CASE("gssl --strict makes unreached vertices exit 1, and the output is still written") {
  const TemporaryDirectory dir;
  const std::string out = (dir.path() / "out").string();
  const Result r =
      run_gssl({"label", dir.file("g", two_parts), dir.file("l", ends), "--strict", "-o", out});
  CHECK(r.status == 1);
  CHECK(read_file(out).find("d\t?\t0\tunreached") != std::string::npos);
}

TEST_CASE("gssl --quiet leaves standard error empty") {
  const TemporaryDirectory dir;
  const Result r = run_gssl({"label", dir.file("g", two_parts), dir.file("l", ends), "--quiet"});
  CHECK(r.status == 0);
  CHECK(r.err.empty());
}

TEST_CASE("conflicting labels are bad data with both lines named") {
  const TemporaryDirectory dir;
  const Result r = run_gssl({"label", dir.file("g", two_parts), dir.file("l", "a x\nc y\na y\n")});
  CHECK(r.status == 65);
  CHECK(r.out.empty());
  CHECK(r.err.find("l:3:") != std::string::npos);
  CHECK(r.err.find("1") != std::string::npos);
}

TEST_CASE("a label on an unknown vertex is an error, ignored or added as asked") {
  const TemporaryDirectory dir;
  const std::string graph = dir.file("g", "a b\nb c\n");
  const std::string labels = dir.file("l", "a x\nghost y\nc y\n");

  const Result refused = run_gssl({"label", graph, labels});
  CHECK(refused.status == 65);
  CHECK(refused.err.find("l:2:") != std::string::npos);
  CHECK(refused.out.empty());

  const Result ignored = run_gssl({"label", graph, labels, "--unknown-labels", "ignore"});
  CHECK(ignored.status == 0);
  CHECK(ignored.out.find("ghost") == std::string::npos);
  CHECK(ignored.err.find("ignored 1 label") != std::string::npos);

  const Result added = run_gssl({"label", graph, labels, "--unknown-labels=add"});
  CHECK(added.status == 0);
  CHECK(added.out.find("ghost\ty\t1\tgiven\n") != std::string::npos);
}

TEST_CASE("one vertex and one class are labeled, an empty graph is refused") {
  const TemporaryDirectory dir;
  const std::string labels = dir.file("l", "a x\n");
  const Result one =
      run_gssl({"label", dir.file("empty", ""), labels, "--unknown-labels", "add", "--quiet"});
  CHECK(one.status == 0);
  CHECK(one.out == "node\tlabel\tconfidence\tstatus\na\tx\t1\tgiven\n");

  const Result one_class = run_gssl({"label", dir.file("g", "a b\nb c\n"), labels, "--quiet"});
  CHECK(one_class.status == 0);
  CHECK(one_class.out.find("c\tx\t1\tinferred\n") != std::string::npos);
  // Any learner says that its confidence tells nothing then.
  for (const std::string method : {"harmonic", "poisson", "min-cut", "volume-mbo", "nearest-label",
                                   "label-propagation", "consensus", "random-walk"}) {
    const Result r = run_gssl({"label", dir.file("g", "a b\nb c\n"), labels, "--method", method});
    INFO(method << ": " << r.err);
    CHECK(r.status == 0);
    CHECK(r.err.find("warning") != std::string::npos);
  }

  const Result empty = run_gssl({"label", dir.file("none", ""), labels});
  CHECK(empty.status == 65);
  const Result no_labels = run_gssl({"label", dir.file("g2", "a b\n"), dir.file("l2", "")});
  CHECK(no_labels.status == 65);
}

TEST_CASE("labels of many classes are the same bytes whether or not their scores are written") {
  const TemporaryDirectory dir;
  std::string edges, labels;
  for (int i = 0; i < 60; ++i) {
    const std::string at = std::to_string(i), next = std::to_string((i + 1) % 60);
    edges += "a" + at + " b" + at + " 2\na" + at + " a" + next + " 1." + at + "\nb" + at + " c" +
             next + " 0.5\n";
    if (i < 50) labels += "a" + at + " class" + at + "\n";
  }
  const std::string graph = dir.file("g", edges), given = dir.file("l", labels);
  const std::string scores = (dir.path() / "scores").string();
  for (const std::string method : {"harmonic", "harmonic:mass=cmn", "harmonic:soft=1", "poisson"}) {
    const Result bare = run_gssl({"label", graph, given, "--method", method, "--quiet"});
    const Result kept =
        run_gssl({"label", graph, given, "--method", method, "--quiet", "--scores", scores});
    REQUIRE(bare.status == 0);
    REQUIRE(kept.status == 0);
    CHECK(bare.out == kept.out);
    CHECK(std::ranges::count(bare.out, '\n') == 181);
    CHECK(std::ranges::count(read_file(scores), '\n') == 181);
  }
}

TEST_CASE("gssl --scores writes one column per class, and one value for regression") {
  const TemporaryDirectory dir;
  const std::string graph = dir.file("g", "a b 1\nb c 3\n");
  const std::string scores = (dir.path() / "scores").string();
  REQUIRE(run_gssl({"label", graph, dir.file("l", ends), "--scores", scores}).status == 0);
  CHECK(read_file(scores) == "node\tx\ty\na\t1\t0\nb\t0.25\t0.75\nc\t0\t1\n");

  const std::string targets = dir.file("t", "a 0\nc 8\n");
  const Result r = run_gssl({"label", graph, targets, "--regression", "--scores", scores});
  REQUIRE(r.status == 0);
  CHECK(read_file(scores) == "node\tvalue\na\t0\nb\t6\nc\t8\n");
  CHECK(r.out.find("b\t6\t") != std::string::npos);
}

TEST_CASE("regression refuses a label that is not a number and names its line") {
  const TemporaryDirectory dir;
  const Result r = run_gssl(
      {"label", dir.file("g", "a b\nb c\n"), dir.file("l", "a 1\nc red\n"), "--regression"});
  CHECK(r.status == 65);
  CHECK(r.err.find("l:2:") != std::string::npos);
}

TEST_CASE("gssl --truth measures on vertices not given and counts unreached ones as wrong") {
  const TemporaryDirectory dir;
  const Result r = run_gssl({"label", dir.file("g", "a b 1\nb c 3\nd e 1\n"), dir.file("l", ends),
                             "--truth", dir.file("t", "a x\nb y\nc y\nd x\n")});
  REQUIRE(r.status == 0);
  CHECK(r.err.find("accuracy 50.00% on 2 vertices not given (100.00% on the 1 with an answer)") !=
        std::string::npos);
}

TEST_CASE("gssl --classes-prior moves the shares of the classes, where the method can") {
  const TemporaryDirectory dir;
  const std::string graph = dir.file("g", "a b 1\nb c 1.1\n");
  const std::string labels = dir.file("l", ends);
  const std::string priors = dir.file("p", "x 0.9\ny 0.1\n");
  CHECK(run_gssl({"label", graph, labels}).out.find("b\ty") != std::string::npos);
  const Result r = run_gssl({"label", graph, labels, "--classes-prior", priors});
  CHECK(r.status == 0);
  CHECK(r.out.find("b\tx") != std::string::npos);
  // A SPEC without options is one, too.
  CHECK(run_gssl({"label", graph, labels, "--classes-prior", priors, "--method", "auto:"}).out ==
        r.out);

  const Result refused =
      run_gssl({"label", graph, labels, "--classes-prior", priors, "--method", "nearest-label"});
  CHECK(refused.status == 64);
  CHECK(refused.err.find("nearest-label takes no class priors") != std::string::npos);
  CHECK(refused.err.find("local-global") != std::string::npos);
}

TEST_CASE("gssl --classes-prior is met on digits by learners with scores and by partitions") {
  const TemporaryDirectory dir;
  std::string shares;
  for (int digit = 0; digit < 10; ++digit)
    shares += std::to_string(digit) + (digit == 0 ? " 0.19\n" : " 0.09\n");
  const std::string priors = dir.file("p", shares);
  for (const std::string method : {"auto", "poisson", "local-global", "volume-mbo"}) {
    INFO(method);
    const Result r = run_gssl({"label", "datasets/digits/edges.tsv", "datasets/digits/labels.tsv",
                               "--classes-prior", priors, "--method", method});
    REQUIRE(r.status == 0);
    double zeros = 0.0;
    std::istringstream rows(r.out);
    for (std::string line; std::getline(rows, line);)
      zeros += line.find("\t0\t") != std::string::npos;
    CHECK(std::abs(zeros / 1797 - 0.19) < 0.005);
  }
  // What the SPEC says about mass stands.
  const std::string summary = (dir.path() / "s").string();
  REQUIRE(
      run_gssl({"label", "datasets/digits/edges.tsv", "datasets/digits/labels.tsv",
                "--classes-prior", priors, "--method", "poisson:mass=priors", "--summary", summary})
          .status == 0);
  CHECK(read_json(summary)["method"].get<std::string>().find("mass=priors") != std::string::npos);
}

TEST_CASE("gssl label warns where classes stray far from the labels, and only there") {
  const TemporaryDirectory dir;
  // Two rings of 60 that touch once; one label against twelve.
  std::string edges, labels = "a0 x\n";
  for (const std::string ring : {"a", "b"})
    for (int i = 0; i < 60; ++i)
      for (int step : {1, 2, 3})
        edges += ring + std::to_string(i) + " " + ring + std::to_string((i + step) % 60) + "\n";
  for (int i = 0; i < 60; i += 5) {
    edges += "a" + std::to_string(i) + " b" + std::to_string(i) + "\n";
    labels += "b" + std::to_string(i) + " y\n";
  }
  const std::string graph = dir.file("g", edges), given = dir.file("l", labels);
  const Result harmonic = run_gssl({"label", graph, given, "--method", "harmonic"});
  CHECK(harmonic.err.find("--classes-prior") == std::string::npos);  // as the labels: 12 of 13
  const Result even =
      run_gssl({"label", graph, dir.file("l2", "a0 x\nb1 y\n"), "--method", "eigenvector:k=1"});
  CHECK(even.err.find("--classes-prior") != std::string::npos);
  const Result cmn = run_gssl({"label", graph, given, "--method", "harmonic:mass=cmn"});
  CHECK(cmn.err.find("mass=priors") != std::string::npos);
  for (const std::string set : {"digits", "iris", "wine", "breast_cancer", "two_moons"}) {
    INFO(set);
    const Result r =
        run_gssl({"label", "datasets/" + set + "/edges.tsv", "datasets/" + set + "/labels.tsv"});
    CHECK(r.status == 0);
    CHECK(r.err.find("warning") == std::string::npos);
  }
}

TEST_CASE("standard input serves as graph or as labels") {
  const TemporaryDirectory dir;
  const std::string graph = "a b 1\nb c 3\n";
  const std::string from_files = run_gssl({"label", dir.file("g", graph), dir.file("l", ends)}).out;
  REQUIRE(!from_files.empty());
  CHECK(run_gssl({"label", "-", dir.file("l", ends)}, {.input = graph}).out == from_files);
  CHECK(run_gssl({"label", dir.file("g", graph), "-"}, {.input = ends}).out == from_files);
  const Result both = run_gssl({"label", "-", "-"}, {.input = graph});
  CHECK(both.status == 64);
  CHECK(both.err.find("standard input can be read once") != std::string::npos);
}

TEST_CASE("every learner writes the same bytes with one thread and with two") {
#if defined(__SANITIZE_ADDRESS__)
  const std::string set = "datasets/breast_cancer";
  const std::size_t least_size = 569 * 2;
#else
  const std::string set = "datasets/digits";
  const std::size_t least_size = 1797 * 10;
#endif
  const TemporaryDirectory dir;
  const std::string scores = (dir.path() / "scores").string();
  const auto with_threads = [&](const std::string& method, const std::string& threads) {
    const Result r = run_gssl({"label", set + "/edges.tsv", set + "/labels.tsv", "--method", method,
                               "--scores", scores, "--threads", threads});
    CHECK(r.status <= 1);
    CHECK(r.signal == 0);
    return r.out + read_file(scores);
  };
  const gssl::LearnerRegistry registry = gssl::builtin_learners();
  for (const auto* entry : registry.labelers()) {
    if (!entry->traits.deterministic || !entry->make_transductive) continue;
    if (!entry->traits.classification) continue;
    INFO(entry->name);
    const std::string one = with_threads(entry->name, "1");
    CHECK(one.size() > least_size);
    CHECK((one == with_threads(entry->name, "2")));
  }
}

TEST_CASE("a bad method is a usage error that says what there is") {
  const TemporaryDirectory dir;
  const std::string graph = dir.file("g", two_parts);
  const std::string labels = dir.file("l", ends);
  CHECK(run_gssl({"label", graph, labels, "--method", "harmnic"}).status == 64);
  CHECK(run_gssl({"label", graph, labels, "--method", "harmonic:tolerance=-1"}).status == 64);
  const Result r = run_gssl({"label", graph, labels, "--method", "harmonic:nonsense=1"});
  CHECK(r.status == 64);
  CHECK(r.err.find("tolerance") != std::string::npos);
}

TEST_CASE("class priors may be of any size: only their proportions matter") {
  const TemporaryDirectory dir;
  const std::string graph = dir.file("g", "a b\nb c\nc d\nd e\n"),
                    labels = dir.file("l", "a x\ne y\n");
  const auto with = [&](const std::string& priors) {
    return run_gssl({"label", graph, labels, "--classes-prior", dir.file("p", priors), "--quiet"});
  };
  const Result small = with("x 1\ny 3\n");
  CHECK(small.status == 0);
  const Result large = with("x 5e307\ny 1.5e308\n");
  CHECK(large.status == 0);
  CHECK(large.out == small.out);
}
