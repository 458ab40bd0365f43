#pragma once
// --warm-start, --changes and --flips of `gssl label`: a graph that has changed since its scores
// were found.
//
//   check_warm_start(options, learner, from_points);                 // before anything is read
//   const ChangeFile changes = change_graph(session, options, file); // edges and vertices
//   labeled = with_label_changes(labeled, changes, file.names);
//   EarlierScores before = read_previous(session, options, learner, file.names, labeled);
//   Fit fit = fit_from_previous(session, learner, graph, labeled, before, run);
//   report_changes(session, options, before, fit, names);

#include <CLI/App.hpp>
#include <string>

#include "graph_input.hpp"
#include "gssl/io/change_reader.hpp"
#include "gssl/io/output_file.hpp"
#include "gssl/transductive/warm_start.hpp"
#include "session.hpp"

namespace gssl::tool {

struct WarmStartOptions {
  std::string scores;   // a scores file, or a checkpoint that ended; empty: begins from nothing
  std::string changes;  // of the graph and the labels; empty: none
  std::string flips;    // where to list the labels that changed; empty: nowhere
};

void add_warm_start_options(CLI::App& verb, WarmStartOptions& options);

// Throws ErrorCode::usage where the learner cannot begin from scores.
void check_warm_start(const WarmStartOptions& options, const MadeLearner& learner,
                      bool from_points);

// Reads --changes and makes the graph the changed one; nothing without it.
ChangeFile change_graph(Session& session, const WarmStartOptions& options, GraphFile& file);

// Scores from before, and the same numbers once more, with a row for each vertex of today, which a fit
// may change into its own: no rows where they are to be copied for it.
struct EarlierScores : PreviousScores {
  Block again;
};

EarlierScores read_previous(Session& session, const WarmStartOptions& options,
                            const MadeLearner& learner, const VertexNames& names,
                            const LabeledSet& labeled);

// What tells these scores from others, for a checkpoint.
std::string scores_fact(const PreviousScores& before);

// How it was solved goes into the summary. Takes `again`. Precondition: check_warm_start() accepted
// the learner.
Fit fit_from_previous(Session& session, const MadeLearner& learner, const Graph& graph,
                      const LabeledSet& labeled, EarlierScores& before, const RunContext& run);

// Who changed and by how much, to a person, to the summary, and to `flips` if there is one.
void report_changes(Session& session, const PreviousScores& before, const Fit& fit,
                    const VertexNames& names, OutputFile* flips);

}  // namespace gssl::tool
