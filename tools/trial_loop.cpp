#include "trial_loop.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "gssl/core/error.hpp"
#include "gssl/core/machine.hpp"
#include "gssl/core/number_text.hpp"
#include "remedy_words.hpp"

namespace gssl::tool {
namespace {

constexpr std::int64_t most_warnings = 10;
constexpr std::int64_t trials_between_progress = 8192;

bool of_losses(InstanceKind kind) {
  return kind == InstanceKind::losses || kind == InstanceKind::arm;
}

std::vector<std::string> all_names(const VertexNames& names) {
  std::vector<std::string> all;
  all.reserve(static_cast<std::size_t>(names.size()));
  for (VertexId v = 0; v < names.size(); ++v) all.push_back(names.name(v));
  return all;
}

VertexNames numbered_names(const std::vector<std::string>& all) {
  VertexNames names;
  for (const std::string& name : all) names.insert(name);
  return names;
}

// FILE:LINE: in front of what a learner says of a row; messages of the reader have it.
Error at_line(const Error& error, const TrialReader& reader) {
  const std::string place = reader.name() + ":" + std::to_string(reader.line()) + ": ";
  const std::string text = error.what();
  return text.starts_with(place) ? error : error.with_message(place + text);
}

// Those up to its last one.
std::int64_t columns_of(const OnlineTrial& trial) {
  return trial.columns.empty() ? std::ssize(trial.values) : std::int64_t{trial.columns.back()} + 1;
}

}  // namespace

TrialLayout layout_of(InstanceKind kind) {
  switch (kind) {
    case InstanceKind::row: return TrialLayout::features;
    case InstanceKind::advice: return TrialLayout::advice;
    case InstanceKind::losses:
    case InstanceKind::arm: return TrialLayout::losses;
    case InstanceKind::vertex: return TrialLayout::node;
    case InstanceKind::task_row: return TrialLayout::task;
    case InstanceKind::cell: return TrialLayout::cell;
  }
  return TrialLayout::features;
}

bool predicts_by_name(InstanceKind kind, bool classes) {
  return classes && (kind == InstanceKind::advice || kind == InstanceKind::task_row);
}

TrialLoop::TrialLoop(Session& session, const MadeLearner& made, TrialLoopOptions options,
                     OutputFile& out, StreamPictures* pictures)
    : session_(session),
      made_(made),
      kind_(made.online().instance_kind()),
      options_(std::move(options)),
      out_(out),
      pictures_(pictures) {}

void TrialLoop::pass(TrialReader& reader) {
  OnlineTrial trial;
  ++passes_;
  for (std::int64_t row = 1;; ++row) {
    if (!reader.ready()) out_.flush();
    const std::int64_t before = trials_;
    try {
      if (!reader.next(trial)) return;
      one(trial, reader.column_names());
    } catch (const Error& error) {
      // A trial that the end of the run came into was not, nor one that is refused at its outcome.
      trials_ = before;
      if (stop_of(error)) return;
      if (error.code() != ErrorCode::bad_data) throw;
      const Error placed = at_line(error, reader);
      if (!options_.skip_errors) throw placed;
      if (passes_ == 1) left_out_.push_back(row);
      if (++skipped_ <= most_warnings)
        session_.warn(
            fmt::format("left out: {}{}", with_flags(placed),
                        skipped_ == most_warnings ? " (further ones are only counted)" : ""));
    }
  }
}

void TrialLoop::save(Record& record) const {
  if (!online_ && !session_.run.should_stop())
    throw Error(ErrorCode::bad_data, "the stream holds no trial: there is nothing to save");
  record.put("method", std::string_view(made_.spec));
  record.put("classes", options_.classes ? options_.classes->names() : std::vector<std::string>{});
  record.put("actions", actions_);
  record.put("first", all_names(first_));
  record.put("second", all_names(second_));
  record.put("arm_totals", arm_totals_);
  record.put("columns", columns_.names);
  record.put("column_count", columns_.count);
  record.put("sparse", std::int64_t{columns_.sparse ? 1 : 0});
  record.put("counts", std::vector<std::int64_t>{trials_, unanswered_, skipped_});
  record.put("begun", std::int64_t{online_ ? 1 : 0});
  if (!online_) return;  // stopped before its first trial
  Record learner;
  online_->save(learner);
  record.put("learner", learner);
}

std::optional<ClassWords> TrialLoop::classes_of(const Record& record) {
  const std::vector<std::string> names = record.texts("classes");
  if (names.empty()) return std::nullopt;
  return ClassWords(names);
}

void TrialLoop::resume(const Record& record) {
  if (record.text("method") != made_.spec)
    throw Error(ErrorCode::usage, fmt::format("--resume: the session is of {}: give that --method",
                                              record.text("method")));
  actions_ = record.texts("actions");
  first_ = numbered_names(record.texts("first"));
  second_ = numbered_names(record.texts("second"));
  arm_totals_ = record.reals("arm_totals");
  columns_ = {.names = record.texts("columns"),
              .count = record.integer("column_count"),
              .sparse = record.integer("sparse") != 0};
  const std::vector<std::int64_t>& counts = record.long_integers("counts");
  if (counts.size() != 3) throw Error(ErrorCode::bad_data, "counts: must be three numbers");
  trials_ = counts[0];
  unanswered_ = counts[1];
  skipped_ = counts[2];
  if (record.integer("begun") == 0) return;
  online_ = made_.online().resume({.graph = options_.graph}, record.child("learner"), session_.run);
}

// T times the least mean, and what the gaps Δ of the others add: 8 ln T/Δ + (1 + π²/3) Δ.
void TrialLoop::set_ucb1_bound(OnlineReport& report) const {
  const double least = *std::ranges::min_element(options_.arm_means);
  const auto trials = static_cast<double>(std::max<std::int64_t>(report.trials, 1));
  double bound = trials * least;
  for (const double mean : options_.arm_means)
    if (mean > least)
      bound += 8.0 * std::log(trials) / (mean - least) +
               (1.0 + std::numbers::pi * std::numbers::pi / 3.0) * (mean - least);
  report.bound = bound;
  report.bound_name = "T least mean + sum of 8 ln T / gap + (1 + pi^2/3) gap, in the mean";
  report.bound_in_expectation = true;
}

OnlineReport TrialLoop::report() const {
  if (!online_)
    throw Error(ErrorCode::bad_data, "the stream holds no trial; expected a line for each");
  if (proved_) return *proved_;
  OnlineReport report = online_->report();
  if (kind_ != InstanceKind::arm || arm_totals_.empty()) return report;
  report.comparator = *std::ranges::min_element(arm_totals_);
  report.comparator_name = "loss of the best arm";
  for (const Certificate& certificate : report.certificates)
    if (certificate.name == "regret_bound")
      report.bound = *report.comparator + certificate.values.front();
  if (made_.entry->name == "ucb1" && !options_.arm_means.empty()) set_ucb1_bound(report);
  return report;
}

void TrialLoop::look_again(TrialReader& reader, std::int64_t passes) {
  OnlineReport found = report();
  try {
    const std::unique_ptr<SecondLook> look = online_->second_look();
    if (!look) return;
    see_again(reader, *look, passes);
    if (session_.run.should_stop()) return;
    look->prove(found);
  } catch (const Error& error) {
    if (stop_of(error)) return;
    if (error.code() != ErrorCode::usage && error.code() != ErrorCode::bad_data) throw;
    session_.warn(fmt::format("no bound by a second look at the stream: {}", with_flags(error)));
    return;
  }
  proved_ = std::move(found);
}

void TrialLoop::see_again(TrialReader& reader, SecondLook& look, std::int64_t passes) {
  OnlineTrial trial;
  auto left_out = left_out_.begin();
  for (std::int64_t row = 1;; ++row) {
    const bool skip = left_out != left_out_.end() && *left_out == row;
    if (skip) ++left_out;
    try {
      if (!reader.next(trial)) return;
      if (skip || trial.outcome.empty()) continue;
      look.see(instance_of(trial), outcome_of(trial, 0.0), passes);
    } catch (const Error& error) {
      if (error.code() == ErrorCode::bad_data && !skip) throw at_line(error, reader);
      if (!skip) throw;
    }
  }
}

void TrialLoop::one(const OnlineTrial& trial, const std::vector<std::string>& column_names) {
  if (kind_ == InstanceKind::row) check_room(columns_of(trial));
  if (!online_) start(trial, column_names);
  begin_table();
  const double predicted = online_->predict(instance_of(trial));
  if (kind_ == InstanceKind::row) note_columns(trial);
  ++trials_;
  if (trials_ % trials_between_progress == 0) session_.run.report_progress("trials");
  if (trial.outcome.empty() && !of_losses(kind_)) {
    ++unanswered_;
    write(trial, predicted, nullptr, 0.0);
    return;
  }
  const Revealed outcome = outcome_of(trial, predicted);
  const double loss = online_->update(outcome);
  write(trial, predicted, &outcome, loss);
  if (pictures_ != nullptr) pictures_->note(trials_ - unanswered_, made_, *online_);
}

void TrialLoop::note_columns(const OnlineTrial& trial) {
  columns_.sparse = columns_.sparse || trial.sparse;
  columns_.count = std::max(columns_.count, columns_of(trial));
}

// A weight for each column, used or not, and what it was or is becoming.
void TrialLoop::check_room(std::int64_t columns) const {
  constexpr double bytes_of_column = 16.0;
  const double needed = bytes_of_column * static_cast<double>(columns);
  const auto allowed = session_.run.memory_limit;
  if (allowed > 0 && needed > static_cast<double>(allowed))
    throw MemoryError(fmt::format("{} of {} columns", made_.entry->name, columns),
                      static_cast<std::size_t>(needed), allowed);
}

void TrialLoop::start(const OnlineTrial& trial, const std::vector<std::string>& column_names) {
  OnlineSetting setting;
  setting.width =
      trial.sparse ? options_.width
                   : static_cast<std::int64_t>(std::max(trial.values.size(), trial.texts.size()));
  if (kind_ == InstanceKind::row) check_room(setting.width);
  if (kind_ == InstanceKind::cell) {
    setting.width = options_.rows;
    setting.width2 = options_.columns;
  }
  if (options_.classes) setting.class_names = options_.classes->names();
  setting.graph = options_.graph;
  setting.horizon = options_.horizon;
  online_ = made_.online().start(setting, session_.run);
  if (kind_ == InstanceKind::row) columns_.names = column_names;
  if (!of_losses(kind_)) return;
  actions_ = column_names;
  for (std::size_t i = actions_.size(); i < trial.values.size(); ++i)
    actions_.push_back(std::to_string(i + 1));
}

// Only now, so that a run that fails at its first trial writes nothing.
void TrialLoop::begin_table() {
  if (!options_.write_trials || table_) return;
  table_.emplace(out_, session_.options().table_format(),
                 std::vector<std::string>{"trial", "prediction", "outcome", "loss"});
}

std::int64_t TrialLoop::number_of(std::string_view name, bool is_vertex, VertexNames& names) const {
  if (options_.vertices == nullptr || !is_vertex) return names.insert(name);
  const VertexId found = options_.vertices->find(name);
  if (found == no_vertex)
    throw Error(ErrorCode::bad_data, fmt::format("{} is no vertex of the graph", name));
  return found;
}

Instance TrialLoop::instance_of(const OnlineTrial& trial) {
  Instance instance{.values = trial.values, .columns = trial.columns};
  if (of_losses(kind_)) instance.values = {};
  const bool nameless = trial.first.empty() || trial.second.empty();
  if (kind_ == InstanceKind::cell && nameless)
    throw Error(ErrorCode::bad_data,
                fmt::format("the name of the {} is empty; a cell has both a row and a column",
                            trial.first.empty() ? "row" : "column"));
  if (!trial.texts.empty()) {
    predictions_.clear();
    for (const std::string_view word : trial.texts) predictions_.push_back(class_of(word));
    instance.values = predictions_;
  }
  if (!trial.first.empty())
    instance.first = number_of(trial.first, options_.first_is_vertex, first_);
  if (!trial.second.empty())
    instance.second = number_of(trial.second, options_.second_is_vertex, second_);
  return instance;
}

int TrialLoop::class_of(std::string_view word) const {
  const std::optional<int> found = options_.classes->find(word);
  if (found) return *found;
  throw Error(ErrorCode::bad_data,
              fmt::format("outcome '{}' is none of the classes {}; give all with --classes", word,
                          fmt::join(options_.classes->names(), ",")));
}

Revealed TrialLoop::outcome_of(const OnlineTrial& trial, double predicted) {
  if (kind_ == InstanceKind::losses) return {.losses = trial.values};
  if (kind_ == InstanceKind::arm) {
    const auto arm = static_cast<std::size_t>(predicted);
    if (arm >= trial.values.size())
      throw Error(ErrorCode::bad_data,
                  fmt::format("{} losses; arm {} was pulled", trial.values.size(), arm + 1));
    // Those of arms that were not pulled count, too: in the loss of the best one.
    for (std::size_t i = 0; i < trial.values.size(); ++i)
      if (!(trial.values[i] >= 0.0 && trial.values[i] <= 1.0))
        throw Error(ErrorCode::bad_data,
                    fmt::format("loss {:g} of arm {}: must be in [0, 1]; rescale the losses",
                                trial.values[i], i + 1));
    arm_totals_.resize(trial.values.size(), 0.0);
    for (std::size_t i = 0; i < trial.values.size(); ++i) arm_totals_[i] += trial.values[i];
    return {.value = trial.values[arm]};
  }
  if (options_.classes) return {.value = static_cast<double>(class_of(trial.outcome))};
  const std::optional<double> value = parse_number<double>(trial.outcome);
  if (!value || !std::isfinite(*value))
    throw Error(ErrorCode::bad_data,
                fmt::format("outcome '{}'; expected a finite number", trial.outcome));
  return {.value = *value};
}

std::string TrialLoop::name_of(double predicted) const {
  const auto number = static_cast<std::size_t>(predicted);
  if (of_losses(kind_)) return actions_.at(number);
  return options_.classes ? options_.classes->names().at(number) : to_text(predicted);
}

// trial, prediction, outcome, loss; ? where no outcome came.
void TrialLoop::write(const OnlineTrial& trial, double predicted, const Revealed* outcome,
                      double loss) {
  if (!table_) return;
  table_->integer(trials_);
  table_->text(name_of(predicted));
  if (outcome == nullptr) {
    table_->text("?");
    table_->text("?");
  } else {
    const auto drawn = static_cast<std::size_t>(predicted);
    table_->text(of_losses(kind_) ? to_text(trial.values.at(drawn)) : std::string(trial.outcome));
    table_->number(loss);
  }
  table_->end_row();
}

}  // namespace gssl::tool
