// gssl evaluate: learners of vertices trial by trial beside those of a whole graph, against a stream
// that is run by hand and against numpy on Zachary's karate club.

#include <limits>
#include <sstream>

#include "gssl/core/rng.hpp"
#include "read_json.hpp"
#include "run_gssl.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

using namespace gssl;
using namespace gssl::test;

namespace {

const char* const karate_edges =
    "0 1\n0 2\n0 3\n0 4\n0 5\n0 6\n0 7\n0 8\n0 10\n0 11\n0 12\n0 13\n0 17\n0 19\n0 21\n0 31\n1 2\n"
    "1 3\n1 7\n1 13\n1 17\n1 19\n1 21\n1 30\n2 3\n2 7\n2 8\n2 9\n2 13\n2 27\n2 28\n2 32\n3 7\n"
    "3 12\n3 13\n4 6\n4 10\n5 6\n5 10\n5 16\n6 16\n8 30\n8 32\n8 33\n9 33\n13 33\n14 32\n14 33\n"
    "15 32\n15 33\n18 32\n18 33\n19 33\n20 32\n20 33\n22 32\n22 33\n23 25\n23 27\n23 29\n23 32\n"
    "23 33\n24 25\n24 27\n24 31\n25 31\n26 29\n26 33\n27 33\n28 31\n28 33\n29 32\n29 33\n30 32\n"
    "30 33\n31 32\n31 33\n32 33\n";
// + the officer's side.
const std::string karate_sides = "---------+----++--+-+-++++++++++++";

// Each a training part.
const std::vector<std::vector<int>> parts = {{2, 6, 7, 11, 12, 19, 24, 25, 31, 32},
                                             {1, 4, 8, 11, 12, 16, 26, 27, 32, 33},
                                             {2, 6, 7, 15, 17, 25, 26, 31, 32, 33},
                                             {0, 2, 5, 6, 18, 20, 21, 22, 23, 24}};

// As evaluate draws it, with seed 1.
std::vector<int> order_of_trials(std::size_t trial) {
  std::vector<int> order = parts[trial];
  Rng rng(Rng(1, trial)(), std::numeric_limits<std::uint64_t>::max());
  shuffle(order, rng);
  return order;
}

std::string all_vertices() {
  std::string lines;
  for (int v = 0; v < 34; ++v) lines += "#gssl-vertex\t" + std::to_string(v) + "\n";
  return lines;
}

struct Karate {
  TemporaryDirectory dir;
  std::string graph, truth, splits;

  Karate() {
    graph = dir.file("karate", all_vertices() + karate_edges);
    std::string lines;
    for (int v = 0; v < 34; ++v)
      lines += std::to_string(v) + " " +
               (karate_sides[static_cast<std::size_t>(v)] == '+' ? "b" : "a") + "\n";
    truth = dir.file("truth", lines);
    lines.clear();
    for (const auto& part : parts) {
      for (const int v : part) lines += std::to_string(v) + " ";
      lines += "\n";
    }
    splits = dir.file("splits", lines);
  }

  // Accuracy of each trial.
  std::vector<double> evaluate(const std::string& method) const {
    const std::string stored = (dir.path() / "r.json").string();
    const Result r = run_gssl({"evaluate", graph, truth, "--splits", splits, "--method", method,
                               "--results", stored, "--threads", "2"});
    INFO(r.err);
    REQUIRE(r.status == 0);
    std::vector<double> found;
    const auto json = read_json(stored);
    for (const auto& trial : json["trials"]) found.push_back(trial["accuracy"].get<double>());
    return found;
  }

  // The same by gssl online: the labels, then the rest without an outcome.
  std::vector<double> by_hand(const std::string& method) const {
    std::vector<double> found;
    for (std::size_t t = 0; t < parts.size(); ++t) {
      const std::vector<int> part = order_of_trials(t);
      std::string stream;
      std::vector<bool> told(34, false);
      const auto side = [](int v) {
        return karate_sides[static_cast<std::size_t>(v)] == '+' ? "b" : "a";
      };
      for (const int v : part) {
        stream += std::to_string(v) + " " + side(v) + "\n";
        told[static_cast<std::size_t>(v)] = true;
      }
      for (int v = 0; v < 34; ++v)
        if (!told[static_cast<std::size_t>(v)]) stream += std::to_string(v) + " ?\n";
      const Result r = run_gssl({"online", dir.file("stream", stream), "--graph", graph, "--method",
                                 method, "--classes", "a,b"});
      REQUIRE(r.status == 0);
      std::istringstream lines(r.out);
      std::string line, trial, said;
      for (std::size_t i = 0; i <= part.size(); ++i) std::getline(lines, line);
      double right = 0.0;
      for (int v = 0; v < 34; ++v) {
        if (told[static_cast<std::size_t>(v)]) continue;
        std::getline(lines, line);
        std::istringstream(line) >> trial >> said;
        right += said == side(v) ? 1.0 : 0.0;
      }
      found.push_back(right / 24.0);
    }
    return found;
  }
};

std::vector<double> of_24(std::vector<double> right) {
  for (double& r : right) r /= 24.0;
  return right;
}

}  // namespace

