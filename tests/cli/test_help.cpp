// Help and what is said to a slip of the fingers.

#include <algorithm>
#include <csignal>
#include <sstream>

#include "run_gssl.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

using namespace gssl::test;
using Catch::Contains;

namespace {

const std::vector<std::string> verbs = {"label",  "explain", "ask",      "build",    "convert",
                                        "info",   "cluster", "cut",      "spectrum", "resistance",
                                        "kernel", "online",  "learners", "help",     "completions"};

std::size_t columns(const std::string& line) {
  return static_cast<std::size_t>(std::ranges::count_if(
      line, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

}  // namespace

TEST_CASE("help fits 80 columns and has no two blank lines together") {
  std::vector<std::vector<std::string>> lines = {{"--help"}};
  for (const std::string& verb : verbs) lines.push_back({verb, "--help"});
  for (const std::vector<std::string>& arguments : lines) {
    const Result r = run_gssl(arguments);
    INFO(arguments.front());
    CHECK(r.status == 0);
    CHECK(r.err.empty());
    CHECK(r.out.find("\n\n\n") == std::string::npos);
    std::istringstream text(r.out);
    for (std::string line; std::getline(text, line);) {
      INFO(line);
      CHECK(columns(line) <= 80);
      CHECK((line.empty() || line.back() != ' '));
    }
  }
}

TEST_CASE("an option whose value may be left out is shown so") {
  CHECK_THAT(run_gssl({"build", "--help"}).out, Contains("--approximate[=RECALL]"));
}

TEST_CASE("gssl alone lists its verbs and is a usage error") {
  const Result r = run_gssl({});
  CHECK(r.status == 64);
  CHECK(r.out.empty());
  for (const std::string& verb : verbs) CHECK_THAT(r.err, Contains("\n  " + verb + " "));
}

TEST_CASE("gssl help prints what --help prints") {
  CHECK(run_gssl({"help"}).out == run_gssl({"--help"}).out);
  for (const std::string& verb : verbs) {
    const Result r = run_gssl({"help", verb});
    CHECK(r.status == 0);
    const bool is_topic = verb == "learners" || verb == "report";
    if (is_topic) {
      CHECK_THAT(r.out, Contains("gssl " + verb + " --help"));
    } else {
      CHECK(r.out == run_gssl({verb, "--help"}).out);
    }
  }
  const Result r = run_gssl({"help", "lable"});
  CHECK(r.status == 64);
  CHECK_THAT(r.err, Contains("label"));
  CHECK(run_gssl({"help", "label"}, {.close_output = true}).signal == SIGPIPE);
}

TEST_CASE("shells complete the verb that help is asked for") {
  const TemporaryDirectory dir;
  const std::string script = dir.file("bash", run_gssl({"completions", "bash"}).out);
  const std::string ask =
      "bash -c '. " + script +
      "; COMP_WORDS=(gssl help la); COMP_CWORD=2; _gssl; echo \"${COMPREPLY[@]}\"'";
  CHECK(run_shell(ask).out == "label label-propagation\n");
}

TEST_CASE("a slip of the fingers is told with what was meant") {
  const TemporaryDirectory dir;
  const std::string g = dir.file("g", "a b\nb c\n"), l = dir.file("l", "a x\n");
  struct Case {
    std::vector<std::string> arguments;
    const char* typed;
    const char* meant;
  };
  const std::vector<Case> cases = {
      {{"lable", g, l}, "'lable'", "label?"},
      {{"lable"}, "'lable'", "label?"},
      {{"label", g, l, "--metod", "harmonic"}, "'--metod'", "--method?"},
      {{"label", g, l, "--metod=harmonic"}, "'--metod'", "--method?"},
      {{"label", "--metod", "harmonic"}, "'--metod'", "--method?"},
      {{"cut", g, "--sorce", "a", "--sink", "b"}, "'--sorce'", "--source?"},
      {{"label", g, l, "--method", "harmonic:sfot=1"}, "'sfot'", "soft?"},
      {{"label", g, l, "--method", "harmonic:solver=cholseky"}, "cholseky", "cholesky?"},
      {{"label", g, l, "--method", "harmnic"}, "'harmnic'", "harmonic?"},
      {{"label", g, l, "--format", "tvs"}, "'tvs'", "tsv?"},
      {{"label", g, l, "--duplicates", "maxx"}, "'maxx'", "max?"},
      {{"ask", g, l, "--criterion", "vopt"}, "'vopt'", "v-opt?"},
      {{"kernel", g, "--node", "a", "--method", "difusion"}, "'difusion'", "diffusion?"},
      {{"spectrum", g, "-k", "1", "--laplacian", "symetric"}, "symetric", "symmetric?"},
      {{"completions", "bsh"}, "'bsh'", "bash or zsh?"}};
  for (const Case& one : cases) {
    const Result r = run_gssl(one.arguments);
    INFO(one.typed << ": " << r.err);
    CHECK(r.status == 64);
    CHECK(r.out.empty());
    CHECK(std::ranges::count(r.err, '\n') == 1);
    CHECK_THAT(r.err, Contains(one.typed) && Contains(one.meant));
  }
  CHECK_THAT(run_gssl({"xyzzy"}).err, Contains("label") && Contains("completions"));
  CHECK_THAT(run_gssl({"label", g, l, "--frobnicate"}).err, Contains("'--frobnicate'"));
}

TEST_CASE("no control character of an argument or a file reaches the terminal") {
  const TemporaryDirectory dir;
  const std::string g = dir.file("g", "a b\nb c\n"), l = dir.file("l", "a x\n");
  const std::string nasty =
      "\x1b]0;owned\x07\r\n\x7f\xc2\x9b"
      "31m";
  const std::string odd = dir.file("odd\x1b[2J\nname", "a b\nb\n");
  const std::vector<std::vector<std::string>> lines = {
      {nasty},
      {"label", g, l, "--" + nasty},
      {"label", g, l, nasty},
      {"label", g, l, "--format", nasty},
      {"label", g, l, "--method", nasty},
      {"label", g, l, "--method", "harmonic:" + nasty + "=1"},
      {"label", nasty, l},
      {"label", g, l, "-o", "/nowhere/" + nasty},
      {"label", odd, l},
      {"cut", g, "--source", nasty, "--sink", "b"}};
  for (const std::vector<std::string>& line : lines) {
    const Result r = run_gssl(line);
    INFO(r.err);
    CHECK(r.status != 0);
    CHECK(std::ranges::none_of(r.err, [](char c) {
      return c != '\n' && (static_cast<unsigned char>(c) < 0x20U || c == 0x7F);
    }));
    CHECK(r.err.find("\xc2\x9b") == std::string::npos);
    CHECK(r.err.find("\n31m") == std::string::npos);
  }
}

TEST_CASE("a learner is named once in its message") {
  for (const char* learner :
       {"modularity-mbo", "volume-mbo", "poisson-mbo", "cut-ssl", "label-propagation"}) {
    const Result r = run_gssl(
        {"label", "datasets/iris/edges.tsv", "datasets/iris/labels.tsv", "--method", learner});
    const std::string name = std::string(learner) + ": ";
    const std::size_t at = r.err.find(name);
    INFO(r.err);
    CHECK(r.status == 0);
    REQUIRE(at != std::string::npos);
    CHECK(r.err.find(name, at + 1) == std::string::npos);
  }
}
