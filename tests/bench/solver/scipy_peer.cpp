#include "scipy_peer.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <span>
#include <stdexcept>

namespace gssl::bench {
namespace {

template <class Value>
void write_array(const std::filesystem::path& file, std::span<const Value> values) {
  std::ofstream out(file, std::ios::binary);
  out.write(reinterpret_cast<const char*>(values.data()),
            static_cast<std::streamsize>(values.size_bytes()));
  if (!out.flush()) throw std::runtime_error(file.string() + ": cannot be written");
}

// All of A by rows; columns ascend but for the diagonal, which comes first.
void write_system(const Problem& problem, const std::filesystem::path& folder) {
  const GroundedLaplacian& system = *problem.system;
  std::vector<std::int64_t> offset{0};
  std::vector<std::int32_t> column;
  std::vector<double> value;
  for (VertexId v = 0; v < system.size(); ++v) {
    column.push_back(v);
    value.push_back(system.diagonal()[static_cast<std::size_t>(v)]);
    system.graph().visit_row(v, [&](VertexId u, double w) {
      column.push_back(u);
      value.push_back(-w);
    });
    offset.push_back(static_cast<std::int64_t>(column.size()));
  }
  write_array<std::int64_t>(folder / "offset", offset);
  write_array<std::int32_t>(folder / "column", column);
  write_array<double>(folder / "value", value);
  write_array<double>(folder / "b", problem.b.values());
}

// Runs a command with its output in one file and its errors in another; it dies with this process.
int run_command(std::vector<std::string> words, const std::filesystem::path& output,
                const std::filesystem::path& errors) {
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("fork failed");
  if (child == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    setenv("OPENBLAS_NUM_THREADS", "1", 1);
    const int file = open(output.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    const int complaints = open(errors.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (file < 0 || complaints < 0) _exit(127);
    dup2(file, STDOUT_FILENO);
    dup2(complaints, STDERR_FILENO);
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    execvp(arguments[0], arguments.data());
    _exit(127);
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

// The first interpreter that has scipy: one on the path, or that of Debian's python3-scipy.
const std::string& python() {
  static const std::string command = [] {
    for (const std::string candidate : {"python3", "/usr/bin/python3"})
      if (run_command({candidate, "-c", "import scipy.sparse.linalg"}, "/dev/null", "/dev/null") ==
          0)
        return candidate;
    return std::string();
  }();
  return command;
}

}  // namespace

const std::vector<std::string>& scipy_names() {
  static const std::vector<std::string> names =
      python().empty() ? std::vector<std::string>{}
                       : std::vector<std::string>{"scipy-cg", "scipy-splu"};
  return names;
}

TemporaryFolder::TemporaryFolder() {
  std::string name = (std::filesystem::temp_directory_path() / "bench_solver_XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) throw std::runtime_error(name + ": cannot be made");
  path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

Row run_scipy(const Problem& problem, const std::string& name, const RaceOptions& options,
              const std::filesystem::path& folder) {
  write_system(problem, folder);
  const int status = run_command(
      {python(), GSSL_BENCH_SCIPY, folder.string(), name,
       std::to_string(0.95e9 * options.tolerance) + "e-9", std::to_string(problem.b.columns())},
      folder / "report", folder / "errors");
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) raise(SIGKILL);  // out of its time
  if (status != 0) {
    std::ifstream errors(folder / "errors");
    std::string line, last;
    while (std::getline(errors, line)) last = line;
    throw std::runtime_error(python() + ": " + last);
  }
  std::ifstream report(folder / "report");
  const nlohmann::json figures = nlohmann::json::parse(report);
  Row row;
  row.setup_seconds = figures["setup"];
  row.total_seconds = figures["wall"];
  row.solve_seconds = row.total_seconds - row.setup_seconds;
  row.cpu_seconds = figures["cpu"];
  row.iterations = figures["iterations"];
  row.bytes_per_edge = figures["memory"].get<double>() / problem.edges;
  Block x(problem.b.rows(), problem.b.columns());
  std::ifstream answer(folder / "x", std::ios::binary);
  answer.read(reinterpret_cast<char*>(x.data()),
              static_cast<std::streamsize>(x.values().size_bytes()));
  if (!answer) throw std::runtime_error(python() + " left no answer");
  for (const double r : residuals(*problem.system, problem.b, x))
    row.residual = std::max(row.residual, r);
  return row;
}

}  // namespace gssl::bench
