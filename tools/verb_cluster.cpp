// gssl cluster: a graph in, a partition of its vertices out, with what it costs; or what a given
// partition costs.

#include <fmt/format.h>

#include <map>
#include <memory>
#include <optional>
#include <utility>

#include "cluster_points.hpp"
#include "estimate.hpp"
#include "fit_report.hpp"
#include "graph_input.hpp"
#include "graph_results.hpp"
#include "gssl/cluster/cut_objectives.hpp"
#include "gssl/core/error.hpp"
#include "gssl/core/number_text.hpp"
#include "gssl/evaluate/partition_agreement.hpp"
#include "gssl/graph/components.hpp"
#include "gssl/learn/clusterer.hpp"
#include "report_page.hpp"
#include "session.hpp"

namespace gssl::tool {
namespace {

// Clusters that -k auto looks at.
constexpr int most_suggested = 20;

struct ClusterCommand {
  std::string graph;
  std::string count;
  std::string method = "spectral";
  std::string truth;
  std::string partition;
  std::string report;
};

// "auto" or a number ≥ 1.
std::string count_error(std::string& text) {
  if (text == "auto") return {};
  const std::optional<int> k = parse_number<int>(text);
  return k && *k >= 1 ? std::string() : "'" + text + "' is not auto or a whole number of 1 or more";
}

void record_objectives(Session& session, const CutObjectives& o) {
  session.summary.set("objectives.cut", o.cut);
  session.summary.set("objectives.ratio_cut", o.ratio_cut);
  session.summary.set("objectives.ncut", o.ncut);
  session.summary.set("objectives.modularity", o.modularity);
  session.summary.set("objectives.conductance", o.conductance);
  session.say(fmt::format("cut {}, ratio cut {}, ncut {}, modularity {}, conductance {}",
                          to_brief_text(o.cut), to_brief_text(o.ratio_cut), to_brief_text(o.ncut),
                          to_brief_text(o.modularity), to_brief_text(o.conductance)));
}

// On the vertices that have a truth.
void compare(Session& session, const std::vector<int>& cluster_of, const LabelFile& truth) {
  std::map<std::string, int> number;
  std::vector<int> found, given;
  for (std::size_t i = 0; i < truth.vertices.size(); ++i) {
    found.push_back(cluster_of[static_cast<std::size_t>(truth.vertices[i])]);
    given.push_back(
        number.try_emplace(truth.labels[i], static_cast<int>(number.size())).first->second);
  }
  const PartitionAgreement a = partition_agreement(found, given);
  session.summary.set("truth_measured", static_cast<std::int64_t>(found.size()));
  session.summary.set("truth_classes", static_cast<std::int64_t>(number.size()));
  session.summary.set("nmi", a.nmi);
  session.summary.set("ari", a.ari);
  session.say(
      fmt::format("truth: NMI {:.4f}, ARI {:.4f} on {} vertices", a.nmi, a.ari, found.size()));
  if (found.empty()) session.warn("the truth names no vertex of the graph");
}

// What a partition read from a file costs.
int measure(Session& session, const ClusterCommand& command) {
  session.prepare({command.graph, command.partition, command.truth}, {session.options().output});
  OutputFile out(session.options().output);
  GraphFile file = read_graph_file(session, command.graph);
  const LabelFile given = read_labels(command.partition, file.names,
                                      {.missing = MissingMarks::none(),
                                       .remedy = " or remove the line",
                                       .memory_limit = session.run.memory_limit});
  session.summary.add_input(given.stats);
  std::optional<LabelFile> truth;
  if (!command.truth.empty())
    truth = read_truth(session, command.truth, file.names, missing_marks(session, false));
  if (const auto status = estimated(session, file.graph, listing_work(file.graph))) return *status;
  std::vector<int> cluster_of(static_cast<std::size_t>(file.graph.vertex_count()), -1);
  std::map<std::string, int> number;
  for (std::size_t i = 0; i < given.vertices.size(); ++i)
    cluster_of[static_cast<std::size_t>(given.vertices[i])] =
        number.try_emplace(given.labels[i], static_cast<int>(number.size())).first->second;
  const auto missing = std::ranges::find(cluster_of, -1);
  if (missing != cluster_of.end())
    throw Error(ErrorCode::bad_data,
                fmt::format("{}: no cluster for vertex '{}' ({} of {} vertices have one)",
                            command.partition,
                            file.names.name(static_cast<VertexId>(missing - cluster_of.begin())),
                            given.vertices.size(), cluster_of.size()));
  const auto count = static_cast<int>(number.size());
  const CutObjectives o = cut_objectives(file.graph, cluster_of, count);
  session.summary.set("clusters", count);
  record_objectives(session, o);
  if (truth) compare(session, cluster_of, *truth);
  TableWriter table(out, session.options().table_format(),
                    {"clusters", "cut", "ratio_cut", "ncut", "modularity", "conductance"});
  table.integer(count);
  for (const double value : {o.cut, o.ratio_cut, o.ncut, o.modularity, o.conductance})
    table.number(value);
  table.end_row();
  out.commit();
  session.say_time();
  return 0;
}

// Clusters as the classes of a page; none was given, and all are equally sure.
std::string partition_page(const Session& session, const ClusterCommand& command,
                           const GraphFile& file, const Partition& partition,
                           const std::string& method) {
  const auto n = static_cast<std::size_t>(file.graph.vertex_count());
  std::vector<std::string> names;
  names.reserve(static_cast<std::size_t>(partition.count));
  for (int k = 0; k < partition.count; ++k) names.push_back(std::to_string(k + 1));
  return report_page(fit_document(session, {.graph = file.graph,
                                            .names = file.names,
                                            .classes = std::move(names),
                                            .labels = {.answer = partition.cluster_of,
                                                       .confidence = std::vector<double>(n, 1.0),
                                                       .given = std::vector<char>(n, 0)},
                                            .report = partition.report,
                                            .method = method,
                                            .data = command.graph}));
}

void write_clusters(Session& session, OutputFile& out, const GraphFile& file,
                    const Partition& partition) {
  TableWriter table(out, session.options().table_format(), {"node", "cluster"});
  for (VertexId v = 0; v < file.graph.vertex_count(); ++v) {
    if (v % 65536 == 0) session.check_cancelled();
    table.text(file.names.name(v));
    table.integer(partition.cluster_of[static_cast<std::size_t>(v)] + 1);
    table.end_row();
  }
}

int cluster(Session& session, const ClusterCommand& command) {
  session.prepare({command.graph, command.truth}, {session.options().output, command.report});
  const MadeLearner made = session.registry.make(command.method);
  const Clusterer& clusterer = made.clusterer();
  OutputFile out(session.options().output);
  std::optional<OutputFile> report_out;
  if (!command.report.empty()) report_out.emplace(command.report);
  GraphResults graph_out(session);
  GraphFile file = read_graph_file(session, command.graph);
  std::optional<LabelFile> truth;
  if (!command.truth.empty())
    truth = read_truth(session, command.truth, file.names, missing_marks(session, false));
  session.summary.set("method", made.spec);
  const VertexId components = connected_components(file.graph).count;
  session.summary.set("components", static_cast<std::int64_t>(components));

  const double wanted = parse_number<double>(command.count).value_or(most_suggested);
  const auto rehearsal = [&](const RunContext& run) {
    const auto k = parse_number<int>(command.count);
    clusterer.cluster(file.graph, k ? *k : clusterer.suggest_count(file.graph, most_suggested, run),
                      run);
  };
  if (const auto status =
          estimated(session, file.graph, spectrum_work(file.graph, wanted), rehearsal))
    return *status;

  int k = 0;
  if (command.count == "auto") {
    k = session.timed(
        "setup", [&] { return clusterer.suggest_count(file.graph, most_suggested, session.run); });
    session.say(fmt::format("-k auto: {} clusters, {}", k,
                            components >= most_suggested
                                ? fmt::format("the most it takes, of {} components", components)
                                : "where the gap between eigenvalues is widest"));
  } else {
    k = *parse_number<int>(command.count);
  }
  session.check_cancelled();
  const Partition partition = clusterer.cluster(file.graph, k, session.run);
  session.record_report(partition.report);
  session.summary.set("clusters", partition.count);
  session.say(partition.report.sentence);
  for (const std::string& warning : partition.report.warnings) session.warn(warning);
  record_objectives(session, cut_objectives(file.graph, partition.cluster_of, partition.count));
  if (truth) compare(session, partition.cluster_of, *truth);

  session.timed("write", [&] {
    write_clusters(session, out, file, partition);
    if (report_out) {
      report_out->write(partition_page(session, command, file, partition, made.entry->name));
      report_out->commit();
    }
    if (graph_out.wanted())
      graph_out.write(session, file.graph, file.names,
                      cluster_columns(partition.cluster_of, partition.count));
    out.commit();
  });
  session.say_time();
  return partition.report.converged() ? 0 : 1;
}

}  // namespace

Verb add_cluster(CLI::App& app, CommonOptions& common) {
  CLI::App& verb =
      add_verb(app, "cluster", "Splits the vertices of a graph into clusters.",
               {"gssl cluster datasets/digits/edges.tsv -k 10 --truth datasets/digits/truth.tsv",
                "gssl cluster datasets/lesmis/lesmis.graph -k auto --summary lesmis.json",
                "gssl cluster datasets/lesmis/lesmis.graph -k 2 --method spectral:assign=sweep",
                "gssl cluster datasets/iris/edges.tsv -k 3 --method kernel-k-means:time=10",
                "gzip -c datasets/iris/edges.tsv | gssl cluster - -k 3",
                "gssl cluster datasets/iris/edges.tsv --partition datasets/iris/truth.tsv",
                "gssl cluster --points datasets/iris/points.csv --label-column class -k 3"});
  const auto command = std::make_shared<ClusterCommand>();
  verb.add_option("GRAPH", command->graph, "graph file ('-': standard input); none beside --points")
      ->type_name("FILE");
  CLI::Option* count = verb.add_option("-k,--count", command->count,
                                       "clusters; auto: by the widest gap between eigenvalues, 2 "
                                       "to 20")
                           ->type_name("K|auto")
                           ->check(CLI::Validator(count_error, ""));
  std::string methods;
  const LearnerRegistry registry = builtin_learners();
  for (const LearnerEntry* entry : registry.of_kinds({LearnerKind::clusterer})) {
    methods += (methods.empty() ? "" : "; ") + entry->name + "[:key=value,…]: ";
    bool first = true;
    for (const OptionSpec& spec : entry->options.specs())
      methods += (std::exchange(first, false) ? "" : ", ") + spec.name + " " + spec.range_text();
  }
  CLI::Option* method = verb.add_option("--method", command->method, methods)
                            ->type_name("SPEC")
                            ->capture_default_str();
  CLI::Option* given = verb.add_option("--partition", command->partition,
                                       "make no clusters: what those of lines 'node cluster' cost")
                           ->type_name("FILE");
  given->excludes(count)->excludes(method);
  verb.add_option("--truth", command->truth,
                  "compare with lines 'node label', .npy, .npz, idx, or what gssl label wrote")
      ->type_name("FILE");
  verb.add_option("--report", command->report, "also write a page to look at")
      ->type_name("FILE.html")
      ->excludes(given)
      ->group("Output");
  add_graph_options(verb, common);
  const auto rows = std::make_shared<ClusterPointsOptions>();
  add_cluster_points_options(verb, *rows);
  add_missing_option(verb, common, "Input");
  add_output_options(verb, common);
  add_graph_output(verb, common);
  verb.get_option("--graph-output")->excludes(given);
  add_time_limit(verb, common);
  add_estimate(verb, common);
  add_run_options(verb, common);
  return [command, rows](Session& session) {
    if (command->graph.empty() == rows->points.empty())
      throw Error(ErrorCode::usage, "GRAPH is required (or --points FILE)");
    if (!rows->points.empty()) return cluster_rows(session, *rows, command->count);
    if (!command->partition.empty()) return measure(session, *command);
    if (command->count.empty())
      throw Error(ErrorCode::usage, "--count is required (or --partition FILE)");
    return cluster(session, *command);
  };
}

}  // namespace gssl::tool
