// gssl complete: the unknown cells of a matrix from those that are known.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <unordered_set>

#include "estimate.hpp"
#include "gssl/complete/completion.hpp"
#include "gssl/core/error.hpp"
#include "gssl/core/index.hpp"
#include "gssl/core/parallel.hpp"
#include "gssl/io/cell_reader.hpp"
#include "session.hpp"

namespace gssl::tool {
namespace {

// Cells that are written without being asked for one by one.
constexpr std::int64_t most_unasked = 20'000'000;

struct CompleteCommand {
  std::string cells;
  std::string method = "als";
  std::string ask;
  std::int64_t top = 0;
  double holdout = 0.0;
};

std::vector<std::vector<VertexId>> known_columns(const Cells& cells) {
  std::vector<std::vector<VertexId>> known(static_cast<std::size_t>(cells.rows));
  for (std::size_t i = 0; i < cells.value.size(); ++i)
    known[static_cast<std::size_t>(cells.row[i])].push_back(cells.column[i]);
  for (std::vector<VertexId>& row : known) std::ranges::sort(row);
  return known;
}

class CellWriter {
 public:
  CellWriter(Session& session, OutputFile& out, const CellFile& names, const Completion& fit)
      : session_(session),
        names_(names),
        fit_(fit),
        table_(out, session.options().table_format(), {"row", "column", "value"}) {}

  void write(VertexId row, VertexId column) {
    if (written_++ % 65536 == 0) session_.check_cancelled();
    table_.text(names_.rows.name(row));
    table_.text(names_.columns.name(column));
    table_.number(fit_.value(row, column));
    table_.end_row();
  }

  // The unknown cells of every row: all in order of column, or the `top` largest.
  void write_rows(const std::vector<std::vector<VertexId>>& known, std::int64_t top) {
    constexpr std::int64_t rows_at_once = 1024, rows_a_thread = 16;
    const std::int64_t rows = std::ssize(known);
    std::vector<std::vector<VertexId>> chosen;
    for (std::int64_t begin = 0; begin < rows; begin += rows_at_once) {
      session_.check_cancelled();
      chosen.assign(index(std::min(rows_at_once, rows - begin)), {});
      parallel_blocks(
          std::ssize(chosen), session_.run.thread_count(),
          [&](std::int64_t first, std::int64_t last) {
            for (std::int64_t i = first; i < last; ++i)
              chosen[index(i)] = unknown_cells(begin + i, known[index(begin + i)], top);
          },
          rows_a_thread);
      for (std::int64_t i = 0; i < std::ssize(chosen); ++i)
        for (const VertexId column : chosen[index(i)])
          write(static_cast<VertexId>(begin + i), column);
    }
  }

  std::int64_t written() const { return written_; }

 private:
  // Of a row; `known` is ascending.
  std::vector<VertexId> unknown_cells(std::int64_t row, const std::vector<VertexId>& known,
                                      std::int64_t top) const {
    std::vector<VertexId> columns;
    columns.reserve(index(names_.columns.size()) - known.size());
    auto next = known.begin();
    for (VertexId c = 0; c < names_.columns.size(); ++c) {
      if (next != known.end() && *next == c)
        ++next;
      else
        columns.push_back(c);
    }
    if (top == 0) return columns;
    std::vector<std::pair<double, VertexId>> largest;
    largest.reserve(columns.size());
    for (const VertexId c : columns) largest.emplace_back(-fit_.value(row, c), c);
    const std::int64_t count = std::min(top, std::ssize(largest));
    std::ranges::partial_sort(largest, largest.begin() + count);
    columns.resize(index(count));
    for (std::size_t i = 0; i < columns.size(); ++i) columns[i] = largest[i].second;
    return columns;
  }

