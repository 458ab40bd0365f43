// A job whose rank dies, or that is told to stop, ends.

#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <string>
#include <thread>

#include "gssl/core/stopwatch.hpp"
#include "mpi_runs.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

namespace gssl::test {
namespace {

// The processes of gssl-mpi below `parent`.
std::vector<int> ranks_of(int parent) {
  std::vector<int> found;
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    const std::string name = entry.path().filename().string();
    if (name.find_first_not_of("0123456789") != std::string::npos) continue;
    std::error_code gone;
    if (!std::filesystem::exists(entry.path() / "stat", gone)) continue;
    const std::string stat = read_file(entry.path() / "stat");
    const std::size_t end = stat.rfind(')');
    if (end == std::string::npos || stat.find("(gssl-mpi)") == std::string::npos) continue;
    if (std::stoi(stat.substr(end + 4)) == parent) found.push_back(std::stoi(name));
  }
  return found;
}

// Whether a rank has started: mpirun may wait for ever for one that dies before.
bool has_started(int pid) {
  const std::string status = read_file("/proc/" + std::to_string(pid) + "/status");
  const std::size_t caught = status.find("SigCgt:");
  return caught != std::string::npos &&
         (std::stoull(status.substr(caught + 7), nullptr, 16) >> (SIGTERM - 1) & 1U) != 0;
}

// Labels of a ring that the diagonal needs some million steps for.
std::string long_work(const TemporaryDirectory& folder) {
  std::string edges;
  constexpr int n = 200'000;
  for (int i = 0; i < n; ++i) edges += std::to_string(i) + " " + std::to_string((i + 1) % n) + "\n";
  return "label " + folder.file("ring.txt", edges) + " " +
         folder.file("labels.txt", "0 a\n100000 b\n") +
         " --method harmonic:tolerance=1e-13 --preconditioner jacobi";
}

}  // namespace

TEST_CASE("a rank that is killed ends the job with a message within ten seconds", "[mpi]") {
  const TemporaryDirectory folder;
  Stopwatch since_kill;
  const Result found = run_mpi(3, long_work(folder), {.while_running = [&](int pid) {
                                 std::vector<int> ranks;
                                 for (int waited = 0; waited < 600; ++waited) {
                                   std::this_thread::sleep_for(std::chrono::milliseconds(50));
                                   ranks = ranks_of(pid);
                                   if (ranks.size() == 3 && std::ranges::all_of(ranks, has_started))
                                     break;
                                 }
                                 REQUIRE(ranks.size() == 3);
                                 std::this_thread::sleep_for(std::chrono::milliseconds(300));
                                 kill(ranks[1], SIGKILL);
                                 since_kill = Stopwatch();
                               }});
  CHECK(since_kill.seconds() < 10.0);
  CHECK((found.status != 0 || found.signal != 0));
  CHECK(found.err.find("signal 9") != std::string::npos);
  CHECK(found.out.empty());
}

TEST_CASE("a time limit ends the work with what there is", "[mpi]") {
  const TemporaryDirectory folder;
  const std::string summary = (folder.path() / "run.json").string();
  // Beside other work the ring must be read within it.
  const Result found = run_mpi(2, long_work(folder) + " --time-limit 4 --summary " + summary);
  CHECK(found.status == 1);
  CHECK(found.err.find("stopped before tolerance (time_limit)") != std::string::npos);
  CHECK(read_file(summary).find("\"outcome\": \"incomplete\"") != std::string::npos);
}

}  // namespace gssl::test
