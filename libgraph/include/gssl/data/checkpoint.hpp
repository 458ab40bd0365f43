#pragma once
// The state of long work, kept now and then, so that a run that was ended goes on from there and
// comes to the bytes of one that was not.
//
// A run is a row of steps, and the same problem takes the same steps. A step says what it is given
// (its fingerprint), keeps its state while it works and its result when it is done. A run that goes
// on takes its steps again: those that are done return what they had, the one that was at work goes
// on from its state, and what lies between steps is computed again. A step may hold steps, and may
// have parts that work side by side.
//
//   Checkpoint checkpoint(600.0, [&](const Checkpoint& now) { write_checkpoint(path, now, about); });
//   run.checkpoint = &checkpoint;                           // and fit
//
//   CheckpointStep step(run.checkpoint, "propagation", fingerprint);      // inside the work
//   if (const Record* done = step.finished()) return result_of(*done);
//   if (const Record* state = step.state()) …               // go on from it
//   while (…) {
//     …
//     if (step.due()) step.save(state_now);
//   }
//   step.finish(result);
//
// Memory: a copy of the states and results that are kept. What is written is at most as old as the
// time between two writes, which is at least 20 times what a write takes.

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gssl/core/error.hpp"
#include "gssl/core/fingerprint.hpp"
#include "gssl/data/record.hpp"

namespace gssl {

class Checkpoint {
 public:
  using Clock = std::chrono::steady_clock;
  // Stores all of it, or throws Error; the work goes on then, and trouble() says why.
  using Writer = std::function<void(const Checkpoint&)>;

  // `every`: seconds between two writes, ≥ 0. A null writer keeps all in memory.
  Checkpoint(double every, Writer writer);
  ~Checkpoint();
  Checkpoint(const Checkpoint&) = delete;
  Checkpoint& operator=(const Checkpoint&) = delete;

  // Takes what to_values() of an earlier run gave, before any step. Throws ErrorCode::bad_data where
  // that cannot have been.
  void restore(const Record& record);

  // Everything that is kept, by name; valid until the next step or save.
  struct NamedValue {
    std::string name;
    const Record::Value* value;
  };
  std::vector<NamedValue> to_values() const;
  std::int64_t bytes() const;

  // Writes now if there is something new. With a limit in seconds, only if a write is expected to
  // take no longer; false if it would, or failed.
  bool write(std::optional<double> most_seconds = std::nullopt);

  std::int64_t writes() const { return writes_; }
  // Why the last write failed; empty: it did not.
  const std::string& trouble() const { return trouble_; }
  // Kind of the first step that was not the one of the earlier run: from there on nothing was taken
  // from it. Empty: all steps were the same.
  const std::string& parted() const { return parted_; }

 private:
  friend class CheckpointStep;
  struct Part;
  struct Node;

  Node* begin(std::string_view kind, std::uint64_t fingerprint, std::size_t parts);
  void end(Node* node);
  static void keep_state(Node& node);
  bool due(const Part& part) const;
  bool all_saved() const;
  void save(Part& part, Record record, bool finished);
  void write_all();
  void take_provided();
  void drop_provided();
  bool time_to_write() const;
  void wait(double seconds);

  double every_;
  Writer writer_;
  mutable std::mutex mutex_;
  std::unique_ptr<Node> root_;
  std::vector<Node*> open_;  // steps that have begun, outermost first
  std::unique_ptr<Record> outline_;
  std::atomic<std::int64_t> next_{0};  // nanoseconds of the clock at which all is to be written
  std::int64_t writes_ = 0;
  bool news_ = false;
  double last_seconds_ = 0.0;
  std::int64_t last_bytes_ = 0;
  std::string trouble_;
  std::string parted_;
};

// A step of the run, from its construction to its end; steps end in the reverse of their order. With
// a null checkpoint nothing is kept. Steps begin and end on one thread; save, finish and due of
// different parts may be called at the same time.
class CheckpointStep {
 public:
  CheckpointStep(Checkpoint* checkpoint, std::string_view kind, std::uint64_t fingerprint,
                 std::size_t parts = 1);
  ~CheckpointStep();
  CheckpointStep(const CheckpointStep&) = delete;
  CheckpointStep& operator=(const CheckpointStep&) = delete;

  bool kept() const { return node_ != nullptr; }

  // What an earlier run left of a part: its result, or its state. Null: nothing.
  const Record* finished(std::size_t part = 0) const;
  // A part that saves must ask once, when it begins.
  const Record* state(std::size_t part = 0);

  // Whether it is time to save.
  bool due(std::size_t part = 0) const;
  void save(Record record, std::size_t part = 0);
  // The result. Steps within this one are forgotten.
  void finish(Record record, std::size_t part = 0);

  // For a step that holds steps: where its state comes from when it is written, and that what came
  // out of the steps in it is now in that state, but for the first `keep` of them.
  void state_from(std::function<Record()> state);
  // Keeps that state as it is now, whatever comes after.
  void keep_state();
  std::size_t inner_steps() const;
  void passed(std::size_t keep);

 private:
  Checkpoint* checkpoint_;
  Checkpoint::Node* node_ = nullptr;
};

}  // namespace gssl
