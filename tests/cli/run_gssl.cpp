#include "run_gssl.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <thread>

#include "support/support.hpp"

namespace gssl::test {
namespace {

struct Pipe {
  Pipe() {
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) != 0) throw std::runtime_error("pipe failed");
    read = ends[0];
    write = ends[1];
  }
  ~Pipe() {
    close_read();
    close_write();
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  void close_read() { close_end(read); }
  void close_write() { close_end(write); }
  static void close_end(int& end) {
    if (end >= 0) close(end);
    end = -1;
  }
  int read = -1;
  int write = -1;
};

// Moves what is ready; false once the other side has closed.
bool drain(int descriptor, std::string& text) {
  std::array<char, 65536> buffer;
  const ssize_t got = read(descriptor, buffer.data(), buffer.size());
  if (got <= 0) return false;
  text.append(buffer.data(), static_cast<std::size_t>(got));
  return true;
}

// Feeds standard input and drains both outputs together, so that no pipe can fill up and block.
void exchange(Pipe& in, Pipe& out, Pipe& err, const std::string& input, Result& result) {
  std::size_t sent = 0;
  while (in.write >= 0 || out.read >= 0 || err.read >= 0) {
    std::array<pollfd, 3> waits{
        {{in.write, POLLOUT, 0}, {out.read, POLLIN, 0}, {err.read, POLLIN, 0}}};
    if (poll(waits.data(), waits.size(), -1) < 0) continue;
    if (in.write >= 0 && waits[0].revents != 0) {
      const ssize_t put =
          sent == input.size() ? -1 : write(in.write, input.data() + sent, input.size() - sent);
      if (put > 0) sent += static_cast<std::size_t>(put);
      if (put <= 0 || sent == input.size()) in.close_write();
    }
    if (waits[1].revents != 0 && !drain(out.read, result.out)) out.close_read();
    if (waits[2].revents != 0 && !drain(err.read, result.err)) err.close_read();
  }
}

Result run(const std::vector<std::string>& command, const RunSettings& settings) {
  signal(SIGPIPE, SIG_IGN);  // a child that does not read its input must not end the test
  Pipe in;
  Pipe out;
  Pipe err;
  std::vector<char*> words;
  for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  const std::string directory =
      settings.directory.empty() ? source_path("").string() : settings.directory;
  const std::string gssl = built_program("gssl");
  const std::string path =
      std::filesystem::path(gssl).parent_path().string() + ":" + std::getenv("PATH");
  const pid_t pid = fork();
  if (pid < 0) throw std::runtime_error("fork failed");
  if (pid == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);  // a test that is timed out leaves nothing running
    dup2(in.read, STDIN_FILENO);
    dup2(out.write, STDOUT_FILENO);
    dup2(err.write, STDERR_FILENO);
    signal(SIGPIPE, SIG_DFL);
    setenv("PATH", path.c_str(), 1);
    setenv("GSSL", gssl.c_str(), 1);
    if (chdir(directory.c_str()) == 0) execv(words.front(), words.data());
    _exit(127);
  }
  in.close_read();
  out.close_write();
  err.close_write();
  if (settings.close_output) out.close_read();
  if (settings.while_running) settings.while_running(pid);
  Result result;
  exchange(in, out, err, settings.input, result);
  int status = 0;
  while (waitpid(pid, &status, 0) < 0) {
  }
  if (WIFEXITED(status)) result.status = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) result.signal = WTERMSIG(status);
  return result;
}

}  // namespace

Result run_gssl(const std::vector<std::string>& arguments, const RunSettings& settings) {
  std::vector<std::string> command = {built_program("gssl")};
  command.insert(command.end(), arguments.begin(), arguments.end());
  return run(command, settings);
}

void send_after_ms(int pid, int signal, int milliseconds) {
#ifdef __SANITIZE_ADDRESS__
  milliseconds *= 5;  // under sanitizers it takes as much longer to get to its work
#endif
  const auto handles = [&] {
    const std::string status = read_file("/proc/" + std::to_string(pid) + "/status");
    const std::size_t caught = status.find("SigCgt:");
    return caught != std::string::npos &&
           (std::stoull(status.substr(caught + 7), nullptr, 16) >> (signal - 1) & 1U) != 0;
  };
  for (int waited = 0; !handles() && waited < 10'000; waited += 10)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
  kill(pid, signal);
}

Result run_shell(const std::string& script, const RunSettings& settings) {
  return run({"/bin/sh", "-c", script}, settings);
}

}  // namespace gssl::test
