// Runs that are ended at any moment and go on to the bytes of one that was not.

#include <signal.h>

#include <chrono>
#include <filesystem>
#include <thread>

#include "gssl/core/rng.hpp"
#include "gssl/core/stopwatch.hpp"
#include "read_json.hpp"
#include "run_gssl.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

using namespace gssl::test;
namespace fs = std::filesystem;

namespace {

// A square grid, and one label in so many places.
struct Job {
  TemporaryDirectory dir = {};
  std::string graph, labels;
  std::string method;
  std::string file = (dir.path() / "job.ckpt").string();
  std::string out = (dir.path() / "out").string();
  std::string scores = (dir.path() / "scores").string();
  bool with_scores = true;

  Job(int side, int step, int classes, std::string of) : method(std::move(of)) {
    std::string edges, given;
    for (int v = 0; v < side * side; ++v) {
      const auto edge = [&](int u) { edges += std::to_string(v) + " " + std::to_string(u) + "\n"; };
      if ((v + 1) % side != 0) edge(v + 1);
      if (v + side < side * side) edge(v + side);
      if (v % step == 0)
        given += std::to_string(v) + " c" + std::to_string(v / step % classes) + "\n";
    }
    graph = dir.file("g", edges);
    labels = dir.file("l", given);
  }

  std::string command(const std::string& more) const {
    return "$GSSL label " + graph + " " + labels + " --method " + method + " -o " + out +
           (with_scores ? " --scores " + scores : "") + " " + more;
  }
  std::string kept(const std::string& more = "") const {
    return command("--checkpoint " + file + " --checkpoint-every 0s --resume " + more);
  }
  std::string answer() const {
    return read_file(out) + (with_scores ? read_file(scores) : std::string());
  }
  // Of a run that nothing disturbed, without a checkpoint.
  std::string undisturbed() const {
    const Result r = run_shell(command(""));
    INFO(r.err);
    CHECK(r.status == 0);
    const std::string all = answer();
    fs::remove(out);
    return all;
  }
  Result killed_at(const std::string& moment) const {
    return run_shell("LD_PRELOAD=" + built_module("gssl_kill_at") + " GSSL_KILL_AT='" + moment +
                     "' " + kept());
  }
  long hidden_files() const {
    long count = 0;
    for (const auto& entry : fs::directory_iterator(dir.path()))
      count += entry.path().filename().string().starts_with(".");
    return count;
  }
};

// Without pages of numbers where they differ.
bool same_text(const std::string& a, const std::string& b) { return a == b; }

bool preload_works() {
#if defined(__SANITIZE_ADDRESS__)
  WARN("skipped: a sanitizer must be loaded first");
  return false;
#else
  return true;
#endif
}

}  // namespace

TEST_CASE("kill -9 at ten moments of a job, each time resumed, leaves the same bytes",
          "[long_jobs]") {
  if (!preload_works()) return;
  const Job job(110, 4000, 3, "harmonic:solver=cg");
  const std::string expected = job.undisturbed();
  int killed = 0;
  for (const char* moment : {"before write 1", "before fsync 1", "after fsync 1", "before linkat 1",
                             "after linkat 1", "before rename 1", "after rename 1",
                             "before write 3", "after fsync 2", "before rename 2"}) {
    const Result r = job.killed_at(moment);
    INFO(moment << ": " << r.err);
    killed += r.status != 0;
    CHECK_FALSE(fs::exists(job.out));
  }
  CHECK(killed == 10);
  const Result r = run_shell(job.kept());
  INFO(r.err);
  CHECK(r.status == 0);
  CHECK(r.err.find("resumes") != std::string::npos);
  CHECK(same_text(job.answer(), expected));
  CHECK(job.hidden_files() == 0);  // what the kills left is gone
}

