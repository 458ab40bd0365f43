// gssl online: streams of each kind, pipes, passes, what it refuses.

#include <algorithm>
#include <csignal>
#include <filesystem>

#include "gssl/core/rng.hpp"
#include "gssl/learn/registry.hpp"
#include "read_json.hpp"
#include "run_gssl.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

using namespace gssl;
using namespace gssl::test;
using Catch::Contains;

TEST_CASE("online answers every trial, and a trial without outcome changes nothing", "[online]") {
  const TemporaryDirectory dir;
  const std::string rows = dir.file("r", "-1 1:1\n+1 2:1\n? 1:3\n-1 1:2\n1 2:5 3:1\n");
  const std::string summary = (dir.path() / "run.json").string();
  const Result r =
      run_gssl({"online", rows, "--method", "perceptron:bias=false", "--summary", summary});
  INFO(r.err);
  CHECK(r.status == 0);
  CHECK(r.out ==
        "trial\tprediction\toutcome\tloss\n1\t+1\t-1\t1\n2\t+1\t+1\t0\n3\t-1\t?\t?\n"
        "4\t-1\t-1\t0\n5\t+1\t1\t0\n");
  const auto json = read_json(summary);
  CHECK(json["trials"] == 4);
  CHECK(json["mistakes"] == 1);
  CHECK(json["unanswered"] == 1);
  CHECK(json["weight_square"] == 1);
}

TEST_CASE("experts name classes, and the summary has loss, regret and bound", "[online]") {
  const Result r = run_gssl(
      {"online", "-", "--method", "weighted-majority", "--classes", "no,yes", "--summary-only"},
      {.input = "yes,yes,no\nno,no,no\nyes,yes,no\nno,no,yes\n"});
  INFO(r.err);
  CHECK(r.status == 0);
  CHECK_THAT(r.out, Contains("trials\t4\nmistakes\t0\nloss\t0\nloss_name\tmistakes\n"
                             "comparator\t0\ncomparator_name\tmistakes of the best expert\n"
                             "regret\t0\nbound\t2.4") &&
                        Contains("bound_name\t"));
  const Result table = run_gssl(
      {"online", "-", "--method", "weighted-majority", "--classes", "0,1", "--format", "csv"},
      {.input = "outcome,e1,e2\n1,1,0\n0,1,0\n"});
  CHECK(table.out == "trial,prediction,outcome,loss\n1,1,1,0\n2,1,0,1\n");
}

TEST_CASE("a file tells its classes, is read in passes, and ends when consistent", "[online]") {
  const TemporaryDirectory dir;
  const std::string table = dir.file("t.csv", "a,kind,b\n1,x,0\n0,y,1\n2,x,1\n1,y,3\n");
  const std::string curve = (dir.path() / "curve.csv").string();
  const std::string svg = (dir.path() / "curve.svg").string();
  const std::string summary = (dir.path() / "run.json").string();
  const std::vector<std::string> common = {
      "online",   table, "--label-column",     "kind",      "--method", "perceptron",
      "--passes", "50",  "--until-consistent", "--summary", summary};
  auto with = common;
  with.insert(with.end(), {"--curve", curve});
  CHECK(run_gssl(with).status == 0);
  const auto json = read_json(summary);
  const auto& passes = json["mistakes_of_pass"];
  CHECK(passes.size() < 50);
  CHECK(passes.back() == 0);
  CHECK(json["trials"] == 4 * passes.size());
  CHECK_THAT(read_file(curve), Contains("trials,loss,comparator,bound\n0,0,,\n1,"));
  with = common;
  with.insert(with.end(), {"--curve", svg});
  CHECK(run_gssl(with).status == 0);
  CHECK_THAT(read_file(svg), Contains("<svg") && Contains("mistakes</text>"));
}

TEST_CASE("a malformed row stops with its line, or is left out", "[online]") {
  const TemporaryDirectory dir;
  const std::string rows = dir.file("r", "0,1,0\n0,1\n1,1,0\n2,1,1\n");
  const std::vector<std::string> line = {"online",    rows, "--method", "weighted-majority",
                                         "--classes", "0,1"};
  const Result stopped = run_gssl(line);
  CHECK(stopped.status == 65);
  CHECK_THAT(stopped.err, Contains("r:2: 2 fields; expected 3"));
  auto skip = line;
  skip.insert(skip.end(), {"--on-error", "skip"});
  const Result skipped = run_gssl(skip);
  CHECK(skipped.status == 0);
  CHECK_THAT(skipped.err, Contains("r:2: 2 fields") && Contains("r:4: outcome '2'") &&
                              Contains("2 rows left out"));
  CHECK(std::ranges::count(skipped.out, '\n') == 3);
}

