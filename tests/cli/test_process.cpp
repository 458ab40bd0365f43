// The process and its manners: missing standard streams, limits of the system, what a run leaves
// behind.

#include <filesystem>

#include "read_json.hpp"
#include "run_gssl.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

using namespace gssl::test;
namespace fs = std::filesystem;

namespace {

// A graph of three vertices and its labels, under the names that the scripts below use.
struct Folder {
  TemporaryDirectory dir;
  Folder() {
    dir.file("g", "a b\nb c\n");
    dir.file("l", "a x\nc y\n");
  }
  Result run(const std::string& script) const {
    return run_shell(script, {.directory = dir.path().string()});
  }
  // What the run writes when nothing is amiss.
  std::string answer() const { return run("\"$GSSL\" label g l --quiet").out; }
  std::string read(const char* name) const { return read_file(dir.path() / name); }
  std::size_t files() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(dir.path()), {}));
  }
};

}  // namespace

TEST_CASE("what is said to a missing standard error is in no output") {
  const Folder folder;
  for (const char* closed : {"2>&-", "2>&- <&-", ">&- 2>&-", "<&- >&- 2>&-", "<&-", ">&-"}) {
    INFO(closed);
    const Result r = folder.run(std::string("\"$GSSL\" label g l -o x --summary s ") + closed);
    CHECK(r.status == 0);
    CHECK(folder.read("x") == folder.answer());
    CHECK(read_json(folder.dir.path() / "s")["outcome"] == "complete");
    fs::remove(folder.dir.path() / "x");
  }
  CHECK(folder.run("\"$GSSL\" info g -o x 2>&-").status == 0);
  CHECK(folder.read("x").find("gssl") == std::string::npos);
}

TEST_CASE("an answer to a missing standard output is an I/O error and lands in no other file") {
  const Folder folder;
  for (const char* output : {"", "-o /dev/stdout"}) {
    INFO(output);
    const Result r =
        folder.run(std::string("\"$GSSL\" label g l --quiet --summary s ") + output + " >&-");
    CHECK(r.status == 74);
    const auto summary = read_json(folder.dir.path() / "s");
    CHECK(summary["outcome"] == "failed");
    CHECK(summary["exit_status"] == 74);
    CHECK(folder.files() == 3);
  }
  CHECK(folder.run("\"$GSSL\" --help >&-").status == 74);
}

TEST_CASE("a missing standard input cannot be read, nor is another input read for it") {
  const Folder folder;
  for (const char* command : {"label - l -o x", "convert - x.gssl"}) {
    INFO(command);
    const Result r = folder.run(std::string("\"$GSSL\" ") + command + " <&-");
    CHECK(r.status == 66);
    CHECK(r.err.find("<stdin>") != std::string::npos);
    CHECK(folder.files() == 2);
  }
}

TEST_CASE("standard output by its name in /dev is standard output") {
  const Folder folder;
  folder.dir.file("f", "first\n");
  std::string lines = "first\n";
  for (const char* name : {"/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"}) {
    INFO(name);
    CHECK(folder.run(std::string("\"$GSSL\" label g l --quiet -o ") + name + " >>f").status == 0);
    lines += folder.answer();
    CHECK(folder.read("f") == lines);
    const Result piped = folder.run(std::string("\"$GSSL\" label g l --quiet -o ") + name);
    CHECK(piped.out == folder.answer());
    CHECK(folder.run(std::string("\"$GSSL\" label g l --scores ") + name).status == 64);
  }
  CHECK(folder.run("{ echo before; \"$GSSL\" label g l --quiet -o /dev/stdout; echo after; } >f")
            .status == 0);
  CHECK(folder.read("f") == "before\n" + folder.answer() + "after\n");
}

TEST_CASE("a file in shared memory is a file") {
  if (!fs::is_directory("/dev/shm")) {
    WARN("skipped: no /dev/shm");
    return;
  }
  const Folder folder;
  const Result r = folder.run(
      "x=$(mktemp /dev/shm/gssl-test-XXXXXX) && trap 'rm -f \"$x\"' EXIT &&\n"
      "head -c 5000 /dev/zero >\"$x\" && \"$GSSL\" label g l --quiet -o \"$x\" && cat \"$x\"");
  CHECK(r.status == 0);
  CHECK(r.out == folder.answer());
}

