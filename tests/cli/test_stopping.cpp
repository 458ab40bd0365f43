// How a run ends before its time: signals, a reader that leaves, a time limit, too little memory.

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <map>
#include <regex>
#include <sstream>
#include <thread>

#include "read_json.hpp"
#include "run_gssl.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

using namespace gssl::test;
namespace fs = std::filesystem;

namespace {

// A strip of `length` rows of four vertices: elimination of low degrees stops at once, and
// relaxation from its two ends takes far longer than any test.
std::string strip(int length) {
  constexpr int width = 4;
  std::string text;
  const auto edge = [&](int u, int v) {
    text += std::to_string(u) + " " + std::to_string(v) + "\n";
  };
  for (int row = 0; row < length; ++row) {
    for (int i = 0; i < width; ++i) {
      const int v = row * width + i;
      edge(v, row * width + (i + 1) % width);
      if (row + 1 < length) edge(v, v + width);
    }
  }
  return text;
}

struct LongRun {
  static constexpr int length = 25'000;
  std::string method = "harmonic:solver=consensus,tolerance=1e-14";
  TemporaryDirectory dir = {};
  std::string graph = dir.file("g", strip(length));
  std::string labels = dir.file("l", "0 x\n" + std::to_string(4 * length - 1) + " y\n");
  std::string out = dir.file("out", "old\n");
  std::string summary = (dir.path() / "run.json").string();

  std::vector<std::string> arguments() const {
    return {"label", graph, labels, "--method", method, "-o", out, "--summary", summary};
  }
  nlohmann::json read_summary() const { return read_json(summary); }
  long files() const { return std::distance(fs::directory_iterator(dir.path()), {}); }
};

void pause_ms(int milliseconds) {
  std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
}

}  // namespace