TEST_CASE("columns beyond the memory allowed are refused before they take any", "[online]") {
  const TemporaryDirectory dir;
  const std::string rows = dir.file("r", "-1 1:1\n+1 2147483647:1\n");
  for (const bool piped : {false, true}) {
    const std::vector<std::string> command = {"online",     piped ? "-" : rows, "--method",
                                              "perceptron", "--classes=-1,+1",  "--max-memory",
                                              "1G"};
    const Result r = run_gssl(command, {.input = piped ? "-1 1:1\n+1 2147483647:1\n" : ""});
    INFO(r.err);
    CHECK(r.status == 71);
    CHECK_THAT(r.err, Contains("perceptron of 2147483647 columns"));
  }
}

TEST_CASE("a live pipe is answered line by line", "[online]") {
  const TemporaryDirectory dir;
  const Result r = run_shell(
      "mkfifo in out; $GSSL online in --method weighted-majority --classes 0,1 --quiet > out & "
      "exec 4<out 3>in; printf '1,1,0\\n' >&3; read -r head <&4; read -r a <&4; "
      "printf '0,1,0\\n' >&3; read -r b <&4; exec 3>&-; wait; echo \"$a\"; echo \"$b\"",
      {.directory = dir.path().string()});
  INFO(r.err);
  CHECK(r.out == "1\t1\t1\t0\n2\t1\t0\t1\n");
}

TEST_CASE("what online cannot do is told before a trial", "[online]") {
  const TemporaryDirectory dir;
  const std::string rows = dir.file("r", "1 1:1\n-1 1:2\n");
  const auto refused = [&](std::vector<std::string> arguments, const char* why, int status) {
    arguments.insert(arguments.begin(), "online");
    const Result r = run_gssl(arguments, {.input = "1 1:1\n"});
    INFO(r.err);
    CHECK(r.status == status);
    CHECK(r.out.empty());
    CHECK_THAT(r.err, Contains(why));
  };
  refused({rows, "--method", "harmonic"}, "gssl label", 64);
  refused({"-", "--method", "perceptron"}, "--classes", 64);
  refused({"-", "--method", "perceptron", "--classes", "1,-1", "--passes", "2"}, "--passes", 64);
  refused({rows, "--method", "perceptron", "--regression"}, "--regression", 64);
  refused({rows, "--method", "perceptron", "--classes", "a,a"}, "twice", 64);
  refused({(dir.path() / "none").string(), "--method", "perceptron"}, "cannot open", 66);
  refused({dir.file("empty", "# nothing\n"), "--method", "perceptron", "--classes", "0,1"},
          "no trial", 65);
  refused({dir.file("three", "a 1:1\nb 1:1\nc 1:2\n"), "--method", "perceptron"}, "three:3: ", 65);
}

TEST_CASE("a run that was saved goes on byte for byte", "[online]") {
  const TemporaryDirectory dir;
  struct Case {
    const char* method;
    std::vector<std::string> lines;
  };
  const std::vector<Case> cases = {
      {"perceptron:form=averaged", {"-1 1:1", "+1 2:1", "? 1:3", "-1 1:2", "1 2:5 3:1", "-1 3:1"}},
      {"fixed-share:alpha=0.1",
       {"0,0.1,0.9", "1,0.2,0.8", "0.5,1,0", "0,0.5,0.25", "1,0,1", "0,1,0"}},
      {"hedge", {"0,1,0.5", "1,0,0", "0.25,1,1", "0,0,1", "1,1,0", "0,1,0"}},
      {"exp3", {"0,1,0.5", "1,0,0", "0.25,1,1", "0,0,1", "1,1,0", "0,1,0"}}};
  for (const Case& one : cases) {
    INFO(one.method);
    std::string whole, first, second;
    for (std::size_t i = 0; i < one.lines.size(); ++i) {
      whole += one.lines[i] + "\n";
      (i < 3 ? first : second) += one.lines[i] + "\n";
    }
    const std::string saved = (dir.path() / "saved").string();
    const std::string end = (dir.path() / "end").string();
    const std::string all = (dir.path() / "all").string();
    const auto run = [&](const std::string& text, std::vector<std::string> more) {
      std::vector<std::string> line = {"online", "-", "--method", one.method};
      if (one.method[0] == 'p') line.insert(line.end(), {"--classes", "-1,1"});
      line.insert(line.end(), more.begin(), more.end());
      const Result r = run_gssl(line, {.input = text});
      INFO(r.err);
      CHECK(r.status == 0);
      return r.out;
    };
    const std::string expected = run(whole, {"--save", all});
    const std::string a = run(first, {"--save", saved});
    const std::string b = run(second, {"--resume", saved, "--save", end});
    CHECK(a + b.substr(b.find('\n') + 1) == expected);
    CHECK(read_file(end) == read_file(all));
    CHECK(run(second, {"--resume", saved, "--save", saved}) == b);
  }
  const std::string other = (dir.path() / "saved").string();
  const Result wrong =
      run_gssl({"online", "-", "--method", "hedge", "--resume", other}, {.input = "0,1\n"});
  CHECK(wrong.status == 64);
  CHECK_THAT(wrong.err, Contains("exp3"));
}

