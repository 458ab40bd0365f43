#include "command_line.hpp"

#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string_view>
#include <utility>

#include "command_table.hpp"
#include "gssl/core/error.hpp"
#include "gssl/core/machine.hpp"
#include "gssl/core/number_text.hpp"
#include "gssl/core/suggestion.hpp"
#include "gssl/graph/graph_builder.hpp"
#include "gssl/graph/vertex_names.hpp"
#include "gssl/io/label_reader.hpp"
#include "gssl/io/table_writer.hpp"

namespace gssl::tool {
namespace {

// "90", "90s", "10m", "1.5h": seconds.
std::optional<double> parse_time(std::string_view text) {
  constexpr std::array<std::pair<char, double>, 3> units = {
      {{'s', 1.0}, {'m', 60.0}, {'h', 3600.0}}};
  const auto* const unit =
      std::ranges::find_if(units, [&](const auto& one) { return text.ends_with(one.first); });
  if (unit != units.end()) text.remove_suffix(1);
  const auto number = parse_number<double>(text);
  if (!number) return std::nullopt;
  const double seconds = *number * (unit == units.end() ? 1.0 : unit->second);
  constexpr double most = 1e9;  // clocks count nanoseconds in 64 bits
  return seconds >= 0.0 && seconds <= most ? std::optional(std::abs(seconds)) : std::nullopt;
}

std::string time_above_0_error(std::string& text) {
  return parse_time(text) == 0.0 ? "'" + text + "' is no time above 0" : time_error(text);
}

}  // namespace

std::string time_error(std::string& text) {
  const std::optional<double> seconds = parse_time(text);
  if (!seconds) return "'" + text + "' is no time; say 90s, 10m or 2h";
  text = to_text(*seconds);
  return {};
}

std::string decimal_error(std::string& text) {
  std::uint64_t value = 0;
  if (parse_canonical_integer(text, value) && value <= INT64_MAX) return {};
  return "'" + text + "' is not a whole number of 0 or more";
}

std::string at_least_one_error(std::string& text) {
  std::uint64_t value = 0;
  if (parse_canonical_integer(text, value) && value >= 1 && value <= INT32_MAX) return {};
  return "'" + text + "' is not a whole number from 1 to 2147483647";
}

std::string bytes_error(std::string& text) {
  try {
    parse_bytes(text);
    return {};
  } catch (const Error& error) {
    return error.what();
  }
}

std::string distance_error(std::string& text) {
  const auto value = parse_number<double>(text);
  if (value && *value >= 0.0 && std::isfinite(*value)) return {};
  return "'" + text + "' is not a finite number of 0 or more";
}

CLI::Validator one_of(std::vector<std::string> words) {
  const std::string note = choice_note(words);
  return {[words = std::move(words)](std::string& text) -> std::string {
            if (std::ranges::find(words, text) != words.end()) return {};
            return "no '" + text + "': " + suggestion(text, words);
          },
          note};
}

std::vector<std::string> verb_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* verb : app.get_subcommands({})) names.push_back(verb->get_name());
  return names;
}

ReadOptions CommonOptions::read_options() const {
  return {.format = parse_graph_format(input_format),
          .duplicates = parse_duplicate_policy(duplicates),
          .opposite = directed.empty() ? OppositeArcs::automatic : parse_opposite_arcs(directed),
          .bipartite = bipartite,
          .table = table_options(),
          .layers = parse_layer_weights(layer_weights)};
}

std::optional<std::pair<int, int>> CommonOptions::columns_of_labels() const {
  if (label_columns.empty()) return std::nullopt;
  std::vector<int> told;
  try {
    told = parse_columns(label_columns);
  } catch (const Error&) {
    told.clear();  // said below, by the name of this option
  }
  if (told.size() != 2 || told[0] == told[1])
    throw Error(ErrorCode::usage, "--label-columns " + label_columns +
                                      ": expected two columns, of the node and of its label, as "
                                      "in 1,4");
  return std::pair(told[0], told[1]);
}

TableOptions CommonOptions::table_options() const {
  TableOptions table;
  if (!delimiter.empty()) table.delimiter = parse_delimiter(delimiter);
  if (!decimal.empty()) table.decimal = parse_decimal_mark(decimal);
  table.skip_lines = skip;
  if (!columns.empty()) table.columns = parse_columns(columns);
  table.validate();
  return table;
}

void add_help_flag(CLI::App& app) {
  app.set_help_flag("-h,--help", "print help and exit: -h in short, --help in full");
}

CLI::App& add_verb(CLI::App& app, const std::string& name, const std::string& summary,
                   const std::vector<std::string>& examples) {
  CLI::App* verb = app.add_subcommand(name, summary);
  add_help_flag(*verb);
  std::string footer = "Examples:";
  for (const std::string& example : examples) footer += "\n  " + example;
  verb->footer(footer);
  return *verb;
}

void add_run_options(CLI::App& verb, CommonOptions& common) {
  const std::string group = "Run";
  verb.add_option("--seed", common.seed, "seed of all random choices")
      ->type_name("N")
      ->check(CLI::Validator(decimal_error, ""))
      ->capture_default_str()
      ->group(group);
  verb.add_option("--threads", common.threads, "threads to use (default: as many as allowed)")
      ->type_name("N")
      ->check(CLI::Validator(decimal_error, ""))
      ->check(CLI::Range(1, 4096).description(""))
      ->group(group);
  verb.add_option("--max-memory", common.max_memory,
                  "memory to use at most, as in 8G (default: what the system allows); what fits "
                  "is chosen, else exit status 71 and the number needed")
      ->type_name("SIZE")
      ->check(CLI::Validator(bytes_error, ""))
      ->group(group);
  verb.add_option("--summary", common.summary, "write a JSON summary, also on failure")
      ->type_name("FILE")
      ->group(group);
  verb.add_option("--plugin", common.plugins, "load learners from a shared object; repeatable")
      ->type_name("FILE.so")
      ->allow_extra_args(false)
      ->group(group);
  verb.add_flag("--quiet", common.quiet, "no report and no progress on standard error")
      ->group(group);
}

