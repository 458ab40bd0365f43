#include "gssl/io/checkpoint_file.hpp"

#include <algorithm>

#include "gssl/core/error.hpp"

namespace gssl {
namespace {

constexpr const char* kind = "checkpoint";

void put_about(const CheckpointAbout& about, Record& record) {
  std::vector<std::string> names, values;
  for (const auto& [name, value] : about.facts) {
    names.push_back(name);
    values.push_back(value);
  }
  record.put("about/names", names);
  record.put("about/values", values);
}

}  // namespace

CheckpointAbout checkpoint_about(const Record& record) {
  const std::vector<std::string> names = record.texts("about/names");
  const std::vector<std::string> values = record.texts("about/values");
  if (names.size() != values.size())
    throw Error(ErrorCode::bad_data, "record: about: names and values differ in number");
  CheckpointAbout about;
  for (std::size_t i = 0; i < names.size(); ++i) about.add(names[i], values[i]);
  return about;
}

std::string CheckpointAbout::of(std::string_view name) const {
  const auto found = std::ranges::find(facts, name, [](const auto& fact) { return fact.first; });
  return found == facts.end() ? "" : found->second;
}

std::string CheckpointAbout::difference(const CheckpointAbout& run) const {
  for (const auto& [name, value] : run.facts)
    if (const std::string own = of(name); own != value)
      return std::string(name).append(": ").append(own).append("; this run has ").append(value);
  return {};
}

Checkpoint::Writer checkpoint_writer(std::string path, CheckpointAbout about) {
  return [path = std::move(path), about = std::move(about)](const Checkpoint& checkpoint) {
    Record head;
    put_about(about, head);
    std::vector<RecordEntry> entries;
    for (const auto& [name, value] : head.entries()) entries.push_back({name, &value});
    for (const Checkpoint::NamedValue& one : checkpoint.to_values())
      entries.push_back({"run/" + one.name, one.value});
    OutputFile out(path);
    write_record(out, kind, entries);
  };
}

void write_result(const std::string& path, const CheckpointAbout& about, const Record& result) {
  Record head;
  put_about(about, head);
  std::vector<RecordEntry> entries;
  for (const auto& [name, value] : head.entries()) entries.push_back({name, &value});
  for (const auto& [name, value] : result.entries()) entries.push_back({"result/" + name, &value});
  OutputFile out(path);
  write_record(out, kind, entries);
}

std::optional<CheckpointScores> read_checkpoint_scores(const std::string& path,
                                                       std::size_t most_held, int threads) {
  const auto wanted = [](std::string_view name) {
    return name.starts_with("about/") || name.starts_with("result/class_names/");
  };
  BlockInFile found = read_block_in_file(path, kind, "result/scores", wanted, most_held, threads);
  const Record& record = found.file.record;
  if (!record.has("result/scores/shape")) return std::nullopt;
  try {
    return CheckpointScores{.about = checkpoint_about(record),
                            .class_names = record.texts("result/class_names"),
                            .scores = std::move(found.block),
                            .again = std::move(found.again)};
  } catch (const Error& error) {
    throw Error(ErrorCode::bad_data, path + ": " + error.what());
  }
}

CheckpointFile read_checkpoint(const std::string& path, std::size_t most_held) {
  Record record = read_record(path, kind, most_held).record;
  const auto has_under = [&](const std::string& prefix) {
    return std::ranges::any_of(record.entries(),
                               [&](const auto& entry) { return entry.first.starts_with(prefix); });
  };
  try {
    CheckpointFile file{.about = checkpoint_about(record), .steps = {}, .result = {}};
    if (has_under("run/")) file.steps = record.take_child("run");
    if (has_under("result/")) file.result = record.take_child("result");
    return file;
  } catch (const Error& error) {
    throw Error(ErrorCode::bad_data, path + ": " + error.what());
  }
}

}  // namespace gssl