  Session& session_;
  const CellFile& names_;
  const Completion& fit_;
  TableWriter table_;
  std::int64_t written_ = 0;
};

// Of each lambda; the names begin with `which`.
void record_path(Session& session, const std::string& which, const std::vector<PathPoint>& path) {
  const auto record = [&](const char* name, auto&& value) {
    std::vector<double> values;
    values.reserve(path.size());
    for (const PathPoint& point : path) values.push_back(value(point));
    session.summary.set(which + name, values);
  };
  record("lambda", [](const PathPoint& p) { return p.lambda; });
  record("rank", [](const PathPoint& p) { return static_cast<double>(p.rank); });
  record("objective", [](const PathPoint& p) { return p.objective; });
  record("rmse", [](const PathPoint& p) { return p.held_out_error; });
  record("seconds", [](const PathPoint& p) { return p.seconds; });
}

void say_path(Session& session, const std::vector<PathPoint>& path) {
  session.say(fmt::format("{:>12} {:>5} {:>14} {:>10} {:>8}", "lambda", "rank", "objective", "RMSE",
                          "seconds"));
  for (const PathPoint& point : path)
    session.say(fmt::format(
        "{:>12.6g} {:>5} {:>14.8g} {:>10} {:>8.2f}", point.lambda, point.rank, point.objective,
        std::isnan(point.held_out_error) ? "-" : fmt::format("{:.6g}", point.held_out_error),
        point.seconds));
}

// Learns from the rest, is measured on the share that was held out, and says so.
void measure(Session& session, const Completer& completer, double holdout, const Cells& cells) {
  Rng rng = session.run.rng(1);
  const auto [training, test] = split(cells, holdout, rng);
  const Completion fit = completer.complete(training, session.run, &test);
  session.check_cancelled();
  Completion mean = fit;
  mean.u = Block(cells.rows, 0);
  mean.v = Block(cells.columns, 0);
  mean.mean = training.mean();
  std::ranges::fill(mean.row_bias, 0.0);
  std::ranges::fill(mean.column_bias, 0.0);
  const double error = root_mean_square_error(fit, test);
  const double error_of_mean = root_mean_square_error(mean, test);
  session.summary.set("held_out", test.count());
  session.summary.set("rmse", error);
  session.summary.set("rmse_of_mean", error_of_mean);
  if (!fit.path.empty()) {
    record_path(session, "holdout_", fit.path);
    say_path(session, fit.path);
  }
  session.say(fmt::format("held out: {} cells, RMSE {:.6g} (the mean alone: {:.6g})", test.count(),
                          error, error_of_mean));
}

void say_read(Session& session, const std::string& path, const Cells& cells,
              std::int64_t duplicates) {
  session.summary.set("rows", cells.rows);
  session.summary.set("columns", cells.columns);
  session.summary.set("cells", cells.count());
  session.summary.set("duplicates_merged", duplicates);
  session.say(fmt::format("read {}: {} rows, {} columns, {} cells{}", path, cells.rows,
                          cells.columns, cells.count(),
                          duplicates > 0 ? fmt::format(", {} given again", duplicates) : ""));
}

int complete_cells(Session& session, const CompleteCommand& command) {
  session.prepare({command.cells, command.ask}, {session.options().output});
  const MadeLearner made = session.registry.make(command.method);
  const Completer& completer = made.completer();
  if (command.top > 0 && !command.ask.empty())
    throw Error(ErrorCode::usage, "--top chooses the cells itself: leave --ask out");
  if (command.holdout != 0.0 && !(command.holdout > 0.0 && command.holdout < 1.0))
    throw Error(ErrorCode::usage,
                fmt::format("--holdout {}: must be between 0 and 1", command.holdout));
  OutputFile out(session.options().output);
  const CellFile file =
      session.timed("read", [&] { return read_cells(command.cells, session.run); });
  CellPairFile asked;
  if (!command.ask.empty())
    asked = read_cell_pairs(command.ask, file.rows, file.columns, session.run);
  const Cells cells =
      make_cells(file.rows.size(), file.columns.size(), file.row, file.column, file.value);
  if (cells.count() == 0)
    throw Error(ErrorCode::bad_data, command.cells + ": no cells; expected 'row column value'");
  session.summary.set("method", made.spec);
  say_read(session, command.cells, cells, file.duplicates_merged);
  if (command.ask.empty() && command.top == 0 && cells.rows * cells.columns > most_unasked)
    throw Error(ErrorCode::usage,
                fmt::format("{} cells are unknown: say which with --ask FILE, or --top N",
                            cells.rows * cells.columns - cells.count()));
  const double side = static_cast<double>(cells.rows) + static_cast<double>(cells.columns);
  const Work work{{0.0, 200.0 * static_cast<double>(cells.count()) + 2000.0 * side}, {1.0, 1000.0}};
  if (const auto status =
          estimated(session, work, [&](const RunContext& run) { completer.complete(cells, run); }))
    return *status;
  if (command.holdout > 0.0)
    session.timed("solve", [&] { measure(session, completer, command.holdout, cells); });
  const Completion fit =
      session.timed("solve", [&] { return completer.complete(cells, session.run); });
  session.record_report(fit.report);
  if (!fit.path.empty()) record_path(session, "path_", fit.path);
  if (!fit.path.empty() && command.holdout == 0.0) say_path(session, fit.path);
  session.timed("write", [&] {
    CellWriter writer(session, out, file, fit);
    if (!command.ask.empty()) {
      for (std::size_t i = 0; i < asked.row.size(); ++i)
        writer.write(asked.row[i], asked.column[i]);
    } else {
      writer.write_rows(known_columns(cells), command.top);
    }
    out.commit();
    session.summary.set("written", writer.written());
  });
  session.say("complete: " + fit.report.sentence);
  session.say_time();
  if (fit.report.converged()) return 0;
  session.warn(fmt::format("stopped before tolerance ({}): what was written is not final",
                           to_string(fit.report.outcome)));
  return 1;
}

// The methods and the keys of each, for the help.
std::string spec_text() {
  std::string text = "NAME[:key=value,…]:";
  const LearnerRegistry registry = builtin_learners();
  for (const LearnerEntry* method : registry.of_kinds({LearnerKind::completer})) {
    std::string keys;
    for (const OptionSpec& spec : method->options.specs())
      keys += (keys.empty() ? "" : ", ") + spec.name;
    text += fmt::format("{} {} ({})", text.back() == ':' ? "" : ";", method->name, keys);
  }
  return text;
}

}  // namespace

Verb add_complete(CLI::App& app, CommonOptions& common) {
  CLI::App& verb =
      add_verb(app, "complete", "The unknown cells of a matrix: ratings, measurements.",
               {"printf 'ann a 4\\nann b 5\\nbob a 3\\n' | gssl complete - --method als:rank=1",
                "printf 'ann a 4\\nann b 5\\nbob a 3\\n' | gssl complete - --top 1",
                "printf 'bob b\\n' > wanted.txt; printf 'ann a 4\\nann b 5\\nbob a 3\\n' | gssl "
                "complete - --ask wanted.txt"});
  const auto command = std::make_shared<CompleteCommand>();
  verb.add_option("CELLS", command->cells, "lines 'row column value' ('-': standard input)")
      ->required()
      ->type_name("FILE");
  verb.add_option("--method", command->method, spec_text())
      ->type_name("SPEC")
      ->capture_default_str();
  verb.add_option("--ask", command->ask, "lines 'row column': the cells to write")
      ->type_name("FILE");
  verb.add_option("--top", command->top, "the N largest unknown cells of each row")
      ->type_name("N")
      ->check(CLI::Validator(at_least_one_error, ""));
  verb.add_option("--holdout", command->holdout,
                  "share of the cells to measure on; the answer is then learned from all")
      ->type_name("SHARE");
  add_output_options(verb, common);
  add_time_limit(verb, common);
  add_estimate(verb, common);
  add_run_options(verb, common);
  return [command](Session& session) { return complete_cells(session, *command); };
}

}  // namespace gssl::tool
