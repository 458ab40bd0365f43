#pragma once
// The contract of an inductive learner: rows with targets in, a model out that answers for any rows
// of the same columns.
//
//   auto made = gssl::builtin_learners().make("nearest-mean");
//   gssl::Trained trained = made.inductive().fit(data, run);
//   gssl::Block scores = trained.model->scores(points, run);     // a column for each class
//
// `fit` is const and returns what it learned. Every learner must
//   - return a model with a score for each class of data.targets.class_names(), in that order, or
//     one column for a regression; finite for all finite rows, or throw;
//   - treat a row of weight w as w copies of the row, and a row of weight 0 as absent;
//   - not need every class to have a row (a fold may lack one): such a class is never decided for;
//   - never depend on the thread count, nor on anything but data, options and run.seed;
//   - when it is stopped, return the model so far, and report.outcome says why; or throw
//     ErrorCode::cancelled or ErrorCode::time_limit where half of the work is no model.
// A model must give, after save() and load, the scores it gave before, to the byte.
// tests/algorithms/test_inductive_contract.cpp holds every registered learner to it.

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "gssl/core/block.hpp"
#include "gssl/core/report.hpp"
#include "gssl/core/run_context.hpp"
#include "gssl/data/dataset.hpp"
#include "gssl/data/points.hpp"
#include "gssl/data/record.hpp"
#include "gssl/learn/model_part.hpp"

namespace gssl {

// What a score says beside its order.
enum class ScoreKind {
  decision,     // any real: a margin, a negative distance; the larger, the surer
  shares,       // ≥ 0, of sum 1: votes, frequencies; not calibrated
  probability,  // shares that are meant as probabilities
  value         // of a regression
};

class Model {
 public:
  virtual ~Model() = default;

  // n×K, or n×1 for a regression. A two-class margin m is the row (−m, m) or (m, −m), so that the
  // class of the larger score is the one decided for; on a tie the first. Throws
  // ErrorCode::bad_data unless the points have the columns that were learned from.
  virtual Block scores(const Points& points, const RunContext& run = {}) const = 0;
  virtual ScoreKind score_kind() const = 0;

  // What there is to know of it, one line each: {"support vectors", "132"}.
  virtual std::vector<std::pair<std::string, std::string>> facts() const { return {}; }

  // What it has learned, to be read by people; the columns and classes are those it was learned
  // from, in that order. Must not outlive the model.
  virtual std::vector<ModelPart> parts(const ModelNames&) const { return {}; }

  // Everything that `load_model` of its registry entry needs to make it again.
  virtual void save(Record& record) const = 0;
};

struct Trained {
  std::unique_ptr<Model> model;
  Report report;
};

class InductiveLearner {
 public:
  virtual ~InductiveLearner() = default;

  // Throws ErrorCode::usage if the targets are reals (classes) and the learner cannot do regression
  // (classification), ErrorCode::bad_data where nothing can be learned from such data, saying why.
  virtual Trained fit(const Dataset& data, const RunContext& run = {}) const = 0;

  // Whether rows are strings of symbols (ColumnEncoding spells words for it).
  virtual bool reads_strings() const { return false; }
};

// Column of the largest score of each row, the lowest on a tie; −1 for a regression.
std::vector<int> decide(const Block& scores, ScoreKind kind);
// In [0, 1]: of shares and probabilities the largest; of decisions m/(1+m) for the difference m of
// the two best, which orders rows and is no probability; 1 for a regression.
std::vector<double> confidence(const Block& scores, ScoreKind kind);

// Throws ErrorCode::bad_data "NAME: 5 columns: the model was learned from 4" unless they agree.
void check_columns(std::string_view learner, const Points& points, std::int64_t columns);
// Throws what fit() promises about the kind of target; `learner` begins the message.
void check_targets(std::string_view learner, const Dataset& data, bool classification,
                   bool regression);

}  // namespace gssl
