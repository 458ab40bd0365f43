// gssl cluster: a graph in, a partition of its vertices out, with what it costs.

#include <fmt/format.h>

#include <map>
#include <memory>
#include <optional>

#include "graph_input.hpp"
#include "gssl/cluster/clusterer.hpp"
#include "gssl/cluster/cut_objectives.hpp"
#include "gssl/core/error.hpp"
#include "gssl/core/number_text.hpp"
#include "gssl/evaluate/partition_agreement.hpp"
#include "gssl/graph/components.hpp"
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
void compare(Session& session, const Partition& partition, const LabelFile& truth) {
  std::map<std::string, int> number;
  std::vector<int> found, given;
  for (std::size_t i = 0; i < truth.vertices.size(); ++i) {
    found.push_back(partition.cluster_of[static_cast<std::size_t>(truth.vertices[i])]);
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

int cluster(Session& session, const ClusterCommand& command) {
  session.prepare({command.graph, command.truth}, {session.options().output});
  const MadeClusterer made = make_clusterer(command.method);
  OutputFile out(session.options().output);
  GraphFile file = read_graph_file(session, command.graph);
  std::optional<LabelFile> truth;
  if (!command.truth.empty()) truth = read_truth(session, command.truth, file.names);
  session.summary.set("method", made.spec);
  session.summary.set("components",
                      static_cast<std::int64_t>(connected_components(file.graph).count));

  int k = 0;
  if (command.count == "auto") {
    k = session.timed("setup", [&] {
      return made.clusterer->suggest_count(file.graph, most_suggested, session.run);
    });
    session.say(
        fmt::format("-k auto: {} clusters, where the gap between eigenvalues is widest", k));
  } else {
    k = *parse_number<int>(command.count);
  }
  session.check_cancelled();
  const Partition partition = made.clusterer->cluster(file.graph, k, session.run);
  session.record_report(partition.report);
  session.summary.set("clusters", partition.count);
  session.say(partition.report.solver.sentence);
  for (const std::string& warning : partition.report.warnings) session.warn(warning);
  record_objectives(session, cut_objectives(file.graph, partition.cluster_of, partition.count));
  if (truth) compare(session, partition, *truth);

  session.timed("write", [&] {
    TableWriter table(out, session.options().table_format(), {"node", "cluster"});
    for (VertexId v = 0; v < file.graph.vertex_count(); ++v) {
      if (v % 65536 == 0) session.check_cancelled();
      table.text(file.names.name(v));
      table.integer(partition.cluster_of[static_cast<std::size_t>(v)] + 1);
      table.end_row();
    }
    out.commit();
  });
  session.say_time();
  if (partition.report.converged()) return 0;
  session.warn("some eigenpairs miss the tolerance: see their residuals");
  return 1;
}

}  // namespace

Verb add_cluster(CLI::App& app, CommonOptions& common) {
  CLI::App& verb =
      add_verb(app, "cluster", "Splits the vertices of a graph into clusters.",
               {"gssl cluster datasets/digits/edges.tsv -k 10 --truth datasets/digits/truth.tsv",
                "gssl cluster datasets/lesmis/lesmis.graph -k auto --summary lesmis.json",
                "gssl cluster datasets/lesmis/lesmis.graph -k 2 --method spectral:assign=sweep",
                "gzip -c datasets/iris/edges.tsv | gssl cluster - -k 3 --method "
                "spectral:variant=ng-jordan-weiss,assign=k-means"});
  const auto command = std::make_shared<ClusterCommand>();
  verb.add_option("GRAPH", command->graph, "graph file ('-': standard input)")
      ->required()
      ->type_name("FILE");
  verb.add_option("-k,--count", command->count,
                  "clusters; auto: by the widest gap between eigenvalues, 2 to 20")
      ->required()
      ->type_name("K|auto")
      ->check(CLI::Validator(count_error, ""));
  std::string options;
  for (const OptionSpec& spec : clusterer_entries().front().options.specs())
    options += (options.empty() ? "" : ", ") + spec.name + " " + spec.range_text();
  verb.add_option("--method", command->method, "spectral[:key=value,…]: " + options)
      ->type_name("SPEC")
      ->capture_default_str();
  verb.add_option("--truth", command->truth, "compare with lines 'node label'")->type_name("FILE");
  add_graph_options(verb, common);
  add_output_options(verb, common);
  add_time_limit(verb, common);
  add_run_options(verb, common);
  return [command](Session& session) { return cluster(session, *command); };
}

}  // namespace gssl::tool
