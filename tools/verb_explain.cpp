// gssl explain: which given labels make up a vertex's score, and which of them the others
// contradict.

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>

#include "estimate.hpp"
#include "explain_page.hpp"
#include "graph_input.hpp"
#include "graph_results.hpp"
#include "gssl/answer/explanation.hpp"
#include "gssl/core/error.hpp"
#include "gssl/core/number_text.hpp"
#include "session.hpp"

namespace gssl::tool {
namespace {

struct ExplainOptions {
  std::string graph;
  std::string labels;
  std::string method = "harmonic";
  std::string report;
  std::vector<std::string> nodes;
  bool suspects = false;
  bool regression = false;
  std::size_t top = 0;  // 0: all
};

// The harmonic learner's options; other learners are no average of the given labels.
HarmonicOptions harmonic_options(const MadeLearner& learner) {
  learner.transductive();  // throws where it learns from points
  const auto* harmonic = learner.as<HarmonicLearner>();
  if (harmonic == nullptr) {
    throw Error(ErrorCode::usage, fmt::format("--method {}: its scores are no average of the given "
                                              "labels; explain takes harmonic[:soft=C,…]",
                                              learner.entry->name));
  }
  if (harmonic->options().mass != MassRule::none) {
    throw Error(ErrorCode::usage,
                "--method harmonic: mass rescaling cannot be explained label by label; leave mass "
                "out");
  }
  return harmonic->options();
}

std::string label_text(const LabeledSet& labeled, std::size_t label) {
  if (labeled.is_regression()) return to_text(labeled.target_of()[label]);
  return labeled.class_names()[static_cast<std::size_t>(labeled.class_of()[label])];
}

std::string label_node(const LabeledSet& labeled, const VertexNames& names, std::size_t label) {
  return names.name(labeled.vertices()[label]);
}

// "b: y with 0.75, from 2 labels"
std::string sentence(const Explanation& one, const LabeledSet& labeled, const VertexNames& names) {
  const std::string node = names.name(one.vertex);
  if (one.status == VertexStatus::unreached) {
    return node + ": no label in its component";
  }
  if (one.shares.empty()) return node + ": the run was stopped before its shares were known";
  if (one.status == VertexStatus::unfinished)
    return fmt::format(
        "{}: the run was stopped when {} of its shares were known, which decides "
        "nothing",
        node, to_brief_text(one.row_sum));
  std::vector<double> score(labeled.is_regression() ? 1 : labeled.class_names().size(), 0.0);
  for (const LabelShare& s : one.shares) {
    if (labeled.is_regression())
      score.front() += s.share * labeled.target_of()[s.label];
    else
      score[static_cast<std::size_t>(labeled.class_of()[s.label])] += s.share;
  }
  const auto best = std::ranges::max_element(score);
  const std::string answer =
      labeled.is_regression()
          ? to_brief_text(score.front())
          : fmt::format("{} with {}",
                        labeled.class_names()[static_cast<std::size_t>(best - score.begin())],
                        to_brief_text(*best));
  return fmt::format("{}: {}, from {} labels", node, answer, one.shares.size());
}

void write_shares(TableWriter& table, const Explanations& found, const LabeledSet& labeled,
                  const VertexNames& names, std::size_t top) {
  for (const Explanation& one : found.of) {
    const std::string node = names.name(one.vertex);
    const std::size_t rows = top == 0 ? one.shares.size() : std::min(top, one.shares.size());
    for (std::size_t i = 0; i < rows; ++i) {
      table.text(node);
      table.text(label_node(labeled, names, one.shares[i].label));
      table.text(label_text(labeled, one.shares[i].label));
      table.number(one.shares[i].share);
      table.end_row();
    }
    if (rows > 0) continue;
    table.text(node);
    table.text("?");
    table.text("?");
    table.number(0.0);
    table.end_row();
  }
}

void write_suspects(TableWriter& table, const std::vector<Suspect>& suspects,
                    const LabeledSet& labeled, const VertexNames& names, std::size_t top) {
  const std::size_t rows = top == 0 ? suspects.size() : std::min(top, suspects.size());
  for (std::size_t i = 0; i < rows; ++i) {
    const Suspect& s = suspects[i];
    table.integer(static_cast<std::int64_t>(i + 1));
    table.text(label_node(labeled, names, s.label));
    table.text(label_text(labeled, s.label));
    table.number(s.suspicion);
    if (s.status == SuspectStatus::alone || s.status == SuspectStatus::unfinished) {
      table.text("?");
    } else if (labeled.is_regression()) {
      table.number(s.best_score);
    } else {
      table.text(labeled.class_names()[static_cast<std::size_t>(s.best)]);
    }
    if (!labeled.is_regression()) {
      table.number(s.best_score);
      table.number(s.own_score);
    }
    table.text(to_string(s.status));
    table.end_row();
  }
}

// Returns whether the answer is final.
bool record(Session& session, const Report& report) {
  session.record_report(report);
  session.say("explain: " + report.sentence);
  return report.converged();
}

std::vector<VertexId> asked_vertices(const ExplainOptions& options, const GraphFile& file) {
  std::vector<VertexId> vertices;
  for (const std::string& node : options.nodes)
    vertices.push_back(vertex_named(file, node, "--node"));
  return vertices;
}

struct Answer {
  bool final = true;
  std::int64_t unreached = 0;
  std::optional<ResultColumns> columns = {};  // for --graph-output
};

// The given labels, and for each vertex asked about the share of each of them.
ResultColumns share_columns(const Explanations& found, const LabeledSet& labeled,
                            const GraphFile& file) {
  const auto n = static_cast<std::size_t>(file.graph.vertex_count());
  const auto place = [&](std::size_t label) {
    return static_cast<std::size_t>(labeled.vertices()[label]);
  };
  ResultColumns columns(file.graph.vertex_count());
  if (!labeled.is_regression()) {
    std::vector<int> given(n, -1);
    for (std::size_t i = 0; i < labeled.size(); ++i) given[place(i)] = labeled.class_of()[i];
    columns.add_choice("class", labeled.class_names(), std::move(given));
  }
  for (const Explanation& one : found.of) {
    std::vector<double> shares(n, 0.0);
    for (const LabelShare& s : one.shares) shares[place(s.label)] = s.share;
    const std::string name = "share_" + file.names.name(one.vertex);
    if (columns.find(name) == nullptr) columns.add_numbers(name, std::move(shares));
  }
  return columns;
}

// The given labels and how suspicious each is; 0 where none is given.
ResultColumns suspicion_columns(const std::vector<Suspect>& suspects, const LabeledSet& labeled,
                                VertexId vertex_count) {
  const auto n = static_cast<std::size_t>(vertex_count);
  ResultColumns columns(vertex_count);
  std::vector<double> suspicion(n, 0.0);
  std::vector<int> given(n, -1);
  std::vector<int> others(n, -1);
  for (const Suspect& s : suspects) {
    const auto v = static_cast<std::size_t>(labeled.vertices()[s.label]);
    suspicion[v] = s.suspicion;
    if (labeled.is_regression()) continue;
    given[v] = labeled.class_of()[s.label];
    if (s.status == SuspectStatus::checked) others[v] = s.best;
  }
  columns.add_numbers("suspicion", std::move(suspicion));
  if (labeled.is_regression()) return columns;
  columns.add_choice("class", labeled.class_names(), std::move(given));
  columns.add_choice("others_say", labeled.class_names(), std::move(others));
  return columns;
}

Answer explain_nodes(Session& session, const ExplainOptions& options, const GraphFile& file,
                     const LabeledSet& labeled, const HarmonicOptions& harmonic, OutputFile& out,
                     Json& shown) {
  const std::vector<VertexId> vertices = asked_vertices(options, file);
  const Explanations found = explain(file.graph, labeled, vertices, harmonic, session.run);
  Answer answer;
  answer.final = record(session, found.report);
  session.timed("write", [&] {
    TableWriter table(out, session.options().table_format(),
                      {"node", "label_node", "label", "share"});
    write_shares(table, found, labeled, file.names, options.top);
  });
  if (!labeled.is_regression()) shown = shares_table(found, labeled, file.names);
  if (!session.options().graph_output.empty()) answer.columns = share_columns(found, labeled, file);
  for (const Explanation& one : found.of) {
    session.say(sentence(one, labeled, file.names));
    answer.unreached += one.status == VertexStatus::unreached;
  }
  return answer;
}

Answer find_suspects(Session& session, const ExplainOptions& options, const GraphFile& file,
                     const LabeledSet& labeled, const HarmonicOptions& harmonic, OutputFile& out,
                     Json& shown) {
  const LeaveOneOut found = leave_one_out(file.graph, labeled, harmonic, session.run);
  Answer answer;
  answer.final = record(session, found.report);
  const std::vector<Suspect> suspects = rank_suspects(labeled, found);
  session.timed("write", [&] {
    std::vector<std::string> columns = {"rank", "node", "label", "suspicion", "others_say"};
    if (!labeled.is_regression()) columns.insert(columns.end(), {"others_score", "own_score"});
    columns.emplace_back("status");
    TableWriter table(out, session.options().table_format(), columns);
    write_suspects(table, suspects, labeled, file.names, options.top);
  });
  if (!session.options().graph_output.empty())
    answer.columns = suspicion_columns(suspects, labeled, file.graph.vertex_count());
  if (labeled.is_regression()) return answer;
  shown = suspects_table(suspects, labeled, file.names);
  const std::int64_t outvoted = std::ranges::count_if(suspects, [](const Suspect& s) {
    return s.status == SuspectStatus::checked && s.suspicion > 0.0;
  });
  const std::int64_t unchecked = std::ranges::count_if(
      suspects, [](const Suspect& s) { return s.status != SuspectStatus::checked; });
  session.summary.set("outvoted", outvoted);
  session.summary.set("unchecked", unchecked);
  session.say(fmt::format("{} of {} labels are outvoted by the others, {} were not checked",
                          outvoted, suspects.size(), unchecked));
  if (const std::string whole = outvoted_classes(suspects, labeled); !whole.empty())
    session.warn(whole);
  return answer;
}

int explain_verb(Session& session, const ExplainOptions& options) {
  session.prepare({options.graph, options.labels}, {session.options().output, options.report});
  if (options.regression && !options.report.empty())
    throw Error(ErrorCode::usage, "--report draws classes: not with --regression");
  if (options.suspects != options.nodes.empty()) {
    throw Error(ErrorCode::usage, options.suspects
                                      ? "--suspects is about all labels: leave --node out"
                                      : "give --node, or --suspects");
  }
  const MadeLearner learner = session.registry.make(options.method);
  const HarmonicOptions harmonic = harmonic_options(learner);
  OutputFile out(session.options().output);
  std::optional<OutputFile> report_out;
  if (!options.report.empty()) report_out.emplace(options.report);
  GraphResults graph_out(session);
  GraphFile file = read_graph_file(session, options.graph);
  const LabeledSet labeled = session.timed(
      "read", [&] { return read_given_labels(session, options.labels, options.regression, file); });
  session.summary.set("method", learner.spec);
  Json shown = Json::object();
  const auto columns =
      static_cast<double>(options.suspects ? labeled.size() : options.nodes.size());
  const auto rehearsal = [&](const RunContext& run) {
    if (options.suspects)
      leave_one_out(file.graph, labeled, harmonic, run);
    else
      explain(file.graph, labeled, asked_vertices(options, file), harmonic, run);
  };
  if (const auto status =
          estimated(session, file.graph, column_work(file.graph, columns), rehearsal))
    return *status;
  Answer answer = options.suspects
                      ? find_suspects(session, options, file, labeled, harmonic, out, shown)
                      : explain_nodes(session, options, file, labeled, harmonic, out, shown);
  if (report_out)
    report_out->write(
        explain_page(session, file, labeled, learner, options.graph, std::move(shown)));
  session.timed("write", [&] {
    session.check_cancelled();
    if (report_out) report_out->commit();
    if (graph_out.wanted())
      graph_out.write(session, file.graph, file.names, std::move(*answer.columns));
    out.commit();
  });
  if (!answer.final) session.warn("stopped before tolerance: what was written is not final");
  if (answer.unreached > 0) {
    session.warn(fmt::format("{} of the vertices asked about have no label in their component",
                             answer.unreached));
  }
  return !answer.final || (answer.unreached > 0 && session.options().strict) ? 1 : 0;
}

}  // namespace

Verb add_explain(CLI::App& app, CommonOptions& common) {
  const std::string digits = "gssl explain datasets/digits/edges.tsv datasets/digits/labels.tsv";
  CLI::App& verb =
      add_verb(app, "explain",
               "Which given labels make up the score of a vertex, and which of them look wrong.",
               {digits + " --node 17 --node 42 --top 3",
                "gssl explain datasets/iris/edges.tsv datasets/iris/labels.tsv --suspects",
                digits + " --suspects --method harmonic:soft=10 -o suspects.tsv"});
  const auto options = std::make_shared<ExplainOptions>();
  verb.add_option("GRAPH", options->graph, "graph file ('-': standard input)")
      ->required()
      ->type_name("FILE");
  verb.add_option("LABELS", options->labels, "lines 'node label' ('-': standard input)")
      ->required()
      ->type_name("FILE");
  verb.add_option("--node", options->nodes, "explain the score of this vertex; repeatable")
      ->type_name("ID")
      ->allow_extra_args(false);
  verb.add_flag("--suspects", options->suspects,
                "rank the given labels by how much the others contradict them");
  verb.add_option("--top", options->top,
                  "at most N rows for each vertex, or N suspects (default: all)")
      ->type_name("N")
      ->check(CLI::Validator(at_least_one_error, ""));
  verb.add_option("--method", options->method, "harmonic[:key=value,…]; see gssl learners harmonic")
      ->type_name("SPEC")
      ->capture_default_str();
  verb.add_flag("--regression", options->regression, "labels are real numbers, not classes");
  verb.add_option("--report", options->report,
                  "also write a page to look at: the graph, and the shares or suspects")
      ->type_name("FILE.html")
      ->group("Output");
  add_graph_options(verb, common);
  add_label_options(verb, common);
  add_output_options(verb, common);
  add_graph_output(verb, common);
  add_solve_options(verb, common, "a vertex asked about has no label in its component");
  add_estimate(verb, common);
  add_run_options(verb, common);
  return [options](Session& session) { return explain_verb(session, *options); };
}

}  // namespace gssl::tool
