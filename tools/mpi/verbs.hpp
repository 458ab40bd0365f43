#pragma once
// The verbs of gssl-mpi. Each is one function in verb_NAME.cpp that declares its options and returns
// what runs it, on every rank.

#include <CLI/App.hpp>
#include <functional>
#include <string>

#include "command_line.hpp"
#include "communicator.hpp"
#include "session.hpp"

namespace gssl::mpi {

struct MpiOptions {
  tool::CommonOptions common;
  std::int64_t message_bytes = std::int64_t{1} << 28;
  std::string preconditioner = "automatic";
};

// Returns the exit status, the same on every rank.
using MpiVerb = std::function<int(tool::Session&, const Communicator&)>;

MpiVerb add_label(CLI::App& app, MpiOptions& options);
MpiVerb add_spectrum(CLI::App& app, MpiOptions& options);
MpiVerb add_cluster(CLI::App& app, MpiOptions& options);

// --message-bytes, --preconditioner, and of the options of every verb those that make sense here.
void add_rank_options(CLI::App& verb, MpiOptions& options);

}  // namespace gssl::mpi
