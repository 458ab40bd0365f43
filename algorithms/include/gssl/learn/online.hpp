#pragma once
// The contract of an online learner: receive an instance, predict, see the outcome, update; one
// trial after another, in memory that does not grow with the number of trials.
//
//   auto made = gssl::builtin_learners().make("perceptron");
//   auto session = made.online().start({.width = 3, .class_names = {"-1", "+1"}}, run);
//   double predicted = session->predict({.values = row});     // a class number
//   double loss = session->update({.value = 1});
//   gssl::OnlineReport report = session->report();            // mistakes beside the proved bound
//
// What an instance holds and what predict() returns, by kind:
//   row       a feature row, `values` dense or with `columns` sparse → class number, or a real
//   advice    one prediction of each expert in `values`               → a real (or class number)
//   losses    nothing; the outcome is the loss of every action        → the action drawn
//   vertex    `first`: a vertex of setting.graph                       → class number
//   task_row  `first`: a task; `values`: one prediction of each expert → class number
//   cell      `first`: a row, `second`: a column of a matrix           → class number, or a real
//   arm       nothing; the outcome is the loss of the arm pulled       → the arm
// Every session must
//   - change nothing on a trial whose outcome never comes (predict() again without update());
//   - count every update() in report(): trials, mistakes (of classes), the cumulative loss;
//   - give the bound that is proved for exactly this run, or none: measured loss ≤ bound always for
//     a deterministic learner, in expectation for one that draws;
//   - after save() and resume() go on with the same bits as the undisturbed session.
// Some bounds speak of a comparator that is known only when the stream ends: the trials are then
// shown once more, to a SecondLook, whose memory does not grow with their number (switching-kernel
// keeps up to 3,000 rows, kernel-perceptron those that it has added):
//
//   if (auto look = session->second_look()) {
//     for (…) look->see({.values = row}, {.value = 1}, 1);
//     look->prove(report);                                   // comparator, bound
//   }
// tests/algorithms/test_online_contract.cpp holds every registered learner to it.

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gssl/core/named.hpp"
#include "gssl/core/report.hpp"
#include "gssl/core/run_context.hpp"
#include "gssl/data/record.hpp"
#include "gssl/graph/graph.hpp"
#include "gssl/learn/inductive.hpp"

namespace gssl {

enum class InstanceKind { row, advice, losses, vertex, task_row, cell, arm };
template <>
inline constexpr auto names_of<InstanceKind> = enum_names<InstanceKind>(
    "instance", {"row", "advice", "losses", "vertex", "task-row", "cell", "arm"});
std::string_view to_string(
    InstanceKind kind);  // "row", "advice", "losses", "vertex", "task-row", …

struct Instance {
  std::span<const double> values = {};
  std::span<const std::int32_t> columns = {};  // of `values`, ascending; empty: values are dense
  std::int64_t first = -1;
  std::int64_t second = -1;
};

struct Revealed {
  double value = 0.0;                   // class number, real target, or loss of the arm pulled
  std::span<const double> losses = {};  // kind losses: one for each action
};

// What is known before the first trial.
struct OnlineSetting {
  std::int64_t width = 0;   // columns, experts, actions or arms; of a matrix its rows. 0: not known
  std::int64_t width2 = 0;  // columns of a matrix; 0: not known
  std::vector<std::string> class_names = {};  // empty: real outcomes
  std::shared_ptr<const Graph> graph = {};    // kind vertex; for others a graph of the items
  std::int64_t horizon = 0;                   // trials to come; 0: not known
};

struct OnlineBound {
  double value = 0.0;
  std::string name;
};

struct OnlineReport {
  std::int64_t trials = 0;    // with an outcome
  std::int64_t mistakes = 0;  // of class predictions
  double loss = 0.0;          // cumulative, of the kind the learner is about
  std::string loss_name;      // "mistakes", "square loss", …
  // Loss of the best comparator of the class that the bound speaks of, and what that is.
  std::optional<double> comparator;
  std::string comparator_name;
  // What the loss of exactly this run is proved not to exceed, and by which theorem; no value and a
  // name that says why where there is none.
  std::optional<double> bound;
  std::string bound_name;
  bool bound_in_expectation = false;  // of a learner that draws at random
  // Where several theorems apply: all of them, `bound` the smallest. Empty: `bound` alone.
  std::vector<OnlineBound> bounds;
  std::vector<Certificate> certificates;
  std::vector<std::string> warnings;

  std::optional<double> regret() const {
    return comparator ? std::optional(loss - *comparator) : std::nullopt;
  }
  // One of several bounds; it becomes `bound` where that has no value or a larger one.
  void add_bound(double value, const std::string& name);
};

// Fixed comparators, scored on the trials of a run that is over.
class SecondLook {
 public:
  virtual ~SecondLook() = default;

  // A trial of the run that had an outcome, in any order; `times`: how often the run had it. Throws
  // ErrorCode::bad_data on one that does not fit the run.
  virtual void see(const Instance& instance, const Revealed& outcome, std::int64_t times) = 0;
  // Adds the best of the bounds that the comparators prove to the report of the run, with its
  // comparator. Throws ErrorCode::usage unless all trials of the report were seen.
  virtual void prove(OnlineReport& report) const = 0;
};

class OnlineSession {
 public:
  virtual ~OnlineSession() = default;

  // Throws ErrorCode::bad_data where the instance does not fit the setting.
  virtual double predict(const Instance& instance) = 0;
  // The outcome of what was predicted last; returns the loss of this trial. Throws
  // ErrorCode::bad_data on an outcome out of range, and ErrorCode::usage before any predict().
  virtual double update(const Revealed& outcome) = 0;

  virtual OnlineReport report() const = 0;
  virtual void save(Record& record) const = 0;

  // For the run up to now; outlives the session. nullptr where report() has all that is provable.
  virtual std::unique_ptr<SecondLook> second_look() const { return nullptr; }

  // What was learned so far as a model for new rows; nullptr where there is none of this kind.
  virtual std::unique_ptr<Model> model() const { return nullptr; }
};

class OnlineLearner {
 public:
  virtual ~OnlineLearner() = default;

  virtual InstanceKind instance_kind() const = 0;
  // Throws ErrorCode::usage where the setting lacks what the learner needs (a graph, a width),
  // naming it.
  virtual std::unique_ptr<OnlineSession> start(const OnlineSetting& setting,
                                               const RunContext& run = {}) const = 0;
  // From what a session of this learner, with these options, saved; `setting` needs only the graph.
  virtual std::unique_ptr<OnlineSession> resume(const OnlineSetting& setting, const Record& record,
                                                const RunContext& run = {}) const = 0;
};

}  // namespace gssl