namespace {

// Lines of a stream of 40 trials, of which one has no outcome.
std::vector<std::string> lines_for(const MadeLearner& made) {
  const InstanceKind kind = made.online().instance_kind();
  const bool classes = made.entry->traits.classification;
  Rng rng(7);
  const auto unit = [&] { return std::to_string(rng.below(5)) + "e-1"; };
  const auto prediction = [&] { return classes ? std::to_string(rng.below(2)) : unit(); };
  std::vector<std::string> lines;
  for (int t = 0; t < 40; ++t) {
    std::string outcome = t == 12 ? "?" : prediction();
    std::string line;
    switch (kind) {
      case InstanceKind::row:
        line = outcome + " 1:" + unit() + " 2:" + unit() + (t % 3 == 0 ? " 4:1" : "");
        break;
      case InstanceKind::advice:
        line = outcome + "," + prediction() + "," + prediction() + "," + prediction();
        break;
      case InstanceKind::losses:
      case InstanceKind::arm: line = unit() + "," + unit() + "," + unit(); break;
      case InstanceKind::vertex: line = std::to_string(rng.below(9)) + " " + outcome; break;
      case InstanceKind::task_row:
        line = "shop" + std::to_string(rng.below(2)) + " " + outcome + " " + prediction() + " " +
               prediction();
        break;
      case InstanceKind::cell:
        line = "u" + std::to_string(rng.below(4)) + ",m" + std::to_string(rng.below(3)) + "," +
               outcome;
        break;
    }
    lines.push_back(line + "\n");
  }
  return lines;
}

}  // namespace

TEST_CASE("every online learner that is registered goes on byte for byte", "[online]") {
  const TemporaryDirectory dir;
  std::string edges;
  for (int v = 0; v < 8; ++v) edges += std::to_string(v) + " " + std::to_string(v + 1) + "\n";
  const std::string graph = dir.file("graph", edges);
  const LearnerRegistry registry = builtin_learners();
  for (const LearnerEntry* entry : registry.of_kinds({LearnerKind::online})) {
    std::string spec = entry->name;
    if (spec == "winnow") spec += ":threshold=2";
    if (spec == "switching-multitask") spec += ":tasks=2";
    INFO(spec);
    const MadeLearner made = registry.make(spec);
    const InstanceKind kind = made.online().instance_kind();
    const std::vector<std::string> lines = lines_for(made);
    std::vector<std::string> command = {"online", "-", "--method", spec};
    const auto with = [&](const std::vector<std::string>& more) {
      command.insert(command.end(), more.begin(), more.end());
    };
    if (entry->traits.classification && kind != InstanceKind::losses && kind != InstanceKind::arm)
      with({"--classes", "0,1"});
    if (kind == InstanceKind::vertex) with({"--graph", graph});
    if (kind == InstanceKind::cell) with({"--matrix", "4,3"});
    if (kind == InstanceKind::cell || entry->name.starts_with("switching"))
      with({"--horizon", "40"});
    const auto run = [&](std::size_t begin, std::size_t end, std::vector<std::string> more) {
      std::string text;
      for (std::size_t i = begin; i < end; ++i) text += lines[i];
      more.insert(more.begin(), command.begin(), command.end());
      const Result r = run_gssl(more, {.input = text});
      INFO(r.err);
      CHECK(r.status == 0);
      return r.out;
    };
    const std::string all = (dir.path() / "all").string();
    const std::string half = (dir.path() / "half").string();
    const std::string end = (dir.path() / "end").string();
    const std::string whole = run(0, 40, {"--save", all});
    const std::string first = run(0, 17, {"--save", half});
    const std::string second = run(17, 40, {"--resume", half, "--save", end});
    CHECK(first + second.substr(second.find('\n') + 1) == whole);
    CHECK(std::ranges::count(whole, '\n') == 41);
    CHECK(read_file(end) == read_file(all));
  }
}