TEST_CASE(
    "SIGINT and SIGTERM in a long solve leave the old output, write the summary, end by the "
    "signal") {
  struct Case {
    int signal;
    const char* method;
  };
  for (const auto& [signal, method] : {Case{SIGINT, "harmonic:solver=consensus,tolerance=1e-14"},
                                       Case{SIGTERM, "p-laplacian:p=1.0001,tolerance=1e-14"}}) {
    LongRun run;
    run.method = method;
    const Result r = run_gssl(run.arguments(), {.while_running = [signal = signal](int pid) {
                                send_after_ms(pid, signal, 1000);
                              }});
    INFO(r.err);
    CHECK(r.signal == signal);
    CHECK(read_file(run.out) == "old\n");
    CHECK(run.files() == 4);  // graph, labels, old output, summary
    REQUIRE(fs::exists(run.summary));
    const auto summary = run.read_summary();
    CHECK(summary["outcome"] == "cancelled");
    CHECK(summary["exit_status"] == 128 + signal);
    CHECK(summary["n"] == 100'000);
  }
}

TEST_CASE("a signal ends the learners for few labels in the middle of their steps") {
  for (const char* method :
       {"volume-mbo:solver=consensus,tolerance=1e-14", "cut-ssl:solver=consensus,tolerance=1e-14",
        "poisson-mbo:heat=10000", "sparse-label-propagation:gap=1e-14,max_iterations=1000000"}) {
    const LongRun run{.method = method};
    const Result r = run_gssl(run.arguments(),
                              {.while_running = [](int pid) { send_after_ms(pid, SIGTERM, 200); }});
    INFO(method << ": " << r.err);
    CHECK(r.signal == SIGTERM);
    CHECK(read_file(run.out) == "old\n");
    CHECK(run.read_summary()["outcome"] == "cancelled");
  }
}

TEST_CASE("SIGINT ends every verb that reads the network by the signal, old output untouched") {
  const TemporaryDirectory dir;
  const std::string graph = dir.file("g", strip(2'500)), longer = dir.file("longer", strip(40'000));
  const std::string labels = dir.file("l", "0 x\n9999 y\n");
  std::string text;
  for (int i = 0; i < 9'000; ++i) text += std::to_string(i) + " " + std::to_string(i + 999) + "\n";
  const std::string pairs = dir.file("p", text);
  const std::string out = dir.file("out", "old\n");
  const std::string summary = (dir.path() / "run.json").string();
  const std::vector<std::vector<std::string>> lines = {
      {"spectrum", longer, "-k", "40", "--method", "lanczos", "--tolerance", "1e-14"},
      {"cluster", longer, "-k", "40", "--method", "spectral:solver=lanczos,tolerance=1e-14"},
      {"resistance", graph, "--pairs", pairs, "--method", "solves", "--tolerance", "1e-14"},
      {"resistance", graph, "--pairs", pairs, "--p", "3"},
      {"ask", graph, labels, "--criterion", "v-opt:rank=0"},
      {"explain", graph, labels, "--node", "5000", "--method",
       "harmonic:solver=consensus,tolerance=1e-14"}};
  for (std::vector<std::string> line : lines) {
    line.insert(line.end(), {"-o", out, "--summary", summary});
    const Result r =
        run_gssl(line, {.while_running = [](int pid) { send_after_ms(pid, SIGINT, 400); }});
    INFO(line.front() << ": " << r.err);
    CHECK(r.signal == SIGINT);
    CHECK(read_file(out) == "old\n");
    CHECK(read_json(summary)["outcome"] == "cancelled");
  }
}

TEST_CASE("p-resistances that are stopped are those of the first pairs") {
  const TemporaryDirectory dir;
  const std::string graph = dir.file("g", strip(2'500));
  std::string text;
  for (int i = 0; i < 9'000; ++i) text += std::to_string(i) + " " + std::to_string(i + 999) + "\n";
  const std::string pairs = dir.file("p", text), out = (dir.path() / "out").string();
  const std::string summary = (dir.path() / "run.json").string();
  const Result late = run_gssl({"resistance", graph, "--pairs", pairs, "--p", "3", "--time-limit",
                                "1", "-o", out, "--summary", summary});
  CHECK(late.status == 1);
  const auto rows = static_cast<std::size_t>(std::ranges::count(read_file(out), '\n')) - 1;
  CHECK(rows < 9'000);
  const auto json = read_json(summary);
  CHECK(json["values"] == rows);
  CHECK(json["solver"]["outcome"] == "time_limit");
  CHECK(json["duality_gap"].size() == rows);
  CHECK(late.err.find(std::to_string(rows) + " of 9000 pairs with p = 3") != std::string::npos);
}

TEST_CASE("a signal ends a cut in the middle of its flow or its scans") {
  // Paths that long are repaired again and again; in the ring every vertex is proved by a flow.
  constexpr int width = 12, length = 12'000, ring = 130'000, steps = 16;
  const auto weight = [](int v) { return std::to_string(100 + v * 7919LL % 1000); };
  std::string wide, circle;
  for (int v = 0; v < width * length; ++v) {
    const std::string name = std::to_string(v) + " ";
    if (v % width != 0) wide += name + std::to_string(v - 1) + " " + weight(v) + "\n";
    if (v >= width) wide += name + std::to_string(v - width) + " " + weight(v + 1) + "\n";
    wide += v < width ? name + "s 9999\n" : v >= width * (length - 1) ? name + "t 9999\n" : "";
  }
  for (int v = 0; v < ring; ++v)
    for (int k = 1; k <= steps; ++k)
      circle += std::to_string(v) + " " + std::to_string((v + k) % ring) + "\n";
  const TemporaryDirectory dir;
  const std::string strips = dir.file("g", wide), out = dir.file("out", "old\n");
  const std::string summary = (dir.path() / "run.json").string();
  const std::vector<std::vector<std::string>> lines = {
      {"cut", strips, "--source", "s", "--sink", "t", "--method", "incremental-search"},
      {"cut", dir.file("ring", circle), "--global"},
      {"label", strips, dir.file("l", "s x\nt y\n"), "--method",
       "min-cut:method=incremental-search"}};
  for (std::vector<std::string> line : lines) {
    line.insert(line.end(), {"-o", out, "--summary", summary});
    const Result r =
        run_gssl(line, {.while_running = [](int pid) { send_after_ms(pid, SIGTERM, 500); }});
    INFO(line.front() << ": " << r.err);
    CHECK(r.signal == SIGTERM);
    CHECK(read_file(out) == "old\n");
    CHECK(nlohmann::json::parse(read_file(summary))["outcome"] == "cancelled");
  }
}

TEST_CASE("eigenfunctions from points end by a signal and at a time limit") {
  std::string text;
  for (int v = 0; v < 300; ++v)
    for (int j = 0; j < 40; ++j)
      text += std::to_string((v * 7919LL + j * 104'729LL * v) % 1009) + (j < 39 ? "," : "\n");
  const TemporaryDirectory dir;
  const std::string out = dir.file("out", "old\n");
  const std::string summary = (dir.path() / "run.json").string();
  const std::vector<std::string> line = {"label",
                                         "--points",
                                         dir.file("p.csv", text),
                                         dir.file("l", "0 x\n1 y\n"),
                                         "--method",
                                         "eigenfunction:bins=500,k=40",
                                         "-o",
                                         out,
                                         "--summary",
                                         summary};
  const Result r =
      run_gssl(line, {.while_running = [](int pid) { send_after_ms(pid, SIGINT, 300); }});
  INFO(r.err);
  CHECK(r.signal == SIGINT);
  CHECK(read_file(out) == "old\n");
  CHECK(read_json(summary)["outcome"] == "cancelled");
  std::vector<std::string> limited = line;
  limited.insert(limited.end(), {"--time-limit", "0.5"});
  CHECK(run_gssl(limited).status == 1);
  CHECK(read_file(out).starts_with("node\tlabel\tconfidence\tstatus\n"));
  CHECK(read_json(summary)["solver"]["outcome"] == "time_limit");
}

TEST_CASE("SIGINT while waiting for standard input ends the run by the signal") {
  const TemporaryDirectory dir;
  const std::string summary = (dir.path() / "run.json").string();
  const std::string out = dir.file("out", "old\n");
  for (const std::vector<std::string>& verb :
       {std::vector<std::string>{"info", "-"}, {"cut", "-", "--global"}}) {
    std::vector<std::string> arguments = verb;
    arguments.insert(arguments.end(), {"-o", out, "--summary", summary});
    const Result r = run_gssl(
        arguments, {.input = "a b\n", .while_running = [](int pid) {
                      send_after_ms(pid, SIGINT, 300);  // nothing is sent before this returns
                      pause_ms(300);
                    }});
    CHECK(r.signal == SIGINT);
    CHECK(read_file(out) == "old\n");
    CHECK(read_json(summary)["outcome"] == "cancelled");
  }
}

TEST_CASE("a second SIGINT right after the first ends the run by the signal too") {
  const LongRun run;
  const Result r = run_gssl(run.arguments(), {.while_running = [](int pid) {
                              send_after_ms(pid, SIGINT, 500);
                              ::kill(pid, SIGINT);
                            }});
  CHECK(r.signal == SIGINT);
  CHECK(read_file(run.out) == "old\n");
}

TEST_CASE("progress goes to a terminal alone, and plainly with NO_COLOR") {
  if (run_shell("command -v script").status != 0) {
    WARN("skipped: no script command");
    return;
  }
  const LongRun run;
  const auto seen = [&](const std::string& environment, const std::string& more) {
    return run_shell("script -qec '" + environment + " \"$GSSL\" label " + run.graph + " " +
                     run.labels + " --method " + run.method + " --time-limit 1 -o " + run.out +
                     more + "' /dev/null </dev/null")
        .out;
  };
  const std::string dim = "\x1b[2m", back = "\r";
  const std::string colored = seen("env -u NO_COLOR", ""), plain = seen("env NO_COLOR=1", "");
  CHECK(colored.find(dim) != std::string::npos);
  CHECK(plain.find(dim) == std::string::npos);
  CHECK(plain.find("solve") != std::string::npos);
  CHECK(seen("env", " --quiet").empty());
  CHECK(run_shell("\"$GSSL\" label " + run.graph + " " + run.labels + " --method " + run.method +
                  " --time-limit 1 -o " + run.out)
            .err.find(back) == std::string::npos);
}

TEST_CASE("gssl --time-limit writes what was found and exits 1") {
  const LongRun run;
  std::vector<std::string> arguments = run.arguments();
  arguments.insert(arguments.end(), {"--time-limit", "1"});
  const Result r = run_gssl(arguments);
  INFO(r.err);
  CHECK(r.status == 1);
  CHECK(read_file(run.out).starts_with("node\tlabel\tconfidence\tstatus\n"));
  const auto summary = run.read_summary();
  CHECK(summary["outcome"] == "incomplete");
  CHECK(summary["solver"]["outcome"] == "time_limit");
  CHECK(summary["exit_status"] == 1);
}

TEST_CASE("a time limit has a unit, or is in seconds") {
  const std::vector<std::string> digits = {"label", "datasets/digits/edges.tsv",
                                           "datasets/digits/labels.tsv", "-o", "/dev/null"};
  const auto status = [&](const std::string& time) {
    std::vector<std::string> arguments = digits;
    arguments.insert(arguments.end(), {"--time-limit", time});
    const Result r = run_gssl(arguments);
    CHECK((r.status != 64 || r.err.find("--time-limit: '" + time + "'") != std::string::npos));
    return r.status;
  };
  for (const char* time : {"600", "600s", "10m", "0.5h"}) CHECK(status(time) == 0);
  for (const char* time : {"0.000001", "1e-9m"}) CHECK(status(time) == 1);
  for (const char* time : {"0", "0m", "-1", "m", "10d", "nan", "1e10", "1e9h", "-0", "-0m", ""})
    CHECK(status(time) == 64);
}

TEST_CASE("gssl label that is out of time leaves open what it has not found, by every learner") {
  const TemporaryDirectory dir;
  const std::string out = (dir.path() / "out").string();
  const std::string summary = (dir.path() / "s.json").string();
  for (const char* method :
       {"harmonic", "harmonic:mass=cmn", "harmonic:soft=10", "local-global", "poisson", "wnll",
        "random-walk", "label-propagation", "consensus", "p-laplacian", "p-laplacian:p=inf",
        "poisson-mbo", "modularity-mbo", "centered-kernel", "sparse-label-propagation",
        "poisson-reweighted", "cut-ssl", "eigenvector"}) {
    fs::remove(out);
    const Result r = run_gssl({"label", "datasets/digits/edges.tsv", "datasets/digits/labels.tsv",
                               "--method", method, "--truth", "datasets/digits/truth.tsv",
                               "--time-limit", "0.000001", "-o", out, "--summary", summary});
    INFO(method << ": " << r.err);
    CHECK(r.status == 1);
    if (!fs::exists(out)) continue;  // there was nothing yet
    const auto json = read_json(summary);
    CHECK(json["solver"]["outcome"] == "time_limit");
    CHECK(json["inferred"] == 0);
    CHECK(json["unfinished"] == 1787);
    CHECK(json["accuracy"] == 0.0);
    std::istringstream rows(read_file(out));
    std::string node, label, confidence, status;
    int unfinished = 0, given = 0;
    rows >> node >> label >> confidence >> status;
    while (rows >> node >> label >> confidence >> status) {
      unfinished += label == "?" && confidence == "0" && status == "unfinished";
      given += label != "?" && status == "given";
    }
    CHECK((unfinished == 1787 && given == 10));
  }
}

TEST_CASE("a share shown as progress never falls while a stage goes on") {
  if (run_shell("command -v script").status != 0) {
    WARN("skipped: no script command");
    return;
  }
  const LongRun run;
  for (const char* method : {"p-laplacian:p=8,tolerance=1e-12", "label-propagation"}) {
    const std::string seen = run_shell("script -qec 'env NO_COLOR=1 \"$GSSL\" label " + run.graph +
                                       " " + run.labels + " --method " + method +
                                       " --time-limit 2 -o " + run.out + "' /dev/null </dev/null")
                                 .out;
    INFO(seen);
    const std::regex line("\\r([a-z -]+) ([0-9]+)%, ([0-9]+) s");
    std::map<std::string, int> share;
    int shares = 0, seconds = 0;
    for (std::sregex_iterator it(seen.begin(), seen.end(), line), end; it != end; ++it) {
      int& last = share[(*it)[1]];
      const int now = std::stoi((*it)[2]);
      CHECK(now >= last);
      CHECK(std::stoi((*it)[3]) >= seconds);
      last = now;
      seconds = std::stoi((*it)[3]);
      ++shares;
    }
    CHECK(shares > 0);
  }
}

TEST_CASE("a reader that leaves ends the run by SIGPIPE without a message") {
  const TemporaryDirectory dir;
  const std::string summary = (dir.path() / "run.json").string();
  const Result r = run_gssl({"label", dir.file("g", "a b\nb c\n"), dir.file("l", "a x\nc y\n"),
                             "--quiet", "--summary", summary},
                            {.close_output = true});
  CHECK(r.signal == SIGPIPE);
  CHECK(r.err.empty());
  CHECK(read_json(summary)["exit_status"] == 128 + SIGPIPE);
  CHECK(run_gssl({"--help"}, {.close_output = true}).signal == SIGPIPE);
}

#if defined(__SANITIZE_ADDRESS__)
// AddressSanitizer reserves terabytes of address space, so no limit can be set.
#else
TEST_CASE("too little address space exits 71 with a message and leaves the old output alone") {
  const TemporaryDirectory dir;
  std::string text;
  for (int i = 0; i < 1'500'000; ++i) {
    text += std::to_string(i) + " " + std::to_string((i * 7919LL + 1) % 1'500'000) + " 0.5\n";
  }
  const std::string graph = dir.file("g", text);
  const std::string labels = dir.file("l", "0 x\n1 y\n");
  const std::string out = dir.file("out", "old\n");
  const Result r = run_shell("ulimit -v 100000; exec \"$GSSL\" label '" + graph + "' '" + labels +
                             "' --threads 1 -o '" + out + "'");
  INFO(r.err);
  CHECK(r.status == 71);
  CHECK(r.err.find("memory") != std::string::npos);
  CHECK(read_file(out) == "old\n");
  CHECK(std::distance(fs::directory_iterator(dir.path()), {}) == 3);
}
#endif
