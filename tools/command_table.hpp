#pragma once
// What the command line takes, as a table: help, man pages, completions and JSON are made of it.
//
//   for (const CommandVerb& verb : command_table(app))
//     for (const CommandOption& option : verb.options) std::puts(option.left_side().c_str());
//
// The table is read from the CLI11 app, so that a verb or an option that is declared there is
// everywhere.

#include <CLI/App.hpp>
#include <string>
#include <vector>

namespace gssl::tool {

struct CommandOption {
  std::vector<std::string> names;  // "-o", "--output"; of a positional "GRAPH"
  std::string value;               // "FILE"; empty: a flag
  bool positional = false;
  bool value_optional = false;  // --approximate[=RECALL]
  bool repeatable = false;
  bool required = false;
  std::string group;  // "Output"
  std::string help;
  std::string default_text;             // empty: none
  std::vector<std::string> choices;     // the words it takes; empty: anything
  std::vector<std::string> needs;       // options it goes with
  std::vector<std::string> not_beside;  // options it excludes

  std::string left_side() const;  // "-o,--output FILE", "--approximate[=RECALL]", "GRAPH FILE"
  std::string remarks() const;    // " (with --knn; default: tsv)", or ""
};

struct CommandVerb {
  std::string name;  // "label"
  std::string group;
  std::string summary;
  std::string usage;                   // "gssl label [OPTIONS] [GRAPH] [LABELS]"
  std::vector<CommandOption> options;  // positionals first, then in order of declaration
  std::vector<std::string> examples;   // whole commands
};

CommandOption command_option(const CLI::Option& option);
CommandVerb command_verb(const CLI::App& app, const CLI::App& verb);
std::vector<CommandVerb> command_table(const CLI::App& app);

// The groups of options in order of their first member; positionals are in none.
std::vector<std::string> option_groups(const CommandVerb& verb);

// What a validator of a few words carries as its description, from which choices are read again.
std::string choice_note(const std::vector<std::string>& words);  // "{a|b|c}"

}  // namespace gssl::tool