void add_time_limit(CLI::App& verb, CommonOptions& common) {
  verb.add_option("--time-limit", common.time_limit,
                  "stop after TIME (90s, 10m, 2h); what was found is written, exit status 1")
      ->type_name("TIME")
      ->transform(CLI::Validator(time_above_0_error, ""))
      ->group("Run");
}

void add_estimate(CLI::App& verb, CommonOptions& common) {
  verb.add_flag("--estimate", common.estimate,
                "read the input, print the memory and time that the work would take, and end")
      ->group("Run");
}

void add_solve_options(CLI::App& verb, CommonOptions& common, const std::string& incomplete) {
  add_time_limit(verb, common);
  verb.add_flag("--strict", common.strict, "exit status 1 also if " + incomplete)->group("Run");
}

void add_output_options(CLI::App& verb, CommonOptions& common) {
  verb.add_option("-o,--output", common.output, "write to FILE ('-': standard output)")
      ->type_name("FILE")
      ->capture_default_str()
      ->group("Output");
  verb.add_option("--format", common.format, "tsv, csv or jsonl")
      ->type_name("FORMAT")
      ->check(one_of(names_of<TableFormat>.all()))
      ->capture_default_str()
      ->group("Output");
}

void add_graph_options(CLI::App& verb, CommonOptions& common) {
  const std::string group = "Input";
  verb.add_option(
          "--input-format", common.input_format,
          "automatic (by content, then by extension), edge-list, matrix-market, metis, binary, "
          "graphml, gexf, gml, pajek, dimacs, dot, galois, npz, triples or ogb (a folder)")
      ->type_name("FORMAT")
      ->check(one_of(graph_format_names()))
      ->capture_default_str()
      ->group(group);
  verb.add_option("--duplicates", common.duplicates,
                  "an edge given twice: sum, max or first of its weights, or error")
      ->type_name("POLICY")
      ->check(one_of(names_of<DuplicatePolicy>.all()))
      ->capture_default_str()
      ->group(group);
  verb.add_option("--directed", common.directed,
                  "an edge given as u v and as v u: sum, max or mean of the two weights, or error "
                  "if they differ (default: the larger, with a warning)")
      ->type_name("POLICY")
      ->check(one_of({"sum", "max", "mean", "error"}))
      ->group(group);
  verb.add_flag("--bipartite", common.bipartite,
                "the two columns, or rows and columns, are two kinds of vertices: u:ID and v:ID")
      ->group(group);
  verb.add_option("--layer-weights", common.layer_weights,
                  "weights of layers, as in a=1,b=0.3: the last column of lines 'u v [weight] "
                  "layer', sections of Pajek, predicates of triples; 0 leaves one out")
      ->type_name("LIST")
      ->group(group);
  add_table_options(verb, common);
}

void add_graph_output(CLI::App& verb, CommonOptions& common) {
  verb.add_option("--graph-output", common.graph_output,
                  "also write the graph with what was found and places to draw it: .graphml, "
                  ".gexf, .gml or .dot")
      ->type_name("FILE")
      ->group("Output");
}

void add_table_options(CLI::App& verb, CommonOptions& common) {
  const std::string group = "Input";
  verb.add_option("--delimiter", common.delimiter,
                  "between fields of a text table: tab, comma, semicolon, blank or a character "
                  "(default: inferred)")
      ->type_name("CHAR")
      ->group(group);
  verb.add_option("--decimal", common.decimal, "decimal mark, . or , (default: inferred)")
      ->type_name("CHAR")
      ->group(group);
  verb.add_option("--skip", common.skip, "leave out the first N lines of a text table")
      ->type_name("N")
      ->check(CLI::Validator(decimal_error, ""))
      ->group(group);
  verb.add_option("--columns", common.columns,
                  "columns to take, from 1: u, v[, weight] of edges as in 2,3,4; features of "
                  "points as in 1-4,7")
      ->type_name("LIST")
      ->group(group);
}

void add_label_options(CLI::App& verb, CommonOptions& common) {
  verb.add_option("--label-columns", common.label_columns,
                  "of LABELS and --truth with more than two columns: those of the node and of its "
                  "label, from 1, as in 1,4")
      ->type_name("LIST")
      ->group("Input");
  verb.add_option("--unknown-labels", common.unknown_labels,
                  "a label on a vertex that is not in the graph: error, ignore or add")
      ->type_name("POLICY")
      ->check(one_of(names_of<UnknownLabels>.all()))
      ->capture_default_str()
      ->group("Input");
  add_missing_option(verb, common, "Input");
}

void add_missing_option(CLI::App& verb, CommonOptions& common, const std::string& group) {
  verb.add_option(
          "--missing", common.missing,
          "labels that say there is none, by commas: 'default' is NA, N/A, NaN, null, ? and "
          "the like, and -1 beside classes 0, 1, …; none: no such words")
      ->type_name("WORDS")
      ->capture_default_str()
      ->group(group);
}

}  // namespace gssl::tool
