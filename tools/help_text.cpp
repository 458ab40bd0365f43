#include "help_text.hpp"

#include <algorithm>
#include <string_view>
#include <vector>

#include "command_table.hpp"

namespace gssl::tool {
namespace {

constexpr std::size_t line_width = 80;
constexpr std::size_t text_column = 30;

// Columns on a terminal, not bytes: help holds "≥" and "…".
std::size_t shown_width(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(
      text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    if (end > 0) words.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return words;
}

// A long list without blanks (a|b|c, x,y,z) may be broken after its bars and commas.
std::vector<std::string> pieces_of(std::string_view word, std::size_t width) {
  std::vector<std::string> pieces;
  while (shown_width(word) > width) {
    std::size_t end = 0;
    for (std::size_t at = 0; at < word.size() && shown_width(word.substr(0, at + 1)) <= width; ++at)
      if (word[at] == '|' || word[at] == ',' || word[at] == '/') end = at + 1;
    if (end == 0) break;
    pieces.emplace_back(word.substr(0, end));
    word.remove_prefix(end);
  }
  pieces.emplace_back(word);
  return pieces;
}

// The words of `text` in lines from column `indent` on, the first of which starts at column `at`.
// Lines that go on end with `continued`.
std::string wrapped(std::string_view text, std::size_t at, std::size_t indent,
                    std::string_view continued = "") {
  const std::size_t width = line_width - continued.size();
  std::string out;
  bool first = true;
  const auto next_line = [&] {
    out.append(continued).append("\n").append(indent, ' ');
    at = indent;
    first = true;
  };
  for (const std::string_view word : words_of(text)) {
    if (!first && at + 1 + shown_width(word) > width) next_line();
    const std::vector<std::string> pieces = pieces_of(word, width - indent);
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      if (i > 0) next_line();
      if (!first) out += ' ';
      out += pieces[i];
      at += shown_width(pieces[i]) + (first ? 0 : 1);
      first = false;
    }
  }
  return out;
}

// "  name   text", the text in a column of its own; under the name where that is too wide.
std::string entry(const std::string& name, const std::string& text) {
  std::string out = "  " + name;
  const std::size_t width = shown_width(out);
  if (text.empty()) return out + "\n";
  if (width + 2 > text_column) {
    out += '\n' + std::string(text_column, ' ');
  } else {
    out.append(text_column - width, ' ');
  }
  return out + wrapped(text, text_column, text_column) + "\n";
}

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

std::string without_doubled_blanks(std::string_view text) {
  std::string out;
  for (const char c : text)
    if (c != '\n' || !out.ends_with("\n\n")) out += c;
  return out;
}

// The options that the short help shows first: the verb's own, then what it writes, then the rest.
int shown_after(const CommandOption& option) {
  if (option.positional) return 0;
  if (option.group == "Options") return 1;
  if (option.group == "Output") return 2;
  return option.group == "Input" || option.group == "Run" ? 4 : 3;
}

// As many words as fit, and "…" where some are left out.
std::string cut_to(std::size_t width, std::string_view text) {
  if (shown_width(text) <= width) return std::string(text);
  std::string cut;
  for (const std::string_view word : words_of(text)) {
    if (shown_width(cut) + shown_width(word) + 3 > width) break;
    cut.append(cut.empty() ? "" : " ").append(word);
  }
  cut.erase(cut.find_last_not_of(" ,;:(") + 1);
  return cut + " …";
}

// One line: "  --knn K                     join each point to its K nearest".
std::string brief_entry(const CommandOption& option) {
  std::string line = "  " + option.left_side() + "  ";
  line.append(text_column - std::min(text_column, shown_width(line)), ' ');
  return line + cut_to(line_width - shown_width(line), option.help) + "\n";
}

}  // namespace

std::string help_entry(const std::string& name, const std::string& text) {
  return entry(name, text);
}

std::string wrapped_paragraph(const std::string& text) { return wrapped(text, 0, 0); }

std::string verbatim_lines(const std::string& text) {
  std::string out;
  for (const std::string_view line : lines_of(text))
    out += "  " + wrapped(line, 2, 6, " \\") + "\n";
  return out;
}

std::string brief_help_of(const CLI::App& app, const CLI::App& verb) {
  constexpr std::size_t most_options = 12;
  const CommandVerb described = command_verb(app, verb);
  std::vector<CommandOption> options = described.options;
  std::erase_if(options, [](const CommandOption& o) { return o.names.back() == "--help"; });
  std::ranges::stable_sort(options, {}, shown_after);
  options.resize(std::min(options.size(), most_options));
  std::string text = wrapped(described.summary, 0, 0) + "\n" +
                     wrapped("Usage: " + described.usage, 0, 12) + "\n\n";
  for (const CommandOption& option : options) text += brief_entry(option);
  if (!described.examples.empty()) text += "\n" + verbatim_lines(described.examples.front());
  return text + "\nAll options: gssl " + described.name + " --help\n";
}

std::string brief_help_of(const CLI::App& app) {
  std::string text = app.get_description() + "\nUsage: gssl VERB [OPTIONS] FILES\n\n";
  std::string group, names;
  const auto end_group = [&] {
    if (!group.empty()) text += entry(group, names);
  };
  for (const CLI::App* verb : app.get_subcommands({})) {
    if (verb->get_group() != group) {
      end_group();
      group = verb->get_group();
      names.clear();
    }
    names += (names.empty() ? "" : ", ") + verb->get_name();
  }
  end_group();
  return text + "\nMore: gssl --help, gssl help VERB, gssl help TOPIC\n";
}

std::string HelpFormatter::make_help(const CLI::App* app, std::string name,
                                     CLI::AppFormatMode mode) const {
  return without_doubled_blanks(CLI::Formatter::make_help(app, std::move(name), mode));
}

std::string HelpFormatter::make_description(const CLI::App* app) const {
  return wrapped(app->get_description(), 0, 0) + "\n";
}

std::string HelpFormatter::make_usage(const CLI::App* app, std::string name) const {
  constexpr std::size_t indent = 12;
  std::string usage = CLI::Formatter::make_usage(app, std::move(name));
  usage.erase(usage.find_last_not_of('\n') + 1);
  return wrapped(usage, 0, indent) + "\n";
}

std::string HelpFormatter::make_option(const CLI::Option* option, bool /*is_positional*/) const {
  const CommandOption described = command_option(*option);
  return entry(described.left_side(), described.help + described.remarks());
}

std::string HelpFormatter::make_subcommand(const CLI::App* verb) const {
  constexpr std::size_t column = 15;
  const std::string name = "  " + verb->get_name();
  return name + std::string(column - std::min(column - 1, name.size()), ' ') +
         wrapped(verb->get_description(), column, column) + "\n";
}

// Lines that are indented are commands: broken so that they can be pasted.
std::string HelpFormatter::make_footer(const CLI::App* app) const {
  constexpr std::size_t indent = 2, further = 6;
  std::string out;
  const std::string footer = app->get_footer();
  for (const std::string_view line : lines_of(footer)) {
    const bool command = line.starts_with("  ");
    if (command) out.append(indent, ' ');
    out += command ? wrapped(line, indent, further, " \\") : wrapped(line, 0, 0);
    out += '\n';
  }
  return out;
}

std::string help_of(const CLI::App& app) {
  return app.get_formatter()->make_help(&app, app.get_name(), CLI::AppFormatMode::Normal);
}

std::string help_of(const CLI::App& app, const CLI::App& verb) {
  return verb.get_formatter()->make_help(&verb, app.get_name() + " " + verb.get_name(),
                                         CLI::AppFormatMode::Normal);
}

}  // namespace gssl::tool
