#pragma once
// --checkpoint, --checkpoint-every and --resume of `gssl label`: a fit that keeps what it has done.
//
//   add_checkpoint_options(verb, options.checkpoint);
//   check_checkpoint_options(options.checkpoint, learner);            // before anything is read
//   Fit fit = fit_with_checkpoint(session, options.checkpoint, about, [&](const RunContext& run) {…});

#include <CLI/App.hpp>
#include <functional>
#include <string>

#include "gssl/io/checkpoint_file.hpp"
#include "gssl/learn/learner.hpp"
#include "gssl/learn/registry.hpp"
#include "session.hpp"

namespace gssl::tool {

struct CheckpointOptions {
  std::string file;      // empty: none
  double every = 600.0;  // seconds
  bool resume = false;
};

void add_checkpoint_options(CLI::App& verb, CheckpointOptions& options);

// Throws ErrorCode::usage where the options contradict one another, and where the learner does not
// keep its state; ErrorCode::cannot_create where the file cannot be written, or is there and is no
// checkpoint.
void check_checkpoint_options(const CheckpointOptions& options, const MadeLearner& learner);

// What a run is told by: the learner with all its options, the seed, the graph, names and labels,
// and whether scores are wanted. O(n + m).
CheckpointAbout about_run(const Session& session, const MadeLearner& learner, const Graph& graph,
                          const VertexNames& names, const LabeledSet& labeled, bool scores_wanted);

// The fact "names" of a run on the first `count` vertices.
std::string names_fact(const VertexNames& names, VertexId count, int threads);

// The fit, kept in the file of the options if there is one. With --resume, that file is gone on
// from where it exists; throws ErrorCode::bad_data where it is of another run.
Fit fit_with_checkpoint(Session& session, const CheckpointOptions& options,
                        const CheckpointAbout& about,
                        const std::function<Fit(const RunContext& run)>& fit);

}  // namespace gssl::tool
