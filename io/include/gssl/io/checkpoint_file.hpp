#pragma once
// The file of a checkpoint: what a long run has done, and of which run it is.
//
//   CheckpointAbout about = …;                          // of the run that begins
//   Checkpoint checkpoint(600.0, checkpoint_writer("job.ckpt", about));
//   CheckpointFile file = read_checkpoint("job.ckpt");
//   if (const std::string why = file.about.difference(about); !why.empty()) …   // another run
//   if (file.result) …                                  // it had ended
//   checkpoint.restore(file.steps);
//   …
//   write_result("job.ckpt", about, to_record(fit));
//
// A record file of kind "checkpoint" (record_file.hpp): it appears whole or not at all, and the one
// before stays where that fails. Reading refuses what record files refuse.

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gssl/data/checkpoint.hpp"
#include "gssl/io/record_file.hpp"

namespace gssl {

// What makes a run that run, as name and value: "method" "harmonic", "graph" "5 vertices, …".
struct CheckpointAbout {
  std::vector<std::pair<std::string, std::string>> facts;

  void add(std::string name, std::string value) {
    facts.emplace_back(std::move(name), std::move(value));
  }
  // "method: harmonic; this run has poisson" for the first fact that differs; empty: none does.
  std::string difference(const CheckpointAbout& run) const;
  // The value of a fact, empty if there is none.
  std::string of(std::string_view name) const;
};

struct CheckpointFile {
  CheckpointAbout about;
  Record steps;                  // for Checkpoint::restore()
  std::optional<Record> result;  // of a run that had ended
};

// What a later run begins with: the scores of a run that had ended, in the file (read_block_in_file).
struct CheckpointScores {
  CheckpointAbout about;
  std::vector<std::string> class_names;
  Block scores, again;  // no rows: it kept none
};

Checkpoint::Writer checkpoint_writer(std::string path, CheckpointAbout about);
// Throws ErrorCode::cannot_create and ErrorCode::io_failure.
void write_result(const std::string& path, const CheckpointAbout& about, const Record& result);

// Throws ErrorCode::cannot_open, ErrorCode::io_failure and ErrorCode::bad_data.
// `most_held` as in read_record().
CheckpointFile read_checkpoint(const std::string& path, std::size_t most_held = 0);
// Of which run a record of kind "checkpoint" is. Throws ErrorCode::bad_data.
CheckpointAbout checkpoint_about(const Record& record);
// Nothing where the run had not ended. Throws as read_checkpoint().
std::optional<CheckpointScores> read_checkpoint_scores(const std::string& path,
                                                       std::size_t most_held = 0, int threads = 1);

}  // namespace gssl
