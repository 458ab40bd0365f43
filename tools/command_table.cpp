#include "command_table.hpp"

#include <fmt/format.h>

#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <algorithm>
#include <string_view>

namespace gssl::tool {
namespace {

// Splits "a|b|c".
std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  while (true) {
    const std::size_t end = text.find(separator);
    parts.emplace_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

// One line of blanks between words.
std::string on_one_line(const std::string& text) {
  std::string line;
  for (const char c : text) {
    const bool blank = c == ' ' || c == '\n';
    if (!blank) line += c;
    if (blank && !line.empty() && line.back() != ' ') line += ' ';
  }
  if (line.ends_with(' ')) line.pop_back();
  return line;
}

std::vector<std::string> examples_of(const CLI::App& verb) {
  std::vector<std::string> examples;
  for (const std::string& line : split(verb.get_footer(), '\n'))
    if (line.starts_with("  ")) examples.push_back(line.substr(2));
  return examples;
}

// CLI11 notes the descriptions of validators behind the type: "FORMAT:{tsv|csv|jsonl}".
void read_type(const std::string& type, CommandOption& entry) {
  const std::size_t note = type.find(":{");
  entry.value = type.substr(0, note);
  if (note != std::string::npos && type.ends_with('}'))
    entry.choices = split(std::string_view(type).substr(note + 2, type.size() - note - 3), '|');
  entry.value_optional = entry.value.starts_with('=');
  if (entry.value_optional) entry.value.erase(0, 1);
}

std::string usage_of(const CLI::App& app, const CLI::App& verb) {
  const std::string usage =
      on_one_line(CLI::Formatter().make_usage(&verb, app.get_name() + " " + verb.get_name()));
  constexpr std::string_view head = "Usage: ";
  return usage.starts_with(head) ? usage.substr(head.size()) : usage;
}

}  // namespace

std::string CommandOption::left_side() const {
  std::string all = fmt::format("{}", fmt::join(names, ","));
  if (value_optional) return all + "[=" + value + "]";
  if (value.empty() || value == all) return all;
  return all + " " + value + (repeatable ? " ..." : "");
}

std::string CommandOption::remarks() const {
  std::vector<std::string> all;
  if (required) all.emplace_back("required");
  for (const std::string& name : needs) all.push_back("with " + name);
  for (const std::string& name : not_beside) all.push_back("not with " + name);
  if (!default_text.empty()) all.push_back("default: " + default_text);
  return all.empty() ? "" : fmt::format(" ({})", fmt::join(all, "; "));
}

CommandOption command_option(const CLI::Option& option) {
  CommandOption entry;
  for (const std::string& name : option.get_snames()) entry.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) entry.names.push_back("--" + name);
  entry.positional = entry.names.empty();
  if (entry.positional) entry.names.push_back(option.get_name(true));
  const std::string type = option.get_type_name();
  if (option.get_type_size() != 0 || type.starts_with('=')) read_type(type, entry);
  entry.repeatable = option.get_expected_max() == CLI::detail::expected_max_vector_size;
  entry.required = option.get_required();
  entry.group = entry.positional ? "" : option.get_group();
  entry.help = option.get_description();
  if (option.get_type_size() != 0) entry.default_text = option.get_default_str();
  for (const CLI::Option* needed : option.get_needs()) entry.needs.push_back(needed->get_name());
  for (const CLI::Option* other : option.get_excludes())
    entry.not_beside.push_back(other->get_name());
  // They come in the order of their addresses.
  std::ranges::sort(entry.needs);
  std::ranges::sort(entry.not_beside);
  return entry;
}

CommandVerb command_verb(const CLI::App& app, const CLI::App& verb) {
  CommandVerb entry{.name = verb.get_name(),
                    .group = verb.get_group(),
                    .summary = verb.get_description(),
                    .usage = usage_of(app, verb),
                    .options = {},
                    .examples = examples_of(verb)};
  for (const CLI::Option* option : verb.get_options()) {
    if (option->get_group().empty()) continue;  // CLI11 hides such options from help
    entry.options.push_back(command_option(*option));
  }
  std::stable_partition(entry.options.begin(), entry.options.end(),
                        [](const CommandOption& option) { return option.positional; });
  return entry;
}

std::vector<CommandVerb> command_table(const CLI::App& app) {
  std::vector<CommandVerb> table;
  for (const CLI::App* verb : app.get_subcommands({})) table.push_back(command_verb(app, *verb));
  return table;
}

std::vector<std::string> option_groups(const CommandVerb& verb) {
  std::vector<std::string> groups;
  for (const CommandOption& option : verb.options) {
    if (!option.positional && std::ranges::find(groups, option.group) == groups.end())
      groups.push_back(option.group);
  }
  return groups;
}

std::string choice_note(const std::vector<std::string>& words) {
  return fmt::format("{{{}}}", fmt::join(words, "|"));
}

}  // namespace gssl::tool
