#pragma once
// Runs the gssl binary of this build and catches what it prints.
//
//   const Result r = run_gssl({"info", "edges.txt"});
//   r.status == 0;  r.out;  r.err;

#include <functional>
#include <string>
#include <vector>

namespace gssl::test {

struct Result {
  int status = -1;  // exit status, or −1 if a signal ended it
  int signal = 0;   // that signal
  std::string out;
  std::string err;
};

struct RunSettings {
  std::string input = {};                           // standard input
  std::string directory = {};                       // working directory; empty: the repository
  bool close_output = false;                        // the reader of standard output leaves at once
  std::function<void(int pid)> while_running = {};  // called once after the start
};

Result run_gssl(const std::vector<std::string>& arguments, const RunSettings& settings = {});

// For `while_running`: sends `signal` that long after the run has set its handler, which may take a
// while under load.
void send_after_ms(int pid, int signal, int milliseconds);

// The same through `sh -c`, with $GSSL the binary and its folder first in PATH.
Result run_shell(const std::string& script, const RunSettings& settings = {});

}  // namespace gssl::test
