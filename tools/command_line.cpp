#include "command_line.hpp"

#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

namespace gssl::tool {

ReadOptions CommonOptions::read_options() const {
  return {.format = parse_graph_format(input_format),
          .duplicates = parse_duplicate_policy(duplicates)};
}

CLI::App& add_verb(CLI::App& app, const std::string& name, const std::string& summary,
                   const std::vector<std::string>& examples) {
  CLI::App* verb = app.add_subcommand(name, summary);
  verb->set_help_flag("-h,--help", "print this help and exit");
  std::string footer = "Examples:";
  for (const std::string& example : examples) footer += "\n  " + example;
  verb->footer(footer);
  return *verb;
}

void add_run_options(CLI::App& verb, CommonOptions& common) {
  const std::string group = "Run";
  verb.add_option("--seed", common.seed, "seed of all random choices")
      ->type_name("N")
      ->capture_default_str()
      ->group(group);
  verb.add_option("--threads", common.threads, "threads to use (default: as many as allowed)")
      ->type_name("N")
      ->check(CLI::Range(1, 4096).description(""))
      ->group(group);
  verb.add_option("--summary", common.summary, "write a JSON summary, also on failure")
      ->type_name("FILE")
      ->group(group);
  verb.add_option("--plugin", common.plugins, "load learners from a shared object; repeatable")
      ->type_name("FILE.so")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->group(group);
  verb.add_flag("--quiet", common.quiet, "no report and no progress on standard error")
      ->group(group);
}

void add_output_options(CLI::App& verb, CommonOptions& common) {
  verb.add_option("-o,--output", common.output, "write to FILE ('-': standard output)")
      ->type_name("FILE")
      ->capture_default_str()
      ->group("Output");
  verb.add_option("--format", common.format, "tsv, csv or jsonl")
      ->type_name("FORMAT")
      ->check(CLI::IsMember({"tsv", "csv", "jsonl"}).description(""))
      ->capture_default_str()
      ->group("Output");
}

void add_graph_options(CLI::App& verb, CommonOptions& common) {
  const std::string group = "Input";
  verb.add_option("--input-format", common.input_format,
                  "automatic (by content), edge-list, matrix-market or metis")
      ->type_name("FORMAT")
      ->check(CLI::IsMember({"automatic", "edge-list", "matrix-market", "metis"}).description(""))
      ->capture_default_str()
      ->group(group);
  verb.add_option("--duplicates", common.duplicates,
                  "an edge given twice: sum, max or first of its weights, or error")
      ->type_name("POLICY")
      ->check(CLI::IsMember({"sum", "max", "first", "error"}).description(""))
      ->capture_default_str()
      ->group(group);
}

}  // namespace gssl::tool