TEST_CASE("a link that leads to itself is no output") {
  const Folder folder;
  fs::create_symlink("loop", folder.dir.path() / "loop");
  CHECK(folder.run("\"$GSSL\" label g l -o loop").status == 73);
  CHECK(fs::is_symlink(folder.dir.path() / "loop"));
  CHECK(folder.files() == 3);
}

TEST_CASE("a name as long as the file system takes is an output") {
  const Folder folder;
  for (const std::string& name :
       {std::string(255, 'n'), std::string(127, 'x') + "é" + std::string(126, 'y')}) {
    for (int twice = 0; twice < 2; ++twice) {
      CHECK(folder.run("\"$GSSL\" label g l --quiet -o " + name).status == 0);
      CHECK(folder.read(name.c_str()) == folder.answer());
    }
  }
  CHECK(folder.files() == 4);
  CHECK(folder.run("\"$GSSL\" label g l -o " + std::string(256, 'n')).status == 73);
}

TEST_CASE("the peak of memory is the run's own, whoever started it") {
  if (!fs::exists("/proc/self/status")) {
    WARN("skipped: no /proc");
    return;
  }
  // The parent of the run: it holds 400 MB when it starts the run in its place.
  const Folder folder;
  std::string ballast(std::size_t{400} << 20, 'x');
  CHECK(folder.run("exec \"$GSSL\" label g l --quiet --summary s").status == 0);
  CHECK(ballast.back() == 'x');
  CHECK(read_json(folder.dir.path() / "s")["peak_rss_bytes"].get<double>() < 200e6);
}

TEST_CASE("a run that was stopped does not say that it converged") {
  for (const char* line : {"ask datasets/digits/edges.tsv datasets/digits/labels.tsv -n 500",
                           "ask datasets/digits/edges.tsv datasets/digits/labels.tsv --simulate "
                           "--truth datasets/digits/truth.tsv --budget 400"}) {
    const Result r = run_shell(std::string("\"$GSSL\" ") + line +
                               " --time-limit 0.3 --summary /dev/fd/3 3>&1 >/dev/null");
    INFO(r.err);
    if (r.status == 0) continue;  // done in time
    CHECK(r.status == 1);
    // What was solved before the limit may have converged, in a line of its own.
    std::istringstream lines(r.err);
    for (std::string said; std::getline(lines, said);)
      CHECK_FALSE((said.find("converged") != std::string::npos &&
                   said.find("stopped") != std::string::npos));
    CHECK(r.out.find("converged") == std::string::npos);
  }
}

