// Where output goes: whole or not at all, never over an input, never twice to one place.

#include <algorithm>
#include <filesystem>

#include "run_gssl.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

using namespace gssl::test;
namespace fs = std::filesystem;

namespace {

struct Inputs {
  TemporaryDirectory dir;
  std::string graph = dir.file("g", "a b\nb c\n");
  std::string labels = dir.file("l", "a x\nc y\n");
  std::string in(const char* name) const { return (dir.path() / name).string(); }
};

}  // namespace

TEST_CASE("an output is written whole and replaces the old one") {
  const Inputs inputs;
  const std::string out = inputs.dir.file("out", "old\n");
  const Result r = run_gssl({"label", inputs.graph, inputs.labels, "-o", out});
  CHECK(r.status == 0);
  CHECK(r.out.empty());
  CHECK(read_file(out).starts_with("node\tlabel\tconfidence\tstatus\na\tx\t1\tgiven\n"));
}

TEST_CASE("an output in a folder that does not exist exits 73 before anything is read") {
  const Inputs inputs;
  for (const char* option : {"-o", "--scores", "--summary"}) {
    INFO(option);
    const Result r =
        run_gssl({"label", inputs.graph, inputs.labels, option, inputs.in("none/out")});
    CHECK(r.status == 73);
    CHECK(r.err.find("none/out") != std::string::npos);
    CHECK(r.out.empty());
  }
}

TEST_CASE("a full device exits 74") {
  const Inputs inputs;
  CHECK(run_gssl({"label", inputs.graph, inputs.labels, "-o", "/dev/full"}).status == 74);
  CHECK(run_shell("\"$GSSL\" --help >/dev/full").status == 74);
}

TEST_CASE("an output that is an input is refused, links and redirections included") {
  const Inputs inputs;
  fs::create_hard_link(inputs.graph, inputs.in("hard"));
  fs::create_symlink(inputs.graph, inputs.in("soft"));
  for (const std::string& out :
       {inputs.graph, inputs.labels, inputs.in("hard"), inputs.in("soft")}) {
    for (const char* option : {"-o", "--scores", "--summary"}) {
      INFO(option << ' ' << out);
      const Result r = run_gssl({"label", inputs.graph, inputs.labels, option, out});
      CHECK(r.status == 64);
      CHECK(r.err.find("is the input") != std::string::npos);
    }
  }
  const Result redirected =
      run_shell("\"$GSSL\" info '" + inputs.graph + "' >>'" + inputs.graph + "'");
  CHECK(redirected.status == 64);
  CHECK(read_file(inputs.graph) == "a b\nb c\n");
  CHECK(read_file(inputs.labels) == "a x\nc y\n");
}

TEST_CASE("two outputs to one place are refused") {
  const Inputs inputs;
  const std::string out = inputs.in("out");
  const Result r =
      run_gssl({"label", inputs.graph, inputs.labels, "-o", out, "--scores", inputs.in("./out")});
  CHECK(r.status == 64);
  CHECK(!fs::exists(out));
  CHECK(run_gssl({"label", inputs.graph, inputs.labels, "--scores", "-"}).status == 64);
  CHECK(run_gssl({"label", inputs.graph, inputs.labels, "-o", "/dev/null", "--scores", "/dev/null"})
            .status == 0);
}

TEST_CASE("a failed run leaves no file behind") {
  const Inputs inputs;
  const std::string bad = inputs.dir.file("bad", "a b\nb c -1\n");
  const Result r = run_gssl(
      {"label", bad, inputs.labels, "-o", inputs.in("out"), "--scores", inputs.in("scores")});
  CHECK(r.status == 65);
  CHECK(std::distance(fs::directory_iterator(inputs.dir.path()), {}) == 3);
}

TEST_CASE("csv and jsonl are written on request") {
  const Inputs inputs;
  const Result csv = run_gssl({"label", inputs.graph, inputs.labels, "--format", "csv"});
  CHECK(csv.out.starts_with("node,label,confidence,status\na,x,1,given\n"));
  const Result jsonl = run_gssl({"label", inputs.graph, inputs.labels, "--format", "jsonl"});
  CHECK(jsonl.out.starts_with("{\"node\":"));
}

TEST_CASE("a graph of several blocks of rows comes out in the same bytes with one thread and two") {
  const TemporaryDirectory dir;
  // A ring of 12000 vertices with chords, some edges repeated the other way round.
  constexpr int size = 12000;
  std::string edges;
  for (int i = 0; i < 4 * size; ++i) {
    const int u = i * 7919 % size;
    const int v = i < size ? (u + 1) % size : static_cast<int>((u + 37LL * i * i) % size);
    edges += "v" + std::to_string(u) + " v" + std::to_string(v) + " 0." +
             std::to_string(1 + i % 97) + "\n";
    if (i % 5 == 0) edges += "v" + std::to_string(v) + " v" + std::to_string(u) + " 0.3\n";
  }
  const std::string graph = dir.file("g", edges);
  const std::string labels = dir.file("l", "v0 x\nv6000 y\nv9000 x\n");
  const auto with_threads = [&](const std::string& threads) {
    const Result converted = run_gssl({"convert", graph, "-", "--threads", threads});
    const Result labeled = run_gssl({"label", graph, labels, "--threads", threads});
    CHECK(converted.status == 0);
    CHECK(labeled.status == 0);
    return converted.out + labeled.out;
  };
  const std::string one = with_threads("1");
  CHECK(std::count(one.begin(), one.end(), '\n') > 3 * size);
  CHECK((one == with_threads("2")));
}