TEST_CASE("evaluate trains learners of vertices on the labels as trials", "[evaluate-verb]") {
  const Karate karate;
  // By numpy, with the same generator: w of K = L⁺ + 1 over the part in the order drawn, then sign(w)
  // on the rest; the harmonic extension.
  const std::string composed = "graph-perceptron:kernel=diffusion(time=0.5)+0.5*pseudoinverse";
  CHECK(karate.evaluate("graph-perceptron") == of_24({21, 23, 21, 23}));
  CHECK(karate.evaluate(composed) == of_24({16, 22, 21, 23}));
  CHECK(karate.evaluate("seminorm") == of_24({23, 24, 23, 21}));
  for (const char* method : {"graph-perceptron", "seminorm", "seminorm:p=1.5", "seminorm:p=auto"})
    CHECK(karate.evaluate(method) == karate.by_hand(method));
  CHECK(karate.evaluate(composed) == karate.by_hand(composed));
}

TEST_CASE("evaluate asks the cells of a matrix whose rows are vertices", "[evaluate-verb]") {
  const Karate karate;
  // By scipy: W = expm(η Σ ±xxᵀ), the level half way between the means of xᵀWx over the labels.
  CHECK(karate.evaluate("meg:row-side=graph,conservative,rate=0.1") == of_24({13, 17, 14, 13}));
  CHECK(karate.evaluate("meg:row-side=graph") == of_24({20, 24, 24, 23}));
}

TEST_CASE("meg tells two clusters apart whose vertices have much in common", "[evaluate-verb]") {
  const TemporaryDirectory dir;
  const std::string stored = (dir.path() / "r.json").string();
  for (const auto& [name, least] : {std::pair("breast_cancer", 0.8), std::pair("wine", 0.85)}) {
    const std::string folder = std::string("datasets/") + name;
    const Result r =
        run_gssl({"evaluate", folder + "/edges.tsv", folder + "/truth.tsv", "--labels-per-class",
                  "10", "--repeats", "5", "--method", "meg:row-side=graph", "--results", stored});
    INFO(r.err);
    REQUIRE(r.status == 0);
    CHECK(read_json(stored)["comparisons"][0]["mean"].get<double>() > least);
  }
}

TEST_CASE("learners of vertices stand beside those of graphs, with several classes",
          "[evaluate-verb]") {
  const TemporaryDirectory dir;
  const std::string stored = (dir.path() / "r.json").string();
  const Result r = run_gssl({"evaluate", "datasets/iris/edges.tsv", "datasets/iris/truth.tsv",
                             "--labels-per-class", "5", "--repeats", "5", "--method", "seminorm",
                             "--method", "harmonic", "--method", "graph-perceptron", "--method",
                             "meg:row-side=graph,conservative,rate=5", "--results", stored});
  INFO(r.err);
  REQUIRE(r.status == 0);
  const auto json = read_json(stored);
  REQUIRE(json["comparisons"].size() == 4);
  for (const auto& c : json["comparisons"]) CHECK(c["mean"].get<double>() > 0.3);
  // Minimum seminorm interpolation is the harmonic extension.
  CHECK(json["comparisons"][0]["mean"].get<double>() ==
        Approx(json["comparisons"][1]["mean"].get<double>()).margin(0.01));
  const Result calibrated =
      run_gssl({"evaluate", "datasets/iris/edges.tsv", "datasets/iris/truth.tsv", "--calibrate",
                "platt", "--method", "seminorm"});
  CHECK(calibrated.status != 0);
  CHECK(calibrated.err.find("label a whole graph (--calibrate)") != std::string::npos);
  CHECK(run_gssl(
            {"evaluate", "datasets/iris/edges.tsv", "datasets/iris/truth.tsv", "--method", "hedge"})
            .status == 64);
}
