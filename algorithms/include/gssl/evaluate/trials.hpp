#pragma once
// Which rows are learned from and which are measured: the trials of an evaluation.
//
//   std::vector<gssl::Trial> a = gssl::label_rate_trials(truth, {1, 2, 5}, 20, run);
//   std::vector<gssl::Trial> b = gssl::fold_trials(truth, 10, 1, run);
//   std::vector<gssl::Trial> c = gssl::share_trials(truth, {.training = 0.6, .test = 0.4}, 20, run);
//
// Rows are places in `truth`. Trial t draws from stream t of the run, and so is the same whatever
// other trials there are before it was asked for.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "gssl/core/run_context.hpp"
#include "gssl/data/dataset.hpp"

namespace gssl {

struct Trial {
  std::string group = {};  // trials of one group are averaged: "1", "2" labels a class, or "folds"
  Split split = {};
  // Rows to choose options on; empty: folds of the training part are.
  std::vector<std::int32_t> validation = {};
};

enum class Protocol {
  label_rates,  // few labels, drawn anew each time: trials are independent
  folds,        // test parts that together are all rows; training parts overlap
  shares,       // random parts; training parts overlap
  splits        // written down elsewhere; training parts may overlap
};

// `repeats` trials for each number of labels a class, the rest of the rows measured. Throws
// ErrorCode::usage without rates or repeats, ErrorCode::bad_data where a class has too few rows.
std::vector<Trial> label_rate_trials(const Targets& truth,
                                     std::span<const std::int64_t> labels_per_class, int repeats,
                                     const RunContext& run = {});

// Stratified folds, `repeats` times. Throws ErrorCode::usage unless 2 ≤ folds ≤ rows, repeats ≥ 1.
std::vector<Trial> fold_trials(const Targets& truth, int folds, int repeats,
                               const RunContext& run = {});

// As many trials as rows, each measured on one. Throws ErrorCode::bad_data for fewer than two rows.
std::vector<Trial> leave_one_out_trials(const Targets& truth);

struct Shares {
  double training = 0.0;
  double validation = 0.0;
  double test = 0.0;
};

// `repeats` random parts, each class shared out alike. Throws ErrorCode::usage unless shares are
// ≥ 0 with sum at most 1 (+1e-9) and training and test more than 0; ErrorCode::bad_data where a part
// gets no row.
std::vector<Trial> share_trials(const Targets& truth, const Shares& shares, int repeats,
                                const RunContext& run = {});

}  // namespace gssl
