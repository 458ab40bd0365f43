#include "session.hpp"

#include <fmt/format.h>

#include <cstdio>

#include "gssl/core/error.hpp"
#include "gssl/core/peak_memory.hpp"
#include "gssl/io/output_file.hpp"
#include "gssl/io/points_reader.hpp"
#include "paths.hpp"
#include "printable.hpp"
#include "remedy_words.hpp"
#include "signals.hpp"
#include "thread_limit.hpp"

// The program whose session it is; gssl-mpi has its own.
#ifndef GSSL_PROGRAM
#define GSSL_PROGRAM "gssl"
#endif

namespace gssl::tool {
namespace {

// fmt::print throws when standard error is closed; a lost message must not end the work.
void print_line(std::string_view text) {
  const std::string line = printable(text);
  std::fwrite(line.data(), 1, line.size(), stderr);
  std::fputc('\n', stderr);
}

}  // namespace

Session::Session(std::string command, const std::vector<std::string>& arguments,
                 const CommonOptions& common)
    : registry(builtin_learners()),
      command_(std::move(command)),
      common_(common),
      progress_(!common.quiet) {
  run.seed = common.seed;
  run.threads = common.threads;
  run.cancel = &cancel_flag();
  run.progress = progress_.sink();
  if (common.time_limit > 0.0) {
    run.deadline =
        RunContext::Clock::now() + std::chrono::duration_cast<RunContext::Clock::duration>(
                                       std::chrono::duration<double>(common.time_limit));
  }
  summary.set("command", command_);
  summary.set("version", GSSL_VERSION);
  summary.set("arguments", arguments);
  summary.set("seed", static_cast<std::int64_t>(run.seed));
  summary.set("threads", run.thread_count());
}

void Session::prepare(const std::vector<std::string>& inputs,
                      const std::vector<std::string>& outputs) {
  common_.columns_of_labels();  // throws before anything is read
  std::vector<std::string> all_outputs = outputs;
  all_outputs.push_back(common_.summary);
  all_outputs.push_back(common_.graph_output);
  inputs_.clear();
  for (const std::string& input : inputs) inputs_.push_back(points_file_path(input));
  check_paths(inputs_, all_outputs);
  if (!common_.summary.empty()) {
    const OutputFile trial(common_.summary);  // never committed: leaves nothing
    summary_checked_ = true;
  }
  for (const std::string& plugin : common_.plugins) registry.load_plugin(plugin);
}

void Session::start_threads() {
  const int wanted = run.thread_count();
  run.threads = tool::start_threads(wanted);
  // The stacks of the threads are address space by now.
  const std::size_t asked = common_.max_memory.empty() ? 0 : parse_bytes(common_.max_memory);
  memory_ = memory_limit(asked, {}, "--max-memory");
  summary.set("memory_limit_bytes", static_cast<std::int64_t>(memory_.bytes));
  summary.set("memory_limit_by", memory_.set_by);
  take_room();
  if (run.threads == wanted) return;
  summary.set("threads", run.threads);
  warn(
      fmt::format("only {} of {} threads could be started: the system allows no more processes or "
                  "memory",
                  run.threads, wanted));
}

void Session::take_room() {
  run.memory_limit = memory_room(memory_);
  held_ = held_memory().resident;
}

std::string Session::refusal(const MemoryError& error) const {
  // The system holds more or fewer pages of the program from one run to the next.
  constexpr double pages_of_files = 1e6;
  const double all = static_cast<double>(held_ + error.needed()) + pages_of_files;
  return fmt::format("{}; {} allows {}, and {} would do", error.what(), memory_.set_by,
                     bytes_text(memory_.wanted(static_cast<double>(memory_.bytes))),
                     bytes_text(memory_.wanted(all)));
}

void Session::check_inputs() const { check_readable(inputs_); }

void Session::add_seconds(std::string_view phase, double seconds) {
  for (Phase& known : phases_) {
    if (phase == known.name) known.seconds += seconds;
  }
}

double Session::seconds() const { return watch_.seconds(); }

void Session::check_cancelled() const {
  if (run.cancelled()) throw Error(ErrorCode::cancelled, "stopped by a signal");
}

std::string Session::name() const {
  return command_.empty() ? GSSL_PROGRAM : GSSL_PROGRAM " " + command_;
}

void Session::say(std::string_view text) {
  if (common_.quiet) return;
  progress_.clear();
  print_line(text);
}

void Session::warn(const std::string& text) {
  warnings_.push_back(text);
  say(name() + ": warning: " + text);
}

void Session::error(const std::string& text) {
  progress_.clear();
  summary.set("error", text);
  print_line(name() + ": " + text);
}

int Session::finish(int status, const char* outcome) {
  progress_.clear();
  if (!summary_checked_) return status;
  summary.set("outcome", outcome);
  for (const Phase& phase : phases_)
    summary.set(fmt::format("seconds.{}", phase.name), phase.seconds);
  summary.set("seconds.total", seconds());
  summary.set("peak_rss_bytes", peak_memory_bytes());
  summary.set("warnings", warnings_);
  summary.set("exit_status", status);
  try {
    summary.write(common_.summary);
  } catch (const Error& error) {
    print_line(name() + ": " + with_flags(error));
    if (status == 0) return exit_status(error.code());
  }
  return status;
}

void Session::record_report(const Report& report) {
  add_seconds("setup", report.setup_seconds);
  add_seconds("solve", report.solve_seconds);
  summary.add_solver(solve_report(report));
  for (const Certificate& certificate : report.certificates) summary.add_certificate(certificate);
  if (report.outcome == Outcome::cancelled) {
    throw Error(ErrorCode::cancelled, "stopped by a signal");
  }
}

void Session::say_time() {
  say(fmt::format("seed {}, {} threads, {:.2f} s", run.seed, run.thread_count(), seconds()));
}

std::string Session::record_graph(const GraphFile& file) {
  return record_sizes(file.stats, file.graph.vertex_count(), file.graph.edge_count());
}

std::string Session::record_sizes(const InputStats& stats, VertexId vertices, EdgeIndex edges) {
  summary.set("n", static_cast<std::int64_t>(vertices));
  summary.set("m", static_cast<std::int64_t>(edges));
  summary.set("edges_given", stats.edges_given);
  summary.set("self_loops_dropped", stats.self_loops_dropped);
  summary.set("duplicates_merged", stats.duplicates_merged);
  summary.set("reversed_merged", stats.reversed_merged);
  summary.set("opposite_differ", stats.opposite_differ);
  summary.set("zero_weights_dropped", stats.zero_weights_dropped);
  return fmt::format(
      "{} vertices, {} edges ({} given; dropped {} self-loops and {} zero weights; merged {} "
      "duplicates and {} reversed)",
      vertices, edges, stats.edges_given, stats.self_loops_dropped, stats.zero_weights_dropped,
      stats.duplicates_merged, stats.reversed_merged);
}

}  // namespace gssl::tool
