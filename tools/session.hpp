#pragma once
// One run of one verb: the context the library works in, the summary, the messages, the clock.
//
//   Session session("label", arguments, common);
//   session.prepare({graph, labels}, {common.output});    // path rules, plug-ins, summary check
//   auto file = session.timed("read", [&] { return read_graph(path, options, session.run); });
//   session.warn("3 vertices unreached");
//   session.finish(0, "complete");

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "command_line.hpp"
#include "gssl/core/machine.hpp"
#include "gssl/core/run_context.hpp"
#include "gssl/core/stopwatch.hpp"
#include "gssl/io/summary.hpp"
#include "gssl/learn/registry.hpp"
#include "progress_line.hpp"

namespace gssl::tool {

class Session {
 public:
  Session(std::string command, const std::vector<std::string>& arguments,
          const CommonOptions& common);

  const std::string& command() const { return command_; }
  const CommonOptions& options() const { return common_; }

  // Call first. Throws ErrorCode::usage if two inputs are standard input, an output is an input or
  // two outputs are one file, and ErrorCode::cannot_create if the summary may not be written. Loads
  // the plug-ins. Empty paths stand for files not asked for.
  void prepare(const std::vector<std::string>& inputs, const std::vector<std::string>& outputs);

  // Call before the first parallel region: fewer threads are used, and warned of, where the system
  // starts fewer.
  void start_threads();

  // Call when what is worked on is in memory: what is left below the limit becomes
  // run.memory_limit.
  void take_room();
  const MemoryLimit& memory() const { return memory_; }
  // "needs …; --max-memory allows 900M, and 1.4G would do": what a refusal says to a person.
  std::string refusal(const MemoryError& error) const;

  // Call before the first is read. Throws ErrorCode::cannot_open if one of the inputs cannot be.
  void check_inputs() const;

  // Adds the seconds that `work` takes to `phase`: read, build, setup, solve or write.
  template <class Work>
  auto timed(const char* phase, Work&& work) {
    const PhaseClock clock(*this, phase);
    return work();
  }
  void add_seconds(std::string_view phase, double seconds);
  double seconds() const;  // since the start

  // Throws ErrorCode::cancelled once a signal has asked us to stop.
  void check_cancelled() const;

  void say(std::string_view text);      // to standard error unless --quiet
  void warn(const std::string& text);   // the same, and into the summary
  void error(const std::string& text);  // to standard error always, and into the summary

  // Completes and writes the summary; `outcome` is complete, incomplete, failed or cancelled.
  // Returns the exit status, which a summary that cannot be written turns from success to failure.
  int finish(int status, const char* outcome);

  // Seconds, solver and certificates of a run into the summary. Throws ErrorCode::cancelled if a
  // signal stopped it.
  void record_report(const Report& report);

  void say_time();  // the last line: seed, threads and seconds

  // The graph's sizes and what reading dropped or merged, into the summary and as one line of text.
  std::string record_graph(const GraphFile& file);
  std::string record_sizes(const InputStats& stats, VertexId vertices, EdgeIndex edges);

  LearnerRegistry registry;
  RunContext run;
  Summary summary;
  std::string unnamed_graph;  // path, where vertices are called 1, 2, … by their place

 private:
  // Adds the seconds of its life to a phase, also when the work throws.
  class PhaseClock {
   public:
    PhaseClock(Session& session, const char* phase) : session_(session), phase_(phase) {}
    ~PhaseClock() { session_.add_seconds(phase_, watch_.seconds()); }
    PhaseClock(const PhaseClock&) = delete;
    PhaseClock& operator=(const PhaseClock&) = delete;

   private:
    Session& session_;
    const char* phase_;
    Stopwatch watch_;
  };

  std::string name() const;  // "gssl label", which messages start with

  std::string command_;
  const CommonOptions& common_;
  Stopwatch watch_;
  MemoryLimit memory_;
  std::size_t held_ = 0;  // bytes, when take_room() was called last
  struct Phase {
    const char* name;
    double seconds;
  };
  // All are there from the start, so that the summary always has them and a clock never allocates.
  std::array<Phase, 5> phases_{
      {{"read", 0.0}, {"build", 0.0}, {"setup", 0.0}, {"solve", 0.0}, {"write", 0.0}}};
  std::vector<std::string> inputs_;
  std::vector<std::string> warnings_;
  ProgressLine progress_;
  bool summary_checked_ = false;
};

}  // namespace gssl::tool