// AddressSanitizer does not share a process with a library that is loaded before it.
#if !defined(__SANITIZE_ADDRESS__)
TEST_CASE("an input that becomes shorter while it is read is an I/O error") {
  std::string text;
  for (int i = 0; i < 20'000; ++i)
    text += std::to_string(i) + " " + std::to_string(i + 1) + " 0.5\n";
  const Folder folder;
  folder.dir.file("big", text);
  const Result r = folder.run(
      "GSSL_SHORTEN=\"$(pwd -P)/big\" LD_PRELOAD=" + built_module("gssl_shorten_mapped") +
      " \"$GSSL\" label big l -o x --summary s");
  INFO(r.err);
  CHECK(fs::file_size(folder.dir.path() / "big") == 4000);
  CHECK(r.signal == 0);
  CHECK(r.status == 74);
  CHECK(r.err.find("big") != std::string::npos);
  CHECK(read_json(folder.dir.path() / "s")["exit_status"] == 74);
  CHECK(folder.files() == 4);
}
#endif

TEST_CASE("an output beyond the limit on file sizes is an I/O error and leaves nothing") {
  const Folder folder;
  std::string edges;
  for (int i = 0; i < 20'000; ++i) edges += std::to_string(i) + " " + std::to_string(i + 1) + "\n";
  folder.dir.file("g", edges);
  const Result r = folder.run("ulimit -f 8; \"$GSSL\" convert g x --quiet");
  INFO(r.err);
  CHECK(r.status == 74);
  CHECK(folder.files() == 2);
}

TEST_CASE("where open files are limited a run is whole, or an error that leaves nothing") {
  const Folder folder;
  const std::string answer = folder.answer();
  bool failed = false, done = false;
  for (int most = 4; most <= 12; ++most) {
    for (const char* output : {"x", "s", "c"}) fs::remove(folder.dir.path() / output);
    const Result r = folder.run("ulimit -n " + std::to_string(most) +
                                "; exec \"$GSSL\" label g l --quiet -o x --summary s --scores c");
    INFO(most << " files: " << r.status << " " << r.err);
    if (r.status == 127) continue;  // too few for the libraries
    if (r.status == 0) {
      done = true;
      CHECK(folder.read("x") == answer);
      CHECK(folder.files() == 5);
      continue;
    }
    failed = true;
    CHECK((r.status == 66 || r.status == 73));
    CHECK(r.err.find("Too many open files") != std::string::npos);
    CHECK(folder.files() <= 3);  // a summary, if it could be opened, says that the run failed
    if (folder.files() == 3) CHECK(read_json(folder.dir.path() / "s")["outcome"] == "failed");
  }
  CHECK(done);
  CHECK(failed);
}

#if defined(__SANITIZE_ADDRESS__)
// AddressSanitizer reserves terabytes of address space, so no limit can be set.
#else
TEST_CASE(
    "where memory for threads is short a run uses fewer, or ends with 71 and leaves nothing") {
  const Folder folder;
  const std::string digits = source_path("datasets/digits").string();
  for (int kilobytes = 80'000; kilobytes < 280'000; kilobytes += 12'000) {
    const Result r =
        folder.run("unset OPENBLAS_NUM_THREADS; ulimit -v " + std::to_string(kilobytes) +
                   "; timeout -k 1 60 \"$GSSL\" label " + digits + "/edges.tsv " + digits +
                   "/labels.tsv --threads 8 -o x --quiet");
    INFO(kilobytes << ": " << r.err);
    if (r.status == 127) continue;  // its shared objects do not fit
    CHECK((r.status == 0 || r.status == 71));
    CHECK((r.status == 0 || !r.err.empty()));
    CHECK(folder.files() == (r.status == 0 ? 3 : 2));
    fs::remove(folder.dir.path() / "x");
  }
}
#endif

TEST_CASE("threads that wait sleep soon, unless the environment says how they wait") {
#if defined(__GNUC__) && !defined(__clang__) && __GNUC__ < 13
  const auto shown = [](const std::string& settings) {
    return run_shell("env -u OMP_WAIT_POLICY -u GOMP_SPINCOUNT OMP_DISPLAY_ENV=VERBOSE " +
                     settings + " \"$GSSL\" --version 2>&1")
        .out;
  };
  CHECK(shown("").find("GOMP_SPINCOUNT = '1000'") != std::string::npos);
  CHECK(shown("GOMP_SPINCOUNT=7").find("GOMP_SPINCOUNT = '7'") != std::string::npos);
  CHECK(shown("OMP_WAIT_POLICY=passive").find("GOMP_SPINCOUNT = '0'") != std::string::npos);
#else
  WARN("skipped: only libgomp before GCC 13 asks what a program can answer");
#endif
}

TEST_CASE("where processes are short a run uses fewer threads and says so", "[processes]") {
  if (run_shell("command -v prlimit && command -v setpriv").status != 0) {
    WARN("skipped: no prlimit and setpriv");
    return;
  }
  const Folder folder;
  const std::string expected = folder.answer();
  fs::permissions(folder.dir.path(), fs::perms::all);
  // The limit counts the processes of a user and does not hold for root.
  const std::string as_nobody = "setpriv --reuid 65534 --regid 65534 --clear-groups ";
  if (run_shell(as_nobody + "\"$GSSL\" --version").status != 0) {
    WARN("skipped: may not run as another user");
    return;
  }
  for (const int processes : {1, 2, 4, 12}) {
    const Result r = folder.run("unset OPENBLAS_NUM_THREADS; " + as_nobody +
                                "prlimit --nproc=" + std::to_string(processes) +
                                " \"$GSSL\" label g l --threads 8 --summary s");
    INFO(processes << ": " << r.err);
    CHECK(r.status == 0);
    CHECK(r.out == expected);
    const auto summary = read_json(folder.dir.path() / "s");
    CHECK((summary["threads"] == 8 || summary["threads"].get<int>() <= processes));
    CHECK(summary["warnings"].size() == (summary["threads"] == 8 ? 0 : 1));
    fs::remove(folder.dir.path() / "s");
  }
}
