#include "checkpointed_fit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>
#include <utility>

#include "gssl/core/error.hpp"
#include "gssl/core/number_text.hpp"
#include "gssl/core/parallel.hpp"
#include "gssl/io/output_file.hpp"
#include "gssl/io/record_file.hpp"
#include "gssl/learn/fit_record.hpp"

namespace gssl::tool {
namespace {

// Those whose steps are kept: others would begin anew.
constexpr std::array<std::string_view, 5> learners = {"auto", "harmonic", "label-propagation",
                                                      "local-global", "poisson"};

// A run that was told to stop writes only what takes less.
constexpr double most_seconds_at_stop = 0.8;

// What the plan of a run follows where memory is short. A run that goes on takes the same, or as much
// as there is now where that is less.
constexpr const char* memory_fact = "memory";

CheckpointAbout with_memory(CheckpointAbout about, std::size_t limit) {
  about.add(memory_fact, std::to_string(limit));
  return about;
}

std::size_t limit_as_before(const CheckpointAbout& before, std::size_t now) {
  constexpr double about_as_much = 1.02;  // the system holds a few pages more or fewer
  const auto limit = parse_number<std::size_t>(before.of(memory_fact));
  if (!limit || now == 0) return now;
  return static_cast<double>(*limit) <= about_as_much * static_cast<double>(now) ? *limit : now;
}

std::string hex(const Fingerprint& print) { return fmt::format("{:016x}", print.value()); }

void warn_of_trouble(Session& session, const Checkpoint& checkpoint) {
  if (!checkpoint.trouble().empty())
    session.warn(fmt::format("--checkpoint: {}; the one before is kept", checkpoint.trouble()));
}

void restore(Session& session, const CheckpointOptions& options, const Record& steps,
             Checkpoint& checkpoint) {
  try {
    checkpoint.restore(steps);
  } catch (const Error& error) {
    throw Error(ErrorCode::bad_data, options.file + ": " + error.what());
  }
  session.say(fmt::format("resumes {}", options.file));
}

// The answer is told all the same.
void keep_answer(Session& session, const std::string& file, const CheckpointAbout& about,
                 const Fit& found) {
  try {
    write_result(file, about, to_record(found));
  } catch (const Error& error) {
    session.warn(fmt::format("--checkpoint: {}; the one before is kept", error.what()));
  }
}

}  // namespace

// Names are hashed in pieces of 64 KB and what ends the last name of each.
std::string names_fact(const VertexNames& names, VertexId count, int threads) {
  constexpr std::size_t piece = std::size_t{1} << 16;
  Fingerprint print;
  std::string pending;
  std::array<std::string, 16> texts;  // of as many blocks of names
  constexpr std::int64_t at_once = std::ssize(texts) * parallel_block;
  for (std::int64_t first = 0; first < count; first += at_once) {
    parallel_blocks(std::min(at_once, count - first), threads,
                    [&](std::int64_t begin, std::int64_t end) {
                      std::string text;
                      for (std::int64_t v = first + begin; v < first + end; ++v) {
                        names.append_name(static_cast<VertexId>(v), text);
                        text += '\n';
                      }
                      texts[static_cast<std::size_t>(begin / parallel_block)] = std::move(text);
                    });
    for (std::string& text : texts) pending += std::exchange(text, {});
    std::string_view left = pending;
    for (std::size_t end; (end = left.find('\n', piece - 1)) != std::string_view::npos;) {
      print.add(left.substr(0, end + 1));
      left.remove_prefix(end + 1);
    }
    pending = std::string(left);
  }
  if (!pending.empty()) print.add(pending);
  return hex(print);
}

void add_checkpoint_options(CLI::App& verb, CheckpointOptions& options) {
  const std::string group = "Long runs";
  CLI::Option* file =
      verb.add_option("--checkpoint", options.file,
                      "keep what is done in this file, also on SIGTERM; it holds the answer at the "
                      "end")
          ->type_name("FILE")
          ->group(group);
  verb.add_option("--checkpoint-every", options.every, "how often: 90s, 10m, 2h")
      ->type_name("TIME")
      ->default_str("10m")
      ->transform(CLI::Validator(time_error, ""))
      ->needs(file)
      ->group(group);
  verb.add_flag("--resume", options.resume, "go on from that file, if it is there")
      ->needs(file)
      ->group(group);
}

void check_checkpoint_options(const CheckpointOptions& options, const MadeLearner& learner) {
  if (options.file.empty()) return;
  if (std::ranges::find(learners, learner.entry->name) == learners.end())
    throw Error(ErrorCode::usage,
                fmt::format("--checkpoint: {} does not keep its state; use one of {}",
                            learner.entry->name, fmt::join(learners, ", ")));
  // Not ten minutes later, when it is first written. With --resume, reading it says what is wrong.
  const std::string& file = options.file;
  std::error_code unknown;
  const bool is_file = std::filesystem::is_regular_file(file, unknown);
  if (!options.resume && is_file && std::filesystem::file_size(file, unknown) > 0 &&
      !is_record_file(file))
    throw Error(
        ErrorCode::cannot_create,
        fmt::format("--checkpoint: {}: exists and is no checkpoint; name another file", file));
  if (is_file || !std::filesystem::exists(file, unknown)) OutputFile may_be_created(file);
}

CheckpointAbout about_run(const Session& session, const MadeLearner& learner, const Graph& graph,
                          const VertexNames& names, const LabeledSet& labeled, bool scores_wanted) {
  CheckpointAbout about;
  about.add("gssl", GSSL_VERSION);
  about.add("method", learner.spec);
  about.add("seed", std::to_string(session.run.seed));
  about.add("graph",
            fmt::format("{} vertices, {} edges, {}", graph.vertex_count(), graph.edge_count(),
                        hex(Fingerprint()
                                .add(graph.offset_array())
                                .add(graph.neighbor_array())
                                .add(graph.weight_array()))));
  about.add("names", names_fact(names, names.size(), session.run.thread_count()));
  Fingerprint labels;
  labels.add(std::span(labeled.vertices())).add(std::span(labeled.class_of()));
  labels.add(std::span(labeled.target_of()));
  for (const std::string& name : labeled.class_names()) labels.add(name);
  about.add("labels", fmt::format("{} of {} classes, {}", labeled.size(), labeled.class_count(),
                                  hex(labels)));
  about.add("scores", scores_wanted ? "kept" : "not kept");
  return about;
}

Fit fit_with_checkpoint(Session& session, const CheckpointOptions& options,
                        const CheckpointAbout& about,
                        const std::function<Fit(const RunContext& run)>& fit) {
  if (options.file.empty()) return fit(session.run);
  RunContext run = session.run;
  std::optional<Record> steps;
  if (options.resume) remove_stale_temporaries(options.file);
  if (options.resume && std::filesystem::exists(options.file)) {
    CheckpointFile file = read_checkpoint(options.file, session.run.memory_limit);
    if (const std::string other = file.about.difference(about); !other.empty())
      throw Error(ErrorCode::bad_data,
                  fmt::format("{}: is of another run: {}; leave --resume out to begin anew",
                              options.file, other));
    session.summary.set("resumed", true);
    if (file.result) {
      session.say(fmt::format("{} holds the answer", options.file));
      return fit_from(std::move(*file.result));
    }
    run.memory_limit = limit_as_before(file.about, run.memory_limit);
    steps = std::move(file.steps);
  }
  const CheckpointAbout kept_about = with_memory(about, run.memory_limit);
  Checkpoint checkpoint(options.every, checkpoint_writer(options.file, kept_about));
  if (steps) restore(session, options, *steps, checkpoint);
  run.checkpoint = &checkpoint;
  const auto write_what_is_done = [&](bool at_once) {
    const bool done =
        checkpoint.write(at_once ? std::optional(most_seconds_at_stop) : std::optional<double>());
    if (done && !std::filesystem::exists(options.file))
      session.say(fmt::format("{}: nothing is done yet that could be kept", options.file));
    else if (done)
      session.say(fmt::format("{} keeps what is done: --resume goes on", options.file));
    else if (checkpoint.trouble().empty())
      session.warn(
          fmt::format("--checkpoint: writing {:.1f} GB takes too long to stop now; the "
                      "one before is kept",
                      1e-9 * static_cast<double>(checkpoint.bytes())));
  };
  try {
    Fit found = fit(run);
    const Outcome outcome = found.report.outcome;
    if (ended_by_run(outcome))
      write_what_is_done(outcome == Outcome::cancelled);
    else
      keep_answer(session, options.file, kept_about, found);
    if (!checkpoint.parted().empty())
      session.warn(
          fmt::format("--resume: the run took another way than before ({}): it began "
                      "anew from there",
                      checkpoint.parted()));
    session.summary.set("checkpoint.writes", checkpoint.writes());
    warn_of_trouble(session, checkpoint);
    return found;
  } catch (const Error& error) {
    if (const std::optional<Outcome> why = stop_of(error))
      write_what_is_done(*why == Outcome::cancelled);
    throw;
  }
}

}  // namespace gssl::tool
