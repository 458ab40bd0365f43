#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>

#include "gssl/io/output_file.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"
#include "temporary_file.hpp"

using namespace gssl;
using namespace gssl::test;
using Catch::Contains;
using gssl::detail::TemporaryFile;
namespace fs = std::filesystem;

namespace {
std::size_t entries_in(const fs::path& directory) {
  return static_cast<std::size_t>(
      std::distance(fs::directory_iterator(directory), fs::directory_iterator()));
}
}  // namespace

TEST_CASE("An output appears at commit and not before") {
  TemporaryDirectory directory;
  const std::string path = directory.file("out", "old");
  {
    OutputFile out(path);
    out.write("new");
    CHECK(read_file(path) == "old");
    out.commit();
  }
  CHECK(read_file(path) == "new");
  CHECK(entries_in(directory.path()) == 1);
}

TEST_CASE("An output that is not committed leaves nothing behind") {
  TemporaryDirectory directory;
  const std::string path = directory.file("out", "old");
  {
    OutputFile out(path);
    out.write(std::string(1 << 20, 'x'));
    OutputFile moved(std::move(out));
  }
  CHECK(read_file(path) == "old");
  CHECK(entries_in(directory.path()) == 1);
}

TEST_CASE("Permissions are the usual ones, or those of the file replaced") {
  TemporaryDirectory directory;
  const auto mode = [](const std::string& path) {
    struct stat status {};
    ::stat(path.c_str(), &status);
    return status.st_mode & 0777U;
  };
  const mode_t mask = ::umask(027);
  const std::string fresh = (directory.path() / "fresh").string();
  OutputFile(fresh).commit();
  ::umask(mask);
  CHECK(mode(fresh) == 0640);
  const std::string old = directory.file("old", "x");
  ::chmod(old.c_str(), 0604);
  OutputFile(old).commit();
  CHECK(mode(old) == 0604);
}

TEST_CASE("A symbolic link stays and its target is replaced") {
  TemporaryDirectory directory;
  fs::create_directory(directory.path() / "sub");
  const std::string link = (directory.path() / "link").string();
  fs::create_symlink("sub/target", link);  // dangling at first
  for (const char* text : {"one", "two"}) {
    OutputFile out(link);
    out.write(text);
    out.commit();
    CHECK(fs::is_symlink(link));
    CHECK(read_file(directory.path() / "sub" / "target") == text);
  }
}

TEST_CASE("What cannot be created says so on opening") {
  TemporaryDirectory directory;
  for (const fs::path& path : {directory.path() / "absent" / "out", directory.path(), fs::path()}) {
    const auto error = error_of([&] { OutputFile out(path.string()); });
    REQUIRE(error);
    CHECK(error->code() == ErrorCode::cannot_create);
  }
}

TEST_CASE("A full disk is an I/O error") {
  if (!fs::exists("/dev/full")) {
    WARN("skipped: no /dev/full");
    return;
  }
  const auto error = error_of([] {
    OutputFile out("/dev/full");
    out.write("x");
    out.commit();
  });
  REQUIRE(error);
  CHECK(error->code() == ErrorCode::io_failure);
  CHECK(fs::exists("/dev/full"));
}

TEST_CASE("A pipe without a reader is an I/O error that names the closed pipe") {
  const auto before = std::signal(SIGPIPE, SIG_IGN);
  int ends[2];
  REQUIRE(::pipe(ends) == 0);
  ::close(ends[0]);
  const int standard_output = ::dup(STDOUT_FILENO);
  ::dup2(ends[1], STDOUT_FILENO);
  const auto error = error_of([] {
    OutputFile out("-");
    out.write("x");
    out.commit();
  });
  ::dup2(standard_output, STDOUT_FILENO);
  ::close(standard_output);
  ::close(ends[1]);
  std::signal(SIGPIPE, before);
  REQUIRE(error);
  CHECK(error->code() == ErrorCode::io_failure);
  CHECK_THAT(error->what(), Contains("closed pipe"));
}

TEST_CASE("A named pipe reached by a symbolic link is written in place") {
  TemporaryDirectory directory;
  int ends[2];
  REQUIRE(::pipe(ends) == 0);
  {
    OutputFile out("/dev/fd/" + std::to_string(ends[1]));
    out.write("abc");
    out.commit();
  }
  char got[4] = {};
  CHECK(::read(ends[0], got, 3) == 3);
  CHECK(std::string(got) == "abc");
  ::close(ends[0]);
  ::close(ends[1]);
}

TEST_CASE("An output without a name yet leaves nothing to a process that is killed") {
  TemporaryDirectory directory;
  const std::string path = directory.file("out", "old");
  const pid_t pid = ::fork();
  REQUIRE(pid >= 0);
  if (pid == 0) {
    OutputFile out(path);
    out.write(std::string(1 << 20, 'x'));
    ::raise(SIGKILL);
  }
  int status = 0;
  REQUIRE(::waitpid(pid, &status, 0) == pid);
  CHECK(WIFSIGNALED(status));
  CHECK(read_file(path) == "old");
  const int unnamed = ::open(directory.path().c_str(), O_TMPFILE | O_WRONLY, 0600);
  if (unnamed < 0) {
    WARN("skipped: this file system names every file");
    return;
  }
  ::close(unnamed);
  CHECK(entries_in(directory.path()) == 1);
}

TEST_CASE("Content takes its place from a name, from none, and where none can be given later") {
  const std::string own_descriptors = "/proc/self/fd", nowhere = "/nowhere";
  const std::string text(3'000'000, 'x');
  for (const auto start : {TemporaryFile::Start::named, TemporaryFile::Start::unnamed_if_possible})
    for (const std::string& descriptors : {own_descriptors, nowhere})
      for (const bool exists : {false, true}) {
        TemporaryDirectory directory;
        const std::string path = (directory.path() / "out").string();
        if (exists) write_file(path, "old");
        {
          TemporaryFile file(path, 0640, start, descriptors);
          REQUIRE(file.descriptor() >= 0);
          REQUIRE(::write(file.descriptor(), text.data(), text.size()) ==
                  static_cast<ssize_t>(text.size()));
          CHECK(file.take_place() == nullptr);
        }
        CHECK(read_file(path) == text);
        CHECK(fs::status(path).permissions() == fs::perms{0640});
        CHECK(entries_in(directory.path()) == 1);
      }
}

TEST_CASE("A signal handler can remove a temporary that has a name") {
  TemporaryDirectory directory;
  const std::string path = (directory.path() / "out").string();
  {
    const TemporaryFile file(path, 0640, TemporaryFile::Start::named);
    CHECK(entries_in(directory.path()) == 1);
    remove_temporary_outputs();
    CHECK(entries_in(directory.path()) == 0);
  }
  const TemporaryFile other(path, 0640, TemporaryFile::Start::named);
  CHECK(entries_in(directory.path()) == 1);
}

TEST_CASE("A device of blocks is not overwritten") {
  TemporaryDirectory directory;
  const std::string path = (directory.path() / "disk").string();
  if (::mknod(path.c_str(), S_IFBLK | 0600, makedev(1, 0)) != 0) {
    WARN("skipped: may not make a device");
    return;
  }
  const auto error = error_of([&] { OutputFile out(path); });
  REQUIRE(error);
  CHECK(error->code() == ErrorCode::cannot_create);
}
