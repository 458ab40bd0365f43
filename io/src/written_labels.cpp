#include "written_labels.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <optional>

#include "fields.hpp"
#include "list_lines.hpp"

namespace gssl::detail {
namespace {

using namespace std::string_view_literals;

constexpr std::array columns = {"node"sv, "label"sv, "confidence"sv, "status"sv};

bool is_decided(std::string_view status, const std::string& file, std::int64_t line) {
  constexpr std::array decided = {"given"sv, "inferred"sv};
  constexpr std::array others = {"tied"sv, "unreached"sv, "unfinished"sv, "uncertain"sv};
  if (std::ranges::find(decided, status) != decided.end()) return true;
  if (std::ranges::find(others, status) != others.end()) return false;
  bad_line(file, line,
           "status '" + shown(status) +
               "'; expected given, inferred, tied, unreached, unfinished or uncertain, as gssl "
               "label writes it");
}

bool has_columns(FieldSplitter& fields, std::string_view line) {
  if (fields.split(line, "", 1) != columns.size()) return false;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (fields[i] != columns[i]) return false;
  }
  return true;
}

// The text of a member, of a number as it is written.
std::optional<std::string> text_of(const nlohmann::json& object, std::string_view key) {
  const auto found = object.find(key);
  if (found == object.end()) return std::nullopt;
  if (found->is_string()) return found->get<std::string>();
  if (found->is_number()) return found->dump();
  return std::nullopt;
}

void read_object(std::string_view line, std::int64_t number, const std::string& file,
                 const WrittenRow& row) {
  const auto object = nlohmann::json::parse(line, nullptr, false);
  const bool whole = object.is_object();
  const auto node = whole ? text_of(object, "node") : std::nullopt;
  const auto label = whole ? text_of(object, "label") : std::nullopt;
  const auto status = whole ? text_of(object, "status") : std::nullopt;
  if (!node || !label || !status) {
    bad_line(file, number,
             "'" + shown(line) +
                 "'; expected an object with node, label and status, as gssl label writes it");
  }
  row(*node, *label, number, is_decided(*status, file, number));
}

}  // namespace

WrittenForm sniff_written_labels(std::string_view text) {
  while (!text.empty()) {
    const std::string_view line = trimmed(take_line(text));
    if (is_skipped(line)) continue;
    if (line.starts_with("{\"node\":")) return WrittenForm::json_lines;
    constexpr std::size_t longest_header = 100;
    if (line.size() > longest_header || line.find('"') != std::string_view::npos) break;
    FieldSplitter fields(sniff_separator(line), FieldSplitter::Empty::allowed);
    return has_columns(fields, line) ? WrittenForm::table : WrittenForm::none;
  }
  return WrittenForm::none;
}

std::int64_t walk_written_labels(const TextSource& source, WrittenForm form,
                                 const WrittenRow& row) {
  const std::string& file = source.name();
  std::optional<FieldSplitter> fields;
  std::int64_t number = 0;
  walk_lines(source, [&](std::string_view all) {
    const std::string_view line = trimmed(all);
    ++number;
    if (is_skipped(line)) return;
    if (form == WrittenForm::json_lines) return read_object(line, number, file, row);
    if (!fields) {
      fields.emplace(sniff_separator(line));
      return;  // the header
    }
    const std::size_t count = fields->split(line, file, number);
    if (count != columns.size()) {
      bad_line(file, number,
               std::to_string(count) + (count == 1 ? " field" : " fields") + " in '" + shown(line) +
                   "'; expected node, label, confidence and status, as the header says");
    }
    row((*fields)[0], (*fields)[1], number, is_decided((*fields)[3], file, number));
  });
  return number;
}

}  // namespace gssl::detail
