// The gssl-mpi command: starts MPI and PETSc, reads the command line, runs one verb on every rank,
// and sees to it that a rank that fails alone ends the job with a message.

#include <omp.h>
#include <slepcsys.h>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <map>
#include <memory>
#include <sstream>

#include "gssl/core/error.hpp"
#include "help_text.hpp"
#include "manual.hpp"
#include "petsc.hpp"
#include "remedy_words.hpp"
#include "signals.hpp"
#include "standard_streams.hpp"
#include "together.hpp"
#include "verbs.hpp"

namespace gssl::mpi {
namespace {

// Ends all ranks: the others may wait for this one.
[[noreturn]] void abort_job(const char* message, ErrorCode code) {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  std::fprintf(stderr, "gssl-mpi: rank %d: %s; the job is ended\n", rank, message);
  std::fflush(stderr);
  MPI_Abort(MPI_COMM_WORLD, exit_status(code));
  std::_Exit(exit_status(code));
}

[[noreturn]] void on_terminate() { abort_job("std::terminate", ErrorCode::internal); }

int fail(tool::Session& session, ErrorCode code, const char* message, bool speaks) {
  if (speaks) session.error(message);
  const bool cancelled = tool::stop_signal() != 0;
  const int status = session.finish(exit_status(code), cancelled ? "cancelled" : "failed");
  return cancelled ? 128 + tool::stop_signal() : status;
}

int run_verb(tool::Session& session, const MpiVerb& verb, const Communicator& ranks) {
  try {
    const int status = verb(session, ranks);
    return session.finish(status, status == 0 ? "complete" : "incomplete");
  } catch (const AgreedError& error) {
    return fail(session, error.code(), tool::with_flags(error).c_str(), ranks.is_first());
  } catch (const Error& error) {
    abort_job(tool::with_flags(error).c_str(), error.code());
  } catch (const std::bad_alloc&) {
    abort_job("out of memory", ErrorCode::out_of_memory);
  } catch (const std::exception& error) {
    abort_job(error.what(), ErrorCode::internal);
  }
}

std::map<std::string, MpiVerb> add_verbs(CLI::App& app, MpiOptions& options) {
  std::map<std::string, MpiVerb> verbs;
  verbs.emplace("label", add_label(app, options));
  verbs.emplace("spectrum", add_spectrum(app, options));
  verbs.emplace("cluster", add_cluster(app, options));
  return verbs;
}

bool is_first() {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank == 0;
}

// All of the command line but what --version prints.
std::map<std::string, MpiVerb> declare(CLI::App& app, MpiOptions& options) {
  app.name("gssl-mpi");
  app.description("Labels, spectra and clusters of graphs that no machine holds, over MPI.");
  app.set_help_flag("-h,--help", "print this help and exit");
  app.set_version_flag("--version", "gssl-mpi " GSSL_VERSION, "print the version and exit");
  app.require_subcommand(1);
  app.formatter(std::make_shared<tool::HelpFormatter>());
  app.get_formatter()->label("SUBCOMMAND", "VERB");
  app.footer(
      "Examples:\n"
      "  mpirun -n 4 gssl-mpi label edges.tsv labels.tsv -o out.tsv\n"
      "  gssl-mpi label --help\n"
      "Exit status: as of gssl, on every rank.");
  return add_verbs(app, options);
}

// gssl-mpi --man DIR: one process writes its man page, and starts no MPI for it.
int write_man_page(const std::string& folder) {
  MpiOptions options;
  CLI::App app;
  declare(app, options);
  try {
    tool::write_pages(folder, {tool::one_page(app)});
    return 0;
  } catch (const Error& error) {
    std::fprintf(stderr, "gssl-mpi: %s\n", tool::with_flags(error).c_str());
    return exit_status(error.code());
  }
}

int run(const std::vector<std::string>& arguments) {
  MpiOptions options;
  CLI::App app;
  const std::map<std::string, MpiVerb> verbs = declare(app, options);
  try {
    // CLI11 takes the arguments last first.
    app.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));
  } catch (const CLI::ParseError& error) {
    std::ostringstream text;
    const bool asked = error.get_exit_code() == 0;
    if (asked) app.exit(error, text, text);
    if (is_first() && asked) std::fputs(text.str().c_str(), stdout);
    if (is_first() && !asked)
      std::fprintf(stderr, "gssl-mpi: %s; see gssl-mpi --help\n", error.what());
    return asked ? 0 : exit_status(ErrorCode::usage);
  }
  const Communicator ranks(MPI_COMM_WORLD, static_cast<std::size_t>(options.message_bytes));
  options.common.threads = 1;  // one rank a core
  if (!ranks.is_first()) {
    options.common.quiet = true;
    options.common.summary.clear();
  }
  const std::string chosen = app.get_subcommands().front()->get_name();
  tool::Session session(chosen, arguments, options.common);
  return run_verb(session, verbs.at(chosen), ranks);
}

// Open MPI looks for networks for 0.2 s; ranks that are all on this machine need none. What a flag
// of mpirun or the environment says is kept.
void use_shared_memory_alone() {
  const char* const all = std::getenv("OMPI_COMM_WORLD_SIZE");
  const char* const here = std::getenv("OMPI_COMM_WORLD_LOCAL_SIZE");
  if (all != nullptr && here != nullptr && std::strcmp(all, here) == 0)
    ::setenv("OMPI_MCA_pml", "ob1", 0);
}

// PETSc and MPI see none of our arguments, and no file of settings.
void start_petsc() {
  static std::string words[] = {"gssl-mpi", "-skip_petscrc", "-no_signal_handler"};
  static char* pointers[] = {words[0].data(), words[1].data(), words[2].data(), nullptr};
  int count = 3;
  char** arguments = pointers;
  use_shared_memory_alone();
  if (SlepcInitialize(&count, &arguments, nullptr, nullptr) != 0) std::_Exit(70);
  PetscPushErrorHandler(PetscIgnoreErrorHandler, nullptr);
}

}  // namespace

void add_rank_options(CLI::App& verb, MpiOptions& options) {
  tool::add_run_options(verb, options.common);
  verb.remove_option(verb.get_option("--threads"));     // a rank has one
  verb.remove_option(verb.get_option("--max-memory"));  // more ranks hold less each
  verb.remove_option(verb.get_option("--plugin"));
  verb.add_option("--preconditioner", options.preconditioner,
                  "automatic (by a forecast), jacobi or hypre")
      ->type_name("NAME")
      ->check(tool::one_of({"automatic", "jacobi", "hypre"}))
      ->capture_default_str()
      ->group("Run");
  verb.add_option("--message-bytes", options.message_bytes,
                  "largest message between two ranks, 64 to 1073741824 bytes")
      ->type_name("BYTES")
      ->check(CLI::Range(std::int64_t{Communicator::least_piece},
                         std::int64_t{Communicator::largest_piece})
                  .description(""))
      ->capture_default_str()
      ->group("Run");
}

}  // namespace gssl::mpi

int main(int argc, char** argv) {
  gssl::tool::open_missing_standard_streams();
  int status = 0;
  try {
    if (argc == 3 && std::string_view(argv[1]) == "--man")
      return gssl::mpi::write_man_page(argv[2]);
    omp_set_num_threads(1);
    gssl::mpi::start_petsc();
    std::set_terminate(gssl::mpi::on_terminate);
    gssl::tool::install_signal_handlers();
    status = gssl::mpi::run({argv + 1, argv + argc});
  } catch (...) {
    std::terminate();  // which tells the other ranks
  }
  std::fflush(nullptr);
  SlepcFinalize();
  return status;
}
