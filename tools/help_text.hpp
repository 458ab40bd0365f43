#pragma once
// How --help looks: 80 columns, one blank line between groups, longer text wrapped by words.
//
//   app.formatter(std::make_shared<HelpFormatter>());   // verbs added later inherit it
//
// An option of any length fits by itself. One whose value may be left out is declared by
// type_name("=VALUE") and shown as --name[=VALUE].

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <string>

namespace gssl::tool {

class HelpFormatter : public CLI::Formatter {
 public:
  std::string make_help(const CLI::App* app, std::string name,
                        CLI::AppFormatMode mode) const override;
  std::string make_description(const CLI::App* app) const override;
  std::string make_usage(const CLI::App* app, std::string name) const override;
  std::string make_option(const CLI::Option* option, bool is_positional) const override;
  std::string make_subcommand(const CLI::App* verb) const override;
  std::string make_footer(const CLI::App* app) const override;
};

// The help of the command itself or of one of its verbs, whichever of them was typed.
std::string help_of(const CLI::App& app);
std::string help_of(const CLI::App& app, const CLI::App& verb);

// What -h prints: at most 24 lines, a line for each of the options that are asked for most.
std::string brief_help_of(const CLI::App& app);
std::string brief_help_of(const CLI::App& app, const CLI::App& verb);

// Pieces of such pages, each with its line ends but the paragraph.
std::string help_entry(const std::string& name, const std::string& text);  // name, text in a column
std::string wrapped_paragraph(const std::string& text);
std::string verbatim_lines(const std::string& text);  // indented; long ones are continued

}  // namespace gssl::tool