TEST_CASE("a loss out of range is refused whichever arm was pulled", "[online]") {
  for (const char* method : {"ucb1", "exp3"}) {
    INFO(method);
    const TemporaryDirectory dir;
    const std::string stream = dir.file("s", "0.5,-7\n0.5,0.2\n2,0.3\n0.5,0.3\n");
    const Result r = run_gssl({"online", stream, "--method", method});
    CHECK(r.status == 65);
    CHECK_THAT(r.err, Contains("loss -7 of arm 2"));
    const Result skipped =
        run_gssl({"online", stream, "--method", method, "--on-error", "skip", "--summary-only"});
    CHECK(skipped.status == 0);
    CHECK_THAT(skipped.out, Contains("trials\t2\n") && Contains("comparator\t0.5\n"));
  }
}

TEST_CASE("a signal saves what was learned from a live pipe and ends the run", "[online]") {
  const TemporaryDirectory dir;
  const Result r = run_shell(
      "mkfifo in; $GSSL online in --method perceptron --classes -1,1 --save state --quiet > out & "
      "pid=$!; exec 3>in; printf '1 1:1\\n-1 2:1\\n' >&3; "
      "while [ $(wc -l < out) -lt 3 ]; do sleep 0.02; done; kill -TERM $pid; wait $pid; echo $?; "
      "exec 3>&-; printf '1 2:1\\n' | $GSSL online - --method perceptron --resume state --quiet",
      {.directory = dir.path().string()});
  INFO(r.err);
  CHECK(r.out == "143\ntrial\tprediction\toutcome\tloss\n3\t-1\t1\t1\n");
}

TEST_CASE("simulated arms are pulled, and the best arm is known to the summary", "[online]") {
  const std::vector<std::string> line = {
      "online",   "--simulate", "bernoulli:means=0.5/0.1/0.4,trials=500",
      "--method", "ucb1",       "--summary-only"};
  const Result r = run_gssl(line);
  CHECK(r.status == 0);
  CHECK_THAT(r.out, Contains("trials\t500\n") &&
                        Contains("comparator_name\tloss of the best arm") && Contains("\nbound\t"));
  const Result exp3 = run_gssl({"online", "--simulate", "gaussian:sd=0.2", "--method", "exp3",
                                "--summary-only", "--horizon", "1000"});
  CHECK(exp3.status == 0);
  CHECK_THAT(exp3.out, Contains("\nbound\t") && Contains("\nregret\t"));
  for (const char* wrong : {"poisson", "bernoulli:means=2", "bernoulli:sd=1", "gaussian:means="}) {
    INFO(wrong);
    CHECK(run_gssl({"online", "--simulate", wrong, "--method", "ucb1"}).status == 64);
  }
  CHECK(run_gssl({"online", "--simulate", "gaussian", "--method", "perceptron"}).status == 64);
  CHECK(run_gssl({"online", "--method", "ucb1"}).status == 64);
  CHECK(run_gssl({"online", "x", "--simulate", "gaussian", "--method", "ucb1"}).status == 64);
}

TEST_CASE("vertices are predicted trial by trial on a graph", "[online]") {
  const TemporaryDirectory dir;
  const std::string graph = dir.file("g", "a b\nb c\nc d\nd e\n");
  const std::string trials = dir.file("t", "a red\ne blue\nb red\nd blue\nc ?\n");
  const Result r = run_gssl({"online", trials, "--method", "seminorm", "--graph", graph});
  INFO(r.err);
  CHECK(r.status == 0);
  CHECK_THAT(r.out, Contains("3\tred\tred\t0\n4\tblue\tblue\t0\n5\t"));
  CHECK(run_gssl({"online", trials, "--method", "seminorm"}).status == 64);
  const Result unknown = run_gssl(
      {"online", dir.file("u", "a red\nz blue\n"), "--method", "seminorm", "--graph", graph});
  CHECK(unknown.status == 65);
  CHECK_THAT(unknown.err, Contains("u:2: z is no vertex"));
}
