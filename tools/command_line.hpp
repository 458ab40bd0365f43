#pragma once
// The options that verbs share, and how a verb is added to the command line.
//
// A verb is one function in verb_NAME.cpp. It declares its options on the CLI11 app it is given and
// returns what runs it:
//
//   Verb info = add_info(app, common);
//   app.parse(arguments);
//   int status = info(session);

#include <CLI/App.hpp>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gssl/io/graph_reader.hpp"
#include "gssl/io/label_reader.hpp"
#include "gssl/io/table_writer.hpp"

namespace gssl::tool {

struct CommonOptions {
  std::uint64_t seed = 1;
  int threads = 0;      // 0: as many as the process may use
  std::string summary;  // empty: none
  std::vector<std::string> plugins;
  bool quiet = false;
  std::string output = "-";
  std::string format = "tsv";
  bool strict = false;
  double time_limit = 0.0;  // seconds; 0: none
  std::string max_memory;   // empty: what the machine allows
  bool estimate = false;    // say what the work would take, and leave it
  std::string input_format = "automatic";
  std::string duplicates = "sum";
  std::string directed;  // empty: as duplicates say
  bool bipartite = false;
  std::string delimiter;  // empty: inferred
  std::string decimal;    // empty: inferred
  std::int64_t skip = 0;
  std::string columns;  // empty: all
  std::string layer_weights;
  std::string graph_output;   // empty: none
  std::string label_columns;  // empty: the two there are
  std::string unknown_labels = "error";
  std::string missing = "default";  // words for "no label"

  TableFormat table_format() const { return parse_table_format(format); }
  ReadOptions read_options() const;
  TableOptions table_options() const;
  // Of the node and of its label, from 1. Throws ErrorCode::usage.
  std::optional<std::pair<int, int>> columns_of_labels() const;
};

class Session;

// Runs the verb; returns the exit status.
using Verb = std::function<int(Session&)>;

Verb add_ask(CLI::App& app, CommonOptions& common);
Verb add_bound(CLI::App& app, CommonOptions& common);
Verb add_build(CLI::App& app, CommonOptions& common);
Verb add_complete(CLI::App& app, CommonOptions& common);
Verb add_label(CLI::App& app, CommonOptions& common);
Verb add_explain(CLI::App& app, CommonOptions& common);
Verb add_fit(CLI::App& app, CommonOptions& common);
Verb add_help(CLI::App& app, CommonOptions& common);
Verb add_info(CLI::App& app, CommonOptions& common);
Verb add_convert(CLI::App& app, CommonOptions& common);
Verb add_cut(CLI::App& app, CommonOptions& common);
Verb add_evaluate(CLI::App& app, CommonOptions& common);
Verb add_report(CLI::App& app, CommonOptions& common);
Verb add_online(CLI::App& app, CommonOptions& common);
Verb add_predict(CLI::App& app, CommonOptions& common);
Verb add_resistance(CLI::App& app, CommonOptions& common);
Verb add_kernel(CLI::App& app, CommonOptions& common);
Verb add_learners(CLI::App& app, CommonOptions& common);
Verb add_completions(CLI::App& app, CommonOptions& common);
Verb add_cluster(CLI::App& app, CommonOptions& common);
Verb add_spectrum(CLI::App& app, CommonOptions& common);

// Checks of values: "" or what is wrong. CLI11 would read 010 as octal and wrap what does not fit.
std::string decimal_error(std::string& text);       // a whole number of 0 or more
std::string at_least_one_error(std::string& text);  // a whole number of 1 or more, in 31 bits
std::string bytes_error(std::string& text);         // a size of memory: 8G, 500M
std::string distance_error(std::string& text);      // a finite number of 0 or more
// A time of 0 or more: 90, 90s, 10m, 2h. For transform(): leaves a number of seconds.
std::string time_error(std::string& text);

// One of a few words; what is near to another word is named.
CLI::Validator one_of(std::vector<std::string> words);

// The verbs in the order they were added.
std::vector<std::string> verb_names(const CLI::App& app);

void add_help_flag(CLI::App& app);

// A subcommand with its summary line and its examples, which --help prints at the end.
CLI::App& add_verb(CLI::App& app, const std::string& name, const std::string& summary,
                   const std::vector<std::string>& examples);

void add_run_options(CLI::App& verb, CommonOptions& common);  // --seed --threads --summary …
void add_time_limit(CLI::App& verb, CommonOptions& common);   // --time-limit
void add_estimate(CLI::App& verb, CommonOptions& common);     // --estimate
// The same and --strict, which makes the exit status 1 also where the answer is `incomplete`.
void add_solve_options(CLI::App& verb, CommonOptions& common,
                       const std::string& incomplete = "a vertex is unreached");
void add_output_options(CLI::App& verb, CommonOptions& common);  // -o, --format
void add_graph_output(CLI::App& verb, CommonOptions& common);    // --graph-output
void add_graph_options(CLI::App& verb, CommonOptions& common);   // --input-format … and these:
void add_table_options(CLI::App& verb, CommonOptions& common);   // --delimiter, --decimal …
// --label-columns, --unknown-labels, --missing
void add_label_options(CLI::App& verb, CommonOptions& common);
void add_missing_option(CLI::App& verb, CommonOptions& common, const std::string& group);

}  // namespace gssl::tool