TEST_CASE("kill -9 at ten random moments of a job, each time resumed, leaves the same bytes",
          "[long_jobs][large]") {
  const Job job(200, 15'000, 3, "harmonic:solver=cg");
  const gssl::Stopwatch watch;
  const std::string expected = job.undisturbed();
  const double milliseconds = 1e3 * watch.seconds();
  gssl::Rng rng(1);
  const std::vector<std::string> arguments = {
      "label",    job.graph,      job.labels, "--method", job.method,           "-o",
      job.out,    "--scores",     job.scores, "--quiet",  "--checkpoint-every", "0s",
      "--resume", "--checkpoint", job.file};
  int killed = 0;
  for (int k = 0; k < 10; ++k) {
    const int moment = 1 + static_cast<int>(rng.uniform() * milliseconds);
    const Result r = run_gssl(arguments, {.while_running = [&](int pid) {
                                std::this_thread::sleep_for(std::chrono::milliseconds(moment));
                                kill(pid, SIGKILL);
                              }});
    INFO("after " << moment << " ms: " << r.err);
    CHECK((r.signal == SIGKILL || r.status == 0));
    killed += r.signal == SIGKILL;
  }
  CHECK(killed > 0);
  const Result r = run_gssl(arguments);
  INFO(r.err);
  CHECK(r.status == 0);
  CHECK(same_text(job.answer(), expected));
}

TEST_CASE("every method that keeps its state goes on to the same bytes", "[long_jobs]") {
  if (!preload_works()) return;
  struct Case {
    const char* method;
    int classes;
    bool scores;
  };
  for (const auto& [method, classes, scores] :
       {Case{"auto", 3, true}, Case{"label-propagation", 3, true},
        Case{"poisson:solver=cg", 3, false}, Case{"local-global:solver=cg", 3, true},
        Case{"harmonic:solver=cholesky", 3, true}, Case{"harmonic:solver=consensus", 2, false},
        Case{"harmonic:soft=1,solver=multigrid", 3, true},
        Case{"harmonic:solver=cg,mass=cmn", 50, false}, Case{"poisson:solver=cg", 50, true}}) {
    Job job(40, 7, classes, method);
    job.with_scores = scores;
    const std::string expected = job.undisturbed();
    INFO(method << ", " << classes << " classes");
    CHECK(job.killed_at("after linkat 1").status != 0);
    job.killed_at("after rename 2");
    const Result r = run_shell(job.kept());
    INFO(r.err);
    CHECK(r.status == 0);
    CHECK(same_text(job.answer(), expected));
  }
}

TEST_CASE("SIGTERM keeps what is done, and the run goes on", "[long_jobs]") {
  const Job job(300, 40'000, 2, "harmonic:solver=cg");
  const std::vector<std::string> arguments = {"label",    job.graph,      job.labels, "--method",
                                              job.method, "-o",           job.out,    "--scores",
                                              job.scores, "--checkpoint", job.file,   "--resume"};
  const Result ended =
      run_gssl(arguments, {.while_running = [](int pid) { send_after_ms(pid, SIGTERM, 250); }});
  INFO(ended.err);
  CHECK(ended.signal == SIGTERM);
  CHECK_FALSE(fs::exists(job.out));
  // It may have ended before there was anything to keep.
  if (fs::exists(job.file)) CHECK(ended.err.find("keeps what is done") != std::string::npos);
  const Result r = run_gssl(arguments);
  CHECK(r.status == 0);
  const std::string resumed = job.answer();
  const bool same = resumed == job.undisturbed();
  CHECK(same);
}

TEST_CASE("a run that ends at its time limit goes on with another", "[long_jobs]") {
  const Job few(80, 3'000, 2, "harmonic:solver=cg");
  const Job many(80, 60, 50, "harmonic:solver=cg");  // in blocks of classes
  for (const Job* job : {&few, &many}) {
    // Longer each time: how long a run takes to begin depends on what else the machine does.
    int status = 1;
    for (double limit = 0.03; status == 1 && limit < 100.0; limit *= 1.5) {
      const Result r = run_shell(job->kept("--time-limit " + std::to_string(limit)));
      INFO(r.err);
      status = r.status;
    }
    CHECK(status == 0);
    const std::string resumed = job->answer();
    const bool same = resumed == job->undisturbed();
    CHECK(same);
  }
}

TEST_CASE("a run that has ended is not run again, and other runs are refused", "[long_jobs]") {
  const Job job(20, 9, 3, "harmonic:tolerance=1e-8");
  CHECK(run_shell(job.kept()).status == 0);
  const std::string expected = job.answer();
  const Result again = run_shell(job.kept());
  CHECK(again.status == 0);
  CHECK(again.err.find("holds the answer") != std::string::npos);
  CHECK(same_text(job.answer(), expected));

  const auto refused = [&](const std::string& command, const std::string& words) {
    const Result r = run_shell(command);
    INFO(command << "\n" << r.err);
    CHECK(r.status == 65);
    CHECK(r.err.find(words) != std::string::npos);
    CHECK(same_text(job.answer(), expected));
  };
  Job other = Job(20, 9, 3, "harmonic:tolerance=1e-9");
  other.file = job.file;
  refused(other.kept(), "method: harmonic");
  other.method = job.method;
  CHECK(run_shell(other.kept()).status == 0);  // the same graph from another file
  refused(job.kept("--seed 2"), "seed: 1; this run has 2");
  Job larger = Job(21, 9, 3, job.method);
  larger.file = job.file;
  refused(larger.kept(), "graph: 400 vertices");
  Job relabeled = Job(20, 9, 2, job.method);
  relabeled.file = job.file;
  refused(relabeled.kept(), "labels: ");
  std::string bytes = read_file(job.file);
  job.dir.file("job.ckpt", bytes.substr(0, bytes.size() / 2));
  refused(job.kept(), "is cut off");
  bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 1);
  job.dir.file("job.ckpt", bytes);
  refused(job.kept(), "is damaged");
  job.dir.file("job.ckpt", "no checkpoint\n");
  refused(job.kept(), "is no file of gssl");
}

TEST_CASE("a checkpoint that cannot be written, or is another file, is refused at once",
          "[long_jobs]") {
  const Job job(5, 3, 2, "harmonic");
  const auto refused = [&](const std::string& file, const std::string& words) {
    const Result r = run_shell(job.command("--checkpoint " + file));
    INFO(r.err);
    CHECK(r.status == 73);
    CHECK(r.err.find(words) != std::string::npos);
    CHECK(r.out.empty());
  };
  refused((job.dir.path() / "nowhere" / "job.ckpt").string(), "cannot create");
  const std::string table = job.dir.file("mine.tsv", "a table\n");
  refused(table, "exists and is no checkpoint");
  CHECK(read_file(table) == "a table\n");
  const std::string empty = job.dir.file("empty.ckpt", "");
  CHECK(run_shell(job.command("--checkpoint " + empty)).status == 0);
  CHECK(run_shell(job.command("--checkpoint " + empty)).status == 0);
}

TEST_CASE("options of long runs that make no sense are refused", "[long_jobs]") {
  const Job job(5, 3, 2, "harmonic");
  const auto refused = [&](const std::string& method, const std::string& more,
                           const std::string& words) {
    Job one = Job(5, 3, 2, method);
    const Result r = run_shell(one.command(more));
    INFO(r.err);
    CHECK(r.status == 64);
    CHECK(r.err.find(words) != std::string::npos);
  };
  refused("p-laplacian", "--checkpoint x", "does not keep its state");
  refused("harmonic", "--checkpoint x --checkpoint-every 5y", "no time");
  refused("harmonic", "--resume", "--checkpoint");
  refused("harmonic", "--checkpoint-every 5s", "--checkpoint");
  refused("harmonic", "--checkpoint " + job.out + " -o " + job.out, "");
}
